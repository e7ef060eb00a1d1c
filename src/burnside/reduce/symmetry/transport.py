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
        self._cells = [action.positions[k] for k in action.position_of]
        self._numbers: list[dict[int, int]] = [{} for _ in action.positions]
        for literal, value in enumerate(action.values):
            self._numbers[action.position_of[literal]][value] = literal

    def element(self, source: State, target: State) -> Perm | None:
        """An element that takes ``source`` to ``target``; None if they have different representatives."""
        moved = set(self._action.positions)
        if any(source[c] != target[c] for c in range(len(source)) if c not in moved):
            return None
        (one, there), (other, here) = self.canonical(self.image(source)), self.canonical(self.image(target))
        return compose(there, inverse(here)) if one == other else None

    def image(self, state: State) -> Image:
        """The literals of a state at the moved positions."""
        return tuple([numbers[state[c]] for numbers, c in zip(self._numbers, self._action.positions, strict=True)])

    def move(self, perm: Perm, state: State) -> State:
        """The image of a whole state."""
        after, cells, values = list(state), self._cells, self._action.values
        for literal in self.image(state):
            moved = perm[literal]
            after[cells[moved]] = values[moved]
        return tuple(after)

    def canonical(self, image: Image) -> Moved:
        """The representative of an image, and an element that takes the image there."""
        perm = identity(self._action.group.degree)
        for step in self._steps:
            image, element = step.representative(image)
            perm = compose(perm, element)
        return image, perm
