"""Breadth-first search through products that are built as they are visited.

Every question about automata in this package is one search for a bad state, so every "no" comes with the
labels of a shortest path to it: the counterexample a person reads.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

N = TypeVar("N", bound=Hashable)
E = TypeVar("E")

LARGEST_SEARCH = 2_000_000


class TooLarge(Exception):
    """A construction passed its limit on states; products and above all subset constructions may explode."""


class Stopped(Exception):
    """A limit that the user set was reached: ``time`` or ``memory``."""

    def __init__(self, limit: str) -> None:
        super().__init__(f"{limit} is up" if limit == "time" else f"{limit} is used up")
        self.limit = limit


def shortest_path(
    start: N,
    successors: Callable[[N], Iterable[tuple[E, N]]],
    is_goal: Callable[[N], bool],
    *,
    largest: int = LARGEST_SEARCH,
) -> list[E] | None:
    """The labels of a shortest path from ``start`` to a goal, or None if there is none.

    >>> shortest_path(0, lambda n: [("+1", n + 1), ("+3", n + 3)] if n < 9 else [], lambda n: n == 5)
    ['+1', '+1', '+3']
    """
    parents: dict[N, tuple[N, E] | None] = {start: None}
    queue = deque([start])
    while queue:
        node = queue.popleft()
        if is_goal(node):
            return _path(parents, node)
        if len(parents) > largest:
            raise TooLarge
        for label, following in successors(node):
            if following not in parents:
                parents[following] = (node, label)
                queue.append(following)
    return None


def _path(parents: dict[N, tuple[N, E] | None], node: N) -> list[E]:
    labels: list[E] = []
    step = parents[node]
    while step is not None:
        node, label = step
        labels.append(label)
        step = parents[node]
    labels.reverse()
    return labels


def reachable(starts: Iterable[N], successors: Callable[[N], Iterable[N]]) -> list[N]:
    """Every node reachable from ``starts``, in the order of their discovery."""
    found = dict.fromkeys(starts)
    queue = deque(found)
    while queue:
        for following in successors(queue.popleft()):
            if following not in found:
                found[following] = None
                queue.append(following)
    return list(found)
