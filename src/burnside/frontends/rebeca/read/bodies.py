"""Reads statements: the bodies of message servers."""

from __future__ import annotations

from itertools import pairwise

from burnside.frontends.rebeca.read import syntax
from burnside.frontends.rebeca.read.formulas import FormulaReader
from burnside.frontends.rebeca.read.lexicon import PRIMITIVE, TIMED
from burnside.frontends.rebeca.read.syntax import Expression, Name, Statement
from burnside.source import did_you_mean


class StatementReader(FormulaReader):
    """Reads statements on top of expressions."""

    def field(self, kind: syntax.TypeName) -> syntax.Field:
        """A name with its first value."""
        name = self.stream.expect("name")
        initial = self._initial() if self.stream.accept("=") else None
        return syntax.Field(kind, name.text, initial, name.span)

    def _initial(self) -> syntax.Initial:
        if not self.stream.at("{"):
            return self.expression()
        start = self.stream.advance().span
        self.stream.enter()
        items: list[syntax.Initial] = []
        while not self.stream.accept("}"):
            if items:
                self.stream.expect(",", "',' or '}'")
            items.append(self._initial())
        self.stream.leave()
        return syntax.ArrayValue(tuple(items), self.span_from(start))

    def block(self) -> syntax.Block:
        """``{ statements }``."""
        start = self.stream.expect("{").span
        self.stream.enter()
        body: list[Statement] = []
        while not self.stream.accept("}"):
            if not self.stream.accept(";"):
                body.append(self._statement())
        self.stream.leave()
        return syntax.Block(tuple(body), self.span_from(start))

    def _statement(self) -> Statement:
        self.stream.enter()
        statement = self._any_statement()
        self.stream.leave()
        return statement

    def _any_statement(self) -> Statement:
        token = self.stream.peek
        match token.kind:
            case "{":
                return self.block()
            case ";":
                return syntax.Block((), self.stream.advance().span)
            case "if":
                return self._if()
            case "while":
                self.stream.advance()
                condition = self._condition()
                return syntax.Loop((), condition, (), self._statement(), span=token.span)
            case "do":
                self.stream.advance()
                body = self._statement()
                self.stream.expect("while")
                condition = self._condition()
                self.stream.expect(";")
                return syntax.Loop((), condition, (), body, runs_first=True, span=token.span)
            case "for":
                return self._for()
            case "switch":
                return self._switch()
            case "return":
                self.stream.advance()
                value = None if self.stream.at(";") else self.expression()
                self.stream.expect(";")
                return syntax.Return(value, token.span)
            case "break" | "continue":
                self.stream.advance()
                self.stream.expect(";")
                return syntax.Leave(token.kind, token.span)
            case _:
                statement = self._simple()
                if not self.stream.accept(";"):
                    self.stream.fail("';'", help=self._meant(statement))
                return statement

    def _meant(self, statement: Statement) -> str:
        """What may be meant by a statement that goes on where it should end."""
        match statement:
            case syntax.Evaluate(expression=syntax.Call(receiver=None, name=name)) if self.stream.at("{", "name"):
                return did_you_mean(name, ("if", "while", "for", "switch"))
            case syntax.Evaluate(expression=Name(name=name)) if self.stream.at("{"):
                return did_you_mean(name, ("else", "do"))
            case _:
                return "'=' assigns" if self.stream.peek_kinds(2) == [":", "="] else ""

    def _simple(self) -> Statement:
        """A declaration or an expression, without its semicolon."""
        start = self.stream.peek.span
        kinds = self.stream.peek_kinds(2)
        if kinds == ["name", "name"] and self.stream.peek.text in TIMED:
            self.refuse_timed(self.stream.peek)
        if kinds[0] in PRIMITIVE or kinds == ["name", "name"] or self._is_array_declaration(kinds):
            kind = self.type_name()
            fields = [self.field(kind)]
            while self.stream.accept(","):
                fields.append(self.field(kind))
            return syntax.Declaration(tuple(fields), self.span_from(start))
        expression = self.expression()
        return syntax.Evaluate(expression, expression.span)

    def _is_array_declaration(self, kinds: list[str]) -> bool:
        """``type[size]… name``: brackets after a name, and then another name."""
        if kinds != ["name", "["]:
            return False
        depth, several = 0, self.stream.peek_kinds(60)
        for kind, following in pairwise(several[1:]):
            depth += (kind == "[") - (kind == "]")
            if depth == 0 and following != "[":
                return following == "name"
        return False

    def _condition(self) -> Expression:
        self.stream.expect("(")
        condition = self.expression()
        self.stream.expect(")")
        return condition

    def _if(self) -> syntax.If:
        start = self.stream.expect("if").span
        condition = self._condition()
        then = self._statement()
        otherwise = self._statement() if self.stream.accept("else") else None
        return syntax.If(condition, then, otherwise, start)

    def _for(self) -> syntax.Loop:
        start = self.stream.expect("for").span
        self.stream.expect("(")
        first = () if self.stream.at(";") else self._list()
        self.stream.expect(";")
        condition = None if self.stream.at(";") else self.expression()
        self.stream.expect(";")
        after = () if self.stream.at(")") else self._list()
        self.stream.expect(")")
        return syntax.Loop(first, condition, after, self._statement(), span=start)

    def _list(self) -> tuple[Statement, ...]:
        found = [self._simple()]
        while self.stream.accept(","):
            found.append(self._simple())
        return tuple(found)

    def _switch(self) -> syntax.Switch:
        start = self.stream.expect("switch").span
        subject = self._condition()
        self.stream.expect("{")
        cases: list[syntax.Case] = []
        while not self.stream.accept("}"):
            place = self.stream.peek.span
            label = None
            if self.stream.accept("case"):
                label = self.expression()
            else:
                self.stream.expect("default", "'case', 'default' or '}'")
            self.stream.expect(":")
            body: list[Statement] = []
            while not self.stream.at("case", "default", "}", "end"):
                body.append(self._statement())
            cases.append(syntax.Case(label, tuple(body), place))
        return syntax.Switch(subject, tuple(cases), start)
