"""Reads types, and declarations of constants, types and variables."""

from __future__ import annotations

from burnside.frontends.murphi.read import syntax
from burnside.frontends.murphi.read.expressions import ExpressionReader
from burnside.frontends.murphi.read.lexicon import DECLARATIONS
from burnside.frontends.murphi.read.syntax import Declaration, Field, Name, TypeExpression


class DeclarationReader(ExpressionReader):
    """Reads declarations on top of expressions."""

    def declarations(self) -> tuple[Declaration, ...]:
        """Those that stand in front of statements."""
        found: list[Declaration] = []
        while self.stream.at(*DECLARATIONS):
            found += self.section()
        return tuple(found)

    def section(self) -> list[Declaration]:
        """``const``, ``type`` or ``var`` with its declarations."""
        word = self.stream.advance().kind
        found: list[Declaration] = []
        while self.stream.at("name"):
            names = self._names()
            if word == "const":
                self.stream.expect(":")
                value = self.expression()
                found += [syntax.ConstantDeclaration(name, value) for name in names]
            elif word == "type":
                self.stream.expect(":")
                kind = self.type_expression()
                found += [syntax.TypeDeclaration(name, kind) for name in names]
            else:
                found += [syntax.VariableDeclaration(field) for field in self._typed(names)]
            self._semicolons()
        return found

    def _semicolons(self) -> None:
        while self.stream.accept(";"):
            pass

    def _names(self) -> list[Name]:
        found = [self.name()]
        while self.stream.accept(","):
            if self.stream.at(":"):
                break
            found.append(self.name())
        return found

    def _typed(self, names: list[Name], *, is_var: bool = False) -> list[Field]:
        self.stream.expect(":", "',' or ':'")
        kind = self.type_expression()
        return [Field(name, kind, is_var) for name in names]

    def parameters(self) -> tuple[Field, ...]:
        """The parameters of a routine, in brackets."""
        self.stream.expect("(")
        found: list[Field] = []
        while not self.stream.accept(")"):
            is_var = self.stream.accept("var") is not None
            found += self._typed(self._names(), is_var=is_var)
            if not self.stream.accept(";"):
                self.stream.accept(",")
            self._semicolons()
        return tuple(found)

    # ------------------------------------------------------------ types

    def type_expression(self) -> TypeExpression:
        """A type."""
        self.stream.enter()
        found = self._type()
        self.stream.leave()
        return found

    def _type(self) -> TypeExpression:
        token = self.stream.peek
        match token.kind:
            case "boolean":
                return syntax.BooleanType(self.stream.advance().span)
            case "enum":
                self.stream.advance()
                self.stream.expect("{")
                labels = self.listed(self.name, "}", "',' or '}'")
                return syntax.EnumType(labels, self.span_from(token.span))
            case "scalarset":
                self.stream.advance()
                self.stream.expect("(")
                size = self.expression()
                return syntax.ScalarsetType(size, token.span.to(self.stream.expect(")").span))
            case "union":
                self.stream.advance()
                self.stream.expect("{")
                parts = self.listed(self.type_expression, "}", "',' or '}'")
                return syntax.UnionType(parts, self.span_from(token.span))
            case "record":
                return self._record()
            case "array" | "multiset":
                return self._collection()
            case "real":
                return self._real()
            case _:
                return self._range()

    def _record(self) -> TypeExpression:
        start = self.stream.advance().span
        self.stream.accept("interleaved")
        fields: list[Field] = []
        while self.stream.at("name"):
            fields += self._typed(self._names())
            self._semicolons()
        self.closing("record")
        return syntax.RecordType(tuple(fields), self.span_from(start))

    def _collection(self) -> TypeExpression:
        word = self.stream.advance()
        self.stream.accept("interleaved")
        self.stream.expect("[")
        if word.kind == "array":
            index = self.type_expression()
            self.stream.expect("]")
            self.stream.expect("of")
            return syntax.ArrayType(index, self.type_expression(), self.span_from(word.span))
        size = self.expression()
        self.stream.expect("]")
        self.stream.expect("of")
        return syntax.MultisetType(size, self.type_expression(), self.span_from(word.span))

    def _real(self) -> TypeExpression:
        start = self.stream.advance().span
        self.stream.expect("(")
        self.listed(self.expression, ")", "',' or ')'")
        self.refuse_real(self.span_from(start))
        return syntax.BooleanType(start)

    def _range(self) -> TypeExpression:
        low = self.expression()
        if self.stream.accept(".."):
            high = self.expression()
            return syntax.RangeType(low, high, low.span.to(high.span))
        if not isinstance(low, Name):
            self.stream.fail("'..'")
        return syntax.NamedType(low.text, low.span)
