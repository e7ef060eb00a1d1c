"""Every figure that the tool prints about random models, against an interpreter that shares no code with it."""

from __future__ import annotations

from collections import Counter
from math import comb
from pathlib import Path

import pytest

from oracle.compare import EVERYTHING, Result
from oracle.features import features_of
from oracle.figures import compare, compare_orders
from oracle.models import random_model
from oracle.tool import Tool


def compare_all(seeds: range) -> Result:
    """Compare the models of some seeds; what there was to compare."""
    total = Result()
    for seed in seeds:
        _, result = compare(seed)
        assert not result.differences, (seed, *map(str, result.differences))
        total.compared += result.compared
        total.strategies += result.strategies
        total.claims += result.claims
    return total


@pytest.mark.parametrize(
    "start", [*range(0, 60, 15), *(pytest.param(k, marks=pytest.mark.slow) for k in range(60, 150, 15))]
)
def test_every_figure_is_that_of_the_interpreter(start: int) -> None:
    """States, transitions, deadlocks, depths, orbits, verdicts, lengths of traces and the traces themselves."""
    total = compare_all(range(start, start + 15))

    assert total.compared.total() > 300
    assert total.strategies.total() > 10


@pytest.mark.parametrize(
    "start", [40_000, *(pytest.param(k, marks=pytest.mark.slow) for k in range(40_025, 43_000, 25))]
)
def test_every_symmetry_is_one(start: int) -> None:
    """Nothing is compiled for these: many more models, most of whose tables are too small for what is computed."""
    found: Counter[str] = Counter()
    for seed in range(start, start + 25):
        model, result = compare(seed, detection=True)
        assert not result.differences, (seed, *map(str, result.differences))
        found += result.compared
        found.update(features_of(model))

    assert found["detect: models with symmetries"] > 10
    assert found["numbers that are collected"] > 0


@pytest.mark.parametrize(
    "start", [*range(0, 30, 15), *(pytest.param(k, marks=pytest.mark.slow) for k in range(100, 10_100, 100))]
)
def test_partial_order_answers_like_the_interpreter(start: int) -> None:
    """On models made for it, without symmetries and with them."""
    fewer = 0
    for seed in range(start, start + (15 if start < 100 else 100)):
        _, result = compare_orders(seed)
        assert not result.differences, (seed, *map(str, result.differences))
        fewer += result.compared["check: in some orders, with fewer states"]

    assert fewer > 5


@pytest.mark.slow
@pytest.mark.parametrize("start", range(1_000, 21_000, 500))
def test_every_figure_is_that_of_the_interpreter_at_length(start: int) -> None:
    """The same for 20,000 more."""
    compare_all(range(start, start + 500))


@pytest.mark.slow
@pytest.mark.parametrize("start", range(30_000, 30_500, 50))
def test_every_figure_in_every_mode(start: int) -> None:
    """All modes for one model."""
    for seed in range(start, start + 50):
        _, result = compare(seed, EVERYTHING)
        assert not result.differences, (seed, *map(str, result.differences))


def test_random_models_have_every_feature() -> None:
    """What the generator is there for occurs often enough to be tested."""
    features = Counter(f for seed in range(200) for f in features_of(random_model(seed)))

    assert len(features) > 35
    assert min(features.values()) >= 2, features.most_common()[-5:]


@pytest.mark.parametrize(("processes", "values"), [(3, 4), (12, 3), (64, 2), (65, 2), (41, 3)])
def test_orbit_sums_that_no_interpreter_can_count(processes: int, values: int, tmp_path: Path) -> None:
    """Independent counters: one orbit for each multiset of values, and the sum of their sizes is a power."""
    text = f"""
        process P = 0 .. {processes - 1};
        var x[P]: 0 .. {values - 1};
        rule r(i: P) when x[i] < {values - 1} do {{ x[i] := x[i] + 1; }}
    """
    found = Tool(text, tmp_path, nearby=1).count("unique")

    orbits = comb(processes + values - 1, values - 1)
    assert (found["states"], found["depth"], found["deadlocks"]) == (orbits, processes * (values - 1), 1)
    assert found["symmetry"]["full_states"] in (None, values**processes)
