"""What of a state claims look at, and all that a task evaluates."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from burnside.claims import kinds
from burnside.claims.kinds import Claim, EventTest
from burnside.claims.task import Task
from burnside.ir.ids import places
from burnside.ir.nodes import Expr
from burnside.ir.uses import evaluated_in
from burnside.ir.walk import statements


def expressions_in(task: Task) -> Iterator[Expr]:
    """What rules and claims evaluate, and the places that rules write; the rules first."""
    yield from (*task.model.initially, task.model.terminal)
    for rule in task.model.programs:
        yield from evaluated_in(rule)
        for statement in statements(rule.body):
            yield from places(statement)
    for claim in task.claims:
        yield from expressions_of(claim)


def conditions_of(claim: Claim) -> Iterator[Expr]:
    """The expressions of a claim that are evaluated in states."""
    match claim:
        case kinds.Invariant(condition=condition) | kinds.Reachable(condition=condition):
            yield condition
        case kinds.Extreme(condition=condition, value=value):
            yield condition
            yield value
        case kinds.InfiniteRuns(atoms=atoms):
            yield from (atom for _, atom in atoms if not isinstance(atom, EventTest))
        case kinds.DeadlockFree() | kinds.DivergenceFree() | kinds.Deterministic() | kinds.Refinement():
            pass
        case _:
            assert_never(claim)


def event_tests_of(claim: Claim) -> Iterator[EventTest]:
    """The events that a formula asks for."""
    if isinstance(claim, kinds.InfiniteRuns):
        yield from (atom for _, atom in claim.atoms if isinstance(atom, EventTest))


def expressions_of(claim: Claim) -> Iterator[Expr]:
    """All expressions of a claim, those that events are compared with included."""
    yield from conditions_of(claim)
    for test in event_tests_of(claim):
        yield from (argument for argument in test.arguments or () if argument is not None)
