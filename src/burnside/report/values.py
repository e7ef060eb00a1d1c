"""What Burnside tells its user, as values; ``text`` and ``json`` render them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import final

from burnside.explore.result import Exploration
from burnside.explore.trace import Trace
from burnside.ir.nodes import Model, PropertyKind
from burnside.ir.semantics import Fault
from burnside.ir.task import BehaviourKind
from burnside.ir.temporal import Fairness, TemporalKind
from burnside.source import Diagnostic


class Verdict(Enum):
    """What is known of a claim."""

    HOLDS = "holds"
    VIOLATED = "violated"
    UNKNOWN = "unknown"


@final
@dataclass(frozen=True, slots=True)
class Symmetry:
    """Which symmetry an exploration used, and why; ``lost`` is the factor that the properties cost.

    ``notes`` is what there is to say about the model that did not stop the exploration.
    """

    mode: str = "none"
    order: int = 1
    strategy: str | None = None
    reason: str = ""
    lost: int = 1
    notes: tuple[Diagnostic, ...] = ()


@final
@dataclass(frozen=True, slots=True)
class ClaimReport:
    """The verdict on a claim, with a trace that shows it where one run does.

    A claim about infinite runs has a ``search`` of its own, is made under ``fairness``, and is violated by a trace
    whose steps after the first ``loop`` repeat for ever; ``decided_by`` is a claim that it follows from by symmetry.
    ``value`` is the least or greatest value asked for, ``is_least`` says which. Claims about events have a ``reason``
    if they are violated, perhaps a ``loop`` (from its last state the trace goes back to the one after that many steps)
    and a ``contrast``, a trace with the same visible events. ``fault`` is one of the specification.
    """

    name: str
    kind: PropertyKind | BehaviourKind | TemporalKind
    verdict: Verdict
    trace: Trace | None = None
    value: int | None = None
    is_least: bool = False
    reason: str = ""
    loop: int | None = None
    contrast: Trace | None = None
    fault: Fault | None = None
    search: CountReport | None = None
    fairness: Fairness = Fairness.NONE
    decided_by: str = ""


@final
@dataclass(frozen=True, slots=True)
class CountReport:
    """The figures of a state space; ``fault`` leads to a state where the model could not go on."""

    model: Model
    exploration: Exploration
    symmetry: Symmetry
    fault: Trace | None = None

    @property
    def depth(self) -> int | None:
        """The greatest distance found: a search that ends because all is decided has explored one level less."""
        found = self.exploration
        if found.depth is None:
            return None
        return max(found.depth, *(len(path) - 1 for path in found.witnesses if path), 0)


@final
@dataclass(frozen=True, slots=True)
class CheckReport:
    """Verdicts on claims about one process, and the figures of the exploration that found them.

    ``process`` names it if a text asks about several. ``labelled`` has the figures of the search for claims about
    events if that was another one.
    """

    count: CountReport
    claims: tuple[ClaimReport, ...]
    process: str = ""
    labelled: Exploration | None = None

    def full_name(self, claim: ClaimReport) -> str:
        """The name of a claim, told apart from those about other processes."""
        return f"{self.process}.{claim.name}" if self.process else claim.name
