"""Products of symmetric groups on whatever points they act: who is permuted in every way, and whom each point names.

``S7`` on the cells ``grant[i][j]`` of seven servers permutes seven *members* in every way, though there need be no
seven points that stand for them: a member may be a block of points, such as all ``grant[3][j]``. A point then names
some members, ``grant[3][5]`` the members 3 and 5, in this order, and is determined by them within its orbit. Where
pairs have no order (``link[3][5]`` is ``link[5][3]``), both have the same part in what the point says.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate, chain
from math import comb, factorial, prod
from typing import Final, TypeAlias, final

from burnside.groups.blocks import minimal_blocks
from burnside.groups.chain import group_order, stabiliser_chain
from burnside.groups.group import PermGroup
from burnside.groups.perm import Perm
from burnside.groups.work import Work
from burnside.groups.wreath import Cells, cells_of, with_marks
from burnside.values import dataclass

Names: TypeAlias = tuple[int, ...]  # members, in an order that says what part each has
Parts: TypeAlias = tuple[int, ...]  # numbers, one for each of them; members with the same part can be exchanged

_LARGEST_SORT: Final = 32
_MOST_TRIED: Final = 64  # candidates for a sort of members
_LARGEST_ORBIT: Final = 2_000
_MOST_ORBITS: Final = 4
_MOST_PARTNERS: Final = 16


@final
@dataclass(frozen=True)
class Members:
    """Members of several sorts, numbered one sort after the other; the group has every permutation of members that
    keeps the sorts, and no other element. ``names`` has, for every point, the members that it names, and ``parts`` the
    part that each of them has.
    """

    sizes: tuple[int, ...]
    names: tuple[Names, ...]
    parts: tuple[Parts, ...]

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
    parts: dict[int, Parts] = {}
    for orbit in group.orbits:
        named = _named(whole, group.degree, sizes, orbit, work)
        if named is None:
            return None
        names |= _renamed(whole, group.degree, orbit[0], tuple(chain.from_iterable(named)), work)
        parts |= dict.fromkeys(orbit, tuple(part for part, members in enumerate(named) for _ in members))
    points = range(group.degree)
    return Members(sizes, tuple(names[point] for point in points), tuple(parts[point] for point in points))


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
    for. Where points are pairs without order, whom they are pairs of.
    """
    yield from cells_of(group, work)
    for orbit in group.orbits:
        yield from _stars(group, orbit, work)
    for orbit in [o for o in group.orbits if _LARGEST_SORT < len(o) <= _LARGEST_ORBIT][:_MOST_ORBITS]:
        acting = group.on_points(orbit)
        for partner in range(1, _MOST_PARTNERS):
            work.spend(len(group.generators) * len(orbit))
            blocks = minimal_blocks(acting.degree, acting.generators, [(0, partner)])
            yield tuple(tuple(orbit[p] for p in block) for block in blocks)


def _stars(group: PermGroup, orbit: Sequence[int], work: Work) -> Iterator[Cells]:
    """Where points are pairs of members, without order: for each member all pairs that it is in.

    Two pairs with a common member are neighbours of all others that it is in, which are neighbours of one another, and
    of one more pair, which is not.
    """
    size = next((n for n in range(5, _LARGEST_SORT + 1) if comb(n, 2) == len(orbit)), 0)
    if not size:
        return
    acting = group.on_points(orbit)
    work.spend(len(orbit) * size * len(group.generators))
    for first in stabiliser_chain(acting, base=(0,), work=work).stabiliser().group.orbits:
        if len(first) != 2 * (size - 2):
            continue
        neighbours = _carried(acting.generators, 0, frozenset(first))
        common = neighbours[0] & neighbours[first[0]]
        star = frozenset((0, first[0], *(p for p in common if neighbours[p] & common)))
        stars = {star: None}
        for known in (queue := [star]):
            fresh = {frozenset(g[p] for p in known): None for g in acting.generators}
            queue += [images for images in fresh if images not in stars]
            stars |= fresh
            if len(stars) > size:
                break
        yield tuple(tuple(orbit[p] for p in sorted(points)) for points in stars)


def _carried(generators: Sequence[Perm], point: int, points: frozenset[int]) -> dict[int, frozenset[int]]:
    """What belongs to each point of an orbit as some points belong to the first."""
    found = {point: points}
    for known in (queue := [point]):
        for g in generators:
            if g[known] not in found:
                found[g[known]] = frozenset(g[p] for p in found[known])
                queue.append(g[known])
    return found


def _named(whole: PermGroup, degree: int, sizes: Sequence[int], orbit: Sequence[int], work: Work) -> list[Names] | None:
    """Whom the first point of an orbit names, part by part, if these determine the point: the members that its
    stabiliser keeps apart from most.
    """
    stabiliser = stabiliser_chain(whole, base=(orbit[0],), work=work).stabiliser().group
    named: list[Names] = []
    determined = 1
    for sort in _sorts(sizes):
        kept = [tuple(m - degree for m in o) for o in stabiliser.orbits if o[0] - degree in sort]
        kept.sort(key=len)
        determined *= factorial(len(sort)) // prod(factorial(len(part)) for part in kept)
        named += kept[:-1]  # the last of a sort are clear from the others
    return named if len(orbit) == determined else None


def _renamed(whole: PermGroup, degree: int, first: int, names: Names, work: Work) -> dict[int, Names]:
    """Whom each point of an orbit names if the first one names some members."""
    found = {first: names}
    for point in (queue := [first]):
        work.spend(len(whole.generators))
        for g in whole.generators:
            if g[point] not in found:
                found[g[point]] = tuple(g[degree + m] - degree for m in found[point])
                queue.append(g[point])
    return found


def _sorts(sizes: Sequence[int]) -> list[range]:
    return [range(start, start + size) for start, size in zip(accumulate(sizes, initial=0), sizes, strict=False)]
