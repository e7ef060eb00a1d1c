"""The normal form of a relation says what its rows say, and nothing of how they were written."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from burnside.detect.normal_form import NormalForms, Tree
from burnside.detect.relations import Column, Relation

Row = tuple[int, ...]


def holds(tree: Tree, row: Row) -> bool:
    """Whether a row satisfies a tree."""
    match tree.kind:
        case "true" | "false":
            return tree.kind == "true"
        case "lit":
            return row[tree.column] == tree.value
        case "and":
            return all(holds(part, row) for part in tree.parts)
        case kind:
            return any(holds(part, row) for part in tree.parts) == (kind == "or")


def shape(tree: Tree, columns: list[int], values: list[dict[int, int]]) -> object:
    """A tree with its columns and values renamed, and without the order of its parts."""
    if tree.kind == "lit":
        return ("lit", columns[tree.column], values[tree.column][tree.value])
    return (tree.kind, frozenset(shape(part, columns, values) for part in tree.parts))


def random_rows(random: Random, domains: list[list[int]]) -> list[Row]:
    """Any rows, rows of a product, or all but those of one."""
    everything = [*product(*domains)]
    match random.randrange(3):
        case 0:
            chosen = random.sample(everything, random.randint(1, len(everything)))
        case kind:
            at = random.randrange(len(domains))
            left = {row[:at] for row in random.sample(everything, random.randint(1, len(everything)))}
            right = {row[at:] for row in random.sample(everything, random.randint(1, len(everything)))}
            chosen = [row for row in everything if (row[:at] in left and row[at:] in right) == (kind == 1)]
    return random.sample(chosen, len(chosen))


@pytest.mark.parametrize("seed", range(300))
def test_a_normal_form_depends_on_the_rows_alone(seed: int) -> None:
    """It holds of the rows and of no others; renaming columns and values renames it."""
    random = Random(seed)
    domains = [[*range(random.randint(0, 2), random.randint(3, 5))] for _ in range(random.randint(1, 4))]
    is_next = [random.random() < 0.3 for _ in domains]
    rows = random_rows(random, domains)
    tree = normal_form(rows, domains, is_next)

    assert {row for row in product(*domains) if holds(tree, row)} == set(rows)

    columns = random.sample(range(len(domains)), len(domains))
    renamings = [dict(zip(d, random.sample(d, len(d)), strict=True)) for d in domains]
    moved = [tuple(renamings[c][row[c]] for c in columns) for row in random.sample(rows, len(rows))]
    other = normal_form(moved, [domains[c] for c in columns], [is_next[c] for c in columns])
    unchanged = [{v: v for v in domains[c]} for c in columns]
    assert shape(other, columns, unchanged) == shape(tree, [*range(len(domains))], renamings)


def normal_form(rows: list[Row], domains: list[list[int]], is_next: list[bool]) -> Tree:
    """The tree of some rows."""
    columns = tuple(Column(k, n) for k, n in enumerate(is_next))
    return NormalForms({k: tuple(d) for k, d in enumerate(domains)}).of(Relation(columns, tuple(rows)))
