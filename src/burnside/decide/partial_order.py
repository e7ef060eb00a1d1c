"""Exploring with partial order: some orders of independent steps, on the quotient if there are symmetries."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeAlias

from burnside.claims.kinds import StateClaim, is_about_stuttering
from burnside.claims.members import Member
from burnside.claims.requirements import required_for_states
from burnside.decide.modes import Mode
from burnside.decide.quotient import compare_with_plain, shortest_runs
from burnside.decide.workbench import Workbench
from burnside.explore.native import run as native
from burnside.reduce.partial_order.plan import Unsuited, plan_steps
from burnside.reduce.symmetry.carry import orbits_of
from burnside.results.exploration import Exploration, Stop
from burnside.results.reductions import PartialOrderUsed, SymmetryUsed

if TYPE_CHECKING:
    from burnside.decide.quotient import Quotient
    from burnside.reduce.partial_order.reduction import PartialOrderReduction

Explored: TypeAlias = tuple[Exploration, SymmetryUsed, PartialOrderUsed]


def explore_in_some_orders(bench: Workbench, members: Sequence[Member[StateClaim]], mode: Mode) -> Explored | str:
    """Explore until all claims are decided; or why that cannot be done in this way.

    After a fault, what is decided before it depends on distances, which are not kept.
    """
    quotient = None if mode is Mode.NONE else bench.quotient(members, multi=mode is Mode.MULTI)
    symmetric = quotient if quotient is not None and quotient.reduction is not None else None
    try:
        reduction = plan_orders(bench, members, symmetric)
    except Unsuited as reason:
        return str(reason)
    found = explored(bench, members, symmetric, reduction, bench.options)
    if found.stop is Stop.FAULT:
        return "something faults, and the way to it should be a shortest one"
    return found, SymmetryUsed() if quotient is None else quotient.used, used_orders(reduction)


def used_orders(reduction: PartialOrderReduction) -> PartialOrderUsed:
    """What the report says about it."""
    return PartialOrderUsed(reduction.reason, len(reduction.sets.steps), reduction.keeps_distances)


def plan_orders(
    bench: Workbench,
    members: Sequence[Member[StateClaim]],
    quotient: Quotient | None,
    checkpoint: Callable[[], None] | None = None,
) -> PartialOrderReduction:
    """The reduction for some claims, of the model or of its quotient; `Unsuited` if there is none."""
    if any(is_about_stuttering(member.claim) for member in members):
        raise Unsuited("whether anything can change is a question about all steps")
    required = required_for_states(bench.model, members)
    constraints, pruned = bench.symmetries().constrained(required)
    goals = [k for k, member in enumerate(members) if not member.claim.is_about_deadlock]
    orbits = None
    if quotient is not None:
        orbits = orbits_of(len(members), quotient.detection.symmetry.exchanges)
    return plan_steps(constraints, pruned, goals, orbits, checkpoint=checkpoint)


def explored(
    bench: Workbench,
    members: Sequence[Member[StateClaim]],
    quotient: Quotient | None,
    reduction: PartialOrderReduction,
    options: native.SearchOptions,
    overtaken: native.Overtaken | None = None,
    *,
    has_many_states: bool = False,
) -> Exploration:
    """Explore with the reduction, also by symmetries if there is a quotient, until all claims are decided."""
    watch = None if has_many_states else bench.watch
    if quotient is not None:
        return quotient.explore(options, watch, overtaken, reduction, has_many_states=has_many_states)
    found = native.explore(
        bench.model,
        members,
        reductions=(reduction,),
        options=options,
        watch=watch,
        overtaken=overtaken,
        has_many_states=has_many_states,
    )
    if found.plain is not None:
        has_lengths = shortest_runs(members, options, reduction)
        compare_with_plain(found, found.plain, has_lengths=has_lengths, has_levels=False)
    return found
