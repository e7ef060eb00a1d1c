"""Reads statements: the bodies of rules and routines."""

from __future__ import annotations

from typing import Final

from burnside.frontends.murphi.read import syntax
from burnside.frontends.murphi.read.declarations import DeclarationReader
from burnside.frontends.murphi.read.lexicon import ENDS, PROPERTIES, ROUTINES, RULES
from burnside.frontends.murphi.read.syntax import Block, Expression, Statement
from burnside.source import Span

# What no statement begins with: a block ends there.
_BLOCK_ENDS: Final = (*ENDS, "end", "elsif", "else", "case", *ROUTINES, *(w for w in RULES if w not in PROPERTIES))


class StatementReader(DeclarationReader):
    """Reads statements on top of declarations."""

    def block(self, first: Statement | None = None) -> Block:
        """Statements up to a word that closes them; ``first`` has been read."""
        self.stream.enter()
        found: list[Statement] = [] if first is None else [first]
        while True:
            if found and not self.stream.at(";") and not self._at_block_end():
                self.stream.fail("';'")
            while self.stream.accept(";"):
                pass
            if self._at_block_end():
                break
            found.append(self._statement())
        self.stream.leave()
        return tuple(found)

    def _at_block_end(self) -> bool:
        return self.stream.at(*_BLOCK_ENDS) and not self.stream.at("alias")

    def _statement(self) -> Statement:
        start = self.stream.peek
        match start.kind:
            case "if":
                return self._if()
            case "switch":
                return self._switch()
            case "for":
                self.stream.advance()
                binder = self.binder()
                self.stream.expect("do")
                body = self.block()
                self.closing("for")
                return syntax.For(binder, body, start.span)
            case "while":
                self.stream.advance()
                condition = self.expression()
                self.stream.expect("do")
                body = self.block()
                self.closing("while")
                return syntax.While(condition, body, start.span)
            case "alias":
                self.stream.advance()
                aliases = self.aliases()
                body = self.block()
                self.closing("alias")
                return syntax.WithAliases(aliases, body, start.span)
            case "return":
                self.stream.advance()
                is_bare = self.stream.at(";") or self._at_block_end()
                return syntax.Return(None if is_bare else self.expression(), self.span_from(start.span))
            case word if word in PROPERTIES:
                return self._check()
            case _:
                return self._short()

    def _short(self) -> Statement:
        """A statement without others inside it."""
        start = self.stream.peek
        match start.kind:
            case "error":
                self.stream.advance()
                return syntax.Failure(self.text(), self.span_from(start.span))
            case "put":
                self.stream.advance()
                value = None if self.title_ahead() else self.expression()
                if value is None:
                    self.text()
                return syntax.Put(value, self.span_from(start.span))
            case "clear":
                self.stream.advance()
                return syntax.Clear(self.expression(), self.span_from(start.span))
            case "undefine":
                self.stream.advance()
                return syntax.Undefine(self.expression(), self.span_from(start.span))
            case "multisetadd" | "multisetremove":
                self.stream.advance()
                self.stream.expect("(")
                first = self.expression()
                self.stream.expect(",")
                second = self.expression()
                self.stream.expect(")")
                make = syntax.MultisetAdd if start.kind == "multisetadd" else syntax.MultisetRemove
                return make(first, second, self.span_from(start.span))
            case "multisetremovepred":
                return self._remove_all()
            case _:
                return self.simple(self.expression())

    def simple(self, first: Expression) -> Statement:
        """An assignment to ``first``, or a call."""
        if self.stream.accept(":="):
            value = self.expression()
            return syntax.Assignment(first, value, first.span.to(value.span))
        if not isinstance(first, syntax.Call):
            self.stream.fail("':='", help="'=' compares, ':=' assigns" if isinstance(first, syntax.Binary) else "")
        return syntax.Perform(first, first.span)

    def _if(self) -> Statement:
        start = self.stream.advance().span
        branches = [self._branch()]
        while self.stream.accept("elsif"):
            branches.append(self._branch())
        otherwise = self.block() if self.stream.accept("else") else ()
        self.closing("if")
        return syntax.If(tuple(branches), otherwise, start)

    def _branch(self) -> tuple[Expression, Block]:
        condition = self.expression()
        self.stream.expect("then")
        return condition, self.block()

    def _switch(self) -> Statement:
        start = self.stream.advance().span
        subject = self.expression()
        cases = []
        while self.stream.accept("case"):
            values = [self.expression()]
            while self.stream.accept(","):
                if self.stream.at(":"):
                    break
                values.append(self.expression())
            self.stream.expect(":", "',' or ':'")
            cases.append((tuple(values), self.block()))
        otherwise = self.block() if self.stream.accept("else") else ()
        self.closing("switch")
        return syntax.Switch(subject, tuple(cases), otherwise, start)

    def _remove_all(self) -> Statement:
        start = self.stream.advance().span
        index, multiset, condition = self.of_multiset()
        return syntax.MultisetRemoveAll(index, multiset, condition, self.span_from(start))

    def _check(self) -> Statement:
        word, title, condition, span = self.property()
        if word == "liveness":
            message = "liveness is a property of the model, not a statement"
            self.error("BUR102", message, span, help="write it among the rules")
        return syntax.Check("assert" if word == "invariant" else word, condition, title, span)

    # ------------------------------------------------------------ shared with rules

    def property(self) -> tuple[str, str, Expression, Span]:
        """A property: its word, its message, the condition, and where it is."""
        start = self.stream.advance()
        title = self.text() if self.title_ahead() else ""
        condition = self.expression()
        if not title and self.title_ahead():
            title = self.text()
        return start.kind, title, condition, self.span_from(start.span)

    def aliases(self) -> tuple[syntax.Alias, ...]:
        """``name: value; …`` and the word behind them."""
        found: list[syntax.Alias] = []
        while self.stream.at("name"):
            names = self._names()
            self.stream.expect(":", "',' or ':'")
            value = self.expression()
            found += [syntax.Alias(name, value) for name in names]
            self._semicolons()
        self.stream.expect("do", "an alias or 'do'")
        return tuple(found)

    def title_ahead(self) -> bool:
        """Whether a text in quotes comes next."""
        return self.stream.at("string", "quoted")

    def text(self) -> str:
        """A text in quotes, without them."""
        if not self.title_ahead():
            self.stream.expect("string")
        return self.stream.advance().text[1:-1]
