"""Group elements that take one state to another: what traces of the quotient are lifted with.

The steps of a reduction in Python, each with the element that it moves a state by. None of this is the code that
finds representatives in C.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, final

from burnside.groups import Perm
from burnside.groups.perm import compose, identity, inverse
from burnside.ir.cells import State
from burnside.reduce.symmetry.action import Image
from burnside.reduce.symmetry.strategy import Moved

if TYPE_CHECKING:
    from burnside.reduce.symmetry.reduction import SymmetryReduction


@final
class Transport:
    """Representatives of states under a reduction, with the elements that lead to them.

    They are canonical if the reduction is exact. Where processes are followed, the elements are those that C composes.
    """

    def __init__(self, reduction: SymmetryReduction) -> None:
        self._steps = reduction.steps
        self._action = action = reduction.action
        self._numbers = {(action.positions[action.position_of[k]], value): k for k, value in enumerate(action.values)}

    def element(self, source: State, target: State) -> Perm | None:
        """An element that takes ``source`` to ``target``; None if they have different representatives."""
        moved = set(self._action.positions)
        if any(source[c] != target[c] for c in range(len(source)) if c not in moved):
            return None
        (one, there), (other, here) = self.canonical(self.image(source)), self.canonical(self.image(target))
        return compose(there, inverse(here)) if one == other else None

    def image(self, state: State) -> Image:
        """The literals of a state at the moved positions."""
        return tuple(self._numbers[c, state[c]] for c in self._action.positions)

    def move(self, perm: Perm, state: State) -> State:
        """The image of a whole state."""
        after = list(state)
        for literal in self._action.apply(perm, self.image(state)):
            after[self._action.positions[self._action.position_of[literal]]] = self._action.values[literal]
        return tuple(after)

    def canonical(self, image: Image) -> Moved:
        """The representative of an image, and an element that takes the image there."""
        perm = identity(self._action.group.degree)
        for step in self._steps:
            image, element = step.representative(image)
            perm = compose(perm, element)
        return image, perm
