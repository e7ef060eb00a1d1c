"""Blocks that can be arranged in any way: found where they are many, and not where they only seem to be."""

from __future__ import annotations

from itertools import combinations, permutations
from math import factorial

import pytest
from group_examples import act, swap, swaps

from burnside.groups import PermGroup
from burnside.groups.chain import group_order
from burnside.groups.work import Work
from burnside.groups.wreath import Arranged, arranged_factors


def of_pairs(n: int, *, is_ordered: bool) -> PermGroup:
    """S_n on pairs of its members."""
    names = list(permutations(range(n), 2)) if is_ordered else [frozenset(c) for c in combinations(range(n), 2)]
    moves = [lambda pair, s=s: type(pair)(s(i) for i in pair) for s in swaps(n)]  # type: ignore[misc]
    return act(names, moves, factorial(n))


@pytest.mark.parametrize("is_ordered", [True, False])
@pytest.mark.parametrize("n", [4, 5, 7])
def test_pairs_are_no_blocks_that_can_be_arranged(n: int, *, is_ordered: bool) -> None:
    """The pairs that begin alike are n blocks permuted in every way, and the order is n!; but inside a block the others
    can still be exchanged.
    """
    assert arranged_factors(of_pairs(n, is_ordered=is_ordered)).trees == ()


def test_many_members_take_little_work() -> None:
    """One of a hundred is told apart by what is asked: ninety-nine with four points each, beside ten with six."""
    many = [("many", i, v) for i in range(99) for v in range(4)]
    few = [("few", i, v) for i in range(10) for v in range(6)]
    moves = [lambda name, s=s: (name[0], s(name[1]), name[2]) if name[0] == "many" else name for s in swaps(99)]  # type: ignore[misc]
    moves += [lambda name, s=s: (name[0], s(name[1]), name[2]) if name[0] == "few" else name for s in swaps(10)]  # type: ignore[misc]
    group = act([*many, *few], moves, None)
    found = arranged_factors(group, work=Work(5_000_000))

    assert sorted(len(tree.copies) for tree in found.trees) == [10, 99]
    assert found.rest.is_trivial
    for tree in found.trees:
        assert isinstance(tree, Arranged)
        points = [p for copy in tree.copies for p in copy.values()]
        assert len(points) == len(set(points)) == len(tree.copies) * (4 if len(tree.copies) == 99 else 6)


@pytest.mark.parametrize("n", range(1, 7))
def test_swaps_that_join_all_points_give_all_permutations(n: int) -> None:
    """And none that leave a point out do, whatever else there is."""
    joined = PermGroup(n, tuple(tuple(map(swap(i, i + 1), range(n))) for i in range(n - 1)))
    turned = PermGroup(n, ((*range(1, n), 0),))

    assert joined.is_joined_by_swaps
    assert group_order(joined) == factorial(n)
    assert turned.is_joined_by_swaps == (n < 3)
    assert group_order(turned) == n
