"""Expressions put together, with what is known computed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from burnside.frontends.cspsharp.names.scope import (
    Channel,
    Scope,
    constant,
)
from burnside.ir.nodes import (
    BOOL,
    FALSE,
    TRUE,
    Binary,
    Bound,
    Const,
    Expr,
    Item,
    Length,
    Logic,
    Read,
    Unary,
)
from burnside.ir.semantics import apply_operator
from burnside.ir.walk import children
from burnside.source import Span

COMPARISONS: Final = ("==", "!=", "<", "<=", ">", ">=")


def variables_in(expr: Expr) -> set[str]:
    """The variables that an expression reads."""
    own = {expr.variable} if isinstance(expr, Read | Item | Length) else set()
    return own.union(*map(variables_in, children(expr)))


def fold(operator: str, left: Expr, right: Expr, span: Span | None = None) -> Expr:
    """A comparison, decided if both sides are known."""
    if isinstance(left, Const) and isinstance(right, Const) and left.domain == right.domain:
        return constant(bool(apply_operator(operator, left.value, right.value)), span)
    return Binary(operator, left, right, span)


def join(operator: str, parts: Sequence[Expr], span: Span | None = None) -> Expr:
    """``&&`` or ``||`` of some parts; evaluation stops at a constant that decides."""
    neutral, deciding = (TRUE, FALSE) if operator == "&&" else (FALSE, TRUE)
    kept: list[Expr] = []
    for part in parts:
        if part == neutral:
            continue
        inner = part.operands if isinstance(part, Logic) and part.operator == operator else (part,)
        kept += [p for p in inner if p not in kept]
        if part == deciding:
            break
    if not kept:
        return Const(neutral.value, BOOL, span)
    return kept[0] if len(kept) == 1 else Logic(operator, tuple(kept), span)


def negate(operand: Expr, span: Span | None = None) -> Expr:
    """``!`` of a condition."""
    match operand:
        case Const(value=value, domain=domain) if domain == BOOL:
            return Const(1 - value, BOOL, span)
        case Unary(operator="!", operand=inner):
            return inner
        case _:
            return Unary("!", operand, span)


def slot_name(channel: Channel, position: int) -> str:
    """The variable that holds one component of a channel's messages."""
    return channel.name if position == 0 else f"{channel.name}.{position}"


def is_open(expr: Expr) -> bool:
    """Whether an expression depends on a message that is not known."""
    return isinstance(expr, Bound) or any(map(is_open, children(expr)))


def is_truth(expr: Expr, scope: Scope) -> bool:
    """Whether an expression is a truth value by its form."""
    match expr:
        case Const(domain=domain) | Bound(domain=domain):
            return domain == BOOL
        case Read(variable=name):
            return scope.variables[name].is_truth
        case Item(variable=name, indices=indices):
            arity = len(indices) + (scope.channels[name].arity or 0)
            return scope.kinds.get((name, arity, len(indices)), False)
        case Logic():
            return True
        case Unary(operator=operator):
            return operator == "!"
        case Binary(operator=operator):
            return operator in COMPARISONS
        case _:
            return False
