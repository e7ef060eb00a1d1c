"""The model with unknowns in the places of its sites, and marks that say what they are.

Before and after, for the literal in the guard and for ``(i + 1) % N``::

    rule pass(i: P) when token == 0 do { token := (i + 1) % N; }
    rule pass(i: P) when token == ?1 do { token := ?2[i]; }

``?1`` and ``?2`` are constants with any values, so symmetries may rename these too. A *mark* on ``?1 = 0`` demands
that it keep that value: with all marks the symmetries are those of the model, without some those of a model that does
not say what stands at these sites. One coloured graph thus answers for every set of sites.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import final

from burnside.claims.requirements import Required
from burnside.detect.constrain import Constraints, ModelConstraints
from burnside.detect.site import Node, Site, Start, Unknown
from burnside.detect.sort_inference import is_calculation, leaves_of
from burnside.ir import nodes as n
from burnside.ir.build import conjunction
from burnside.ir.cells import Cells
from burnside.ir.nodes import Domain, Expr, Model, Rule, Stmt
from burnside.ir.rewrite import Block, map_expr, map_stmt
from burnside.values import dataclass, replace


@final
@dataclass(frozen=True)
class Relaxed:
    """The constraints of a model with unknowns, and for every site the literals whose marks make it mean the same."""

    constraints: Constraints
    marks: Mapping[Site, tuple[tuple[int, int], ...]]


def relax(
    model: Model,
    requirements: Sequence[Required],
    unknowns: Sequence[Unknown],
    starts: Sequence[Start],
    checkpoint: Callable[[], None],
) -> Relaxed:
    """The model without what its sites say.

    Changes: the symmetry group, which serves explanations and is neither validated nor used.
    """
    rewriting = _Rewriting(unknowns)
    changed = replace(
        model,
        variables=(*model.variables, *(u.variable for u in unknowns)),
        rules=tuple(map(rewriting.rule, model.rules)),
        initially=tuple(map(rewriting.expr, model.initially)),
    )
    kept = [r._replace(condition=rewriting.expr(r.condition)) for r in requirements]
    constraints = ModelConstraints(changed, checkpoint, begins=model).with_requirements(kept)
    free = list(constraints.initial_values)
    for start in starts:
        for cell, values in zip(start.cells, start.instead, strict=True):
            free[cell] = values
    marks: dict[Site, tuple[tuple[int, int], ...]] = {}
    for u in unknowns:
        marks[u.site] = (*marks.get(u.site, ()), *_entries(constraints.cells, u))
    marks |= {s.site: tuple(zip(s.cells, s.values, strict=True)) for s in starts}
    return Relaxed(replace(constraints, initial_values=tuple(free)), marks)


def _entries(cells: Cells, unknown: Unknown) -> tuple[tuple[int, int], ...]:
    first = cells.starts[unknown.variable.name]
    return tuple((first + k, value) for k, value in enumerate(unknown.values))


@final
class _Rewriting:
    """Unknowns for the nodes they stand for."""

    def __init__(self, unknowns: Sequence[Unknown]) -> None:
        self._of: dict[int, tuple[Node, Unknown]] = {id(node): (node, u) for u in unknowns for node in u.nodes}

    def rule(self, rule: Rule) -> Rule:
        """A rule; a parameter that ranges over a part of its domain ranges over all of it, under a condition."""
        guard, body = self.expr(rule.guard), self._block(rule.body)
        parameters, conditions = [], []
        for parameter in rule.parameters:
            unknown = self._unknown(parameter)
            if unknown is not None:
                whole = unknown.variable.dimensions[0]
                widened = _Widening(parameter.name, parameter.domain, whole)
                guard, body = widened.expr(guard), widened.block(body)
                conditions.append(_is_in(unknown, parameter.name, whole))
                parameter = replace(parameter, domain=whole)
            parameters.append(parameter)
        guard = conjunction((*conditions, guard)) if conditions else guard
        return replace(rule, parameters=tuple(parameters), guard=guard, body=body)

    def _unknown(self, node: object) -> Unknown | None:
        found = self._of.get(id(node))
        return found[1] if found is not None else None

    def expr(self, expr: Expr) -> Expr:
        """An expression."""
        unknown = self._unknown(expr)
        if unknown is None:
            return map_expr(expr, self.expr)
        match expr:
            case n.Quantified(name=name, domain=part, body=body):
                whole = unknown.variable.dimensions[0]
                widened = _Widening(name, part, whole).expr(self.expr(body))
                inside = _limited(expr.quantifier, _is_in(unknown, name, whole), widened)
                return n.Quantified(expr.quantifier, name, whole, inside, expr.span)
            case n.Lookup(indices=indices):
                return n.Read(unknown.variable.name, tuple(map(self.expr, indices)), expr.span)
            case _ if is_calculation(expr) and unknown.variable.dimensions:
                leaves = (leaf for leaf in leaves_of(expr) if not isinstance(leaf, n.Const))
                return n.Read(unknown.variable.name, tuple(map(self.expr, leaves)), expr.span)
            case _:
                return n.Read(unknown.variable.name, (), expr.span)

    def _block(self, body: Block) -> Block:
        return tuple(map(self._statement, body))

    def _statement(self, statement: Stmt) -> Stmt:
        changed = map_stmt(statement, self.expr, self._block)
        unknown = self._unknown(statement)
        if unknown is None or not isinstance(changed, n.For):
            return changed
        whole = unknown.variable.dimensions[0]
        body = _Widening(changed.name, changed.domain, whole).block(changed.body)
        inside = n.If(_is_in(unknown, changed.name, whole), body)
        return replace(changed, domain=whole, body=(inside,))


@final
@dataclass(frozen=True, slots=True)
class _Widening:
    """A bound name that ranges over all of a domain: a part would decide comparisons that it cannot decide any more."""

    name: str
    part: Domain
    whole: Domain

    def expr(self, expr: Expr) -> Expr:
        """An expression in which the name is bound."""
        if isinstance(expr, n.Bound) and (expr.name, expr.domain) == (self.name, self.part):
            return replace(expr, domain=self.whole)
        return map_expr(expr, self.expr)

    def block(self, body: Block) -> Block:
        """Statements in which it is bound."""
        return tuple(map_stmt(statement, self.expr, self.block) for statement in body)


def _is_in(unknown: Unknown, name: str, whole: Domain) -> Expr:
    return n.Read(unknown.variable.name, (n.Bound(name, whole),))


def _limited(quantifier: str, condition: Expr, body: Expr) -> Expr:
    match quantifier:
        case "forall":
            return n.Binary("=>", condition, body)
        case "sum":
            return n.Choice(condition, body, n.Const(0))
        case _:
            return conjunction((condition, body))
