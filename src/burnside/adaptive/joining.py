"""Rules that are written out for every process become one rule with an actor again.

Front ends that know processes by name give a rule for each of them; these are instances of one rule for an actor::

    when !active[0] do { active[0] := true; }      process 0
    when !active[1] do { active[1] := true; }      process 1      →    when !active[i] do { active[i] := true; }

Keeps: the steps of the model; the joined rule with an id in the place of its actor is the rule it came from.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final, TypeVar, final

from burnside.adaptive.names import with_own_names
from burnside.adaptive.view import View
from burnside.ir import nodes as n
from burnside.ir.nodes import Expr, Parameter, Rule, Stmt
from burnside.ir.rewrite import map_expr, map_stmt, with_children
from burnside.ir.simplify import Simplifier
from burnside.ir.walk import children

P = TypeVar("P", bound=n.Read | n.Length | n.Item)
ACTOR: Final = "actor"  # all other names are numbers


def join_rules(view: View, rules: Iterable[Rule]) -> list[tuple[Rule, tuple[int, ...]]]:
    """Rules for one process each as one rule and the processes (from 0) that it is for; empty for all other rules."""
    result: list[tuple[Rule, tuple[int, ...]]] = []
    groups: dict[tuple[object, object], list[tuple[Rule, Rule, int]]] = {}
    simplifier = Simplifier(view.model)
    for rule in rules:
        # What an observer sees is of no importance here, unless looking may fault.
        is_open = not rule.parameters and not rule.partition
        is_seen = any(map(simplifier.faults.possible, rule.event.arguments))
        general = _generalised(view, rule) if is_open and not is_seen else None
        if general is None:
            result.append((rule, ()))
        else:
            groups.setdefault((general[0].guard, general[0].body), []).append((rule, *general))
    for group in groups.values():
        processes = [process for _, _, process in group]
        if len(processes) == 1 or len(set(processes)) < len(processes):  # twice the same is two transitions
            result += [(rule, ()) for rule, _, _ in group]
        else:
            result.append((group[0][1], tuple(sorted(processes))))
    return result


def _generalised(view: View, rule: Rule) -> tuple[Rule, int] | None:
    """A rule that names one process, with an actor in its place, and the process."""
    general = _Generaliser(view)
    named = with_own_names(rule)
    guard, body = general.expr(named.guard), general.block(named.body)
    if len(general.named) != 1:
        return None
    joined = Rule(rule.name, (Parameter(ACTOR, view.domain),), guard, n.Event(rule.name), body, rule.span)
    return joined, view.ids.index(general.named.pop())


@final
class _Generaliser:
    """Puts an actor in the place of ids, and notes which ids there were."""

    def __init__(self, view: View) -> None:
        self._view = view
        self._arrays = {v.name for v in view.arrays}
        self._holders = {view.cells.all[f].variable.name for f in view.flags}
        self.named: set[int] = set()

    def expr(self, expr: Expr) -> Expr:
        """An expression with the actor in it."""
        match expr:
            case n.Binary(operator="==" | "!=", left=left, right=right):
                if self._holds_id(left) or self._holds_id(right):
                    return map_expr(expr, self._process)
            case n.Read() | n.Length() | n.Item():
                return self._element(expr)
            case _:
                pass
        return map_expr(expr, self.expr)

    def block(self, body: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        """A program with the actor in it."""
        return tuple(map(self._statement, body))

    def _statement(self, statement: Stmt) -> Stmt:
        match statement:
            case n.Assign(target=n.Read() | n.Item() as target, value=value):
                change = self._process if self._holds_id(target) else self.expr
                return replace(statement, target=self._element(target), value=change(value))
            case n.Push(variable=variable, indices=indices, value=value):
                return replace(statement, indices=self._indices(variable, indices), value=self.expr(value))
            case n.Pop(variable=variable, indices=indices) | n.Clear(variable=variable, indices=indices):
                return replace(statement, indices=self._indices(variable, indices))
            case _:
                return map_stmt(statement, self.expr, self.block)

    def _element(self, place: P) -> P:
        indices = self._indices(place.variable, place.indices)
        return with_children(place, (*indices, *map(self.expr, children(place)[len(indices) :])))

    def _holds_id(self, expr: Expr) -> bool:
        return isinstance(expr, n.Read) and expr.variable in self._holders

    def _process(self, expr: Expr) -> Expr:
        if isinstance(expr, n.Const) and expr.value in self._view.ids:
            self.named.add(expr.value)
            return n.Bound(ACTOR, self._view.domain, expr.span)
        return self.expr(expr)

    def _indices(self, variable: str, indices: tuple[Expr, ...]) -> tuple[Expr, ...]:
        dimensions = self._view.cells.variables[variable].dimensions
        is_array = variable in self._arrays
        return tuple(
            self._process(index) if is_array and dimension.index == self._view.domain.name else self.expr(index)
            for dimension, index in zip(dimensions, indices, strict=True)
        )
