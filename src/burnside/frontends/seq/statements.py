"""Statements of ``.seq``: the atomic programs of rules."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import takewhile
from typing import Final, TypeAlias, final

from burnside.frontends.kit.arrays import LocalArray
from burnside.frontends.kit.names import Broken
from burnside.frontends.kit.reader import read_parts
from burnside.frontends.seq import advice
from burnside.frontends.seq.arrays import Element
from burnside.frontends.seq.constants import Constants
from burnside.frontends.seq.containers import Containers
from burnside.frontends.seq.expressions import Expressions
from burnside.frontends.seq.matching import Matching
from burnside.frontends.seq.places import Place
from burnside.frontends.seq.procedures import Procedures
from burnside.frontends.seq.reader import Reader, spelling
from burnside.frontends.seq.scope import Compound, Local, Procedure, describe
from burnside.frontends.seq.terms import Term
from burnside.frontends.seq.types import BagType, SequenceType, SetType, Type, flat
from burnside.frontends.seq.writes import Writes
from burnside.ir import nodes as n
from burnside.ir.ids import kind_of, ordinal
from burnside.ir.nodes import TRUE, Domain, Expr, Stmt, Variable
from burnside.ir.printer import DECLARATIONS
from burnside.source import Note, Span, SyntaxStop, Token

# Words that begin a declaration and never a statement: a block that meets one has lost its brace.
_NEVER_INSIDE: Final = tuple(word for word in DECLARATIONS if word != "var")
_CALLED: Final = ("push", "pop", "clear", "insert", "remove")
_STEPS: Final = ("++", "--", "+=", "-=", "*=")
_BEHIND_TARGETS: Final = (":=", "=", "==", "[", ".", "(", "-", ";", "}", "end", *_STEPS)
_ASSIGN_HELP: Final = "':=' assigns, '==' compares"

Block: TypeAlias = tuple[Stmt, ...]
Target: TypeAlias = n.Read | n.Item | n.Bound | Place | Element


@final
class Statements:
    """The statement part of the parser."""

    def __init__(self, reader: Reader, expressions: Expressions, constants: Constants) -> None:
        self._reader = reader
        self._stream = reader.stream
        self._scope = reader.scope
        self._expressions = expressions
        self._constants = constants
        self._writes = Writes(reader, constants, expressions.operations)
        self.containers = Containers(reader, expressions, self._writes)
        self._procedures = Procedures(reader, expressions, constants)
        self._matching = Matching(reader, expressions, self.block)
        self._forms: Mapping[str, Callable[[], Block]] = {
            "if": self._if,
            "for": self._for,
            "while": self._while,
            "let": self._let,
            "var": self._var,
            "assert": self._assert,
            "limit": self._assert,
        }

    def procedure(self) -> Procedure:
        """``name(parameters) { … }``."""
        name, span = self._reader.new_global("procedure")
        self._reader.defining = name
        parameters = self._procedures.parameters()
        return Procedure(name, parameters, self.block(), span)

    # ------------------------------------------------------------ blocks

    def block(self) -> tuple[Stmt, ...]:
        """``{ statements }``; locals declared inside end with it."""
        opening = self._stream.expect("{")
        self._stream.enter()
        outer = dict(self._scope.locals)
        found: list[Stmt] = []
        recover = partial(self._recover, self._stream.braces)
        read_parts(self._stream, lambda: found.extend(self._statement()), recover, until=("}", "end", *_NEVER_INSIDE))
        self._scope.locals = outer
        self._stream.leave()
        if not self._stream.at("}"):
            message = f"expected '}}', found {self._stream.peek.describe()}"
            notes = [Note("to close the block that begins here", span=opening.span)]
            self._reader.error("BUR102", message, self._stream.peek.span, notes=notes)
            return tuple(found)
        self._stream.advance()
        return tuple(found)

    def _recover(self, level: int) -> None:
        """Go on behind the next ``;`` or inner blocks, or in front of what ends this block, which is that many braces
        deep.
        """
        self._reader.failed = True
        is_inside = self._stream.braces > level  # of a value: what it is part of goes on behind it
        while not self._stream.at("end", *_NEVER_INSIDE):
            if self._stream.at("}") and self._stream.braces <= level:
                return
            token = self._stream.advance()
            if self._stream.braces > level:
                continue
            if token.kind == ";" or (token.kind == "}" and not is_inside and not self._stream.at("else")):
                return
            is_inside &= token.kind != "}"

    # ------------------------------------------------------------ statements

    def _statement(self) -> Block:
        form = self._forms.get(self._stream.peek.kind)
        if form is not None:
            return form()
        if not self._stream.at("name", "quoted"):
            self._stream.fail("a statement")
        if self._stream.peek.text == "match" and self._stream.peek_kinds(2)[-1] not in _BEHIND_TARGETS:
            return self._matching.statement()
        if self._stream.peek.text == "send" and self._stream.peek_kinds(2)[-1] not in _BEHIND_TARGETS:
            return self.containers.sending()
        if self._stream.peek_kinds(2)[-1] == "(":
            entity = self._scope.globals.get(spelling(self._stream.peek))
            if isinstance(entity, Procedure):
                return self._procedures.call(entity, self._stream.advance().span)
            if self._stream.peek.text in _CALLED:
                return self.containers.changed()
        return self._assign()

    def _assign(self) -> Block:
        start = self._stream.peek.span
        target = self._target()
        if self._stream.at("-", *_STEPS):
            self._refuse_step(self._reader.span_from(start), target)
        if self._stream.at("'"):
            self._stream.fail("':='", help="a rule assigns the new value: x := e")
        self._reader.sign(":=", "=", "==", help=_ASSIGN_HELP)
        value = self._expressions.term()
        span = self._reader.span_from(start)
        self._reader.end()
        if isinstance(target, Place):
            return self._writes.assigned(target, value, span)
        operations = self._expressions.operations
        if isinstance(target, Element):
            given = operations.scalar(operations.resolved(value, target.array.domain))
            return self._expressions.arrays.assigned(target, given, span)
        return (n.Assign(target, operations.scalar(operations.resolved(value, self._domain(target))), span),)

    def _domain(self, target: n.Read | n.Item | n.Bound) -> Domain | None:
        return None if self._reader.failed else self._constants.domain_of(target)

    def _refuse_step(self, target: Span, place: Target) -> None:
        """Report ``x++``, ``x--``, ``x += e`` and the like, with the assignment that is meant."""
        line = self._reader.line_of(target)
        sign, *rest = takewhile(
            lambda t: t.kind not in (";", "}", "end") and self._reader.line_of(t.span) == line, self._stream.ahead()
        )
        if sign.kind == "-" and rest and rest[0].kind == "-":
            sign, rest = Token("--", "--", sign.span.to(rest[0].span)), []
        if sign.kind not in _STEPS:
            return
        value = Span(self._reader.source, sign.span.end, rest[-1].span.end).text.strip() if rest else "1"
        name, step = target.text, f"({value})" if len(rest) > 1 else value
        remedy = f"write '{name} := {name} {sign.kind[0]} {step}'"
        if isinstance(place, Place) and isinstance(place.type, SetType | BagType | SequenceType):
            remedy = advice.STATEMENTS["delete" if sign.kind[0] == "-" else "add"]
        self._reader.error("BUR102", f"expected ':=', found '{sign.text}'", sign.span, help=remedy)
        raise SyntaxStop

    def _target(self) -> Target:
        name, span = self._reader.name("something to assign to")
        if self._stream.at("(") and self._scope.globals.get(name, Broken()) == Broken():
            if name not in self._scope.globals:
                self._reader.unknown(name, span, also=_CALLED, elsewhere=advice.STATEMENTS)
            raise SyntaxStop
        if self._stream.at("("):
            self._stream.fail("':='", help=f"statements that are called: procedures, {', '.join(_CALLED)}")
        local, entity = self._scope.locals.get(name), self._scope.globals.get(name)
        if isinstance(entity, Procedure) and not self._stream.at(":="):
            self._stream.fail("'('", help=f"a call has parentheses: {name}()")
        if local is not None:
            return self._local_target(local, name, span)
        if isinstance(entity, Compound):
            return self._expressions.place(entity, name, span)
        indices = self._expressions.index_list()
        if not isinstance(entity, Variable):
            self._expressions.places.skip()
        span = self._reader.span_from(span)
        if isinstance(entity, Variable):
            if entity.is_sequence and len(indices) == len(entity.dimensions) + 1:
                return n.Item(name, indices[:-1], indices[-1], span)
            if entity.is_sequence and len(indices) == len(entity.dimensions):
                remedy = "change it with push, pop or clear, or assign one of its items"
                self._reader.error("BUR210", f"'{name}' is a sequence", span, help=remedy)
            return n.Read(name, indices, span)
        if entity is None:
            self._reader.unknown(name, span, elsewhere=advice.STATEMENTS)
        elif entity != Broken():
            self._reader.error("BUR210", f"'{name}' is {describe(entity)} and cannot be assigned", span)
        self._reader.failed = True
        return n.Bound(name, Domain("", 0, 0), span)

    def _local_target(self, local: Local, name: str, start: Span) -> n.Bound | Place | Element:
        if local.dimensions:
            return self._expressions.arrays.element(local, name, start, self._expressions.index_list())
        place = None
        indices: tuple[Expr, ...] = ()
        if isinstance(local.type, Domain) and name not in self._scope.stand_ins:
            indices = self._expressions.index_list()
        else:
            place = self._expressions.place(local, name, start)
        span = self._reader.span_from(start)
        if not local.is_mutable:
            remedy = "declare it with 'var name: Domain := value;'" if local.what == "local constant" else ""
            self._reader.error("BUR210", f"'{name}' is a {local.what} and keeps its value", span, help=remedy)
        elif indices:
            self._reader.error("BUR204", f"'{name}' takes 0 indices, found {len(indices)}", span)
        return place or n.Bound(name, local.domain, span)

    def _if(self) -> Block:
        """``if c {…} else if d {…} else {…}``: the chain is read in a loop, each link one level deeper."""
        links: list[tuple[Expr, tuple[Stmt, ...], Span]] = []
        otherwise: tuple[Stmt, ...] = ()
        depth = self._stream.depth
        while True:
            start = self._stream.expect("if").span
            if links:
                self._stream.enter()
            condition = self._expressions.expression()
            links.append((condition, self.block(), self._reader.span_from(start)))
            if not self._stream.accept("else"):
                break
            if not self._stream.at("if"):
                otherwise = self.block()
                break
        self._stream.restart(depth)
        for condition, then, span in reversed(links):
            otherwise = (n.If(condition, then, otherwise, span),)
        return otherwise

    def _for(self) -> Block:
        start = self._stream.advance().span
        outer = dict(self._scope.locals)
        try:
            binders = self._expressions.quantifiers.binders("loop variable")
            condition = self._expressions.quantifiers.where()
            body = self.block()
        finally:
            self._scope.locals = outer
        span = self._reader.span_from(start)
        if condition != TRUE:
            body = (n.If(condition, body, (), condition.span),)
        for binder in reversed(binders):
            if binder.condition != TRUE:
                body = (n.If(binder.condition, body, (), binder.span),)
            for name, domain in reversed(binder.names):
                body = (n.For(name, domain, body, span),)
        return body

    def _while(self) -> Block:
        start = self._stream.advance().span
        condition = self._expressions.expression()
        if not self._stream.at("limit"):
            self._stream.fail("'limit'", help="a loop says how many rounds it may take: while c limit 10 { … }")
        self._stream.advance()
        limit = self._expressions.constant()
        body = self.block()
        return (n.While(condition, limit, body, self._reader.span_from(start)),)

    def _let(self) -> Block:
        start = self._stream.advance().span
        name, place = self._reader.name()
        self._reader.sign("=", ":=", help="'let' takes '='")
        value = self._expressions.term()
        kind = self._expressions.quantifiers.type_of(value)
        is_number = isinstance(kind, Domain) and not kind.index
        if is_number and isinstance(value, Expr) and kind_of(value, self._scope.declared):
            value = ordinal(value)  # nobody has said that it is an id: of several kinds of them it is a number
        return self._declared([(name, place)], "local constant", (kind, value), start)

    def _var(self) -> Block:
        start = self._stream.advance().span
        names = [self._reader.name()]
        arrays = [self._expressions.arrays.dimensions()]
        while self._stream.accept(","):
            names.append(self._reader.name())
            arrays.append(self._expressions.arrays.dimensions())
        self._stream.expect(":")
        kind = self._expressions.domains.type()
        value = self._expressions.least(kind, names[0][1])
        if not self._stream.at(";"):
            self._reader.sign(":=", "=", "==", help="a local variable takes its value with ':='")
            value = self._expressions.term()
        if any(arrays):
            return self._declared_arrays(names, arrays, (kind, value), start)
        return self._declared(names, "local variable", (kind, value), start)

    def _declared_arrays(
        self,
        names: Sequence[tuple[str, Span]],
        dimensions: Sequence[tuple[Domain, ...]],
        given: tuple[Type, Term],
        start: Span,
    ) -> Block:
        """Locals of which some are arrays."""
        kind, value = given
        span = self._reader.span_from(start)
        self._reader.end()
        if not isinstance(kind, Domain):
            message = "the elements of a local array are single values"
            self._reader.error("BUR901", message, span, help="declare an array for each field")
            kind = Domain("", 0, 0)
        operations = self._expressions.operations
        first = n.Const(0) if self._reader.failed else operations.scalar(operations.resolved(value, kind))
        found: list[Stmt] = []
        for (name, place), own in zip(names, dimensions, strict=True):
            array = LocalArray(name, own, kind)
            if not own:
                self._reader.bind(name, place, kind, "local variable")
            if not own or self._expressions.arrays.declare(array, place):
                found += array.declared(first, span)
        return () if self._reader.failed else tuple(found)

    def _declared(self, names: list[tuple[str, Span]], what: str, given: tuple[Type, Term], start: Span) -> Block:
        kind, value = given
        span = self._reader.span_from(start)
        self._reader.end()
        if not self._expressions.operations.check_size(kind, span):
            kind = Domain("", 0, 0)
        values = () if self._reader.failed else self._expressions.operations.parts(value, kind)
        for name, place in names:
            self._reader.bind(name, place, kind, what)
        if self._reader.failed:
            return ()
        parts = [[(name + path, domain) for path, domain in flat(kind)] for name, _ in names]
        pairs = (pair for own in parts for pair in zip(own, values, strict=True))
        return tuple(n.Declare(part, domain, value, span) for (part, domain), value in pairs)

    def _assert(self) -> Block:
        start = self._stream.advance()
        condition = self._expressions.expression()
        text = unquote(self._stream.expect("string").text) if self._stream.accept(",") else ""
        span = self._reader.span_from(start.span)
        self._reader.end()
        return (n.Assert(condition, text, span, is_limit=start.kind == "limit"),)


_ESCAPES: Final = {"n": "\n", "r": "\r", "t": "\t"}


def unquote(text: str) -> str:
    r"""The characters between the quotes; ``\n``, ``\r`` and ``\t`` as usual, any other escaped character itself.

    >>> unquote(r'"say \\ or \""')
    'say \\ or "'
    """
    return re.sub(r"\\(.)", lambda match: _ESCAPES.get(match[1], match[1]), text[1:-1])
