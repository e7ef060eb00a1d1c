"""Random numbers that are computed: extremes, sums, products, remainders, bits and choices, written out or collected.

What is folded over a domain is written with a quantifier, with an operand for each value in any nesting, or as a loop.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Protocol

from .language import Domain, Tree, Variable, numbers

_OPERATORS = ("+", "+", "-", "-", "*", "&", "|", "^")
_FOLDS = ("max", "max", "min", "+", "+", "*", "-", "&", "|", "^")
_LOCAL = numbers(-(1 << 31), (1 << 31) - 1)


class Writer(Protocol):
    """What is needed of one who writes models."""

    random: Random
    symmetric: bool
    careless: bool
    domains: list[Domain]
    variables: list[Variable]

    def often(self, likely: float) -> bool: ...
    def bound(self, context: Mapping[str, Domain], pool: Sequence[str] = ...) -> str: ...
    def reads(self, context: Mapping[str, Domain]) -> list[tuple[Tree, Domain]]: ...
    def condition(self, context: Mapping[str, Domain], depth: int) -> Tree: ...


class NumberWriter:
    """Writes numbers with the names and variables that another writer knows."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer
        self._random = writer.random

    def number(self, context: Mapping[str, Domain], depth: int) -> Tree:
        """Any number; operands of products are read, so that none is too large."""
        maker = self._random.randrange(8) if depth else 7
        match maker:
            case 0 | 1 | 2:
                return self._fold(context, depth)
            case 3:
                what = self._random.choice(("min", "max"))
                return (what, tuple(self.number(context, depth - 1) for _ in range(self._random.choice((2, 2, 3)))))
            case 4:
                condition = self._writer.condition(context, 1)
                return ("if", condition, self.number(context, depth - 1), self.number(context, depth - 1))
            case 5:
                return self._divided(self.number(context, depth - 1), context)
            case 6:
                operator = self._random.choice(_OPERATORS)
                inner = 0 if operator == "*" else depth - 1
                return ("op", operator, self.number(context, inner), self.number(context, inner))
            case _:
                return self._read(context)

    def _read(self, context: Mapping[str, Domain]) -> Tree:
        """Mostly what belongs to the value that was bound last."""
        reads = [(e, d) for _ in range(2) for e, d in self._writer.reads(context) if d.type == "number"]
        last = ("name", next(reversed(context), ""))
        options = [number_of(e, d) for e, d in [r for r in reads if last in r[0][2]] or reads]
        if not options or self._writer.often(0.15):
            options = [("num", n) for n in (-2, 0, 1, 1, 2, 3)]
        chosen = self._random.choice(options)
        return ("neg", chosen) if self._writer.often(0.1) else chosen

    def _divided(self, value: Tree, context: Mapping[str, Domain]) -> Tree:
        """A quotient or a remainder; in careless models by anything."""
        if self._writer.careless and self._writer.often(0.4):
            return ("op", self._random.choice(("/", "%")), value, self._read(context))
        return (
            "op",
            self._random.choice(("/", "%", "%")),
            value,
            ("num", self._random.choice((-3, -2, 1, 2, 2, 3, 6))),
        )

    def _fold(self, context: Mapping[str, Domain], depth: int) -> Tree:
        name, domain = self._writer.bound(context), self._random.choice(self._indexing())
        inner = {**context, name: domain}
        operator = self._random.choice(_FOLDS)
        body = self.number(inner, 0 if operator == "*" else depth - 1)
        if self._writer.often(0.3):
            return ("quantified", "sum", ((name, domain),), body)
        if self._writer.often(0.15):
            return ("quantified", "count", ((name, domain),), self._writer.condition(inner, 1))
        each = [_substituted(body, ("name", name), ("value", domain, v)) for v in domain.values()]
        if self._writer.often(0.5):
            self._random.shuffle(each)
        if self._writer.often(0.1):
            each.append(each[0])
        return self._nested(operator, each)

    def _indexing(self) -> list[Domain]:
        """Domains, those of arrays of numbers more often."""
        arrays = [v for v in self._writer.variables if v.domain.type == "number"]
        return [*self._writer.domains, *(d for v in arrays for d in v.dimensions for _ in range(4))]

    def _nested(self, operator: str, operands: Sequence[Tree]) -> Tree:
        """Operands in their order and in any nesting."""
        if len(operands) == 1:
            return operands[0]
        if operator in ("max", "min") and self._writer.often(0.3):
            return (operator, tuple(operands))
        at = self._random.randrange(1, len(operands))
        sides = self._nested(operator, operands[:at]), self._nested(operator, operands[at:])
        if operator not in ("max", "min"):
            return ("op", operator, *sides)
        if self._writer.often(0.7):
            return (operator, sides)
        comparison = self._random.choice((">", ">=") if operator == "max" else ("<", "<="))
        return ("if", ("op", comparison, *sides), *sides)

    # ------------------------------------------------------------ in a domain

    def value(self, domain: Domain, context: Mapping[str, Domain], depth: int = 2) -> Tree:
        """A number of a domain, mostly one of its first few."""
        return self._clamped(self.number(context, depth), domain)

    def _clamped(self, value: Tree, domain: Domain) -> Tree:
        few = min(len(domain), self._random.choice((2, 3, 3, 4)))
        low, high = ("num", domain.low), ("num", domain.low + few - 1)
        if self._writer.careless and self._writer.often(0.4):
            return value
        if self._writer.often(0.5):
            return ("max", (low, ("min", (high, value))))
        if domain.low == 0:
            return ("op", "%", value, ("num", few))
        return ("op", "+", low, ("op", "%", ("op", "-", value, low), ("num", few)))

    # ------------------------------------------------------------ loops

    def collected(self, variable: Variable, indices: tuple[Tree, ...], context: Mapping[str, Domain]) -> Iterator[Tree]:
        """A local that goes through one or two domains and then becomes the value of an element."""
        total = self._writer.bound(context, ("w", "y"))
        inner = {**context, total: _LOCAL}
        loops: list[tuple[str, Domain]] = []
        for _ in range(self._random.choice((1, 1, 1, 2))):
            loops.append((self._writer.bound(inner), self._random.choice(self._indexing())))
            inner[loops[-1][0]] = loops[-1][1]
        del inner[total]
        body = self._step(("name", total), inner, variable)
        for name, domain in reversed(loops):
            body = (("for", name, domain, body),)
        start = self._read(context) if self._writer.often(0.4) else ("num", self._random.choice((0, 0, 1, 3)))
        last = ("set", variable.name, indices, self._clamped(("name", total), variable.domain))
        yield ("if", ("true",), (("local", total, _LOCAL, start), *body, last), ())

    def _step(self, total: Tree, context: Mapping[str, Domain], variable: Variable) -> tuple[Tree, ...]:
        name = total[1]
        value = self.number(context, self._random.choice((0, 0, 1)))
        modulus: Tree = ("num", self._random.choice((2, 3, 5)))
        after: Tree = self._random.choice(
            (
                ("op", "+", total, value),
                ("op", "+", total, value),
                ("max", (total, value)),
                ("min", (value, total)),
                ("op", "%", ("op", "+", total, value), modulus),
                ("op", "%", ("op", "*", ("op", "%", total, modulus), value), modulus),
                ("min", (("op", "+", total, value), modulus)),
                ("op", "-", value, ("op", "%", total, modulus)),  # these have an order
                ("op", "+", ("op", "*", ("op", "%", total, modulus), ("num", 2)), value),
                value,
            )
        )
        step: tuple[Tree, ...] = (("set local", name, after),)
        chance = self._random.random()
        if chance < 0.2:
            step = (
                (
                    "if",
                    ("op", self._random.choice((">", "<", ">=", "<=")), value, total),
                    (("set local", name, value),),
                    (),
                ),
            )
        elif chance < 0.5:
            step = (("if", self._writer.condition(context, 1), step, ()),)
        elif chance < 0.6:
            step = (("if", ("op", "==", total, ("num", 0)), step, ()),)
        written = [e for e, d in self._writer.reads(context) if e[1] == variable.name]
        if written and self._writer.often(0.15):  # what is read later in the loop
            step = (*step, ("set", variable.name, written[0][2], self._clamped(total, variable.domain)))
        return step


def number_of(e: Tree, domain: Domain) -> Tree:
    """An expression of a domain as a number: ids are none."""
    return ("ord", e) if domain.ids else e


def _substituted(tree: Tree, old: Tree, new: Tree) -> Tree:
    if tree == old:
        return new
    return tuple(_substituted(part, old, new) if isinstance(part, tuple) else part for part in tree)
