"""Terms on masks, tables and reachable values, against one assignment at a time."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from burnside.detect.masks import Evaluation, by_value, column_of, digits, places, unequal
from burnside.detect.relations import Column, tabulate
from burnside.detect.sample import states_of
from burnside.detect.terms import Term, Terms
from burnside.ir.nodes import Domain
from burnside.ir.semantics import apply_operator

SIZES = (1, 2, 7, 64, 129, 700)


def value_of(term: Term, state: tuple[int, ...]) -> int:
    """A term in one state, by its definition."""
    inner = [value_of(a, state) for a in term.args]
    match term.operator:
        case "const":
            return term.value
        case "cell":
            return state[term.value]
        case "and":
            return int(all(inner))
        case "or":
            return int(any(inner))
        case "not":
            return int(not inner[0])
        case "eq":
            return int(inner[0] == term.value)
        case "le":
            return int(inner[0] <= term.value)
        case "sum":
            return term.value + sum(c * v for c, v in zip(term.coefficients, inner, strict=True))
        case "ite":
            return inner[1] if inner[0] else inner[2]
        case _:
            counts = term.coefficients or (1,) * len(inner)
            first, *others = [v for v, count in zip(inner, counts, strict=True) for _ in range(count)]
            for other in others:
                is_zero = term.operator in ("/", "%") and other == 0
                first = apply_operator(term.operator, first, 1 if is_zero else other)
            return first


def grown(random: Random, terms: Terms, cells: int, depth: int) -> Term:
    """A random term."""
    if depth == 0 or random.random() < 0.1:
        return terms.cell(random.randrange(cells)) if random.random() < 0.8 else terms.constant(random.randint(-5, 5))
    left, right = grown(random, terms, cells, depth - 1), grown(random, terms, cells, depth - 1)
    match random.randrange(8):
        case 0:
            return terms.conjunction((terms.at_most(left, right), terms.negation(terms.equal(right, left))))
        case 1:
            return terms.disjunction((terms.equal(left, right), terms.at_most(right, terms.constant(2))))
        case 2:
            return terms.choose(terms.at_most(left, right), left, right)
        case 3:
            return terms.linear(random.randint(-9, 9), ((random.randint(-4, 4), left), (random.randint(1, 7), right)))
        case 4:
            return terms.binary(random.choice("/%"), left, terms.constant(random.choice((-3, -1, 1, 2, 5))))
        case _:
            return terms.binary(random.choice(("max", "min", "*", "+", "-")), left, right)


@pytest.mark.parametrize("seed", range(60))
def test_terms_on_masks(seed: int) -> None:
    """Few and many assignments, narrow and wide domains, negative values."""
    random = Random(seed)
    domains = [random.choice((Domain("", 0, 1), Domain("", -3, 4), Domain("", 0, 900))) for _ in range(4)]
    rows = [tuple(random.randint(d.low, d.high) for d in domains) for _ in range(random.choice(SIZES))]
    terms, evaluation = Terms(domains), states_of(rows).evaluation
    for _ in range(12):
        term = grown(random, terms, len(domains), 3)
        expected = [value_of(term, row) for row in rows]
        found = evaluation.value(term)

        assert column_of(found, len(rows)) == expected
        assert sum(found.values()) == (1 << len(rows)) - 1
        assert places(evaluation.truth(term)) == [k for k, value in enumerate(expected) if value]
        assert evaluation.at(len(rows) - 1, term) == expected[-1]


@pytest.mark.parametrize("many", SIZES)
def test_columns_and_masks(many: int) -> None:
    """There and back, with more values than a byte has."""
    random = Random(many)
    for most in (0, 1, 5, 255, 256, 5_000):
        column = [random.randint(-most, most) for _ in range(many)]
        assert column_of(by_value(column), many) == column
        assert [*digits(by_value(column)[column[0]], many)] == [int(value == column[0]) for value in column]


def test_a_sum_of_very_many_parts() -> None:
    """Weights of both signs."""
    random = Random(1)
    rows = [tuple(random.randint(0, 1) for _ in range(500)) for _ in range(200)]
    terms = Terms([Domain("", 0, 1)] * 500)
    weights = [random.choice((-3, -1, 1, 1, 2)) for _ in range(500)]
    total = terms.linear(7, [(w, terms.cell(k)) for k, w in enumerate(weights)])

    found = states_of(rows).evaluation.value(total)
    assert column_of(found, 200) == [7 + sum(w * v for w, v in zip(weights, row, strict=True)) for row in rows]


@pytest.mark.parametrize("seed", range(40))
def test_tables(seed: int) -> None:
    """All assignments that satisfy conditions, with what is written."""
    random = Random(seed)
    domains = [Domain("", random.randint(-2, 0), random.randint(1, 5)) for _ in range(4)]
    terms = Terms(domains)
    conditions = [grown(random, terms, 4, 2) for _ in range(random.randint(0, 2))]
    updates = [(k, grown(random, terms, 4, 2)) for k in range(random.randint(0, 2))]
    cells = [*range(4)] if conditions or updates or seed % 2 else []
    values = {k: tuple(v for v in range(d.low, d.high + 1) if random.random() < 0.8 or v == d.high) for k, d in
              enumerate(domains)}  # fmt: skip

    table = tabulate(conditions, updates, cells, values)
    rows = [row for row in product(*(values[c] for c in cells)) if all(value_of(c, row) for c in conditions)]
    assert table.columns == (*map(Column, cells), *(Column(c, True) for c, _ in updates))
    assert table.rows == tuple((*row, *(value_of(t, row) for _, t in updates)) for row in rows)


def test_conditions_without_cells() -> None:
    """One assignment, or none."""
    terms = Terms([])
    assert tabulate((terms.true,), (), (), {}).rows == ((),)
    assert tabulate((terms.false,), (), (), {}).rows == ()
    assert Evaluation({}, 1).value(terms.constant(3)) == {3: 1}


@pytest.mark.parametrize("sizes", [(), (3,), (2, 5), (4, 1, 3), (3, 0, 2), (7, 6, 5)])
def test_all_assignments_are_those_of_a_product(sizes: tuple[int, ...]) -> None:
    """In the order in which they are written down; none if a cell has no value."""
    values = {2 * cell: [10 * cell + k for k in range(size)] for cell, size in enumerate(sizes)}
    rows = [*product(*values.values())]
    found = Evaluation.on_all(values)

    for cell, column in zip(values, zip(*rows, strict=True) if rows else [()] * len(sizes), strict=True):
        assert column_of(found.cells[cell], len(rows)) == [*column]


def test_what_becomes_of_assignments() -> None:
    """All cells are written at once, by what they were."""
    terms = Terms([Domain("", 0, 2)] * 2)
    a, b = terms.cell(0), terms.cell(1)
    before = Evaluation.on_all({0: range(3), 1: range(3)})
    swapped = before.after([(0, b), (1, a)])

    assert swapped.cells == {0: before.cells[1], 1: before.cells[0]}
    assert places(unequal(before.cells[0], swapped.cells[0], 0b111111111)) == [1, 2, 3, 5, 6, 7]
