"""Changing expressions and statements: what is put in the places of their parts.

A pass says what it does to the nodes it is about and leaves the rest to `map_expr` and `map_stmt`::

    def doubled(expr: Expr) -> Expr:
        return Const(2 * expr.value) if isinstance(expr, Const) else map_expr(expr, doubled)

Keeps: spans, and identity where nothing changes, so that what was one object stays one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from operator import is_
from typing import TypeAlias, TypeVar, assert_never

from burnside.ir import nodes as n
from burnside.ir.nodes import Expr, Stmt
from burnside.ir.walk import children
from burnside.ir.wholes import Subject

Block: TypeAlias = tuple[Stmt, ...]

E = TypeVar("E", bound=Expr)


def map_expr(expr: E, change: Callable[[Expr], Expr]) -> E:
    """An expression of the same kind with changed sub-expressions."""
    old = children(expr)
    new = tuple(map(change, old))
    return expr if all(map(is_, old, new)) else with_children(expr, new)


def with_children(expr: E, new: Sequence[Expr]) -> E:
    """An expression with other sub-expressions, given in the order of `walk.children`."""
    rebuilt = _rebuilt(expr, tuple(new))
    assert isinstance(rebuilt, type(expr))
    return rebuilt


def _rebuilt(expr: Expr, new: tuple[Expr, ...]) -> Expr:
    match expr:
        case n.Const() | n.Bound():
            return expr
        case n.Read(variable=variable):
            return n.Read(variable, new, expr.span)
        case n.Length(variable=variable):
            return n.Length(variable, new, expr.span)
        case n.Item(variable=variable):
            return n.Item(variable, new[:-1], new[-1], expr.span)
        case n.Lookup(table=table):
            return n.Lookup(table, new, expr.span)
        case n.Unary(operator=operator):
            return n.Unary(operator, new[0], expr.span)
        case n.Binary(operator=operator):
            return n.Binary(operator, new[0], new[1], expr.span)
        case n.Logic(operator=operator):
            return n.Logic(operator, new, expr.span)
        case n.Choice():
            return n.Choice(new[0], new[1], new[2], expr.span)
        case n.Quantified(quantifier=quantifier, name=name, domain=domain):
            return n.Quantified(quantifier, name, domain, new[0], expr.span)
        case n.Checked(domain=domain):
            return n.Checked(new[0], domain, expr.span)
        case _:
            assert_never(expr)


def map_stmt(statement: Stmt, expr: Callable[[Expr], Expr], block: Callable[[Block], Block]) -> Stmt:
    """A statement of the same kind with changed expressions and blocks.

    What is written stays what it is: of a target only indices and position are changed.
    """

    def all_of(exprs: tuple[Expr, ...]) -> tuple[Expr, ...]:
        return tuple(map(expr, exprs))

    def about(subject: Subject | None) -> Subject | None:
        return subject and replace(subject, values=all_of(subject.values))

    match statement:
        case n.Assign(target=target, value=value):
            return n.Assign(map_expr(target, expr), expr(value), statement.span)
        case n.Push(variable=variable, indices=indices, value=value):
            return n.Push(variable, all_of(indices), expr(value), statement.span, about(statement.about))
        case n.Pop(indices=indices) | n.Clear(indices=indices):
            return replace(statement, indices=all_of(indices))
        case n.If(condition=condition, then=then, otherwise=otherwise):
            return n.If(expr(condition), block(then), block(otherwise), statement.span)
        case n.For(body=body):
            return replace(statement, body=block(body))
        case n.While(condition=condition, limit=limit, body=body):
            return n.While(expr(condition), limit, block(body), statement.span)
        case n.Declare(value=value):
            return replace(statement, value=expr(value))
        case n.Assert(condition=condition):
            return replace(statement, condition=expr(condition), about=about(statement.about))
        case _:
            assert_never(statement)


def substitute(expr: Expr, values: Mapping[str, Expr], taken: set[str]) -> Expr:
    """``expr`` with ``values`` for its free names; quantified names that are taken get new ones.

    ``taken`` holds all names in use around the place of insertion and inside ``values``, so nothing that
    is inserted can be captured.
    """
    match expr:
        case n.Bound(name=name):
            match values.get(name, expr):
                case n.Bound(span=None) as other:  # which is about this place
                    return n.Bound(other.name, other.domain, expr.span)
                case value:
                    return value
        case n.Quantified(name=name, domain=domain, body=body):
            new = fresh_name(name, taken)
            inside = {**values, name: n.Bound(new, domain)}  # which hides a value for the name
            return replace(expr, name=new, body=substitute(body, inside, taken | {new}))
        case _:
            return map_expr(expr, lambda part: substitute(part, values, taken))


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
