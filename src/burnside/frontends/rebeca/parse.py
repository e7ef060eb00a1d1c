"""Reads Rebeca texts: declarations one after the other, each error on its own."""

from __future__ import annotations

from contextlib import suppress
from itertools import pairwise
from typing import Final, final

from burnside.frontends.kit.reader import read_text
from burnside.frontends.rebeca.formulas import FormulaReader
from burnside.frontends.rebeca.lexicon import LEXICON, PRIMITIVE, TEMPORAL, TIMED
from burnside.frontends.rebeca.syntax import (
    ArrayValue,
    Block,
    Call,
    Case,
    Declaration,
    Evaluate,
    Expression,
    Field,
    Formula,
    If,
    Initial,
    Instance,
    Leave,
    Loop,
    Name,
    Parameter,
    Program,
    PropertyFile,
    ReactiveClass,
    Return,
    Routine,
    Statement,
    Switch,
    TypeName,
)
from burnside.source import Diagnostics, ReadingStop, Source, Span, SyntaxStop, TokenStream, did_you_mean

_TOP: Final = ("reactiveclass", "interface", "abstract", "main", "env")
_MEMBERS: Final = ("knownrebecs", "statevars", "msgsrv")


def parse(source: Source, diagnostics: Diagnostics) -> Program:
    """The declarations of a text; what cannot be read is reported and left out."""
    reader = _Reader(TokenStream(LEXICON, source, diagnostics))
    reader.read_all()
    return Program(tuple(reader.environment), tuple(reader.classes), tuple(reader.instances))


@final
class _Members:
    """What has been read of the class at hand."""

    def __init__(self) -> None:
        self.known: list[Field] = []
        self.variables: list[Field] = []
        self.constructors: list[Routine] = []
        self.servers: list[Routine] = []
        self.methods: list[Routine] = []


@final
class _Reader(FormulaReader):
    def __init__(self, stream: TokenStream) -> None:
        super().__init__(stream)
        self.environment: list[Field] = []
        self.classes: list[ReactiveClass] = []
        self.instances: list[Instance] = []

    def read_all(self) -> None:
        """Every declaration; after an error, go on at the next one."""
        read_text(self.stream, self._declaration, lambda: self.stream.skip_to(*_TOP))

    def _declaration(self) -> None:
        match self.stream.peek.kind:
            case "env":
                self.stream.advance()
                self.environment += self._fields()
            case "reactiveclass" | "abstract":
                self.classes.append(self._class())
            case "interface":
                self.classes.append(self._interface())
            case "main":
                self.stream.advance()
                self._main()
            case "@":
                self._refuse_annotation()
            case _:
                remedy = did_you_mean(self.stream.peek.text, _TOP)
                self.stream.fail("'reactiveclass', 'interface', 'env' or 'main'", help=remedy)

    def _refuse_annotation(self) -> None:
        start = self.stream.advance().span
        word = self.stream.expect("name")
        message = f"the annotation '@{word.text}' is not supported"
        self.stream.diagnostics.error("BUR901", message, start.to(word.span), help="leave it out")
        raise SyntaxStop

    # ------------------------------------------------------------ classes

    def _class(self) -> ReactiveClass:
        start = self.stream.peek.span
        is_abstract = self.stream.accept("abstract") is not None
        self.stream.expect("reactiveclass")
        name = self.stream.expect("name", "the name of the class")
        parents = self._parents("extends") + self._parents("implements")
        queue: Expression | None = None
        if self.stream.accept("("):
            queue = self.expression()
            self.stream.expect(")")
        self.stream.expect("{")
        members = _Members()
        while not self.stream.accept("}"):
            self._member_of_class(name.text, members)
        return ReactiveClass(
            name.text,
            parents,
            queue,
            tuple(members.known),
            tuple(members.variables),
            tuple(members.constructors),
            tuple(members.servers),
            tuple(members.methods),
            is_abstract,
            span=start.to(name.span),
        )

    def _parents(self, word: str) -> tuple[tuple[str, Span], ...]:
        if not self.stream.accept(word):
            return ()
        found = [self.stream.expect("name")]
        while self.stream.accept(","):
            found.append(self.stream.expect("name"))
        return tuple((token.text, token.span) for token in found)

    def _member_of_class(self, owner: str, members: _Members) -> None:
        match self.stream.peek.kind:
            case "knownrebecs" | "knownobjects":
                self.stream.advance()
                members.known += self._field_block()
            case "statevars":
                self.stream.advance()
                members.variables += self._field_block()
            case "msgsrv":
                members.servers.append(self._server())
            case "abstract":
                self.stream.advance()
                members.servers.append(self._server())
            case "name" if self.stream.peek.text == owner and self.stream.peek_kinds(2) == ["name", "("]:
                token = self.stream.advance()
                members.constructors.append(self._routine(owner, token.span, None))
            case kind if kind in ("name", *PRIMITIVE):
                word = self.stream.peek.text
                result = self.type_name()
                if not self.stream.at("name"):
                    self.stream.fail("the name of a method", help=did_you_mean(word, _MEMBERS))
                name = self.stream.advance()
                members.methods.append(self._routine(name.text, name.span, result))
            case "@":
                self._refuse_annotation()
            case ";":
                self.stream.advance()
            case _:
                self.stream.fail("'knownrebecs', 'statevars', 'msgsrv', a method or '}'")

    def _server(self) -> Routine:
        self.stream.expect("msgsrv")
        name = self.stream.expect("name", "the name of a message server")
        return self._routine(name.text, name.span, None)

    def _routine(self, name: str, start: Span, result: TypeName | None) -> Routine:
        parameters = self._parameters()
        body = None if self.stream.accept(";") else self._block()
        return Routine(name, parameters, body, result, start)

    def _parameters(self) -> tuple[Parameter, ...]:
        self.stream.expect("(")
        found: list[Parameter] = []
        while not self.stream.accept(")"):
            if found:
                self.stream.expect(",", "',' or ')'")
            kind = self.type_name()
            name = self.stream.expect("name")
            found.append(Parameter(kind, name.text, name.span))
        return tuple(found)

    def _interface(self) -> ReactiveClass:
        start = self.stream.expect("interface").span
        name = self.stream.expect("name", "the name of the interface")
        parents = self._parents("extends")
        self.stream.expect("{")
        servers = []
        while not self.stream.accept("}"):
            servers.append(self._server())
        nothing: tuple[Routine, ...] = ()
        return ReactiveClass(
            name.text,
            parents,
            None,
            (),
            (),
            nothing,
            tuple(servers),
            nothing,
            is_abstract=True,
            is_interface=True,
            span=start.to(name.span),
        )

    # ------------------------------------------------------------ fields

    def _field_block(self) -> list[Field]:
        self.stream.expect("{")
        found: list[Field] = []
        while not self.stream.accept("}"):
            if not self.stream.accept(";"):
                found += self._fields()
        return found

    def _fields(self) -> list[Field]:
        kind = self.type_name()
        found = [self._field(kind)]
        while self.stream.accept(","):
            found.append(self._field(kind))
        self.stream.expect(";", "',' or ';'")
        return found

    def _field(self, kind: TypeName) -> Field:
        name = self.stream.expect("name")
        initial = self._initial() if self.stream.accept("=") else None
        return Field(kind, name.text, initial, name.span)

    def _initial(self) -> Initial:
        if not self.stream.at("{"):
            return self.expression()
        start = self.stream.advance().span
        self.stream.enter()
        items: list[Initial] = []
        while not self.stream.accept("}"):
            if items:
                self.stream.expect(",", "',' or '}'")
            items.append(self._initial())
        self.stream.leave()
        return ArrayValue(tuple(items), self.span_from(start))

    # ------------------------------------------------------------ main

    def _main(self) -> None:
        self.stream.expect("{")
        while not self.stream.accept("}"):
            if self.stream.accept(";"):
                continue
            if self.stream.at("@"):
                self._refuse_annotation()
            kind = self.type_name()
            self._instance(kind)
            # In the paper's lists the class may be repeated or left out.
            while self.stream.accept(","):
                if self.stream.peek_kinds(2) == ["name", "name"]:
                    kind = self.type_name()
                self._instance(kind)
            self.stream.expect(";", "',' or ';'")

    def _instance(self, kind: TypeName) -> None:
        name = self.stream.expect("name", "the name of a rebec")
        known = self.arguments()
        self.stream.expect(":", "':' and the arguments of the first message")
        arguments = self.arguments()
        self.instances.append(Instance(kind, name.text, known, arguments, name.span))

    # ------------------------------------------------------------ statements

    def _block(self) -> Block:
        start = self.stream.expect("{").span
        self.stream.enter()
        body: list[Statement] = []
        while not self.stream.accept("}"):
            if not self.stream.accept(";"):
                body.append(self._statement())
        self.stream.leave()
        return Block(tuple(body), self.span_from(start))

    def _statement(self) -> Statement:
        self.stream.enter()
        statement = self._any_statement()
        self.stream.leave()
        return statement

    def _any_statement(self) -> Statement:
        token = self.stream.peek
        match token.kind:
            case "{":
                return self._block()
            case ";":
                return Block((), self.stream.advance().span)
            case "if":
                return self._if()
            case "while":
                self.stream.advance()
                condition = self._condition()
                return Loop((), condition, (), self._statement(), span=token.span)
            case "do":
                self.stream.advance()
                body = self._statement()
                self.stream.expect("while")
                condition = self._condition()
                self.stream.expect(";")
                return Loop((), condition, (), body, runs_first=True, span=token.span)
            case "for":
                return self._for()
            case "switch":
                return self._switch()
            case "return":
                self.stream.advance()
                value = None if self.stream.at(";") else self.expression()
                self.stream.expect(";")
                return Return(value, token.span)
            case "break" | "continue":
                self.stream.advance()
                self.stream.expect(";")
                return Leave(token.kind, token.span)
            case _:
                statement = self._simple()
                if not self.stream.accept(";"):
                    self.stream.fail("';'", help=self._meant(statement))
                return statement

    def _meant(self, statement: Statement) -> str:
        """What may be meant by a statement that goes on where it should end."""
        match statement:
            case Evaluate(expression=Call(receiver=None, name=name)) if self.stream.at("{", "name"):
                return did_you_mean(name, ("if", "while", "for", "switch"))
            case Evaluate(expression=Name(name=name)) if self.stream.at("{"):
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
            fields = [self._field(kind)]
            while self.stream.accept(","):
                fields.append(self._field(kind))
            return Declaration(tuple(fields), self.span_from(start))
        expression = self.expression()
        return Evaluate(expression, expression.span)

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

    def _if(self) -> If:
        start = self.stream.expect("if").span
        condition = self._condition()
        then = self._statement()
        otherwise = self._statement() if self.stream.accept("else") else None
        return If(condition, then, otherwise, start)

    def _for(self) -> Loop:
        start = self.stream.expect("for").span
        self.stream.expect("(")
        first = () if self.stream.at(";") else self._list()
        self.stream.expect(";")
        condition = None if self.stream.at(";") else self.expression()
        self.stream.expect(";")
        after = () if self.stream.at(")") else self._list()
        self.stream.expect(")")
        return Loop(first, condition, after, self._statement(), span=start)

    def _list(self) -> tuple[Statement, ...]:
        found = [self._simple()]
        while self.stream.accept(","):
            found.append(self._simple())
        return tuple(found)

    def _switch(self) -> Switch:
        start = self.stream.expect("switch").span
        subject = self._condition()
        self.stream.expect("{")
        cases: list[Case] = []
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
            cases.append(Case(label, tuple(body), place))
        return Switch(subject, tuple(cases), start)


# ---------------------------------------------------------------- property files

_CALLS: Final = "temporal operators are written like calls: G(F(p)), U(p, q)"


def parse_properties(source: Source, diagnostics: Diagnostics) -> PropertyFile:
    """The sections of a property file; what cannot be read is reported and left out."""
    reader = _PropertyReader(TokenStream(LEXICON, source, diagnostics))
    with suppress(SyntaxStop, ReadingStop):  # reported
        reader.read_all()
    return PropertyFile(tuple(reader.sections["define"]), tuple(reader.assertions), tuple(reader.sections["LTL"]))


@final
class _PropertyReader(FormulaReader):
    def __init__(self, stream: TokenStream) -> None:
        super().__init__(stream)
        self.sections: dict[str, list[Formula]] = {"define": [], "Assertion": [], "LTL": []}

    @property
    def assertions(self) -> list[Formula]:
        return self.sections["Assertion"]

    def read_all(self) -> None:
        """``property { section { … } … }``."""
        word = self.stream.expect("name", "'property'")
        if word.text != "property":
            self.stream.diagnostics.error("BUR102", f"expected 'property', found '{word.text}'", word.span)
            raise SyntaxStop
        self.stream.expect("{")
        while not self.stream.accept("}"):
            if not self.stream.accept(";"):
                self._section()
        if not self.stream.at("end"):
            self.stream.fail("the end of the file")

    def _section(self) -> None:
        word = self.stream.expect("name", "'define', 'Assertion' or 'LTL'")
        if word.text not in self.sections:
            message = f"properties of the kind '{word.text}' are not supported"
            self.stream.diagnostics.error("BUR901", message, word.span, help="known are define, Assertion and LTL")
            raise SyntaxStop
        sign = "=" if word.text == "define" else ":"
        self.stream.expect("{")
        while not self.stream.accept("}"):
            if self.stream.accept(";"):
                continue
            name = self.stream.expect("name", "the name of a formula")
            self.stream.expect(sign)
            self.sections[word.text].append(Formula(name.text, self.expression(), name.span))
            if not self.stream.accept(";"):
                self.stream.fail("';'", help=_CALLS if self._at_operator() else "")

    def _primary(self) -> Expression:
        if self.stream.peek_kinds(2) in (["[", "]"], ["<", ">"]):
            self.stream.fail("an expression", help="write G(…) for '[]' and F(…) for '<>', as in G(F(…))")
        if self.stream.at(">") and self.stream.previous.kind == "=":
            self.stream.fail("an expression", help="write '->' for implication")
        if self._at_operator() and self.stream.peek_kinds(2)[-1] in ("name", "!", "true", "false"):
            self.stream.advance()
            self.stream.fail("'('", help=_CALLS)
        return super()._primary()

    def _at_operator(self) -> bool:
        return self.stream.at("name") and self.stream.peek.text in TEMPORAL
