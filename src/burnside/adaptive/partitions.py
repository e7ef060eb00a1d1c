"""Partitions of processes: cells as bit masks, ordered by their least members.

Processes are numbered 0 … n-1 here, whatever ids a model gives them. The finer of two partitions is the lesser one, so
the *meet* of two partitions is the coarsest partition that is finer than both (``glb`` in the literature).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

Partition: TypeAlias = tuple[int, ...]


def discrete(size: int) -> Partition:
    """Every process in a cell of its own."""
    return tuple(1 << p for p in range(size))


def normal(cells: Iterable[int]) -> Partition:
    """Cells in order; empty ones are dropped."""
    return tuple(sorted((c for c in cells if c), key=lambda cell: cell & -cell))


def mask_of(members: Iterable[int]) -> int:
    """The cell with these members."""
    mask = 0
    for member in members:
        mask |= 1 << member
    return mask


def members(cell: int) -> list[int]:
    """The members of a cell in order.

    >>> members(0b1011)
    [0, 1, 3]
    """
    found = []
    while cell:
        low = cell & -cell
        found.append(low.bit_length() - 1)
        cell ^= low
    return found


def meet(p: Partition, q: Partition) -> Partition:
    """The coarsest partition finer than both.

    >>> meet((0b0111, 0b1000), (0b0011, 0b1100))
    (3, 4, 8)
    """
    if len(q) == 1:
        return p
    if len(p) == 1:
        return q
    return normal(a & b for a in p for b in q)


def is_finer(p: Partition, q: Partition) -> bool:
    """Whether every cell of ``p`` lies in a cell of ``q``; equal partitions are finer than each other."""
    return all(any(a & b == a for b in q) for a in p)


def cell_of(partition: Partition, process: int) -> int:
    """The position of the cell that holds a process."""
    return next(k for k, cell in enumerate(partition) if cell >> process & 1)


def classes(size: int, same: Callable[[int, int], bool]) -> Partition:
    """The classes of an equivalence of processes, each process compared with one member of every class."""
    found: list[list[int]] = []
    for process in range(size):
        home = next((c for c in found if same(c[0], process)), None)
        if home is None:
            found.append([process])
        else:
            home.append(process)
    return normal(map(mask_of, found))


def text_of(partition: Partition, name: Callable[[int], str]) -> str:
    """A partition as the literature writes it.

    >>> text_of((0b0111, 0b1000), lambda p: str(p + 1))
    '| 1..3 | 4 |'
    """
    return "| " + " | ".join(", ".join(_runs(members(cell), name)) for cell in partition) + " |"


def _runs(numbers: list[int], name: Callable[[int], str]) -> Iterator[str]:
    start = 0
    for k in range(1, len(numbers) + 1):
        if k == len(numbers) or numbers[k] != numbers[k - 1] + 1:
            first, last = name(numbers[start]), name(numbers[k - 1])
            yield first if first == last else f"{first}, {last}" if k == start + 2 else f"{first}..{last}"
            start = k
