"""Bound names by what binds them: a spelling says nothing about a name.

Two quantifiers may use one name, for processes here and for data there, and a local of that name may come in between.
So before anything is found out about a rule, its names are replaced: what a name stands for (how many names are in
scope around it, its domain, and whether a program may change it) is all that the new name depends on::

    when (exists n in D: flag[n]) && (exists n in P: at[n])
    when (exists 0 in D: flag[0]) && (exists 1 in P: at[1])

Keeps: the meaning, and that equal parts are equal. Of two names in scope at once no two are the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import final

from burnside.ir.nodes import Assign, Bound, Declare, Domain, Expr, For, Quantified, Rule, Stmt
from burnside.ir.rewrite import map_expr, map_stmt
from burnside.values import dataclass, field, replace


def with_own_names(rule: Rule) -> Rule:
    """A rule in which a name stands for one thing only."""
    renaming = _Renaming()
    scope = _Scope({})
    for parameter in rule.parameters:
        scope = renaming.bind(scope, parameter.name, parameter.domain)
    return replace(
        rule,
        parameters=tuple(replace(p, name=scope.names[p.name]) for p in rule.parameters),
        guard=renaming.expr(scope, rule.guard),
        event=replace(rule.event, arguments=tuple(renaming.expr(scope, a) for a in rule.event.arguments)),
        body=renaming.block(scope, rule.body),
    )


@final
@dataclass(frozen=True)
class _Scope:
    """The new names of those that are bound, and how many are."""

    names: Mapping[str, str]
    level: int = 0


@final
@dataclass
class _Renaming:
    _known: dict[tuple[int, Domain, bool], str] = field(default_factory=dict)

    def bind(self, scope: _Scope, name: str, domain: Domain, *, is_local: bool = False) -> _Scope:
        """The scope with one more name."""
        new = self._known.setdefault((scope.level, domain, is_local), str(len(self._known)))
        return _Scope({**scope.names, name: new}, scope.level + 1)

    def expr(self, scope: _Scope, expr: Expr) -> Expr:
        """An expression."""
        match expr:
            case Bound():
                return _renamed(scope, expr)
            case Quantified(name=name, domain=domain, body=body):
                inner = self.bind(scope, name, domain)
                return replace(expr, name=inner.names[name], body=self.expr(inner, body))
            case _:
                return map_expr(expr, lambda part: self.expr(scope, part))

    def _statement(self, scope: _Scope, statement: Stmt) -> Stmt:
        """A statement that declares nothing."""
        if isinstance(statement, For):
            scope = self.bind(scope, statement.name, statement.domain)
            statement = replace(statement, name=scope.names[statement.name])
        elif isinstance(statement, Assign) and isinstance(statement.target, Bound):
            statement = replace(statement, target=_renamed(scope, statement.target))
        return map_stmt(statement, lambda e: self.expr(scope, e), lambda body: self.block(scope, body))

    def block(self, scope: _Scope, body: Iterable[Stmt]) -> tuple[Stmt, ...]:
        """Statements, each of which sees the locals declared before it."""
        found: list[Stmt] = []
        for statement in body:
            if isinstance(statement, Declare):
                value = self.expr(scope, statement.value)
                scope = self.bind(scope, statement.name, statement.domain, is_local=True)
                found.append(replace(statement, name=scope.names[statement.name], value=value))
            else:
                found.append(self._statement(scope, statement))
        return tuple(found)


def _renamed(scope: _Scope, bound: Bound) -> Bound:
    return replace(bound, name=scope.names[bound.name])
