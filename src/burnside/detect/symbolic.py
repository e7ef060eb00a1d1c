"""Symbolic evaluation of expressions over the old values of cells.

The result of an expression is a pair: the term for its value, and the term for *evaluating it faults*. An
index that depends on the state raises `Split` with a cell to distinguish; the caller starts again for
every value of that cell, so that in each case all indices are constants.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias, assert_never, final

from burnside.detect.terms import Term, Terms, TooLarge, bits
from burnside.ir.cells import Cells
from burnside.ir.nodes import (
    Binary,
    Bound,
    Choice,
    Const,
    Expr,
    Item,
    Length,
    Logic,
    Lookup,
    Quantified,
    Read,
    Unary,
    Value,
)
from burnside.ir.walk import children
from burnside.source import Span

LARGEST_DOMAIN = 4096
MOST_KNOWN_ROUNDS = 16_384  # of the loops of one rule, in all its cases, where the values are known


def narrowest(cells: Cells, support: int) -> int:
    """The cell with the fewest values, which gives the fewest cases."""
    return min(bits(support), key=lambda c: (cells.all[c].domain.size, c))


class Split(Exception):
    """An index depends on this cell: distinguish its values."""

    def __init__(self, cell: int) -> None:
        super().__init__(cell)
        self.cell = cell


class Result(NamedTuple):
    """The value of an expression, and whether evaluating it faults."""

    value: Term
    fault: Term


Names: TypeAlias = Mapping[str, Term]


@final
@dataclass(slots=True)
class Store:
    """Terms of the cells that differ from their old value, and of the locals in scope."""

    cells: dict[int, Term] = field(default_factory=dict)
    names: dict[str, Term] = field(default_factory=dict)

    def copy(self) -> Store:
        """A store that can be changed without changing this one."""
        return Store(dict(self.cells), dict(self.names))


@final
class Evaluator:
    """Evaluates the expressions of one model."""

    def __init__(self, cells: Cells, terms: Terms) -> None:
        self.cells = cells
        self.terms = terms
        self._tables = {c.name: c.value for c in cells.model.constants}
        self._free_names: dict[int, tuple[str, ...]] = {}
        self._known: dict[tuple[object, ...], Result] = {}
        self._kept: list[Expr] = []  # keeps cached expressions alive, so that ids stay unique
        self._rounds_left = MOST_KNOWN_ROUNDS

    def start_rule(self) -> None:
        """What comes is a new rule: it has as many rounds as any."""
        self._rounds_left = MOST_KNOWN_ROUNDS

    def count_round(self, span: Span | None) -> None:
        """A loop goes round once more, whatever the state is."""
        self._rounds_left -= 1
        if self._rounds_left < 0:
            raise TooLarge(span=span)

    def evaluate(self, expr: Expr, store: Store) -> Result:
        """An expression in a store. On unchanged cells, results are remembered by the names they depend on."""
        if store.cells:
            return self._evaluate(expr, store)
        names = store.names
        key = (id(expr), *[names[n].number for n in self.free_names(expr)])
        result = self._known.get(key)
        if result is None:
            result = self._evaluate(expr, store)
            self._known[key] = result
            self._kept.append(expr)
        return result

    def free_names(self, expr: Expr) -> tuple[str, ...]:
        """The bound names an expression mentions and does not bind itself, always in the same order."""
        names = self._free_names.get(id(expr))
        if names is None:
            found = {expr.name} if isinstance(expr, Bound) else set()
            found.update(*map(self.free_names, children(expr)))
            if isinstance(expr, Quantified):
                found.discard(expr.name)
            names = self._free_names[id(expr)] = tuple(sorted(found))
            self._kept.append(expr)
        return names

    def _evaluate(self, expr: Expr, store: Store) -> Result:
        terms = self.terms
        match expr:
            case Const(value=value):
                return self._sure(terms.constant(value))
            case Bound(name=name):
                return self._sure(store.names[name])
            case Read(variable=name, indices=indices) | Length(variable=name, indices=indices):
                position, fault = self.locate(name, indices, store)
                return self._sure(terms.false, fault) if position is None else Result(self.read(position, store), fault)
            case Item():
                position, fault = self.locate_item(expr, store)
                return self._sure(terms.false, fault) if position is None else Result(self.read(position, store), fault)
            case Lookup():
                return self._lookup(expr, store)
            case Unary(operator=operator, operand=operand):
                inner, fault = self.evaluate(operand, store)
                result = terms.linear(0, ((-1, inner),)) if operator == "-" else terms.negation(inner)
                return Result(result, fault)
            case Binary(operator="=>", left=left, right=right):
                return self._logic("||", (Unary("!", left), right), store)
            case Binary():
                return self._binary(expr, store)
            case Logic(operator=operator, operands=operands):
                return self._logic(operator, operands, store)
            case Choice():
                return self._choice(expr, store)
            case Quantified():
                return self._quantified(expr, store)
            case _:
                assert_never(expr)

    def _sure(self, value: Term, fault: Term | None = None) -> Result:
        return Result(value, fault or self.terms.false)

    def read(self, position: int, store: Store) -> Term:
        """The current value of a cell."""
        return store.cells.get(position) or self.terms.cell(position)

    # ------------------------------------------------------------ places

    def constant_of(self, term: Term) -> int:
        """The value of an index, which must not depend on the state."""
        if not term.is_constant:
            raise Split(narrowest(self.cells, term.support))
        return term.value

    def locate(self, name: str, indices: Sequence[Expr], store: Store) -> tuple[int | None, Term]:
        """The first cell of an element (None if an index is certainly outside), and whether locating it faults."""
        fault = self.terms.false
        values = []
        for index in indices:
            value, failed = self.evaluate(index, store)
            fault = self.terms.disjunction((fault, failed))
            values.append(self.constant_of(value))
        position = self.cells.position(self.cells.variables[name], values)
        return position, self.terms.true if position is None else fault

    def locate_item(self, item: Item, store: Store) -> tuple[int | None, Term]:
        """The cell of an item, and whether locating it faults."""
        start, fault = self.locate(item.variable, item.indices, store)
        if start is None:
            return None, fault
        value, failed = self.evaluate(item.position, store)
        position = self.constant_of(value)
        capacity = self.cells.variables[item.variable].capacity or 0
        if not 0 <= position < capacity:
            return None, self.terms.true
        outside = self.terms.at_most(self.read(start, store), self.terms.constant(position))
        return start + 1 + position, self.terms.disjunction((fault, failed, outside))

    def _lookup(self, expr: Lookup, store: Store) -> Result:
        value: Value = self._tables[expr.table]
        fault = self.terms.false
        for index in expr.indices:
            term, failed = self.evaluate(index, store)
            fault = self.terms.disjunction((fault, failed))
            number = self.constant_of(term)
            assert isinstance(value, tuple)
            if not 0 <= number < len(value):
                return Result(self.terms.false, self.terms.true)
            value = value[number]
        assert isinstance(value, int)
        return Result(self.terms.constant(value), fault)

    # ------------------------------------------------------------ operators

    def _binary(self, expr: Binary, store: Store) -> Result:
        left, left_fault = self.evaluate(expr.left, store)
        right, right_fault = self.evaluate(expr.right, store)
        fault = self.terms.disjunction((left_fault, right_fault))
        if expr.operator in ("/", "%"):
            fault = self.terms.disjunction((fault, self.terms.equal(right, self.terms.false)))
        return Result(self.terms.at(self.terms.binary(expr.operator, left, right), expr.span), fault)

    def _logic(self, operator: str, operands: Sequence[Expr], store: Store) -> Result:
        return self._until_decided(operator, (self.evaluate(o, store) for o in operands))

    def _until_decided(self, operator: str, results: Iterator[Result]) -> Result:
        """A conjunction or disjunction; operands count only while those before them have not decided."""
        terms = self.terms
        is_conjunction = operator == "&&"
        deciding = terms.false if is_conjunction else terms.true
        values: list[Term] = []
        faults: list[Term] = []
        for value, fault in results:
            if fault is not terms.false:
                undecided = values if is_conjunction else map(terms.negation, values)
                faults.append(terms.conjunction((*undecided, fault)))
            values.append(value)
            if value is deciding:
                break
        return Result((terms.conjunction if is_conjunction else terms.disjunction)(values), terms.disjunction(faults))

    def _choice(self, expr: Choice, store: Store) -> Result:
        terms = self.terms
        condition, fault = self.evaluate(expr.condition, store)
        if condition.is_constant:
            value, inner = self.evaluate(expr.then if condition.value else expr.otherwise, store)
            return Result(value, terms.disjunction((fault, inner)))
        then, then_fault = self.evaluate(expr.then, store)
        otherwise, otherwise_fault = self.evaluate(expr.otherwise, store)
        branch = terms.choose(condition, then_fault, otherwise_fault)
        value = terms.at(terms.choose(condition, then, otherwise), expr.span)
        return Result(value, terms.disjunction((fault, branch)))

    def _quantified(self, expr: Quantified, store: Store) -> Result:
        if expr.domain.size > LARGEST_DOMAIN:
            raise TooLarge(span=expr.span)
        results = self._rounds(expr, store)
        match expr.quantifier:
            case "forall":
                return self._until_decided("&&", results)
            case "exists":
                return self._until_decided("||", results)
            case _:
                every = list(results)
                total = self.terms.linear(0, ((1, r.value) for r in every))
                return Result(total, self.terms.disjunction(r.fault for r in every))

    def _rounds(self, expr: Quantified, store: Store) -> Iterator[Result]:
        inner = Store(store.cells, dict(store.names))
        for number in expr.domain.values():
            inner.names[expr.name] = self.terms.constant(number)
            yield self.evaluate(expr.body, inner)
