"""Every exact way to representatives, on random actions of known shape: one stored state for each orbit."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import pytest

from burnside.explore.native.run import SearchOptions, explore
from burnside.groups import PermGroup, group_order, stabiliser_chain
from burnside.groups.wreath import arranged_factors, swaps
from burnside.reduce.reduction import SelfTestError
from burnside.reduce.symmetry import facts
from burnside.reduce.symmetry.facts import independent_keys
from burnside.reduce.symmetry.plan import EXACT, plan_action
from burnside.reduce.symmetry.refinement import Refinement
from burnside.reduce.symmetry.sorting import Sorting
from burnside.reduce.symmetry.strategy import Packing
from burnside.reduce.symmetry.transport import Transport
from support.actions import BEFORE_REFINEMENT, LEFT_OUT, judge, judge_kind, orbits
from support.literal_actions import KINDS, Disguised, blocks, disguise, pointers, random_shape


def check(seed: int, cache: Path) -> set[type]:
    """Compare all strategies with brute force; those that were used."""
    return judge(disguised(seed), LEFT_OUT, cache, seed)


def disguised(seed: int) -> Disguised:
    """A random action; one in four is of the kind of large groups that few shapes have."""
    random = Random(seed)
    return disguise(random, random_shape(random, "arrows" if seed % 4 == 1 else None))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("start", "many"), [(0, 2), pytest.param(2, 498, marks=pytest.mark.slow)])
def test_every_kind_of_action(kind: str, start: int, many: int, cache: Path) -> None:
    """What is chosen, and what is chosen if some strategies are left out, stores one state of each orbit."""
    for seed in range(start, start + many):
        judge_kind(kind, seed, cache)


@pytest.mark.parametrize("kind", ["pairs", "matrix", "pointers", "edges", "arrows", "labels"])
@pytest.mark.parametrize("many", [2, pytest.param(40, marks=pytest.mark.slow)])
def test_facts_that_do_not_fit_a_table(kind: str, many: int, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Facts about two members are looked at one by one where there are too many members or ways to be named."""
    monkeypatch.setattr(facts, "_MOST_IN_TABLE", 0)
    for seed in range(many):
        random = Random(f"no table {kind} {seed}")
        judge(disguise(random, random_shape(random, kind)), (BEFORE_REFINEMENT,), cache, (kind, seed))


@pytest.mark.parametrize("most_in_table", [32, 0])
def test_members_that_look_the_same_but_are_not(
    most_in_table: int, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Five processes that name each other, two and three in a ring: each is named once, yet they have two orbits,
    so that refinement has to try both and take the lesser image.
    """
    monkeypatch.setattr(facts, "_MOST_IN_TABLE", most_in_table)
    action = disguise(Random(0), pointers(5, 0, nobody=False))
    assert judge(action, (BEFORE_REFINEMENT,), cache, "pointers") == {Refinement}


@pytest.mark.parametrize("count", [0, 1, 8, 31, 32])
def test_different_sets_of_keys_have_different_sums(count: int) -> None:
    """Sums bit by bit, so it is enough that no set of keys adds up to nothing: their rank is their number."""
    rows, rank = independent_keys(count), 0
    while rows:
        pivot = rows.pop()
        rank += pivot != 0
        rows = [row ^ pivot if row ^ pivot < row and row.bit_length() == pivot.bit_length() else row for row in rows]
    assert rank == count


@pytest.mark.parametrize(("start", "many"), [(4, 4), pytest.param(8, 30, marks=pytest.mark.slow)])
def test_every_strategy_stores_one_state_of_each_orbit(start: int, many: int, cache: Path) -> None:
    """Every strategy is used, and often enough to be tested."""
    used = Counter(kind for seed in range(start, start + many) for kind in check(seed, cache))

    assert not [kind.__name__ for kind in EXACT if used[kind] < max(1, many // 8)], used


@pytest.mark.slow
@pytest.mark.parametrize("start", range(38, 338, 50))
def test_every_strategy_stores_one_state_of_each_orbit_at_length(start: int, cache: Path) -> None:
    """The same on three hundred more."""
    for seed in range(start, start + 50):
        check(seed, cache)


@pytest.mark.parametrize("seed", range(40))
def test_sorting_covers_exactly_the_factors_it_claims(seed: int) -> None:
    """Exchanges of blocks lie in the group; the orders of sorted factors and of the rest multiply to its own."""
    random = Random(seed)
    action = disguise(random, random_shape(random)).action
    found = arranged_factors(action.group)
    whole = stabiliser_chain(action.group)
    elements = [g for tree in found.trees for g in swaps(tree, action.group.degree)]

    assert all(g in whole for g in elements)
    sorted_order = group_order(PermGroup(action.group.degree, tuple(elements)))
    assert sorted_order * group_order(found.rest) == action.order


@pytest.mark.parametrize("seed", range(30))
def test_transport_finds_the_element_between_states_of_one_orbit(seed: int) -> None:
    """From a state to its images under the generators and their products; never between different orbits."""
    random = Random(seed)
    shape = disguise(random, random_shape(random))
    reduction = plan_action(shape.action)
    if reduction is None:
        return
    transport = Transport(reduction)
    every = list(shape.states())
    states = [random.choice(every) for _ in range(6)]
    for state in states:
        image = state
        for _ in range(6):
            image = shape.image(random.choice(shape.moves), image)
            element = transport.element(state, image)
            assert element is not None
            assert transport.move(element, state) == image
    forms = {transport.canonical(transport.image(s))[0] for s in shape.states()} if shape.action.positions else set()
    still = [k for k in range(len(shape.model.variables)) if k not in shape.action.positions]
    kinds = {tuple(s[k] for k in still) for s in shape.states()}
    assert len(forms) * len(kinds) == orbits(shape)


def test_a_sort_that_sometimes_does_not_sort_is_noticed(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Searches test their own representatives: broken code ends as a bug, not with a result."""
    whole = Sorting.code

    def broken(strategy: Sorting, function: str, packing: Packing) -> str:
        text = whole(strategy, function, packing)
        return text.replace("fixing *= sort_blocks", "if (s[0] & 1) fixing *= sort_blocks")

    monkeypatch.setattr(Sorting, "code", broken)
    shape = disguise(Random(1), blocks(3, (3,), 1, nobody=True))
    reduction = plan_action(shape.action)
    assert reduction is not None
    with pytest.raises(SelfTestError):
        explore(
            shape.model,
            reductions=(reduction,),
            options=SearchOptions(flags=("-O0",), cache=cache, self_test=True),
        )
