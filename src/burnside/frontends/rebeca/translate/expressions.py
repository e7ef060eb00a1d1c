"""Expressions of message servers as expressions of the model; effects inside them become statements before.

``x = y++ + f()`` becomes, with everything in the order of the text::

    var kept := y;  y := y + 1;  …the body of f…;  x := kept + result
"""

from __future__ import annotations

from abc import abstractmethod
from typing import assert_never

from burnside.frontends.rebeca.names.constants import Constants, NotConstant
from burnside.frontends.rebeca.names.types import ANY, BOOLEAN, INT, NULL, WIDTHS, Type
from burnside.frontends.rebeca.names.world import type_named
from burnside.frontends.rebeca.read import syntax
from burnside.frontends.rebeca.read.syntax import Expression, TypeName
from burnside.frontends.rebeca.translate.arithmetic import Arithmetic, eager, is_too_large
from burnside.frontends.rebeca.translate.places import PlaceTranslator
from burnside.frontends.rebeca.translate.scope import (
    Choice,
    Typed,
    Unusable,
)
from burnside.ir import nodes as n
from burnside.ir.build import disjunction, within
from burnside.ir.nodes import BOOL, FALSE, Domain, Expr
from burnside.ir.nodes import Choice as IfExpr
from burnside.source import Span

_EQUALITIES = ("==", "!=")
MOST_ALTERNATIVES = 256
_ORDERINGS = ("<", "<=", ">", ">=")


class ExpressionTranslator(PlaceTranslator):
    """Translates expressions; calls and sends are left to `statements`."""

    @abstractmethod
    def call(self, call: syntax.Call) -> Typed:
        """A message, a method or a built-in."""

    @abstractmethod
    def create(self, new: syntax.New) -> Typed:
        """A rebec that is created."""

    # ------------------------------------------------------------ expectations

    def truth(self, expr: Expression) -> Expr:
        """An expression that must be a truth value."""
        return self.fitting(expr, BOOLEAN)

    def number(self, expr: Expression) -> Typed:
        """An expression that must be a number."""
        found = self.value(expr)
        if not found.type.is_number:
            raise self.stop("BUR203", f"expected a number, found a value of type '{found.type}'", expr.span)
        return found

    def fitting(self, expr: Expression, wanted: Type) -> Expr:
        """An expression whose value goes where a type is wanted."""
        return self.adapt(self.value(expr), wanted, expr.span)

    def adapt(self, found: Typed, wanted: Type, span: Span) -> Expr:
        """A value where a type is wanted; ``sender`` is looked at when the model runs."""
        if found.type == wanted or (found.type.is_number and wanted.is_number):
            return found.expr
        if found.type.is_reference and wanted.is_reference:
            if self.world.is_kind_of(found.type, wanted):
                return found.expr
            if found.type == ANY:
                return self._cast_rebec(found, wanted, span)
        remedy = f"write '({wanted})' before it" if found.type.is_reference and wanted.is_reference else ""
        message = f"expected a value of type '{wanted}', found one of type '{found.type}'"
        raise self.stop("BUR203", message, span, help=remedy)

    # ------------------------------------------------------------ expressions

    def value(self, expr: Expression) -> Typed:
        """Any expression."""
        match expr:
            case syntax.Number(value=value):
                return Typed(INT, n.Const(value, span=expr.span))
            case syntax.Truth(value=truth):
                return Typed(BOOLEAN, n.Const(int(truth), BOOL, expr.span))
            case syntax.Null():
                return Typed(NULL, n.Const(self.world.size, span=expr.span))
            case syntax.Self():
                return Typed(Type(self.frame.kind.name), self.frame.self)
            case syntax.Sender():
                return Typed(ANY, self.frame.sender)
            case syntax.Name() | syntax.Index():
                _, place, indices = self.place(expr)
                return Typed(Type(place.type.name), self.read(place, indices, expr.span))
            case syntax.Text():
                raise self.stop("BUR203", "a text is no value", expr.span, help="only assertions have texts")
            case syntax.Member(name=name):
                remedy = "send it a message, or ask for it in a property file"
                raise self.stop(
                    "BUR203", f"the variable '{name}' of a rebec cannot be read here", expr.span, help=remedy
                )
            case syntax.Unary():
                return self._unary(expr)
            case syntax.Binary(operator="&&" | "||"):
                return self._logic(expr)
            case syntax.Binary():
                return self._binary(expr)
            case syntax.Conditional():
                return self._conditional(expr)
            case syntax.Cast():
                return self._cast(expr)
            case syntax.InstanceOf(operand=operand, type=kind):
                found = self.value(operand)
                return Typed(BOOLEAN, self._is_one_of(found, self.type(kind), expr.span))
            case syntax.Pick():
                return self._pick(expr)
            case syntax.Assignment():
                return self.assignment(expr)
            case syntax.Call():
                return self.call(expr)
            case syntax.New():
                return self.create(expr)
            case _:
                assert_never(expr)

    def type(self, text: TypeName) -> Type:
        """The type that a name means."""
        try:
            constants = Constants(self.world.environment, self.diagnostics)
            return type_named(text, self.world.classes, constants, self.diagnostics)
        except NotConstant as reported:
            raise Unusable from reported

    def _unary(self, expr: syntax.Unary) -> Typed:
        if expr.operator == "!":
            return Typed(BOOLEAN, n.Unary("!", self.truth(expr.operand), expr.span))
        operand = self.number(expr.operand)
        if expr.operator == "+":
            return Typed(INT, operand.expr)
        if expr.operator == "~":
            return Typed(INT, n.Binary("-", n.Const(-1), operand.expr, expr.span))
        if isinstance(operand.expr, n.Const):
            return Typed(INT, n.Const(-operand.expr.value, span=expr.span))
        return Typed(INT, n.Unary("-", operand.expr, expr.span))

    def _logic(self, expr: syntax.Binary) -> Typed:
        left = self.truth(expr.left)
        with self.block() as effects:
            right = self.truth(expr.right)
        if not effects:
            return Typed(BOOLEAN, n.Logic(expr.operator, (left, right), expr.span))
        result = self.declare("both", BOOLEAN, left, expr.span)
        condition: Expr = result if expr.operator == "&&" else n.Unary("!", result)
        self.out.append(n.If(condition, (*effects, n.Assign(result, right)), (), expr.span))
        return Typed(BOOLEAN, result)

    def _conditional(self, expr: syntax.Conditional) -> Typed:
        condition = self.truth(expr.condition)
        with self.block() as first:
            then = self.value(expr.then)
        with self.block() as second:
            otherwise = self.value(expr.otherwise)
        kind = self._common(then.type, otherwise.type, expr.span)
        if not first and not second:
            return Typed(kind, IfExpr(condition, then.expr, otherwise.expr, expr.span))
        result = self.declare("either", kind, self.zero(kind), expr.span)
        one, other = n.Assign(result, then.expr), n.Assign(result, otherwise.expr)
        self.out.append(n.If(condition, (*first, one), (*second, other), expr.span))
        return Typed(kind, result)

    def zero(self, kind: Type) -> Expr:
        """The value that a variable has before anything is assigned."""
        if kind == BOOLEAN:
            return FALSE
        return n.Const(0) if kind.is_number else n.Const(self.world.size)

    def _common(self, one: Type, other: Type, span: Span) -> Type:
        """The type of a value that is one or the other."""
        if one == other:
            return one
        if one.is_number and other.is_number:
            return INT
        if one.is_reference and other.is_reference:
            for kind, wanted in ((one, other), (other, one)):
                if self.world.is_kind_of(kind, wanted):
                    return wanted
            return ANY
        raise self.stop("BUR203", f"values of type '{one}' and '{other}' do not go together", span)

    def _binary(self, expr: syntax.Binary) -> Typed:
        left = self.value(expr.left)
        mark = len(self.out)
        right = self.value(expr.right)
        left = self.settle(left, mark)
        if expr.operator in _EQUALITIES:
            self._common(left.type, right.type, expr.span)
            return Typed(BOOLEAN, n.Binary(expr.operator, left.expr, right.expr, expr.span))
        return self.combine(expr.operator, left, right, expr.span)

    def combine(self, operator: str, left: Typed, right: Typed, span: Span) -> Typed:
        """An operator on two values."""
        if is_too_large(operator, left.expr, right.expr):
            remedy = "compute parts of it before, in variables"
            raise self.stop("BUR502", "this expression is too large when it is written out", span, help=remedy)
        if operator in ("&", "|", "^") and left.type == right.type == BOOLEAN:
            return Typed(BOOLEAN, eager(operator, left.expr, right.expr, span))
        for side in (left, right):
            if not side.type.is_number:
                raise self.stop("BUR203", f"'{operator}' needs numbers, found a value of type '{side.type}'", span)
        if operator in _ORDERINGS:
            return Typed(BOOLEAN, n.Binary(operator, left.expr, right.expr, span))
        if operator in ("+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"):
            return Typed(INT, self.arithmetic.operation(operator, left.expr, right.expr, span))
        raise self.stop("BUR203", f"'{operator}' has no meaning here", span)

    @property
    def arithmetic(self) -> Arithmetic:
        return Arithmetic(self.shape)

    # ------------------------------------------------------------ casts

    def _cast(self, expr: syntax.Cast) -> Typed:
        wanted = self.type(expr.type)
        if wanted.name in WIDTHS and not wanted.sizes:
            return Typed(wanted, self.arithmetic.cast(self.number(expr.operand).expr, wanted, expr.span))
        found = self.value(expr.operand)
        if found.type == wanted:
            return found
        if not (found.type.is_reference and wanted.is_reference):
            raise self.stop("BUR203", f"a value of type '{found.type}' cannot be cast to '{wanted}'", expr.span)
        if self.world.is_kind_of(found.type, wanted):
            return Typed(wanted, found.expr)
        if found.type != ANY and not self.world.is_kind_of(wanted, found.type):
            raise self.stop("BUR203", f"a '{found.type}' is never a '{wanted}'", expr.span)
        return Typed(wanted, self._cast_rebec(found, wanted, expr.span))

    def _cast_rebec(self, found: Typed, wanted: Type, span: Span) -> Expr:
        is_one = self._is_one_of(found, wanted, span)
        is_none = n.Binary("==", found.expr, n.Const(self.world.size))
        text = f"the rebec is no '{wanted}'"
        self.out.append(n.Assert(n.Logic("||", (is_none, is_one)), text, span))
        return found.expr

    def _is_one_of(self, found: Typed, wanted: Type, span: Span) -> Expr:
        if not (found.type.is_reference and wanted.is_reference):
            raise self.stop("BUR203", f"a value of type '{found.type}' is no rebec", span)
        cases = [self.is_of_class(found.expr, name) for name in self.world.concrete(wanted)]
        return disjunction(cases, span)

    def is_of_class(self, rebec: Expr, name: str) -> Expr:
        """Whether a rebec is of exactly this class."""
        ids = self.world.ids[name]
        if len(ids) == 1:
            return n.Binary("==", rebec, n.Const(ids[0]))
        return within(rebec, ids[0], ids[-1])

    # ------------------------------------------------------------ choices

    def _pick(self, expr: syntax.Pick) -> Typed:
        found: list[Typed] = []
        for alternative in expr.alternatives:
            mark = len(self.out)
            found.append(self.value(alternative))
            if len(self.out) > mark:
                raise self.stop(
                    "BUR901", "an alternative that has an effect", alternative.span, help="compute it before"
                )
        kind = found[0].type
        for other in found[1:]:
            kind = self._common(kind, other.type, expr.span)
        # Equal alternatives lead to the same state: they are one step.
        distinct = list(dict.fromkeys(alternative.expr for alternative in found))
        if len(distinct) > MOST_ALTERNATIVES:
            message = f"a choice has at most {MOST_ALTERNATIVES} alternatives, not {len(distinct):,}"
            raise self.stop("BUR502", message, expr.span, help="choose in several steps")
        if len(distinct) == 1:
            return Typed(kind, distinct[0])
        domain = Domain("", 0, len(distinct) - 1)
        choice = Choice(self.fresh("choice"), domain, tuple(distinct))
        self.choices.append(choice)
        picked = distinct[-1]
        for number in reversed(range(len(distinct) - 1)):
            picked = IfExpr(n.Binary("==", choice.parameter, n.Const(number)), distinct[number], picked, expr.span)
        return Typed(kind, self.declare("picked", kind, picked, expr.span))
