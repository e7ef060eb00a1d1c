"""Finds the relations of a rule or a condition: walks it, and tabulates what it says about ids.

Needs: a checked model, and names that stand for one thing only (``names``).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import prod
from typing import assert_never, final

import numpy as np

from burnside.adaptive.effort import EVALUATION, Undecided
from burnside.adaptive.relations import ABSENT, FAULT, Axis, Relation, tabulate
from burnside.adaptive.view import View
from burnside.ir import nodes as n
from burnside.ir.nodes import Domain, Expr, Stmt
from burnside.ir.rewrite import map_expr
from burnside.ir.uses import Faults, free_names
from burnside.ir.walk import children, parts
from burnside.source import Span
from burnside.values import dataclass, field, replace


class Obstacle(Exception):
    """Something in a rule that adaptive exploration cannot follow."""

    def __init__(self, message: str, span: Span | None) -> None:
        super().__init__(message)
        self.message = message
        self.span = span


@final
@dataclass
class RelationFinder:
    """Walks a rule or a condition and collects its relations.

    ``relations`` becomes None if ids are used in a way that tells all processes apart.
    """

    view: View
    relations: list[Relation] | None = field(default_factory=list)
    _names: dict[str, Axis] = field(default_factory=dict)
    _locals: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        model = self.view.model
        self._faults = Faults(self.view.cells.variables, {c.name: c.value for c in model.constants})
        self._arrays = {v.name for v in self.view.arrays}
        self._holders = {self.view.cells.all[f].variable.name for f in self.view.flags}
        self._seen: set[tuple[Expr, bool]] = set()
        self._tables: dict[tuple[Expr, bool], Relation | None] = {}

    # ------------------------------------------------------------ names

    def bind(self, name: str, domain: Domain, span: Span | None) -> None:
        """A parameter or a quantified name."""
        is_process = domain.index == self.view.domain.name
        if is_process and not set(domain.values()) <= set(self.view.ids):
            raise Obstacle("a name ranges over more than processes", span)
        self._names[name] = self._axis(name, domain, is_process=is_process)

    def _axis(self, name: str, domain: Domain, *, is_process: bool) -> Axis:
        if not is_process:
            return Axis(name, tuple(domain.values()), False)
        limited = None if domain.values() == self.view.ids else domain.values()
        axis = Axis(name, tuple(self.view.ids), True, limited)
        if limited is not None and self.relations is not None:
            inside = np.array([int(i in limited) for i in self.view.ids], dtype=np.int64)
            self.relations.append(Relation((replace(axis, allowed=None),), inside, False))
        return axis

    def is_process(self, name: str) -> bool:
        """Whether a bound name stands for a process."""
        return name in self._names and self._names[name].is_process

    # ------------------------------------------------------------ expressions

    def is_pure(self, expr: Expr, inside: frozenset[str] = frozenset()) -> bool:
        """Whether an expression is about ids and data, not about states (but for variables that hold ids).

        Such a variable is one more argument. So it must be the same one throughout: an element whose index is among
        the names bound ``inside`` is many.
        """
        match expr:
            case n.Bound(name=name):
                return name not in self._locals
            case n.Read(variable=name):
                return name in self._holders and not free_names(expr) & inside
            case n.Length() | n.Item():
                return False
            case n.Const() | n.Lookup() | n.Unary() | n.Binary() | n.Logic() | n.Choice() | n.Checked():
                return all(self.is_pure(child, inside) for child in children(expr))
            case n.Quantified(name=name, domain=domain, body=body):
                return domain.index != self.view.domain.name and self.is_pure(body, inside | {name})
            case _:
                assert_never(expr)

    def value(self, expr: Expr) -> None:
        """An expression whose value must not change with the names of processes."""
        if self.is_pure(expr):
            self._relate(expr, is_process=False)
            return
        match expr:
            case n.Read(variable=name, indices=indices) | n.Length(variable=name, indices=indices):
                self._indices(name, indices)
            case n.Item(variable=name, indices=indices, position=position):
                self._indices(name, indices)
                self.value(position)
            case n.Quantified():
                self._quantified(expr)
            case _:
                for child in children(expr):
                    self.value(child)

    def process(self, expr: Expr) -> None:
        """An expression whose value is an id, which follows the processes when they are exchanged."""
        if self.is_pure(expr):
            if not (isinstance(expr, n.Bound) and self.is_process(expr.name)) and not isinstance(expr, n.Read):
                self._relate(expr, is_process=True)
            if isinstance(expr, n.Read):
                self._indices(expr.variable, expr.indices)
            return
        if isinstance(expr, n.Choice):
            self.value(expr.condition)
            self.process(expr.then)
            self.process(expr.otherwise)
            return
        raise Obstacle("a process id is computed from the state", expr.span)

    def _indices(self, variable: str, indices: Sequence[Expr]) -> None:
        dimensions = self.view.cells.variables[variable].dimensions
        for dimension, index in zip(dimensions, indices, strict=True):
            if variable in self._arrays and dimension.index == self.view.domain.name:
                self.process(index)
            else:
                self.value(index)

    def _quantified(self, expr: n.Quantified) -> None:
        self.bind(expr.name, expr.domain, expr.span)
        if self.is_process(expr.name) and self.can_fault(expr.body):
            raise Obstacle("what is asked of all processes may be impossible to evaluate for some", expr.span)
        self.value(expr.body)

    # ------------------------------------------------------------ faults

    def can_fault(self, expr: Expr) -> bool:
        """Whether evaluating an expression might fault; relations are known value by value."""
        relation = self._table(expr, is_process=False) if self.is_pure(expr) and not isinstance(expr, n.Read) else None
        if relation is not None:
            return bool((relation.table == FAULT).any()) or any(
                self.can_fault(e) for e in parts(expr) if isinstance(e, n.Read)
            )
        if isinstance(expr, n.Quantified):
            self.bind(expr.name, expr.domain, expr.span)
        return any(map(self.can_fault, children(expr))) or self._faults.possible_at(expr)

    # ------------------------------------------------------------ relations

    def _relate(self, expr: Expr, *, is_process: bool) -> None:
        key = (expr, is_process)
        if self.relations is None or key in self._seen or (isinstance(expr, n.Const) and not is_process):
            return
        self._seen.add(key)
        if self._is_plain_equality(expr):
            return
        relation = self._table(expr, is_process=is_process)
        if relation is None:
            self.relations = None
        elif is_process or any(a.is_process for a in relation.axes):
            self.relations.append(relation)

    def _is_plain_equality(self, expr: Expr) -> bool:
        match expr:
            case n.Binary(operator="==" | "!=", left=n.Bound(name=a), right=n.Bound(name=b)):
                return self.is_process(a) and self.is_process(b)
            case _:
                return False

    def _table(self, expr: Expr, *, is_process: bool) -> Relation | None:
        """All values of a pure expression, or None if they are too many."""
        key = (expr, is_process)
        if key not in self._tables:
            self._tables[key] = self._tabulated(expr, is_process=is_process)
        return self._tables[key]

    def _tabulated(self, expr: Expr, *, is_process: bool) -> Relation | None:
        self.view.effort.pass_time(EVALUATION)
        holders: dict[n.Read, str] = {}
        inner = self._without_reads(expr, holders)
        axes = [self._names[x] for x in sorted(free_names(inner) - set(holders.values())) if x in self._names]
        for read, name in holders.items():
            domain = self.view.cells.variables[read.variable].domain
            labels = [v for v in domain.values() if v not in self.view.ids]
            axes.append(Axis(name, (*self.view.ids, *labels), True))
            for index in read.indices:
                self.value(index)
        if not self.view.effort.may_tabulate(prod(len(a.values) for a in axes)):
            return None
        try:
            table = tabulate(self.view, inner, axes)
        except Undecided:
            return None
        for k, axis in enumerate(axes):
            if axis.allowed is not None:
                outside = [p for p, value in enumerate(axis.values) if value not in axis.allowed]
                np.moveaxis(table, k, 0)[outside] = ABSENT
        return Relation(tuple(axes), table, is_process)

    def _without_reads(self, expr: Expr, holders: dict[n.Read, str]) -> Expr:
        """An expression with a name for every variable that holds an id."""
        if isinstance(expr, n.Read):
            name = holders.setdefault(expr, f" {len(holders)}")
            return n.Bound(name, self.view.cells.variables[expr.variable].domain)
        assert not isinstance(expr, n.Length | n.Item), "not about ids"
        return map_expr(expr, lambda part: self._without_reads(part, holders))

    # ------------------------------------------------------------ programs

    def block(self, body: Iterable[Stmt]) -> None:
        """The statements of a rule."""
        for statement in body:
            self._statement(statement)

    def _statement(self, statement: Stmt) -> None:
        match statement:
            case n.Assign(target=target, value=value):
                self._assign(target, value)
            case n.Push(variable=name, indices=indices, value=value):
                self._indices(name, indices)
                self.value(value)
            case n.Pop(variable=name, indices=indices) | n.Clear(variable=name, indices=indices):
                self._indices(name, indices)
            case n.If(condition=condition, then=then, otherwise=otherwise):
                self.value(condition)
                self.block((*then, *otherwise))
            case n.While(condition=condition, body=body):
                self.value(condition)
                self.block(body)
            case n.Declare(name=name, value=value):
                self.value(value)
                self._locals.add(name)
            case n.Assert(condition=condition):
                self.value(condition)
            case n.For(name=name, domain=domain, body=body):
                self.bind(name, domain, statement.span)
                if self.is_process(name) and not _is_parallel(name, body):
                    self.relations = None  # the order of the rounds may matter
                self.block(body)
            case _:
                assert_never(statement)

    def _assign(self, target: n.Read | n.Item | n.Bound, value: Expr) -> None:
        match target:
            case n.Read(variable=name, indices=indices):
                self._indices(name, indices)
                if name in self._holders:
                    self.process(value)
                    self._fits(self.view.cells.variables[name].domain, value)
                else:
                    self.value(value)
            case n.Item(variable=name, indices=indices, position=position):
                self._indices(name, indices)
                self.value(position)
                self.value(value)
            case n.Bound():
                self.value(value)
            case _:
                assert_never(target)

    def _fits(self, domain: Domain, value: Expr) -> None:
        """A variable that cannot hold all ids tells those apart that it can hold."""
        if not set(self.view.ids) <= set(domain.values()):
            self.value(n.Binary("<=", n.Const(domain.low), value))
            self.value(n.Binary("<=", value, n.Const(domain.high)))


def _is_parallel(name: str, body: Iterable[Stmt]) -> bool:
    """Whether the rounds of a loop over processes are independent: each changes and sees only its own process.

    Only plain assignments to elements ``a[name]`` whose values read what no round changes, or those elements.
    """
    written: set[str] = set()
    values: list[Expr] = []
    for statement in body:
        match statement:
            case n.Assign(target=n.Read(variable=variable, indices=(n.Bound(name=index),))) if index == name:
                written.add(variable)
                values.append(statement.value)
            case _:
                return False
    return all(_reads_own(name, written, value) for value in values)


def _reads_own(name: str, written: set[str], expr: Expr) -> bool:
    match expr:
        case n.Read(variable=variable, indices=(n.Bound(name=index),)) if variable in written:
            return index == name
        case n.Read(variable=variable) | n.Length(variable=variable) | n.Item(variable=variable) if variable in written:
            return False
        case _:
            return all(_reads_own(name, written, child) for child in children(expr))
