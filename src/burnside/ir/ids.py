"""Ids of processes in expressions: where they stand in the place of a number, or of an id of another process.

The model knows numbers; which of them are ids serves names, never soundness. In texts ids are told apart: ``ord(i)`` is
the number of an id. It is a node (`ordinal`) only while a text is read or printed.

A *kind* is the name of a process domain, "" for numbers that are computed, and None for what can be either: literals,
constants, entries of constant lists, and whatever is no number.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, TypeAlias

from burnside.ir import nodes as n
from burnside.ir.nodes import Domain, Expr, Stmt, Variable
from burnside.ir.operators import ARITHMETIC, EQUALITIES, ORDERINGS
from burnside.ir.rewrite import map_expr, with_children
from burnside.ir.walk import children

ORD: Final = "ord"
ARGUMENT: Final = "argument"
NUMBER: Final = ""

Kind: TypeAlias = str | None
Variables: TypeAlias = Mapping[str, Variable]


def ordinal(expr: Expr) -> Expr:
    """The number of an id."""
    return n.Unary(ORD, expr, expr.span)


def without_ordinals(expr: Expr) -> Expr:
    """An expression of the model: a number and an id are the same."""
    changed = map_expr(expr, without_ordinals)
    return changed.operand if isinstance(changed, n.Unary) and changed.operator in (ORD, ARGUMENT) else changed


def argument(expr: Expr, variables: Variables) -> Expr:
    """What stands for a parameter: how it is used there was checked where the parameter was declared."""
    return n.Unary(ARGUMENT, expr, expr.span) if kind_of(expr, variables) else expr


def kind_of_domain(domain: Domain) -> Kind:
    """What the values of a domain are; enumerations have types of their own."""
    return None if domain.is_enumeration or (domain.labels and not domain.index) else domain.index


def kind_of(expr: Expr, variables: Variables) -> Kind:
    """What the values of an expression are."""
    match expr:
        case n.Const(domain=domain):
            return None if domain is None else kind_of_domain(domain)
        case n.Bound(domain=domain):
            return kind_of_domain(domain)
        case n.Read(variable=name) | n.Item(variable=name):
            return kind_of_domain(variables[name].domain) if name in variables else None
        case n.Choice(then=then, otherwise=otherwise):
            kinds = {kind_of(then, variables), kind_of(otherwise, variables)} - {None}
            return kinds.pop() if len(kinds) == 1 else NUMBER if kinds else None
        case n.Binary(operator=operator, left=left, right=right) if operator in ARITHMETIC:
            # What is computed from constants is one.
            return None if kind_of(left, variables) is kind_of(right, variables) is None else NUMBER
        case n.Unary(operator="-", operand=operand):
            return kind_of(operand, variables)
        case n.Length() | n.Unary(operator="ord") | n.Quantified(quantifier="count" | "sum"):
            return NUMBER
        case _:
            return None


def expected_kinds(expr: Expr, variables: Variables) -> tuple[Kind, ...]:
    """What each direct sub-expression is expected to be, in the order of `walk.children`; None if anything goes."""
    match expr:
        case n.Read(variable=name, indices=indices) | n.Length(variable=name, indices=indices):
            return _dimensions(name, len(indices), variables)
        case n.Item(variable=name, indices=indices):
            return (*_dimensions(name, len(indices), variables), NUMBER)
        case n.Binary(operator=operator) if operator in ARITHMETIC or operator in ORDERINGS:
            return NUMBER, NUMBER
        case n.Binary(operator=operator, left=left, right=right) if operator in EQUALITIES:
            return _agreeing(left, right, variables)
        case n.Unary(operator="-"):
            return (NUMBER,)
        case n.Choice(then=then, otherwise=otherwise):
            return (None, *_agreeing(then, otherwise, variables))
        case n.Quantified(quantifier="sum"):
            return (NUMBER,)
        case _:
            return (None,) * len(children(expr))


def _dimensions(name: str, count: int, variables: Variables) -> tuple[Kind, ...]:
    found = [kind_of_domain(d) for d in variables[name].dimensions] if name in variables else []
    return (*found, *[None] * count)[:count]


def _agreeing(left: Expr, right: Expr, variables: Variables) -> tuple[Kind, Kind]:
    """Two sides that are to be of one kind: the second is what the first is, or both are numbers."""
    first, second = kind_of(left, variables), kind_of(right, variables)
    if first is None or second is None or first == second:
        return None, None
    return (NUMBER, NUMBER) if NUMBER in (first, second) else (None, first)


def is_misused(kind: Kind, wanted: Kind) -> bool:
    """Whether an id stands where something else is expected; numbers are taken as ids, and checked while models run."""
    return bool(kind) and wanted is not None and kind != wanted


def misused(expr: Expr, variables: Variables) -> Iterator[tuple[Expr, Kind]]:
    """The direct sub-expressions that are ids where something else is expected, and what that is."""
    for child, wanted in zip(children(expr), expected_kinds(expr, variables), strict=True):
        if is_misused(kind_of(child, variables), wanted):
            yield child, wanted


def with_ordinals(expr: Expr, variables: Variables) -> Expr:
    """An expression in which direct sub-expressions that are misused are numbers: as a text would have it."""
    wrong = [id(child) for child, _ in misused(expr, variables)]
    if wrong and isinstance(expr, n.Binary | n.Choice):
        # Ids of different processes are compared by their numbers, so all of them are.
        wrong = [id(child) for child in children(expr) if kind_of(child, variables)]
    if not wrong:
        return expr
    return with_children(expr, [ordinal(child) if id(child) in wrong else child for child in children(expr)])


def written_kinds(statement: Stmt, variables: Variables) -> Iterator[tuple[Expr, Kind]]:
    """The values that a statement writes, each with what is expected of it."""
    match statement:
        case n.Assign(target=target, value=value):
            yield value, kind_of(target, variables)
        case n.Push(variable=name, value=value) if name in variables:
            yield value, kind_of_domain(variables[name].domain)
        case n.Declare(domain=domain, value=value):
            yield value, kind_of_domain(domain)
        case _:
            pass
