"""Members that a product of symmetric groups permutes, and whom points name."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import permutations, product
from random import Random

import pytest

from burnside.groups import PermGroup, stabiliser_chain, with_order
from burnside.groups.natural import Members, natural_members
from support.literal_actions import (
    Shape,
    blocks,
    disguise,
    edges,
    flips,
    matrix,
    nested,
    pairs,
    pointers,
    ring,
    teams,
    values,
)

# name: (shape, sizes of the sorts, how many members a point names at most)
PRODUCTS: dict[str, tuple[Shape, list[int], int]] = {
    "processes": (blocks(4, (2,), 1, nobody=True), [4], 1),
    "pairs of processes": (pairs(4), [4], 2),
    "processes that name processes": (pointers(4, 2, nobody=True), [4], 2),
    "rows and columns": (matrix(2, 4), [4, 2], 2),
    "values in processes": (values(4, 2, 3, 1), [4, 3], 2),
    "pairs without order": (edges(5, 0), [5], 2),
    "pairs of seven without order": (edges(7, 0), [7], 2),
    "pairs of processes without order": (edges(4, 2), [4], 2),
    "teams": (teams(5, 3, 0, 2), [5], 2),
    "teams with a leader": (teams(6, 3, 1, 0), [6], 3),
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
    orbit_of = {p: o for o, orbit in enumerate(group.orbits) for p in orbit}

    def said(point: int, names: Iterable[int]) -> tuple[int, frozenset[tuple[int, int]]]:
        return orbit_of[point], frozenset(zip(members.parts[point], names, strict=True))

    point_of = {said(p, members.names[p]): p for p in range(group.degree)}
    return tuple(point_of[said(p, [renaming[m] for m in members.names[p]])] for p in range(group.degree))


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


@pytest.mark.parametrize("seed", range(3))
def test_of_sets_of_two_both_have_the_same_part(seed: int) -> None:
    """Who is the first of a pair is not known where exchanging both changes nothing."""
    members = natural_members(disguise(Random(seed), edges(5, 0)).action.group)

    assert members is not None
    assert set(members.parts) == {(0, 0)}


def test_halves_of_members_are_clear_from_one_of_them() -> None:
    """Two of four: whoever is not named is in the other half. But two halves without order name nobody."""
    teams_of_two = disguise(Random(1), teams(4, 2, 0, 0)).action.group
    halves = with_order(PermGroup(7, ((1, 0, 2, 3, 4, 6, 5), (1, 2, 3, 0, 6, 5, 4))))

    assert natural_members(teams_of_two) is not None
    assert natural_members(halves) is None
