"""Whatever the text, the ``.seq`` front end gives a model or diagnostics with codes, never a traceback."""

import random

import pytest

from burnside.claims.printer import print_task
from burnside.frontends.seq import load
from burnside.source import Source, render
from fuzz.texts import SEQ


def check(seed: int) -> None:
    """One mutated text; a model that comes out must print and read back."""
    text = SEQ.text(random.Random(seed))

    tasks, diagnostics, _ = load(Source(f"seed {seed}", text), {})

    assert (not tasks) == diagnostics.has_errors
    assert all(render(d) for d in diagnostics)
    for task in tasks:
        again, complaints, _ = load(Source("printed", print_task(task)), {})
        assert list(complaints) == []
        assert again == (task,)


@pytest.mark.parametrize("first", range(0, 200, 50))
def test_mutated_texts_end_in_diagnostics_or_a_model(first: int) -> None:
    for seed in range(first, first + 50):
        check(seed)


@pytest.mark.slow
def test_many_mutated_texts_end_in_diagnostics_or_a_model() -> None:
    for seed in range(1_000, 3_000):
        check(seed)


@pytest.mark.parametrize(
    "text", ["", ";", "}", "rule", "rule r", "rule r do {", "var", "var x[", "const a = [[[", "\\"]
)
def test_texts_that_stop_early_are_explained(text: str) -> None:
    tasks, diagnostics, _ = load(Source("short", text), {})

    assert (not tasks) == diagnostics.has_errors
