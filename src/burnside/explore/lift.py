"""Paths of the quotient lifted to runs of the model.

Neighbours on a path of representatives are joined by a transition *up to symmetry*: some successor of the
one lies in the orbit of the other. Following the elements that carry successors to representatives, and
undoing them at the end, gives a run of the model that ends in the last representative itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import final

from burnside.groups import Perm
from burnside.groups.perm import compose, identity, inverse
from burnside.ir.cells import State
from burnside.ir.nodes import Model
from burnside.ir.semantics import Step, successors
from burnside.limits import phase
from burnside.reduce.symmetry.reduction import SymmetryReduction
from burnside.reduce.symmetry.transport import Transport


class LiftError(Exception):
    """A path of the quotient does not lift: a bug in Burnside."""


@final
class Lifting:
    """Follows a run of the quotient; ``element`` takes the representative at hand to the state of the lifted run."""

    def __init__(self, reduction: SymmetryReduction) -> None:
        self.transport = Transport(reduction)
        self.element = identity(len(reduction.action.values) + reduction.action.followed)

    def position(self, representative: State) -> State:
        """The state of the lifted run."""
        return self.transport.move(self.element, representative)

    def turn(self, carry: Perm) -> None:
        """Go on from a successor to its representative; ``carry`` takes the one to the other."""
        self.element = compose(inverse(carry), self.element)


@phase("lifting a run")
def lift_path(model: Model, reduction: SymmetryReduction, path: Sequence[State]) -> tuple[State, ...]:
    """A run of the model through the orbits of a path of representatives, ending in the last one."""
    lifting = Lifting(reduction)
    lifted = [path[0]]
    for here, there in pairwise(path):
        successor, carry = _joining_step(model, lifting.transport, here, there)
        lifted.append(lifting.position(successor))
        lifting.turn(carry)
    back = inverse(lifting.element)
    return tuple(lifting.transport.move(back, state) for state in lifted)


def _joining_step(model: Model, transport: Transport, here: State, there: State) -> tuple[State, Perm]:
    """A successor of ``here`` in the orbit of ``there``, and an element that takes it there."""
    for outcome in successors(model, here):
        if isinstance(outcome, Step):
            carry = transport.element(outcome.state, there)
            if carry is not None:
                return outcome.state, carry
    raise LiftError("two neighbours of a path are not joined by a transition up to symmetry")
