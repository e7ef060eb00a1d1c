"""Whatever the text, the ``.diagram`` front end gives a model or diagnostics with codes, never a traceback."""

from __future__ import annotations

import random

import pytest

from burnside.claims.printer import print_task
from burnside.frontends.diagram import load
from burnside.frontends.seq import load as load_seq
from burnside.source import Source, render
from fuzz.texts import DIAGRAM


def check(seed: int) -> bool:
    """One mutated text; a model that comes out must be one that the ``.seq`` language can express."""
    tasks, diagnostics, _ = load(Source(f"seed {seed}", DIAGRAM.text(random.Random(seed))), {})

    assert (not tasks) == diagnostics.has_errors
    assert all(render(d) for d in diagnostics)
    for task in tasks:
        again, complaints, _ = load_seq(Source("printed", print_task(task)), {})
        assert list(complaints) == []
        assert again == (task,)
    return bool(tasks)


@pytest.mark.parametrize("first", range(0, 400, 100))
def test_mutated_texts_end_in_diagnostics_or_a_model(first: int) -> None:
    for seed in range(first, first + 100):
        check(seed)


@pytest.mark.slow
def test_many_mutated_texts_end_in_diagnostics_or_a_model() -> None:
    assert sum(map(check, range(1_000, 5_000))) > 200


@pytest.mark.parametrize(
    "text", ["", ";", "}", "edge", "edge e", "edge e(", "local", "process P =", "const a = [[[", "\\"]
)
def test_texts_that_stop_early_are_explained(text: str) -> None:
    tasks, diagnostics, _ = load(Source("short", text), {})

    assert (not tasks) == diagnostics.has_errors


@pytest.mark.parametrize(
    "expression",
    ["(" * 2000 + "true" + ")" * 2000, "!" * 2000 + "true", "1 + " * 2000 + "1 == 2", "true => " * 2000 + "true"],
    ids=["parentheses", "negations", "sums", "implications"],
)
def test_deep_texts_are_refused_politely(expression: str) -> None:
    text = f"process P = 1 .. 2; local at = {{ a }}; error e: {expression};"

    tasks, diagnostics, _ = load(Source("deep", text), {})

    assert not tasks
    assert [d.code for d in diagnostics] == ["BUR104"]
