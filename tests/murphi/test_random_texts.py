"""The front end against an interpreter that knows nothing of the sequential model."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest

from burnside.frontends.murphi import load
from burnside.frontends.murphi.read.lexicon import KEYWORDS, SYMBOLS
from burnside.source import Source, render
from murphi.agreement import Outcome, compare
from murphi.generator import random_text
from support.mutations import Mutations

EXAMPLES = sorted((Path(__file__).parents[2] / "examples" / "murphi").glob("*.m"))


def agree(seeds: range) -> Counter[Outcome]:
    """Compare random texts, in either dialect."""
    return Counter(
        compare(random_text(seed), f"seed {seed}", dialect="rumur" if seed % 3 else "cmurphi", most=200)
        for seed in seeds
    )


@pytest.mark.parametrize("first", [0, 30])
def test_random_texts_mean_what_the_interpreter_says(first):
    """Many texts run without any fault; others fault in some states, and go on in others."""
    found = agree(range(first, first + 30))

    assert found[Outcome.TO_THE_END] >= 5
    assert found[Outcome.FAULTS] >= 5


@pytest.mark.slow
@pytest.mark.parametrize("first", range(1_000, 3_000, 100))
def test_many_random_texts_mean_what_the_interpreter_says(first):
    """Two thousand texts."""
    found = agree(range(first, first + 100))

    assert found[Outcome.TO_THE_END] >= 20
    assert found[Outcome.FAULTS] >= 20


def damaged(first: int, many: int) -> Counter[bool]:
    """Load damaged texts: a model or diagnostics, which can be shown."""
    texts = [*(path.read_text() for path in EXAMPLES), *(random_text(seed) for seed in range(20))]
    mutations = Mutations(texts, [*KEYWORDS, *SYMBOLS, "end", "0", "1", "A", "r", "x", "R"])
    found: Counter[bool] = Counter()
    for seed in range(first, first + many):
        text = mutations.text(random.Random(seed))
        loaded = load(Source("damaged.m", text), {})
        for diagnostic in loaded.diagnostics:
            assert render(diagnostic)
        assert loaded.tasks or loaded.diagnostics.has_errors, seed
        found[bool(loaded.tasks)] += 1
    return found


def test_damaged_texts_give_a_model_or_diagnostics():
    """Never a traceback."""
    assert damaged(0, 150)[False] >= 50


@pytest.mark.slow
@pytest.mark.parametrize("first", range(10_000, 13_000, 500))
def test_many_damaged_texts_give_a_model_or_diagnostics(first):
    """Three thousand of them."""
    assert damaged(first, 500)[False] >= 200


def test_a_comparison_with_one_is_not_the_number_itself():
    """``n = 1`` was taken for the truth value of which ``n`` is the number, so that with 2 it was undefined."""
    text = """
var b: boolean; n: 0 .. 2;
startstate begin b := true; n := 2; end;
rule begin b := n = 1; end;
"""

    assert compare(text) is Outcome.TO_THE_END


@pytest.mark.parametrize("unit", ["f(", "!", "(", "ismember(", "a[", "exists i: boolean do ", "b ? b : "])
@pytest.mark.parametrize("times", [40, 140, 10_000])
def test_deep_nesting_is_refused(unit, times):
    """Whatever is nested: there is a diagnostic."""
    text = f"var b: boolean; startstate b := true; end; rule {unit * times}b ==> end;"

    loaded = load(Source("deep.m", text), {})

    assert loaded.tasks or loaded.diagnostics.has_errors
