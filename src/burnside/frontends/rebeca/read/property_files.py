"""Reads property files."""

from __future__ import annotations

from contextlib import suppress
from typing import Final, final

from burnside.frontends.rebeca.read.declarations import (
    Formula,
    PropertyFile,
)
from burnside.frontends.rebeca.read.formulas import FormulaReader
from burnside.frontends.rebeca.read.lexicon import LEXICON, TEMPORAL
from burnside.frontends.rebeca.read.syntax import (
    Expression,
)
from burnside.source import Diagnostics, ReadingStop, Source, SyntaxStop, TokenStream

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
