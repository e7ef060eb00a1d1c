"""Theorems about groups, on random groups: chains and orbits against brute force and sympy, names against the
isomorphisms that they claim.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from random import Random

from hypothesis import assume, given
from hypothesis import strategies as st
from sympy.combinatorics import Permutation, PermutationGroup

from burnside.groups import (
    Perm,
    PermGroup,
    block_systems,
    faithful_points,
    group_order,
    recognise,
    stabiliser_chain,
)
from burnside.groups.names import Named, Product, Structure, Wreath, structure_order
from burnside.groups.perm import compose, conjugate, cycles, from_cycles, identity, inverse, order, power
from support.thorough import examples

LARGEST = 2_000


@st.composite
def perms(draw: st.DrawFn, degree: int) -> Perm:
    """Any permutation, or a sparse one: few points moved make small and intransitive groups likely."""
    if draw(st.booleans()):
        return tuple(draw(st.permutations(range(degree))))
    points = draw(st.lists(st.integers(0, degree - 1), unique=True, max_size=4))
    return from_cycles(degree, points)


@st.composite
def groups(draw: st.DrawFn, most: int = 8) -> PermGroup:
    """Groups with up to three generators, half of them preserving some blocks."""
    degree = draw(st.integers(1, most))
    if degree % 2 == 0 and draw(st.booleans()):
        half = degree // 2
        inner = [(*draw(perms(half)), *range(half, degree))]
        outer = [tuple((i + half) % degree for i in range(degree))]
        both = [tuple(p + k * half for k in range(2) for p in g) for g in draw(st.lists(perms(half), max_size=2))]
        chosen = draw(st.lists(st.sampled_from([*inner, *outer, *both]), min_size=1, max_size=4))
        return PermGroup(degree, tuple(chosen))
    return PermGroup(degree, tuple(draw(st.lists(perms(degree), max_size=3))))


def closure(generators: tuple[Perm, ...], degree: int, most: int = LARGEST) -> set[Perm] | None:
    """All elements by brute force; None if there are more than ``most``."""
    seen = {identity(degree)}
    queue = list(seen)
    for g in queue:
        for h in generators:
            if (new := compose(g, h)) not in seen:
                seen.add(new)
                queue.append(new)
        if len(seen) > most:
            return None
    return seen


@given(st.integers(1, 12).flatmap(lambda n: st.tuples(perms(n), perms(n), perms(n))))
def test_permutations_are_a_group(triple: tuple[Perm, Perm, Perm]) -> None:
    """Associativity, inverses, powers, conjugation as renaming."""
    f, g, h = triple

    assert compose(compose(f, g), h) == compose(f, compose(g, h))
    assert compose(g, inverse(g)) == identity(len(g))
    assert power(g, order(g)) == identity(len(g))
    assert power(g, 5) == compose(power(g, 2), power(g, 3))
    assert conjugate(g, h) == compose(compose(inverse(h), g), h)
    assert {frozenset(h[p] for p in c) for c in cycles(g)} == {frozenset(c) for c in cycles(conjugate(g, h))}
    assert inverse(compose(g, h)) == compose(inverse(h), inverse(g))


@given(groups())
@examples(200)
def test_orders_orbits_and_members_agree_with_sympy(group: PermGroup) -> None:
    """An independent implementation, on every random group."""
    judge = PermutationGroup([Permutation(list(g)) for g in group.generators] or [Permutation(group.degree - 1)])
    chain = stabiliser_chain(group)

    assert chain.order == judge.order() == group_order(group)
    assert {frozenset(o) for o in group.orbits if len(o) > 1} == {frozenset(o) for o in judge.orbits() if len(o) > 1}
    random = Random(group.degree)
    for _ in range(5):
        images = list(range(group.degree))
        random.shuffle(images)
        assert (tuple(images) in chain) == judge.contains(Permutation(images, size=group.degree))


@given(groups(), st.integers(0, 3))
@examples(200)
def test_chains_hold_exactly_the_elements(group: PermGroup, seed: int) -> None:
    """Elements, stabilisers and members of a chain for a random base, by brute force."""
    elements = closure(group.generators, group.degree)
    assume(elements is not None)
    assert elements is not None
    base = Random(seed).sample(range(group.degree), min(2, group.degree))
    known = PermGroup(group.degree, group.generators, len(elements))
    chain = stabiliser_chain(known, base=base, seed=seed)

    assert chain.base[: len(base)] == tuple(base)
    assert set(chain.elements()) == elements
    for length in range(len(base) + 1):
        fixing = {g for g in elements if all(g[b] == b for b in base[:length])}
        assert set(chain.stabiliser(length).elements()) == fixing
        assert closure(chain.stabiliser(length).strong_generators, group.degree) == fixing


@given(groups())
def test_faithful_points_tell_elements_apart(group: PermGroup) -> None:
    """Only the identity fixes them all."""
    elements = closure(group.generators, group.degree)
    assume(elements is not None)
    assert elements is not None
    points = faithful_points(group)

    assert [g for g in elements if all(g[p] == p for p in points)] == [identity(group.degree)]


@given(groups(most=9))
def test_block_systems_are_all_block_systems(group: PermGroup) -> None:
    """Compared with brute force: the partitions of a transitive group's points that it permutes."""
    assume(len(group.orbits) == 1 and group.degree > 1)
    found = {frozenset(map(frozenset, blocks)) for blocks in block_systems(group)}
    expected = set()
    for size in range(2, group.degree):
        if group.degree % size == 0:
            expected |= {s for s in partitions(frozenset(range(group.degree)), size) if permuted(s, group)}

    assert found == expected


def partitions(points: frozenset[int], size: int) -> Iterator[frozenset[frozenset[int]]]:
    """All partitions into blocks of one size."""
    if not points:
        yield frozenset()
        return
    first = min(points)
    for chosen in subsets(sorted(points - {first}), size - 1):
        block = frozenset((first, *chosen))
        for rest in partitions(points - block, size):
            yield rest | {block}


def subsets(items: list[int], size: int) -> Iterator[tuple[int, ...]]:
    """All subsets of a size."""
    if size == 0:
        yield ()
    elif items:
        yield from ((items[0], *rest) for rest in subsets(items[1:], size - 1))
        yield from subsets(items[1:], size)


def permuted(system: frozenset[frozenset[int]], group: PermGroup) -> bool:
    """Whether every generator maps blocks to blocks."""
    return all(frozenset(g[p] for p in block) in system for g in group.generators for block in system)


@given(groups())
@examples(400)
def test_a_name_is_the_name_of_an_isomorphic_group(group: PermGroup) -> None:
    """The named group is built from scratch, and an isomorphism is searched for by brute force."""
    structure = recognise(group)
    assume(structure is not None and structure_order(structure) <= 200)
    assert structure is not None
    model = built(structure)

    assert structure_order(structure) == group_order(group) == group_order(model)
    assert isomorphic(group, model)


def built(structure: Structure) -> PermGroup:
    """A group of that structure, on points of its own."""
    match structure:
        case Named("C", n):
            return PermGroup(n, (from_cycles(n, range(n)),))
        case Named("S", n):
            return PermGroup(n, tuple(from_cycles(n, (i, i + 1)) for i in range(n - 1)))
        case Named("A", n):
            return PermGroup(n, tuple(from_cycles(n, (i, i + 1, i + 2)) for i in range(n - 2)))
        case Named("D", n):
            return PermGroup(n, (from_cycles(n, range(n)), tuple(-i % n for i in range(n))))
        case Product(factors):
            return side_by_side([built(f) for f in factors])
        case Wreath(inner, outer):
            return wreath(built(inner), built(outer))
    raise AssertionError(structure)


def side_by_side(factors: list[PermGroup]) -> PermGroup:
    """The direct product on disjoint points."""
    degree = sum(f.degree for f in factors)
    generators: list[Perm] = []
    at = 0
    for f in factors:
        generators += [(*range(at), *(at + i for i in g), *range(at + f.degree, degree)) for g in f.generators]
        at += f.degree
    return PermGroup(degree, tuple(generators))


def wreath(inner: PermGroup, outer: PermGroup) -> PermGroup:
    """The wreath product on ``outer.degree`` copies of the inner points."""
    m, degree = inner.degree, inner.degree * outer.degree
    moves = [tuple(q[k] * m + i for k in range(outer.degree) for i in range(m)) for q in outer.generators]
    return PermGroup(degree, (*((*g, *range(m, degree)) for g in inner.generators), *moves))


def isomorphic(one: PermGroup, other: PermGroup) -> bool:
    """Whether images for few generators of ``one`` extend to an isomorphism: its graph is a group of the same order."""
    elements = sorted(closure(one.generators, one.degree) or ())
    targets = sorted(closure(other.generators, other.degree) or ())
    chosen = few_generators(elements, one.degree)
    by_order: dict[int, list[Perm]] = {}
    for t in targets:
        by_order.setdefault(order(t), []).append(t)
    if sorted(map(order, elements)) != sorted(map(order, targets)):
        return False
    for images in product(*(by_order.get(order(g), []) for g in chosen)):
        if closure(tuple(images), other.degree) != set(targets):
            continue
        pairs = tuple((*g, *(one.degree + i for i in t)) for g, t in zip(chosen, images, strict=True))
        # As large as both: the graph of a bijection, hence of an isomorphism.
        if closure(pairs, one.degree + other.degree, len(elements)) is not None:
            return True
    return False


def few_generators(elements: list[Perm], degree: int) -> list[Perm]:
    """Greedily chosen elements that generate all: each the one that adds most, orders with few elements first."""
    chosen: list[Perm] = []
    size = 1
    while size < len(elements):
        sample = elements[:: max(1, len(elements) // 40)] + elements[:10]
        best = max(sample, key=lambda g: len(closure((*chosen, g), degree) or ()))
        new = len(closure((*chosen, best), degree) or ())
        if new == size:
            best = next(g for g in elements if len(closure((*chosen, g), degree) or ()) > size)
            new = len(closure((*chosen, best), degree) or ())
        chosen.append(best)
        size = new
    return chosen
