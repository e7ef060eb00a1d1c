"""Operators, quantifiers and questions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NoReturn

from burnside.frontends.murphi.lower.code import WIDE, offset_of
from burnside.frontends.murphi.lower.symbolic import writes_state
from burnside.frontends.murphi.lower.terms import Terms
from burnside.frontends.murphi.names.arithmetic import arithmetic, negative
from burnside.frontends.murphi.names.scope import Scope
from burnside.frontends.murphi.names.terms import (
    Place,
    Value,
    bound_value,
    number_of,
    value_of,
)
from burnside.frontends.murphi.names.types import (
    BOOLEAN,
    INTEGER,
    Enumeration,
    Range,
    Scalarset,
    Simple,
    Union,
    describe,
    domain_of,
    is_assignable,
    is_simple,
    size_of,
    undefined_of,
)
from burnside.frontends.murphi.read import syntax
from burnside.frontends.murphi.read.syntax import Expression
from burnside.ir import nodes as n
from burnside.ir.build import conjunction, connect, negation, truth
from burnside.ir.nodes import FALSE, Binary, Bound, Choice, Const, Domain, Expr
from burnside.ir.semantics import apply_operator
from burnside.source import Span

_LOGIC: Final = {"&": "&&", "&&": "&&", "|": "||", "||": "||"}


class Expressions(Terms):
    """Lowers expressions."""

    # ------------------------------------------------------------ operators

    def computed(self, expr: Expression, scope: Scope) -> Value:  # noqa: RET503 (stop does not return)
        """The value of operators and questions."""
        match expr:
            case syntax.Number(value=number):
                return Value(INTEGER, Const(number, None, expr.span), True, expr.span)
            case syntax.Truth(value=value):
                return Value(BOOLEAN, truth(value, expr.span), True, expr.span)
            case syntax.Unary(operator=operator, operand=operand):
                return self._unary(operator, operand, expr.span, scope)
            case syntax.Binary():
                return self._binary(expr, scope)
            case syntax.Chain():
                return self._chain(expr, scope)
            case syntax.Conditional():
                return self._conditional(expr, scope)
            case syntax.Quantified():
                return self._quantified(expr, scope)
            case syntax.IsUndefined(place=place):
                return self._is_undefined(place, expr.span, scope)
            case syntax.IsMember():
                return self._is_member(expr, scope)
            case syntax.Undefined():
                remedy = "'undefined' is given to variables and parameters; ask with 'isundefined'"
                self.report.stop("BUR203", "'undefined' is not a value", expr.span, help=remedy)
            case syntax.MultisetCount():
                return self.refuse_multiset(expr.span)
            case _:
                raise AssertionError(expr)

    def refuse_multiset(self, span: Span) -> NoReturn:
        """Report multisets."""
        remedy = "use an array with a scalarset as index, and a field that says which elements are used"
        self.report.stop("BUR901", "multisets are not supported", span, help=remedy)

    def _unary(self, operator: str, operand: Expression, span: Span, scope: Scope) -> Value:
        if operator == "!":
            return Value(BOOLEAN, negation(self.truth(operand, scope), span), span=span)
        found = self.number(operand, scope)
        if operator == "+":
            return Value(INTEGER, found.expr, found.fixed, span)
        minus = negative(found.expr, span)
        if operator == "~":
            minus = arithmetic("-", minus, Const(1), span)
        return Value(INTEGER, minus, found.fixed, span)

    def _binary(self, expr: syntax.Binary, scope: Scope) -> Value:
        sign = expr.operator
        if sign in ("=", "!="):
            return self._comparison(expr, scope)
        if sign == "->":
            left = self.truth(expr.left, scope)
            with self.collecting() as before:
                found = self._truth_value(expr.right, scope)
            if not self.place_of_use and writes_state(before):
                decided = self._decided_later("||", [negation(left)], before, found.expr, expr.span)
                return Value(BOOLEAN, decided, True, expr.span)
            right = self.without_statements(before, found, expr.right.span).expr
            if isinstance(left, Const):
                return Value(BOOLEAN, right if left.value else truth(True, expr.span), span=expr.span)
            return Value(BOOLEAN, Binary("=>", left, right, expr.span), span=expr.span)
        parts = [lambda side=side: self.number(side, scope) for side in (expr.left, expr.right)]
        left_value, right_value = self.in_order(parts)
        is_fixed = left_value.fixed and right_value.fixed
        one, other = left_value.expr, right_value.expr
        if sign in ("<", "<=", ">=", ">"):
            if isinstance(one, Const) and isinstance(other, Const):
                decided = truth(bool(apply_operator(sign, one.value, other.value)), expr.span)
                return Value(BOOLEAN, decided, True, expr.span)
            return Value(BOOLEAN, Binary(sign, one, other, expr.span), is_fixed, expr.span)
        return Value(INTEGER, arithmetic(sign, one, other, expr.span), is_fixed, expr.span)

    def _truth_value(self, expr: Expression, scope: Scope) -> Value:
        return Value(BOOLEAN, self.truth(expr, scope), span=expr.span)

    def _comparison(self, expr: syntax.Binary, scope: Scope) -> Value:
        if isinstance(expr.left, syntax.Name | syntax.Element | syntax.Member | syntax.Call):
            before = len(self.out)
            left = self.term(expr.left, scope)
            if isinstance(left, Place) and not is_simple(left.type):
                return self._same_parts(left, expr, scope)
            del self.out[before:]
        parts = [lambda side=side: self.value(side, scope) for side in (expr.left, expr.right)]
        one, other = self.in_order(parts)
        if not is_assignable(one.type, other.type) and not is_assignable(other.type, one.type):
            message = f"{describe(one.type)} is compared with {describe(other.type)}"
            self.report.stop("BUR203", message, expr.span)
        equal = self.equal(one, other, expr.span)
        return Value(
            BOOLEAN, equal if expr.operator == "=" else negation(equal, expr.span), one.fixed and other.fixed, expr.span
        )

    def _same_parts(self, left: Place, expr: syntax.Binary, scope: Scope) -> Value:
        right = self.term(expr.right, scope)
        if not isinstance(right, Place) or right.type != left.type:
            message = f"{describe(left.type)} is compared with {describe(right.type)}"
            self.report.stop("BUR203", message, expr.span)
        found = self.same(left, right)
        return Value(BOOLEAN, found if expr.operator == "=" else negation(found), span=expr.span)

    def equal(self, one: Value, other: Value, span: Span) -> Expr:
        """Whether two values are the same."""
        left, right = number_of(one), number_of(other)
        if isinstance(one.type, Union) or isinstance(other.type, Union):
            left, right = self._in_one_union(one, other)
        if isinstance(left, Const) and isinstance(right, Const):
            return truth(left.value == right.value, span)
        return Binary("==", left, right, span)

    def _in_one_union(self, one: Value, other: Value) -> tuple[Expr, Expr]:
        """Numbers that are equal if the values are: those in the union that has both types, or in one made of both."""
        if isinstance(one.type, Union) and isinstance(other.type, Union) and one.type != other.type:
            parts = dict.fromkeys((*one.type.parts, *other.type.parts))
            whole: Simple = Union(tuple(parts))
        else:
            whole = one.type if isinstance(one.type, Union) else other.type
        return self.fit(one, whole), self.fit(other, whole)

    def _chain(self, expr: syntax.Chain, scope: Scope) -> Value:
        first = self.value(expr.operands[0], scope)
        if isinstance(first.type, Range) and expr.operator in ("&", "|"):
            rest = [lambda o=o: self.number(o, scope) for o in expr.operands[1:]]
            found = first
            for other in self.in_order([lambda: first, *rest])[1:]:
                number = arithmetic(expr.operator, found.expr, other.expr, expr.span)
                found = Value(INTEGER, number, found.fixed and other.fixed, expr.span)
            return found
        if first.type != BOOLEAN:
            message = f"expected a truth value, found {describe(first.type)}"
            self.report.stop("BUR203", message, expr.operands[0].span)
        conditions = [first.expr]
        for operand in expr.operands[1:]:
            with self.collecting() as before:
                found = self._truth_value(operand, scope)
            if before and writes_state(before) and not self.place_of_use:
                conditions = [self._decided_later(_LOGIC[expr.operator], conditions, before, found.expr, expr.span)]
            elif before:
                conditions.append(self.without_statements(before, found, operand.span).expr)
            else:
                conditions.append(found.expr)
        return Value(BOOLEAN, connect(_LOGIC[expr.operator], conditions, expr.span), span=expr.span)

    def _decided_later(
        self, operator: str, conditions: Sequence[Expr], before: Sequence[n.Stmt], last: Expr, span: Span
    ) -> Expr:
        """``&&`` or ``||`` of which the last operand takes statements that happen only if it is evaluated."""
        name, domain = self.fresh("so_far"), domain_of(BOOLEAN)
        so_far = connect(operator, conditions, span)
        self.out.append(n.Declare(name, domain, Choice(so_far, Const(1), Const(0)), span))
        target = Bound(name, domain, span)
        asked = Binary("==", target, Const(int(operator == "&&")), span)
        body = (*before, n.Assign(target, Choice(last, Const(1), Const(0)), span))
        self.out.append(n.If(asked, body, (), span))
        return Binary("==", target, Const(1), span)

    def _conditional(self, expr: syntax.Conditional, scope: Scope) -> Value:
        condition = self.truth(expr.condition, scope)
        with self.collecting() as before_then:
            then = self.value(expr.then, scope)
        with self.collecting() as before_otherwise:
            otherwise = self.value(expr.otherwise, scope)
        if not self.place_of_use and writes_state((*before_then, *before_otherwise)):
            return self._branches(condition, (then, before_then), (otherwise, before_otherwise), expr.span)
        then = self.without_statements(before_then, then, expr.then.span)
        otherwise = self.without_statements(before_otherwise, otherwise, expr.otherwise.span)
        kind = then.type
        if not is_assignable(kind, otherwise.type):
            message = f"one side is {describe(kind)}, the other {describe(otherwise.type)}"
            self.report.stop("BUR203", message, expr.span)
        if isinstance(condition, Const):
            return then if condition.value else otherwise
        if isinstance(kind, Range):
            kind = INTEGER
        if kind == BOOLEAN:
            return Value(BOOLEAN, Choice(condition, then.expr, otherwise.expr, expr.span), span=expr.span)
        one, other = self.fit(then, kind), self.fit(otherwise, kind)
        return value_of(kind, Choice(condition, one, other, expr.span), expr.span)

    def _branches(
        self, condition: Expr, then: tuple[Value, list[n.Stmt]], otherwise: tuple[Value, list[n.Stmt]], span: Span
    ) -> Value:
        """One of two values that take statements, which happen only if the value is chosen."""
        kind = INTEGER if isinstance(then[0].type, Range) else then[0].type
        domain = WIDE if isinstance(kind, Range) else domain_of(kind)
        target = Bound(self.fresh("chosen"), domain, span)
        self.out.append(n.Declare(target.name, domain, Const(domain.low if domain != WIDE else 0), span))
        blocks = [
            (*before, n.Assign(target, number_of(side) if kind == INTEGER else self.fit(side, kind), span))
            for side, before in (then, otherwise)
        ]
        self.out.append(n.If(condition, blocks[0], blocks[1], span))
        return value_of(kind, target, span, fixed=True)

    # ------------------------------------------------------------ names that are bound

    def _quantified(self, expr: syntax.Quantified, scope: Scope) -> Value:
        inner = scope.inner()
        name, domain = self.bound(expr.binder, inner)
        body = self.alone(lambda: self._truth_value(expr.body, inner), expr.body.span).expr
        return Value(BOOLEAN, n.Quantified(expr.word, name, domain, body, expr.span), span=expr.span)

    def bound(self, binder: syntax.Binder, scope: Scope) -> tuple[str, Domain]:
        """Bind a name to all values that it has, which are known before the model runs; how the model says that."""
        name = self.fresh(binder.name.text)
        if isinstance(binder, syntax.Over):
            kind = self.type(binder.type, scope)
            if not is_simple(kind):
                self.report.stop("BUR203", f"names do not range over {describe(kind)}", binder.type.span)
            scope.bind(binder.name, bound_value(kind, name, binder.name.span))  # type: ignore[arg-type]
            return name, domain_of(kind)  # type: ignore[arg-type]
        first = self.known(binder.first, scope, "where a name begins")
        last = self.known(binder.last, scope, "where a name ends")
        step = 1 if binder.step is None else self.known(binder.step, scope, "a step")
        count = self.rounds(first, last, step, binder)
        number: Expr = Bound(name, Domain("", 0, count - 1), binder.name.span)
        if step != 1:
            number = Binary("+", Const(first), Binary("*", Const(step), number))
        else:
            number = Bound(name, Domain("", first, last), binder.name.span)
        low, high = sorted((first, first + (count - 1) * step))
        scope.bind(binder.name, Value(Range(low, high), number, True, binder.name.span))
        return name, Domain("", first, last) if step == 1 else Domain("", 0, count - 1)

    def rounds(self, first: int, last: int, step: int, binder: syntax.Steps) -> int:
        """How many values there are from one to another."""
        if step == 0:
            span = binder.step.span if binder.step is not None else binder.name.span
            self.report.stop("BUR205", "with a step of 0 this has no end", span, help="the step is 1 if none is given")
        count = (last - first) // step + 1
        if count < 1:
            message = f"from {first} to {last} in steps of {step} there is nothing"
            self.report.stop("BUR205", message, binder.first.span.to(binder.last.span), help="write 'by -1' to go down")
        return count

    # ------------------------------------------------------------ questions

    def _is_undefined(self, expr: Expression, span: Span, scope: Scope) -> Value:
        found = self.term(expr, scope) if isinstance(expr, syntax.Name | syntax.Element | syntax.Member) else None
        if found is None or (isinstance(found, Value) and found.is_constant):
            self.report.stop("BUR203", "'isundefined' asks about places, not about values", span)
        if isinstance(found, Value):
            return Value(BOOLEAN, FALSE, True, span)
        if not is_simple(found.type):
            message = f"'isundefined' asks about single values, not about {describe(found.type)}"
            self.report.stop("BUR203", message, span, help="ask about its parts")
        kind: Simple = found.type  # type: ignore[assignment]
        return Value(BOOLEAN, Binary("==", self.raw(found), Const(undefined_of(kind)), span), span=span)

    def _is_member(self, expr: syntax.IsMember, scope: Scope) -> Value:
        found, kind = self.value(expr.value, scope), self.type(expr.type, scope)
        if not isinstance(kind, Scalarset | Enumeration):
            message = f"values of a union are of scalarsets and enumerations, not {describe(kind)}"
            self.report.stop("BUR203", message, expr.type.span)
        if found.type == kind:
            return Value(BOOLEAN, truth(True, expr.span), True, expr.span)
        if not isinstance(found.type, Union) or kind not in found.type.parts:
            return Value(BOOLEAN, truth(False, expr.span), True, expr.span)
        low = offset_of(found.type, kind)
        inside = (
            Binary("<=", Const(low), found.expr, expr.span),
            Binary("<=", found.expr, Const(low + size_of(kind) - 1), expr.span),
        )
        return Value(BOOLEAN, conjunction(inside, expr.span), found.fixed, expr.span)
