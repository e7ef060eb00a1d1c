"""Reads CSP# texts: declarations one after the other, each error on its own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final, NoReturn

from burnside.frontends.cspsharp.read.declarations import (
    Alphabet,
    ArrayItem,
    Assertion,
    ChannelDeclaration,
    Define,
    Definition,
    Specification,
    VariableDeclaration,
)
from burnside.frontends.cspsharp.read.formulas import FormulaReader
from burnside.frontends.cspsharp.read.include import Inclusion, Refused
from burnside.frontends.cspsharp.read.lexicon import LEXICON
from burnside.frontends.cspsharp.read.syntax import Expression, Number, Process, Statement
from burnside.frontends.kit.reader import read_text
from burnside.source import Diagnostics, Source, Span, SyntaxStop, TokenStream

CLAIMS: Final = ("deadlockfree", "nonterminating", "divergencefree", "deterministic")

# How far to look ahead for the end of something that could not be read.
_FAR: Final = 1_000


def parse(source: Source, diagnostics: Diagnostics) -> Specification:
    """The declarations of a text; what cannot be read is reported and left out."""
    reader = _Reader(TokenStream(LEXICON, source, diagnostics), Inclusion(source.name), (source.name,))
    reader.read_all()
    return Specification(
        tuple(reader.defines),
        tuple(reader.variables),
        tuple(reader.channels),
        tuple(reader.definitions),
        tuple(reader.alphabets),
        tuple(reader.assertions),
    )


class _Reader(FormulaReader):
    def __init__(self, stream: TokenStream, inclusion: Inclusion, files: tuple[str, ...]) -> None:
        super().__init__(stream)
        self._inclusion = inclusion
        self._files = files  # the one that is read, and those that include it
        self.defines: list[Define] = []
        self.variables: list[VariableDeclaration] = []
        self.channels: list[ChannelDeclaration] = []
        self.definitions: list[Definition] = []
        self.alphabets: list[Alphabet] = []
        self.assertions: list[Assertion] = []

    def read_all(self) -> None:
        """Every declaration; after an error, go on behind the next ``;`` that a declaration follows."""
        read_text(self.stream, self._declaration, self._recover)

    def _recover(self) -> None:
        while not self.stream.at("end"):
            self.stream.skip_to(";", "#")
            if self.stream.at("#"):
                return
            if self._ends_definition() and not self._is_in_braces():
                self.stream.advance()
                return
            self.stream.accept(";")

    def _is_in_braces(self) -> bool:
        """Whether more braces are closed than opened behind this place."""
        depth = 0
        for kind in self.stream.peek_kinds(_FAR):
            depth += (kind == "{") - (kind == "}")
            if depth < 0:
                return True
        return False

    def _declaration(self) -> None:
        match self.stream.peek.kind:
            case "#":
                self._directive()
            case "var" | "hvar":
                self._variable()
            case "channel":
                self._channel()
            case "enum":
                self._enumeration()
            case "name":
                self._definition()
                self.stream.expect(";")
            case _:
                self.stream.fail("a declaration")

    # ------------------------------------------------------------ directives

    def _directive(self) -> None:
        start = self.stream.expect("#").span
        # 'assert' is a keyword elsewhere.
        word = self.stream.accept("assert") or self.stream.expect("name", "a directive")
        read: dict[str, Callable[[Span], None]] = {
            "define": self._define,
            "assert": self._assertion,
            "alphabet": self._alphabet,
            "include": self._include,
        }
        if word.text in read:
            read[word.text](start)
            return
        if word.text == "import":
            remedy = "write what the library computes as a program or a macro"
            self.unsupported("'#import'", self.span_from(start), remedy=remedy)
        else:
            self.stream.diagnostics.error(
                "BUR102",
                f"there is no directive '#{word.text}'",
                word.span,
                help="known: define, assert, alphabet, include",
            )
        self.stream.skip_to(";")

    def _include(self, start: Span) -> None:
        """Read the declarations of another file, found beside this one."""
        name = self.stream.expect("string").text[1:-1]
        span = self.span_from(start)
        try:
            path = self._inclusion.resolve(name)
            if any(path == Path(file).resolve() for file in self._files):
                self.stream.diagnostics.error("BUR209", f"'{name}' includes itself", span)
                raise SyntaxStop
            text = self._inclusion.read(path)
        except Refused as reason:
            self.stream.diagnostics.error("BUR106", f"cannot read '{name}': {reason}", span)
            raise SyntaxStop from reason
        shown = str(Path(self._files[0]).parent / name)
        stream = TokenStream(LEXICON, Source(shown, text), self.stream.diagnostics)
        inner = _Reader(stream, self._inclusion, (shown, *self._files))
        inner.read_all()
        self.defines += inner.defines
        self.variables += inner.variables
        self.channels += inner.channels
        self.definitions += inner.definitions
        self.alphabets += inner.alphabets
        self.assertions += inner.assertions
        self.stream.accept(";")

    def _define(self, start: Span) -> None:
        name = self.stream.expect("name").text
        parameters = None
        # A macro has its '(' right after the name; a value in parentheses stands apart.
        if self.stream.at("(") and self.stream.peek.span.start == self.stream.previous.span.end:
            parameters = self._names()
        body: Expression | tuple[Statement, ...]
        if self.stream.at("{"):
            body = self._macro_body()
        else:
            body = self.expression()
        self.defines.append(Define(name, parameters, body, self.span_from(start)))
        self.stream.expect(";")

    def _macro_body(self) -> Expression | tuple[Statement, ...]:
        """A program, or one expression in braces: only programs hold statements."""
        kinds = self.stream.peek_kinds(200)
        inside = kinds[: kinds.index("}")] if "}" in kinds else kinds
        if {";", "=", "++", "--", "+=", "-=", "*=", "/=", "if", "while", "var"} & set(inside) or len(inside) == 1:
            return self.program()
        self.stream.expect("{")
        body = self.expression()
        self.stream.expect("}")
        return body

    def _names(self) -> tuple[str, ...]:
        self.stream.expect("(")
        return self.listed(lambda: self.stream.expect("name").text, ")")

    def _alphabet(self, start: Span) -> None:
        name = self.stream.expect("name").text
        if self.stream.at("("):
            self._names()
        self.alphabets.append(Alphabet(name, self.event_sets(), self.span_from(start)))
        self.stream.expect(";")

    def _assertion(self, start: Span) -> None:
        process = self._prefixed_process()
        token = self.stream.peek
        if self.stream.accept("|="):
            formula = self.formula()
            read = Assertion(process, "|=", self.span_from(start), formula=formula)
        else:
            claim = self.stream.expect("name", "a claim such as 'deadlockfree' or 'reaches'").text
            if claim == "reaches":
                read = self._reaches(process, start)
            elif claim == "refines":
                read = self._refines(process, start)
            elif claim in CLAIMS:
                read = Assertion(process, claim, self.span_from(start))
            else:
                self._unknown_claim(claim, token.span, f"known: {', '.join(CLAIMS)}, reaches, refines, |=")
        self.assertions.append(read)
        self.stream.expect(";")

    def _reaches(self, process: Process, start: Span) -> Assertion:
        condition = self.expression()
        extreme, value = "", None
        if self.stream.at("name") and self.stream.peek.text == "with":
            self.stream.advance()
            word = self.stream.expect("name", "'min' or 'max'")
            if word.text not in ("min", "max"):
                self._unknown_claim(word.text, word.span, "write 'with min(…)' or 'with max(…)'")
            self.stream.expect("(")
            extreme, value = word.text, self.expression()
            self.stream.expect(")")
        span = self.span_from(start)
        return Assertion(process, "reaches", span, condition, extreme, value)

    def _refines(self, process: Process, start: Span) -> Assertion:
        claim = "refines"
        if self.stream.accept("<"):
            token = self.stream.expect("name", "'F' or 'FD'")
            if token.text not in ("F", "FD"):
                self._unknown_claim(f"refines<{token.text}>", token.span, "known: refines, refines<F>, refines<FD>")
            self.stream.expect(">")
            claim = f"refines<{token.text}>"
        other = self._prefixed_process()
        return Assertion(process, claim, self.span_from(start), other=other)

    def _unknown_claim(self, claim: str, span: Span, remedy: str) -> NoReturn:
        self.stream.diagnostics.error("BUR102", f"there is no claim '{claim}'", span, help=remedy)
        raise SyntaxStop

    # ------------------------------------------------------------ variables, channels, definitions

    def _variable(self) -> None:
        start = self.stream.advance().span
        if self.stream.at("<"):
            self.unsupported("a variable of a user type", self.stream.peek.span)
            self.stream.skip_to(";")
            return
        name = self.stream.expect("name").text
        dimensions: list[Expression] = []
        while self.stream.accept("["):
            dimensions.append(self.expression())
            self.stream.expect("]")
        low = high = None
        if self.stream.accept(":"):
            self.stream.expect("{")
            low = None if self.stream.at("..") else self.expression()
            self.stream.expect("..")
            high = None if self.stream.at("}") else self.expression()
            self.stream.expect("}")
        initial: Expression | tuple[ArrayItem, ...] | str | None = None
        if self.stream.accept("="):
            initial = self._initial()
        declared = VariableDeclaration(name, tuple(dimensions), low, high, initial, self.span_from(start))
        self.variables.append(declared)
        self.stream.expect(";")

    def _initial(self) -> Expression | tuple[ArrayItem, ...] | str:
        if self.stream.accept("*"):
            return "*"
        if not self.stream.at("[", "[]"):
            return self.expression()
        if self.stream.accept("[]"):
            return ()
        self.stream.expect("[")
        return self.listed(self._array_item, "]")

    def _array_item(self) -> ArrayItem:
        value = self.expression()
        count = last = None
        if self.stream.accept("("):
            count = self.expression()
            self.stream.expect(")")
        elif self.stream.accept(".."):
            last = self.expression()
        return ArrayItem(value, count, last, self.span_from(value.span))

    def _channel(self) -> None:
        start = self.stream.advance().span
        name = self.stream.expect("name").text
        size = None
        if self.stream.accept("["):
            size = self.expression()
            self.stream.expect("]")
        capacity: Expression = Number(0, start) if self.stream.at(";") else self.expression()
        self.channels.append(ChannelDeclaration(name, size, capacity, self.span_from(start)))
        self.stream.expect(";")

    def _enumeration(self) -> None:
        start = self.stream.advance().span
        self.stream.expect("{")
        number = 0
        while not self.stream.at("}"):
            token = self.stream.expect("name")
            self.defines.append(Define(token.text, None, Number(number, token.span), token.span))
            number += 1
            if not self.stream.accept(","):
                break
        self.stream.expect("}")
        self.span_from(start)
        self.stream.expect(";")

    def _definition(self) -> None:
        name = self.stream.expect("name")
        parameters = self._names() if self.stream.at("(") else ()
        self.stream.expect("=")
        body = self.process()
        self.definitions.append(Definition(name.text, parameters, body, name.span))
