"""Readers meet broken texts with diagnostics: never a traceback, never unbounded recursion or time."""

from __future__ import annotations

import random
from time import process_time

import pytest

from burnside.cli.main import main
from burnside.regular.formats import FORMATS, read_system
from burnside.regular.report import check_library
from burnside.source import Severity, Source, render
from fuzz.texts import REGULAR


def check(form, text):
    """The outcome is a system, or errors that can be shown; within a moment."""
    started = process_time()
    system, diagnostics = read_system(Source("fuzz", text), form=form)
    shown = [render(d) for d in diagnostics]
    assert process_time() - started < 20
    assert (system is None) == any(d.severity is Severity.ERROR for d in diagnostics)
    assert len(shown) <= 50
    if system is not None and system.step.size < 40 and system.alphabet.size < 6:
        check_library(system, depth=1)


@pytest.mark.parametrize("form", sorted(FORMATS))
def test_mutated_texts_are_met_with_diagnostics(form):
    """Seven hundred mutations for each reader, two thousand in all."""
    rng = random.Random(form)
    for _ in range(700):
        check(form, REGULAR[form].text(rng))


@pytest.mark.slow
@pytest.mark.parametrize("form", sorted(FORMATS))
def test_many_mutated_texts_are_met_with_diagnostics(form):
    """Two thousand more for each reader."""
    rng = random.Random(form + " again")
    for _ in range(2000):
        check(form, REGULAR[form].text(rng))


HOSTILE = [
    "",
    "(" * 20_000,
    "alphabet { a }\nconfigurations " + "(" * 5000 + "a" + ")" * 5000 + ";\naction t = id;",
    "alphabet { a }\nconfigurations a" + "?" * 5000 + ";\naction t = id;",
    "alphabet { a }\nconfigurations a" + "*" * 5000 + ";\naction t = id;",
    "alphabet { a }\nconfigurations " + "a " * 5000 + ";\naction t = id;",
    "alphabet { a, b }\nconfigurations " + " | ".join(["a b"] * 3000) + ";\naction t = id;",
    "alphabet { a }\nconfigurations ((((a{100}){100}){100}){100});\naction t = id;",
    "alphabet { a, b }\nconfigurations " + " & ".join(["any* a any{8}"] * 40) + ";\naction t = id;",
    "alphabet { a }\n" + "".join(f"let x{i} = {f'x{i - 1} x{i - 1}' if i else 'a'};\n" for i in range(300)),
    "alphabet { " + ", ".join(f"a{i}" for i in range(5000)) + " }\naction t = any*;",
    "alphabet { a }\naction t = " + "inverse(" * 3000 + "id" + ")" * 3000 + ";",
    "model { systemTransitions {" * 1000,
    "model { systemTransitions { init: s0;"
    + "".join(f"s{i} -> s{i + 1} a/b;" for i in range(6000))
    + "accepting: s9; } }",
    "model { systemTransitions { init: s; s -> s a/b; accepting: s; } forcedSymmetryGenerators : "
    + "(3, (0 1 2)), " * 2000,
    "I0 {" * 1000,
    "I0 { init: s0; " + "".join(f"s{i} -> s{i + 1};" for i in range(3000)) + " accepting: s0; }",
]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_texts_end_quickly(text):
    """Deep nesting, explosions and endless lists are refused or read, in any format."""
    for form in FORMATS:
        check(form, text)


COMMANDS = [
    ("check",),
    ("check", "--pattern", "reflection"),
    ("check", "--pattern", "rotation@1"),
    ("find", "--count", "3"),
    ("find", "--mode", "lifted"),
    ("find", "--mode", "faithful"),
    ("find", "--mode", "catalogue"),
    ("image", "--pattern", "rotation@1"),
    ("image", "--pattern", "parity"),
]


def run_commands(seeds, path, capsys):
    """Commands on mutated texts end with an answer, a diagnostic or a limit."""
    for seed in seeds:
        rng = random.Random(f"commands {seed}")
        path.write_text(REGULAR[rng.choice(sorted(REGULAR))].text(rng), errors="replace")
        command, *options = rng.choice(COMMANDS)
        code = main(["pattern", command, str(path), *options, "--time", "0.3", "--memory", "500M"])
        shown = capsys.readouterr()
        assert code in (0, 1, 3, 4), (seed, shown.err)
        assert shown.out or shown.err


def test_commands_on_mutated_texts_end(tmp_path, capsys):
    """A hundred in the quick run."""
    run_commands(range(100), tmp_path / "t.regular", capsys)


@pytest.mark.slow
def test_commands_on_many_mutated_texts_end(tmp_path, capsys):
    """A thousand more."""
    run_commands(range(100, 1100), tmp_path / "t.regular", capsys)
