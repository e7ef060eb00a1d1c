"""The explored states as a whole: the graph of a model or of its quotient, and what an exploration covers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING, final

from burnside import pipeline, quotient
from burnside.explore.claims import Claim
from burnside.explore.native.passes import Covered, explore_covering, explore_graph
from burnside.explore.native.run import SearchOptions, Watcher
from burnside.explore.result import Exploration, Stop
from burnside.ir.cells import State
from burnside.ir.nodes import Expr, Model, Property, PropertyKind, Quantified, Rule
from burnside.ir.semantics import instance_count
from burnside.quotient import Reduced
from burnside.report.coverage import Coverage, coverage_of
from burnside.report.graph import GraphReport
from burnside.report.values import CountReport, Symmetry

if TYPE_CHECKING:  # exploring without symmetry should not wait for the libraries that detection needs
    from burnside.detect.run import Detection
    from burnside.reduce.symmetry.transport import Transport


# ---------------------------------------------------------------- the graph


@final
@dataclass(frozen=True)
class Explored:
    """How an exploration ended, and the graph that it found if it was complete."""

    exploration: Exploration
    report: GraphReport | None


def graph(
    model: Model,
    claims: Sequence[Claim] = (),
    *,
    reduced: Reduced | None = None,
    options: SearchOptions | None = None,
    watch: Watcher | None = None,
) -> Explored:
    """All states of a model and the steps between them, or one state of every orbit."""
    reductions = (reduced.reduction,) if reduced and reduced.reduction else ()
    found, states = explore_graph(model, claims, reductions=reductions, options=options, watch=watch)
    if states is None:
        return Explored(found, None)
    used = reduced.symmetry if reduced else Symmetry()
    return Explored(found, GraphReport(model, states, tuple(claims), used, has_sizes=found.full_states is not None))


@final
class Orbits:
    """Numbers for the orbits of states: those of the representatives in a graph of the quotient."""

    def __init__(self, reduced: Reduced, representatives: GraphReport) -> None:
        self._reduced = reduced
        states = (representatives.graph.state(k) for k in range(len(representatives.graph)))
        self._numbers = {self._canonical(state): number for number, state in enumerate(states)}

    @cached_property
    def _transport(self) -> Transport | None:
        from burnside.reduce.symmetry.transport import Transport

        reduction = self._reduced.reduction
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


def count_covering(
    model: Model, *, symmetry: str = "none", options: SearchOptions | None = None, watch: Watcher | None = None
) -> tuple[CountReport, Coverage | None]:
    """Explore everything and say what that covers; None if the exploration was not complete.

    With symmetry, what representatives cover is made complete: a literal occurs if one of its orbit does, and rules
    that no representative fires are sought among all states.
    """
    options = options or SearchOptions()
    reduced = None if symmetry == "none" else Reduced(model, multi=symmetry == "multi")
    reductions = (reduced.reduction,) if reduced and reduced.reduction else ()
    found, covered = explore_covering(model, reductions=reductions, options=options, watch=watch)
    if found.stop is Stop.FAULT:
        return pipeline.count(model, symmetry=symmetry, options=options, watch=watch), None
    report = CountReport(model, found, reduced.symmetry if reduced else Symmetry())
    if covered is None:
        return report, None
    silent = _silent_rules(model, covered)
    if reduced is None or not reductions:
        return report, coverage_of(model, (r.name for r in silent), covered.taken)
    unreachable = _unreachable_rules(model, silent, options, watch)
    if unreachable is None:
        return report, None
    return report, coverage_of(model, (r.name for r in unreachable), _closed(reduced.detection, covered))


def _silent_rules(model: Model, covered: Covered) -> list[Rule]:
    """Rules without an instance that fires in an explored state."""
    ends = [*accumulate(instance_count(r.parameters) for r in model.rules)]
    return [
        r for r, first, end in zip(model.rules, [0, *ends], ends, strict=False) if not any(covered.fired[first:end])
    ]


def _unreachable_rules(
    model: Model, rules: list[Rule], options: SearchOptions, watch: Watcher | None
) -> list[Rule] | None:
    """Those of some rules whose guard is never true; None if that took too much.

    A symmetry may take one rule to another, so a rule that fires in no representative may fire elsewhere. Exploring
    with its guard as a claim uses the symmetries that keep the claim, and so is exact.
    """
    if not rules:
        return rules
    claims = [Claim(Property("fires", PropertyKind.REACHABLE, _some_instance(rule))) for rule in rules]
    found, _ = quotient.explore(model, claims, "unique", options, watch)
    if found.stop not in (Stop.COMPLETE, Stop.DECIDED):
        return None
    return [rule for rule, witness in zip(rules, found.witnesses, strict=True) if witness is None]


def _some_instance(rule: Rule) -> Expr:
    condition = rule.guard
    for parameter in reversed(rule.parameters):
        condition = Quantified("exists", parameter.name, parameter.domain, condition)
    return condition


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
