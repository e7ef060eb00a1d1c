"""Whatever the text, the CSP# front end gives a model or diagnostics with codes, never a traceback."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from burnside.frontends.cspsharp import load
from burnside.frontends.cspsharp.lexicon import KEYWORDS, LEXICON, SYMBOLS
from burnside.frontends.seq import load as load_seq
from burnside.ir.printer import print_model
from burnside.source import Diagnostics, Source, render

ROOT = Path(__file__).parents[2]
SIZES = {"#define N 9;": "#define N 3;", "#define N 10;": "#define N 3;", "#define N 12;": "#define N 3;"}
SIZES |= {"#define N 15;": "#define N 5;", "#define D 5;": "#define D 2;", "#define W 4;": "#define W 2;"}


def small(text: str) -> str:
    """An example with small constants, so that a thousand variations of it take seconds."""
    for large, little in SIZES.items():
        text = text.replace(large, little)
    return text


PLACES = ("examples/zhang2013", "tests/unit/cspsharp/conformance", "tests/unit/cspsharp/bad")
TEXTS = [small(p.read_text()) for place in PLACES for p in sorted((ROOT / place).glob("*.csp"))]
WORDS = {t.text for text in TEXTS for t in LEXICON.scan(Source("", text), Diagnostics())}
TOKENS = sorted(WORDS | {*KEYWORDS, *SYMBOLS, "#define", "#assert", "#alphabet", "deadlockfree", "reaches", "refines"})
ODD = ["\x00", "\ufeff", "é", "\u202e", "٣", "²", '"', "/*", "\\", "\r", "9" * 400, "(", "{", "[", "..", "*", "->", "@"]


def mutate(text: str, chance: random.Random) -> str:
    """A few random cuts, insertions, doublings and swaps of pieces of a text."""
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(text) + 1)
        size = chance.choice([1, 1, 2, 5, 20, 100])
        match chance.randrange(6):
            case 0:
                text = text[:at] + text[at + size :]
            case 1:
                text = text[:at] + f" {chance.choice(TOKENS)} " + text[at:]
            case 2:
                text = text[:at] + chance.choice(ODD) + text[at:]
            case 3:
                text = text[:at] + text[at : at + size] * chance.choice([2, 3, 200]) + text[at + size :]
            case 4:
                other = chance.choice(TEXTS)
                start = chance.randrange(len(other) + 1)
                text = text[:at] + other[start : start + size] + text[at:]
            case _:
                words = text.split(" ")
                i, j = chance.randrange(len(words)), chance.randrange(len(words))
                words[i], words[j] = words[j], words[i]
                text = " ".join(words)
    return text


def check(seed: int) -> None:
    """One mutated text; a model that comes out must be one that the ``.seq`` language can express."""
    chance = random.Random(seed)
    text = mutate(chance.choice(TEXTS), chance)

    model, diagnostics = load(Source(f"seed {seed}", text), {})

    assert (model is None) == diagnostics.has_errors
    assert all(render(d) for d in diagnostics)
    if model is not None:
        again, complaints = load_seq(Source("printed", print_model(model)), {})
        assert list(complaints) == []
        assert again == model


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
    model, diagnostics = load(Source("short", text), {})

    assert (model is None) == diagnostics.has_errors


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
    ],
    ids=["parentheses", "prefixes", "sequences", "negations", "sums", "hidings", "branches", "indices"],
)
def test_deep_texts_are_refused_politely(text: str) -> None:
    model, diagnostics = load(Source("deep", text), {})

    assert (model is None) == diagnostics.has_errors
