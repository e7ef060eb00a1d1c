"""The native explorer agrees with the reference search, which is nothing but ``ir/semantics.py`` in a loop.

The runtime is compiled with tiny buffers, blocks and tables, so that even small models make the table
grow, flush buffers half way through a state's successors and keep two workers busy at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest
from hypothesis import given

from burnside.claims.kinds import Reachable, StateClaim
from burnside.claims.members import Member, about_states
from burnside.claims.task import Task
from burnside.explore.native import selection
from burnside.explore.native.run import SearchOptions, explore
from burnside.explore.replay import find_fault, replay
from burnside.frontends import seq
from burnside.ir.cells import State
from burnside.ir.nodes import FALSE, Model
from burnside.ir.printer import print_model
from burnside.results.exploration import Exploration, Stop, Store
from burnside.source import Source
from support import reference
from support.strategies import is_state, reachable_states, seeded_task, tasks
from support.thorough import examples
from support.tiny import tiny

TINY = ("-O0", *tiny())
WAYS = (  # threads, depth first, store
    (1, False, Store.INDEX),
    (2, False, Store.INDEX),
    (1, True, Store.INDEX),
    (1, False, Store.COMPACT),
    (2, False, Store.COMPACT),
    (1, False, Store.AUTO),
    (2, False, Store.AUTO),
    (1, False, Store.DISK),
    (2, False, Store.DISK),
)

# A claim that no state decides, so that a search with claims sees the whole state space.
NEVER = Member(Reachable("never", FALSE))

MEMORY = 8 << 20  # more than any of these models needs up to its first fault, breadth first
BATCH = 10
QUICK_BATCHES = 2  # 20 models in every run
ALL_BATCHES = 100  # 1,000 models in the full run


def claims_for(task: Task, seed: int) -> tuple[Member[StateClaim], ...]:
    """No claims, the model's own, or those with more that keep the search going to the end.

    The last kind asks for some of the states one by one: equal numbers could hide unequal states.
    """
    model, own = task.model, about_states(task.members)
    match seed % 4:
        case 0:
            return ()
        case 1:
            return own
        case 2:
            return (*own, NEVER)
        case _:
            states = sorted(reachable_states(model) or ())
            asked = Random(seed).sample(states, min(len(states), 10))
            return (*own, NEVER, *(Member(_reaches(model, k, state)) for k, state in enumerate(asked)))


def _reaches(model: Model, number: int, state: State) -> Reachable:
    return Reachable(f"state{number}", is_state(model, state))


def assert_agreement(
    model: Model, claims: Sequence[Member[StateClaim]], cache: Path, *, flags: Sequence[str] = TINY
) -> None:
    """Every way to search natively gives what the reference gives."""
    expected = reference.explore(model, claims)
    for threads, depth_first, store in WAYS:
        options = SearchOptions(
            threads=threads, depth_first=depth_first, store=store, flags=tuple(flags), cache=cache, memory=MEMORY
        )
        found = explore(model, claims, options=options)
        where = f"{threads} threads, {'depth' if depth_first else 'breadth'} first, {store.value}, {len(claims)} claims"
        try:
            assert_same(model, claims, expected, found, shortest=not depth_first)
        except AssertionError as error:
            raise AssertionError(f"{where}\n{found}\n{expected}\n{print_model(model)}") from error


def assert_same(
    model: Model, claims: Sequence[Member[StateClaim]], expected: Exploration, found: Exploration, *, shortest: bool
) -> None:
    """Figures of complete searches are equal; verdicts are equal; every path is a run of the model."""
    for witness in found.witnesses:
        if witness is not None:
            replay(model, witness)
    if expected.stop is Stop.FAULT:
        assert_same_fault(model, claims, expected, found, shortest=shortest)
        return
    if not shortest and expected.stop is Stop.DECIDED and found.stop is Stop.FAULT:
        assert found.fault_path and find_fault(model, found.fault_path[-1], claims)
        return  # depth first, a fault behind the witnesses may be met before them
    assert found.stop is expected.stop
    assert [w is None for w in found.witnesses] == [w is None for w in expected.witnesses]
    if shortest:
        assert [w and len(w) for w in found.witnesses] == [w and len(w) for w in expected.witnesses]
    if found.stop is Stop.COMPLETE:
        assert figures(found) == figures(expected)
        assert not shortest or found.depth == expected.depth


def figures(found: Exploration) -> tuple[int, int, int, int]:
    """What every complete search of a model counts."""
    return found.initial, found.states, found.transitions, found.deadlocks


def assert_same_fault(
    model: Model, claims: Sequence[Member[StateClaim]], expected: Exploration, found: Exploration, *, shortest: bool
) -> None:
    """The native search faults too, in a state with a fault, at the same distance.

    With claims there is more than one right answer. The native search evaluates claims when a state is
    found and rules when it is expanded, it does not evaluate a claim that has been decided, and it ends
    when all are decided. So a fault may be one step further, and those of decided claims do not count.
    """
    assert expected.fault_path is not None
    nearest = furthest = expected
    if claims:
        undecided = [c for c, w in zip(claims, found.witnesses, strict=True) if w is None]
        if not undecided:
            return
        furthest = reference.explore(model, (*undecided, NEVER))
        if furthest.stop is not Stop.FAULT and found.stop is not Stop.FAULT:
            assert (found.stop, figures(found)) == (furthest.stop, figures(furthest))
            return
    if not shortest and found.stop is Stop.MEMORY:
        return  # depth first, millions of states may come before the fault
    assert found.stop is Stop.FAULT
    assert found.fault_path is not None
    if found.fault_path:
        assert find_fault(model, found.fault_path[-1], claims) is not None
        replay(model, found.fault_path)
    if shortest:
        most = len(furthest.fault_path or found.fault_path) + bool(claims)
        assert len(nearest.fault_path or ()) <= len(found.fault_path) <= most


@contextmanager
def few_rules_are_many(is_so: bool) -> Iterator[None]:
    """Rules of the smallest models are selected by cells, as those of large ones are."""
    before = selection.MANY, selection.VERY_MANY, selection.BLOCK
    if is_so:
        selection.MANY, selection.VERY_MANY, selection.BLOCK = 1, 2, 2
    try:
        yield
    finally:
        selection.MANY, selection.VERY_MANY, selection.BLOCK = before


def compare_batch(batch: int, cache: Path) -> None:
    """Compare the models of some consecutive seeds."""
    for seed in range(batch * BATCH, (batch + 1) * BATCH):
        task = seeded_task(seed)
        with few_rules_are_many(seed // 4 % 2 == 1):
            assert_agreement(task.model, claims_for(task, seed), cache)


@pytest.mark.parametrize("batch", range(QUICK_BATCHES))
def test_native_and_reference_agree_on_random_models(batch, cache):
    """States, transitions, deadlocks, depth, initial states, faults and verdicts, with one and two threads."""
    compare_batch(batch, cache)


@pytest.mark.slow
@pytest.mark.parametrize("batch", range(QUICK_BATCHES, ALL_BATCHES))
def test_native_and_reference_agree_on_many_random_models(batch, cache):
    """The same for the rest of a thousand models."""
    compare_batch(batch, cache)


@pytest.mark.slow
@examples(100)
@given(task=tasks(most_states=500))
def test_native_and_reference_agree_on_models_that_shrink(task, cache):
    """The same for models that Hypothesis chooses: a disagreement is shown by a small model."""
    assert_agreement(task.model, claims_for(task, len(task.model.rules)), cache)


# One line of `.seq` for every disagreement found so far, and for corners that random models seldom reach.
CORNERS = {
    "an index outside an array of single values": """
        var x: 0..3 = 3; var y: 0..9; var a[0..2]: 5..5; rule r when x == 3 do { y := a[x]; }""",
    "an index outside an array of one element": """
        var x: 0..1 = 1; var a[0..0]: 0..3 = 2; rule r when a[x] == 2 do { x := 0; }""",
    "an index outside an array of one sequence": """
        var x: 0..1 = 1; var a[0..0]: seq[2] of 0..3 = [1]; rule r when len(a[x]) == 1 do { x := 0; }""",
    "a position outside a sequence of single values": """
        var y: 0..9; var q: seq[3] of 5..5 = []; rule r when y == 0 do { y := q[2]; }""",
    "a product of choices that needs more than 32 bits": """
        var b: bool = *; var y: 0..6;
        rule r do { y := ((if b then 65536 else 3) * (if b then 65536 else 5)) % 7; }""",
    "a sum of choices that needs more than 32 bits": """
        var b: bool = *; var y: -9..9;
        rule r do { y := ((if b then 2000000000 else 1) + (if b then 2000000000 else 1)) / 1000000000; }""",
    "a product of single values that needs more than 32 bits": """
        var k: 100000..100000; var y: 0..1000; rule r do { y := (k * k) / 100000000; }""",
    "a terminal condition that faults, and nobody asks for deadlocks": """
        var y: 0..1; terminal: 1 / y == 1; rule r when false do {} invariant p: y < 2;""",
    "a terminal condition that faults": """
        var y: 0..1; terminal: 1 / y == 1; rule r when false do {} deadlockfree p;""",
    "an initial condition that faults": """
        var y: 0..1 = *; var z: 0..3 = *; initially 3 / z > y; rule r do {}""",
    "an initial condition and a property that fault": """
        var y: 0..1 = *; var z: 0..3 = *; initially z < 3 || 1 / (z - 3) > y; rule r do {} invariant p: 3 / z > 0;""",
    "no initial state": """
        var y: 0..3 = *; initially y > 3; rule r do {} deadlockfree p; reachable q: y == 1;""",
    "both sides of an assignment fault": """
        var x: 0..3; var a[0..1]: 0..3; rule r do { a[x + 2] := 5 / x; }""",
    "a value outside its domain for a full sequence": """
        var q: seq[1] of 0..1 = [0]; var x: 0..3 = 3; rule r do { push(q, x); }""",
    "a loop without rounds": """
        var x: 0..3; rule r do { while x < 1 limit 0 { x := x + 1; } }""",
    "an empty list": """
        const T = []; var x: 0..3; rule r when x > 0 && T[x] > 0 do { x := 0; } rule s do { x := min(x + 1, 3); }""",
    "division of negative numbers": """
        var x: -3..3 = *; var y: -9..9; var z: -9..9;
        rule r do { y := x / -2; z := x % -2; } rule s do { y := x / 2; }""",
    "sequences wider than a word": """
        var q: seq[3] of 0..4000000000 = [1, 2, 3]; var a[0..2]: seq[3] of 0..4000000000 = [[1], [2, 3], []];
        var i: 0..2 = *;
        rule p when len(q) > 0 do { pop(q); } rule s when len(a[i]) > 0 do { pop(a[i]); }
        rule t when len(q) < 3 do { push(q, 4000000000); } rule c do { clear(a[i]); }""",
    "a rule with more instances than are written out": """
        var x: 0..1; var y: 0..1;
        rule r(i: 0..29, j: 0..29) when i + j == x * 20 && (exists k in 0..9: k * 3 == i) do { y := j % 2; }
        rule s do { x := 1 - x; }""",
    "a rule as loops that faults": """
        var x: 0..1; rule r(i: 0..39, j: 0..39) as r(1 / (i - 20)) when i == j && x == 1 do { x := 0; }
        rule s do { x := 1 - x; }""",
    "a rule that changes nothing": """
        var x: 0..1; rule r do {}""",
    "no variables to speak of": """
        var x: 3..3; rule r when x == 3 do { x := 3; } reachable p: x == 3;""",
}


@pytest.mark.parametrize("corner", CORNERS)
def test_native_and_reference_agree_in_the_corner_of(corner, cache):
    """Every disagreement found so far stays repaired."""
    (task,), _, _ = seq.load(Source("corner.seq", CORNERS[corner]), {})
    for seed in range(4):
        with few_rules_are_many(seed % 2 == 1):
            assert_agreement(task.model, claims_for(task, seed), cache)
