"""Subgroups of small index that arrange blocks in every way, and elements that lead to their cosets.

``S5 x C2`` on five processes with data that can be exchanged in all of them at once is not a product of groups that
move different points, and it does not arrange blocks in every way; its subgroup ``S5``, of index 2, does.
"""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heappop, heappush
from itertools import count
from typing import Final, final

from burnside.groups.chain import group_order, stabiliser_chain
from burnside.groups.group import PermGroup, on_blocks
from burnside.groups.perm import Perm, compose, identity, inverse
from burnside.groups.work import Work
from burnside.groups.wreath import Arranged, Cells, arranged_factors, cells_of, with_marks
from burnside.values import dataclass, replace

_MOST_TRIED: Final = 16  # subgroups


@final
@dataclass(frozen=True)
class ArrangedCosets:
    """Every element of a group is one of ``elements``, then one of the group that arranges ``trees``, in one way.

    The identity is the first of ``elements``.
    """

    elements: tuple[Perm, ...]
    trees: tuple[Arranged, ...]


def arranged_cosets(group: PermGroup, most: int, *, work: Work | None = None) -> ArrangedCosets | None:
    """A subgroup that only arranges blocks, in every way, of the least index found, at most ``most``; exact.

    Subgroups are stabilisers of points and of blocks. OutOfWork if that takes more than ``work``.
    """
    work = work or Work(1 << 62)
    numbers = count()
    queue: list[tuple[int, int, PermGroup, tuple[Perm, ...]]] = [(1, next(numbers), group, (identity(group.degree),))]
    seen: set[tuple[tuple[int, ...], ...]] = set()
    for _ in range(_MOST_TRIED):
        if not queue:
            break
        index, _, subgroup, elements = heappop(queue)
        found = arranged_factors(subgroup, work=work)
        if found.trees and found.rest.is_trivial:
            return ArrangedCosets(elements, found.trees)
        for smaller, leading in _stabilisers(subgroup, most // index, work):
            if smaller.orbits not in seen:
                seen.add(smaller.orbits)
                further = tuple(compose(g, h) for g in elements for h in leading)
                heappush(queue, (len(further), next(numbers), smaller, further))
    return None


def _stabilisers(group: PermGroup, most: int, work: Work) -> Iterator[tuple[PermGroup, tuple[Perm, ...]]]:
    """Stabilisers of points and blocks of index at most ``most``, and elements that lead to their cosets."""
    seen: set[tuple[Perm, ...]] = set()
    for cells in cells_of(group, work):
        if 1 < len(cells) <= most:
            work.spend(len(group.generators) * sum(map(len, cells)))
            moves = tuple(on_blocks(g, cells) for g in group.generators)
            if moves not in seen:  # cells that are moved alike have the same stabilisers
                seen.add(moves)
                yield _stabiliser(group, cells, work)


def _stabiliser(group: PermGroup, cells: Cells, work: Work) -> tuple[PermGroup, tuple[Perm, ...]]:
    """The elements that keep the first cell, and one that takes each of the others to it."""
    degree = group.degree
    whole = with_marks(group, cells)
    chain = stabiliser_chain(whole, base=[degree], work=work)
    keeping = chain.stabiliser()
    elements = tuple(inverse(chain.representative(0, degree + k)[:degree]) for k in range(len(cells)))
    # Generators at hand tell independent factors apart; those of the chain are random and move all of them at once.
    kept = PermGroup(degree, tuple(g[:degree] for g in whole.generators if g[degree] == degree))
    if group_order(kept, work=work) != keeping.order:
        kept = PermGroup(degree, tuple(g[:degree] for g in keeping.strong_generators))
    return replace(kept, order=keeping.order), elements
