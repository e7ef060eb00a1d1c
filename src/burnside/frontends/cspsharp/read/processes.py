"""Reads process terms of CSP#."""

from __future__ import annotations

from typing import Final

from burnside.frontends.cspsharp.read import syntax
from burnside.frontends.cspsharp.read.expressions import ARITHMETIC, ExpressionReader
from burnside.frontends.cspsharp.read.lexicon import COMPOSITIONS, OPERATORS
from burnside.frontends.cspsharp.read.syntax import Expression, Name, Process, Statement
from burnside.frontends.kit.operators import OperatorParser, Signs
from burnside.source import Span, Token, TokenStream

FAIRNESS: Final = ("wf", "sf", "wl", "sl")

# What a condition is made of, outside its brackets.
_OPERANDS: Final = ("name", "number", "true", "false", "call")
_OPERATORS: Final = tuple(OPERATORS.levels)
_LONGEST_CONDITION: Final = 200


class ProcessReader(ExpressionReader):
    """Reads processes on top of expressions."""

    def __init__(self, stream: TokenStream) -> None:
        super().__init__(stream)
        self._compositions: OperatorParser[Process] = OperatorParser(
            COMPOSITIONS,
            stream,
            operand=self._prefixed_process,
            join=_composed,
            tails={"\\": self._hidden},
            is_over=self._ends_definition,
        )

    def process(self, above: int = 0) -> Process:
        """A process of operators tighter than level ``above``."""
        return self._compositions.parse(above)

    def _hidden(self, process: Process) -> Process:
        return syntax.HideProcess(process, self.event_sets(), self.span_from(process.span))

    def _ends_definition(self) -> bool:
        """Whether a ``;`` closes the definition: another declaration, a bracket or the end follows."""
        if not self.stream.at(";"):
            return False
        kinds = self.stream.peek_kinds(40)[1:]
        if not kinds or kinds[0] in ("end", "#", "var", "channel", "enum", "hvar", ";", "}", ")", "default"):
            return True
        if self._begins_branch():
            return True
        if kinds[0] != "name":
            return False
        if kinds[1:2] == ["="]:
            return True
        if kinds[1:2] != ["("] or ")" not in kinds:
            return False
        closing = kinds.index(")")
        plain = all(k in ("name", ",") for k in kinds[2:closing])
        return plain and kinds[closing + 1 : closing + 2] == ["="]

    def _begins_branch(self) -> bool:
        """Whether a condition and a colon follow the ``;`` at hand: another branch of a ``case``."""
        depth = 0
        first, *rest = self.stream.peek_kinds(_LONGEST_CONDITION)[1:]
        if first not in (*_OPERANDS, "(", "!", "-"):
            return False
        for kind in (first, *rest):
            depth += (kind in ("(", "[")) - (kind in (")", "]"))
            if depth < 0:
                return False
            if depth == 0 and kind not in (*_OPERANDS, *_OPERATORS, "(", ")", "[", "]", "!"):
                return kind == ":"
        return False

    def event_sets(self) -> tuple[syntax.EventSet, ...]:
        """``{e, x:{0..2}@f.x}``."""
        self.stream.expect("{")
        events: list[syntax.EventSet] = []
        while not self.stream.at("}"):
            start = self.stream.peek.span
            ranges: tuple[syntax.Range, ...] = ()
            if self.stream.peek_kinds(2) == ["name", ":"]:
                ranges = self.ranges()
                self.stream.expect("@")
            event = self._event(self.stream.expect("name"))
            events.append(syntax.EventSet(ranges, event, self.span_from(start)))
            if not self.stream.accept(","):
                break
        self.stream.expect("}")
        return tuple(events)

    def _event(self, name: Token) -> syntax.EventName:
        arguments: list[Expression] = []
        while self.stream.accept("."):
            arguments.append(self.expression(ARITHMETIC))
        return syntax.EventName(name.text, tuple(arguments), self.span_from(name.span))

    # ------------------------------------------------------------ prefixes and what they lead to

    def _prefixed_process(self) -> Process:
        self.stream.enter()
        found = self._prefix_or_primary()
        self.stream.leave()
        return found

    def _prefix_or_primary(self) -> Process:
        start = self.stream.peek.span
        match self.stream.peek.kind:
            case "{":
                program = self.program()
                return self._arrow(syntax.EventName("tau", (), start), program, start)
            case "[":
                self.stream.advance()
                condition = self.expression()
                self.stream.expect("]")
                return syntax.GuardProcess(condition, self._prefixed_process(), self.span_from(start))
            case "name":
                return self._named(start)
            case _:
                return self._primary_process(start)

    def _named(self, start: Span) -> Process:
        """An event, a channel or a call: what follows the name decides."""
        following = self.stream.peek_kinds(2)[1]
        if following in ("!", "?", "["):
            return self._communication(start)
        name = self.stream.expect("name")
        if following == "(":
            if name.text in FAIRNESS and self._is_annotation():
                return self._annotated(name)
            return syntax.CallProcess(name.text, self.arguments(), self.span_from(start))
        if following in (".", "->", "{"):
            event = self._event(name)
            program = self.program() if self.stream.at("{") else None
            return self._arrow(event, program, start)
        return syntax.CallProcess(name.text, (), name.span)

    def _is_annotation(self) -> bool:
        """Whether an event in parentheses and an arrow follow, and no arguments of a process."""
        kinds = self.stream.peek_kinds(4)
        return kinds[:3] == ["(", "name", "."] or kinds in (["(", "name", ")", "->"], ["(", "name", ")", "{"])

    def _annotated(self, name: Token) -> Process:
        """``wf(e.i) -> P``: reported, and read as if the annotation were not there."""
        self.stream.expect("(")
        event = self._event(self.stream.expect("name", "an event"))
        self.stream.expect(")")
        span = self.span_from(name.span)
        self.unsupported(f"the fairness annotation '{name.text}'", span, remedy="leave only the event")
        program = self.program() if self.stream.at("{") else None
        return self._arrow(event, program, name.span)

    def _arrow(self, event: syntax.EventName, program: tuple[Statement, ...] | None, start: Span) -> Process:
        self.stream.expect("->")
        return syntax.PrefixProcess(event, program, self._prefixed_process(), self.span_from(start))

    def _communication(self, start: Span) -> Process:
        token = self.stream.expect("name")
        indices: tuple[Expression, ...] = ()
        if self.stream.accept("["):
            indices = (self.expression(),)
            self.stream.expect("]")
        channel = Name(token.text, indices, self.span_from(start))
        if self.stream.accept("!"):
            values = self._messages()
            program = self.program() if self.stream.at("{") else ()
            self.stream.expect("->")
            return syntax.OutputProcess(channel, values, program, self._prefixed_process(), self.span_from(start))
        self.stream.expect("?", "'!' or '?'")
        condition: Expression | None = None
        if self.stream.accept("["):
            condition = self.expression()
            self.stream.expect("]")
        patterns = self._messages()
        program = self.program() if self.stream.at("{") else ()
        self.stream.expect("->")
        return syntax.InputProcess(
            channel, condition, patterns, program, self._prefixed_process(), self.span_from(start)
        )

    def _messages(self) -> tuple[Expression, ...]:
        values = [self.expression(ARITHMETIC)]
        while self.stream.accept("."):
            values.append(self.expression(ARITHMETIC))
        return tuple(values)

    # ------------------------------------------------------------ the rest

    def _primary_process(self, start: Span) -> Process:
        token = self.stream.peek
        match token.kind:
            case "Stop" | "Skip":
                self.stream.advance()
                if self.stream.at("("):
                    self.arguments()
                return syntax.StopProcess(token.span) if token.kind == "Stop" else syntax.SkipProcess(token.span)
            case "(":
                self.stream.advance()
                inside = self.process()
                self.stream.expect(")")
                return inside
            case "atomic":
                self.stream.advance()
                return syntax.AtomicProcess(self._braced(), self.span_from(start))
            case "if" | "ifa" | "ifb":
                return self._if(start)
            case "case":
                return self._case(start)
            case "assert":
                self.stream.advance()
                self.stream.expect("(")
                condition = self.expression()
                self.stream.expect(")")
                return syntax.AssertProcess(condition, self.span_from(start))
            case "|||" | "||" | "<>" | "[*]" | "[]":
                self.stream.advance()
                ranges = self.ranges()
                self.stream.expect("@")
                body = self.process(COMPOSITIONS.level(token.kind))
                return syntax.IndexedProcess(token.kind, ranges, body, self.span_from(start))
        return self.stream.fail("a process")

    def _braced(self) -> Process:
        self.stream.expect("{")
        inside = self.process()
        self.stream.accept(";")
        self.stream.expect("}")
        return inside

    def _if(self, start: Span) -> Process:
        kind = self.stream.advance().kind
        self.stream.expect("(")
        condition = self.expression()
        self.stream.expect(")")
        then = self._braced()
        otherwise: Process = syntax.SkipProcess(self.stream.previous.span)
        if kind != "ifb" and self.stream.accept("else"):
            otherwise = self._prefixed_process() if self.stream.at("if", "ifa") else self._braced()
        return syntax.IfProcess(kind, condition, then, otherwise, self.span_from(start))

    def _case(self, start: Span) -> Process:
        self.stream.expect("case")
        self.stream.expect("{")
        branches: list[tuple[Expression, Process]] = []
        default: Process = syntax.SkipProcess(start)
        while not self.stream.at("}", "end"):
            if self.stream.accept("default"):
                self.stream.expect(":")
                default = self.process()
            else:
                condition = self.expression()
                self.stream.expect(":")
                branches.append((condition, self.process()))
            self.stream.accept(";")
        self.stream.expect("}")
        return syntax.CaseProcess(tuple(branches), default, self.span_from(start))


def _composed(signs: Signs, parts: tuple[Process, ...], _: Span) -> Process:
    return syntax.Composition(signs[0], parts, parts[0].span.to(parts[-1].span))
