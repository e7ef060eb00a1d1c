"""Walking expressions and programs: parts, and sizes. How parts are changed is in ``rewrite``."""

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


def descend(expr: Expr) -> Iterator[tuple[Expr, int]]:
    """Every node of an expression of any depth with its depth (1 at the top), without recursion."""
    pending = [(expr, 1)]
    while pending:
        node, depth = pending.pop()
        yield node, depth
        pending.extend((child, depth + 1) for child in children(node))


def operands(statement: Stmt) -> tuple[Expr, ...]:
    """The expressions that a statement itself evaluates, without those in its blocks."""
    match statement:
        case Assign(target=target, value=value):
            return (*children(target), value)
        case Push(indices=indices, value=value):
            return (*indices, value)
        case Pop(indices=indices) | Clear(indices=indices):
            return indices
        case If(condition=condition) | While(condition=condition) | Assert(condition=condition):
            return (condition,)
        case Declare(value=value):
            return (value,)
        case For():
            return ()
        case _:
            assert_never(statement)


def blocks(statement: Stmt) -> tuple[tuple[Stmt, ...], ...]:
    """The blocks of a statement."""
    match statement:
        case If(then=then, otherwise=otherwise):
            return then, otherwise
        case For(body=body) | While(body=body):
            return (body,)
        case Assign() | Push() | Pop() | Clear() | Declare() | Assert():
            return ()
        case _:
            assert_never(statement)


def statements(body: Iterable[Stmt]) -> Iterator[Stmt]:
    """The statements of a block, and all those inside them."""
    for statement in body:
        yield statement
        for block in blocks(statement):
            yield from statements(block)


def expanded_size(expr: Expr) -> int:
    """How many nodes an expression has once every quantifier is written out."""
    inner = 1 + sum(map(expanded_size, children(expr)))
    return inner * expr.domain.size if isinstance(expr, Quantified) else inner


def expanded_block_size(body: Iterable[Stmt]) -> int:
    """How many nodes a program has once every ``for`` and every quantifier is written out."""
    return sum(map(_expanded_statement_size, body))


def _expanded_statement_size(statement: Stmt) -> int:
    own = 3 if isinstance(statement, Push | Pop | Clear) else 0 if isinstance(statement, If | While) else 1
    inside = sum(map(expanded_block_size, blocks(statement)))
    rounds = statement.domain.size if isinstance(statement, For) else 1
    return own + sum(map(expanded_size, operands(statement))) + rounds * inside
