"""Paths of the quotient lifted to runs of the model.

Neighbours on a path of representatives are joined by a transition *up to symmetry*: some successor of the
one lies in the orbit of the other. Following the elements that carry successors to representatives, and
undoing them at the end, gives a run of the model that ends in the last representative itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

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


@phase("lifting a run")
def lift_path(model: Model, reduction: SymmetryReduction, path: Sequence[State]) -> tuple[State, ...]:
    """A run of the model through the orbits of a path of representatives, ending in the last one."""
    transport = Transport(reduction)
    lifted = [path[0]]
    element = identity(len(reduction.action.values))  # takes the representative at hand to the lifted state
    for here, there in pairwise(path):
        successor, carry = _joining_step(model, transport, here, there)
        lifted.append(transport.move(element, successor))
        element = compose(inverse(carry), element)
    back = inverse(element)
    return tuple(transport.move(back, state) for state in lifted)


def _joining_step(model: Model, transport: Transport, here: State, there: State) -> tuple[State, Perm]:
    """A successor of ``here`` in the orbit of ``there``, and an element that takes it there."""
    for outcome in successors(model, here):
        if isinstance(outcome, Step):
            carry = transport.element(outcome.state, there)
            if carry is not None:
                return outcome.state, carry
    raise LiftError("two neighbours of a path are not joined by a transition up to symmetry")
