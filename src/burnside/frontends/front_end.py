"""What a front end is: a name, the suffixes it reads, and what reads them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias, final

from burnside.ir.nodes import Model, Value
from burnside.ir.task import Task
from burnside.source import Diagnostics, Source

Load: TypeAlias = Callable[[Source, Mapping[str, Value]], tuple[Model | None, Diagnostics]]
LoadTasks: TypeAlias = Callable[[Source, Mapping[str, Value]], tuple[tuple[Task, ...], Diagnostics]]


@final
@dataclass(frozen=True, slots=True)
class FrontEnd:
    """A modelling language; ``load`` gives a model unless the diagnostics hold an error.

    A language that can ask about several processes, or about more than single states, has ``load_tasks`` too.
    """

    name: str
    suffixes: tuple[str, ...]
    load: Load
    load_tasks: LoadTasks | None = None
