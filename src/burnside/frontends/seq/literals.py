"""Values with parts as a text writes them: records by their fields, sets by their elements or a condition."""

from __future__ import annotations

from collections.abc import Callable
from typing import final

from burnside.frontends.seq.foreign import refuse_spread, refuse_untyped_record
from burnside.frontends.seq.operations import Operations
from burnside.frontends.seq.places import Places
from burnside.frontends.seq.quantifiers import Quantifiers
from burnside.frontends.seq.reader import Reader, spelling
from burnside.frontends.seq.terms import Interval, Listed, Record, Term
from burnside.frontends.seq.types import RecordType
from burnside.ir import nodes as n
from burnside.source import Span


@final
class Literals:
    """Reads such values; ``climb`` reads an expression."""

    def __init__(
        self,
        reader: Reader,
        operations: Operations,
        places: Places,
        quantifiers: Quantifiers,
        climb: Callable[[int], Term],
    ) -> None:
        self._reader = reader
        self._stream = reader.stream
        self._scope = reader.scope
        self._operations = operations
        self._places = places
        self._quantifiers = quantifiers
        self._climb = climb

    def set(self) -> Term:
        """``{ a, b, 1 .. 3 }`` or ``{ x in D where c }``."""
        start = self._stream.advance().span
        refuse_untyped_record(self._reader, start)
        if self._stream.peek_kinds(2) in (["name", "in"], ["quoted", "in"]) and not self._is_known():
            found = self._quantifiers.set_by_condition()
            if self._stream.at(":", "|"):
                self._stream.fail("'where'", help="a set by a condition is written { i in P where c }")
            self._stream.expect("}")
            return found
        items = self._reader.listed(self._item, "}")
        return Listed(items, self._reader.span_from(start))

    def _is_known(self) -> bool:
        """Whether the name that comes next means something, so that it does not begin ``x in D``."""
        return self._scope.is_taken(spelling(self._stream.peek))

    def _item(self) -> Term | Interval:
        start = self._stream.peek.span
        first = self._climb(0)
        if not self._stream.accept(".."):
            return first
        last = self._operations.scalar(self._climb(0))
        return Interval(self._operations.scalar(first), last, self._reader.span_from(start))

    def record(self, kind: RecordType, start: Span) -> Term:
        """``Msg { kind: vote, term: 1 }``: every field once, in any order."""
        self._stream.expect("{", f"'{{' and the fields of '{kind.name}'")
        given: dict[str, Term] = {}
        refuse_spread(self._reader, kind)
        while not self._stream.at("}"):
            name, span = self._reader.name("the name of a field")
            wanted = self._places.field_type(kind, name, span)
            if name in given:
                self._reader.error("BUR202", f"field '{name}' is given twice", span)
            self._stream.expect(":")
            given[name] = self._operations.as_type(self._climb(0), wanted)
            if not self._stream.accept(","):
                break
        self._stream.expect("}")
        span = self._reader.span_from(start)
        missing = [name for name, _ in kind.fields if name not in given]
        if missing and not self._reader.failed:
            shown = ", ".join(f"'{name}'" for name in missing)
            self._reader.error("BUR204", f"this '{kind.name}' has no value for {shown}", span)
        parts = tuple(given.get(name, n.Const(0, None, span)) for name, _ in kind.fields)
        return Record(kind, parts, span)
