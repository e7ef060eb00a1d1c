"""Relations that cannot all hold: what is refuted has no solution, and what chains refute is seen."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from random import Random

import pytest
from test_directed import load

from burnside.detect.constrain import constrain
from burnside.detect.encode import Prepared
from burnside.detect.joint import can_hold_together
from burnside.detect.relations import Column, Relation
from support.thorough import some


def relation(cells: str, *rows: str) -> Relation:
    """A relation on cells that are written as digits; a prime makes one the next value of the cell before."""
    columns = tuple(Column(int(cells[k]), cells[k + 1 : k + 2] == "'") for k in range(len(cells)) if cells[k] != "'")
    return Relation(columns, tuple(tuple(map(int, row)) for row in rows))


BITS = {cell: {0, 1} for cell in range(6)}


@pytest.mark.parametrize(
    ("relations", "can_hold"),
    [
        ([relation("01", "01", "10"), relation("12", "01", "10"), relation("0", "1"), relation("2", "0")], False),
        ([relation("01", "01", "10"), relation("12", "01", "10"), relation("0", "1"), relation("2", "1")], True),
        ([relation("0", "2"), relation("0", "2")], False),  # no such value
        ([relation("9", "2"), relation("9", "2")], True),  # any value
        ([relation("00'", "01"), relation("11'", "10")], True),
        ([relation("00'", "01"), relation("0", "1")], False),
        ([relation("0'", "1"), relation("0", "0")], True),  # a next value says nothing of the old one
    ],
)
def test_chains_of_relations(relations: list[Relation], can_hold: bool) -> None:
    assert can_hold_together(relations, BITS) == can_hold


@pytest.mark.parametrize("seed", some(range(400)))
def test_what_has_a_solution_is_not_refuted(seed: int) -> None:
    """By looking at all assignments; some random relations are refuted."""
    random = Random(seed)
    values = {cell: set(random.sample(range(3), random.choice((1, 2, 3)))) for cell in range(4)}
    relations = []
    for _ in range(random.randint(1, 5)):
        columns = tuple(
            Column(cell, random.random() < 0.2) for cell in random.sample(range(4), random.choice((1, 2, 3)))
        )
        rows = [row for row in product(range(3), repeat=len(columns)) if random.random() < 0.25]
        relations.append(Relation(columns, tuple(rows)))

    def is_solved(assignment: dict[int, int]) -> bool:
        return all(
            any(all(c.is_next or assignment[c.cell] == row[k] for k, c in enumerate(r.columns)) for row in r.rows)
            for r in relations
        )

    cells = sorted(values)
    solutions = [a for a in product(*(sorted(values[c]) for c in cells)) if is_solved(dict(zip(cells, a, strict=True)))]
    if not can_hold_together([r for r in relations if r.rows], values):
        assert not solutions


def test_rules_that_never_fire_are_left_out(tmp_path: Path) -> None:
    """The guard is too wide for one table; each of its parts can hold, but never all of them."""
    text = """
        process P = 0 .. 2;
        domain Last = P + { nobody };
        var last[P]: Last = nobody;
        var seen[P][P]: bool;
        rule note(i: P) do { last[i] := i; seen[i][i] := true; }
        rule never(i: P)
          when (exists p in P: last[(i + 1) % 3] == p && seen[(i + 1) % 3][p]) && last[(i + 1) % 3] == last[i]
            && (forall p in P: seen[(i + 1) % 3][p] == seen[i][p])
        do { for p in P { seen[(i + 1) % 3][p] := p == 0; } last[(i + 1) % 3] := nobody; }
        """
    pruned = Prepared(constrain(load(text, tmp_path))).pruned

    assert {t.rule for t in pruned.transitions} == {"note"}
