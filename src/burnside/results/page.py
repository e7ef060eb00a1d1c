"""What a page is made of: the values that the other stages give, and nothing that depends on time or machine."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar, Final, final

from burnside.ir.cells import State
from burnside.results.answers import Kind
from burnside.results.findings import CheckReport
from burnside.results.graph import Explored
from burnside.source import Source
from burnside.values import dataclass

if TYPE_CHECKING:  # a page is spoken of before anything is detected
    from burnside.actors.compare import ActorReport
    from burnside.results.detection import DetectReport

MOST_STATES: Final = 300_000  # that are explored to compare sizes
MOST_DOTS: Final = 800  # states in a picture


@final
@dataclass(frozen=True)
class Part:
    """All about one process of a text (most texts have one): what was decided, and the symmetries that were used for
    it, beside all that the model has, with what costs symmetry (``symmetries``). ``quotient`` has all states if there
    is no symmetry; else ``orbit_of`` numbers the orbits of states, unless there are too many to be drawn.
    """

    check: CheckReport
    detection: DetectReport
    symmetries: DetectReport
    quotient: Explored
    whole: Explored | None = None
    orbit_of: Callable[[State], int] | None = None
    actors: ActorReport | None = None

    @property
    def is_reduced(self) -> bool:
        """Whether there is symmetry."""
        return self.detection.detection.symmetry.order > 1

    @property
    def all_states(self) -> int | None:
        """How many states there are without symmetry, if all were found; in very large groups that is not known."""
        if not self.is_reduced:
            return self.quotient.exploration.states
        return (
            self.whole.exploration.states if self.whole and self.whole.graph else self.quotient.exploration.full_states
        )


@final
@dataclass(frozen=True)
class Page:
    """A report: the text it is about, what was asked, the answers, and the commands that give them again."""

    kind: ClassVar = Kind.PAGE

    title: str
    sources: tuple[Source, ...]
    asked: tuple[tuple[str, str], ...]
    parts: tuple[Part, ...]
    commands: tuple[tuple[str, str], ...]
    version: str
    has_times: bool = False
