"""Members: the single questions that are decided. A claim with parameters is a family of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Generic, TypeVar, assert_never, final

from burnside.claims.kinds import Claim, EventClaim, Extreme, InfiniteRuns, StateClaim, is_about_stuttering
from burnside.ir.cells import Cells, State
from burnside.ir.instances import bind, valuations, with_arguments
from burnside.ir.semantics import evaluate
from burnside.values import dataclass, field

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
        return with_arguments(self._shown, self.claim.parameters, self.arguments)

    @property
    def _shown(self) -> str:
        """In backquotes, as in a text, if it could be taken for that of a member of a family."""
        return f"`{self.claim.name}`" if "(" in self.claim.name else self.claim.name

    @property
    def values(self) -> dict[str, int]:
        """The values of the parameters by name."""
        return bind(self.claim.parameters, self.arguments)


def members_of(claims: Iterable[C]) -> Iterator[Member[C]]:
    """Every member of every claim, in order."""
    for claim in claims:
        for arguments in valuations(claim.parameters):
            yield Member(claim, arguments)


@final
@dataclass(frozen=True, slots=True)
class Ways:
    """Members by the way in which they are decided, each in order."""

    states: list[Member[StateClaim]] = field(default_factory=list)
    extremes: list[Member[Extreme]] = field(default_factory=list)
    events: list[Member[EventClaim]] = field(default_factory=list)
    runs: list[Member[InfiniteRuns]] = field(default_factory=list)


def by_way(members: Iterable[Member[Claim]]) -> Ways:
    """No member is left out: a kind of claim that nothing decides does not type-check."""
    ways = Ways()
    for member in members:
        claim, arguments = member.claim, member.arguments
        if isinstance(claim, StateClaim):
            ways.states.append(Member(claim, arguments))
        elif isinstance(claim, EventClaim):
            ways.events.append(Member(claim, arguments))
        elif isinstance(claim, Extreme):
            ways.extremes.append(Member(claim, arguments))
        elif isinstance(claim, InfiniteRuns):
            ways.runs.append(Member(claim, arguments))
        else:
            assert_never(claim)
    return ways


def about_states(members: Iterable[Member[Claim]]) -> tuple[Member[StateClaim], ...]:
    """Those of some members that are about single states."""
    return tuple(by_way(members).states)


def is_decided_in(cells: Cells, member: Member[StateClaim], state: State, *, is_deadlock: bool, is_still: bool) -> bool:
    """Whether a state violates what a claim says of all states, or is one that it asks for. A deadlock is one in which
    nothing can happen, ``is_still`` one in which nothing can change; neither is terminal.
    """
    if member.claim.is_about_deadlock:
        return is_still if is_about_stuttering(member.claim) else is_deadlock
    return bool(evaluate(cells, member.claim.sought, state, member.values))
