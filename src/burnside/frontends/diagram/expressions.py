"""Expressions of ``.diagram`` texts, read straight into nodes; types are checked later, with the whole model."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final, final

from burnside.frontends.diagram.lexicon import DECLARATIONS, OPERATORS
from burnside.frontends.diagram.scope import Classes, Reader, describe
from burnside.frontends.kit.names import Broken
from burnside.frontends.kit.nodes import joined
from burnside.frontends.kit.operators import OperatorParser
from burnside.ir import nodes as n
from burnside.ir.cells import Cells
from burnside.ir.check import LARGEST_DOMAIN, table_shape
from burnside.ir.nodes import BOOL, Domain, Expr, Model, Value, Variable
from burnside.ir.semantics import FaultRaised, evaluate
from burnside.ir.walk import children
from burnside.source import Span, SyntaxStop

_COMPARISON: Final = OPERATORS.level("==")
LARGEST_NUMBER: Final = 10**18


@final
class Expressions:
    """Reads expressions at the cursor."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._stream = reader.stream
        self._operators = OperatorParser(
            OPERATORS,
            self._stream,
            operand=self._operand,
            join=joined,
            prefix=self._prefixed,
            tails={"in": self._membership},
            error=reader.error,
        )
        self._climb = self._operators.parse
        self._operands: Mapping[str, Callable[[], Expr]] = {
            "number": self._number,
            "true": self._truth,
            "false": self._truth,
            "(": self._group,
            "forall": self._quantified,
            "exists": self._quantified,
            "count": self._quantified,
            "sum": self._of_list,
            "len": self._of_list,
            "name": self._named,
        }

    def expr(self) -> Expr:
        """One expression."""
        return self._climb(0)

    # ------------------------------------------------------------ constants

    def constant(self) -> int:
        """The value of an expression without variables, such as the end of a range."""
        start = self._stream.peek.span
        expr = self._climb(_COMPARISON)
        if not self._reader.failed and not _is_constant(expr):
            self._reader.error("BUR207", "this must be known before the model runs", self._reader.span_from(start))
        if self._reader.failed:
            return 0
        constants = tuple(self._reader.tables.values())
        try:
            value = evaluate(Cells(Model("", constants, (), (), ())), expr, ())
            if abs(value) > LARGEST_NUMBER:
                self._reader.error("BUR105", "this number is too large", self._reader.span_from(start))
            return value
        except FaultRaised as fault:
            self._reader.error("BUR207", fault.message, fault.span or self._reader.span_from(start))
            return 0

    def value(self) -> Value:
        """A number, a list of values, or the name of a list."""
        token = self._stream.peek
        entity = self._reader.globals.get(token.text) if token.kind == "name" else None
        is_list = isinstance(entity, n.Constant) and isinstance(entity.value, tuple)
        if isinstance(entity, n.Constant) and is_list and self._stream.peek_kinds(2)[-1] != "[":
            self._stream.advance()
            return entity.value
        if not self._stream.accept("["):
            return self.constant()
        self._stream.enter()
        items = self._reader.listed(self.value, "]")
        self._stream.leave()
        return items

    def range(self) -> tuple[int, int, Span]:
        """``1 .. 3``, or one number."""
        start = self._stream.peek.span
        low = self.constant()
        high = self.constant() if self._stream.accept("..") else low
        span = self._reader.span_from(start)
        if not self._reader.failed and not 0 <= high - low < LARGEST_DOMAIN:
            self._reader.error("BUR205", f"this range has {max(0, high - low + 1):,} values", span)
        return low, max(low, high), span

    def processes(self) -> Domain:
        """A class by its name, or a range of processes."""
        token = self._stream.peek
        entity = self._reader.globals.get(token.text) if token.kind == "name" else None
        if isinstance(entity, Domain):
            self._stream.advance()
            return entity
        if entity == Broken():
            self._reader.failed = True
            raise SyntaxStop
        every = self._reader.processes(token.span)
        low, high, span = self.range()
        if not self._reader.failed and not (low in every and high in every):
            self._reader.error("BUR203", f"not all of these are processes: they are {every.low} .. {every.high}", span)
        return every if (low, high) == (every.low, every.high) else Domain("", low, high, (), every.name)

    def partition(self, every: Domain) -> tuple[tuple[int, ...], ...]:
        """``| 1..2 | 3 |``: every process in one cell."""
        start = self._stream.expect("|").span
        cells: list[tuple[int, ...]] = []
        while True:
            cells.append(tuple(sorted(self._cell())))
            self._stream.expect("|")
            if self._stream.at(";", "end", *DECLARATIONS):
                break
        span = self._reader.span_from(start)
        named = sorted(p for cell in cells for p in cell)
        if not self._reader.failed and named != list(every.values()):
            strange = next((p for p in named if named.count(p) > 1), None)
            missing = next((p for p in every.values() if p not in named), None)
            message = (
                f"process {strange} is in two cells" if strange is not None else f"process {missing} is in no cell"
            )
            self._reader.error("BUR219", message, span)
        return tuple(cells)

    def _cell(self) -> Iterator[int]:
        while True:
            yield from self.processes().values()
            if not self._stream.accept(","):
                return

    # ------------------------------------------------------------ operators

    def _membership(self, left: Expr) -> Expr:
        """``i in writers``: between the ends of a range."""
        cell = self.processes()
        span = left.span and self._reader.span_from(left.span)
        low = n.Binary(">=", left, n.Const(cell.low, None, span), span)
        return n.Logic("&&", (low, n.Binary("<=", left, n.Const(cell.high, None, span), span)), span)

    def _operand(self) -> Expr:
        read = self._operands.get(self._stream.peek.kind)
        if read is None:
            self._stream.fail("an expression")
        return read()

    def _prefixed(self, sign: str, operand: Expr, start: Span) -> Expr:
        span = self._reader.span_from(start)
        if sign == "-" and isinstance(operand, n.Const) and operand.domain is None:
            return n.Const(-operand.value, None, span)
        return n.Unary(sign, operand, span)

    def _number(self) -> Expr:
        token = self._stream.advance()
        if len(token.text) > 100 or int(token.text) > LARGEST_NUMBER:
            self._reader.error("BUR105", "this number is too large", token.span)
            return n.Const(0, None, token.span)
        return n.Const(int(token.text), None, token.span)

    def _truth(self) -> Expr:
        token = self._stream.advance()
        return n.Const(int(token.kind == "true"), BOOL, token.span)

    def _group(self) -> Expr:
        self._stream.advance()
        inner = self._climb(0)
        self._stream.expect(")")
        return inner

    def _quantified(self) -> Expr:
        """``forall j: …``, ``exists j in writers: …``, ``count j: …``."""
        start = self._stream.advance()
        every = self._reader.processes(start.span)
        name = self._stream.expect("name", "a name for the process")
        domain = self.processes() if self._stream.accept("in") else every
        self._stream.expect(":")
        outer = dict(self._reader.bound)
        self._reader.bind(name.text, name.span, domain)
        try:
            body = self._climb(0)
        finally:
            self._reader.bound = outer
        return n.Quantified(start.kind, name.text, domain, body, self._reader.span_from(start.span))

    def _of_list(self) -> Expr:
        """``sum(SIZES)`` and ``len(SIZES)``."""
        start = self._stream.advance()
        self._stream.expect("(")
        value = self.value()
        self._stream.expect(")")
        span = self._reader.span_from(start.span)
        if self._reader.failed:
            return n.Const(0, None, span)
        if not isinstance(value, tuple) or any(isinstance(v, tuple) for v in value):
            self._reader.error("BUR203", f"'{start.kind}' takes a list of numbers", span)
            return n.Const(0, None, span)
        return n.Const(sum(_numbers(value)) if start.kind == "sum" else len(value), None, span)

    # ------------------------------------------------------------ names

    def _named(self) -> Expr:
        token = self._stream.advance()
        name = token.text
        if name in self._reader.bound:
            return n.Bound(name, self._reader.bound[name], token.span)
        entity = self._reader.globals.get(name)
        match entity:
            case n.Const(value=value, domain=domain):
                return n.Const(value, domain, token.span)
            case n.Constant(value=int(number)):
                return n.Const(number, None, token.span)
            case n.Constant(value=tuple(rows)):
                indices = self._indices()
                if len(indices) != len(table_shape(rows) or ()):
                    self._reader.error("BUR204", f"'{name}' is a list", token.span, help="SIZES[0] is its first entry")
                return n.Lookup(name, indices, self._reader.span_from(token.span))
            case Variable(dimensions=dimensions):
                indices = self._indices()
                if len(indices) != len(dimensions):
                    wanted = "the process it is asked of: at[i]" if dimensions else "no index"
                    self._reader.error("BUR204", f"'{name}' needs {wanted}", token.span)
                return n.Read(name, indices, self._reader.span_from(token.span))
            case Classes():
                return self._class_of(entity, token.span)
            case Domain():
                remedy = f"'i in {name}' asks whether a process belongs to it"
                raise self._reader.stop(
                    "BUR203", f"'{name}' is {describe(entity)}, not a value", token.span, help=remedy
                )
            case _:
                if entity is None:
                    self._reader.unknown(name, token.span)
                self._reader.failed = True
                raise SyntaxStop

    def _indices(self) -> tuple[Expr, ...]:
        found = []
        while self._stream.accept("["):
            found.append(self._climb(0))
            self._stream.expect("]")
        return tuple(found)

    def _class_of(self, classes: Classes, start: Span) -> Expr:
        """``level(i)``: the class of a process, counted from 1."""
        self._stream.expect("(", f"'(' and a process: {classes.name}(i)")
        process = self._climb(0)
        self._stream.expect(")")
        span = self._reader.span_from(start)
        low = self._reader.processes(start).low
        index = n.Binary("-", process, n.Const(low, None, span), span) if low else process
        return n.Lookup(classes.name, (index,), span)


def _numbers(values: tuple[Value, ...]) -> list[int]:
    return [v for v in values if isinstance(v, int)]


def _is_constant(expr: Expr) -> bool:
    return not isinstance(expr, n.Read | n.Bound | n.Quantified) and all(map(_is_constant, children(expr)))
