"""Walking expressions, and putting expressions in the place of names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import assert_never

from burnside.ir.nodes import (
    Binary,
    Bound,
    Choice,
    Const,
    Expr,
    Item,
    Length,
    Logic,
    Lookup,
    Quantified,
    Read,
    Unary,
)
from burnside.ir.walk import children


def descend(expr: Expr) -> Iterator[tuple[Expr, int]]:
    """Every node of an expression with its depth (1 at the top), without recursion."""
    pending = [(expr, 1)]
    while pending:
        node, depth = pending.pop()
        yield node, depth
        pending.extend((child, depth + 1) for child in children(node))


def bound_names(expr: Expr) -> set[str]:
    """Names that quantifiers inside an expression bind."""
    return {node.name for node, _ in descend(expr) if isinstance(node, Quantified)}


def fresh_name(name: str, taken: set[str]) -> str:
    """``name``, or the first of ``name_2``, ``name_3``, … that is not taken.

    >>> fresh_name("k", {"k", "k_2"})
    'k_3'
    """
    if name not in taken:
        return name
    number = 2
    while f"{name}_{number}" in taken:
        number += 1
    return f"{name}_{number}"


def substitute(expr: Expr, values: Mapping[str, Expr], taken: set[str]) -> Expr:
    """``expr`` with ``values`` for its free names; quantified names that are taken get new ones.

    ``taken`` holds all names in use around the place of insertion and inside ``values``, so nothing that
    is inserted can be captured.
    """

    def inside(e: Expr) -> Expr:
        return substitute(e, values, taken)

    match expr:
        case Const():
            return expr
        case Bound(name=name):
            return values.get(name, expr)
        case Read(indices=indices) | Length(indices=indices) | Lookup(indices=indices):
            return replace(expr, indices=tuple(map(inside, indices))) if indices else expr
        case Item(indices=indices, position=position):
            return replace(expr, indices=tuple(map(inside, indices)), position=inside(position))
        case Unary(operand=operand):
            return replace(expr, operand=inside(operand))
        case Binary(left=left, right=right):
            return replace(expr, left=inside(left), right=inside(right))
        case Logic(operands=operands):
            return replace(expr, operands=tuple(map(inside, operands)))
        case Choice(condition=condition, then=then, otherwise=otherwise):
            return replace(expr, condition=inside(condition), then=inside(then), otherwise=inside(otherwise))
        case Quantified(name=name, domain=domain, body=body):
            new = fresh_name(name, taken)
            renamed = {**values, name: Bound(new, domain, expr.span)} if new != name else values
            return replace(expr, name=new, body=substitute(body, renamed, taken | {new}))
        case _:
            assert_never(expr)
