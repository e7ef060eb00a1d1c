"""Random rings and stars: what is found holds, by an independent check and by brute force."""

from __future__ import annotations

import random
from itertools import product

import pytest

from burnside.regular.alphabet import Alphabet
from burnside.regular.automata import minimise, reduce, unite
from burnside.regular.combine import concatenate, one_of, power
from burnside.regular.describe import instance_of
from burnside.regular.find import search
from burnside.regular.instances import instance, position_symmetries
from burnside.regular.library import Permutation
from burnside.regular.process import holds
from burnside.regular.relations import apply, universal
from burnside.regular.symmetries import find_symmetries
from burnside.regular.system import Action, Constraints, System
from burnside.regular.verify import verify


def random_ring(rng, size):
    """Rules for two neighbours, applied everywhere on the ring: rotations are symmetries by construction."""
    diagonal = one_of((a, a) for a in range(size))
    around = power(diagonal, 0, None)
    pairs = list(product(range(size), repeat=2))
    parts = []
    for _ in range(rng.randint(1, 3)):
        first, second = one_of([rng.choice(pairs)]), one_of([rng.choice(pairs)])
        parts.append(concatenate(concatenate(around, concatenate(first, second)), around))
        parts.append(concatenate(second, concatenate(around, first)))
    return System(Alphabet(tuple("abc"[:size])), universal(range(size)), (Action("rule", reduce(unite(parts))),))


def check_ring(seed):
    """The rotation is among the library's answers; a search finds a pattern; both are true of small instances."""
    rng = random.Random(seed)
    system = random_ring(rng, rng.choice((2, 2, 3)))
    symmetries = find_symmetries(system)
    assert holds(system, Permutation("rotation", 1))
    for length in range(2, 6):
        group = position_symmetries(system, length)
        assert all(p.positions(length) in group for p in symmetries.holding)
    found = next(search(system, constraints=Constraints()))
    assert verify(system, found.relation).is_complete
    for length in range(1, 8 if system.alphabet.size == 2 else 6):
        single = instance(system, length)
        assert single.is_symmetry(instance_of(found.binary, length))
        for steps in single.steps.values():
            for v, w in list(steps)[:200]:
                assert (*apply(found.relation, v), *apply(found.relation, w)) in steps
    assert minimise(found.relation) == found.relation


def test_patterns_of_random_rings_hold():
    """Eight rings in the quick run."""
    for seed in range(8):
        check_ring(seed)


@pytest.mark.slow
def test_patterns_of_many_random_rings_hold():
    """A hundred more."""
    for seed in range(8, 108):
        check_ring(seed)
