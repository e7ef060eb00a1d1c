"""Initial values: what stands behind ``=`` in the declaration of a variable, spread over its elements."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import TypeAlias, final

from burnside.frontends.seq.constants import Constants
from burnside.frontends.seq.expressions import Expressions
from burnside.frontends.seq.reader import Reader, spelling
from burnside.frontends.seq.terms import Term
from burnside.ir.check import type_of_domain
from burnside.ir.nodes import Const, Constant, Expr, Parameter, Value, Variable
from burnside.source import Span
from burnside.values import dataclass, replace

Given: TypeAlias = "Term | list[Given] | None"  # None is ``*``, any value
Single: TypeAlias = "Expr | list[Single] | None"  # the same for a variable without parts
Entry: TypeAlias = "int | tuple[int, ...] | None"


@final
@dataclass(frozen=True, slots=True)
class Shape:
    """A variable, still without initial values, and the names of its indices ("" for one without a name)."""

    variable: Variable
    indices: tuple[Parameter, ...]


def read_given(reader: Reader, expressions: Expressions) -> Given:
    """What stands behind ``=``: a value, ``*``, or lists of them."""
    stream = reader.stream
    if stream.accept("*"):
        return None
    token = stream.peek
    if token.kind in ("name", "quoted") and stream.peek_kinds(2)[-1] != "[":
        entity = reader.scope.globals.get(spelling(token))
        if isinstance(entity, Constant) and isinstance(entity.value, tuple):
            stream.advance()
            return _as_given(entity.value, token.span)
    if not stream.accept("["):
        return expressions.term()
    reader.stream.enter()
    found: list[Given] = []
    while not stream.at("]"):
        found.append(read_given(reader, expressions))
        if not stream.accept(","):
            break
    stream.expect("]")
    reader.stream.leave()
    return found


def with_initial_values(reader: Reader, constants: Constants, shape: Shape, given: Single, span: Span) -> Variable:
    """The variable with the initial value of every element, row by row."""
    variable = shape.variable
    spread = _Spread(reader, constants, shape, span)
    initial = spread.sequences(given) if variable.is_sequence else spread.values(given)
    return replace(variable, initial=initial, initial_spans=_places(variable, given, span))


def _places(variable: Variable, given: Single, span: Span) -> tuple[Span, ...]:
    """The places of the initial values: one for each element, or one for all of them."""
    if not isinstance(given, list) or variable.is_sequence:
        return (span,)
    spans = [span if entry is None else entry.span or span for entry in _leaves(given)]
    return tuple(spans) if len(spans) == variable.elements else (span,)


def _as_given(value: Value, span: Span) -> Given:
    return Const(value, None, span) if isinstance(value, int) else [_as_given(v, span) for v in value]


@final
class _Spread:
    """Gives every element of one variable its value."""

    def __init__(self, reader: Reader, constants: Constants, shape: Shape, span: Span) -> None:
        self._reader = reader
        self._constants = constants
        self._variable = variable = shape.variable
        self._indices = shape.indices
        self._span = span
        self._elements = list(product(*(d.values() for d in variable.dimensions)))

    def values(self, given: Single) -> tuple[Entry, ...]:
        """Values of a variable whose elements are single values."""
        variable = self._variable
        if not isinstance(given, list):
            if given is None or isinstance(given, Const):
                return (None if given is None else self._fit(given, given.value),) * variable.elements
            value = self._constants.evaluator(given, frozenset(p.name for p in self._indices if p.name))
            return tuple(self._fit(given, value(self._names(element))) for element in self._elements)
        if not variable.dimensions:
            self._wrong(f"'{variable.name}' holds a single value, not a list")
            return ()
        entries = _leaves(given)
        if len(entries) != variable.elements:
            self._wrong(f"'{variable.name}' has {variable.elements} elements, but {len(entries)} initial values")
            return ()
        return tuple(self._value(e, element) for e, element in zip(entries, self._elements, strict=True))

    def sequences(self, given: Single) -> tuple[Entry, ...]:
        """Values of a variable whose elements are sequences."""
        variable = self._variable
        if not isinstance(given, list):
            self._wrong(f"'{variable.name}' is a sequence and starts with a list of items, such as []")
            return ()
        if not variable.dimensions or not given or not all(isinstance(row, list) for row in given):
            return tuple(self._items(given, element) for element in self._elements)
        rows = _rows(given)
        if len(rows) != variable.elements:
            self._wrong(f"'{variable.name}' has {variable.elements} sequences, but {len(rows)} are given")
            return ()
        return tuple(self._items(row, element) for row, element in zip(rows, self._elements, strict=True))

    def _items(self, given: list[Single], element: tuple[int, ...]) -> tuple[int, ...]:
        items: list[int] = []
        for item in given:
            value = self._value(item, element) if not isinstance(item, list) else None
            if value is None:
                self._wrong(f"the items of '{self._variable.name}' must be given")
                return ()
            items.append(value)
        if len(items) > (self._variable.capacity or 0):
            self._wrong(f"'{self._variable.name}' holds at most {self._variable.capacity} items")
        return tuple(items)

    def _names(self, element: tuple[int, ...]) -> dict[str, int]:
        return {p.name: index for p, index in zip(self._indices, element, strict=True) if p.name}

    def _value(self, given: Expr | None, element: tuple[int, ...]) -> int | None:
        if given is None or self._reader.failed:
            return None
        return self._fit(given, self._constants.value_of(given, self._names(element)))

    def _fit(self, given: Expr, value: int) -> int:
        variable = self._variable
        self._constants.expect(given, type_of_domain(variable.domain))
        if value not in variable.domain and not self._reader.failed:
            low, high = variable.domain.low, variable.domain.high
            self._reader.error(
                "BUR206", f"initial value {value} of '{variable.name}' is outside {low}..{high}", given.span
            )
        return value

    def _wrong(self, message: str) -> None:
        self._reader.error("BUR206", message, self._span)


def _leaves(given: Sequence[Single]) -> list[Expr | None]:
    found: list[Expr | None] = []
    for entry in given:
        found.extend(_leaves(entry) if isinstance(entry, list) else [entry])
    return found


def _rows(given: Sequence[Single]) -> list[list[Single]]:
    """The innermost lists, in order."""
    found: list[list[Single]] = []
    for entry in given:
        if isinstance(entry, list) and entry and all(isinstance(e, list) for e in entry):
            found.extend(_rows(entry))
        elif isinstance(entry, list):
            found.append(entry)
    return found
