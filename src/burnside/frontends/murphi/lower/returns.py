"""Leaving a rule or routine before its end."""

from __future__ import annotations

from typing import TYPE_CHECKING, final

from burnside.frontends.murphi.names.terms import Place
from burnside.frontends.murphi.names.types import BOOLEAN, Type, domain_of
from burnside.frontends.murphi.read import syntax
from burnside.frontends.murphi.read.syntax import Block, Statement
from burnside.ir import nodes as n
from burnside.ir.nodes import Binary, Bound, Const, Expr
from burnside.source import Span

if TYPE_CHECKING:
    from burnside.frontends.murphi.lower.code import Code


@final
class Exit:
    """What a ``return`` leaves: where results go, and a local that says that it has been left, if somebody asks."""

    def __init__(self, what: str, kind: Type | None = None, result: Place | None = None, flag: str = "") -> None:
        self.what = what
        self.kind = kind
        self.result = result
        self._flag = Bound(flag, domain_of(BOOLEAN)) if flag else None

    def not_taken(self) -> Expr:
        """Whether what comes next is reached."""
        assert self._flag is not None
        return Binary("==", self._flag, Const(0))

    def take(self, code: Code, span: Span | None) -> None:
        """Leave."""
        if self._flag is not None:
            code.out.append(n.Assign(self._flag, Const(1), span))


def entered(code: Code, what: str, body: Block, kind: Type | None = None, result: Place | None = None) -> Exit:
    """A rule or routine at its beginning: if it may be left in the middle, a local is declared that remembers it."""
    flag = ""
    if _is_left_inside(body):
        flag = code.fresh("returned")
        code.out.append(n.Declare(flag, domain_of(BOOLEAN), Const(0)))
    return Exit(what, kind, result, flag)


def _is_left_inside(body: Block) -> bool:
    """Whether something that is written behind a ``return``, or runs again, must know of it."""
    for number, statement in enumerate(body):
        rest = body[number + 1 :]
        if not may_return(statement):
            continue
        if isinstance(statement, syntax.For | syntax.While):
            return True
        merged = with_rest(statement, rest) if isinstance(statement, syntax.If) and rest else None
        if merged is not None:
            return any(map(_is_left_inside, _blocks(merged)))
        if rest and not always_returns(statement):
            return True
        if any(map(_is_left_inside, _blocks(statement))):
            return True
    return False


def _blocks(statement: Statement) -> tuple[Block, ...]:
    match statement:
        case syntax.If(branches=branches, otherwise=otherwise):
            return (*(body for _, body in branches), otherwise)
        case syntax.Switch(cases=cases, otherwise=otherwise):
            return (*(body for _, body in cases), otherwise)
        case syntax.For(body=body) | syntax.While(body=body) | syntax.WithAliases(body=body):
            return (body,)
        case _:
            return ()


def may_return(statement: Statement) -> bool:
    """Whether a ``return`` is somewhere inside."""
    if isinstance(statement, syntax.Return):
        return True
    return any(may_return(inner) for body in _blocks(statement) for inner in body)


def always_returns(statement: Statement) -> bool:
    """Whether nothing behind the statement is ever reached."""
    if isinstance(statement, syntax.Return | syntax.Failure):
        return True
    if isinstance(statement, syntax.If | syntax.Switch | syntax.WithAliases):
        return all(any(map(always_returns, body)) for body in _blocks(statement))
    return False


def with_rest(statement: syntax.If, rest: Block) -> syntax.If | None:
    """An ``if`` with what follows it moved to its one branch that does not return; None if there are several."""
    bodies = [body for _, body in statement.branches] + [statement.otherwise]
    returning = [any(map(always_returns, body)) for body in bodies]
    staying = [body for body, left in zip(bodies, returning, strict=True) if not left]
    if len(staying) != 1 or any(map(may_return, staying[0])):
        return None
    extended = [body if left else (*body, *rest) for body, left in zip(bodies, returning, strict=True)]
    branches = tuple((asked, body) for (asked, _), body in zip(statement.branches, extended[:-1], strict=True))
    return syntax.If(branches, extended[-1], statement.span)
