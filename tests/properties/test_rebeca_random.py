"""The front end against an interpreter of message servers that knows nothing of the sequential model."""

from __future__ import annotations

from collections import Counter
from itertools import count
from pathlib import Path

import pytest

from actors.agreement import Outcome, Setting, compare
from actors.arithmetic import random_computation
from actors.generator import random_model

MODELS = Path(__file__).parents[3] / "shared" / "models" / "rebeca"
LARGE = ("phils4_alternating", "lb_dynref_2_2_2")


def agree(first: int, wanted: int) -> Counter[Outcome]:
    """Compare random models until some have been compared to the end."""
    found: Counter[Outcome] = Counter()
    for seed in count(first):
        setting = Setting("reference" if seed % 5 == 0 else "paper", created=2)
        found[compare(random_model(seed), f"seed {seed}", setting)] += 1
        if found[Outcome.TO_THE_END] == wanted:
            break
    return found


@pytest.mark.parametrize(
    ("first", "wanted"),
    [
        *((k, 2) for k in (0, 100, 200)),
        *(pytest.param(k, 8, marks=pytest.mark.slow) for k in (2, 102, 202)),
        *(pytest.param(k, 10, marks=pytest.mark.slow) for k in (300, 400)),
    ],
)
def test_random_models_mean_what_the_interpreter_says(first, wanted):
    """Most models are compared to the end; the others have faults or too many states."""
    found = agree(first, wanted)

    assert found.total() <= 2 * wanted + 1


@pytest.mark.slow
@pytest.mark.parametrize("first", range(1_000, 6_000, 500))
def test_many_random_models_mean_what_the_interpreter_says(first):
    """Transitions are overcounted, with a warning, in few models only."""
    found = agree(first, 50)

    assert found.total() <= 80
    assert found[Outcome.OVERCOUNTED] <= 2


def compute(first: int, many: int) -> Counter[Outcome]:
    """Compare random computations."""
    settings = (
        (seed, Setting("reference" if seed % 5 == 0 else "paper", most=300)) for seed in range(first, first + many)
    )
    return Counter(compare(random_computation(seed), f"seed {seed}", setting) for seed, setting in settings)


@pytest.mark.parametrize(("first", "many"), [(0, 8), pytest.param(8, 30, marks=pytest.mark.slow)])
def test_random_computations_have_the_right_results(first, many):
    """Numbers of all types, loops of every form, effects within expressions."""
    found = compute(first, many)

    assert found[Outcome.TO_THE_END] >= 0.75 * many


@pytest.mark.slow
@pytest.mark.parametrize("first", range(1_000, 3_000, 200))
def test_many_random_computations_have_the_right_results(first):
    """Few of them have a fault, and in few transitions are overcounted, with a warning."""
    found = compute(first, 200)

    assert found[Outcome.TO_THE_END] >= 160


@pytest.mark.skipif(not MODELS.is_dir(), reason="the public models are not here")
@pytest.mark.parametrize("semantics", ["paper", pytest.param("reference", marks=pytest.mark.slow)])
@pytest.mark.parametrize("path", sorted(MODELS.glob("*.rebeca")), ids=lambda path: path.stem)
def test_public_models_mean_what_the_interpreter_says(path, semantics):
    if path.stem in LARGE:
        pytest.skip("many states: see the slow test")

    assert compare(path.read_text(), path.name, Setting(semantics, most=5_000)) in (Outcome.TO_THE_END, Outcome.FAULT)


@pytest.mark.slow
@pytest.mark.skipif(not MODELS.is_dir(), reason="the public models are not here")
@pytest.mark.parametrize("name", LARGE)
def test_larger_public_models_mean_what_the_interpreter_says(name):
    path = MODELS / f"{name}.rebeca"

    assert compare(path.read_text(), path.name, Setting(most=100_000)) is Outcome.TO_THE_END
