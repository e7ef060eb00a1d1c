"""Every answer of ``verify`` is the answer of brute force over all short words."""

from __future__ import annotations

import random
from collections import defaultdict
from itertools import product

import pytest

from burnside.regular.alphabet import PAD, Alphabet, convolve
from burnside.regular.automata import Dfa, minimise, reduce, unite
from burnside.regular.library import Permutation, library
from burnside.regular.process import breach
from burnside.regular.pushdown import reflection_failure
from burnside.regular.relations import badly_padded, both, cross, restrict, universal
from burnside.regular.system import Action, System
from burnside.regular.verify import Condition, unmatched_step, unmatched_step_general, verify

LONGEST = 6


def random_dfa(rng, symbols, *, states, density):
    rows = [{s: rng.randrange(states) for s in symbols if rng.random() < density} for _ in range(states)]
    accepting = frozenset(q for q in range(states) if rng.random() < 0.6)
    return minimise(Dfa(tuple(rows), accepting))


def random_step(rng, size):
    """A few idle processes around one or two local moves, or any automaton at all."""
    pairs = list(product(range(size), repeat=2))
    if rng.random() < 0.5:
        # Complete automata reject by their states only, partial ones mostly by missing transitions.
        return random_dfa(rng, pairs, states=rng.randint(1, 4), density=rng.choice((0.5, 1.0)))
    local = {rng.choice(pairs) for _ in range(rng.randint(1, 2))}
    rows = ({**{(a, a): 0 for a in range(size)}, **dict.fromkeys(local, 1)}, {(a, a): 1 for a in range(size)})
    return minimise(Dfa(rows, frozenset((1,))))


def random_relation(rng, size):
    """A library relation, a union of two, or any automaton, perhaps with padding."""
    choice = rng.random()
    regular = [p for p in library(2) if p.is_regular]
    if choice < 0.3:
        return rng.choice(regular).relation(size)
    if choice < 0.45:
        return reduce(unite(rng.choice(regular).relation(size).nfa() for _ in range(2)))
    pairs = list(product(range(size), repeat=2))
    if choice < 0.75:
        return random_dfa(rng, pairs, states=rng.randint(1, 4), density=0.6)
    padded = pairs + [(a, PAD) for a in range(size)] + ([(PAD, a) for a in range(size)] if rng.random() < 0.3 else [])
    anything = random_dfa(rng, padded, states=rng.randint(1, 4), density=0.6)
    return both(anything, cross(universal(range(size)), universal(range(size))))


def random_system(rng):
    size = rng.choice((2, 2, 2, 2, 3))
    space = universal(range(size)) if rng.random() < 0.5 else random_dfa(rng, range(size), states=2, density=0.9)
    actions = tuple(Action(f"a{i}", random_step(rng, size)) for i in range(rng.choice((1, 1, 2))))
    return System(Alphabet(tuple("abc"[:size])), space, actions)


class Brute:
    """The definitions, word by word, over all words up to a length."""

    def __init__(self, system, relation, longest):
        letters = system.alphabet.letters
        self.relation, self.configurations = relation, system.configurations
        self.words = [w for n in range(longest + 1) for w in product(letters, repeat=n)]
        self.space = {w for w in self.words if system.configurations.accepts(w)}
        self.related = defaultdict(set)
        for columns in short_words(relation, longest):
            left, right = (tuple(c[i] for c in columns if c[i] != PAD) for i in (0, 1))
            if left in self.space:
                self.related[left].add(right)
        self.steps = {a.name: defaultdict(set) for a in system.actions}
        for action in system.actions:
            for columns in short_words(action.relation, longest):
                left, right = (tuple(c[i] for c in columns) for i in (0, 1))
                if left in self.space and right in self.space:
                    self.steps[action.name][left].add(right)

    def has_partner(self, word, track):
        """Whether a configuration of any length is related to ``word``: all ends of all runs, beside the other word."""
        ends = {(0, 0)}
        for letter in word:
            ends = self.onward(ends, letter, track)
        known = set(ends)
        while ends := self.onward(ends, PAD, track) - known:
            known |= ends
        return any(r in self.relation.accepting and s in self.configurations.accepting for r, s in known)

    def onward(self, ends, letter, track):
        moves = (
            (pair[1 - track], t, s)
            for r, s in ends
            for pair, t in self.relation.rows[r].items()
            if pair[track] == letter
        )
        return {(t, s if other == PAD else self.configurations.step(s, other)) for other, t, s in moves}

    def failures(self):
        found = set()
        inside = {v: {w for w in ws if w in self.space} for v, ws in self.related.items()}
        origins = defaultdict(set)
        for v, ws in self.related.items():
            if ws - self.space:
                found.add(Condition.INSIDE)
            for w in inside[v]:
                origins[w].add(v)
                found |= {Condition.LENGTH_DECREASING} if len(w) > len(v) else set()
                found |= {Condition.LENGTH_PRESERVING} if len(w) != len(v) else set()
        if any(len(ws) > 1 for ws in inside.values()):
            found.add(Condition.FUNCTIONAL)
        if any(len(vs) > 1 for vs in origins.values()):
            found.add(Condition.INJECTIVE)
        if any(not self.has_partner(v, 0) for v in self.space):
            found.add(Condition.TOTAL)
        if any(not self.has_partner(w, 1) for w in self.space):
            found.add(Condition.SURJECTIVE)
        for steps in self.steps.values():
            for v1, targets in steps.items():
                for w1 in targets:
                    if any(not (steps.get(v2, set()) & inside.get(w1, set())) for v2 in inside.get(v1, ())):
                        found.add(Condition.SIMULATION)
        return found


def short_words(dfa, longest):
    level = [((), 0)]
    for _ in range(longest + 1):
        yield from (word for word, q in level if q in dfa.accepting)
        level = [((*word, s), t) for word, q in level for s, t in dfa.rows[q].items()]


def check(seed):
    """One random system and relation: conditions, witnesses and the two theorems."""
    rng = random.Random(seed)
    system = random_system(rng)
    relation = random_relation(rng, system.alphabet.size)
    assert badly_padded(relation) is None
    longest = LONGEST if system.alphabet.size == 2 else 4
    verdict = verify(system, relation)
    brute = Brute(system, relation, longest).failures()
    for condition in Condition:
        failure = verdict.failures.get(condition)
        if failure is not None:
            check_witness(system, relation, failure)
        short = failure is not None and max(map(len, failure.words), default=0) <= longest
        assert short == (condition in brute), (seed, condition, failure, brute)
    check_theorems(system, relation, verdict)
    return verdict


def check_witness(system, relation, failure):
    """The words of a failure really show it."""
    space, words = system.configurations, failure.words
    related = lambda v, w: relation.accepts(convolve(v, w))  # noqa: E731
    match failure.condition:
        case Condition.LENGTH_DECREASING | Condition.LENGTH_PRESERVING:
            assert related(*words) and len(words[0]) != len(words[1]) and all(space.accepts(w) for w in words)
        case Condition.INSIDE:
            assert space.accepts(words[0]) and related(*words) and not space.accepts(words[1])
        case Condition.TOTAL:
            assert space.accepts(words[0])
            assert not any(space.accepts(w) for w in partners(relation, words[0], 0))
        case Condition.FUNCTIONAL:
            assert related(words[0], words[1]) and related(words[0], words[2]) and words[1] != words[2]
        case Condition.INJECTIVE:
            assert related(words[1], words[0]) and related(words[2], words[0]) and words[1] != words[2]
        case Condition.SURJECTIVE:
            assert space.accepts(words[0])
            assert not any(space.accepts(v) for v in partners(relation, words[0], 1))
        case Condition.SIMULATION:
            v1, v2, w1 = words[:3]
            step = system.steps[failure.action]
            assert step.accepts(convolve(v1, w1)) and related(v1, v2)
            answers = product(system.alphabet.letters, repeat=len(v2)) if len(v2) < 9 else ()
            assert not any(step.accepts(convolve(v2, w2)) and related(w1, w2) for w2 in answers)


def partners(relation, word, track):
    """All words related to ``word``, which stands on one track; longer ones only as far as states could differ."""
    found, level = [], [((), 0)]
    for i in range(len(word) + relation.size + 1):
        letter = word[i] if i < len(word) else PAD
        if i >= len(word):
            found += [partner for partner, q in level if q in relation.accepting]
        level = [
            ((*partner, pair[1 - track]) if pair[1 - track] != PAD else partner, t)
            for partner, q in level
            for pair, t in relation.rows[q].items()
            if pair[track] == letter
        ][:2000]
    return found


def check_theorems(system, relation, verdict):
    """On total functions both theorems give the same answer."""
    if verdict.theorem == 3:
        within = restrict(relation, inputs=system.configurations, outputs=system.configurations)
        for step in system.steps.values():
            by_three = unmatched_step(step, within)
            by_two = unmatched_step_general(step, within)
            assert (by_two is None) == (by_three is None)


def check_library(seed):
    """The tests on the minimal automaton agree with the general theorem, the reflection with the pushdown."""
    rng = random.Random(seed)
    system = random_system(rng)
    size = system.alphabet.size
    letters = tuple(rng.sample(range(size), size)) if rng.random() < 0.4 else ()
    for plain in library(3):
        permutation = Permutation(plain.kind, plain.place, letters)
        found = breach(system, permutation)
        if permutation.is_regular:
            assert verify(system, permutation.relation(size)).is_complete == (found is None), (seed, permutation)
        else:
            assert (reflection_failure(system, letters) is None) == (found is None), (seed, permutation)
        if found is not None:
            check_breach(system, permutation, found)


def check_breach(system, permutation, found):
    if len(found.words) == 1:
        word = found.words[0]
        space = system.configurations
        assert space.accepts(word) == found.lost != space.accepts(permutation.image(word))
        return
    v, w = found.words
    step = system.steps[found.action]
    image = convolve(permutation.image(v), permutation.image(w))
    assert step.accepts(convolve(v, w)) == found.lost != step.accepts(image)


@pytest.mark.parametrize("block", range(10))
def test_verify_agrees_with_brute_force(block):
    """A hundred random systems and relations in the quick run."""
    for seed in range(10 * block, 10 * block + 10):
        check(seed)


@pytest.mark.slow
def test_verify_agrees_with_brute_force_at_length():
    """Thirteen hundred more, a thousand of them with two letters and all words up to length 6."""
    for seed in range(100, 1400):
        check(seed)


def test_library_tests_agree_with_the_general_theorem():
    """Forty random systems, all library permutations, with and without letter permutations."""
    for seed in range(40):
        check_library(seed)


@pytest.mark.slow
def test_library_tests_agree_with_the_general_theorem_at_length():
    """Five hundred more."""
    for seed in range(40, 540):
        check_library(seed)
