"""What a front end is: a name, the suffixes it reads, and what reads them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias, final

from burnside.claims.task import Task
from burnside.ir.nodes import Value
from burnside.ir.topology import Topology
from burnside.source import Diagnostics, Source


@final
@dataclass(frozen=True, slots=True)
class LoadOptions:
    """What a text does not say by itself.

    ``properties`` is a file of properties beside the model. ``queue_semantics`` says whether a message leaves its
    queue before it is served (``paper``) or after (``reference``). ``max_rebecs`` is how many rebecs of a class may be
    created. ``only_first`` asks for the first process only, with the claims about it that need no other process.
    """

    properties: Source | None = None
    queue_semantics: str = "paper"
    max_rebecs: int = 3
    only_first: bool = False


NO_OPTIONS: Final = LoadOptions()

Load: TypeAlias = Callable[[Source, Mapping[str, Value], LoadOptions], tuple[tuple[Task, ...], Diagnostics]]
LoadTopology: TypeAlias = Callable[[Source, Mapping[str, Value], LoadOptions], Topology | None]


@final
@dataclass(frozen=True, slots=True)
class FrontEnd:
    """A modelling language; ``load`` gives a task for each process that is asked about, unless the diagnostics hold an
    error.

    A language of actors has ``load_topology``, and options of its own; ``properties`` is the suffix of files of
    properties beside the model. ``takes_truths`` says whether truth values can be given for constants.
    """

    name: str
    suffixes: tuple[str, ...]
    load: Load
    properties: str = ""
    load_topology: LoadTopology | None = None
    takes_truths: bool = False
