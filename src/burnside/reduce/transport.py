"""Group elements that take one state to another: what traces of the quotient are lifted with.

The steps of a reduction in Python, each keeping the element that it moves a state by. None of this is the code that
finds representatives in C.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias, assert_never, final

from burnside.groups import Perm
from burnside.groups.perm import compose, identity, inverse
from burnside.ir.cells import State
from burnside.reduce.action import Action
from burnside.reduce.chain import Branch, Compare, StabiliserDag
from burnside.reduce.plan import Chain, Images, LocalSearch, Reduction, Sort, Step
from burnside.reduce.sorting import arrange

Image: TypeAlias = tuple[int, ...]  # a literal per position
Moved: TypeAlias = tuple[Image, Perm]  # an image, and an element that leads to it


@final
class Transport:
    """Representatives of states under a reduction, with the elements that lead to them.

    They are canonical if the reduction is exact. Where processes are followed, the elements are those that C composes.
    """

    def __init__(self, reduction: Reduction) -> None:
        self._steps = reduction.steps
        self._action = action = reduction.action
        self._points = len(action.values) + action.followed
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
        for literal in _apply(self._action, perm, self.image(state)):
            after[self._action.positions[self._action.position_of[literal]]] = self._action.values[literal]
        return tuple(after)

    def canonical(self, image: Image) -> Moved:
        """The representative of an image, and an element that takes the image there."""
        moved = image, identity(self._points)
        for step in self._steps:
            moved = self._take(step, *moved)
        return moved

    def _take(self, step: Step, image: Image, perm: Perm) -> Moved:
        match step:
            case Sort(trees=trees):
                moves = {p: q for tree in trees for p, q in arrange(tree, image)[1].items()}
                return self._moved(image, perm, tuple(moves.get(p, p) for p in range(self._points)))
            case Images(elements=elements):
                return min((image, perm), *(self._moved(image, perm, e) for e in elements))
            case Chain(dag=dag):
                return self._walk(dag, image, perm)
            case LocalSearch():
                return self._improve(image, perm)
            case _:
                assert_never(step)

    def _moved(self, image: Image, perm: Perm, element: Perm) -> Moved:
        return _apply(self._action, element, image), compose(perm, element)

    def _improve(self, image: Image, perm: Perm) -> Moved:
        """The least image under the generators, again and again until nothing improves."""
        while True:
            nearby = [self._moved(image, perm, g) for g in self._action.group.generators]
            least = min(nearby, key=lambda moved: moved[0])
            if least[0] >= image:
                return image, perm
            image, perm = least

    def _walk(self, dag: StabiliserDag, image: Image, perm: Perm) -> Moved:
        candidates = {image: perm}
        node = dag.nodes[0]
        while isinstance(node, Branch | Compare):
            if isinstance(node, Compare):
                candidates = _keep_least(candidates, node.positions)
                node = dag.nodes[node.next]
            else:
                value, candidates = self._branch(dag, node, candidates)
                node = dag.nodes[node.children[value]]
        candidates = _keep_least(candidates, node.positions)
        return next(iter(candidates.items()))

    def _branch(self, dag: StabiliserDag, node: Branch, candidates: dict[Image, Perm]) -> tuple[int, dict[Image, Perm]]:
        least = min(node.value[image[k]] for image in candidates for k in node.sources)
        moved: dict[Image, Perm] = {}
        for image, perm in candidates.items():
            for k in node.sources:
                if node.value[image[k]] == least:
                    after, element = self._moved(image, perm, dag.elements[node.element[image[k]]])
                    moved.setdefault(after, element)
        return least, moved


def _apply(action: Action, element: Perm, image: Image) -> Image:
    after = [0] * len(image)
    for literal in image:
        after[action.position_of[element[literal]]] = element[literal]
    return tuple(after)


def _keep_least(candidates: dict[Image, Perm], positions: Iterable[int]) -> dict[Image, Perm]:
    for k in positions:
        least = min(image[k] for image in candidates)
        candidates = {image: perm for image, perm in candidates.items() if image[k] == least}
    return candidates
