"""Operators of Java in terms of the model's: division towards zero, shifts, casts, logic that computes both sides.

A draft of a model serves to find the ranges of variables. There, divisions and casts stand as they are in the text, and
`ranges` reads them so; the final model has expressions that mean the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, final

from burnside.frontends.rebeca.names.constants import quotient, wrapped
from burnside.frontends.rebeca.names.types import WIDTHS, Type, limits
from burnside.frontends.rebeca.translate.shape import Shape
from burnside.ir.nodes import Binary, Bound, Choice, Const, Expr, Logic, Lookup, Read, Unary
from burnside.ir.walk import children, expanded_size
from burnside.source import Span

# Tables that only drafts have: the cast of a number to a type.
CASTS: Final[Mapping[str, Type]] = {f"cast to {name}": Type(name) for name in WIDTHS}
_TABLES: Final[Mapping[Type, str]] = {kind: table for table, kind in CASTS.items()}
LARGEST_SHIFT: Final = 31
# How often an operand may be copied into an expression that means the operator.
COPIES: Final[Mapping[str, int]] = {"<<": LARGEST_SHIFT, ">>": LARGEST_SHIFT, "/": 4, "%": 4}
LARGEST: Final = 1 << 14


def is_too_large(operator: str, left: Expr, right: Expr) -> bool:
    """Whether the expression that an operator becomes is larger than can be worked with."""
    copies = COPIES.get(operator, 2)
    return copies * (expanded_size(left) + expanded_size(right)) > LARGEST


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
            return Lookup(_TABLES[kind], (value,), span)
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
        if self._shape.bounds.of(right)[0] >= 0:
            return self._towards_zero(operator, left, right, span)
        mirrored = self._towards_zero(operator, left, Unary("-", right), span)
        # The sign of a remainder is that of the left side.
        mirrored = Unary("-", mirrored, span) if operator == "/" else mirrored
        return Choice(Binary("<", right, Const(0)), mirrored, self._towards_zero(operator, left, right, span), span)

    def _towards_zero(self, operator: str, left: Expr, right: Expr, span: Span) -> Expr:
        """The operator for a right side that is not negative; the model's rounds down."""
        down = Binary(operator, left, right, span)
        if self._shape.bounds.of(left)[0] >= 0:
            return down
        return Choice(
            Binary("<", left, Const(0)), Unary("-", Binary(operator, Unary("-", left), right, span)), down, span
        )


def eager(operator: str, left: Expr, right: Expr, span: Span) -> Expr:
    """``& | ^`` of truth values. The right one is computed always: its faults must not get lost."""
    if operator == "^":
        return Binary("!=", left, right, span)
    if not can_fault(right):
        return Logic(operator * 2, (left, right), span)
    is_decided = Binary("==" if operator == "&" else "!=", left, right, span)
    return Logic(operator * 2, (is_decided, left), span)


def can_fault(expr: Expr) -> bool:
    """Whether an expression might have no value. The variables of a rebec that runs are there for sure."""
    match expr:
        case Read(indices=(Const() | Bound(),)):
            return False
        case Const() | Bound() | Unary() | Logic() | Choice():
            return any(map(can_fault, children(expr)))
        case Binary(operator=operator) if operator not in ("/", "%"):
            return any(map(can_fault, children(expr)))
        case _:
            return True
