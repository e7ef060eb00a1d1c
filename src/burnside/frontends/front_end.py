"""What a front end is: a name, the suffixes it reads, and one function."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias, final

from burnside.ir.nodes import Model, Value
from burnside.source import Diagnostics, Source

Load: TypeAlias = Callable[[Source, Mapping[str, Value]], tuple[Model | None, Diagnostics]]


@final
@dataclass(frozen=True, slots=True)
class FrontEnd:
    """A modelling language; ``load`` gives a model unless the diagnostics hold an error."""

    name: str
    suffixes: tuple[str, ...]
    load: Load
