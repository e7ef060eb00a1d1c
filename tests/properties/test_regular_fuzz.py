"""Readers meet broken texts with diagnostics: never a traceback, never unbounded recursion or time."""

from __future__ import annotations

import random
from pathlib import Path
from time import process_time

import pytest

from burnside.cli.main import main
from burnside.regular.formats import FORMATS, read_system
from burnside.regular.report import check_library
from burnside.source import Severity, Source, render

EXAMPLES = Path(__file__).parents[2] / "examples" / "lin2016"

AUTHORS = """
model {
  systemTransitions { init: s; s -> p T/N; p -> f N/T; p -> f T/T; s -> m; m -> q N/T; q -> f T/N; loop: p, m, f;
                      accepting: f; }
  statesGuessing : 1..6;
  forcedSymmetryGenerators : (3, (0 1 2)), (2, (0 1));
  forcedSymmetryInstances : (T N N , N T N);
  outputBoundedLetters : T;
  impossible pairs : (N, T), (T, T);
  validConfigurations { init: c; c -> c N; c -> d T; d -> d N; c -> d; accepting: d; }
  off : copycat, parikh;
}
"""
LIVENESS = """
/* two players */
I0 { init: s0; s0 -> s0 N; s0 -> s1 T; s1 -> s1 N; accepting: s1; }
closedUnderTransitions;
F { start: s0; s0 -> s0 N; s0 -> s1 [T]; accept: s1; }
P1 { init: s; loop: s, e; s -> e T/T_; accepting: e; }
P2 { init: s; loop: s, e; s -> m [T_/N]; m -> e N/T; s -> n N/T; n -> e T_/N; accepting: e; }
transducerStateGuessing: 1 .. 10;
symmetries: rotation;
"""
SEEDS = {
    "regular": [p.read_text() for p in sorted(EXAMPLES.glob("*.regular"))],
    "symmetry": [AUTHORS],
    "liveness": [LIVENESS],
}
PIECES = ["(", ")", "{", "}", "[", "]", "*", "/", "|", ";", "->", "_", "any", "id", '"', "/*", "//", "@", "&", "-"]
PIECES += ["999999999999", "\x00", "é", "⊥", "\u202e", " ", "loop:", "let x = ", "pairs(", "rotation@", "find {"]
PIECES += ["off :", "{9,"]


def mutate(rng, text):
    """One to six edits: cut, copy, exchange, insert."""
    for _ in range(rng.randint(1, 6)):
        i, j = sorted(rng.randrange(len(text) + 1) for _ in range(2))
        j = min(j, i + rng.choice((1, 3, 30)))
        match rng.randrange(4):
            case 0:
                text = text[:i] + text[j:]
            case 1:
                text = text[:j] + text[i:j] * rng.choice((1, 2, 20)) + text[j:]
            case 2:
                k = rng.randrange(len(text) + 1)
                text = text[:i] + text[k : k + j - i] + text[j:]
            case _:
                text = text[:i] + rng.choice(PIECES) + text[i:]
    return text


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
        check(form, mutate(rng, rng.choice(SEEDS[form])))


@pytest.mark.slow
@pytest.mark.parametrize("form", sorted(FORMATS))
def test_many_mutated_texts_are_met_with_diagnostics(form):
    """Two thousand more for each reader."""
    rng = random.Random(form + " again")
    for _ in range(2000):
        check(form, mutate(rng, rng.choice(SEEDS[form])))


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
        path.write_text(mutate(rng, rng.choice(SEEDS[rng.choice(sorted(SEEDS))])), errors="replace")
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
