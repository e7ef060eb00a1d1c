"""Unwinding: the distinct ways to spread the local states of a cell over its parts.

A cell of an annotated state stands for all arrangements of its local states. An edge that tells parts of it apart needs
to know how many processes of each part are in which local state; every such distribution is given once. Bounds keep the
enumeration to those distributions that can matter for the edge.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from burnside.adaptive.profiles import Counts

Limits: TypeAlias = tuple[tuple[tuple[int, ...], ...], tuple[tuple[int, ...], ...]]


def limits_of(most: Sequence[Sequence[int]]) -> Limits:
    """Bounds for every part and local state, with what the parts behind each part can take."""
    return tuple(map(tuple, most)), tuple(map(tuple, _room_behind(most)))


def distributions(counts: Counts, sizes: Sequence[int], bounds: Limits) -> Iterator[tuple[Counts, ...]]:
    """All ways to spread ``counts`` over parts of these sizes, within the bounds.

    >>> for found in distributions(((0, 2), (1, 1)), (1, 2), limits_of([[1, 1], [2, 2]])):
    ...     print(found)
    (((1, 1),), ((0, 2),))
    (((0, 1),), ((0, 1), (1, 1)))
    """
    limits, room = bounds
    values = [local for local, _ in counts]
    for rows in _rows([count for _, count in counts], 0, sizes, limits, room):
        yield tuple([tuple([(v, k) for v, k in zip(values, row, strict=True) if k]) for row in rows])


def _room_behind(limits: Sequence[Sequence[int]]) -> list[list[int]]:
    """For each part, how many processes in each local state the parts behind it can take."""
    room = [[0] * len(limits[0])]
    for row in reversed(limits[1:]):
        room.append([a + b for a, b in zip(room[-1], row, strict=True)])
    return room[::-1]


def _rows(
    left: list[int], part: int, sizes: Sequence[int], limits: Sequence[Sequence[int]], room: Sequence[Sequence[int]]
) -> Iterator[tuple[tuple[int, ...], ...]]:
    if part == len(sizes) - 1:
        if all(count <= limit for count, limit in zip(left, limits[part], strict=True)):
            yield (tuple(left),)
        return
    least = [max(0, count - behind) for count, behind in zip(left, room[part], strict=True)]
    most = [min(count, limit) for count, limit in zip(left, limits[part], strict=True)]
    for row in _choices(least, most, sizes[part]):
        rest = [count - taken for count, taken in zip(left, row, strict=True)]
        for rows in _rows(rest, part + 1, sizes, limits, room):
            yield (row, *rows)


def _choices(least: Sequence[int], most: Sequence[int], size: int) -> Iterator[tuple[int, ...]]:
    """Vectors between two bounds with a given sum."""
    if len(least) == 2:  # by far the most frequent case
        low = max(least[0], size - most[1])
        for first in range(low, min(most[0], size - least[1]) + 1):
            yield first, size - first
        return
    if any(a > b for a, b in zip(least, most, strict=True)):
        return
    ahead_least = [sum(least[k:]) for k in range(len(least) + 1)]
    ahead_most = [sum(most[k:]) for k in range(len(most) + 1)]

    def choose(k: int, wanted: int) -> Iterator[tuple[int, ...]]:
        if k == len(least):
            yield ()
            return
        low = max(least[k], wanted - ahead_most[k + 1])
        high = min(most[k], wanted - ahead_least[k + 1])
        for value in range(low, high + 1):
            for rest in choose(k + 1, wanted - value):
                yield (value, *rest)

    if ahead_least[0] <= size <= ahead_most[0]:
        yield from choose(0, size)
