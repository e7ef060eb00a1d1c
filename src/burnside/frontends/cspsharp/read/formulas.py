"""Reads formulas of linear temporal logic, the right side of ``|=``."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from burnside.frontends.cspsharp.read.declarations import Atom, Formula, FormulaOperation
from burnside.frontends.cspsharp.read.expressions import ARITHMETIC
from burnside.frontends.cspsharp.read.lexicon import LETTERS, TEMPORAL
from burnside.frontends.cspsharp.read.processes import ProcessReader
from burnside.frontends.cspsharp.read.syntax import Expression, Name, Number, Truth
from burnside.frontends.kit.operators import OperatorParser, Signs
from burnside.source import Span, SyntaxStop, TokenStream

_OPERAND: Final = ("name", "string", "true", "false", "(", "!", "[]", "<>")
# What follows a variable in a condition, but never an event in a formula.
_IN_CONDITIONS: Final = ("==", "!=", "<", "<=", ">", ">=", "=", "+", "-", "*", "/", "%", "[")
_NAMED: Final = "conditions are named with '#define', as in '#define small (x < 3);', and formulas use the names"
_CHANNEL_EVENT: Final = re.compile(r"([A-Za-z_]\w*)(?:\[(-?\w+)\])?([!?.])((?:-?\w+)(?:\.-?\w+)*)", re.ASCII)


class FormulaReader(ProcessReader):
    """Reads formulas on top of processes and expressions."""

    def __init__(self, stream: TokenStream) -> None:
        super().__init__(stream)
        self._temporal: OperatorParser[Formula] = OperatorParser(
            TEMPORAL,
            stream,
            operand=self._formula_operand,
            join=_joined,
            prefix=lambda sign, operand, start: FormulaOperation(sign, (operand,), self.span_from(start)),
            read_prefix=self._read_prefix,
        )

    def formula(self) -> Formula:
        """A whole formula."""
        return self._temporal.parse()

    def _read_prefix(self) -> str:
        """An operator in front of a formula; ``G`` or ``F`` that stands alone is an event."""
        is_event = self.stream.peek.text in LETTERS and self.stream.peek_kinds(2)[-1] not in _OPERAND
        is_prefix = TEMPORAL.at(self.stream) in TEMPORAL.prefixes and not is_event
        return self._temporal.read_sign() if is_prefix else ""

    def _formula_operand(self) -> Formula:
        start = self.stream.peek.span
        if self.stream.accept("("):
            inside = self.formula()
            self.stream.expect(")")
            return replace(inside, span=self.span_from(start))
        return self._atom(start)

    def _atom(self, start: Span) -> Atom:
        if (truth := self.stream.accept("true", "false")) is not None:
            return Atom(truth.kind, (), start)
        if (quoted := self.stream.accept("string")) is not None:
            return self._channel_event(quoted.text[1:-1], quoted.span)
        if not self.stream.at("name"):
            self.stream.fail("an event, a condition or a formula", help=_NAMED if self.stream.at("number", "-") else "")
        name = self.stream.advance()
        arguments: list[Expression] = []
        while self.stream.accept("."):
            arguments.append(self.expression(ARITHMETIC))
        if self.stream.at(*_IN_CONDITIONS):
            self.stream.fail("an operator of formulas", help=_NAMED)
        return Atom(name.text, tuple(arguments), self.span_from(start))

    def _channel_event(self, text: str, span: Span) -> Atom:
        """``"c!1.2"``: a message that is sent or received; ``"c[0].1"`` is a rendezvous."""
        found = _CHANNEL_EVENT.fullmatch(text.replace(" ", ""))
        if found is None:
            self.stream.diagnostics.error("BUR102", "this is no event of a channel", span, help='write it as in "c!1"')
            raise SyntaxStop
        name, index, sign, message = found.groups()
        arguments = tuple(_word(word, span) for word in message.split("."))
        indices = () if index is None else (_word(index, span),)
        return Atom(name if sign == "." else name + sign, arguments, span, indices)


def _joined(signs: Signs, parts: tuple[Formula, ...], _: Span) -> Formula:
    return FormulaOperation(signs[0], parts, parts[0].span.to(parts[-1].span))


def _word(word: str, span: Span) -> Expression:
    if word in ("true", "false"):
        return Truth(word == "true", span)
    return Number(int(word), span) if re.fullmatch(r"-?\d{1,18}", word) else Name(word, (), span)
