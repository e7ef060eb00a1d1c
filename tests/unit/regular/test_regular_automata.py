"""Automata and relations: against automata-lib, and against the definitions on short words."""

from __future__ import annotations

import random
from itertools import product

import pytest

from burnside.regular.alphabet import PAD, convolve
from burnside.regular.automata import (
    Dfa,
    determinise,
    difference_word,
    intersect,
    is_finite,
    minimise,
    nfa_of,
    reduce,
    reverse,
    shortest_word,
    subtract,
    unite,
    words,
)
from burnside.regular.combine import concatenate, one_of, optional, power, repeat
from burnside.regular.inclusion import missing_word
from burnside.regular.relations import (
    apply,
    badly_padded,
    both,
    compose,
    converse,
    cross,
    identity,
    is_length_preserving,
    project,
    restrict,
    universal,
)
from burnside.regular.search import TooLarge

WORDS = [w for n in range(6) for w in product((0, 1), repeat=n)]


def random_nfa(rng, symbols=(0, 1), states=4):
    edges = [(rng.randrange(states), rng.choice(symbols), rng.randrange(states)) for _ in range(7)]
    silent = [(rng.randrange(states), rng.randrange(states))] if rng.random() < 0.4 else []
    return nfa_of(edges, [0], [rng.randrange(states) for _ in range(2)], silent=silent)


def random_relation(rng):
    pairs = [(a, b) for a in (0, 1, PAD) for b in (0, 1, PAD) if (a, b) != (PAD, PAD)]
    anything = reduce(random_nfa(rng, pairs))
    return both(anything, cross(universal((0, 1)), universal((0, 1))))


def language(automaton):
    return {w for w in WORDS if automaton.accepts(w)}


def pairs_of(relation, words=WORDS):
    return {(v, w) for v in words for w in words if relation.accepts(convolve(v, w))}


@pytest.fixture(params=range(25))
def rng(request):
    return random.Random(request.param)


def test_determinising_and_minimising_keep_the_language(rng):
    """Subset construction and partition refinement change the automaton only."""
    nfa = random_nfa(rng)

    assert language(determinise(nfa)) == language(nfa) == language(reduce(nfa))


def test_minimal_automata_have_the_size_automata_lib_finds(rng):
    """An independent library agrees on the number of states (ours leave out the sink)."""
    oracle = pytest.importorskip("automata.fa.dfa")
    nfa = random_nfa(rng)
    dfa, least = determinise(nfa), reduce(nfa)
    sink = dfa.size
    table = {str(q): {str(s): str(dfa.rows[q].get(s, sink)) for s in (0, 1)} for q in range(dfa.size)}
    table[str(sink)] = {str(s): str(sink) for s in (0, 1)}
    theirs = oracle.DFA(
        states=set(table),
        input_symbols={"0", "1"},
        transitions=table,
        initial_state="0",
        final_states={str(q) for q in dfa.accepting},
    )
    needs_sink = bool(least.accepting) and any(set(row) != {0, 1} for row in least.rows)
    total = least.size + needs_sink

    assert total == len(theirs.minify().states)
    assert is_finite(dfa) == theirs.isfinite()
    assert (shortest_word(dfa) is None) == theirs.isempty()


def test_equal_languages_have_equal_minimal_automata(rng):
    """The minimal automaton is a canonical value: reversing twice gives it back."""
    least = reduce(random_nfa(rng))

    assert reduce(reverse(reduce(reverse(least)))) == least


def test_boolean_operations_are_those_of_sets(rng):
    """Union, intersection, difference, and a shortest word of the difference."""
    left, right = reduce(random_nfa(rng)), reduce(random_nfa(rng))
    a, b = language(left), language(right)

    assert language(reduce(unite([left.nfa(), right.nfa()]))) == a | b
    assert language(intersect(left, right)) == a & b
    assert language(subtract(left, right)) == a - b
    assert difference_word(left, right) == shortest_word(subtract(left, right))


def test_antichains_find_a_shortest_missing_word(rng):
    """Inclusion in a nondeterministic automaton agrees with determinising it."""
    left, right = reduce(random_nfa(rng)), random_nfa(rng)
    word, expected = missing_word(left, right), difference_word(left, determinise(right))

    assert (word is None) == (expected is None)
    if word is not None:
        assert len(word) == len(expected) and left.accepts(word) and not right.accepts(word)


def test_regular_operations_are_those_of_languages(rng):
    """Concatenation, repetition, option and powers on all short words."""
    left, right = random_nfa(rng), random_nfa(rng)
    a, b = language(left), language(right)
    joined = {v + w for v in a for w in b if len(v + w) <= 5}
    closure = {()}
    for _ in range(5):
        closure |= {v + w for v in closure for w in a if len(v + w) <= 5}

    assert language(concatenate(left, right)) == joined
    assert language(optional(repeat(left))) == closure
    assert language(power(left, 0, None)) == closure
    assert language(power(left, 2, 2)) == {v + w for v in a for w in a if len(v + w) <= 5}
    assert language(power(left, 0, 2)) == {()} | a | {v + w for v in a for w in a if len(v + w) <= 5}


def test_words_lists_a_language_by_length(rng):
    """All words of one length, each once, in order."""
    dfa = reduce(random_nfa(rng))

    assert list(words(dfa, 4)) == sorted(w for w in language(dfa) if len(w) == 4)


def test_relations_compose_as_sets_of_pairs(rng):
    """Composition through middle words of any length, converse, projections and restrictions."""
    first, second = random_relation(rng), random_relation(rng)
    longer = [w for n in range(8) for w in product((0, 1), repeat=n)]
    small = [w for w in WORDS if len(w) <= 2]
    # Middle words beyond this length only repeat states of the product.
    r = {(v, w) for v in small for w in longer if first.accepts(convolve(v, w))}
    s = {(v, w) for v in longer for w in small if second.accepts(convolve(v, w))}
    composed = compose(first, second)
    expected = {(v, w) for v, m in r for n, w in s if m == n}

    assert badly_padded(composed) is None
    assert expected <= pairs_of(composed, small)
    assert pairs_of(converse(first), small) == {(w, v) for v, w in pairs_of(first, small)}
    assert {v for v, _ in pairs_of(first)} <= language(project(first, 0))
    space = reduce(random_nfa(rng))
    inside = {(v, w) for v, w in pairs_of(first) if space.accepts(v)}
    assert pairs_of(restrict(first, inputs=space)) == inside
    assert pairs_of(restrict(first, outputs=space)) == {(v, w) for v, w in pairs_of(first) if space.accepts(w)}


def test_composition_is_exact_for_relations_that_keep_lengths(rng):
    """Without padding the middle word is as long as the others, so brute force is complete."""
    pairs = list(product((0, 1), repeat=2))
    first, second = reduce(random_nfa(rng, pairs)), reduce(random_nfa(rng, pairs))
    small = [w for w in WORDS if len(w) <= 4]
    r, s = pairs_of(first, small), pairs_of(second, small)

    assert pairs_of(compose(first, second), small) == {(v, w) for v, m in r for n, w in s if m == n}
    assert is_length_preserving(compose(first, second))


def test_images_of_a_word(rng):
    """``apply`` lists exactly the related words."""
    pairs = [*product((0, 1), repeat=2), (0, PAD), (1, PAD)]
    relation = both(reduce(random_nfa(rng, pairs)), cross(universal((0, 1)), universal((0, 1))))
    for word in WORDS[:15]:
        assert set(apply(relation, word)) == {w for w in WORDS if relation.accepts(convolve(word, w))}


def test_cross_products_pad_the_shorter_word():
    """All pairs of words, whatever their lengths."""
    left, right = universal((0,)), minimise(Dfa(({1: 1}, {}), frozenset((1,))))
    short = WORDS[:20]

    assert pairs_of(cross(left, right), short) == {(v, (1,)) for v in short if set(v) <= {0}}
    assert pairs_of(identity(right), short) == {((1,), (1,))}


def test_explosions_stop_at_a_limit():
    """The subset construction of (0|1)*0(0|1)^14 has 2^15 states; it is refused, not computed."""
    anything = one_of((0, 1))
    nfa = concatenate(concatenate(power(anything, 0, None), one_of((0,))), power(anything, 14, 14))

    with pytest.raises(TooLarge):
        determinise(nfa)
