"""Symbolic evaluation of expressions over the old values of cells.

The result of an expression is a pair: the term for its value, and the term for *evaluating it faults*. An
index that depends on the state raises `Split` with a cell to distinguish; the caller starts again for
every value of that cell, so that in each case all indices are constants.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import repeat
from typing import NamedTuple, TypeAlias, assert_never, final

from burnside.detect.terms import Term, Terms, TooLarge, bits
from burnside.ir.cells import Cells
from burnside.ir.nodes import (
    Binary,
    Bound,
    Checked,
    Choice,
    Const,
    Domain,
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
from burnside.values import dataclass, field

LARGEST_DOMAIN = 4096
_MOST_WORK = 150_000  # evaluations for one rule or condition: some seconds
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


class _Uses(NamedTuple):
    """The bound names that an expression mentions and does not bind itself, and whether it reads cells, and if so,
    whether names alone say which one it reads.

    The expression is kept alive, so that ids stay unique.
    """

    expr: Expr
    names: tuple[str, ...]
    reads: bool
    is_one_cell: bool


class _Leaves(NamedTuple):
    """What decides the result of an expression: its largest parts without cells, and the cells it reads, if names say
    which. Two expressions of one ``form`` are made of their leaves in the same way.
    """

    all: tuple[Expr, ...]
    form: Hashable


@final
class Evaluator:
    """Evaluates the expressions of one model."""

    def __init__(self, cells: Cells, terms: Terms) -> None:
        self.cells = cells
        self.terms = terms
        self._tables = {c.name: c.value for c in cells.model.constants}
        self._uses: dict[int, _Uses] = {}
        self._known: dict[tuple[object, ...], Result] = {}
        self._forms: dict[Hashable, int] = {}
        self._bodies: dict[Hashable, Result] = {}
        self._known_leaves: dict[int, _Leaves | None] = {}
        self._columns: dict[Hashable, list[Result]] = {}
        self._rounds_left = MOST_KNOWN_ROUNDS
        self._work_left = _MOST_WORK

    def start_part(self) -> None:
        """What comes is a new rule or condition: it may take as many rounds, and as much work, as any."""
        self._rounds_left = MOST_KNOWN_ROUNDS
        self._work_left = _MOST_WORK

    def count_round(self, span: Span | None) -> None:
        """A loop goes round once more, whatever the state is."""
        self._rounds_left -= 1
        if self._rounds_left < 0:
            raise TooLarge(span=span)

    def evaluate(self, expr: Expr, store: Store) -> Result:
        """An expression in a store. On old cells, results are remembered by the names they depend on."""
        if type(expr) is Bound:
            return Result(store.names[expr.name], self.terms.false)
        if type(expr) is Const:
            return Result(self.terms.constant(expr.value), self.terms.false)
        uses = self._uses.get(id(expr)) or self.uses(expr)
        if not (store.cells and uses.reads):
            return self._on_old_cells(expr, uses, store.names)
        if not uses.is_one_cell:
            return self._evaluate(expr, store)
        old = self._on_old_cells(expr, uses, store.names)
        if old.value.operator != "cell":
            return self._evaluate(expr, store)
        changed = store.cells.get(old.value.value)
        return old if changed is None else Result(changed, old.fault)

    def _on_old_cells(self, expr: Expr, uses: _Uses, names: dict[str, Term]) -> Result:
        key = (id(expr), *[names[n] for n in uses.names])
        result = self._known.get(key)
        if result is None:
            result = self._known[key] = self._evaluate(expr, Store({}, names))
        return result

    def uses(self, expr: Expr) -> _Uses:
        """What an expression depends on."""
        known = self._uses.get(id(expr))
        if known is None:
            inner = [self.uses(child) for child in children(expr) if type(child) is not Const]
            names = {expr.name} if isinstance(expr, Bound) else {name for i in inner for name in i.names}
            if isinstance(expr, Quantified):
                names.discard(expr.name)
            reads = any(i.reads for i in inner)
            is_one_cell = not reads and isinstance(expr, Read | Length)
            reads = reads or isinstance(expr, Read | Length | Item)
            known = self._uses[id(expr)] = _Uses(expr, tuple(sorted(names)), reads, is_one_cell)
        return known

    def _leaves(self, expr: Expr) -> _Leaves | None:
        """None if more decides: names of its own, or a state that says which cell is read."""
        if id(expr) not in self._known_leaves:
            self._known_leaves[id(expr)] = self._find_leaves(expr)
        return self._known_leaves[id(expr)]

    def _find_leaves(self, expr: Expr) -> _Leaves | None:
        uses = self.uses(expr)
        if uses.is_one_cell or not uses.reads:
            return _Leaves((expr,), None)
        inner = [*map(self._leaves, children(expr))]
        known = [i for i in inner if i is not None]
        if not isinstance(expr, Unary | Binary | Logic | Choice) or len(known) < len(inner):
            return None
        form = (type(expr), getattr(expr, "operator", ""), *[i.form for i in known])
        return _Leaves(tuple(leaf for i in known for leaf in i.all), self._forms.setdefault(form, len(self._forms)))

    def _evaluate(self, expr: Expr, store: Store) -> Result:
        self._work_left -= 1
        if self._work_left < 0:
            raise TooLarge(span=expr.span)
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
            case Checked(operand=operand, domain=domain):
                inner, fault = self.evaluate(operand, store)
                return Result(inner, self.terms.disjunction((fault, *self.outside(inner, domain))))
            case _:
                assert_never(expr)

    def outside(self, value: Term, domain: Domain) -> tuple[Term, ...]:
        """Where a value lies outside a domain; nowhere, if its bounds say so."""
        terms = self.terms
        if domain.low <= value.low and value.high <= domain.high:
            return ()
        too_low = terms.negation(terms.at_most(terms.constant(domain.low), value))
        return too_low, terms.negation(terms.at_most(value, terms.constant(domain.high)))

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
            if type(index) is Const:
                values.append(index.value)
                continue
            value, failed = self.evaluate(index, store)
            fault = self.either(fault, failed)
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
            fault = self.either(fault, failed)
            number = self.constant_of(term)
            assert isinstance(value, tuple)
            if not 0 <= number < len(value):
                return Result(self.terms.false, self.terms.true)
            value = value[number]
        assert isinstance(value, int)
        return Result(self.terms.constant(value), fault)

    # ------------------------------------------------------------ operators

    def either(self, fault: Term, other: Term) -> Term:
        """One fault or another; hardly anything faults."""
        return fault if other is self.terms.false else self.terms.disjunction((fault, other))

    def _binary(self, expr: Binary, store: Store) -> Result:
        left, left_fault = self.evaluate(expr.left, store)
        right, right_fault = self.evaluate(expr.right, store)
        fault = self.either(left_fault, right_fault)
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
        for number, key in zip(expr.domain.values(), self._decisive(expr, store), strict=False):
            result = None if key is None else self._bodies.get(key)
            if result is None:
                result = self._in_round(expr.body, expr.name, number, store)
                if key is not None:
                    self._bodies[key] = result
            yield result

    def _in_round(self, expr: Expr, name: str, number: int, store: Store) -> Result:
        return self.evaluate(expr, Store(store.cells, {**store.names, name: self.terms.constant(number)}))

    def _decisive(self, expr: Quantified, store: Store) -> Iterable[Hashable]:
        """For every round, what decides the result of a body: how it is made of its leaves, and the results of these.

        None where leaves do not decide it, or where one cannot be evaluated: the body may do without it.
        """
        leaves = self._leaves(expr.body)
        if leaves is None:
            return repeat(None)
        try:
            columns = [self._column(leaf, expr, store) for leaf in leaves.all]
        except (Split, TooLarge):
            return repeat(None)
        return zip(repeat(leaves.form), *columns, strict=False)

    def _column(self, leaf: Expr, expr: Quantified, store: Store) -> Iterable[Result]:
        """The results of a leaf in all rounds; those on old cells are remembered, and most stay when some change."""
        uses = self.uses(leaf)
        if expr.name not in uses.names:
            return repeat(self.evaluate(leaf, store))
        key = (id(leaf), expr.name, expr.domain.low, expr.domain.high, *map(store.names.get, uses.names))
        column = self._columns.get(key)
        if column is None:
            before = Store({}, store.names)
            column = [self._in_round(leaf, expr.name, number, before) for number in expr.domain.values()]
            self._columns[key] = column
        if not (store.cells and uses.reads):
            return column
        return [
            old
            if old.value.operator == "cell" and old.value.value not in store.cells
            else self._in_round(leaf, expr.name, number, store)
            for number, old in zip(expr.domain.values(), column, strict=True)
        ]
