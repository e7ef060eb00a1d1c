"""What Burnside tells its user, as values; ``text`` and ``json`` render them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import final

from burnside.explore.result import Exploration
from burnside.explore.trace import Trace
from burnside.ir.nodes import Model, PropertyKind


class Verdict(Enum):
    """What is known of a claim."""

    HOLDS = "holds"
    VIOLATED = "violated"
    UNKNOWN = "unknown"


@final
@dataclass(frozen=True, slots=True)
class Symmetry:
    """Which symmetry an exploration used, and why; ``lost`` is the factor that the properties cost."""

    mode: str = "none"
    order: int = 1
    strategy: str | None = None
    reason: str = ""
    lost: int = 1


@final
@dataclass(frozen=True, slots=True)
class ClaimReport:
    """The verdict on a claim, with a trace that shows it where one state does."""

    name: str
    kind: PropertyKind
    verdict: Verdict
    trace: Trace | None = None


@final
@dataclass(frozen=True, slots=True)
class CountReport:
    """The figures of a state space; ``fault`` leads to a state where the model could not go on."""

    model: Model
    exploration: Exploration
    symmetry: Symmetry
    fault: Trace | None = None


@final
@dataclass(frozen=True, slots=True)
class CheckReport:
    """Verdicts on claims, and the figures of the exploration that found them."""

    count: CountReport
    claims: tuple[ClaimReport, ...]
