"""Statements that change sequences and sets: ``push``, ``pop``, ``clear``, ``insert``, ``remove``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, final

from burnside.frontends.kit.names import Broken
from burnside.frontends.seq.bags import removed, sent
from burnside.frontends.seq.expressions import Expressions
from burnside.frontends.seq.places import Place
from burnside.frontends.seq.reader import Reader
from burnside.frontends.seq.scope import Compound, Local
from burnside.frontends.seq.terms import Listed, Term
from burnside.frontends.seq.types import SIZE, BagType, SequenceType, SetType, elements, flat, leaves
from burnside.frontends.seq.writes import Writes
from burnside.ir import nodes as n
from burnside.ir.build import conjunction, disjunction, negation
from burnside.ir.nodes import BOOL, FALSE, TRUE, Domain, Expr, Stmt, Variable
from burnside.ir.simplify import typed_constant
from burnside.source import Span, Token

_WHAT: Final = {"push": "sequence", "pop": "sequence", "clear": "sequence", "insert": "set", "remove": "set"}
_FITTING: Final[Mapping[str, tuple[type, ...]]] = {
    "push": (SequenceType,),
    "pop": (SequenceType,),
    "clear": (SequenceType, SetType, BagType),
    "insert": (SetType, BagType),
    "remove": (SetType, BagType),
}


@final
class Containers:
    """Reads such statements."""

    def __init__(self, reader: Reader, expressions: Expressions, writes: Writes) -> None:
        self._reader = reader
        self._stream = reader.stream
        self._scope = reader.scope
        self._expressions = expressions
        self._operations = expressions.operations
        self._writes = writes

    def changed(self) -> tuple[Stmt, ...]:
        """A statement that is called, at its word."""
        word = self._stream.advance()
        self._stream.expect("(")
        name, start = self._reader.name(f"the name of a {_WHAT[word.text]}")
        local, entity = self._scope.locals.get(name), self._scope.globals.get(name)
        if isinstance(entity, Compound) or (local is not None and not isinstance(local.type, Domain)):
            found = local or entity
            assert isinstance(found, Compound | Local)
            place = self._expressions.place(found, name, start)
            if local is not None and not local.is_mutable:
                self._reader.error("BUR210", f"'{name}' is a {local.what} and keeps its value", start)
            return self._change(word, place)
        return self._change_plain(word, name, start)

    def _change_plain(self, word: Token, name: str, start: Span) -> tuple[Stmt, ...]:
        """A sequence of single values is a variable of the model."""
        indices = self._expressions.index_list()
        self._expect_sequence(word.text, name, start)
        value = self._value(word.text)
        span = self._reader.span_from(word.span)
        self._reader.end()
        if self._reader.failed:
            return ()
        if word.text == "push":
            resolved = self._operations.resolved(value, self._scope.variables[name].domain)
            return (n.Push(name, indices, self._operations.scalar(resolved), span),)
        return (n.Pop(name, indices, span) if word.text == "pop" else n.Clear(name, indices, span),)

    def _expect_sequence(self, word: str, name: str, span: Span) -> None:
        entity = self._scope.globals.get(name)
        if isinstance(entity, Variable) and entity.is_sequence and _WHAT[word] == "sequence":
            return
        if entity is None and name not in self._scope.locals:
            self._reader.unknown(name, span)
        elif entity != Broken():
            self._reader.error("BUR203", f"'{name}' is not a {_WHAT[word]}", span)
        self._reader.failed = True

    def _value(self, word: str) -> Term:
        value: Term = n.Const(0)
        if word in ("push", "insert", "remove"):
            self._stream.expect(",", f"',' and the value to {word}")
            value = self._expressions.term()
        self._stream.expect(")")
        return value

    def _change(self, word: Token, place: Place) -> tuple[Stmt, ...]:
        value = self._value(word.text)
        span = self._reader.span_from(word.span)
        self._reader.end()
        if not self._reader.failed and not isinstance(place.type, _FITTING[word.text]):
            self._reader.error("BUR203", f"'{place.text}' is not a {_WHAT[word.text]}", place.span)
        if self._reader.failed:
            return ()
        match word.text:
            case "push":
                return self._writes.pushed(place, value, span)
            case "insert" | "remove" if isinstance(place.type, BagType):
                return self._in_bag(place, value, word.text == "insert", span)
            case "insert" | "remove":
                return self._put(place, value, word.text == "insert", span)
            case "clear" if isinstance(place.type, SetType):
                return self._writes.assigned(place, Listed((), span), span)
            case "clear" if isinstance(place.type, BagType):
                return self._emptied(place, span)
            case _:
                return self._shortened(word.text, place, span)

    def _shortened(self, word: str, place: Place, span: Span) -> tuple[Stmt, ...]:
        """``pop`` and ``clear`` of a sequence: of each of its parts."""
        indices, kept = self._writes.steady(place, span)
        found: list[Stmt] = []
        for leaf in leaves(place.type):
            names = self._writes.names_for(leaf.dimensions)
            inner = tuple(n.Bound(name, domain) for name, domain in names)
            make = n.Pop if word == "pop" else n.Clear
            statement: Stmt = make(place.name + leaf.path, (*indices, *inner), span)
            for name, domain in reversed(names):
                statement = n.For(name, domain, (statement,), span)
            found.append(statement)
        return (n.If(TRUE, (*kept, *found), (), span),) if kept else tuple(found)

    def sending(self) -> tuple[Stmt, ...]:
        """``send m to net;``, at its word."""
        start = self._stream.advance().span
        value = self._expressions.term()
        if not self._reader.accept_word("to"):
            self._stream.fail("'to' and the name of a bag")
        place = self.bag()
        span = self._reader.span_from(start)
        self._reader.end()
        return () if place is None else self._in_bag(place, value, True, span)

    def bag(self) -> Place | None:
        """The place of a bag; None if something else is named."""
        name, start = self._reader.name("the name of a bag")
        found = self._scope.locals.get(name) or self._scope.globals.get(name)
        if isinstance(found, Compound | Local):
            place = self._expressions.place(found, name, start)
            if isinstance(place.type, BagType):
                return place
        if found is None:
            self._reader.unknown(name, start)
        elif found != Broken() and not self._reader.failed:
            remedy = "declare it with 'var name: bag of Msg max 3;'"
            self._reader.error("BUR203", f"'{name}' is not a bag", start, help=remedy)
        self._reader.failed = True
        self._expressions.places.skip()
        return None

    def _in_bag(self, place: Place, value: Term, is_in: bool, span: Span) -> tuple[Stmt, ...]:
        assert isinstance(place.type, BagType)
        parts = self._operations.parts(value, place.type.element)
        if self._reader.failed:
            return ()
        return sent(place, parts, span) if is_in else removed(place, parts, span)

    def _emptied(self, place: Place, span: Span) -> tuple[Stmt, ...]:
        assert isinstance(place.type, BagType)
        indices, kept = self._writes.steady(place, span)
        names = self._writes.names_for(next(leaves(place.type)).dimensions)
        inner = tuple(n.Bound(name, domain) for name, domain in names)
        count: Stmt = n.Assign(n.Read(place.name, (*indices, *inner), span), n.Const(0), span)
        for name, domain in reversed(names):
            count = n.For(name, domain, (count,), span)
        size = n.Assign(n.Read(place.name + SIZE, indices, span), n.Const(0), span)
        return (n.If(TRUE, (*kept, count, size), (), span),) if kept else (count, size)

    def _put(self, place: Place, value: Term, is_in: bool, span: Span) -> tuple[Stmt, ...]:
        """``insert`` or ``remove``: one element of the array that the set is."""
        assert isinstance(place.type, SetType)
        element = place.type.element
        parts = self._operations.parts(value, element)
        if self._reader.failed:
            return ()
        if not place.is_local:
            return (n.Assign(place.single(place.name, BOOL, tuple(parts)), TRUE if is_in else FALSE, span),)
        domains = [domain for _, domain in flat(element)]
        found: list[Stmt] = []
        for (path, _), numbers in zip(flat(place.type), elements(element), strict=True):
            pairs = zip(parts, numbers, domains, strict=True)
            same = conjunction(n.Binary("==", part, typed_constant(v, d), span) for part, v, d in pairs)
            own: Expr = n.Bound(place.name + path, BOOL, span)
            new = disjunction((own, same), span) if is_in else conjunction((own, negation(same, span)), span)
            found.append(n.Assign(n.Bound(place.name + path, BOOL, span), new, span))
        return tuple(found)
