"""The front end against an interpreter of message servers that knows nothing of the sequential model."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from actors.generator import random_model
from actors.interpreter import Counts, explore
from burnside import pipeline
from burnside.explore.reference import explore as search
from burnside.explore.result import Exploration
from burnside.frontends.front_end import LoadOptions
from burnside.frontends.rebeca import load_with
from burnside.ir.nodes import Model
from burnside.source import Severity, Source

MODELS = Path(__file__).parents[3] / "shared" / "models" / "rebeca"
FEW = 400  # states that are searched without compiling anything
MOST = 3_000


def counted(model: Model, expected: Counts) -> Counts:
    """The figures of a compiled model."""
    found: Exploration = search(model) if expected.states < FEW else pipeline.count(model).exploration
    if found.fault_path is not None:
        return Counts(0, 0, 0, faults=True)
    return Counts(found.states, found.transitions, found.deadlocks)


def check(text: str, name: str, *, semantics: str = "paper", most: int = MOST) -> None:
    """Both have the same states, transitions and deadlocks, or both have a fault."""
    model, diagnostics = load_with(Source(name, text), {}, LoadOptions(queue_semantics=semantics))
    expected = explore(text, keeps_served=semantics == "reference", most=most)
    if model is None and any(d.code == "BUR501" for d in diagnostics):  # a constructor faults
        assert expected == Counts(0, 0, 0, faults=True)
        return
    if model is None and [d.code for d in diagnostics if d.severity is Severity.ERROR] == ["BUR901"]:
        assert "constructor" in next(iter(diagnostics)).message  # that such a choice decides about messages is refused
        return
    assert model is not None
    if expected is not None:
        found = counted(model, expected)
        if any(d.code == "BUR220" for d in diagnostics):  # said: transitions may be counted several times
            assert found.transitions >= expected.transitions
            found = replace(found, transitions=expected.transitions)
        assert found == expected


@pytest.mark.parametrize("seed", range(50))
def test_random_models_mean_what_the_interpreter_says(seed):
    check(random_model(seed), f"seed {seed}", semantics="reference" if seed % 5 == 0 else "paper")


@pytest.mark.slow
@pytest.mark.parametrize("first", range(1_000, 1_500, 50))
def test_many_random_models_mean_what_the_interpreter_says(first):
    for seed in range(first, first + 50):
        check(random_model(seed), f"seed {seed}", semantics="reference" if seed % 5 == 0 else "paper")


@pytest.mark.skipif(not MODELS.is_dir(), reason="the public models are not here")
@pytest.mark.parametrize("semantics", ["paper", "reference"])
@pytest.mark.parametrize("path", sorted(MODELS.glob("*.rebeca")), ids=lambda path: path.stem)
def test_public_models_mean_what_the_interpreter_says(path, semantics):
    if path.stem in ("phils4_alternating", "lb_dynref_2_2_2"):
        pytest.skip("many states: see the slow test")
    check(path.read_text(), path.name, semantics=semantics, most=5_000)


@pytest.mark.slow
@pytest.mark.skipif(not MODELS.is_dir(), reason="the public models are not here")
@pytest.mark.parametrize("name", ["phils4_alternating", "lb_dynref_2_2_2"])
def test_larger_public_models_mean_what_the_interpreter_says(name):
    path = MODELS / f"{name}.rebeca"
    check(path.read_text(), path.name, most=100_000)
