"""Whatever the text, the Rebeca front end gives a model or diagnostics with codes, never a traceback."""

from __future__ import annotations

import random

import pytest

from burnside.claims.members import about_states
from burnside.claims.printer import print_task
from burnside.frontends.kit.options import Options
from burnside.frontends.rebeca import load
from burnside.frontends.seq import load as load_seq
from burnside.source import Source, render
from fuzz.texts import PROPERTIES, REBECA


def outcome(seed: int) -> str:
    """What comes of one mutated text; a model must be one that the ``.seq`` language can express."""
    chance = random.Random(seed)
    text = REBECA.text(chance)
    properties = Source("properties", PROPERTIES.text(chance)) if seed % 4 == 0 else None

    tasks, diagnostics, _ = load(Source(f"seed {seed}", text), {}, Options({"property_file": properties}))

    assert (not tasks) == diagnostics.has_errors
    assert all(render(d) for d in diagnostics)
    if not tasks:
        return "refused with diagnostics"
    (task,) = tasks
    printed = print_task(task)
    (again,), complaints, _ = load_seq(Source("printed", printed), {})
    assert list(complaints) == []
    # Atoms are named as their authors wrote them: formulas are compared as they are printed.
    assert again.model == task.model
    assert about_states(again.members) == about_states(task.members)
    assert print_task(again) == printed
    return "a model with warnings" if len(diagnostics) else "a model"


@pytest.mark.parametrize("first", range(0, 200, 50))
def test_mutated_texts_end_in_diagnostics_or_a_model(first: int) -> None:
    for seed in range(first, first + 50):
        assert outcome(seed)


@pytest.mark.slow
def test_many_mutated_texts_end_in_diagnostics_or_a_model() -> None:
    for seed in range(1_000, 3_000):
        assert outcome(seed)


@pytest.mark.parametrize(
    "text",
    [
        *("", ";", "}", "env", "env int", "reactiveclass", "reactiveclass A", "reactiveclass A(", "reactiveclass A {"),
        *("main", "main {", "main { A", "main { A a(", "reactiveclass A { msgsrv", "reactiveclass A { msgsrv m() {"),
        *("interface", "@"),
    ],
)
def test_texts_that_stop_early_are_explained(text: str) -> None:
    tasks, diagnostics, _ = load(Source("short", text), {})

    assert not tasks
    assert diagnostics.has_errors


@pytest.mark.parametrize(
    "body",
    [
        "x = " + "(" * 2000 + "1" + ")" * 2000 + ";",
        "x = " + "1 + " * 2000 + "1;",
        "b = " + "!" * 2000 + "true;",
        "if (b) { " * 2000 + "}" * 2000,
        "if (b) { } else " * 2000 + "{ }",
        "x" + "[0]" * 2000 + " = 1;",
        "x = " + "b ? 1 : " * 2000 + "2;",
        "x = " + "x = " * 2000 + "2;",
        "self" + ".m()" * 2000 + ";",
    ],
    ids=["parentheses", "sums", "negations", "branches", "elses", "indices", "conditionals", "assignments", "members"],
)
def test_deep_texts_are_refused_politely(body: str) -> None:
    text = f"reactiveclass A(2) {{ statevars {{ int x; boolean b; }} msgsrv m() {{ {body} }} }} main {{ A a():(); }}"
    tasks, diagnostics, _ = load(Source("deep", text), {})

    assert not tasks
    assert diagnostics.has_errors


@pytest.mark.parametrize(
    "members",
    [
        "msgsrv m() { " + "".join(f"for (int i{k} = 0; i{k} < 8; i{k}++) {{ " for k in range(20)) + "x++;" + "}" * 21,
        "msgsrv m() { "
        + "".join(f"for (int i{k} = 0; i{k} < 8; i{k}++) {{ " for k in range(20))
        + "x = ?(0, 1);"
        + "}" * 21,
        "int f0() { return 1; } "
        + " ".join(f"int f{k + 1}() {{ if (x > 0) {{ x = f{k}() + f{k}(); }} return x; }}" for k in range(15))
        + " msgsrv m() { x = f15(); }",
    ],
    ids=["loops", "loops with choices", "methods"],
)
def test_texts_that_grow_when_they_are_written_out_end_soon(members: str) -> None:
    """Loops in loops and methods in methods double at every level: a model or a diagnostic, but not never."""
    text = f"reactiveclass A(2) {{ statevars {{ int x; }} {members} }} main {{ A a():(); }}"
    _, diagnostics, _ = load(Source("growing", text), {})

    assert {d.code for d in diagnostics} <= {"BUR502", "BUR901", "BUR104"}
