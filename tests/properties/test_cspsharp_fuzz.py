"""Whatever the text, the CSP# front end gives a model or diagnostics with codes, never a traceback."""

from __future__ import annotations

import random

import pytest

from burnside.claims.members import about_states, by_way
from burnside.claims.printer import print_task
from burnside.frontends.cspsharp import load
from burnside.frontends.seq import load as load_seq
from burnside.source import Source, render
from fuzz.texts import CSP


def check(seed: int) -> None:
    """One mutated text; a model that comes out must be one that the ``.seq`` language can express."""
    text = CSP.text(random.Random(seed))

    tasks, diagnostics, _ = load(Source(f"seed {seed}", text), {})

    assert (not tasks) == diagnostics.has_errors
    assert all(render(d) for d in diagnostics)
    for task in tasks:
        (again,), complaints, _ = load_seq(Source("printed", print_task(task)), {})
        assert list(complaints) == []
        assert again.model == task.model
        assert about_states(again.members) == about_states(task.members)
        # Atoms of formulas have other names there.
        assert [m.name for m in by_way(again.members).runs] == [m.name for m in by_way(task.members).runs]


@pytest.mark.parametrize("first", range(0, 300, 50))
def test_mutated_texts_end_in_diagnostics_or_a_model(first: int) -> None:
    for seed in range(first, first + 50):
        check(seed)


@pytest.mark.slow
def test_many_mutated_texts_end_in_diagnostics_or_a_model() -> None:
    for seed in range(1_000, 3_700):
        check(seed)


@pytest.mark.parametrize(
    "text", ["", ";", "}", "#", "#define", "#assert", "P", "P =", "P() = a", "P = a ->", "var", "var x[", "P = {", "\\"]
)
def test_texts_that_stop_early_are_explained(text: str) -> None:
    tasks, diagnostics, _ = load(Source("short", text), {})

    assert (not tasks) == diagnostics.has_errors


@pytest.mark.parametrize(
    "text",
    [
        "P = " + "(" * 2000 + "Stop" + ")" * 2000 + ";",
        "P = " + "a -> " * 2000 + "Stop;",
        "P = " + "Skip; " * 2000 + "Stop;",
        "P = [" + "!" * 2000 + "true] Stop;",
        "P = [" + "1 + " * 2000 + "1 == 2] a -> Stop;",
        "P = a -> Stop" + " \\ {a}" * 2000 + ";",
        "var x:{0..1}; P = a{" + "if (x == 0) {" * 2000 + "}" * 2000 + "} -> Stop;",
        "P = " + "[] i:{0..1}@" * 2000 + "Stop;",
        "P = a -> P; #assert P |= " + "<> " * 2000 + "a;",
        "P = a -> P; #assert P |= " + "a U " * 2000 + "a;",
        "P = a -> P; #assert P |= " + "a xor " * 2000 + "a;",
    ],
    ids=[
        *("parentheses", "prefixes", "sequences", "negations", "sums", "hidings", "branches", "indices"),
        *("formulas", "untils", "alternatives"),
    ],
)
def test_deep_texts_are_refused_politely(text: str) -> None:
    tasks, diagnostics, _ = load(Source("deep", text), {})

    assert (not tasks) == diagnostics.has_errors
