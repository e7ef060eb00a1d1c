"""Automata of formulas against the definition of the logic on periodic words, and against Spot."""

from __future__ import annotations

from random import Random

import pytest

from burnside.ltl.automaton import EMPTY
from burnside.ltl.formula import Formula, always, atom, conjunction, eventually, following, implication, negation, until
from burnside.ltl.hoa import hoa_text
from burnside.ltl.spot import is_installed, load_spot, spot_text, translate_by_spot
from burnside.ltl.translate import TooLarge, translate
from support.ltl_words import accepts, intersect, random_formula, random_word, satisfies

A, B = atom("a"), atom("b")


@pytest.mark.parametrize("seed", range(200))
def test_an_automaton_accepts_exactly_the_words_that_satisfy_its_formula(seed: int) -> None:
    """On a dozen periodic words for each of two hundred formulas."""
    random = Random(seed)
    formula = random_formula(random, 4)
    automaton = translate(formula)
    for _ in range(12):
        letters, back = random_word(random)
        assert accepts(automaton, letters, back) == satisfies(letters, back, formula), str(formula)


@pytest.mark.parametrize("seed", range(100))
def test_negation_is_negation(seed: int) -> None:
    """A word satisfies a formula or its negation, never both; laws applied while building change nothing."""
    random = Random(seed)
    formula = random_formula(random, 4)
    for _ in range(12):
        letters, back = random_word(random)
        assert satisfies(letters, back, formula) != satisfies(letters, back, negation(formula)), str(formula)
    assert negation(negation(formula)) == formula


def check_against_spot(seed: int) -> None:
    """Equal languages: neither accepts a word that the other's automaton of the negation accepts."""
    formula = random_formula(Random(seed), 4)
    opposite = negation(formula)
    assert not intersect(translate(formula), translate_by_spot(opposite)), str(formula)
    assert not intersect(translate_by_spot(formula), translate(opposite)), str(formula)


@pytest.mark.skipif(not is_installed(), reason="needs Spot")
@pytest.mark.parametrize("start", range(0, 200, 20))
def test_languages_are_those_of_spot(start: int) -> None:
    """Two hundred formulas."""
    for seed in range(start, start + 20):
        check_against_spot(seed)


@pytest.mark.slow
@pytest.mark.skipif(not is_installed(), reason="needs Spot")
@pytest.mark.parametrize("start", range(200, 2200, 200))
def test_languages_are_those_of_spot_at_length(start: int) -> None:
    """Two thousand formulas more."""
    for seed in range(start, start + 200):
        check_against_spot(seed)


@pytest.mark.parametrize(
    ("formula", "states"),
    [
        (always(eventually(A)), 1),
        (eventually(always(A)), 2),
        (negation(always(implication(A, eventually(B)))), 2),
        (until(A, B), 2),
        (following(following(A)), 4),
    ],
    ids=str,
)
def test_automata_of_common_formulas_are_small(formula: Formula, states: int) -> None:
    """As small as anybody's."""
    assert len(translate(formula)) == states


def test_a_contradiction_accepts_nothing() -> None:
    """Unsatisfiable formulas have the empty automaton."""
    assert translate(negation(implication(always(A), eventually(A)))) == EMPTY


def test_what_grows_too_large_is_refused() -> None:
    """A conjunction of many eventualities has exponentially many states."""
    wide = [eventually(until(atom(f"p{k}"), following(atom(f"q{k}")))) for k in range(24)]
    with pytest.raises(TooLarge):
        translate(conjunction(wide))


@pytest.mark.skipif(not is_installed(), reason="needs Spot")
@pytest.mark.parametrize("seed", range(30))
def test_the_hanoi_format_is_read_by_spot(seed: int) -> None:
    """As an automaton for the same words."""
    spot = load_spot()
    formula = random_formula(Random(seed), 4)
    automaton = spot.automaton(hoa_text(translate(formula), 'a "name"'))

    assert spot.are_equivalent(automaton, spot_text(formula, {name: name for name in "abc"}))
