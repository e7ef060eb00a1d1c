"""Synthesis: what is found, that it is true, and that constraints are kept."""

from __future__ import annotations

from dataclasses import replace

import pytest

from burnside.limits import LimitReached
from burnside.regular.alphabet import Alphabet, convolve
from burnside.regular.automata import reduce, subtract, unite
from burnside.regular.describe import describe_pattern, instance_of
from burnside.regular.find import describe, search
from burnside.regular.formats import load_system
from burnside.regular.instances import instance, instance_selectors
from burnside.regular.library import Permutation
from burnside.regular.relations import apply, cross, identity, relates, universal, word_language
from burnside.regular.synthesis.binary_patterns import (
    binary_shadow,
    extend_to_letters,
    is_process_pattern,
    permutes_positions,
    position_conflict,
)
from burnside.regular.synthesis.catalogue import catalogue, compute, patterns_in_catalogue
from burnside.regular.synthesis.faithful import find_patterns
from burnside.regular.synthesis.lifted import find_process_patterns
from burnside.regular.synthesis.outcome import Watch
from burnside.regular.system import Constraints, System
from burnside.regular.verify import verify
from burnside.source import Source

PROCESS = ["herman", "israeli_jalfon", "israeli_jalfon_mirrored", "resource_allocator", "dining_philosophers"]


def find_pattern(system, constraints=None, watch=None):
    """The first pattern of the faithful search, or None."""
    return next(find_patterns(system, constraints=constraints, watch=watch), None)


def check_by_brute_force(system, found, longest=7):
    """On every instance up to n = 7: a total function into the configurations that maps steps to steps."""
    for length in range(1, longest + 1):
        single = instance(system, length)
        image = {}
        for word in single.configurations:
            (image[word],) = apply(found.relation, word)
            assert image[word] in single.configurations
        for steps in single.steps.values():
            assert all((image[v], image[w]) in steps for v, w in steps)
        if found.binary is not None:
            positions = instance_of(found.binary, length)
            assert single.is_symmetry(positions)


@pytest.mark.parametrize("name", PROCESS)
def test_lifted_search_finds_a_process_symmetry_with_nothing_forced(systems, name):
    """Each found pattern is verified apart from the loop, and by brute force on small instances."""
    system = systems[name]
    found = next(find_process_patterns(system, constraints=Constraints()))

    assert verify(system, found.relation).is_complete
    assert describe(system, found).startswith(f"rotation of positions {2 if name == 'resource_allocator' else 1}..n")
    check_by_brute_force(system, found, longest=7 if system.alphabet.size == 2 else 4)


@pytest.mark.slow
@pytest.mark.parametrize("name", PROCESS)
def test_lifted_patterns_hold_in_all_instances_up_to_seven(systems, name):
    """The whole of n = 1..7, by enumeration."""
    system = systems[name]
    found = next(find_process_patterns(system, constraints=Constraints()))

    check_by_brute_force(system, found)


@pytest.mark.parametrize(("name", "states"), [("herman", 5), ("israeli_jalfon", 5)])
def test_the_faithful_loop_finds_the_published_sizes(systems, name, states):
    """From one state up, with conditions C1 to C11; brute force up to n = 7."""
    system = systems[name]
    found = find_pattern(system)

    assert found.states == states
    assert verify(system, found.relation).is_complete
    check_by_brute_force(system, found)


def test_the_faithful_loop_finds_the_parity_of_the_coffee_can(systems):
    """A function of eight states that keeps parity: the size the paper prints, and the least there is."""
    system = systems["coffee_can"]
    found = find_pattern(system)
    verdict = verify(system, found.relation)

    assert found.states == 8
    assert verdict.is_pattern and not verdict.is_complete
    check_by_brute_force(system, found)
    for length in range(3, 8):
        for word in instance(system, length).configurations:
            (image,) = apply(found.relation, word)
            assert image.count(2) == word.count(2) % 2
            assert image.count(0) <= 2  # both kinds of beans are bounded


@pytest.mark.slow
@pytest.mark.parametrize(("name", "states"), [("resource_allocator", 11), ("dining_philosophers", 17)])
def test_the_faithful_loop_finds_the_larger_published_sizes(systems, name, states):
    """The two long rows of Table 1."""
    system = systems[name]
    found = find_pattern(system)

    assert found.states == states
    assert verify(system, found.relation).is_complete
    check_by_brute_force(system, found)


def test_a_system_without_symmetry_has_no_small_pattern(systems):
    """Israeli–Jalfon as printed: the search ends with nothing, up to five states."""
    assert list(find_process_patterns(systems["israeli_jalfon_printed"], largest=5)) == []
    assert list(patterns_in_catalogue(systems["israeli_jalfon_printed"])) == []


def test_the_catalogue_answers_at_once(systems):
    """Both directions of the rotation for the rings, four patterns for the clients of the allocator."""
    names = {
        name: [describe(s, f) for f in patterns_in_catalogue(s, constraints=Constraints())]
        for name, s in systems.items()
    }

    assert names["herman"] == ["rotation of positions 1..n to the left", "rotation of positions 1..n to the right"]
    assert names["dining_philosophers"] == names["herman"] == names["israeli_jalfon"]
    assert len(names["resource_allocator"]) == 4
    assert names["coffee_can"] == []


def test_the_catalogue_holds_process_patterns_only():
    """Three with five states, six with six; each permutes positions in every length."""
    sizes = [binary.size for binary in catalogue()]

    assert sizes == [5] * 3 + [6] * 6
    for binary in catalogue():
        assert is_process_pattern(binary)
        assert permutes_positions(binary, 2)
        for length in range(1, 7):
            assert sorted(instance_of(binary, length)) == list(range(length))


def test_the_small_part_of_the_catalogue_is_recomputed():
    """What ships is what the search finds (up to five states here)."""
    assert compute(5) == [binary for binary in catalogue() if binary.size <= 5]


@pytest.mark.slow
def test_the_catalogue_is_recomputed():
    """What ships is what the search finds, in full."""
    assert compute() == list(catalogue())


def test_lifting_commutes_with_the_library():
    """The lift of the binary rotation is the rotation over more letters; and back."""
    for name in (Permutation("rotation", 1), Permutation("rotation", 2), Permutation("transposition", 1)):
        for size in (2, 3, 4):
            assert extend_to_letters(name.relation(2), size) == name.relation(size)
            assert binary_shadow(name.relation(size), size) == name.relation(2)
            assert position_conflict(name.relation(size), size) is None


def test_a_letter_permutation_permutes_no_positions():
    """Renaming letters is a bijection that keeps lengths, and is told apart from moving them."""
    renaming = Permutation("identity", letters=(1, 0)).relation(2)

    assert not permutes_positions(renaming, 2)
    assert not is_process_pattern(renaming)


def exchanging(*swaps):
    """The identity on binary words, except that some words are exchanged."""
    moved = [w for pair in swaps for w in pair]
    same = identity(universal((0, 1)))
    for word in moved:
        same = subtract(same, identity(word_language(word)))
    crossed = [cross(word_language(v), word_language(w)).nfa() for a, b in swaps for v, w in ((a, b), (b, a))]
    return reduce(unite([same.nfa(), *crossed]))


def test_bijections_that_keep_letter_counts_need_not_permute_positions():
    """Exchange two words: (C11) holds, and marks of one letter betray it."""
    relation = exchanging(((0, 0, 1), (0, 1, 0)))

    assert position_conflict(relation, 2) is not None
    assert not permutes_positions(relation, 2) and not is_process_pattern(relation)


def test_marks_alone_do_not_show_a_permutation_of_positions():
    """0011 and 1100 exchanged, all else fixed: both letters tell the same story, single marks stay, and yet."""
    relation = exchanging(((0, 0, 1, 1), (1, 1, 0, 0)))

    assert position_conflict(relation, 2) is None
    assert not permutes_positions(relation, 2) and not is_process_pattern(relation)


FREE = System(Alphabet(("a", "b")), universal((0, 1)), ())


def test_forced_words_and_generators_are_kept():
    """A generator of one length selects the direction of the rotation."""
    for positions, direction in (((1, 2, 0), "right"), ((2, 0, 1), "left")):
        found = next(find_process_patterns(FREE, constraints=Constraints(generators=(positions,))))
        assert describe(FREE, found) == f"rotation of positions 1..n to the {direction}"
    forced = Constraints(forced=(((1, 0, 0), (0, 0, 1)),))
    assert describe(FREE, next(find_process_patterns(FREE, constraints=forced))).endswith("to the left")


def test_selectors_take_the_groups_of_finite_instances(systems):
    """The groups of n = 3 and 4 guide the search to the same answer in fewer candidates."""
    system = systems["resource_allocator"]
    guided = Constraints(selectors=instance_selectors(system, (3, 4), moving=True))
    found = next(find_process_patterns(system, constraints=guided))
    unguided = next(find_process_patterns(system, constraints=Constraints()))

    assert verify(system, found.relation).is_complete
    assert found.iterations < unguided.iterations


@pytest.mark.parametrize("searcher", [find_process_patterns, lambda *a, **k: iter([find_pattern(*a, **k)])])
def test_regular_constraints_are_kept(searcher):
    """``must`` is included in the pattern, ``must not`` disjoint from it."""
    text = "alphabet { a, b }\naction t = id*;\npattern left = inverse(rotation@1);\npattern one = b/a a/a* a/b;\n"
    system = load_system(Source("t.regular", text))
    left, one = (p.relation for p in system.patterns)
    wanted = Constraints(must=(one,), states=(1, 5))
    found = next(searcher(system, constraints=wanted))
    assert found.relation == left

    other = next(searcher(system, constraints=Constraints(must_not=(one,), states=(1, 6))))
    assert other.relation != left and not relates(other.relation, (1, 0, 0), (0, 0, 1))


def test_functions_may_shorten_words():
    """With padding: map every word to its number of b, cut to one, a function with a finite image."""
    text = """
    alphabet { a, b }
    configurations any+;
    action idle = id+;
    find { kind decreasing; states 1..4; bounded any; forced a a -> a; forced b a -> b; forced a b -> a; }
    """
    system = load_system(Source("t.regular", text))
    found = find_pattern(system)

    assert verify(system, found.relation).is_pattern
    assert relates(found.relation, (0, 0), (0,)) and relates(found.relation, (1, 0), (1,))
    assert all(len(apply(found.relation, (0,) * n)) == 1 for n in range(1, 6))


def test_bijections_may_look_at_letters():
    """A system that does not mind which letter is which: renaming is a complete pattern, but no process symmetry."""
    text = """
    alphabet { up, down }
    action turn = up/down id* | down/up id*;
    find { kind complete; states 1..3; must not same(up+); }
    """
    system = load_system(Source("t.regular", text))
    found = find_pattern(system)

    assert found.states == 1 and verify(system, found.relation).is_complete
    assert found.relation == Permutation("identity", letters=(1, 0)).relation(2)


def test_generators_hold_for_instances_with_many_words():
    """More words than the solver is given at once: the rest is checked on the candidate."""
    text = """
    alphabet { a, b, c }
    action t = id*;
    find { kind process; states 10..10; generator 6 (1 2 3 4 5 6); }
    """
    system = load_system(Source("t.regular", text))
    found = find_pattern(system)

    assert found.relation == Permutation("rotation", 1).relation(3)


def test_progress_is_told_and_time_is_kept(systems):
    """The listener hears of every candidate; a limit ends the search."""
    heard = []
    found = next(find_process_patterns(systems["herman"], constraints=Constraints(), watch=Watch(heard.append)))

    assert len(heard) == found.iterations and heard[-1].refuted_by == ""
    assert [p.states for p in heard] == sorted(p.states for p in heard)
    with pytest.raises(LimitReached):
        list(find_process_patterns(systems["herman"], watch=Watch(limit=0.0)))


def test_modes_lead_to_the_same_answer(systems):
    """Catalogue, lifted and faithful search agree that Herman's ring turns."""
    system = systems["herman"]
    for mode in ("auto", "lifted", "faithful", "catalogue"):
        found = next(search(system, mode=mode))
        assert describe(system, found).startswith("rotation of positions 1..n")


def test_patterns_are_described_for_all_lengths(systems):
    """By comparing automata; a permutation outside the library is shown by its instances."""
    ring = systems["herman"]
    pairwise = catalogue()[0]

    assert describe_pattern(ring, Permutation("rotation", -2).relation(2)) == (
        "rotation of positions 1..n-1 to the right"
    )
    assert describe_pattern(ring, pairwise, pairwise).startswith("permutation of positions (n=2: (1 2), n=3: (1 2), ")
    assert describe_pattern(ring, Permutation("identity", letters=(1, 0)).relation(2)).startswith("function with")


def test_constraints_of_a_file_can_be_set_aside(systems):
    """Without its constraints the coffee can has the trivial pattern the notes warn of: everything to one word."""
    system = systems["coffee_can"]
    free = replace(Constraints(), kind="function", states=(1, 3))
    found = find_pattern(system, constraints=free)

    assert found is not None and verify(system, found.relation).is_pattern
    assert found.relation.accepts(convolve((1, 1, 3), apply(found.relation, (1, 1, 3))[0]))
