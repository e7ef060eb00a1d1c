"""Terms without order: whatever they are rewritten to, their values stay those of the sequential model."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations, product
from random import Random

import pytest

from burnside.detect.masks import column_of, places
from burnside.detect.sample import states_of
from burnside.detect.terms import Term, Terms
from burnside.ir.nodes import Domain
from burnside.ir.semantics import apply_operator
from support.thorough import some

CELLS = 3
DOMAIN = Domain("", -1, 2)
STATES = [*product(DOMAIN.values(), repeat=CELLS)]
Value = Callable[[tuple[int, ...]], int]


def grown(random: Random, terms: Terms, depth: int) -> tuple[Term, Value]:
    """A random term, and what it should be."""
    if depth == 0 or random.random() < 0.15:
        if random.random() < 0.3:
            number = random.randint(-2, 3)
            return terms.constant(number), lambda _: number
        cell = random.randrange(CELLS)
        return terms.cell(cell), lambda state: state[cell]
    if random.random() < 0.35:
        return choice(random, terms, depth)
    operator = random.choice(("max", "min", "max", "min", "+", "-", "*", "&", "|", "^", "%", "<=", "==", "<"))
    (a, left), (b, right) = (grown(random, terms, depth - 1) for _ in range(2))
    if operator in ("/", "%"):
        modulus = random.randint(1, 4)
        return terms.binary(operator, a, terms.constant(modulus)), lambda s: apply_operator(operator, left(s), modulus)
    return terms.binary(operator, a, b), lambda s: apply_operator(operator, left(s), right(s))


def choice(random: Random, terms: Terms, depth: int) -> tuple[Term, Value]:
    """A random choice, often one that is an extreme, or would be if a gate were open."""
    (a, left), (b, right) = (grown(random, terms, depth - 1) for _ in range(2))
    if random.random() < 0.3:
        operator = random.choice(("max", "min", "+"))
        a, left = terms.binary(operator, a, b), _applied(operator, left, right)
    operator = random.choice(("<", "<=", ">", ">="))
    condition, holds = terms.binary(operator, a, b), _applied(operator, left, right)
    if random.random() < 0.5:
        (c, first), (d, second) = (grown(random, terms, depth - 1) for _ in range(2))
        gate, opens = terms.binary("<=", c, d), _applied("<=", first, second)
        if random.random() < 0.5:
            both = holds
            condition, holds = terms.conjunction((condition, gate)), lambda s: both(s) and opens(s)
        else:
            either = holds
            condition, holds = terms.disjunction((condition, gate)), lambda s: either(s) or opens(s)
    return terms.choose(condition, a, b), lambda s: left(s) if holds(s) else right(s)


def _applied(operator: str, left: Value, right: Value) -> Value:
    return lambda state: apply_operator(operator, left(state), right(state))


@pytest.mark.parametrize("start", some(range(0, 2000, 500)))
def test_rewriting_keeps_values(start: int) -> None:
    """In every state, random terms have the value that the operators give one by one, and it is within their bounds."""
    for seed in range(start, start + 500):
        terms = Terms([DOMAIN] * CELLS)
        term, value = grown(Random(seed), terms, 4)
        evaluation = states_of(STATES).evaluation
        found = column_of(evaluation.value(term), len(STATES))

        assert found == [int(value(state)) for state in STATES], seed
        assert places(evaluation.truth(term)) == [k for k, number in enumerate(found) if number], seed
        assert term.low <= min(found), seed
        assert max(found) <= term.high, seed


def test_renaming_cells_commutes_with_evaluation() -> None:
    """A renamed term has the value of the term where cells have changed places."""
    swap = {0: 1, 1: 0}
    swapped = [(b, a, c) for a, b, c in STATES]
    for seed in range(300):
        terms = Terms([DOMAIN] * CELLS)
        term, _ = grown(Random(seed), terms, 3)
        renamed = terms.substituted(term, {a: terms.cell(b) for a, b in swap.items()}, {})

        assert states_of(STATES).evaluation.value(renamed) == states_of(swapped).evaluation.value(term), seed


# ---------------------------------------------------------------- one term however it is written


def folded(terms: Terms, order: tuple[int, ...], step: Callable[[Terms, Term, Term], Term], start: int) -> Term:
    """What a loop over cells in some order collects."""
    collected = terms.constant(start)
    for k in order:
        collected = step(terms, collected, terms.cell(k))
    return collected


STEPS: dict[str, tuple[int, Callable[[Terms, Term, Term], Term]]] = {
    "maximum": (0, lambda t, m, x: t.binary("max", x, m)),
    "maximum by comparing": (0, lambda t, m, x: t.choose(t.binary(">", x, m), x, m)),
    "maximum by comparing the other way": (0, lambda t, m, x: t.choose(t.binary(">=", m, x), m, x)),
    "next number": (1, lambda t, m, x: t.choose(t.binary(">=", x, m), t.add(x, t.true), m)),
    "minimum by comparing": (9, lambda t, m, x: t.choose(t.binary("<", x, m), x, m)),
    "maximum of small ones": (
        0,
        lambda t, m, x: t.choose(t.conjunction((t.binary("<", x, t.constant(5)), t.binary(">", x, m))), x, m),
    ),
    "maximum where a gate is open": (
        0,
        lambda t, m, x: t.choose(t.binary("<", x, t.constant(5)), t.binary("max", x, m), m),
    ),
    "product": (1, lambda t, m, x: t.binary("*", m, x)),
    "exclusive or": (0, lambda t, m, x: t.binary("^", m, x)),
    "sum of some": (0, lambda t, m, x: t.choose(t.binary(">", x, t.constant(3)), t.add(m, x), m)),
    "sum with a remainder": (0, lambda t, m, x: t.binary("%", t.add(m, x), t.constant(7))),
    "sum with a limit": (0, lambda t, m, x: t.binary("min", t.add(m, x), t.constant(12))),
}


@pytest.mark.parametrize("name", STEPS)
def test_a_loop_has_no_order(name: str) -> None:
    """Collected in any order, the terms of all cells are one."""
    start, step = STEPS[name]
    terms = Terms([Domain("", 0, 9)] * 4)

    assert len({folded(terms, order, step, start) for order in permutations(range(4))}) == 1
