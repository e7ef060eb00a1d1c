"""The model without the variables that nothing depends on.

``rule r when x == 0 do { x := 1; seen := seen + 1; }``, where nobody reads ``seen``, becomes
``rule r when x == 0 do { x := 1; }``; if ``seen`` may leave its domain it is read there and stays. If only the value of
an assignment could be wrong, ``last := a / b``, a check takes its place: ``assert within(a / b)``.

Keeps:   the rules, their parameters and order; which of them fire in a state, and which fault.
Changes: states, which are those of the model without some cells (`Projection`), and so their number.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import compress
from typing import final

from burnside.ir import nodes as n
from burnside.ir.build import conjunction, within
from burnside.ir.cells import Cells, State, cells_per_element
from burnside.ir.initial import given_values, started
from burnside.ir.nodes import Domain, Expr, Model, Rule, Stmt
from burnside.ir.rewrite import map_stmt
from burnside.ir.uses import Faults
from burnside.reduce.slicing.cone import Cone, Needs
from burnside.values import dataclass, replace


@final
@dataclass(frozen=True)
class Slice:
    """A model, and the same without some of its variables; both have the same rules in the same order."""

    whole: Model
    model: Model
    left_out: tuple[str, ...]

    @cached_property
    def _kept(self) -> tuple[bool, ...]:
        """By cell of the whole model: whether it is one of the slice, too."""
        out = set(self.left_out)
        widths = ((v.name not in out, v.elements * cells_per_element(v)) for v in self.whole.variables)
        return tuple(is_kept for is_kept, width in widths for _ in range(width))

    @property
    def cells_left_out(self) -> int:
        """How many cells of a state are left out."""
        return self._kept.count(False)

    def project(self, state: State) -> State:
        """A state of the whole model without the cells that are left out."""
        return tuple(compress(state, self._kept))

    def first_above(self, state: State) -> State:
        """An initial state of the whole model, for an initial state without some cells: the least one."""
        found = started(self.whole)
        if found is not None:
            return next((whole for whole in found.states if self.project(whole) == state), state)
        given = iter(state)
        choices = zip(self._kept, given_values(self.whole), strict=True)
        return tuple(next(given) if is_kept else values[0] for is_kept, values in choices)


def slice_model(model: Model, needs: Needs) -> Slice | None:
    """A model without what nothing depends on that is asked; None if everything matters."""
    if not model.variables:
        return None
    cone = Cone(model, needs)
    if not cone.left_out:
        return None
    cut = _Cut(model, cone)
    kept = tuple(v for v in model.variables if v.name in cone.variables)
    programs = tuple(cut.rule(number, rule) for number, rule in enumerate(model.programs))
    starts, rules = programs[: len(model.starts)], programs[len(model.starts) :]
    return Slice(model, replace(model, variables=kept, rules=rules, actors=(), starts=starts), cone.left_out)


@final
class _Cut:
    """Rules without the statements that nothing depends on."""

    def __init__(self, model: Model, cone: Cone) -> None:
        self._cone = cone
        variables = Cells(model).variables
        self._variables = variables
        self._faults = Faults(variables, {c.name: c.value for c in model.constants})

    def rule(self, number: int, rule: Rule) -> Rule:
        """A rule that does, and evaluates, only what matters."""
        shown = tuple(a for a in rule.event.arguments if self._cone.keeps_argument(number, a))
        body = self._block(number, rule.body)
        if shown == rule.event.arguments and body == rule.body:
            return rule
        return replace(rule, event=replace(rule.event, arguments=shown, written=()), body=body)

    def _block(self, number: int, body: Sequence[Stmt]) -> tuple[Stmt, ...]:
        return tuple(self._statement(number, s) for s in body if self._cone.keeps(number, s))

    def _statement(self, number: int, statement: Stmt) -> Stmt:
        if not self._cone.executes(number, statement):
            return self._check(statement)
        if isinstance(statement, n.Push | n.Assert):
            return replace(statement, about=None)  # that may be left out; a fault is found again in the whole model
        return map_stmt(statement, lambda expr: expr, lambda block: self._block(number, block))

    def _check(self, statement: Stmt) -> Stmt:
        """What faults where a statement would, and does nothing else."""
        checks: list[Expr] = []
        match statement:
            case n.Assign(target=n.Read(variable=name, indices=indices), value=value):
                variable = self._variables[name]
                checks += self._checks((*indices, value), (*variable.dimensions, variable.domain))
            case n.Clear(variable=name, indices=indices):
                checks += self._checks(indices, self._variables[name].dimensions)
            case n.If(condition=condition):
                checks.append(_evaluated(condition))
            case _:
                raise AssertionError("what else might fault is executed")
        return n.Assert(conjunction(checks), span=statement.span)

    def _checks(self, exprs: Sequence[Expr], domains: Sequence[Domain]) -> Iterator[Expr]:
        for expr, domain in zip(exprs, domains, strict=True):
            if not self._faults.is_within(expr, domain):
                yield within(expr, domain.low, domain.high)
            elif self._faults.possible(expr):
                yield _evaluated(expr)


def _evaluated(expr: Expr) -> Expr:
    """True wherever an expression has a value."""
    return n.Binary("==", expr, expr)
