"""Walking expressions and programs: parts, and sizes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import assert_never

from burnside.ir.nodes import (
    Assert,
    Assign,
    Binary,
    Bound,
    Choice,
    Clear,
    Const,
    Declare,
    Expr,
    For,
    If,
    Item,
    Length,
    Logic,
    Lookup,
    Pop,
    Push,
    Quantified,
    Read,
    Stmt,
    Unary,
    While,
)


def children(expr: Expr) -> tuple[Expr, ...]:
    """The direct sub-expressions, in order of evaluation."""
    match expr:
        case Const() | Bound():
            return ()
        case Read(indices=indices) | Length(indices=indices) | Lookup(indices=indices):
            return indices
        case Item(indices=indices, position=position):
            return (*indices, position)
        case Unary(operand=operand):
            return (operand,)
        case Binary(left=left, right=right):
            return left, right
        case Logic(operands=operands):
            return operands
        case Choice(condition=condition, then=then, otherwise=otherwise):
            return condition, then, otherwise
        case Quantified(body=body):
            return (body,)
        case _:
            assert_never(expr)


def parts(expr: Expr) -> Iterator[Expr]:
    """The expression itself, and all its sub-expressions."""
    yield expr
    for child in children(expr):
        yield from parts(child)


def expanded_size(expr: Expr) -> int:
    """How many nodes an expression has once every quantifier is written out."""
    inner = 1 + sum(map(expanded_size, children(expr)))
    return inner * expr.domain.size if isinstance(expr, Quantified) else inner


def expanded_block_size(body: Iterable[Stmt]) -> int:
    """How many nodes a program has once every ``for`` and every quantifier is written out."""
    return sum(map(_expanded_statement_size, body))


def _expanded_statement_size(statement: Stmt) -> int:
    match statement:
        case If(condition=condition, then=then, otherwise=otherwise):
            return expanded_size(condition) + expanded_block_size((*then, *otherwise))
        case For(domain=domain, body=body):
            return 1 + domain.size * expanded_block_size(body)
        case While(condition=condition, body=body):
            return expanded_size(condition) + expanded_block_size(body)
        case Assign(target=target, value=value):
            return expanded_size(target) + expanded_size(value)
        case Push(indices=indices, value=value):
            return expanded_size(value) + 3 + sum(map(expanded_size, indices))
        case Declare(value=value) | Assert(condition=value):
            return 1 + expanded_size(value)
        case Pop(indices=indices) | Clear(indices=indices):
            return 3 + sum(map(expanded_size, indices))
        case _:
            assert_never(statement)
