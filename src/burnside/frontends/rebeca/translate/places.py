"""Names in expressions, and what is assigned: variables, locals, known rebecs, elements of arrays."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import assert_never, final

from burnside.frontends.rebeca.names.types import BOOLEAN, INT, Type
from burnside.frontends.rebeca.read import syntax
from burnside.frontends.rebeca.read.syntax import Expression
from burnside.frontends.rebeca.translate.arithmetic import Arithmetic
from burnside.frontends.rebeca.translate.scope import (
    EnvironmentVariable,
    KnownRebec,
    Local,
    Meaning,
    OwnVariable,
    Scope,
    Typed,
    Unusable,
)
from burnside.ir import nodes as n
from burnside.ir.nodes import BOOL, Expr, Stmt
from burnside.ir.nodes import Choice as IfExpr
from burnside.source import Span, did_you_mean
from burnside.values import dataclass


@final
@dataclass(frozen=True, slots=True)
class Target:
    """What is assigned: its type, and how it is read and written."""

    type: Type
    read: Callable[[], Expr]
    write: Callable[[Expr], list[Stmt]]


class PlaceTranslator(Scope, ABC):
    """Translates names and assignments; the values of other expressions are left to `expressions`."""

    @abstractmethod
    def value(self, expr: Expression) -> Typed:
        """The value of an expression."""

    @abstractmethod
    def number(self, expr: Expression) -> Typed:
        """An expression that must be a number."""

    @abstractmethod
    def fitting(self, expr: Expression, wanted: Type) -> Expr:
        """An expression whose value goes where a type is wanted."""

    @abstractmethod
    def combine(self, operator: str, left: Typed, right: Typed, span: Span) -> Typed:
        """An operator of two values."""

    @property
    @abstractmethod
    def arithmetic(self) -> Arithmetic:
        """Operators of Java."""

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
        known += [name for scope in self.frame.scopes for name in scope]
        remedy = did_you_mean(expr.name, [*known, "self", "sender", "true", "false", "null"])
        raise self.stop("BUR201", f"'{expr.name}' is not known here", expr.span, help=remedy)

    def place(self, expr: syntax.Name | syntax.Index) -> tuple[syntax.Name, Meaning, list[Expr]]:
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

    def read(self, place: Meaning, indices: Sequence[Expr], span: Span) -> Expr:
        """What is read at a place: a variable, an element, a known rebec."""
        match place:
            case Local(constant=n.Const() as constant):
                return constant
            case Local(places=(only,)) if not indices:
                return only
            case Local():
                return self._read_local(place, self._flat_index(place, indices, span), span)
            case OwnVariable(name=name):
                return n.Read(f"{self.frame.kind.name}.{name}", (self.frame.self, *indices), span)
            case KnownRebec(name=name):
                return self._known(name, span)
            case EnvironmentVariable(type=kind, value=int() as value):
                return n.Const(value, BOOL if kind == BOOLEAN else None, span)
            case EnvironmentVariable(type=kind, name=name):
                lookup = n.Lookup(f"env.{name}", tuple(indices), span)
                return n.Binary("==", lookup, n.Const(1)) if kind.name == BOOLEAN.name else lookup
            case _:
                assert_never(place)

    def _known(self, name: str, span: Span) -> Expr:
        kind = self.frame.kind.name
        if kind in self.world.pools:
            return n.Read(f"{kind}.{name}", (self.frame.self,), span)
        if kind not in self.world.ids:
            return n.Const(0)  # no rebec of this class exists: the program is only checked
        first = self.world.ids[kind][0]
        index = n.Binary("-", self.frame.self, n.Const(first)) if first else self.frame.self
        return n.Lookup(f"{kind}.{name}", (index,), span)

    def _flat_index(self, local: Local, indices: Sequence[Expr], span: Span) -> Expr:
        """The number of an element of a local array; an index outside is a fault."""
        flat: Expr = n.Const(0)
        for size, index in zip(local.type.sizes, indices, strict=True):
            inside = n.Logic("&&", (n.Binary("<=", n.Const(0), index), n.Binary("<", index, n.Const(size))))
            self.out.append(n.Assert(inside, f"an index outside 0..{size - 1}", span))
            flat = n.Binary("+", n.Binary("*", flat, n.Const(size)), index)
        return self.declare("index", INT, flat, span)

    def _read_local(self, local: Local, at: Expr, span: Span) -> Expr:
        found: Expr = local.places[-1]
        for number in reversed(range(len(local.places) - 1)):
            found = IfExpr(n.Binary("==", at, n.Const(number)), local.places[number], found, span)
        return found

    # ------------------------------------------------------------ assignments

    def assignment(self, expr: syntax.Assignment) -> Typed:
        """An assignment, with its value: the new one, or the old one behind ``x++``."""
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
            return self.arithmetic.cast(result.expr, old.type, expr.span)  # as in Java, 'x += 1' casts
        if result.type != old.type:
            raise self.stop("BUR203", f"'{expr.operator}=' on a variable of type '{old.type}'", expr.span)
        return result.expr

    def _target(self, target: Expression) -> Target:
        """A variable or an element of an array that is assigned."""
        if not isinstance(target, syntax.Name | syntax.Index):
            raise self.stop("BUR210", "only variables can be assigned", target.span)
        name, place, indices = self.place(target)
        if not isinstance(place, Local | OwnVariable) or (isinstance(place, Local) and place.constant):
            raise self._unassignable(name, place)
        # The indices may name what the value changes: they are computed once, before it.
        indices = [i if isinstance(i, n.Const) else self.declare("at", INT, i, target.span) for i in indices]
        if isinstance(place, Local) and indices:
            return self._local_element(place, self._flat_index(place, indices, target.span), target.span)
        variable = self.read(place, indices, target.span)
        assert isinstance(variable, n.Read | n.Bound)
        return Target(Type(place.type.name), lambda: variable, lambda new: [n.Assign(variable, new, target.span)])

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
                n.If(n.Binary("==", at, n.Const(number)), (n.Assign(place, value, span),))
                for number, place in enumerate(local.places)
            ]

        return Target(kind, lambda: self._read_local(local, at, span), write)
