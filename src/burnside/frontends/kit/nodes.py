"""Nodes of the model, for languages that are read straight into them."""

from __future__ import annotations

from burnside.frontends.kit.operators import Signs
from burnside.ir.nodes import Binary, Expr, Logic
from burnside.source import Span


def joined(signs: Signs, parts: tuple[Expr, ...], _: Span) -> Expr:
    """The node of an operator and its operands."""
    first, last = parts[0], parts[-1]
    span = first.span.to(last.span) if first.span and last.span else None
    return Logic(signs[0], parts, span) if signs[0] in ("&&", "||") else Binary(signs[0], first, last, span)
