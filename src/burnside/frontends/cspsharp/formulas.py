"""Reads formulas of linear temporal logic, the right side of ``|=``."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from burnside.frontends.cspsharp.expressions import ARITHMETIC
from burnside.frontends.cspsharp.processes import ProcessReader
from burnside.frontends.cspsharp.syntax import (
    Atom,
    Expression,
    Formula,
    FormulaOperation,
    Name,
    Number,
    Truth,
)
from burnside.source import Span, SyntaxStop

# Binary operators from the loosest to the tightest. Those that join to the right are told apart below.
LEVELS: Final = (("<->",), ("->",), ("||",), ("xor",), ("&&",), ("U", "R"))
TO_THE_RIGHT: Final = ("->", "U", "R")
UNARY: Final = ("!", "[]", "<>", "X")
SPELLINGS: Final = {"G": "[]", "F": "<>", "V": "R"}

_OPERAND: Final = ("name", "string", "true", "false", "(", "!", "[]", "<>")
# What follows a variable in a condition, but never an event in a formula.
_IN_CONDITIONS: Final = ("==", "!=", "<", "<=", ">", ">=", "=", "+", "-", "*", "/", "%", "[")
_NAMED: Final = "conditions are named with '#define', as in '#define small (x < 3);', and formulas use the names"
_CHANNEL_EVENT: Final = re.compile(r"([A-Za-z_]\w*)(?:\[(-?\w+)\])?([!?.])((?:-?\w+)(?:\.-?\w+)*)", re.ASCII)


class FormulaReader(ProcessReader):
    """Reads formulas on top of processes and expressions."""

    def formula(self, loosest: int = 0) -> Formula:
        """A formula of operators at least as tight as ``loosest``."""
        if loosest == len(LEVELS):
            return self._unary()
        self.stream.enter()
        left = self.formula(loosest + 1)
        levels = 1
        while (operator := self._operator()) in LEVELS[loosest]:
            self.stream.advance()
            right = self.formula(loosest if operator in TO_THE_RIGHT else loosest + 1)
            left = FormulaOperation(operator, (left, right), left.span.to(right.span))
            self.stream.enter()
            levels += 1
        self.leave(levels)
        return left

    def _operator(self) -> str:
        """The sign or word at hand, in its first spelling; ``X``, ``U`` and ``R`` are names elsewhere."""
        token = self.stream.peek
        return SPELLINGS.get(token.text, token.text) if token.kind == "name" else token.kind

    def _is_event(self) -> bool:
        """Whether ``G`` or ``F`` stands alone and is no operator."""
        return self.stream.peek.text in SPELLINGS and self.stream.peek_kinds(2)[-1] not in _OPERAND

    def _unary(self) -> Formula:
        start = self.stream.peek.span
        operator = self._operator()
        if operator in UNARY and not self._is_event():
            self.stream.advance()
            self.stream.enter()
            operand = self._unary()
            self.stream.leave()
            return FormulaOperation(operator, (operand,), self.span_from(start))
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


def _word(word: str, span: Span) -> Expression:
    if word in ("true", "false"):
        return Truth(word == "true", span)
    return Number(int(word), span) if re.fullmatch(r"-?\d{1,18}", word) else Name(word, (), span)
