"""Searching without the variables that nothing depends on; what is found there is told of the whole model.

A slice is made for what one search is to decide: for several claims, without what none of them needs. Its states are
those of the model with some cells left out, and rules fire and fault in it as they do in the model, so verdicts and
lengths of shortest runs are the same (docs/theory/slicing.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TypeVar, final

from burnside.claims.conditions import conditions_of, event_tests_of
from burnside.claims.kinds import Claim, EventClaim, Fairness, InfiniteRuns, StateClaim, is_about_stuttering
from burnside.claims.members import Member
from burnside.decide.modes import Mode
from burnside.decide.workbench import Workbench
from burnside.explore.native import run as native
from burnside.explore.restore import Restoring
from burnside.reduce.slicing.cone import Needs
from burnside.reduce.slicing.cut import Slice, slice_model
from burnside.reduce.slicing.self_test import LONG, SHORT, confirm_slice
from burnside.results.exploration import Stop
from burnside.results.findings import CountReport, ExtremeFinding, RunsFinding, StateFinding
from burnside.results.reductions import SlicingUsed
from burnside.values import replace

F = TypeVar("F", StateFinding, ExtremeFinding)


@final
class Sliced:
    """A workbench for what a search needs of a model, and the way back to the whole of it."""

    def __init__(self, whole: Workbench, cut: Slice | None, used: SlicingUsed | None) -> None:
        self.whole = whole
        self.used = used
        self._cut = cut
        self.bench = whole if cut is None else whole.on(cut.model)

    @property
    def is_whole(self) -> bool:
        """Whether nothing was left out."""
        return self._cut is None

    @cached_property
    def _restoring(self) -> Restoring:
        assert self._cut is not None
        return Restoring(self._cut)

    def report(self, found: CountReport, members: Sequence[Member[StateClaim]] = ()) -> CountReport:
        """The figures of a search, with the run to a fault of the model or of one of some claims."""
        if self.is_whole:
            return replace(found, slicing=self.used)
        fault = None if found.fault is None else self._restoring.trace(found.fault, members)
        return replace(found, model=self.whole.model, fault=fault, slicing=self.used)

    def confirmed(self, found: CountReport, members: Sequence[Member[StateClaim]]) -> CountReport:
        """The same if the search with all variables says the same, where such a search is asked for."""
        stops = (Stop.COMPLETE, Stop.DECIDED)
        if self.is_whole or not self.whole.options.verify or found.exploration.stop not in stops:
            return found
        from burnside.decide.quotient import compare_with_plain

        options = replace(self.whole.options, checkpoint=None)
        plain = native.explore(self.whole.model, members, options=options, watch=self.whole.watch)
        orders = found.partial_order
        is_breadth = not options.depth_first
        has_lengths = [is_breadth and (not (orders and orders.is_used) or m.claim.is_about_deadlock) for m in members]
        # Distances and numbers of states are those of fewer states.
        compare_with_plain(replace(found.exploration, full_states=None, depth=None), plain, has_lengths=has_lengths)
        confirmed = None if plain.stop.is_limit else plain.states
        return replace(found, slicing=found.slicing and replace(found.slicing, confirmed=confirmed))

    def finding(self, found: F) -> F:
        """What was found, with its run as one of the whole model."""
        if self.is_whole or found.trace is None:
            return found
        restored = replace(found, trace=self._restoring.trace(found.trace))
        if isinstance(restored, StateFinding) and restored.likewise is not None and self.used is not None:
            # The runs are the same up to renaming in what was searched.
            renaming = f"{restored.likewise.renaming}, apart from {', '.join(self.used.variables)},"
            return replace(restored, likewise=replace(restored.likewise, renaming=renaming))
        return restored

    def run_finding(self, found: RunsFinding) -> RunsFinding | None:
        """The same for an infinite run; None if it is a long one because of what was left out."""
        search = None if found.search is None else self.report(found.search)
        if self.is_whole or found.trace is None or found.loop is None:
            return replace(found, search=search)
        run = self._restoring.lasso(found.trace, found.loop)
        return None if run is None else replace(found, search=search, trace=run[0], loop=run[1])


def sliced(bench: Workbench, members: Sequence[Member[Claim]], mode: Mode, fairness: Fairness | None = None) -> Sliced:
    """A model without what no rule and none of some claims needs, if that is asked for; ``fairness`` is assumed instead
    of what claims say.
    """
    if not bench.options.slices:
        return Sliced(bench, None, None)
    claims = [*dict.fromkeys(member.claim for member in members)]
    cut = slice_model(bench.model, needs_of(claims, fairness))
    if cut is None:
        return Sliced(bench, None, None)
    obstacle = _obstacle(claims, mode, fairness)
    used = SlicingUsed(cut.left_out, cut.cells_left_out, obstacle)
    if obstacle:
        return Sliced(bench, None, used)
    confirm_slice(cut, LONG if bench.options.self_test else SHORT)
    return Sliced(bench, cut, used)


def needs_of(claims: Sequence[Claim], fairness: Fairness | None) -> Needs:
    """What has to be seen of a model to decide some claims."""
    conditions = tuple(condition for claim in claims for condition in conditions_of(claim))
    return Needs(conditions, any(_looks_at_events(claim, fairness) for claim in claims))


def _looks_at_events(claim: Claim, fairness: Fairness | None) -> bool:
    if isinstance(claim, InfiniteRuns):
        return (fairness or claim.fairness).is_of_events or any(True for _ in event_tests_of(claim))
    return isinstance(claim, EventClaim)


def _obstacle(claims: Sequence[Claim], mode: Mode, fairness: Fairness | None) -> str:
    """Why a search looks at all variables, if it does."""
    if mode is Mode.ADAPTIVE:
        return "the adaptive search looks at all variables"
    if any(map(is_about_stuttering, claims)):
        return "a step that changes a variable is no stuttering, whatever depends on it"
    if any(isinstance(claim, EventClaim) for claim in claims):
        return "claims about events are checked with all variables"
    if any(isinstance(c, InfiniteRuns) and (fairness or c.fairness) is Fairness.GLOBAL for c in claims):
        return "global fairness is about every step of every state, told apart by all variables"
    return ""
