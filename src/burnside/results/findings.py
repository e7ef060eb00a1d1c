"""What was found about claims: one kind of finding for each way of deciding, each with the claim it is about."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import TypeAlias, final

from burnside.claims.kinds import EventClaim, Extreme, Fairness, InfiniteRuns, StateClaim
from burnside.claims.members import Member
from burnside.claims.task import Simplification
from burnside.ir.nodes import Model
from burnside.ir.semantics import Fault
from burnside.results.exploration import Exploration
from burnside.results.reasons import Reasons
from burnside.results.reductions import PartialOrderUsed, ReductionUsed, SlicingUsed, SymmetryUsed
from burnside.results.trace import Trace
from burnside.values import dataclass


class Verdict(Enum):
    """What is known of a claim; unless two states share a fingerprint, if that is all there was of them."""

    HOLDS = "holds"
    VIOLATED = "violated"
    UNKNOWN = "unknown"
    UNLESS_COLLISION = "holds-unless-collision"

    @staticmethod
    def of(holds: bool | None) -> Verdict:
        """The verdict for what is known; None is nothing."""
        return Verdict.UNKNOWN if holds is None else Verdict.HOLDS if holds else Verdict.VIOLATED

    @staticmethod
    def of_all_states(*, holds: bool, is_exact: bool) -> Verdict:
        """The verdict after a complete search; where it may have left states out, nothing is violated by having no
        state.
        """
        if is_exact:
            return Verdict.of(holds)
        return Verdict.UNLESS_COLLISION if holds else Verdict.UNKNOWN


@final
@dataclass(frozen=True, slots=True)
class CountReport:
    """The figures of a state space; ``fault`` leads to a state where the model could not go on."""

    model: Model
    exploration: Exploration
    symmetry: SymmetryUsed
    fault: Trace | None = None
    partial_order: PartialOrderUsed | None = None
    slicing: SlicingUsed | None = None
    simplification: Simplification | None = None

    @property
    def depth(self) -> int | None:
        """The greatest distance found: a search that ends because all is decided has explored one level less."""
        found = self.exploration
        if found.depth is None:
            return None
        return max(found.depth, *(len(path) - 1 for path in found.witnesses if path), 0)

    @property
    def reductions(self) -> tuple[ReductionUsed, ...]:
        """Every reduction that was used."""
        return tuple(self._reductions())

    def _reductions(self) -> Iterator[ReductionUsed]:
        used, steps = self.symmetry, self.partial_order
        if used.is_used:
            figures = {"order": used.order, "strategy": used.strategy, "full_states": self.exploration.full_states}
            yield ReductionUsed("symmetry", used.reason, figures)
        if steps is not None and steps.is_used:
            known = {"steps": steps.steps, "shortest": steps.keeps_distances}
            yield ReductionUsed("partial-order", steps.reason, known)
        if self.slicing is not None and self.slicing.is_used:
            left_out: dict[str, int | str | list[str] | None] = {
                "variables": [*self.slicing.variables],
                "cells": self.slicing.cells,
            }
            yield ReductionUsed("slicing", self.slicing.reason, left_out)
        if (less := self.simplification) is not None:
            sizes = {"places": less.places, "of_places": less.of_places, "joined": less.joined}
            sizes |= {"transitions": less.transitions, "of_transitions": less.of_transitions}
            yield ReductionUsed("simplification", less.reason, sizes)


# ---------------------------------------------------------------- findings


@final
@dataclass(frozen=True, slots=True)
class Likewise:
    """A run that is that of another member of the family with things renamed, in words: 'exchange P 0 and 1'."""

    member: Member[StateClaim]
    renaming: str


@final
@dataclass(frozen=True, slots=True)
class StateFinding:
    """An invariant, a condition to be reached, or freedom from deadlock, with a run that decides it, if one does, and
    the reasons why its last state does; ``likewise`` says that the run is another one renamed.
    """

    member: Member[StateClaim]
    verdict: Verdict
    trace: Trace | None = None
    likewise: Likewise | None = None
    reasons: Reasons | None = None


@final
@dataclass(frozen=True, slots=True)
class ExtremeFinding:
    """The least or greatest value with which a condition is reached, and a run to it.

    A ``reason`` says what is known if a limit came before the end.
    """

    member: Member[Extreme]
    verdict: Verdict
    trace: Trace | None = None
    value: int | None = None
    reason: str = ""


@final
@dataclass(frozen=True, slots=True)
class RunsFinding:
    """A claim about infinite runs has a ``search`` of its own, unless a fault came first, and is violated by a trace
    whose steps after the first ``loop`` repeat for ever. ``fairness`` is what was assumed; ``decided_by`` is a member
    of the family that this one follows from by symmetry.
    """

    member: Member[InfiniteRuns]
    verdict: Verdict
    fairness: Fairness = Fairness.NONE
    trace: Trace | None = None
    loop: int | None = None
    search: CountReport | None = None
    decided_by: Member[InfiniteRuns] | None = None


@final
@dataclass(frozen=True, slots=True)
class EventsFinding:
    """A claim about events has a ``reason`` if it is violated, perhaps a ``loop`` (from its last state the trace goes
    back to the one after that many steps) and a ``contrast``, a trace with the same visible events that goes on
    differently. ``fault`` is one of the specification.
    """

    member: Member[EventClaim]
    verdict: Verdict
    reason: str = ""
    trace: Trace | None = None
    loop: int | None = None
    contrast: Trace | None = None
    fault: Fault | None = None


Finding: TypeAlias = StateFinding | ExtremeFinding | RunsFinding | EventsFinding


# ---------------------------------------------------------------- all together


@final
@dataclass(frozen=True, slots=True)
class CheckReport:
    """What was found about one process, and the figures of the exploration that found it.

    ``process`` names it if a text asks about several. ``labelled`` has the figures of the search for claims about
    events if that was another one.
    """

    count: CountReport
    findings: tuple[Finding, ...]
    process: str = ""
    labelled: Exploration | None = None

    def full_name(self, finding: Finding) -> str:
        """The name of a claim, told apart from those about other processes."""
        name = finding.member.name
        return f"{self.process}.{name}" if self.process else name
