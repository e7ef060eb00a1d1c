"""What symmetries are asked to keep, as values: no name that a user chooses can be taken for something else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import NamedTuple, assert_never, final

from burnside.claims import kinds
from burnside.claims.kinds import Claim, EventTest, InfiniteRuns, StateClaim
from burnside.claims.members import Member
from burnside.ir.nodes import Const, Expr, Model
from burnside.source import Diagnostic, ModelError
from burnside.values import dataclass


class Subject(Enum):
    """What a condition is about."""

    PROPERTY = "property"
    TERMINAL = "the terminal states"
    ATOM = "condition"
    PROCESS = "the processes that act"
    INITIALLY = "the conditions on initial states"


@final
@dataclass(frozen=True, slots=True)
class Family:
    """Conditions that symmetries may exchange with one another: members of a property's family, for instance.

    ``names`` tell subjects apart of which there are several.
    """

    subject: Subject
    names: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.subject.value} '{': '.join(self.names)}'" if self.names else self.subject.value


class Required(NamedTuple):
    """A condition to be kept, with the values of the names bound in it."""

    family: Family
    condition: Expr
    names: Mapping[str, int]


def required_for_states(model: Model, members: Sequence[Member[StateClaim]]) -> tuple[Required, ...]:
    """What symmetries must keep so that claims can be decided, and deadlocks counted, on the quotient: first what the
    claims ask for, one by one.
    """
    kept = [required for member in members for required in required_by(model, member)]
    terminal = _terminal(model)
    return tuple(kept) if terminal in kept or isinstance(model.terminal, Const) else (*kept, terminal)


def required_by(model: Model, member: Member[Claim]) -> tuple[Required, ...]:
    """What symmetries must keep so that they keep a claim."""
    claim = member.claim
    match claim:
        case kinds.Invariant() | kinds.Reachable():
            return (Required(Family(Subject.PROPERTY, (claim.name,)), claim.sought, member.values),)
        case kinds.DeadlockFree():
            return (_terminal(model),)
        case InfiniteRuns():
            return tuple(_required_atom(claim, name, atom, member.values) for name, atom in claim.atoms)
        case kinds.Extreme():
            raise _not_alone(claim, "asks for a value")
        case kinds.DivergenceFree() | kinds.Deterministic() | kinds.Refinement():
            raise _not_alone(claim, "speaks of events")
        case _:
            assert_never(claim)


def _terminal(model: Model) -> Required:
    return Required(Family(Subject.TERMINAL), model.terminal, {})


def _required_atom(claim: InfiniteRuns, name: str, atom: Expr | EventTest, values: Mapping[str, int]) -> Required:
    if isinstance(atom, EventTest):
        raise _not_alone(claim, "speaks of events")
    return Required(Family(Subject.ATOM, (claim.name, name)), atom, values)


def _not_alone(claim: Claim, what: str) -> ModelError:
    message = f"'{claim.name}' {what}, and symmetries that keep those are found by 'check' only"
    return ModelError([Diagnostic("BUR901", message, claim.span)])
