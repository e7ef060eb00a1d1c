"""Local arrays of ``.seq``: ``var t[P]: D := e;`` in programs, elements of them read and assigned."""

from __future__ import annotations

from typing import final

from burnside.frontends.kit.arrays import MOST_ELEMENTS, MOST_WRITTEN_OUT, LocalArray
from burnside.frontends.seq.domains import Domains
from burnside.frontends.seq.places import Places
from burnside.frontends.seq.reader import Reader
from burnside.frontends.seq.scope import Local
from burnside.ir import nodes as n
from burnside.ir.ids import kind_of, ordinal
from burnside.ir.nodes import Domain, Expr, Stmt
from burnside.source import Span
from burnside.values import dataclass


@final
@dataclass(frozen=True, slots=True)
class Element:
    """An element of an array; without indices after an error."""

    array: LocalArray
    indices: tuple[Expr, ...]
    span: Span


@final
class Arrays:
    """Reads dimensions and indices of local arrays."""

    def __init__(self, reader: Reader, places: Places, domains: Domains) -> None:
        self._reader = reader
        self._places = places
        self._domains = domains

    def dimensions(self) -> tuple[Domain, ...]:
        """``[D][E]`` behind the name of a local variable, perhaps nothing."""
        found: list[Domain] = []
        while self._reader.stream.accept("["):
            found.append(self._domains.domain())
            self._reader.stream.expect("]")
        return tuple(found)

    def declare(self, array: LocalArray, place: Span) -> bool:
        """Bring an array into scope, and its elements, unless these are too many."""
        self._reader.bind(array.name, place, array.domain, "local variable")
        self._reader.scope.locals[array.name] = Local(array.domain, "local variable", place, array.dimensions)
        if array.size > MOST_ELEMENTS:
            message = f"'{array.name}' has {array.size:,} elements, and a local array has at most {MOST_ELEMENTS}"
            self._reader.error("BUR502", message, place, help="use a variable of the model")
            return False
        for element in array.elements:
            self._reader.scope.locals[element.name] = Local(array.domain, "local variable", place)
        return True

    def value(self, local: Local, name: str, start: Span) -> Expr:
        """An element, its indices to be read behind the name."""
        found = self.element(local, name, start, self._places.indices())
        return found.array.read(found.indices, found.span, self._number) if found.indices else n.Const(0, None, start)

    def element(self, local: Local, name: str, start: Span, indices: tuple[Expr, ...]) -> Element:
        """An element, if its indices are right."""
        array = LocalArray(name, local.dimensions, local.domain)
        span = self._reader.span_from(start)
        wanted = len(array.dimensions)
        if len(indices) != wanted:
            what = "index" if wanted == 1 else "indices"
            self._reader.error("BUR204", f"'{name}' takes {wanted} {what}, found {len(indices)}", span)
            return Element(array, (), span)
        if array.cost(indices) > MOST_WRITTEN_OUT:
            message = f"this is written out for each element of '{name}', in more than {MOST_WRITTEN_OUT:,} parts"
            self._reader.error("BUR502", message, span, help="keep the index in a local variable first")
            return Element(array, (), span)
        return Element(array, indices, span)

    def assigned(self, element: Element, value: Expr, span: Span) -> tuple[Stmt, ...]:
        """``t[i] := e``."""
        if self._reader.failed:
            return ()
        return element.array.written(element.indices, value, self._reader.scope.around(), span, self._number)

    def _number(self, index: Expr) -> Expr:
        """An id as a number, so that it can be compared by order."""
        return ordinal(index) if kind_of(index, self._reader.scope.declared) else index
