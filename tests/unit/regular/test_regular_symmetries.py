"""The library of parameterised permutations: what it means, and what the shipped systems have of it."""

from __future__ import annotations

from itertools import product

import pytest

from burnside.regular.alphabet import Alphabet
from burnside.regular.describe import describe_permutation, write_dot
from burnside.regular.formats import load_system
from burnside.regular.instances import instance, move, position_symmetries
from burnside.regular.lettermaps import letter_maps, occurrences
from burnside.regular.library import Permutation, library, parse_permutation
from burnside.regular.process import breach, holds
from burnside.regular.pushdown import accepted_word, reflection_failure, reflection_transducer
from burnside.regular.relations import relates
from burnside.regular.symmetries import find_symmetries, groups_of
from burnside.regular.verify import verify
from burnside.source import Source

EXPECTED = {
    "herman": ["rotation"],
    "israeli_jalfon": ["rotation"],
    "israeli_jalfon_printed": [],
    "israeli_jalfon_mirrored": ["dihedral"],
    "resource_allocator": ["full@2"],
    "dining_philosophers": ["rotation"],
    "coffee_can": [],
    "lehmann_rabin": ["dihedral+letters"],
}


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_the_library_gives_the_known_groups(systems, name):
    """Herman turns; Israeli–Jalfon as printed has nothing; the allocator's clients are all alike; and so on."""
    found = find_symmetries(systems[name])

    assert [group.name for group in found.groups] == EXPECTED[name]
    assert [p.name for p in found.relabelled] == (["reflection"] if name == "lehmann_rabin" else [])


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_the_library_agrees_with_all_permutations_of_small_instances(systems, name):
    """A symmetry for every length is one of each instance, and the groups of small instances have no more."""
    system = systems[name]
    holding = find_symmetries(system).holding
    for length in range(3, 6 if system.alphabet.size < 6 else 5):
        group = set(position_symmetries(system, length))
        generated = generate([p.positions(length) for p in holding], length)
        assert generated == group, (name, length)


def generate(generators, length):
    """The group that some permutations generate, by closing under composition."""
    found = {tuple(range(length))}
    fresh = list(found)
    while fresh:
        fresh = [tuple(g[i] for i in p) for p in fresh for g in generators]
        fresh = [p for p in dict.fromkeys(fresh) if p not in found]
        found.update(fresh)
    return found


@pytest.mark.parametrize("permutation", [p for p in library(3) if p.is_regular], ids=lambda p: p.name)
@pytest.mark.parametrize("letters", [(), (2, 0, 1)])
def test_transducers_compute_their_permutations(permutation, letters):
    """The relation holds between a word and its image and nothing else, with letters renamed or not."""
    permutation = Permutation(permutation.kind, permutation.place, letters)
    relation = permutation.relation(3)
    for length in range(6):
        for word in product(range(3), repeat=length):
            image = permutation.image(word)
            assert relates(relation, word, image)
            wrong = (*image[:-1], (image[-1] + 1) % 3) if image else (0,)
            assert not relates(relation, word, wrong)


def test_rotation_over_k_letters_needs_one_plus_k_squared_states():
    """The sizes of Table 1 are forced by theory; with the first letter fixed, one state more."""
    for k in (2, 3, 4):
        assert Permutation("rotation", 1).relation(k).size == 1 + k**2
        assert Permutation("rotation", 2).relation(k).size == 2 + k**2


def test_places_count_from_both_ends():
    """Positive places from the start, negative ones from the end; short words stay."""
    assert Permutation("rotation", 1).image((1, 2, 3)) == (3, 1, 2)
    assert Permutation("rotation", 2).image((1, 2, 3, 4)) == (1, 4, 2, 3)
    assert Permutation("rotation", -2).image((1, 2, 3, 4)) == (3, 1, 2, 4)
    assert Permutation("transposition", 2).image((1, 2, 3)) == (1, 3, 2)
    assert Permutation("transposition", -1).image((1, 2, 3)) == (1, 3, 2)
    assert Permutation("transposition", -2).image((1, 2, 3)) == (2, 1, 3)
    assert Permutation("transposition", 3).image((1, 2, 3)) == (1, 2, 3)
    assert Permutation("reflection").image((1, 2, 3)) == (3, 2, 1)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("rotation@1", "rotation of positions 1..n"),
        ("rotation@-2", "rotation of positions 1..n-1"),
        ("transposition@2", "exchange of positions 2 and 3"),
        ("transposition@-1", "exchange of positions n-1 and n"),
        ("reflection", "reflection of all positions"),
        ("identity", "identity"),
    ],
)
def test_permutations_have_names_and_descriptions(name, words):
    """Names are read back; descriptions are for people."""
    permutation = parse_permutation(name)

    assert permutation.name == name
    assert describe_permutation(permutation) == words


def test_other_names_are_no_permutations():
    """Nothing is guessed."""
    for name in ("rotation", "rotation@0", "rotation@", "reflection@2", "swap@1", "rotation@1000"):
        assert parse_permutation(name) is None


def test_an_allocator_at_the_end_of_the_word_is_found_from_there():
    """The paper's remark: the library needs its variants at the end of the word."""
    text = """
    alphabet { idle, request, critical }
    configurations any* [idle critical];
    action request = id* idle/request id+;
    action grant   = id* request/critical id* idle/critical;
    action release = id* critical/idle id* critical/idle;
    """
    found = find_symmetries(load_system(Source("end.regular", text)))

    assert [group.name for group in found.groups] == ["full@-2"]
    assert found.groups[0].description == "all permutations of positions 1..n-1"


LEFT_RIGHT = """
// Neighbours on a ring: someone points left or right, and an idle process may start to point either way,
// but only where the neighbour it points to is idle. Reflected, left becomes right.
alphabet { idle, left, right }
action start = id* idle/right idle/idle id* | idle/idle id* idle/right
             | id* idle/idle idle/left id* | idle/left id* idle/idle;
action stop = id* (left/idle | right/idle) id*;
"""


def test_a_reflection_may_need_left_and_right_exchanged():
    """As in Lehmann and Rabin's philosophers: the letter permutation is found and composed in."""
    system = load_system(Source("lr.regular", LEFT_RIGHT))
    mirrored = Permutation("reflection", letters=(0, 2, 1))
    found = find_symmetries(system)

    assert breach(system, Permutation("reflection")) is not None
    assert letter_maps(system) == [(0, 2, 1)]
    assert holds(system, mirrored) and mirrored in found.relabelled
    assert reflection_failure(system, (0, 2, 1)) is None
    assert "letters exchanged: (left right)" in describe_permutation(mirrored, system.alphabet)
    for length in range(2, 6):
        single = instance(system, length)
        for steps in single.steps.values():
            assert {(mirrored.image(v), mirrored.image(w)) for v, w in steps} == steps


@pytest.mark.parametrize("name", ["rotation@2", "rotation@3", "transposition@1", "transposition@2", "rotation@-2"])
def test_words_too_short_to_be_moved_still_have_their_letters_exchanged(name):
    """A single process may turn from a to b only; in longer words both ways are open."""
    both_ways = "alphabet { a, b }\naction t = id* (a/b | b/a) id*"
    plain = parse_permutation(name)
    renamed = Permutation(plain.kind, plain.place, (1, 0))

    assert holds(load_system(Source("t.regular", f"{both_ways};")), renamed)
    lone = load_system(Source("t.regular", f"{both_ways} - b/a;"))
    assert breach(lone, renamed).words in (((0,), (1,)), ((1,), (0,)))


def test_lehmann_and_rabin_are_mirrored_with_left_and_right_exchanged(systems):
    """By the reversal test, by the pushdown transducer with letters, and step by step up to n = 4."""
    system = systems["lehmann_rabin"]
    letters = (0, 2, 1, 4, 3, 5)
    mirror = Permutation("reflection", letters=letters)

    assert holds(system, mirror) and reflection_failure(system, letters) is None
    for length in (2, 3, 4):
        for steps in instance(system, length).steps.values():
            assert {(mirror.image(v), mirror.image(w)) for v, w in steps} == steps


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_pushdown_and_reversal_agree_on_the_reflection(systems, name):
    """Theorem 6 and the reversal of the language of steps give the same answer, and the witness is one."""
    system = systems[name]
    failure = reflection_failure(system)

    assert (failure is None) == holds(system, Permutation("reflection"))
    if failure is not None and len(failure.words) == 4:
        v1, v2, w1, w2 = failure.words
        step = system.steps[failure.action]
        assert v2 == v1[::-1] and w2 == w1[::-1]
        assert relates(step, v1, w1) and not relates(step, v2, w2)


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_theorem_7_decides_the_dihedral_groups(systems, name):
    """Rotation by Theorem 3, reflection by Theorem 6."""
    system = systems[name]
    rotates = verify(system, Permutation("rotation", 1).relation(system.alphabet.size)).is_complete

    assert (rotates and reflection_failure(system) is None) == (EXPECTED[name] == ["dihedral"])


def test_the_reflection_transducer_accepts_mirror_images_only():
    """Its runs, letter by letter: the stack height after i of n letters is min(i, n - i)."""
    machine = reflection_transducer(2)
    for length in range(6):
        for left in product((0, 1), repeat=length):
            for right in product((0, 1), repeat=length):
                assert accepts(machine, tuple(zip(left, right, strict=True))) == (right == left[::-1])


def accepts(machine, columns):
    """All runs of a pushdown automaton on one word; heights of accepting runs must be those of the length."""
    runs = [(machine.start, (), ())]
    for column in columns:
        following = []
        for state, stack, heights in runs:
            following += [(q, stack, (*heights, len(stack))) for x, q in machine.keeps(state) if x == column]
            following += [
                (q, (*stack, top), (*heights, len(stack) + 1)) for x, top, q in machine.pushes(state) if x == column
            ]
            if stack:
                popped = stack[:-1]
                following += [
                    (q, popped, (*heights, len(popped))) for x, q in machine.pops(state, stack[-1]) if x == column
                ]
        runs = following
    n = len(columns)
    accepting = [heights for state, stack, heights in runs if not stack and machine.is_final(state)]
    assert all(heights == tuple(min(i, n - i) for i in range(1, n + 1)) for heights in accepting)
    return bool(accepting)


def test_emptiness_of_pushdown_automata_finds_a_shortest_word():
    """The mirror relation itself is not empty; its shortest pair is the empty one."""
    assert accepted_word(reflection_transducer(2)) == ()


def test_counts_of_letters_are_those_of_enumeration(systems):
    """The invariant behind the choice of letter permutations, by counting and by listing."""
    system = systems["resource_allocator"]
    single = instance(system, 3)
    for name, steps in single.steps.items():
        counted = occurrences(system.steps[name], 3)
        for a, b in product(range(3), repeat=2):
            assert counted[a, b] == sum((x, y) == (a, b) for v, w in steps for x, y in zip(v, w, strict=True))


def test_groups_are_named_by_what_generates_them():
    """The largest groups only."""
    every = [Permutation("rotation", 1), Permutation("transposition", 1), Permutation("reflection")]

    assert [g.name for g in groups_of(every)] == ["full"]
    assert [g.name for g in groups_of(every[:1])] == ["rotation"]
    assert [g.name for g in groups_of([every[0], every[2]])] == ["dihedral"]
    assert [g.name for g in groups_of(every[2:])] == ["reflection"]
    assert groups_of([]) == []


def test_failures_are_sentences(systems):
    """What a person reads when a permutation is no symmetry."""
    system = systems["resource_allocator"]
    reason = breach(system, Permutation("transposition", 1))
    sentence = reason.explain(system.alphabet, Permutation("transposition", 1))

    assert sentence == "'idle request' is a configuration, its image 'request idle' is not"


def test_a_failed_simulation_names_the_action(systems):
    """The step that is not matched, with its words."""
    system = systems["israeli_jalfon"]
    verdict = verify(system, Permutation("transposition", 1).relation(2))
    sentence = next(iter(verdict.failures.values())).explain(system.alphabet)

    assert not verdict.is_pattern and verdict.theorem == 3
    assert " by 'm" in sentence and " has no step to the image " in sentence


def test_state_diagrams_are_written_for_graphviz():
    """One arrow per pair of states; letters and names are escaped."""
    relation = Permutation("transposition", 1).relation(2)
    text = write_dot(relation, Alphabet(("a", 'b"')), name='x"y')

    assert text.startswith('digraph "x\\"y" {')
    assert 'q0 -> q1 [label="a/a"];' in text
    assert 'b\\"' in text and text.count("doublecircle") == len(relation.accepting)


def test_moving_letters_follows_the_convention_of_the_paper():
    """(πv)_i = v_{π⁻¹(i)}: the letter at i goes to π(i)."""
    assert move((7, 8, 9), Permutation("rotation", 1).positions(3)) == Permutation("rotation", 1).image((7, 8, 9))
