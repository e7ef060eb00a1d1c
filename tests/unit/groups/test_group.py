"""Groups as values: orbits, other actions, random elements."""

from __future__ import annotations

from itertools import islice

import group_examples as examples
import pytest

from burnside.groups import PermGroup, equivariant_map, faithful_points, orbit
from burnside.groups.perm import compose, from_cycles

KLEIN = PermGroup(6, (from_cycles(6, (1, 2), (4, 5)), from_cycles(6, (1, 4), (2, 5))), 4)


def test_identities_and_repetitions_are_no_generators() -> None:
    """A group without generators is trivial and has order 1."""
    swap = (1, 0)

    assert PermGroup(2, ((0, 1), swap, swap)).generators == (swap,)
    assert PermGroup(2, ((0, 1),)).is_trivial
    assert PermGroup(2, ()).order == 1


@pytest.mark.parametrize(("generators", "order"), [(((0, 0),), None), (((0,),), None), (((1, 0),), 1), ((), 0)])
def test_what_is_no_group_is_refused(generators: tuple[tuple[int, ...], ...], order: int | None) -> None:
    """Images that are no permutation, a wrong degree, an impossible order."""
    with pytest.raises(ValueError, match=r"order|permutation"):
        PermGroup(2, generators, order)


def test_orbits_are_sorted_and_hold_the_fixed_points() -> None:
    """The points 0 and 3 stay where they are."""
    assert KLEIN.orbits == ((0,), (1, 2, 4, 5), (3,))
    assert KLEIN.moved_points == (1, 2, 4, 5)
    assert KLEIN.orbit(4) == (1, 2, 4, 5) == orbit(4, KLEIN.generators)
    assert KLEIN.is_abelian


def test_restriction_to_moved_points_keeps_the_order() -> None:
    """Points are renumbered in order; nothing is lost."""
    small = KLEIN.on_points(KLEIN.moved_points)

    assert (small.degree, small.order) == (4, 4)
    assert small.generators == ((1, 0, 3, 2), (2, 3, 0, 1))


def test_restriction_to_some_points_forgets_the_order() -> None:
    """On one orbit of two a group may act with a kernel, so the order is not claimed."""
    group = examples.token_circulation(3)
    labels = [p for o in group.orbits if len(o) == 6 for p in o]

    assert group.on_points(labels).order is None
    with pytest.raises(ValueError, match="not invariant"):
        group.on_points(labels[:1])
    with pytest.raises(ValueError, match="twice"):
        group.on_points([0, 0])


def test_action_on_blocks() -> None:
    """The blocks {1, 2} and {4, 5} are exchanged by one generator; no action on what are no blocks."""
    assert KLEIN.on_blocks([(1, 2), (4, 5)]).generators == ((1, 0),)
    with pytest.raises(ValueError, match="not permuted"):
        KLEIN.on_blocks([(1, 2), (3, 4, 5)])


def test_random_elements_depend_on_the_seed_alone() -> None:
    """The same seed gives the same elements, and they lie in the group."""
    first, again = (list(islice(KLEIN.randoms(7), 50)) for _ in range(2))
    elements = {(0, 1, 2, 3, 4, 5), *KLEIN.generators, compose(*KLEIN.generators)}

    assert first == again
    assert set(first) == elements
    assert list(islice(PermGroup(3, ()).randoms(1), 2)) == [(0, 1, 2)] * 2


def test_literals_that_move_in_step_are_told_once() -> None:
    """Of the literals of n processes and variables that name them, one per process is enough."""
    assert len(faithful_points(examples.symmetric(6, literals=5, ids=3))) == 6
    assert len(faithful_points(examples.three_tier([3, 3, 2]))) == 8
    assert faithful_points(PermGroup(4, ())) == ()


def test_independent_orbits_are_all_kept() -> None:
    """The two orbits of a product look alike but do not move in step."""
    assert len(faithful_points(examples.allocator([3, 3]))) == 6


def test_equivariant_maps_commute_with_the_group() -> None:
    """From ordered pairs to their first entry there is a map, and none back."""
    group = examples.ordered_pairs(4)
    blocks = [tuple(3 * i + k for k in range(3)) for i in range(4)]
    gens = tuple(
        (*g, *(12 + j for j in on)) for g, on in zip(group.generators, group.on_blocks(blocks).generators, strict=True)
    )
    down = equivariant_map(0, 12, gens)

    assert down == {p: 12 + p // 3 for p in range(12)}
    assert equivariant_map(12, 0, gens) is None
