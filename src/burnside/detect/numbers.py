"""Numbers as vertices, by structure: what fits no table is encoded as it is written.

Vertices of operators without order (``max``, sums, products) are adjacent to their operands, each once; how often an
operand counts is a vertex of its own (``times``, ``power``), as are positions of operands that have an order.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Protocol, final

from burnside.detect.folds import EXTREMES, IDEMPOTENT
from burnside.detect.terms import Term, Terms, TooLarge
from burnside.detect.vertices import LiteralVertices, Vertices
from burnside.values import dataclass

TRUTHS = ("and", "or", "not", "eq", "le")
_MOST_CASES = 64  # of nested choices


class Conditions(Protocol):
    """What numbers need of the vertices of conditions."""

    def condition(self, term: Term) -> int | bool:
        """A truth value."""

    def is_small(self, support: int) -> bool:
        """Whether a table can hold these cells."""

    def cases(self, term: Term) -> Iterable[tuple[int, int | bool]]:
        """A number as values with the conditions under which it has them; the first is the base."""


@final
@dataclass(frozen=True, slots=True)
class OpaqueTerm:
    """A number that is encoded as it is written, and the rule it was first seen in, if any."""

    term: Term
    rule: str | None


@final
class NumberVertices:
    """Adds the vertices of numbers to a graph; ``opaque`` has those whose other spellings are other vertices."""

    def __init__(self, terms: Terms, conditions: Conditions, vertices: Vertices, literals: LiteralVertices) -> None:
        self._terms = terms
        self._conditions = conditions
        self._vertices = vertices
        self._literals = literals
        self._known: dict[int, int] = {}
        self.opaque: dict[int, OpaqueTerm] = {}
        self.rule: str | None = None  # whose transitions are being added

    def number(self, term: Term) -> int:
        """The vertex of a number; equal numbers that are written alike are one vertex."""
        known = self._known.get(term.number)
        if known is None:
            known = self._known[term.number] = self._compute(term)
        return known

    def next_number(self, cell: int, values: Iterable[int]) -> int:
        """The next value of a cell as a number: of a large cell its next copy, else made of its next literals."""
        if cell in self._literals.large:
            return self._literals.large_next[cell]
        least, *others = values
        cases: list[tuple[int, int | bool]] = [(least, True)]
        cases += [(value - least, self._literals.next[cell, value]) for value in others]
        return self._value(cases)

    def multiples(self, numbers: Mapping[int, int]) -> list[int]:
        """Numbers with coefficients."""
        return [self._vertices.node(("times", c), (number,)) for number, c in numbers.items() if c]

    def _compute(self, term: Term) -> int:
        if term.is_constant:
            return self._vertices.node(("number", term.value), ())
        if term.operator == "cell" and term.value in self._literals.large:
            return self._literals.large[term.value]
        if (term.low, term.high) == (0, 1) and term.operator in TRUTHS:
            condition = self._conditions.condition(term)
            return self._vertices.node(("number", int(condition)), ()) if isinstance(condition, bool) else condition
        if self._conditions.is_small(term.support):
            return self._value(self._conditions.cases(term))
        match term.operator:
            case "sum":
                return self._sum(term)
            case "ite":
                return self._choice(term)
            case operator if operator in EXTREMES:
                return self._vertices.node(("operator", operator), map(self.number, term.args))
            case _:
                return self._operator(term)

    def _value(self, cases: Iterable[tuple[int, int | bool]]) -> int:
        parts = [
            self._vertices.node(("weight", v), () if isinstance(c, bool) else (c,)) for v, c in cases if c is not False
        ]
        return self._vertices.node(("value",), parts)

    def _sum(self, term: Term) -> int:
        numbers: dict[int, int] = {}  # two spellings of one number are one vertex
        for coefficient, argument in zip(term.coefficients, term.args, strict=True):
            number = self.number(argument)
            numbers[number] = numbers.get(number, 0) + coefficient
        return self._vertices.node(("sum", term.value), self.multiples(numbers))

    def _operator(self, term: Term) -> int:
        """An operator that is only seen as written: products and bits without order, ``/`` and ``%`` with one."""
        self.opaque[term.number] = OpaqueTerm(term, self.rule)
        vertices = self._vertices
        if term.operator in ("/", "%", "ite"):
            parts = [vertices.node(("argument", k), (self.number(a),)) for k, a in enumerate(term.args)]
            return vertices.node(("operator", term.operator), parts)
        counts: dict[int, int] = {}
        for count, argument in zip(term.coefficients, term.args, strict=True):
            number = self.number(argument)
            counts[number] = counts.get(number, 0) + count
        if term.operator in IDEMPOTENT:
            return vertices.node(("operator", term.operator), counts)
        if term.operator == "^":
            return vertices.node(("operator", term.operator), (n for n, count in counts.items() if count % 2))
        powers = [vertices.node(("power", count), (number,)) for number, count in counts.items()]
        return vertices.node(("operator", term.operator), powers)

    # ------------------------------------------------------------ choices

    def _choice(self, term: Term) -> int:
        """Nested choices as cases that exclude one another, each a value with the condition under which it is taken."""
        try:
            cases = self._cases(term)
        except TooLarge:  # the conditions of nested choices, put together, are deeper than the choices
            cases = None
        if cases is None:
            return self._operator(term)
        vertices = self._vertices
        parts = [(number, self._conditions.condition(condition)) for number, condition in cases.items()]
        for number, taken in parts:
            if taken is True:
                return number
        return vertices.node(
            ("choice",),
            (
                vertices.node(("case",), (vertices.node(("when",), (taken,)), number))
                for number, taken in parts
                if taken is not False
            ),
        )

    def _cases(self, term: Term) -> dict[int, Term] | None:
        """The values of nested choices with their conditions, equal values together; None if there are too many."""
        leaves = [*islice(self._leaves(term, self._terms.true), _MOST_CASES + 1)]
        if len(leaves) > _MOST_CASES:
            return None
        conditions: dict[int, list[Term]] = {}
        for value, condition in leaves:
            conditions.setdefault(self.number(value), []).append(condition)
        return {number: self._terms.disjunction(some) for number, some in conditions.items()}

    def _leaves(self, term: Term, path: Term) -> Iterable[tuple[Term, Term]]:
        if path is self._terms.false:
            return
        if term.operator != "ite" or self._conditions.is_small(term.support):
            yield term, path
            return
        condition, then, otherwise = term.args
        yield from self._leaves(then, self._terms.conjunction((path, condition)))
        yield from self._leaves(otherwise, self._terms.conjunction((path, self._terms.negation(condition))))
