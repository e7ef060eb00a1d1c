"""Expressions: values and places, in the order in which they are evaluated.

An expression of the model changes nothing. What has to happen first, such as a call of a function, is written out as
statements in front, and operands that are evaluated before keep their values. Where there is no place for statements,
as in guards, they are turned into an expression again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeVar

from burnside.frontends.murphi.lower.code import Code, element, member
from burnside.frontends.murphi.lower.symbolic import Unforeseeable, as_expression, writes_state
from burnside.frontends.murphi.names.scope import Report, Scope
from burnside.frontends.murphi.names.terms import (
    Place,
    Procedure,
    Term,
    TypeName,
    Value,
    number_of,
    value_of,
)
from burnside.frontends.murphi.names.types import (
    BOOLEAN,
    Array,
    Range,
    Record,
    Simple,
    Type,
    describe,
    is_assignable,
    is_simple,
)
from burnside.frontends.murphi.read import syntax
from burnside.frontends.murphi.read.syntax import Expression
from burnside.ir import nodes as n
from burnside.ir.nodes import Bound, Const, Expr
from burnside.source import Span

T = TypeVar("T")

_LOGIC: Final = {"&": "&&", "&&": "&&", "|": "||", "||": "||"}


class Terms(Code):
    """Lowers names, their parts, and what is expected of an expression.

    ``place_of_use`` says where an expression stands if nothing can be assigned there.
    """

    def __init__(self, report: Report) -> None:
        super().__init__(report)
        self.place_of_use = ""

    # ------------------------------------------------------------ what is expected

    def term(self, expr: Expression, scope: Scope) -> Term:
        """A value, or a place if the expression is one."""
        match expr:
            case syntax.Name():
                return self._named(expr, scope)
            case syntax.Element() | syntax.Member():
                return self._part(expr, scope)
            case syntax.Call():
                found = self.call(expr, scope)
                if found is None:
                    remedy = "call a function here"
                    self.report.stop(
                        "BUR203", f"the procedure '{expr.name.text}' has no result", expr.span, help=remedy
                    )
                return found
            case _:
                return self.computed(expr, scope)

    def value(self, expr: Expression, scope: Scope) -> Value:
        """A value without parts; a place must have one."""
        found = self.term(expr, scope)
        if isinstance(found, Value):
            return found
        if not is_simple(found.type):
            self.report.stop("BUR203", f"expected a single value, found {describe(found.type)}", expr.span)
        return self.read(found)

    def truth(self, expr: Expression, scope: Scope) -> Expr:
        """A condition."""
        found = self.value(expr, scope)
        if found.type != BOOLEAN:
            self.report.stop("BUR203", f"expected a truth value, found {describe(found.type)}", expr.span)
        return found.expr

    def number(self, expr: Expression, scope: Scope) -> Value:
        """A number."""
        found = self.value(expr, scope)
        if not isinstance(found.type, Range):
            self.report.stop("BUR203", f"expected a number, found {describe(found.type)}", expr.span)
        return found

    def known(self, expr: Expression, scope: Scope, what: str) -> int:
        """A number that is known before the model runs."""
        with self.collecting():
            found = self.number(expr, scope)
        if not isinstance(found.expr, Const):
            self.report.stop("BUR207", f"{what} must be known before the model runs", expr.span)
        return found.expr.value

    def place(self, expr: Expression, scope: Scope, what: str) -> Place:
        """A place that can be assigned."""
        found = self.term(expr, scope)
        if not isinstance(found, Place) or isinstance(expr, syntax.Call):
            self.report.stop("BUR210", f"this is a value, which cannot be {what}", expr.span)
        if found.readonly:
            remedy = "make it a 'var' parameter, or use a variable"
            self.report.stop("BUR210", f"'{expr.span.text}' can only be read, not {what}", expr.span, help=remedy)
        if self.place_of_use and not found.root.local:
            message = f"a step of the model cannot be part of {self.place_of_use}"
            self.report.stop("BUR210", message, expr.span, help="what a function does here must have no effect")
        return found

    def in_order(self, parts: Sequence[Callable[[], Value]]) -> list[Value]:
        """Values that are evaluated one after the other, also if one of them takes statements."""
        found: list[Value] = []
        for part in parts:
            before = len(self.out)
            value = part()
            if len(self.out) > before and not all(earlier.fixed for earlier in found):
                moved = self.out[before:]
                del self.out[before:]
                found = [self.saved(earlier) for earlier in found]
                self.out += moved
            found.append(value)
        return found

    def alone(self, lower: Callable[[], Value], span: Span) -> Value:
        """A value for a place where no statement can stand in front."""
        with self.collecting() as before:
            found = lower()
        return self.without_statements(before, found, span)

    def without_statements(self, before: Sequence[n.Stmt], found: Value, span: Span) -> Value:
        """A value and the statements in front of it as a value alone."""
        if not before:
            return found
        if writes_state(before):
            where = self.place_of_use or "an expression that may not be evaluated"
            message = f"a function that assigns variables of the state cannot be called in {where}"
            self.report.stop("BUR901", message, span, help="call it in a statement of its own, in front")
        try:
            number = as_expression(before, number_of(found))
        except Unforeseeable as reason:
            message = f"a function with {reason} cannot be called here"
            self.report.stop("BUR901", message, span, help="call it in a statement of its own, in front")
        return value_of(found.type, number, span)

    # ------------------------------------------------------------ names and parts

    def _named(self, name: syntax.Name, scope: Scope) -> Term:  # noqa: RET503 (stop does not return)
        found = scope.find(name)
        match found:
            case Value(type=kind, expr=expr, fixed=fixed, number=number):
                return Value(kind, _at(expr, name.span), fixed, name.span, number)
            case Place():
                return Place(
                    found.root, found.type, found.suffix, found.indices, found.dimensions, found.readonly, name.span
                )
            case TypeName():
                self.report.stop("BUR203", f"'{name.text}' is a type, not a value", name.span)
            case Procedure():
                remedy = f"call it: '{name.text}(…)'"
                self.report.stop("BUR203", f"'{name.text}' is a routine, not a value", name.span, help=remedy)
            case _:
                raise AssertionError("what is wrong has no meaning")

    def _part(self, expr: syntax.Element | syntax.Member, scope: Scope) -> Place:
        whole = self.term(expr.whole, scope)
        what = "elements" if isinstance(expr, syntax.Element) else "fields"
        if not isinstance(whole, Place) or is_simple(whole.type):
            self.report.stop("BUR203", f"{describe(whole.type)} has no {what}", expr.whole.span)
        if isinstance(expr, syntax.Member):
            if not isinstance(whole.type, Record):
                self.report.stop("BUR203", f"{describe(whole.type)} has no fields", expr.whole.span)
            found = member(whole, expr.name.text, expr.span)
            if found is None:
                names = ", ".join(name for name, _ in whole.type.fields)
                message = f"there is no field '{expr.name.text}'"
                self.report.stop("BUR201", message, expr.name.span, help=f"the record has: {names}")
            return found
        if not isinstance(whole.type, Array):
            self.report.stop("BUR203", f"{describe(whole.type)} has no elements", expr.whole.span)
        before = len(self.out)
        index = self._index(expr.index, whole.type.index, scope)
        if len(self.out) > before and whole.indices:
            moved = self.out[before:]
            del self.out[before:]
            whole = self.frozen(whole)
            self.out += moved
        return element(whole, index, expr.span)

    def _index(self, expr: Expression, kind: Simple, scope: Scope) -> Expr:
        found = self.value(expr, scope)
        if not is_assignable(kind, found.type):
            message = f"the index is {describe(found.type)}, expected {describe(kind)}"
            self.report.stop("BUR203", message, expr.span)
        if isinstance(kind, Range):
            return found.expr  # the model says which index is outside
        return self.fit(found, kind)

    # ------------------------------------------------------------ by those that build on this

    def computed(self, expr: Expression, scope: Scope) -> Value:
        """The value of operators and questions."""
        raise NotImplementedError

    def call(self, call: syntax.Call, scope: Scope) -> Term | None:
        """The result of a routine, written out where it is called."""
        raise NotImplementedError

    def type(self, expr: syntax.TypeExpression, scope: Scope) -> Type:
        """A type."""
        raise NotImplementedError


def _at(expr: Expr, span: Span) -> Expr:
    """A name with the place where it is used."""
    match expr:
        case Const(value=value, domain=domain):
            return Const(value, domain, span)
        case Bound(name=name, domain=domain):
            return Bound(name, domain, span)
        case _:
            return expr
