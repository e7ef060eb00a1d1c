"""The native explorer agrees with the reference search, which is nothing but ``ir/semantics.py`` in a loop.

The runtime is compiled with tiny buffers, blocks and tables, so that even small models make the table
grow, flush buffers half way through a state's successors and keep two workers busy at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from strategies import models, seeded_model

from burnside.explore import reference
from burnside.explore.claims import Claim, claims_of
from burnside.explore.native.run import SearchOptions, explore
from burnside.explore.result import Exploration, Stop
from burnside.explore.trace import find_fault, replay
from burnside.frontends import seq
from burnside.ir.nodes import FALSE, TRUE, Model, Property, PropertyKind
from burnside.ir.printer import print_model
from burnside.source import Source

EXAMPLES = Path(__file__).parents[2] / "examples"

TINY = (
    "-O0",
    "-DBURNSIDE_ALONE=1",
    "-DBURNSIDE_CHUNK=2",
    "-DBURNSIDE_BLOCK=4",
    "-DBURNSIDE_FLUSH=4",
    "-DBURNSIDE_FIRST_BITS=4",
)

# A claim that no state decides, so that a search with claims sees the whole state space.
NEVER = Claim(Property("never", PropertyKind.REACHABLE, FALSE))
ALWAYS = Claim(Property("always", PropertyKind.INVARIANT, TRUE))

BATCH = 20
QUICK_BATCHES = 5  # 100 models in every run
ALL_BATCHES = 50  # 1,000 models in the full run


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    """A cache of compiled checkers that ends with the tests of this file."""
    return tmp_path_factory.mktemp("cache")


def claims_for(model: Model, variant: int) -> tuple[Claim, ...]:
    """No claims, the model's own, or those and one that keeps the search going to the end."""
    own = tuple(claims_of(model.properties))
    return ((), own, (*own, NEVER), (ALWAYS, *own, NEVER))[variant % 4]


def assert_agreement(model: Model, claims: Sequence[Claim], cache: Path, *, flags: Sequence[str] = TINY) -> None:
    """Every way to search natively gives what the reference gives."""
    expected = reference.explore(model, claims)
    for threads, depth_first in ((1, False), (2, False), (1, True)):
        options = SearchOptions(threads=threads, depth_first=depth_first, flags=tuple(flags), cache=cache)
        found = explore(model, claims, options=options)
        where = f"{threads} threads, {'depth' if depth_first else 'breadth'} first, {len(claims)} claims"
        try:
            assert_same(model, claims, expected, found, shortest=not depth_first)
        except AssertionError as error:
            raise AssertionError(f"{where}\n{found}\n{expected}\n{print_model(model)}") from error


def assert_same(
    model: Model, claims: Sequence[Claim], expected: Exploration, found: Exploration, *, shortest: bool
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
    model: Model, claims: Sequence[Claim], expected: Exploration, found: Exploration, *, shortest: bool
) -> None:
    """The native search faults too, in a state with a fault, at the same distance.

    With claims there is more than one right answer: claims are evaluated when a state is found, rules
    when it is expanded, and the search ends when all claims are decided, be there a fault elsewhere.
    """
    assert expected.fault_path is not None
    if claims and found.stop is Stop.DECIDED:
        assert None not in found.witnesses
        return
    assert found.stop is Stop.FAULT
    assert found.fault_path is not None
    if not expected.fault_path:
        assert len(found.fault_path) == 0
        return
    assert find_fault(model, found.fault_path[-1], claims) is not None
    replay(model, found.fault_path)
    if shortest:
        longest = len(expected.fault_path) + bool(claims)
        assert len(expected.fault_path) <= len(found.fault_path) <= longest


def compare_batch(batch: int, cache: Path) -> None:
    """Compare the models of some consecutive seeds."""
    for seed in range(batch * BATCH, (batch + 1) * BATCH):
        model = seeded_model(seed)
        assert_agreement(model, claims_for(model, seed), cache)


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
@settings(max_examples=100)
@given(model=models(most_states=500))
def test_native_and_reference_agree_on_models_that_shrink(model, cache):
    """The same for models that Hypothesis chooses: a disagreement is shown by a small model."""
    assert_agreement(model, claims_for(model, len(model.rules)), cache)
