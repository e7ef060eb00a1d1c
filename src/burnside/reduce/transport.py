"""Group elements that take one state to another: what traces of the quotient are lifted with.

Factors that sorting takes care of are sorted; for the others, a plain walk of the stabiliser DAG keeps, for each
candidate, an element leading to it. None of this is the code that finds representatives in C.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cached_property
from typing import TypeAlias, final

from burnside.groups import Perm
from burnside.groups.perm import compose, inverse
from burnside.ir.cells import State
from burnside.reduce.action import Action
from burnside.reduce.chain import Branch, Compare, StabiliserDag, build_dag
from burnside.reduce.sorting import Sorting, arrange, sorting

Image: TypeAlias = tuple[int, ...]  # a literal per position


@final
class Transport:
    """Canonical images of states under an action, with the elements that lead to them."""

    def __init__(self, action: Action) -> None:
        self._action = action
        self._points = len(action.values) + action.followed
        self._numbers = {(action.positions[action.position_of[k]], value): k for k, value in enumerate(action.values)}

    @cached_property
    def _sorting(self) -> Sorting:
        # Points that are followed want the very elements that C composes; sorting does not keep them.
        return Sorting((), self._action.group) if self._action.followed else sorting(self._action.group)

    @cached_property
    def _dag(self) -> StabiliserDag:
        return build_dag(replace(self._action, group=self._sorting.rest))

    def element(self, source: State, target: State) -> Perm | None:
        """An element that takes ``source`` to ``target``; None if they are in different orbits."""
        if any(source[c] != target[c] for c in range(len(source)) if c not in set(self._action.positions)):
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

    def canonical(self, image: Image) -> tuple[Image, Perm]:
        """The representative of an image's orbit, and an element that takes the image there."""
        moves: dict[int, int] = {}
        for tree in self._sorting.trees:
            moves |= arrange(tree, image)[1]
        perm = tuple(moves.get(p, p) for p in range(self._points))
        candidates = {_apply(self._action, perm, image): perm}
        node = self._dag.nodes[0]
        while isinstance(node, Branch | Compare):
            if isinstance(node, Compare):
                candidates = _keep_least(candidates, node.positions)
                node = self._dag.nodes[node.next]
            else:
                value, candidates = self._step(node, candidates)
                node = self._dag.nodes[node.children[value]]
        candidates = _keep_least(candidates, node.positions)
        return next(iter(candidates.items()))

    def _step(self, node: Branch, candidates: dict[Image, Perm]) -> tuple[int, dict[Image, Perm]]:
        least = min(node.value[image[k]] for image in candidates for k in node.sources)
        moved: dict[Image, Perm] = {}
        for image, perm in candidates.items():
            for k in node.sources:
                if node.value[image[k]] == least:
                    element = self._dag.elements[node.element[image[k]]]
                    moved.setdefault(_apply(self._action, element, image), compose(perm, element))
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
