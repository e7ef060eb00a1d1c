"""Expressions of message servers as expressions of the model; effects inside them become statements before.

``x = y++ + f()`` becomes, with everything in the order of the text::

    var kept := y;  y := y + 1;  …the body of f…;  x := kept + result
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import assert_never, final

from burnside.frontends.rebeca import syntax
from burnside.frontends.rebeca.arithmetic import Arithmetic, eager, is_too_large
from burnside.frontends.rebeca.constants import Constants, NotConstant
from burnside.frontends.rebeca.scope import (
    Choice,
    EnvironmentVariable,
    KnownRebec,
    Local,
    Meaning,
    OwnVariable,
    Scope,
    Typed,
    Unusable,
)
from burnside.frontends.rebeca.syntax import Expression, TypeName
from burnside.frontends.rebeca.types import ANY, BOOLEAN, INT, NULL, WIDTHS, Type
from burnside.frontends.rebeca.world import type_named
from burnside.ir.build import disjunction, within
from burnside.ir.nodes import (
    BOOL,
    FALSE,
    Assert,
    Assign,
    Binary,
    Bound,
    Const,
    Domain,
    Expr,
    If,
    Logic,
    Lookup,
    Read,
    Stmt,
    Unary,
)
from burnside.ir.nodes import Choice as IfExpr
from burnside.source import Span, did_you_mean

_EQUALITIES = ("==", "!=")
MOST_ALTERNATIVES = 256
_ORDERINGS = ("<", "<=", ">", ">=")


@final
@dataclass(frozen=True, slots=True)
class Target:
    """What is assigned: its type, and how it is read and written."""

    type: Type
    read: Callable[[], Expr]
    write: Callable[[Expr], list[Stmt]]


class ExpressionTranslator(Scope, ABC):
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
                return Typed(INT, Const(value, span=expr.span))
            case syntax.Truth(value=truth):
                return Typed(BOOLEAN, Const(int(truth), BOOL, expr.span))
            case syntax.Null():
                return Typed(NULL, Const(self.world.size, span=expr.span))
            case syntax.Self():
                return Typed(Type(self.frame.kind.name), self.frame.self)
            case syntax.Sender():
                return Typed(ANY, self.frame.sender)
            case syntax.Name() | syntax.Index():
                _, place, indices = self._place(expr)
                return Typed(Type(place.type.name), self._read(place, indices, expr.span))
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
                return self._assignment(expr)
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
            return Typed(BOOLEAN, Unary("!", self.truth(expr.operand), expr.span))
        operand = self.number(expr.operand)
        if expr.operator == "+":
            return Typed(INT, operand.expr)
        if expr.operator == "~":
            return Typed(INT, Binary("-", Const(-1), operand.expr, expr.span))
        if isinstance(operand.expr, Const):
            return Typed(INT, Const(-operand.expr.value, span=expr.span))
        return Typed(INT, Unary("-", operand.expr, expr.span))

    def _logic(self, expr: syntax.Binary) -> Typed:
        left = self.truth(expr.left)
        with self.block() as effects:
            right = self.truth(expr.right)
        if not effects:
            return Typed(BOOLEAN, Logic(expr.operator, (left, right), expr.span))
        result = self.declare("both", BOOLEAN, left, expr.span)
        condition: Expr = result if expr.operator == "&&" else Unary("!", result)
        self.out.append(If(condition, (*effects, Assign(result, right)), (), expr.span))
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
        one, other = Assign(result, then.expr), Assign(result, otherwise.expr)
        self.out.append(If(condition, (*first, one), (*second, other), expr.span))
        return Typed(kind, result)

    def zero(self, kind: Type) -> Expr:
        """The value that a variable has before anything is assigned."""
        if kind == BOOLEAN:
            return FALSE
        return Const(0) if kind.is_number else Const(self.world.size)

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
            return Typed(BOOLEAN, Binary(expr.operator, left.expr, right.expr, expr.span))
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
            return Typed(BOOLEAN, Binary(operator, left.expr, right.expr, span))
        if operator in ("+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"):
            return Typed(INT, self._arithmetic.operation(operator, left.expr, right.expr, span))
        raise self.stop("BUR203", f"'{operator}' has no meaning here", span)

    @property
    def _arithmetic(self) -> Arithmetic:
        return Arithmetic(self.shape)

    # ------------------------------------------------------------ casts

    def _cast(self, expr: syntax.Cast) -> Typed:
        wanted = self.type(expr.type)
        if wanted.name in WIDTHS and not wanted.sizes:
            return Typed(wanted, self._arithmetic.cast(self.number(expr.operand).expr, wanted, expr.span))
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
        is_none = Binary("==", found.expr, Const(self.world.size))
        text = f"the rebec is no '{wanted}'"
        self.out.append(Assert(Logic("||", (is_none, is_one)), text, span))
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
            return Binary("==", rebec, Const(ids[0]))
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
            picked = IfExpr(Binary("==", choice.parameter, Const(number)), distinct[number], picked, expr.span)
        return Typed(kind, self.declare("picked", kind, picked, expr.span))

    # ------------------------------------------------------------ names

    def meaning(self, expr: syntax.Name) -> Meaning:
        """What a name stands for: locals hide what the class declares, and that hides the environment."""
        local = self.find(expr.name)
        if local is not None:
            return local
        kind = self.frame.kind
        for field in kind.variables:
            if field.name == expr.name:
                return OwnVariable(self.shape.type_of(field.type), field.name)
        for field in kind.known:
            if field.name == expr.name:
                return KnownRebec(self.shape.type_of(field.type), field.name)
        if expr.name in self.world.environment:
            value = self.world.environment[expr.name]
            return EnvironmentVariable(value.type, expr.name, value.value)
        known = [f.name for f in (*kind.variables, *kind.known)] + list(self.world.environment)
        known += [n for scope in self.frame.scopes for n in scope]
        remedy = did_you_mean(expr.name, [*known, "self", "sender", "true", "false", "null"])
        raise self.stop("BUR201", f"'{expr.name}' is not known here", expr.span, help=remedy)

    def _place(self, expr: syntax.Name | syntax.Index) -> tuple[syntax.Name, Meaning, list[Expr]]:
        """A name, what it stands for, and the indices behind it, computed from the left."""
        texts: list[Expression] = []
        array: Expression = expr
        while isinstance(array, syntax.Index):
            texts.insert(0, array.index)
            array = array.array
        if not isinstance(array, syntax.Name):
            raise self.stop("BUR203", "only variables have elements", expr.span)
        found = self.meaning(array)
        if found.type.sizes and not texts:
            raise self.stop("BUR203", f"'{array.name}' is an array", expr.span, help="choose an element: name[index]")
        if len(texts) != len(found.type.sizes):
            message = f"'{array.name}' takes {len(found.type.sizes)} indices, found {len(texts)}"
            raise self.stop("BUR204", message, expr.span)
        indices: list[Typed] = []
        for text in texts:
            mark = len(self.out)
            index = self.number(text)
            indices = [self.settle(earlier, mark) for earlier in indices] + [index]
        return array, found, [index.expr for index in indices]

    def _read(self, place: Meaning, indices: Sequence[Expr], span: Span) -> Expr:
        match place:
            case Local(constant=Const() as constant):
                return constant
            case Local(places=(only,)) if not indices:
                return only
            case Local():
                return self._read_local(place, self._flat_index(place, indices, span), span)
            case OwnVariable(name=name):
                return Read(f"{self.frame.kind.name}.{name}", (self.frame.self, *indices), span)
            case KnownRebec(name=name):
                return self._known(name, span)
            case EnvironmentVariable(type=kind, value=int() as value):
                return Const(value, BOOL if kind == BOOLEAN else None, span)
            case EnvironmentVariable(type=kind, name=name):
                lookup = Lookup(f"env.{name}", tuple(indices), span)
                return Binary("==", lookup, Const(1)) if kind.name == BOOLEAN.name else lookup
            case _:
                assert_never(place)

    def _known(self, name: str, span: Span) -> Expr:
        kind = self.frame.kind.name
        if kind in self.world.pools:
            return Read(f"{kind}.{name}", (self.frame.self,), span)
        if kind not in self.world.ids:
            return Const(0)  # no rebec of this class exists: the program is only checked
        first = self.world.ids[kind][0]
        index = Binary("-", self.frame.self, Const(first)) if first else self.frame.self
        return Lookup(f"{kind}.{name}", (index,), span)

    def _flat_index(self, local: Local, indices: Sequence[Expr], span: Span) -> Expr:
        """The number of an element of a local array; an index outside is a fault."""
        flat: Expr = Const(0)
        for size, index in zip(local.type.sizes, indices, strict=True):
            self.out.append(Assert(within(index, 0, size - 1), f"an index outside 0..{size - 1}", span))
            flat = Binary("+", Binary("*", flat, Const(size)), index)
        return self.declare("index", INT, flat, span)

    def _read_local(self, local: Local, at: Expr, span: Span) -> Expr:
        found: Expr = local.places[-1]
        for number in reversed(range(len(local.places) - 1)):
            found = IfExpr(Binary("==", at, Const(number)), local.places[number], found, span)
        return found

    # ------------------------------------------------------------ assignments

    def _assignment(self, expr: syntax.Assignment) -> Typed:
        target = self._target(expr.target)
        old: Expr | None = target.read() if expr.operator or expr.is_old else None
        if expr.is_old and old is not None:
            old = self.declare("old", target.type, old, expr.span)
        new = self.fitting(expr.value, target.type) if old is None else self._changed(expr, Typed(target.type, old))
        self.out += target.write(new)
        return Typed(target.type, old if expr.is_old and old is not None else target.read())

    def _changed(self, expr: syntax.Assignment, old: Typed) -> Expr:
        """The new value of ``x operator= value``."""
        mark = len(self.out)
        right = self.value(expr.value)
        result = self.combine(expr.operator, self.settle(old, mark), right, expr.span)
        if old.type.is_number:
            return self._arithmetic.cast(result.expr, old.type, expr.span)  # as in Java, 'x += 1' casts
        if result.type != old.type:
            raise self.stop("BUR203", f"'{expr.operator}=' on a variable of type '{old.type}'", expr.span)
        return result.expr

    def _target(self, target: Expression) -> Target:
        """A variable or an element of an array that is assigned."""
        if not isinstance(target, syntax.Name | syntax.Index):
            raise self.stop("BUR210", "only variables can be assigned", target.span)
        name, place, indices = self._place(target)
        if not isinstance(place, Local | OwnVariable) or (isinstance(place, Local) and place.constant):
            raise self._unassignable(name, place)
        # The indices may name what the value changes: they are computed once, before it.
        indices = [i if isinstance(i, Const) else self.declare("at", INT, i, target.span) for i in indices]
        if isinstance(place, Local) and indices:
            return self._local_element(place, self._flat_index(place, indices, target.span), target.span)
        variable = self._read(place, indices, target.span)
        assert isinstance(variable, Read | Bound)
        return Target(Type(place.type.name), lambda: variable, lambda new: [Assign(variable, new, target.span)])

    def _unassignable(self, name: syntax.Name, place: Meaning) -> Unusable:
        what, remedy = "", ""
        if isinstance(place, KnownRebec):
            what, remedy = "known rebec ", "known rebecs stay what they are; declare a variable under 'statevars'"
        elif isinstance(place, EnvironmentVariable):
            what = "environment variable "
        subject = f"the {what}'{name.name}'" if what else f"'{name.name}'"
        return self.stop("BUR210", f"{subject} cannot be assigned", name.span, help=remedy)

    def _local_element(self, local: Local, at: Expr, span: Span) -> Target:
        kind = Type(local.type.name)

        def write(new: Expr) -> list[Stmt]:
            value = self.declare("new", kind, new, span)
            self.written += len(local.places)
            self.shape.written += len(local.places)
            return [
                If(Binary("==", at, Const(number)), (Assign(place, value, span),))
                for number, place in enumerate(local.places)
            ]

        return Target(kind, lambda: self._read_local(local, at, span), write)
