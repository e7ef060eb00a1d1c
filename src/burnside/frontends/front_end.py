"""What a front end is: a name, the suffixes it reads, and what reads them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias, final

from burnside.ir.nodes import Model, Value
from burnside.ir.task import Task
from burnside.ir.topology import Topology
from burnside.source import Diagnostics, Source

Load: TypeAlias = Callable[[Source, Mapping[str, Value]], tuple[Model | None, Diagnostics]]
LoadWith: TypeAlias = "Callable[[Source, Mapping[str, Value], LoadOptions], tuple[Model | None, Diagnostics]]"
LoadTopology: TypeAlias = "Callable[[Source, Mapping[str, Value], LoadOptions], Topology | None]"
LoadTasks: TypeAlias = Callable[[Source, Mapping[str, Value]], tuple[tuple[Task, ...], Diagnostics]]


@final
@dataclass(frozen=True, slots=True)
class LoadOptions:
    """What a text does not say by itself.

    ``properties`` is a file of properties beside the model. ``queue_semantics`` says whether a message leaves its
    queue before it is served (``paper``) or after (``reference``). ``max_rebecs`` is how many rebecs of a class may be
    created.
    """

    properties: Source | None = None
    queue_semantics: str = "paper"
    max_rebecs: int = 3


@final
@dataclass(frozen=True, slots=True)
class FrontEnd:
    """A modelling language; ``load`` gives a model unless the diagnostics hold an error.

    A language that can ask about several processes, or about more than single states, has ``load_tasks`` too.
    One with options of its own, or with a file of properties beside the model, has ``load_with``; ``properties`` is the
    suffix of such files. A language of actors has ``load_topology``. ``takes_truths`` says whether truth values can be
    given for constants.
    """

    name: str
    suffixes: tuple[str, ...]
    load: Load
    load_tasks: LoadTasks | None = None
    load_with: LoadWith | None = None
    properties: str = ""
    load_topology: LoadTopology | None = None
    takes_truths: bool = False
