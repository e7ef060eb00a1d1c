"""Optional values are not numbers: ``none`` is neither less nor greater than any, so what orders them is reported."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from burnside.claims.conditions import expressions_in
from burnside.claims.task import Task
from burnside.frontends.seq.ids import numbered
from burnside.ir import nodes as n
from burnside.ir.ids import Declared, kind_of
from burnside.ir.nodes import Expr
from burnside.ir.operators import ORDERINGS
from burnside.ir.walk import children, parts
from burnside.source import Diagnostics, Span

CODE: Final = "BUR222"


def check_order(task: Task, known: Declared, diagnostics: Diagnostics) -> None:
    """Report comparisons by order, and extremes, of values that may be none; ids are reported as such."""
    seen: set[Span] = set()
    for expr in expressions_in(task):
        for part in parts(expr):
            sides = [side for side in _ordered(part) if known.is_optional(side) and not kind_of(side, known)]
            if sides and part.span not in seen:
                _report(diagnostics, part, sides)
            if sides and part.span is not None:
                seen.add(part.span)


def _ordered(expr: Expr) -> tuple[Expr, ...]:
    """The operands of an operator that asks for an order."""
    is_one = isinstance(expr, n.Binary) and expr.operator in (*ORDERINGS, "min", "max")
    return tuple(children(expr)) if is_one else ()


def _report(diagnostics: Diagnostics, part: Expr, sides: Sequence[Expr]) -> None:
    texts = [side.span.balanced().text if side.span else "a value" for side in sides]
    named = " and ".join(f"'{' '.join(text.split())}'" for text in texts)
    numbers = " and ".join(map(numbered, sides))
    remedy = f"test for none first, and write {numbers} for the number{'s' if len(sides) > 1 else ''}"
    message = f"{named} may be none, which has no place in an order"
    diagnostics.error(CODE, message, part.span and part.span.balanced(), help=remedy)
