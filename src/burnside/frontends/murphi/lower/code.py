"""Statements of the model as they are written, and what they read and write: places, and values without a place.

A place without parts is a variable of the model. Its domain has one value more, for what is undefined: reading that is
a fault, moving it is not. Arrays among the locals of a rule are written out, a local for each element.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import product
from math import prod
from typing import Final

from burnside.frontends.murphi.names.scope import Report
from burnside.frontends.murphi.names.terms import Place, Value, Variable, number_of, value_of
from burnside.frontends.murphi.names.types import (
    Array,
    Leaf,
    Range,
    Record,
    Simple,
    Type,
    Union,
    domain_of,
    extended,
    is_simple,
    leaves,
    low_of,
    size_of,
    undefined_of,
)
from burnside.ir import nodes as n
from burnside.ir.build import conjunction
from burnside.ir.nodes import Binary, Bound, Checked, Choice, Const, Domain, Expr, Read, Stmt
from burnside.source import Span
from burnside.values import replace

# What holds numbers whose range nobody declared.
WIDE: Final = Domain("", -(1 << 31) + 1, (1 << 31) - 1)
_MOST_LOCALS: Final = 1_000
_MOST_CHOICES: Final = 64  # elements of an array among locals, of which one is meant that is not known


class Code:
    """Writes statements to ``out``; ``taken`` are the names that mean something already."""

    def __init__(self, report: Report) -> None:
        self.report = report
        self.out: list[Stmt] = []
        self.taken: set[str] = set()
        self._counts: dict[str, int] = {}  # how many names like one there are, at least

    @contextmanager
    def collecting(self) -> Iterator[list[Stmt]]:
        """Write to a block of its own for a while."""
        outer, self.out = self.out, []
        try:
            yield self.out
        finally:
            self.out = outer

    def fresh(self, name: str) -> str:
        """A name that means nothing yet, like ``name``."""
        count, found = self._counts.get(name, 1), name
        while found in self.taken:
            count += 1
            found = f"{name}_{count}"
        self._counts[name] = count
        self.taken.add(found)
        return found

    # ------------------------------------------------------------ locals

    def declare(self, name: str, kind: Type, span: Span | None, source: Place | None = None) -> Place:
        """A local variable without value, or with a copy of what a place has."""
        variable = Variable(self.fresh(name), kind, local=True)
        count = 0
        for leaf in leaves(kind):
            for indices in _index_tuples(leaf.dimensions):
                count += 1
                if count > _MOST_LOCALS:
                    message = f"a local variable has more than {_MOST_LOCALS:,} parts"
                    self.report.stop("BUR901", message, span, help="make it a variable of the state")
                value: Expr = Const(undefined_of(leaf.type))
                if source is not None:
                    value = self.raw(_part(source, leaf, [Const(k) for k in indices]))
                domain = extended(leaf.type)
                self.out.append(n.Declare(_local_name(variable, leaf.suffix, indices), domain, value, span))
        return Place(variable, kind, span=span)

    def saved(self, value: Value) -> Value:
        """A value that stays what it is now."""
        if value.fixed:
            return value
        name = self.fresh("now")
        is_wide = isinstance(value.type, Range)
        domain = WIDE if is_wide else domain_of(value.type)
        self.out.append(n.Declare(name, domain, number_of(value), value.span))
        return value_of(value.type, Bound(name, domain, value.span), value.span, fixed=True)

    def frozen(self, place: Place) -> Place:
        """A place whose indices stay what they are now."""
        indices = tuple(self._frozen(i, d) for i, d in zip(place.indices, place.dimensions, strict=True))
        return replace(place, indices=indices)

    def _frozen(self, index: Expr, kind: Simple) -> Expr:
        if isinstance(index, Const | Bound) and not self._is_mutable(index):
            return index
        name = self.fresh("at")
        checked = index if isinstance(index, Checked) else Checked(index, domain_of(kind), index.span)
        self.out.append(n.Declare(name, domain_of(kind), checked, index.span))
        return Bound(name, domain_of(kind), index.span)

    def _is_mutable(self, expr: Expr) -> bool:
        return isinstance(expr, Bound) and expr.domain.labels != ()

    # ------------------------------------------------------------ single values

    def raw(self, place: Place) -> Expr:
        """What a place without parts holds, perhaps nothing."""
        assert is_simple(place.type)
        kind: Simple = place.type  # type: ignore[assignment]
        if not place.root.local:
            return Read(place.name, place.indices, place.span)
        domain = extended(kind)
        if all(isinstance(index, Const) for index in place.indices):
            numbers = tuple(index.value for index in place.indices if isinstance(index, Const))
            return Bound(_local_name(place.root, place.suffix, numbers), domain, place.span)
        self._check_choices(place)
        found: Expr = Const(undefined_of(kind))
        for numbers in reversed([*_index_tuples(place.dimensions)]):
            here = Bound(_local_name(place.root, place.suffix, numbers), domain, place.span)
            found = Choice(_is_at(place, numbers), here, found, place.span)
        return found

    def read(self, place: Place) -> Value:
        """The value that a place without parts has; a fault if it has none."""
        kind: Simple = place.type  # type: ignore[assignment]
        return value_of(kind, Checked(self.raw(place), domain_of(kind), place.span), place.span)

    def put(self, place: Place, number: Expr, span: Span | None) -> None:
        """Write the number of a value, or of nothing."""
        if not place.root.local:
            target = Read(place.name, place.indices, place.span)
            self.out.append(n.Assign(target, number, span))
            return
        kind: Simple = place.type  # type: ignore[assignment]
        domain = extended(kind)
        if all(isinstance(index, Const) for index in place.indices):
            numbers = tuple(index.value for index in place.indices if isinstance(index, Const))
            local = Bound(_local_name(place.root, place.suffix, numbers), domain, place.span)
            self.out.append(n.Assign(local, number, span))
            return
        for numbers in _index_tuples(place.dimensions):
            local = Bound(_local_name(place.root, place.suffix, numbers), domain, place.span)
            self.out.append(n.If(_is_at(place, numbers), (n.Assign(local, number, span),), (), span))

    def _check_choices(self, place: Place) -> None:
        if prod(map(size_of, place.dimensions)) > _MOST_CHOICES:
            message = f"which of more than {_MOST_CHOICES} elements of a local array is meant is not known"
            self.report.stop("BUR901", message, place.span, help="make the array a variable of the state")

    def fit(self, value: Value, kind: Simple) -> Expr:
        """The number of a value as one of a type; a fault if it is none of that type."""
        number = number_of(value)
        if isinstance(kind, Union) or isinstance(value.type, Union):
            return self._in_union(number, value, kind)
        if not isinstance(kind, Range):
            return number
        if isinstance(value.expr, Const):
            if kind.low <= value.expr.value <= kind.high:
                return number
        elif isinstance(value.type, Range) and kind.low <= value.type.low and value.type.high <= kind.high:
            return number
        return Checked(number, domain_of(kind), value.span)

    def _in_union(self, number: Expr, value: Value, kind: Simple) -> Expr:
        source = value.type
        if source == kind:
            return number
        if isinstance(kind, Union) and not isinstance(source, Union):
            return _added(number, offset_of(kind, source))
        if isinstance(source, Union) and not isinstance(kind, Union):
            return Checked(_added(number, -offset_of(source, kind)), domain_of(kind), value.span)
        assert isinstance(source, Union) and isinstance(kind, Union)
        found: Expr = Const(undefined_of(kind))
        for part in source.parts:
            if kind.offset(part) is not None:
                start = offset_of(source, part)
                inside = _between(number, start, start + size_of(part) - 1)
                found = Choice(inside, _added(number, offset_of(kind, part) - start), found, value.span)
        return Checked(found, domain_of(kind), value.span)

    def moved(self, source: Place, kind: Simple) -> Expr:
        """What a place holds, perhaps nothing, as what a place of another type may hold."""
        held: Simple = source.type  # type: ignore[assignment]
        raw = self.raw(source)
        if held == kind:
            return raw
        nothing = Binary("==", raw, Const(undefined_of(held)))
        return Choice(nothing, Const(undefined_of(kind)), self.fit(self.read(source), kind), source.span)

    # ------------------------------------------------------------ values with parts

    def copy(self, target: Place, source: Place, span: Span | None) -> None:
        """Copy all that a place has, what is undefined, too."""
        target, source = self.frozen(target), self.frozen(source)
        is_local = target.root.local or source.root.local
        for leaf in leaves(target.type):

            def write(indices: Sequence[Expr], leaf: Leaf = leaf) -> None:
                self.put(_part(target, leaf, indices), self.raw(_part(source, leaf, indices)), span)

            self._looped(leaf, write, is_local=is_local)

    def fill(self, place: Place, span: Span | None, *, undefined: bool) -> None:
        """Give every single value of a place nothing, or its least value."""
        place = self.frozen(place)
        for leaf in leaves(place.type):
            number = undefined_of(leaf.type) if undefined else low_of(leaf.type)

            def write(indices: Sequence[Expr], leaf: Leaf = leaf, number: int = number) -> None:
                self.put(_part(place, leaf, indices), Const(number), span)

            self._looped(leaf, write, is_local=place.root.local)

    def _looped(self, leaf: Leaf, write: Callable[[Sequence[Expr]], None], *, is_local: bool) -> None:
        """What is written for one element, for all elements of the arrays inside a value: locals are written out."""
        if is_local:
            for numbers in _index_tuples(leaf.dimensions):
                write([Const(k) for k in numbers])
            return
        names = [(self.fresh("each"), domain_of(dimension)) for dimension in leaf.dimensions]
        with self.collecting() as body:
            write([Bound(name, domain) for name, domain in names])
        block: tuple[Stmt, ...] = tuple(body)
        for name, domain in reversed(names):
            block = (n.For(name, domain, block),)
        self.out += block

    def same(self, left: Place, right: Place) -> Expr:
        """Whether two places hold the same, where nothing is the same as nothing."""
        found: list[Expr] = []
        for leaf in leaves(left.type):
            if left.root.local or right.root.local:
                for numbers in _index_tuples(leaf.dimensions):
                    at = [Const(k) for k in numbers]
                    found.append(Binary("==", self.raw(_part(left, leaf, at)), self.raw(_part(right, leaf, at))))
                continue
            names = [(self.fresh("each"), domain_of(dimension)) for dimension in leaf.dimensions]
            indices = [Bound(name, domain) for name, domain in names]
            held = Binary("==", self.raw(_part(left, leaf, indices)), self.raw(_part(right, leaf, indices)))
            whole: Expr = held
            for name, domain in reversed(names):
                whole = n.Quantified("forall", name, domain, whole)
            found.append(whole)
        return conjunction(found)


def element(place: Place, index: Expr, span: Span | None) -> Place:
    """An element of an array."""
    assert isinstance(place.type, Array)
    indices, dimensions = (*place.indices, index), (*place.dimensions, place.type.index)
    return Place(place.root, place.type.element, place.suffix, indices, dimensions, place.readonly, span)


def member(place: Place, name: str, span: Span | None) -> Place | None:
    """A field of a record, if it has one of that name."""
    assert isinstance(place.type, Record)
    kind = place.type.field(name)
    if kind is None:
        return None
    suffix = f"{place.suffix}.{name}"
    return Place(place.root, kind, suffix, place.indices, place.dimensions, place.readonly, span)


def offset_of(union: Union, part: Simple) -> int:
    """What is added to a value of one of a union's types; one of equal structure will do."""
    exact = union.offset(part)
    if exact is not None:
        return exact
    return sum(size_of(other) for other in union.parts[: union.parts.index(part)])


def _part(place: Place, leaf: Leaf, indices: Sequence[Expr]) -> Place:
    found = (*place.indices, *indices), (*place.dimensions, *leaf.dimensions)
    return Place(place.root, leaf.type, place.suffix + leaf.suffix, *found, place.readonly, place.span)


def _local_name(variable: Variable, suffix: str, indices: Sequence[int]) -> str:
    return variable.name + suffix + "".join(f"[{index}]" for index in indices)


def _index_tuples(dimensions: Sequence[Simple]) -> Iterator[tuple[int, ...]]:
    return product(*(domain_of(dimension).values() for dimension in dimensions))


def _is_at(place: Place, numbers: Sequence[int]) -> Expr:
    """Whether the indices of a place are these; a fault if the array has no such element."""
    checked = (
        index if isinstance(index, Const) else Checked(index, domain_of(kind), index.span)
        for index, kind in zip(place.indices, place.dimensions, strict=True)
    )
    return conjunction(Binary("==", i, Const(k)) for i, k in zip(checked, numbers, strict=True))


def _between(number: Expr, low: int, high: int) -> Expr:
    return n.Logic("&&", (Binary("<=", Const(low), number), Binary("<=", number, Const(high))))


def _added(number: Expr, offset: int) -> Expr:
    if isinstance(number, Const):
        return Const(number.value + offset, None, number.span)
    return Binary("+", number, Const(offset), number.span) if offset else number
