"""Making expressions: connectives, negations and comparisons as short as they can be written at once.

Nothing that evaluation would have reached is left out, so that faults stay: only operands that decide nothing, what
stands behind one that decides, and what has been evaluated before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from burnside.ir.nodes import BOOL, FALSE, TRUE, Binary, Const, Expr, Logic, Parameter, Quantified, Unary
from burnside.ir.semantics import apply_operator
from burnside.source import Span


def truth(value: bool, span: Span | None = None) -> Const:
    """``true`` or ``false``."""
    return Const(int(value), BOOL, span)


def conjunction(conditions: Iterable[Expr], span: Span | None = None) -> Expr:
    """All of some conditions."""
    return connect("&&", conditions, span)


def disjunction(conditions: Iterable[Expr], span: Span | None = None) -> Expr:
    """Some of some conditions."""
    return connect("||", conditions, span)


def connect(
    operator: str,
    operands: Iterable[Expr],
    span: Span | None = None,
    *,
    can_fault: Callable[[Expr], bool] = lambda _: True,
) -> Expr:
    """``&&`` or ``||`` of operands, without brackets and repetitions.

    What stands right before an operand that decides goes as well if it cannot fault.
    """
    kept = list(dict.fromkeys(_evaluated(operator, operands)))
    if not kept:
        return truth(operator == "&&", span)
    while len(kept) > 1 and kept[-1] in (TRUE, FALSE) and not can_fault(kept[-2]):
        del kept[-2]
    return kept[0] if len(kept) == 1 else Logic(operator, tuple(kept), span)


def _evaluated(operator: str, operands: Iterable[Expr]) -> Iterator[Expr]:
    """The operands that are evaluated: up to one that decides, without those that never do, and without brackets."""
    neutral, deciding = (TRUE, FALSE) if operator == "&&" else (FALSE, TRUE)
    for operand in _without_brackets(operator, operands):
        if operand != neutral:
            yield operand
        if operand == deciding:
            return


def _without_brackets(operator: str, operands: Iterable[Expr]) -> Iterator[Expr]:
    for operand in operands:
        if isinstance(operand, Logic) and operand.operator == operator:
            yield from _without_brackets(operator, operand.operands)
        else:
            yield operand


def conjuncts(condition: Expr) -> tuple[Expr, ...]:
    """The conditions that make up a condition."""
    return condition.operands if isinstance(condition, Logic) and condition.operator == "&&" else (condition,)


def negation(condition: Expr, span: Span | None = None) -> Expr:
    """``!`` of a condition."""
    match condition:
        case Const(value=value, domain=domain) if domain == BOOL:
            return truth(not value, span)
        case Unary(operator="!", operand=inner):
            return inner
        case _:
            return Unary("!", condition, span)


def comparison(operator: str, left: Expr, right: Expr, span: Span | None = None) -> Expr:
    """A comparison, decided if both sides are known."""
    if isinstance(left, Const) and isinstance(right, Const) and left.domain == right.domain:
        return truth(bool(apply_operator(operator, left.value, right.value)), span)
    return Binary(operator, left, right, span)


def within(value: Expr, low: int, high: int, span: Span | None = None) -> Expr:
    """Whether a value is between two numbers, or one of them."""
    return conjunction((comparison("<=", Const(low), value), comparison("<=", value, Const(high))), span)


def quantify(quantifier: str, parameters: Sequence[Parameter], body: Expr) -> Expr:
    """A body for all values of some parameters, the first of them outermost."""
    for parameter in reversed(parameters):
        body = Quantified(quantifier, parameter.name, parameter.domain, body)
    return body
