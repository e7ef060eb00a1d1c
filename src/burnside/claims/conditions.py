"""What of a state claims look at."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from burnside.claims import kinds
from burnside.claims.kinds import Claim, EventTest
from burnside.ir.nodes import Expr


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
