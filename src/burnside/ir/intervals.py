"""Which values an expression can take: sound bounds by interval arithmetic.

The checker uses them to refuse models whose numbers could leave 64 bits; the code generator to leave
out run-time checks that cannot fail. Bounds ignore what guards say, so they may be too wide, never too
narrow.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias, assert_never

from burnside.ir import nodes as n
from burnside.ir.nodes import Expr, Value, Variable

Interval: TypeAlias = tuple[int, int]

TRUTH: Interval = (0, 1)


class Bounds:
    """Intervals of expressions over given variables and constant tables."""

    def __init__(self, variables: Mapping[str, Variable], tables: Mapping[str, Value]) -> None:
        self._variables = variables
        self._tables = {name: _range_of(value) for name, value in tables.items()}

    def of(self, expr: Expr) -> Interval:
        """The least and greatest value ``expr`` might have; (0, -1) cannot occur: no expression is impossible."""
        match expr:
            case n.Const(value=value):
                return value, value
            case n.Bound(domain=domain):
                return domain.low, domain.high
            case n.Read(variable=name) | n.Item(variable=name):
                domain = self._variables[name].domain
                return domain.low, domain.high
            case n.Length(variable=name):
                return 0, self._variables[name].capacity or 0
            case n.Lookup(table=table):
                return self._tables[table]
            case n.Unary(operator="-", operand=operand):
                low, high = self.of(operand)
                return -high, -low
            case n.Unary() | n.Logic():
                return TRUTH
            case n.Binary():
                return binary_interval(expr.operator, self.of(expr.left), self.of(expr.right))
            case n.Choice():
                return _hull(self.of(expr.then), self.of(expr.otherwise))
            case n.Quantified(quantifier="count"):
                return 0, expr.domain.size
            case n.Quantified(quantifier="sum"):
                low, high = self.of(expr.body)
                return low * expr.domain.size, high * expr.domain.size
            case n.Quantified():
                return TRUTH
            case n.Checked(operand=operand, domain=domain):
                low, high = self.of(operand)
                # Not what both have in common: native code puts a value of the domain in the place of one outside.
                return (low, high) if domain.low <= low and high <= domain.high else (domain.low, domain.high)
            case _:
                assert_never(expr)


def binary_interval(operator: str, left: Interval, right: Interval) -> Interval:
    """Bounds of a binary operator from bounds of its operands.

    >>> binary_interval("%", (-5, 20), (4, 4))
    (0, 3)
    """
    (a, b), (c, d) = left, right
    match operator:
        case "+":
            return a + c, b + d
        case "-":
            return a - d, b - c
        case "*":
            corners = (a * c, a * d, b * c, b * d)
            return min(corners), max(corners)
        case "/":
            return _quotient(left, right)
        case "%":
            return _remainder(left, right)
        case "&" | "|" | "^":
            return _bitwise(operator, left, right)
        case "min":
            return min(a, c), min(b, d)
        case "max":
            return max(a, c), max(b, d)
        case _:
            return TRUTH


def _quotient(left: Interval, right: Interval) -> Interval:
    # A zero divisor is a fault, so only the other divisors give values; extremes lie next to zero or at the ends.
    divisors = {d for d in (*right, -1, 1) if d != 0 and right[0] <= d <= right[1]}
    corners = [a // d for a in left for d in divisors]
    return (min(corners), max(corners)) if corners else (0, 0)


def _remainder(left: Interval, right: Interval) -> Interval:
    low, high = min(0, right[0] + 1), max(0, right[1] - 1)
    if left[0] >= 0 and right[0] > 0:
        high = min(high, left[1])
    return low, high


def _bitwise(operator: str, left: Interval, right: Interval) -> Interval:
    if operator == "&" and (left[0] >= 0 or right[0] >= 0):
        return 0, min(high for low, high in (left, right) if low >= 0)
    bits = max(abs(value).bit_length() for value in (*left, *right))
    top = (1 << bits) - 1
    return (0, top) if left[0] >= 0 and right[0] >= 0 else (-top - 1, top)


def _hull(left: Interval, right: Interval) -> Interval:
    return min(left[0], right[0]), max(left[1], right[1])


def _range_of(value: Value) -> Interval:
    if isinstance(value, int):
        return value, value
    ranges = [_range_of(v) for v in value]
    return (min(r[0] for r in ranges), max(r[1] for r in ranges)) if ranges else (0, 0)
