"""Arithmetic of Java in terms of the model's: division towards zero, shifts, casts.

A draft of a model serves to find the ranges of variables. There, divisions and casts stand as they are in the text, and
`ranges` reads them so; the final model has expressions that mean the same.
"""

from __future__ import annotations

from typing import Final, final

from burnside.frontends.rebeca.constants import quotient, wrapped
from burnside.frontends.rebeca.shape import Shape
from burnside.frontends.rebeca.types import Type, limits
from burnside.ir.nodes import Binary, Choice, Const, Expr, Lookup, Unary
from burnside.source import Span

# Names of tables that only drafts have: the cast of a number to a type.
CAST: Final = "cast to "
LARGEST_SHIFT: Final = 31


@final
class Arithmetic:
    """Builds expressions for a shape."""

    def __init__(self, shape: Shape) -> None:
        self._shape = shape

    def operation(self, operator: str, left: Expr, right: Expr, span: Span) -> Expr:
        """An operator on two numbers."""
        match operator:
            case "/" | "%":
                return self._division(operator, left, right, span)
            case "<<":
                return Binary("*", left, self._power(right, span), span)
            case ">>":
                # Rounding down is what a shift does to negative numbers.
                return Binary("/", left, self._power(right, span), span)
            case _:
                return Binary(operator, left, right, span)

    def cast(self, value: Expr, kind: Type, span: Span) -> Expr:
        """What a cast leaves of a number."""
        low, high = limits(kind)
        if isinstance(value, Const):
            return Const(wrapped(value.value, kind), span=span)
        if self._shape.is_draft:
            return Lookup(CAST + kind.name, (value,), span)
        least, most = self._shape.bounds.of(value)
        if low <= least and most <= high:
            return value
        size = Const(high - low + 1)
        return Binary("+", Binary("%", Binary("-", value, Const(low)), size), Const(low), span)

    def _power(self, exponent: Expr, span: Span) -> Expr:
        # As in Java, the last five bits count.
        if isinstance(exponent, Const):
            return Const(1 << (exponent.value & LARGEST_SHIFT))
        exponent = Binary("&", exponent, Const(LARGEST_SHIFT))
        found: Expr = Const(1 << LARGEST_SHIFT)
        for k in reversed(range(LARGEST_SHIFT)):
            found = Choice(Binary("==", exponent, Const(k)), Const(1 << k), found, span)
        return found

    def _division(self, operator: str, left: Expr, right: Expr, span: Span) -> Expr:
        if isinstance(left, Const) and isinstance(right, Const) and right.value:
            ratio = quotient(left.value, right.value)
            return Const(ratio if operator == "/" else left.value - right.value * ratio, span=span)
        if self._shape.is_draft:
            return Binary(operator, left, right, span)
        if self._shape.bounds.of(left)[0] >= 0 and self._shape.bounds.of(right)[0] >= 0:
            return Binary(operator, left, right, span)
        size = Binary("/", _absolute(left), _absolute(right), span)
        is_positive = Binary("<=>", Binary("<", left, Const(0)), Binary("<", right, Const(0)))
        ratio_of = Choice(is_positive, size, Unary("-", size), span)
        return ratio_of if operator == "/" else Binary("-", left, Binary("*", right, ratio_of), span)


def _absolute(value: Expr) -> Expr:
    return Binary("max", value, Unary("-", value))
