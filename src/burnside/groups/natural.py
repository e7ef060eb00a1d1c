"""Products of symmetric groups on whatever points they act: who is permuted in every way, and whom each point names.

``S7`` on the cells ``grant[i][j]`` of seven servers permutes seven *members* in every way, though there need be no
seven points that stand for them: a member may be a block of points, such as all ``grant[3][j]``. A point then names
some members, ``grant[3][5]`` the members 3 and 5, in this order, and is determined by them within its orbit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate, chain
from math import factorial, perm
from typing import Final, TypeAlias, final

from burnside.groups.blocks import minimal_blocks
from burnside.groups.chain import group_order, stabiliser_chain
from burnside.groups.group import PermGroup
from burnside.groups.work import Work
from burnside.groups.wreath import Cells, cells_of, with_marks
from burnside.values import dataclass

Names: TypeAlias = tuple[int, ...]  # members, in an order that says what part each has

_LARGEST_SORT: Final = 32
_MOST_TRIED: Final = 64  # candidates for a sort of members
_LARGEST_ORBIT: Final = 2_000
_MOST_ORBITS: Final = 4
_MOST_PARTNERS: Final = 16


@final
@dataclass(frozen=True)
class Members:
    """Members of several sorts, numbered one sort after the other; the group has every permutation of members that
    keeps the sorts, and no other element. ``names`` has, for every point, the members that it names.
    """

    sizes: tuple[int, ...]
    names: tuple[Names, ...]

    @property
    def sorts(self) -> list[range]:
        """The members of each sort."""
        return _sorts(self.sizes)

    @property
    def most_names(self) -> int:
        """How many members a point names at most."""
        return max(map(len, self.names))


def natural_members(group: PermGroup, *, work: Work | None = None) -> Members | None:
    """What a product of symmetric groups permutes; None if a group is none, or does not act by what points name.

    OutOfWork if that takes more than ``work``.
    """
    work = work or Work(1 << 62)
    sorts = _permuted_in_every_way(group, work)
    if sorts is None:
        return None
    whole = with_marks(group, tuple(chain.from_iterable(sorts)))
    sizes = tuple(map(len, sorts))
    names: dict[int, Names] = {}
    for orbit in group.orbits:
        found = _named(whole, group.degree, sizes, orbit, work)
        if found is None:
            return None
        names |= found
    return Members(sizes, tuple(names[point] for point in range(group.degree)))


def _permuted_in_every_way(group: PermGroup, work: Work) -> list[Cells] | None:
    """Orbits and systems of blocks, each of which is permuted in every way, independently of the others; together they
    tell all elements apart.
    """
    order, reached = group_order(group, work=work), 1
    found: list[Cells] = []
    fitting = {cells: None for cells in _candidates(group, work) if 1 < len(cells) <= _LARGEST_SORT}
    # Large sorts first: a small one may be an image of a large one, such as even and odd permutations.
    for cells in sorted(fitting, key=len, reverse=True)[:_MOST_TRIED]:
        more = reached * factorial(len(cells))
        if order % more:
            continue
        work.spend(len(group.generators) * group.degree)
        marked = with_marks(group, tuple(chain(*found, cells)))
        if group_order(marked.on_points(range(group.degree, marked.degree)), work=work) == more:
            found.append(cells)
            reached = more
        if reached == order:
            return found
    return None


def _candidates(group: PermGroup, work: Work) -> Iterator[Cells]:
    """Orbits and systems of blocks: all of small orbits; of large ones those that two of the first points are enough
    for.
    """
    yield from cells_of(group, work)
    for orbit in [o for o in group.orbits if _LARGEST_SORT < len(o) <= _LARGEST_ORBIT][:_MOST_ORBITS]:
        acting = group.on_points(orbit)
        for partner in range(1, _MOST_PARTNERS):
            work.spend(len(group.generators) * len(orbit))
            blocks = minimal_blocks(acting.degree, acting.generators, [(0, partner)])
            yield tuple(tuple(orbit[p] for p in block) for block in blocks)


def _named(
    whole: PermGroup, degree: int, sizes: Sequence[int], orbit: Sequence[int], work: Work
) -> dict[int, Names] | None:
    """Whom each point of an orbit names: the members that its stabiliser fixes, if these determine the point."""
    first = orbit[0]
    stabiliser = stabiliser_chain(whole, base=(first,), work=work).stabiliser().group
    names: list[int] = []
    determined = 1
    for sort in _sorts(sizes):
        fixed = [m for m in sort if all(g[degree + m] == degree + m for g in stabiliser.generators)]
        fixed = fixed[: len(sort) - 1]  # the last of a sort is clear from the others
        determined *= perm(len(sort), len(fixed))
        names += fixed
    if len(orbit) != determined:
        return None
    found = {first: tuple(names)}
    queue = [first]
    for point in queue:
        work.spend(len(whole.generators))
        for g in whole.generators:
            if g[point] not in found:
                found[g[point]] = tuple(g[degree + m] - degree for m in found[point])
                queue.append(g[point])
    return found


def _sorts(sizes: Sequence[int]) -> list[range]:
    return [range(start, start + size) for start, size in zip(accumulate(sizes, initial=0), sizes, strict=False)]
