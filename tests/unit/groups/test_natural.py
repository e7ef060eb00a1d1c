"""Members that a product of symmetric groups permutes, and whom points name."""

from __future__ import annotations

from itertools import permutations, product
from random import Random

import pytest

from burnside.groups import PermGroup, stabiliser_chain, with_order
from burnside.groups.natural import Members, natural_members
from support.literal_actions import Shape, blocks, disguise, flips, matrix, nested, pairs, pointers, ring, values

# name: (shape, sizes of the sorts, how many members a point names at most)
PRODUCTS: dict[str, tuple[Shape, list[int], int]] = {
    "processes": (blocks(4, (2,), 1, nobody=True), [4], 1),
    "pairs of processes": (pairs(4), [4], 2),
    "processes that name processes": (pointers(4, 2, nobody=True), [4], 2),
    "rows and columns": (matrix(2, 4), [4, 2], 2),
    "values in processes": (values(4, 2, 3, 1), [4, 3], 2),
    "two exchanges at once": (flips(3, 2), [2], 1),
}
OTHERS = {
    "a ring": ring(5, 2, mirrored=False),
    "a ring with reflections": ring(5, 2, mirrored=True),
    "groups of processes": nested(2, 3, 2, 2, 1),
}


def renamings(members: Members) -> set[tuple[int, ...]]:
    """All permutations of members that keep their sorts."""
    return {tuple(m for part in parts for m in part) for parts in product(*map(permutations, members.sorts))}


def element(members: Members, group: PermGroup, renaming: tuple[int, ...]) -> tuple[int, ...]:
    """What renaming the members does to points: within an orbit a point is whom it names."""
    point_of = {(o, members.names[p]): p for o, orbit in enumerate(group.orbits) for p in orbit}
    orbit_of = {p: o for o, orbit in enumerate(group.orbits) for p in orbit}
    named = [tuple(renaming[m] for m in names) for names in members.names]
    return tuple(point_of[orbit_of[p], named[p]] for p in range(group.degree))


@pytest.mark.parametrize("name", PRODUCTS)
@pytest.mark.parametrize("seed", range(3))
def test_renamings_of_members_are_the_elements_of_the_group(name: str, seed: int) -> None:
    """All of them, each once, against the list of all elements."""
    shape, sizes, most = PRODUCTS[name]
    group = disguise(Random(seed), shape).action.group
    members = natural_members(group)

    assert members is not None
    assert (sorted(members.sizes, reverse=True), members.most_names) == (sizes, most)
    every = {element(members, group, renaming) for renaming in renamings(members)}
    assert every == set(stabiliser_chain(group).elements())


@pytest.mark.parametrize("name", OTHERS)
def test_other_groups_have_no_members(name: str) -> None:
    """Rotations, reflections and groups of groups are not permutations in every way."""
    assert natural_members(disguise(Random(1), OTHERS[name]).action.group) is None


def test_sets_of_members_do_not_name_anybody() -> None:
    """Who is the first of a pair is not known where exchanging both changes nothing."""
    edges = [(i, j) for i in range(5) for j in range(i)]
    number = {frozenset(edge): k for k, edge in enumerate(edges)}
    turns = ([1, 0, 2, 3, 4], [1, 2, 3, 4, 0])
    moved = tuple(tuple(number[frozenset((t[i], t[j]))] for i, j in edges) for t in turns)
    points = tuple((*turn, *(5 + k for k in perm)) for turn, perm in zip(turns, moved, strict=True))

    assert natural_members(with_order(PermGroup(len(edges), moved))) is None
    assert natural_members(with_order(PermGroup(5 + len(edges), points))) is None
