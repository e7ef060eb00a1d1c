"""Types and constants as they are declared, by what is known before the model runs."""

from __future__ import annotations

from typing import Final

from burnside.frontends.murphi.lower.expressions import Expressions
from burnside.frontends.murphi.names.scope import Refused, Scope
from burnside.frontends.murphi.names.terms import TypeName, Value, Wrong, constant
from burnside.frontends.murphi.names.types import (
    BOOLEAN,
    Array,
    Enumeration,
    Range,
    Record,
    Scalarset,
    Simple,
    Type,
    Union,
    describe,
    is_simple,
)
from burnside.frontends.murphi.read import syntax
from burnside.frontends.murphi.read.syntax import Name
from burnside.ir.check import LARGEST_DOMAIN
from burnside.ir.nodes import Const
from burnside.source import Span
from burnside.values import replace

_LARGEST: Final = 1 << 20  # scalarsets, whose values all have names


class Declarations(Expressions):
    """Understands types and constants."""

    def declare_constant(self, declared: syntax.ConstantDeclaration, scope: Scope, given: int | None = None) -> None:
        """Let a name stand for a value that is known."""
        try:
            with self.collecting():
                found = self.value(declared.value, scope)
            if not isinstance(found.expr, Const):
                message = "a constant must be known before the model runs"
                self.report.stop("BUR207", message, declared.value.span)
            if given is not None:
                found = self._given(declared.name, found, given)
            scope.declare(declared.name, replace(found, fixed=True))
        except Refused:
            scope.declare(declared.name, Wrong())

    def _given(self, name: Name, found: Value, given: int) -> Value:
        if found.type == BOOLEAN and given in (0, 1):
            return constant(BOOLEAN, given, name.span)
        if not isinstance(found.type, Range):
            message = f"'{name.text}' is {describe(found.type)}, which is not given as a number"
            self.report.stop("BUR211", message, name.span)
        return Value(found.type, Const(given, None, name.span), True, name.span)

    def declare_type(self, declared: syntax.TypeDeclaration, scope: Scope) -> None:
        """Let a name stand for a type."""
        try:
            found = self.type(declared.type, scope)
            # The first name of a type is the one that messages and traces have.
            if not found.name:
                found = replace(found, name=declared.name.text)
            scope.declare(declared.name, TypeName(found))
        except Refused:
            scope.declare(declared.name, Wrong())

    def type(self, expr: syntax.TypeExpression, scope: Scope) -> Type:
        """A type."""
        match expr:
            case syntax.NamedType(name=name, span=span):
                found = scope.find(Name(name, span))
                if not isinstance(found, TypeName):
                    self.report.stop("BUR203", f"'{name}' is not a type", span)
                return found.type
            case syntax.BooleanType():
                return BOOLEAN
            case syntax.RangeType():
                return self._range(expr, scope)
            case syntax.EnumType(labels=labels, span=span):
                return self._enumeration(labels, span, scope)
            case syntax.ScalarsetType(size=size, span=span):
                count = self.known(size, scope, "the size of a scalarset")
                if not 1 <= count <= _LARGEST:
                    self.report.stop("BUR205", f"a scalarset cannot have {count:,} values", size.span)
                return Scalarset(count, span=span)
            case syntax.UnionType():
                return self._union(expr, scope)
            case syntax.RecordType():
                return self._record(expr, scope)
            case syntax.ArrayType(index=index, element=element):
                return Array(self.simple_type(index, scope, "indices"), self.type(element, scope))
            case syntax.MultisetType(span=span):
                self.refuse_multiset(span)
                raise Refused

    def simple_type(self, expr: syntax.TypeExpression, scope: Scope, what: str) -> Simple:
        """A type whose values have no parts."""
        found = self.type(expr, scope)
        if not is_simple(found):
            self.report.stop("BUR203", f"{what} have no parts, but this is {describe(found)}", expr.span)
        return found  # type: ignore[return-value]

    def _range(self, expr: syntax.RangeType, scope: Scope) -> Type:
        low = self.known(expr.low, scope, "where a range begins")
        high = self.known(expr.high, scope, "where a range ends")
        if high < low:
            self.report.stop("BUR205", f"the range {low} .. {high} is empty", expr.span)
        if high - low >= LARGEST_DOMAIN - 1:
            self.report.stop("BUR205", f"the range {low} .. {high} has too many values", expr.span)
        return Range(low, high, span=expr.span)

    def _enumeration(self, labels: tuple[Name, ...], span: Span, scope: Scope) -> Type:
        if not labels:
            self.report.stop("BUR205", "an enumeration has at least one label", span)
        found = Enumeration(tuple(label.text for label in labels), span=span)
        for number, label in enumerate(labels):
            scope.declare(label, constant(found, number, label.span))
        return found

    def _union(self, expr: syntax.UnionType, scope: Scope) -> Type:
        parts: list[Enumeration | Scalarset] = []
        for part in expr.parts:
            found = self.type(part, scope)
            own = found.parts if isinstance(found, Union) else (found,)
            for kind in own:
                if not isinstance(kind, Enumeration | Scalarset):
                    message = f"a union is made of scalarsets and enumerations, not of {describe(kind)}"
                    self.report.stop("BUR203", message, part.span)
                if kind in parts and any(kind == p and kind.name == p.name for p in parts):
                    self.report.stop("BUR202", f"{describe(kind)} is in this union already", part.span)
                parts.append(kind)
        return Union(tuple(parts), span=expr.span)

    def _record(self, expr: syntax.RecordType, scope: Scope) -> Type:
        fields: dict[str, Type] = {}
        for field in expr.fields:
            if field.name.text in fields:
                self.report.stop("BUR202", f"field '{field.name.text}' is declared twice", field.name.span)
            fields[field.name.text] = self.type(field.type, scope)
        return Record(tuple(fields.items()))
