"""Arithmetic of Murphi as expressions of the model: division towards zero, shifts, and what is known at once."""

from __future__ import annotations

from typing import Final

from burnside.ir.nodes import Binary, Choice, Const, Expr, Unary
from burnside.source import Span

# Shifting further than this leaves no bit that a number could have; by what is not known, not as far.
_MOST_SHIFT: Final = 62
_MOST_STEPS: Final = 31


def arithmetic(operator: str, left: Expr, right: Expr, span: Span | None) -> Expr:
    """``+ - * / % & | ^ << >>`` of two numbers."""
    if isinstance(left, Const) and isinstance(right, Const):
        known = folded(operator, left.value, right.value)
        if known is not None:
            return Const(known, None, span)
    match operator:
        case "/" | "%":
            return _divided(operator, left, right, span)
        case "<<" | ">>":
            return _shifted(operator, left, right, span)
        case _:
            return Binary(operator, left, right, span)


def folded(operator: str, left: int, right: int) -> int | None:
    """The value of an operator on numbers; None if there is none, or if it is out of reach."""
    match operator:
        case "/" | "%":
            if right == 0:
                return None
            quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
            return quotient if operator == "/" else left - right * quotient
        case "<<" | ">>":
            steps = right if operator == "<<" else -right
            if steps > _MOST_SHIFT:
                return 0
            return left << steps if steps >= 0 else left >> -steps
    return {
        "+": left + right,
        "-": left - right,
        "*": left * right,
        "&": left & right,
        "|": left | right,
        "^": left ^ right,
    }[operator]


def negative(operand: Expr, span: Span | None) -> Expr:
    """``-`` of a number."""
    return Const(-operand.value, None, span) if isinstance(operand, Const) else Unary("-", operand, span)


def _divided(operator: str, left: Expr, right: Expr, span: Span | None) -> Expr:
    """Division that rounds towards zero: the model rounds down, which is the same unless signs differ."""
    if isinstance(right, Const) and right.value != 0:
        size = Const(abs(right.value))
        is_negative = Binary("<", left, Const(0))
        magnitude = Choice(is_negative, Unary("-", left), left)
        plain = Binary(operator, magnitude, size, span)
        flips = Unary("!", is_negative) if operator == "/" and right.value < 0 else is_negative
        return Choice(flips, Unary("-", plain), plain, span)
    # Signs of both may differ; the divisor may be zero, which is a fault of either branch.
    exact = Binary("%", left, right, span)
    down = Binary("/", left, right, span)
    differ = Binary("!=", Binary("<", left, Const(0)), Binary("<", right, Const(0)))
    rounded = Choice(differ, Choice(Binary("==", exact, Const(0)), down, Binary("+", down, Const(1))), down, span)
    return rounded if operator == "/" else Binary("-", left, Binary("*", right, rounded), span)


def _shifted(operator: str, left: Expr, right: Expr, span: Span | None) -> Expr:
    """Shifts as multiplications and divisions by the powers of two that the distance may be."""
    sign = 1 if operator == "<<" else -1
    if isinstance(right, Const):
        return _by_steps(left, sign * right.value, span)
    found: Expr = Choice(Binary("<", Const(0), Binary("*", Const(sign), right)), Const(0), _by_steps(left, -62, span))
    for steps in range(-_MOST_STEPS, _MOST_STEPS + 1):
        found = Choice(Binary("==", right, Const(sign * steps)), _by_steps(left, steps, span), found, span)
    return found


def _by_steps(left: Expr, steps: int, span: Span | None) -> Expr:
    if steps > _MOST_SHIFT:
        return Const(0, None, span)
    factor = Const(1 << min(abs(steps), _MOST_SHIFT))
    return Binary("*" if steps >= 0 else "/", left, factor, span)
