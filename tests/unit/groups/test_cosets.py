"""Subgroups that arrange blocks in every way, and elements that lead to their cosets, against lists of all elements."""

from __future__ import annotations

from random import Random

import pytest

from burnside.groups import PermGroup, group_order, stabiliser_chain, with_order
from burnside.groups.cosets import arranged_cosets
from burnside.groups.perm import compose, identity
from burnside.groups.wreath import swaps
from support.literal_actions import blocks, disguise, nested, pairs, product, ring, values

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
    exchanges = tuple(g for tree in found.trees for g in swaps(tree, degree))
    subgroup = with_order(PermGroup(degree, exchanges))
    products = {compose(g, h) for g in found.elements for h in stabiliser_chain(subgroup).elements()}

    assert found.elements[0] == identity(degree)
    assert products == set(stabiliser_chain(group).elements())
    assert len(products) == len(found.elements) * group_order(subgroup)


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
