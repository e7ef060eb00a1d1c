"""Rules of ``.seq``, alone or in blocks that share parameters and a guard."""

from __future__ import annotations

from typing import Final, final

from burnside.frontends.kit.reader import read_parts
from burnside.frontends.seq.expressions import Expressions
from burnside.frontends.seq.quantifiers import parameters_of
from burnside.frontends.seq.reader import Reader
from burnside.frontends.seq.scope import TypedName
from burnside.frontends.seq.statements import Statements
from burnside.ir import nodes as n
from burnside.ir.build import conjunction
from burnside.ir.nodes import TRUE, Expr
from burnside.ir.printer import DECLARATIONS
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
class Rules:
    """Reads rules; ``found`` has those of the model."""

    def __init__(self, reader: Reader, expressions: Expressions, statements: Statements) -> None:
        self._reader = reader
        self._stream = reader.stream
        self._scope = reader.scope
        self._expressions = expressions
        self._statements = statements
        self.found: list[n.Rule] = []

    def parameters(self) -> tuple[n.Parameter, ...]:
        """``(i: P, m: Msg)``, perhaps nothing, as parameters of the model."""
        return parameters_of(self.typed_parameters())

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
        parameters = self.parameters()
        guard = self._expressions.expression() if self._stream.accept("when") else TRUE
        shared = Shared((*around.parameters, *parameters), conjunction((around.guard, guard), guard.span))
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
        parameters = (*shared.parameters, *self.parameters())
        event = n.Event(name, tuple(n.Bound(p.name, p.domain) for p in parameters))
        if self._stream.accept("as"):
            event = self._event()
        actors = self._actors() if self._stream.peek.text == "by" else None
        guard = self._expressions.expression() if self._stream.accept("when") else TRUE
        if shared.guard != TRUE:
            guard = conjunction((shared.guard, guard), guard.span)
        self._stream.expect("do", "'do' and the body of the rule")
        body = self._statements.block()
        self.found.append(n.Rule(name, parameters, guard, event, body, span, actors))

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
        return n.Event(name, tuple(e for argument in arguments for e in self._expressions.single_values(argument)))
