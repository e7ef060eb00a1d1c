"""What can be asked about a model: one closed union of claims, and tasks that hold them."""

from burnside.claims.kinds import (
    Atom,
    Claim,
    DeadlockFree,
    Deterministic,
    DivergenceFree,
    EventClaim,
    EventTest,
    Extreme,
    Fairness,
    InfiniteRuns,
    Invariant,
    Reachable,
    Refinement,
    Semantics,
    Specification,
    StateClaim,
)
from burnside.claims.members import Member, members_of
from burnside.claims.task import Task

__all__ = [
    "Atom",
    "Claim",
    "DeadlockFree",
    "Deterministic",
    "DivergenceFree",
    "EventClaim",
    "EventTest",
    "Extreme",
    "Fairness",
    "InfiniteRuns",
    "Invariant",
    "Member",
    "Reachable",
    "Refinement",
    "Semantics",
    "Specification",
    "StateClaim",
    "Task",
    "members_of",
]
