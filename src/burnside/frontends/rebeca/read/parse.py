"""Reads Rebeca texts: declarations one after the other, each error on its own."""

from __future__ import annotations

from typing import Final, final

from burnside.frontends.kit.reader import read_text
from burnside.frontends.rebeca.read.bodies import StatementReader
from burnside.frontends.rebeca.read.declarations import (
    Instance,
    Parameter,
    Program,
    ReactiveClass,
    Routine,
)
from burnside.frontends.rebeca.read.lexicon import LEXICON, PRIMITIVE
from burnside.frontends.rebeca.read.syntax import (
    Expression,
    Field,
    TypeName,
)
from burnside.source import Diagnostics, Source, Span, SyntaxStop, TokenStream, did_you_mean

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
class _Reader(StatementReader):
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
        body = None if self.stream.accept(";") else self.block()
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
        found = [self.field(kind)]
        while self.stream.accept(","):
            found.append(self.field(kind))
        self.stream.expect(";", "',' or ';'")
        return found

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
