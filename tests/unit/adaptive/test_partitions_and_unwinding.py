"""Partitions, unwinding and subsumption against their definitions, by brute force."""

from __future__ import annotations

import random
from itertools import permutations, product

import pytest

from burnside.adaptive.cover import Multisets, Partitions
from burnside.adaptive.partitions import (
    Partition,
    cell_of,
    discrete,
    is_finer,
    meet,
    members,
    normal,
    text_of,
)
from burnside.adaptive.unwind import distributions, limits_of


def random_partition(chance: random.Random, size: int) -> Partition:
    """Processes put into one of a few cells."""
    cells = [0] * 3
    for process in range(size):
        cells[chance.randrange(3)] |= 1 << process
    return normal(cells)


def orbit(partition: Partition, vector: tuple[int, ...]) -> set[tuple[int, ...]]:
    """All rearrangements within cells."""
    size = len(vector)
    keep = [
        p
        for p in permutations(range(size))
        if all(cell_of(partition, i) == cell_of(partition, p[i]) for i in range(size))
    ]
    return {tuple(vector[i] for i in p) for p in keep}


def spread_of(multisets: Multisets, partition: Partition, vector: tuple[int, ...]) -> tuple[int, ...]:
    """A state as multisets for every cell."""
    spread = []
    for cell in partition:
        values = [vector[p] for p in members(cell)]
        spread.append(multisets.number(tuple((v, values.count(v)) for v in sorted(set(values)))))
    return tuple(spread)


@pytest.mark.parametrize("seed", range(30))
def test_the_meet_tells_apart_what_one_of_them_does(seed: int) -> None:
    chance = random.Random(seed)
    p, q = random_partition(chance, 6), random_partition(chance, 6)

    both = meet(p, q)

    for i, j in product(range(6), repeat=2):
        together = cell_of(p, i) == cell_of(p, j) and cell_of(q, i) == cell_of(q, j)
        assert (cell_of(both, i) == cell_of(both, j)) is together
    assert is_finer(both, p)
    assert is_finer(both, q)
    assert is_finer(discrete(6), both)
    assert is_finer(both, (0b111111,))


@pytest.mark.parametrize("seed", range(150))
def test_subsumption_is_inclusion_of_orbits(seed: int) -> None:
    """Theorem 4: projection exists and is equal exactly if the one orbit holds the other."""
    chance = random.Random(seed)
    p, q = random_partition(chance, 4), random_partition(chance, 4)
    s = tuple(chance.randrange(2) for _ in range(4))
    t = chance.choice([tuple(chance.randrange(2) for _ in range(4)), s])
    multisets = Multisets()
    partitions = Partitions(multisets)
    a, b = partitions.number(p), partitions.number(q)
    spread = spread_of(multisets, q, t)
    mixed = sum(1 << k for k, m in enumerate(spread) if len(multisets.counts[m]) > 1)

    is_defined = not partitions.straddling(a, b) & mixed
    subsumes = is_defined and partitions.project(a, b, spread) == spread_of(multisets, p, s)

    assert subsumes is (orbit(q, t) <= orbit(p, s))


@pytest.mark.parametrize("seed", range(60))
def test_distributions_are_all_and_distinct(seed: int) -> None:
    """Each way to arrange local states over the parts is counted once, within the bounds."""
    chance = random.Random(seed)
    sizes = [chance.randrange(1, 4) for _ in range(chance.randrange(1, 4))]
    values = sorted(chance.randrange(3) for _ in range(sum(sizes)))
    counts = tuple((v, values.count(v)) for v in sorted(set(values)))
    most = [[chance.choice([0, 1, 9]) for _ in counts] for _ in sizes]

    found = list(distributions(counts, sizes, limits_of(most)))

    expected = set()
    for arrangement in set(permutations(values)):
        rest, parts = list(arrangement), []
        for size in sizes:
            part, rest = rest[:size], rest[size:]
            parts.append(tuple((v, part.count(v)) for v in sorted(set(part))))
        limits = [dict(zip((v for v, _ in counts), row, strict=True)) for row in most]
        if all(k <= limit[v] for part, limit in zip(parts, limits, strict=True) for v, k in part):
            expected.add(tuple(parts))
    assert len(found) == len(set(found))
    assert set(found) == expected


def test_a_partition_is_written_as_in_the_literature() -> None:
    assert text_of((0b0011, 0b1100), lambda p: str(p + 1)) == "| 1, 2 | 3, 4 |"
    assert text_of((0b10111, 0b1000), lambda p: str(p + 1)) == "| 1..3, 5 | 4 |"
