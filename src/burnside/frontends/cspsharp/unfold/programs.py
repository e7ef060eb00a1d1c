"""Programs of CSP# as statements of the sequential model."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import assert_never, final

from burnside.frontends.cspsharp.names.variables import is_truth
from burnside.frontends.cspsharp.read.syntax import (
    Assignment,
    Block,
    Branch,
    CallMacro,
    Local,
    Loop,
    Name,
    Perform,
    Statement,
)
from burnside.frontends.cspsharp.unfold.ground import MOST_ROUNDS, WIDE, Environment, ExpressionGrounder
from burnside.ir import nodes as n
from burnside.ir.nodes import BOOL, TRUE, Expr, Stmt
from burnside.source import did_you_mean


@final
class Grounder(ExpressionGrounder):
    """Turns expressions and programs into nodes of the sequential model."""

    def program(self, body: Iterable[Statement], env: Environment) -> tuple[Stmt, ...]:
        """The statements of a program; locals get names of their own and, for now, wide domains."""
        inner, outside = dict(env), len(self._locals)
        try:
            return tuple(node for statement in body for node in self._statement(statement, inner))
        finally:
            del self._locals[outside:]

    def _statement(self, statement: Statement, env: dict[str, Expr]) -> Iterator[Stmt]:
        match statement:
            case Assignment():
                yield self._assign(statement, env)
            case Local(name=name, value=value):
                node = self.expression(value, env)
                bound = n.Bound(self._fresh(name), BOOL if is_truth(node, self.scope) else WIDE, statement.span)
                env[name] = bound
                yield n.Declare(bound.name, bound.domain, node, statement.span)
            case Branch(condition=condition, then=then, otherwise=otherwise):
                test = self.expression(condition, env)
                yield n.If(test, self.program(then, env), self.program(otherwise, env), statement.span)
            case Loop(condition=condition, body=body):
                test = self.expression(condition, env)
                yield n.While(test, MOST_ROUNDS, self.program(body, env), statement.span)
            case Block(body=body):
                yield n.If(TRUE, self.program(body, env), (), statement.span)
            case Perform(call=call):
                yield n.If(TRUE, self._perform(call, env), (), statement.span)
            case _:
                assert_never(statement)

    def _fresh(self, name: str) -> str:
        """A name for a local that hides nothing; equal programs get equal names."""
        while name in self._locals or name in self.scope.variables or name in self.scope.channels:
            name += "'"
        self._locals.append(name)
        self.scope.locals.add(name)
        return name

    def _perform(self, call: CallMacro, env: Environment) -> tuple[Stmt, ...]:
        define, inner = self._macro(call, env)
        if not isinstance(define.body, tuple):
            raise self.scope.stop("BUR203", f"macro '{call.name}' is an expression, not a program", call.span)
        if define.name in self._open or len(self._open) > 40:
            raise self.scope.stop("BUR209", f"'{define.name}' refers to itself", call.span)
        self._open.append(define.name)
        try:
            return self.program(define.body, inner)
        finally:
            self._open.pop()

    def _assign(self, statement: Assignment, env: Environment) -> Stmt:
        target = self._target(statement.target, env)
        value = self.expression(statement.value, env)
        if statement.operator:
            value = self._operation(statement.operator, [target, value], statement.span)
        return n.Assign(target, value, statement.span)

    def _target(self, name: Name, env: Environment) -> n.Read | n.Bound:
        node = self._name(name, env) if name.name in env or name.name in self.scope.variables else None
        if isinstance(node, n.Bound) or (isinstance(node, n.Read) and name.name not in env):
            return node
        known = name.name in env or name.name in self.scope.defines
        message = f"'{name.name}' cannot be assigned" if known else f"there is no variable '{name.name}'"
        remedy = did_you_mean(name.name, self.scope.variables)
        raise self.scope.stop("BUR210" if known else "BUR201", message, name.span, help=remedy)
