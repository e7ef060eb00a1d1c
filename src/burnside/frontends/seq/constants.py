"""What is known of expressions before the model runs: types, ranges, and the values of constant ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, final

from burnside.frontends.seq.reader import Reader
from burnside.ir import nodes as n
from burnside.ir.cells import Cells
from burnside.ir.check import INT, WIDEST_NUMBER, table_shape, type_of_domain
from burnside.ir.ids import domain_of_ids, without_ordinals
from burnside.ir.intervals import Bounds, Interval
from burnside.ir.nodes import BOOL, Domain, Expr, Model, Parameter
from burnside.ir.operators import ARITHMETIC
from burnside.ir.semantics import FaultRaised, evaluate
from burnside.ir.uses import bound_names
from burnside.ir.walk import children, descend
from burnside.source import DEEPEST, Span
from burnside.values import replace

MOST_ROUNDS: Final = 1_000_000


@final
class Constants:
    """Types and values of expressions in the scope of a reader.

    ``evaluated`` collects the constant expressions with the names they may use: they are not part of the
    model, so the checker has to be shown them.
    """

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._scope = reader.scope
        self.evaluated: list[tuple[tuple[Parameter, ...], Expr]] = []

    # ------------------------------------------------------------ types

    def domain_of(self, expr: Expr) -> Domain | None:
        """The domain that an expression's values are from by its form; None for computed numbers."""
        match expr:
            case n.Const(domain=domain) | n.Bound(domain=domain):
                return domain
            case n.Unary(operator="argument", operand=value) | n.Binary(operator="result", left=value):
                return self.domain_of(value)
            case n.Read(variable=name) | n.Item(variable=name):
                found = self._scope.variables.get(name)  # a field that a record does not have is no variable
                return found and found.domain
            case n.Choice(then=then, otherwise=otherwise):
                return _common(self.domain_of(then), self.domain_of(otherwise))
            case n.Logic() | n.Unary(operator="!") | n.Quantified(quantifier="forall" | "exists"):
                return BOOL
            case n.Binary(operator=operator) if operator not in ARITHMETIC:
                return BOOL
            case _:
                return domain_of_ids(expr, self._scope.declared)

    def type_of(self, expr: Expr) -> str:
        """The type of an expression by its form, in the words of the checker."""
        return type_of_domain(self.domain_of(expr) or Domain("", 0, 0))

    def expect(self, expr: Expr, wanted: str) -> None:
        """Report an expression of another type."""
        actual = self.type_of(expr)
        if actual != wanted:
            self._reader.error("BUR203", f"expected {wanted}, found {actual}", expr.span)

    def range_of(self, expr: Expr) -> Domain:
        """The domain for a local that is to hold the value of ``expr``."""
        domain = self.domain_of(expr)
        if domain is not None:
            return domain
        low, high = self.bounds_of(expr)
        if max(-low, high) > WIDEST_NUMBER:
            self._reader.error("BUR208", "this expression could leave the range of 64-bit numbers", expr.span)
            return Domain("", 0, 0)
        return Domain("", low, high)

    def bounds_of(self, expr: Expr) -> Interval:
        """The least and the greatest value that an expression might have."""
        return Bounds(self._scope.variables, self._scope.tables).of(without_ordinals(expr))

    # ------------------------------------------------------------ values

    def number(self, expr: Expr) -> int:
        """The value of a constant expression that must be a number."""
        self.expect(expr, INT)
        return self.value_of(expr, {})

    def value_of(self, expr: Expr, names: Mapping[str, int]) -> int:
        """The value of an expression over constants and ``names``; what else it uses is reported."""
        if isinstance(expr, n.Const):
            return expr.value
        return self.evaluator(expr, frozenset(names))(names)

    def evaluator(self, expr: Expr, names: frozenset[str]) -> Callable[[Mapping[str, int]], int]:
        """The function from values of local ``names`` to the value of ``expr``, which is checked once."""
        if not self._is_constant(expr, names):
            return lambda _: 0
        parameters = tuple(Parameter(name, self._scope.locals[name].domain) for name in sorted(names))
        self.evaluated.append((parameters, expr))
        computed = without_ordinals(expr)
        tables = tuple(n.Constant(name, value) for name, value in self._scope.tables.items())
        cells = Cells(Model("", tables, (), (), ()))
        return lambda values: self._evaluate(cells, computed, values)

    def _evaluate(self, cells: Cells, expr: Expr, names: Mapping[str, int]) -> int:
        try:
            value = evaluate(cells, expr, (), names)
        except FaultRaised as fault:
            self._reader.error("BUR207", f"this has no value: {fault.message}", fault.span or expr.span)
            return 0
        if abs(value) > WIDEST_NUMBER:
            self._reader.error("BUR105", "this number is too large", expr.span, help=f"the largest is {WIDEST_NUMBER}")
            return 0
        return value

    def _is_constant(self, expr: Expr, names: frozenset[str]) -> bool:
        known = names | bound_names(expr)
        for node, depth in descend(expr):
            if depth > DEEPEST:
                self._reader.stream.too_deep(expr.span)
            match node:
                case n.Read(variable=name) | n.Length(variable=name) | n.Item(variable=name):
                    self._not_constant(f"'{name}' changes while the model runs", node.span)
                case n.Bound(name=name) if name not in known:
                    self._not_constant(f"'{name}' is not a constant", node.span)
                case n.Lookup():
                    self._check_shape(node)
        if not self._reader.failed and _rounds(expr) > MOST_ROUNDS:
            self._reader.error("BUR207", f"this takes more than {MOST_ROUNDS:,} steps to compute", expr.span)
        return not self._reader.failed

    def _not_constant(self, message: str, span: Span | None) -> None:
        self._reader.error("BUR207", message, span, help="use constants only")

    def _check_shape(self, lookup: n.Lookup) -> None:
        wanted, found = len(table_shape(self._scope.tables[lookup.table]) or ()), len(lookup.indices)
        if wanted != found:
            what = "index" if wanted == 1 else "indices"
            self._reader.error("BUR204", f"'{lookup.table}' takes {wanted} {what}, found {found}", lookup.span)


def _common(one: Domain | None, other: Domain | None) -> Domain | None:
    """The domain that values of either are from: one of the two, if it is the other with further labels."""
    if one is None or other is None or one == other:
        return one if one == other else None
    narrow, wide = sorted((one, other), key=lambda domain: domain.size)
    more = wide.labels[len(narrow.labels) :]
    is_extended = wide == replace(
        narrow, name=wide.name, high=narrow.high + len(more), labels=narrow.labels + more, index=wide.index
    )
    return wide if is_extended and are_alike(one, other) else None


def are_alike(one: Domain, other: Domain) -> bool:
    """Whether one domain extends the other, or both the same one."""
    first, second = (domain.index or domain.base or domain.name for domain in (one, other))
    return first == second != ""


def _rounds(expr: Expr) -> int:
    """How many nodes an evaluation visits at most."""
    inside = 1 + sum(map(_rounds, children(expr)))
    return inside * expr.domain.size if isinstance(expr, n.Quantified) else inside
