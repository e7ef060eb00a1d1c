"""Rules of ``.seq``, alone or in blocks that share parameters and a guard."""

from __future__ import annotations

from itertools import chain
from typing import Final, final

from burnside.frontends.kit.reader import read_parts
from burnside.frontends.seq.bags import received
from burnside.frontends.seq.expressions import Expressions
from burnside.frontends.seq.quantifiers import parameters_of
from burnside.frontends.seq.reader import Reader
from burnside.frontends.seq.scope import TypedName
from burnside.frontends.seq.statements import Statements
from burnside.frontends.seq.terms import bound_parts
from burnside.frontends.seq.types import BagType, Type, flat_count, holds_union, written_as
from burnside.frontends.seq.unions import is_value
from burnside.ir import nodes as n
from burnside.ir.build import conjunction
from burnside.ir.instances import own_event
from burnside.ir.nodes import TRUE, Domain, Expr, Stmt
from burnside.ir.printer import DECLARATIONS
from burnside.ir.wholes import Argument
from burnside.source import Note
from burnside.values import dataclass

# What begins a declaration that no block of rules can hold: a block that meets one has lost its brace.
_NEVER_INSIDE: Final = tuple(word for word in DECLARATIONS if word not in ("rule", "var"))


@final
@dataclass(frozen=True, slots=True)
class Shared:
    """What the rules of a block have in common."""

    parameters: tuple[n.Parameter, ...] = ()
    guard: Expr = TRUE


_NOTHING: Final = Shared()


@final
@dataclass(frozen=True, slots=True)
class _Message:
    """What a rule receives: parameters, what they must fulfil, and what is done first."""

    parameters: tuple[n.Parameter, ...] = ()
    guard: Expr = TRUE
    first: tuple[Stmt, ...] = ()


_NO_MESSAGE: Final = _Message()


@final
class Rules:
    """Reads rules into ``found``."""

    def __init__(self, reader: Reader, expressions: Expressions, statements: Statements, found: list[n.Rule]) -> None:
        self._reader = reader
        self._stream = reader.stream
        self._scope = reader.scope
        self._expressions = expressions
        self._statements = statements
        self.found = found
        self.starts: list[n.Rule] = []

    def parameters(self) -> tuple[n.Parameter, ...]:
        """``(i: P, m: Msg)``, perhaps nothing, as parameters of a property."""
        typed = self.typed_parameters()
        for parameter in typed:
            if holds_union(parameter.type):
                message, remedy = "a parameter of a property cannot be a union", "write 'forall m in …' instead"
                self._reader.error("BUR901", message, parameter.span, help=remedy)
        return parameters_of(typed)

    def _ranging(self) -> Shared:
        """The parameters of a rule, and what makes them values of their types."""
        typed = self.typed_parameters()
        unions = [p for p in typed if holds_union(p.type)]
        return Shared(parameters_of(typed), conjunction(is_value(p.type, bound_parts(p.name, p.type)) for p in unions))

    def typed_parameters(self) -> tuple[TypedName, ...]:
        """The same with their types."""
        if not self._stream.accept("(") or self._stream.accept(")"):
            return ()
        parameters = self._expressions.quantifiers.parameters("parameter")
        self._stream.expect(")")
        return parameters

    # ------------------------------------------------------------ blocks

    def block(self) -> None:
        """``ruleset (i: P) when c { rule … }``, behind its word."""
        self._block(_NOTHING)

    def _block(self, around: Shared) -> None:
        self._stream.enter()
        outer = dict(self._scope.locals)
        own = self._ranging()
        guard = self._expressions.expression() if self._stream.accept("when") else TRUE
        guards = (around.guard, own.guard, guard)
        shared = Shared((*around.parameters, *own.parameters), conjunction(guards, guard.span))
        opening = self._stream.expect("{", "'{' and rules")
        inner = dict(self._scope.locals)

        def read() -> None:
            self._scope.locals = dict(inner)
            self._member(shared)

        read_parts(self._stream, read, self._recover, until=("}", "end", *_NEVER_INSIDE))
        self._scope.locals = outer
        self._stream.leave()
        if not self._stream.accept("}"):
            message = f"expected '}}', found {self._stream.peek.describe()}"
            notes = [Note("to close the block that begins here", span=opening.span)]
            self._reader.error("BUR102", message, self._stream.peek.span, notes=notes)

    def _member(self, shared: Shared) -> None:
        if self._stream.accept("rule"):
            self.rule(shared)
        elif self._reader.accept_word("ruleset"):
            self._block(shared)
        else:
            self._stream.fail("a rule", help="a block of rules holds 'rule' and 'ruleset' only")

    def _recover(self) -> None:
        """Go on with the next rule of the block, or at its end."""
        self._reader.failed = True
        level = 0
        while not self._stream.at("end", *_NEVER_INSIDE):
            if level <= 0 and (self._stream.at("rule", "}") or self._reader.at_word("ruleset")):
                return
            level += {"{": 1, "}": -1}.get(self._stream.advance().kind, 0)

    # ------------------------------------------------------------ rules

    def rule(self, shared: Shared = _NOTHING) -> None:
        """``rule name(i: P) as event by P(i) when c do { … }``, behind its word."""
        name, span = self._reader.name("the name of the rule")
        own = self._ranging()
        parameters = (*shared.parameters, *own.parameters)
        event = self._event() if self._stream.accept("as") else None
        actors = self._actors() if self._stream.peek.text == "by" else None
        message = self._received() if self._reader.accept_word("receive") else _NO_MESSAGE
        everything = (*parameters, *message.parameters)
        guard = self._expressions.expression() if self._stream.accept("when") else TRUE
        guards = [g for g in (shared.guard, own.guard, message.guard) if g != TRUE]
        if guards:
            guard = conjunction((*guards, guard), guard.span or guards[-1].span)
        self._stream.expect("do", "'do' and the body of the rule")
        body = (*message.first, *self._statements.block())
        event = event or own_event(name, everything)
        self.found.append(n.Rule(name, everything, guard, event, body, span, actors))

    def start(self) -> None:
        """``start name(i: P) when c do { … }``, behind its word: what makes an initial state."""
        name, span = self._reader.name("the name of the start rule")
        own = self._ranging()
        guard = self._expressions.expression() if self._stream.accept("when") else TRUE
        if own.guard != TRUE:
            guard = conjunction((own.guard, guard), guard.span)
        self._stream.expect("do", "'do' and the body of the start rule")
        body = self._statements.block()
        self.starts.append(n.Rule(name, own.parameters, guard, own_event(name, own.parameters), body, span))

    def _received(self) -> _Message:
        """``receive any m in net where c``: a parameter for a value in a bag, which is taken out of it first."""
        self._reader.accept_word("any")
        name, span = self._reader.name("a name for what is received")
        self._stream.expect("in")
        place = self._statements.containers.bag()
        kind = place.type.element if place is not None and isinstance(place.type, BagType) else Domain("", 0, 0)
        self._reader.bind(name, span, kind, "parameter")
        condition = self._expressions.expression() if self._reader.accept_word("where") else TRUE
        if place is None:
            return _NO_MESSAGE
        parts = bound_parts(name, kind, span)
        there = n.Binary(">", n.Read(place.name, (*place.indices, *parts), span), n.Const(0), span)
        parameters = parameters_of((TypedName(name, kind, span),))
        return _Message(parameters, conjunction((there, condition), span), received(place, parts, span))

    def _actors(self) -> tuple[n.Actor, ...]:
        """``by P(i), controller``: who acts; ``by ()`` is nobody."""
        self._stream.advance()
        if self._stream.accept("("):
            self._stream.expect(")")
            return ()
        found: list[n.Actor] = []
        while not found or self._stream.accept(","):
            kind, _ = self._reader.name("the name of a process")
            number = None
            if self._stream.accept("("):
                number = self._expressions.expression()
                self._stream.expect(")")
            found.append(n.Actor(kind, number))
        return tuple(found)

    def _event(self) -> n.Event:
        name, _ = self._reader.name("the name of the event")
        arguments = self._reader.listed(self._expressions.term, ")") if self._stream.accept("(") else ()
        values = [self._expressions.single_values(argument) for argument in arguments]
        kinds = [self._expressions.operations.type_of(argument) for argument in arguments]
        written = [w for kind, inner in zip(kinds, values, strict=True) for w in _written(kind, len(inner))]
        return n.Event(name, tuple(chain.from_iterable(values)), tuple(written))


def _written(kind: Type | None, count: int) -> tuple[Argument | None, ...]:
    """What begins with each of the values that an argument of an event is, as many as could be read of it."""
    return written_as(kind, "") if kind is not None and flat_count(kind) == count else (None,) * count
