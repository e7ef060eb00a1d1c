"""Stabiliser chains: orders, membership, prescribed bases, certificates."""

from __future__ import annotations

from dataclasses import replace
from itertools import repeat
from math import factorial
from random import Random

import group_examples as examples
import pytest
from sympy.combinatorics import Permutation, PermutationGroup

from burnside.groups import (
    OutOfWork,
    PermGroup,
    StabiliserChain,
    Work,
    group_order,
    pointwise_stabiliser,
    stabiliser_chain,
    uniform_elements,
    with_order,
)
from burnside.groups.perm import compose, from_cycles, identity, is_identity

GROUPS = {
    "S9 on literals": examples.symmetric(9),
    "S7 on ordered pairs": examples.ordered_pairs(7),
    "C10": examples.rotations(10),
    "token 4": examples.token_circulation(4),
    "two-hop 9": examples.two_hop(9),
    "two-hop 12": examples.two_hop(12),
    "three-tier 4-4-3": examples.three_tier([4, 4, 3]),
    "hypercube 5": examples.hypercube(5),
    "heap 15": examples.heap_tree(15),
    "S4 wr S3": examples.wreath(4, 3),
    "golfers": examples.golfers(5, 3, 2),
}


def check_chain(chain: StabiliserChain, group: PermGroup) -> None:
    """The chain is one for the group: right order, right members, every level fixes the base before it."""
    assert chain.order == group.order
    assert all(g in chain for g in group.generators)
    for number, level in enumerate(chain.levels):
        assert all(all(g[b] == b for b in chain.base[:number]) for g in level.generators)
        for point in level.points:
            u = chain.representative(number, point)
            assert u[level.base] == point
            assert all(u[b] == b for b in chain.base[:number])


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("group", GROUPS.values(), ids=GROUPS)
def test_chains_of_the_groups_of_our_models(group: PermGroup, seed: int) -> None:
    """With the order as certificate, and without it, from generators that are not strong by themselves."""
    mixed = examples.disguised(group, seed)

    check_chain(stabiliser_chain(mixed), group=mixed)
    assert group_order(replace(mixed, order=None)) == group.order
    assert with_order(replace(mixed, order=None)) == mixed


@pytest.mark.parametrize("group", GROUPS.values(), ids=GROUPS)
def test_orders_agree_with_sympy(group: PermGroup) -> None:
    """An independent program finds the same order."""
    small = group.on_points(group.moved_points)

    assert PermutationGroup([Permutation(list(g)) for g in small.generators]).order() == group.order


def test_the_largest_groups_we_meet() -> None:
    """S_40 on 2,000 literals and the cube of dimension 8, from random generators."""
    for group in (examples.symmetric(40, literals=48), examples.hypercube(8)):
        mixed = examples.disguised(group, seed=3)

        assert stabiliser_chain(mixed).order == group.order


def test_long_cycles_have_shallow_trees() -> None:
    """A ring of 3,000 processes would be a path of 3,000 edges."""
    chain = stabiliser_chain(examples.rotations(3000))
    (level,) = chain.levels

    assert level.depth <= 2 * 12 + 2
    assert all(level.representative(p)[level.base] == p for p in level.points[::500])
    assert group_order(PermGroup(3000, examples.rotations(3000, 1).generators)) == 3000


def test_a_prescribed_base_is_kept() -> None:
    """Redundant points stay, so that stabilisers are those of the points asked for."""
    group = examples.symmetric(5, literals=2, ids=0)
    chain = stabiliser_chain(group, base=[0, 1, 4, 5])

    assert chain.base[:4] == (0, 1, 4, 5)
    assert chain.orbit_lengths[:4] == (5, 1, 4, 1)
    assert chain.stabiliser(2).order == factorial(4)
    assert pointwise_stabiliser(group, [0, 1, 4]).order == factorial(3)
    assert pointwise_stabiliser(group, [0, 0, 1, 4, 0]).order == factorial(3)
    assert pointwise_stabiliser(group, range(10)).is_trivial
    with pytest.raises(ValueError, match="twice"):
        stabiliser_chain(group, base=[1, 1])


def test_members_and_strangers() -> None:
    """Odd permutations are outside an alternating group, and sifting says where they leave it."""
    a5 = PermGroup(5, (from_cycles(5, (0, 1, 2, 3, 4)), from_cycles(5, (0, 1, 2))))
    chain = stabiliser_chain(a5)

    assert chain.order == 60 == len(set(chain.elements()))
    assert all(g in chain for g in uniform_elements(chain, 20, seed=1))
    assert (1, 0, 2, 3, 4) not in chain
    assert identity(6) not in chain
    assert is_identity(chain.sift(compose(*a5.generators))[0])
    with pytest.raises(KeyError):
        chain.stabiliser(2).representative(0, chain.base[0])


def test_uniform_elements_are_uniform() -> None:
    """Each of the six elements of S_3 comes about as often as the others."""
    chain = stabiliser_chain(examples.symmetric(3, literals=1, ids=0))
    counts = dict.fromkeys(chain.elements(), 0)
    for g in uniform_elements(chain, 6000, seed=5):
        counts[g] += 1

    assert len(counts) == 6
    assert all(850 < count < 1150 for count in counts.values())


def test_a_wrong_order_is_noticed() -> None:
    """The certificate can fail: the generated group is smaller, or larger, than claimed."""
    for wrong in (2 * factorial(6), factorial(6) - 1):
        with pytest.raises(ValueError, match="the order of the group is 720"):
            stabiliser_chain(replace(examples.symmetric(6), order=wrong))


@pytest.mark.parametrize("group", GROUPS.values(), ids=GROUPS)
def test_without_random_elements_schreier_generators_complete_the_chain(
    group: PermGroup, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Random elements only save time: when they teach nothing, the deterministic method finds everything."""
    mixed = examples.disguised(group, seed=4, generators=1)
    monkeypatch.setattr(PermGroup, "randoms", lambda self, _seed: repeat(identity(self.degree)))

    assert group_order(replace(mixed, order=None)) == group.order
    check_chain(stabiliser_chain(mixed), group=mixed)


def test_work_can_be_limited() -> None:
    """A limit ends the computation by an exception, at the same place every time."""
    group = examples.disguised(examples.symmetric(20), seed=1)
    with pytest.raises(OutOfWork):
        stabiliser_chain(group, work=Work(10_000))


def test_trivial_groups() -> None:
    """No generators, no levels, one element."""
    chain = stabiliser_chain(PermGroup(3, ()))

    assert (chain.order, chain.base, list(chain.elements())) == (1, (), [(0, 1, 2)])
    assert chain.group.is_trivial
    assert chain.random_element(Random(1)) == (0, 1, 2)
    assert stabiliser_chain(PermGroup(0, ())).order == 1
