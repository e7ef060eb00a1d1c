"""Ids of processes in expressions: where they stand in the place of a number, or of an id of another process.

The model knows numbers; which of them are ids serves names, never soundness. In texts ids are told apart: ``ord(i)`` is
the number of an id. It is a node (`ordinal`) only while a text is read or printed, and so are `argument` and `result`.

A *kind* is the name of a process domain, "" for numbers that are computed, and None for what can be either: literals,
constants, entries of constant lists, and whatever is no number.

Two forms of arithmetic give an id of the domain whose id they are about, whatever that id is, and so need no ``ord``:
the neighbours of a ring, ``(i + e) % N``, and the other end of a line, ``N - 1 - i`` (`moved`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple, TypeAlias

from burnside.ir import nodes as n
from burnside.ir.nodes import Domain, Expr, Stmt, Variable
from burnside.ir.operators import ARITHMETIC, EQUALITIES, ORDERINGS
from burnside.ir.rewrite import map_expr, with_children
from burnside.ir.walk import children
from burnside.source import Span

ORD: Final = "ord"
ARGUMENT: Final = "argument"
RESULT: Final = "result"
NUMBER: Final = ""

Kind: TypeAlias = str | None
Variables: TypeAlias = Mapping[str, Variable]


def ordinal(expr: Expr) -> Expr:
    """The number of an id."""
    return n.Unary(ORD, expr, expr.span)


def without_ordinals(expr: Expr) -> Expr:
    """An expression of the model: a number and an id are the same."""
    match map_expr(expr, without_ordinals):
        case n.Unary(operator="ord" | "argument", operand=value) | n.Binary(operator="result", left=value):
            return value
        case changed:
            return changed


def argument(expr: Expr, variables: Variables) -> Expr:
    """What stands for a parameter: how it is used there was checked where the parameter was declared."""
    return n.Unary(ARGUMENT, expr, expr.span) if kind_of(expr, variables) else expr


def result(expr: Expr, declared: Expr, variables: Variables, span: Span) -> Expr:
    """What a definition gives for some arguments: an id if it was one where it was declared."""
    kind = kind_of(declared, variables)
    return n.Binary(RESULT, expr, n.Const(0, Domain("", 0, 0, index=kind)), span) if kind else expr


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
        case n.Binary(operator="result", right=witness):
            return kind_of(witness, variables)
        case n.Binary(operator=operator, left=left, right=right) if operator in ARITHMETIC:
            found = moved(expr, variables)
            if found is not None:
                return found.domain.index
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


def _misused(expr: Expr, variables: Variables) -> list[tuple[Expr, Kind]]:
    """The direct sub-expressions that are ids where something else is expected, and what that is."""
    pairs = zip(children(expr), expected_kinds(expr, variables), strict=True)
    return [(child, wanted) for child, wanted in pairs if is_misused(kind_of(child, variables), wanted)]


def misuses(
    expr: Expr, variables: Variables, allowed: frozenset[int] = frozenset()
) -> Iterator[tuple[Expr, list[tuple[Expr, Kind]]]]:
    """The sub-expressions whose operands are ids where something else is expected: these, and what that is."""
    allowed = _with_moved(expr, variables, allowed)
    wrong = [] if id(expr) in allowed else _misused(expr, variables)
    if wrong:
        yield expr, wrong
    for child in children(expr):
        yield from misuses(child, variables, allowed)


def with_ordinals(expr: Expr, variables: Variables, allowed: frozenset[int] = frozenset()) -> Expr:
    """An expression in which ids are numbers wherever they are misused: as a text would have it."""
    allowed = _with_moved(expr, variables, allowed)
    changed = map_expr(expr, lambda child: with_ordinals(child, variables, allowed))
    wrong = [] if id(expr) in allowed else [id(child) for child, _ in _misused(expr, variables)]
    if wrong and isinstance(expr, n.Binary | n.Choice):
        # Ids of different processes are compared by their numbers, so all of them are.
        wrong = [id(child) for child in children(expr) if kind_of(child, variables)]
    if not wrong:
        return changed
    pairs = zip(children(expr), children(changed), strict=True)
    return with_children(changed, [ordinal(new) if id(old) in wrong else new for old, new in pairs])


def places(statement: Stmt) -> Iterator[Expr]:
    """What a statement writes, as an expression of which the indices matter."""
    match statement:
        case n.Assign(target=target):
            yield target
        case n.Push(variable=name, indices=indices) | n.Pop(variable=name, indices=indices):
            yield n.Read(name, indices, statement.span)
        case n.Clear(variable=name, indices=indices):
            yield n.Read(name, indices, statement.span)
        case _:
            pass


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


# ---------------------------------------------------------------- neighbours


class Moved(NamedTuple):
    """An id that is computed from another of the same domain, and the nodes that do so by their identity."""

    domain: Domain
    nodes: frozenset[int]


def moved(expr: Expr, variables: Variables) -> Moved | None:
    """An id of a ring or of a line, seen from another: ``(i + e) % N``, ``(i + e) % N + LOW``, ``LOW + HIGH - i``."""
    match expr:
        case n.Binary(operator="%"):
            return _turned(expr, 0, variables)
        case n.Binary(operator="+", left=n.Binary(operator="%") as turned, right=right):
            found = _turned(turned, _number(right), variables)
            return found and Moved(found.domain, found.nodes | {id(expr)})
        case n.Binary(operator="-", left=left, right=right):
            total, domain = _number(left), domain_of_ids(right, variables)
            is_other_end = domain is not None and total == domain.low + domain.high
            return Moved(domain, frozenset({id(expr)})) if domain is not None and is_other_end else None
        case _:
            return None


def domain_of_ids(expr: Expr, variables: Variables) -> Domain | None:
    """The domain of an expression whose values are ids and nothing else, by its form."""
    match expr:
        case n.Bound(domain=domain):
            return domain if domain.index and not domain.labels else None
        case n.Read(variable=name) | n.Item(variable=name) if name in variables:
            domain = variables[name].domain
            return domain if domain.index and not domain.labels else None
        case n.Unary(operator="argument", operand=value) | n.Binary(operator="result", left=value):
            return domain_of_ids(value, variables)
        case n.Choice(then=then, otherwise=otherwise):
            found = domain_of_ids(then, variables)
            return found if found == domain_of_ids(otherwise, variables) else None
        case _:
            inner = moved(expr, variables)
            return inner and inner.domain


def _turned(expr: n.Binary, least: int | None, variables: Variables) -> Moved | None:
    """``(i + e) % N`` for the ids from ``least`` on."""
    size = _number(expr.right)
    found = None if size is None or least is None else _shifted(expr.left, variables)
    if found is None or (found.domain.low, found.domain.size) != (least, size):
        return None
    return Moved(found.domain, found.nodes | {id(expr)})


def _shifted(expr: Expr, variables: Variables) -> Moved | None:
    """``i + e``, ``i - e`` and ``e + i``, where ``e`` is a number; ``i`` itself."""
    if isinstance(expr, n.Binary) and expr.operator in ("+", "-") and moved(expr, variables) is None:
        sides = [(expr.left, expr.right), (expr.right, expr.left)][: 2 if expr.operator == "+" else 1]
        for side, other in sides:
            found = _shifted(side, variables)
            if found is not None and not kind_of(other, variables):
                return Moved(found.domain, found.nodes | {id(expr)})
        return None
    domain = domain_of_ids(expr, variables)
    return None if domain is None else Moved(domain, frozenset())


def _with_moved(expr: Expr, variables: Variables, allowed: frozenset[int]) -> frozenset[int]:
    found = None if id(expr) in allowed else moved(expr, variables)
    return allowed if found is None else allowed | found.nodes


def _number(expr: Expr) -> int | None:
    """The value of a constant of the text, as in ``N - 1``."""
    match expr:
        case n.Const(value=value, domain=None):
            return value
        case n.Binary(operator="+" | "-" as operator, left=left, right=right):
            one, other = _number(left), _number(right)
            if one is None or other is None:
                return None
            return one + other if operator == "+" else one - other
        case _:
            return None
