"""Members: the single questions that are decided. A claim with parameters is a family of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar, final, get_args

from burnside.claims.kinds import Claim, EventClaim, StateClaim
from burnside.ir.cells import Cells, State
from burnside.ir.instances import bind, valuations
from burnside.ir.semantics import evaluate

C = TypeVar("C", bound=Claim)
C_co = TypeVar("C_co", bound=Claim, covariant=True)


@final
@dataclass(frozen=True, slots=True)
class Member(Generic[C_co]):
    """A claim, and values of its parameters."""

    claim: C_co
    arguments: tuple[int, ...] = ()

    @property
    def name(self) -> str:
        """The claim's name with the values of its parameters: ``safe(2)``."""
        if not self.arguments:
            return self.claim.name
        values = (p.domain.text(a) for p, a in zip(self.claim.parameters, self.arguments, strict=True))
        return f"{self.claim.name}({', '.join(values)})"

    @property
    def values(self) -> dict[str, int]:
        """The values of the parameters by name."""
        return bind(self.claim.parameters, self.arguments)


def members_of(claims: Iterable[C]) -> Iterator[Member[C]]:
    """Every member of every claim, in order."""
    for claim in claims:
        for arguments in valuations(claim.parameters):
            yield Member(claim, arguments)


def of_kind(members: Iterable[Member[Claim]], *kinds: type[C]) -> tuple[Member[C], ...]:
    """Those of some members that are claims of certain kinds, in order."""
    return tuple(Member(m.claim, m.arguments) for m in members if isinstance(m.claim, kinds))


def about_states(members: Iterable[Member[Claim]]) -> tuple[Member[StateClaim], ...]:
    """Those of some members that are about single states."""
    return of_kind(members, *get_args(StateClaim))


def about_events(members: Iterable[Member[Claim]]) -> tuple[Member[EventClaim], ...]:
    """Those of some members that are about events."""
    return of_kind(members, *get_args(EventClaim))


def is_decided_in(cells: Cells, member: Member[StateClaim], state: State, *, is_deadlock: bool) -> bool:
    """Whether a state violates what a claim says of all states, or is one that it asks for."""
    if member.claim.is_about_deadlock:
        return is_deadlock
    return bool(evaluate(cells, member.claim.sought, state, member.values))
