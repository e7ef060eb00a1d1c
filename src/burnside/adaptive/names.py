"""Bound names by what binds them: a spelling says nothing about a name.

Two quantifiers may use one name, for processes here and for data there, and a local of that name may come in between.
So before anything is found out about a rule, its names are replaced: what a name stands for (how many names are in
scope around it, its domain, and whether a program may change it) is all that the new name depends on::

    when (exists n in D: flag[n]) && (exists n in P: at[n])
    when (exists 0 in D: flag[0]) && (exists 1 in P: at[1])

Keeps: the meaning, and that equal parts are equal. Of two names in scope at once no two are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from typing import Any, final

from burnside.ir.nodes import Bound, Declare, Domain, For, If, Quantified, Rule, Stmt, While


def rebuilt(node: Any, change: Callable[[Any], Any]) -> Any:
    """A node with other nodes in the places of its parts."""

    def changed(part: Any) -> Any:
        if isinstance(part, tuple):
            return tuple(map(changed, part))
        return change(part) if is_dataclass(part) and not isinstance(part, Domain) else part

    return replace(node, **{f.name: changed(getattr(node, f.name)) for f in fields(node) if f.name != "span"})


def with_own_names(rule: Rule) -> Rule:
    """A rule in which a name stands for one thing only."""
    renaming = _Renaming()
    scope = _Scope({})
    for parameter in rule.parameters:
        scope = renaming.bind(scope, parameter.name, parameter.domain)
    return replace(
        rule,
        parameters=tuple(replace(p, name=scope.names[p.name]) for p in rule.parameters),
        guard=renaming.node(scope, rule.guard),
        event=rebuilt(rule.event, lambda part: renaming.node(scope, part)),
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

    def node(self, scope: _Scope, node: Any) -> Any:
        """An expression or a statement that declares nothing."""
        match node:
            case Bound(name=name):
                return replace(node, name=scope.names[name])
            case Quantified(name=name, domain=domain, body=body):
                inner = self.bind(scope, name, domain)
                return replace(node, name=inner.names[name], body=self.node(inner, body))
            case For(name=name, domain=domain, body=body):
                inner = self.bind(scope, name, domain)
                return replace(node, name=inner.names[name], body=self.block(inner, body))
            case If(condition=condition, then=then, otherwise=otherwise):
                blocks = self.block(scope, then), self.block(scope, otherwise)
                return replace(node, condition=self.node(scope, condition), then=blocks[0], otherwise=blocks[1])
            case While(condition=condition, body=body):
                return replace(node, condition=self.node(scope, condition), body=self.block(scope, body))
            case _:
                return rebuilt(node, lambda part: self.node(scope, part))

    def block(self, scope: _Scope, body: Iterable[Stmt]) -> tuple[Stmt, ...]:
        """Statements, each of which sees the locals declared before it."""
        found: list[Stmt] = []
        for statement in body:
            if isinstance(statement, Declare):
                value = self.node(scope, statement.value)
                scope = self.bind(scope, statement.name, statement.domain, is_local=True)
                found.append(replace(statement, name=scope.names[statement.name], value=value))
            else:
                found.append(self.node(scope, statement))
        return tuple(found)
