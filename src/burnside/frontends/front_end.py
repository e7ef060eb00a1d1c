"""What a front end is: a name, the suffixes it reads, what reads them, and the options it has."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple, TypeAlias, final

from burnside.claims.task import Task
from burnside.frontends.kit.constants import Given
from burnside.frontends.kit.options import Option, Options
from burnside.ir.topology import Topology
from burnside.source import Diagnostics, Source
from burnside.values import dataclass


class Loaded(NamedTuple):
    """What a text describes: a task for each process that it asks about, unless the diagnostics hold an error.

    ``topology`` says who knows whom in a language of actors, if there is one initial state. How the steps of actors are
    told is part of their model.
    """

    tasks: tuple[Task, ...]
    diagnostics: Diagnostics
    topology: Topology | None = None


Load: TypeAlias = Callable[[Source, Mapping[str, Given], Options], Loaded]


@final
@dataclass(frozen=True, slots=True)
class FrontEnd:
    """A modelling language. ``takes_truths`` says whether truth values can be given for constants, ``is_plain`` whether
    rules and variables of the model are those that its author wrote, ``archived`` the name of the model in archives, if
    it is read from those.
    """

    name: str
    suffixes: tuple[str, ...]
    load: Load
    options: tuple[Option, ...] = ()
    takes_truths: bool = False
    is_plain: bool = False
    archived: str = ""
