"""Subgroups that arrange blocks or permute members in every way, and elements that lead to their cosets."""

from __future__ import annotations

from math import factorial, prod
from random import Random

import pytest

from burnside.groups import PermGroup, group_order, stabiliser_chain, with_order
from burnside.groups.cosets import _halves, arranged_cosets, natural_cosets
from burnside.groups.perm import compose, identity
from burnside.groups.work import Work
from burnside.groups.wreath import swaps
from support.literal_actions import arrows, blocks, disguise, groups_of_arrows, nested, pairs, product, ring, values

SHAPES = {
    "two values in three processes": values(3, 1, 2, 0),
    "three values in three processes": values(3, 1, 3, 1),
    "two values in four processes": values(4, 1, 2, 1),
    "three values in two processes": values(2, 2, 3, 1),
    "a ring with reflections": ring(5, 2, mirrored=True),
    "groups of processes": nested(2, 2, 2, 2, 1),
    "processes": blocks(3, (2,), 1, nobody=True),
    "pairs of processes": pairs(3),
    "values and processes side by side": product([values(2, 1, 2, 0), blocks(2, (2,), 0, nobody=False)]),
}


@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize("seed", range(3))
def test_products_with_the_subgroup_are_all_elements_once(name: str, seed: int) -> None:
    """Every element of the group is one of the elements, then one of the subgroup, in exactly one way."""
    group = disguise(Random(seed), SHAPES[name]).action.group
    found = arranged_cosets(group, 24)
    assert found is not None
    degree = group.degree
    exchanges = tuple(g for tree in found.shape for g in swaps(tree, degree))
    subgroup = with_order(PermGroup(degree, exchanges))
    products = {compose(g, h) for g in found.elements for h in stabiliser_chain(subgroup).elements()}

    assert found.elements[0] == identity(degree)
    assert products == set(stabiliser_chain(group).elements())
    assert len(products) == len(found.elements) * group_order(subgroup)


NATURAL = {
    "arrows that can be turned round": (arrows(4, 1, 0), 2),
    "arrows, and values of processes": (arrows(4, 1, 2), 2),
    "two groups of arrows": (groups_of_arrows(2, 3), 2),
    "three groups of arrows": (groups_of_arrows(3, 3), 6),
    "pairs of processes": (pairs(4), 1),
}


@pytest.mark.parametrize("name", NATURAL)
@pytest.mark.parametrize("seed", range(3))
def test_products_of_symmetric_groups_have_cosets_of_small_index(name: str, seed: int) -> None:
    """The same for subgroups that permute members, against the list of all elements."""
    shape, index = NATURAL[name]
    group = disguise(Random(seed), shape).action.group
    found = natural_cosets(group, 6)
    assert found is not None
    products = {compose(g, h) for g in found.elements for h in stabiliser_chain(found.subgroup).elements()}

    assert len(found.elements) == index
    assert found.elements[0] == identity(group.degree)
    assert found.subgroup.order == prod(map(factorial, found.shape.sizes))
    assert products == set(stabiliser_chain(group).elements())


@pytest.mark.parametrize(("generators", "halves"), [(3, 3), (1, 1), (2, 1)])
def test_subgroups_of_index_two(generators: int, halves: int) -> None:
    """All of them: three of S4 x C2, one of S4, none of A4 but one of D5."""
    four, turn, flip = (1, 0, 2, 3, 4, 5), (1, 2, 3, 0, 4, 5), (0, 1, 2, 3, 5, 4)
    groups = {3: (four, turn, flip), 1: (four, turn), 2: ((1, 2, 3, 4, 0, 5), (0, 4, 3, 2, 1, 5))}
    group = with_order(PermGroup(6, groups[generators]))
    found = list(_halves(group, Work(1 << 40)))

    assert len(found) == halves
    assert all(2 * half.order == group.order for half, _ in found if half.order)
    assert not list(_halves(with_order(PermGroup(4, ((1, 2, 0, 3), (0, 2, 3, 1)))), Work(1 << 40)))


def test_the_index_is_small() -> None:
    """Where values can be exchanged beside processes, there is an image for each arrangement of the smaller kind."""
    for n, size, index in ((4, 2, 2), (4, 3, 6), (2, 3, 2)):
        found = arranged_cosets(disguise(Random(0), values(n, 1, size, 1)).action.group, 24)
        assert found is not None
        assert len(found.elements) == index


def test_no_subgroup_beyond_the_bound() -> None:
    """An index that is too large is not used."""
    group = disguise(Random(0), values(4, 1, 3, 0)).action.group

    assert arranged_cosets(group, 3) is None
