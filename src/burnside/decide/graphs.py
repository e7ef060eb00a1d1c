"""The explored states as a whole: the graph of a model or of its quotient, and what an exploration covers."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING, final

from burnside.claims.kinds import Reachable, StateClaim
from burnside.claims.members import Member
from burnside.decide.modes import Mode, refuse_uncovering
from burnside.decide.states import count, explore
from burnside.decide.workbench import Workbench
from burnside.explore.native.passes import Covered, explore_covering, explore_graph
from burnside.explore.native.run import SearchOptions
from burnside.ir.build import quantify
from burnside.ir.cells import State
from burnside.ir.instances import valuation_count
from burnside.ir.nodes import Model, Rule
from burnside.results.coverage import Coverage, coverage_of
from burnside.results.exploration import Stop
from burnside.results.findings import CountReport
from burnside.results.graph import Explored, GraphReport
from burnside.results.reductions import SymmetryUsed

if TYPE_CHECKING:  # exploring without symmetry should not wait for the libraries that detection needs
    from burnside.decide.quotient import Quotient
    from burnside.detect.detection import Detection
    from burnside.reduce.symmetry.transport import Transport


# ---------------------------------------------------------------- the graph


def graph(
    bench: Workbench,
    members: Sequence[Member[StateClaim]],
    quotient: Quotient | None = None,
    options: SearchOptions | None = None,
) -> Explored:
    """All states of a model and the steps between them, or one state of every orbit."""
    reductions = quotient.reductions if quotient else ()
    found, states = explore_graph(
        bench.model, members, reductions=reductions, options=options or bench.options, watch=bench.watch
    )
    if states is None:
        return Explored(found, None)
    used = quotient.used if quotient else SymmetryUsed()
    has_sizes = found.full_states is not None
    return Explored(found, GraphReport(bench.model, states, tuple(members), used, has_sizes=has_sizes))


@final
class Orbits:
    """Numbers for the orbits of states: those of the representatives in a graph of the quotient."""

    def __init__(self, quotient: Quotient, representatives: GraphReport) -> None:
        self._quotient = quotient
        states = (representatives.graph.state(k) for k in range(len(representatives.graph)))
        self._numbers = {self._canonical(state): number for number, state in enumerate(states)}

    @cached_property
    def _transport(self) -> Transport | None:
        from burnside.reduce.symmetry.transport import Transport

        reduction = self._quotient.reduction
        return None if reduction is None else Transport(reduction)

    def number(self, state: State) -> int:
        """The number of a state's orbit."""
        return self._numbers[self._canonical(state)]

    def _canonical(self, state: State) -> State:
        # Other representatives than those of the native explorer: what counts is that an orbit has one.
        if self._transport is None:
            return state
        return self._transport.move(self._transport.canonical(self._transport.image(state))[1], state)


# ---------------------------------------------------------------- coverage


def count_covering(bench: Workbench, mode: Mode) -> tuple[CountReport, Coverage | None]:
    """Explore everything and say what that covers; None if the exploration was not complete.

    With symmetry, what representatives cover is made complete: a literal occurs if one of its orbit does, and rules
    that no representative fires are sought among all states. Nobody races here: ``auto`` is ``unique``.
    """
    refuse_uncovering(mode, bench.options)
    model = bench.model
    quotient = None if mode is Mode.NONE else bench.quotient(multi=mode is Mode.MULTI)
    reductions = quotient.reductions if quotient else ()
    found, covered = explore_covering(model, reductions=reductions, options=bench.options, watch=bench.watch)
    if found.stop is Stop.FAULT:
        return count(bench, (), mode), None
    used = quotient.used if quotient else SymmetryUsed()
    report = CountReport(model, found, used, simplification=bench.simplification)
    if covered is None:
        return report, None
    silent = _silent_rules(model, covered)
    if quotient is None or not reductions:
        return report, coverage_of(model, (r.name for r in silent), covered.taken)
    unreachable = _unreachable_rules(bench, silent)
    if unreachable is None:
        return report, None
    return report, coverage_of(model, (r.name for r in unreachable), _closed(quotient.detection, covered))


def _silent_rules(model: Model, covered: Covered) -> list[Rule]:
    """Rules without an instance that fires in an explored state."""
    ends = [*accumulate(valuation_count(r.parameters) for r in model.rules)]
    return [
        r for r, first, end in zip(model.rules, [0, *ends], ends, strict=False) if not any(covered.fired[first:end])
    ]


def _unreachable_rules(bench: Workbench, rules: list[Rule]) -> list[Rule] | None:
    """Those of some rules whose guard is never true; None if that took too much.

    A symmetry may take one rule to another, so a rule that fires in no representative may fire elsewhere. Exploring
    with its guard as a claim uses the symmetries that keep the claim, and so is exact.
    """
    if not rules:
        return rules
    found, _, _ = explore(
        bench,
        [Member(Reachable("fires", quantify("exists", rule.parameters, rule.guard))) for rule in rules],
        Mode.UNIQUE,
    )
    if found.stop not in (Stop.COMPLETE, Stop.DECIDED):
        return None
    return [rule for rule, witness in zip(rules, found.witnesses, strict=True) if witness is None]


def _closed(detection: Detection, covered: Covered) -> list[frozenset[int] | None]:
    """The values that cells take in all states, from those in one state of every orbit."""
    taken = [None if values is None else set(values) for values in covered.taken]
    literals, group = detection.symmetry.literals, detection.symmetry.group
    for orbit in group.orbits:
        points = [(taken[cell], value) for cell, value in (literals.points[p] for p in orbit)]
        if points[0][1] is None:  # cells that move as a whole
            union = set[int]().union(*(values or () for values, _ in points))
            for values, _ in points:
                if values is not None:
                    values |= union
        elif any(values is not None and value in values for values, value in points):
            for values, value in points:
                if values is not None and value is not None:
                    values.add(value)
    return [None if values is None else frozenset(values) for values in taken]
