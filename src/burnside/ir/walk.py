"""Walking expressions and programs: parts, and sizes. How parts are changed is in ``rewrite``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import assert_never

from burnside.ir import nodes as n
from burnside.ir.nodes import Expr, Stmt


def children(expr: Expr) -> tuple[Expr, ...]:
    """The direct sub-expressions, in order of evaluation."""
    match expr:
        case n.Const() | n.Bound():
            return ()
        case n.Read(indices=indices) | n.Length(indices=indices) | n.Lookup(indices=indices):
            return indices
        case n.Item(indices=indices, position=position):
            return (*indices, position)
        case n.Unary(operand=operand) | n.Checked(operand=operand):
            return (operand,)
        case n.Binary(left=left, right=right):
            return left, right
        case n.Logic(operands=operands):
            return operands
        case n.Choice(condition=condition, then=then, otherwise=otherwise):
            return condition, then, otherwise
        case n.Quantified(body=body):
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
        case n.Assign(target=target, value=value):
            return (*children(target), value)
        case n.Push(indices=indices, value=value):
            return (*indices, value)
        case n.Pop(indices=indices) | n.Clear(indices=indices):
            return indices
        case n.If(condition=condition) | n.While(condition=condition) | n.Assert(condition=condition):
            return (condition,)
        case n.Declare(value=value):
            return (value,)
        case n.For():
            return ()
        case _:
            assert_never(statement)


def blocks(statement: Stmt) -> tuple[tuple[Stmt, ...], ...]:
    """The blocks of a statement."""
    match statement:
        case n.If(then=then, otherwise=otherwise):
            return then, otherwise
        case n.For(body=body) | n.While(body=body):
            return (body,)
        case n.Assign() | n.Push() | n.Pop() | n.Clear() | n.Declare() | n.Assert():
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
    return inner * expr.domain.size if isinstance(expr, n.Quantified) else inner


def expanded_block_size(body: Iterable[Stmt]) -> int:
    """How many nodes a program has once every ``for`` and every quantifier is written out."""
    return sum(map(_expanded_statement_size, body))


def _expanded_statement_size(statement: Stmt) -> int:
    own = 3 if isinstance(statement, n.Push | n.Pop | n.Clear) else 0 if isinstance(statement, n.If | n.While) else 1
    inside = sum(map(expanded_block_size, blocks(statement)))
    rounds = statement.domain.size if isinstance(statement, n.For) else 1
    return own + sum(map(expanded_size, operands(statement))) + rounds * inside
