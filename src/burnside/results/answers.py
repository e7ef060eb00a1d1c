"""What commands answer: one value for each kind of answer, which renderers turn into what is printed or written.

Every answer to a question about a model carries the diagnostics that came up on the way, so that a format for machines
has all there is in one document.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias, final

from burnside.results.coverage import Coverage
from burnside.results.findings import CheckReport, CountReport
from burnside.source import Diagnostic
from burnside.values import dataclass

if TYPE_CHECKING:  # the help of a command lists formats before anything is found
    from burnside.actors.compare import ActorReport
    from burnside.explore.walk import Walk
    from burnside.results.detection import DetectReport
    from burnside.results.graph import GraphReport
    from burnside.results.page import Page


class Kind(Enum):
    """Kinds of answers; `burnside.report.renderers` says in which formats there are which."""

    CHECK = "verdicts"
    COUNT = "figures of a state space"
    DETECT = "symmetries"
    WALK = "a walk"
    PATTERN = "patterns of a parameterised system"
    GRAPH = "a state graph"
    DRAWING = "a picture"
    PAGE = "a page"
    WRITTEN = "a file"
    TABLES = "measured tables"
    HEALTH = "the state of an installation"
    FAILURE = "a model that cannot be used"
    STOPPED = "nothing, because a limit was reached"


# ---------------------------------------------------------------- about models


@final
@dataclass(frozen=True)
class CheckAnswer:
    """Verdicts on what ``file`` asks. ``coverages`` has one for each process if that was asked; a coverage is None if
    the exploration was not complete.
    """

    kind: ClassVar = Kind.CHECK

    file: str
    reports: tuple[CheckReport, ...]
    coverages: tuple[Coverage | None, ...] | None = None
    diagnostics: tuple[Diagnostic, ...] = ()


@final
@dataclass(frozen=True)
class CountAnswer:
    """The figures of a state space; ``coverages`` has one entry if that was asked."""

    kind: ClassVar = Kind.COUNT

    report: CountReport
    coverages: tuple[Coverage | None, ...] | None = None
    diagnostics: tuple[Diagnostic, ...] = ()


@final
@dataclass(frozen=True)
class DetectAnswer:
    """The symmetries of a model, beside those of its actors if it has any."""

    kind: ClassVar = Kind.DETECT

    report: DetectReport
    actors: ActorReport | None = None
    diagnostics: tuple[Diagnostic, ...] = ()


@final
@dataclass(frozen=True)
class WalkAnswer:
    """A walk; ``stopped`` names what ended it before its time, such as ``interrupt``."""

    kind: ClassVar = Kind.WALK

    walk: Walk
    seed: int
    stopped: str | None = None
    diagnostics: tuple[Diagnostic, ...] = ()


@final
@dataclass(frozen=True)
class PatternAnswer:
    """What is known of every instance of a system: an object for scripts, and lines for people."""

    kind: ClassVar = Kind.PATTERN

    content: Mapping[str, Any]
    lines: tuple[str, ...]
    diagnostics: tuple[Diagnostic, ...] = ()


# ---------------------------------------------------------------- files


@final
@dataclass(frozen=True)
class GraphAnswer:
    """A state graph; in Aldebaran's format ``silent`` is the label of silent steps, and ``has_loops`` says whether a
    state has a loop for each property that is true in it.
    """

    kind: ClassVar = Kind.GRAPH

    graph: GraphReport
    silent: str = "tau"
    has_loops: bool = False


@final
@dataclass(frozen=True, slots=True)
class Drawing:
    """Text for an engine of Graphviz, and how much it shows."""

    kind: ClassVar = Kind.DRAWING

    text: str
    size: str
    engine: str


@final
@dataclass(frozen=True, slots=True)
class Written:
    """A file, and what there is to say about its content."""

    kind: ClassVar = Kind.WRITTEN

    file: str
    about: str
    diagnostics: tuple[Diagnostic, ...] = ()


# ---------------------------------------------------------------- about Burnside itself


@final
@dataclass(frozen=True)
class TablesAnswer:
    """Measured rows by the name of their table, what they were measured on, and which rows were left out.

    ``stopped`` is the limit that was reached before the end, if one was.
    """

    kind: ClassVar = Kind.TABLES

    version: str
    machine: Mapping[str, str]
    tables: Mapping[str, Sequence[Mapping[str, Any]]]
    left_out: Mapping[str, Sequence[str]]
    stopped: str | None = None


@final
@dataclass(frozen=True, slots=True)
class Organ:
    """One part of an installation: ``ok``, ``missing`` (an optional one) or ``failed``, and what to do about it."""

    part: str
    status: str
    found: str
    advice: str = ""


@final
@dataclass(frozen=True, slots=True)
class Health:
    """Whether everything that is needed is there and works."""

    kind: ClassVar = Kind.HEALTH

    version: str
    organs: tuple[Organ, ...]

    @property
    def works(self) -> bool:
        """Whether nothing that is needed has failed."""
        return all(organ.status != "failed" for organ in self.organs)


# ---------------------------------------------------------------- no answer


@final
@dataclass(frozen=True, slots=True)
class Failure:
    """A model that cannot be used, and why."""

    kind: ClassVar = Kind.FAILURE

    diagnostics: tuple[Diagnostic, ...]
    file: str = ""


@final
@dataclass(frozen=True, slots=True)
class Stopped:
    """A limit was reached in some ``phase`` before there was anything to show."""

    kind: ClassVar = Kind.STOPPED

    limit: str
    phase: str
    message: str
    file: str = ""
    diagnostics: tuple[Diagnostic, ...] = ()


AboutModel: TypeAlias = (
    CheckAnswer | CountAnswer | DetectAnswer | WalkAnswer | PatternAnswer | Written | Failure | Stopped
)
Answer: TypeAlias = "AboutModel | GraphAnswer | Drawing | Page | TablesAnswer | Health"
