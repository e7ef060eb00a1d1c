"""What names and expressions stand for: values, places, types and routines."""

from __future__ import annotations

from typing import TypeAlias, final

from burnside.frontends.murphi.names.types import BOOLEAN, Simple, Type, domain_of
from burnside.frontends.murphi.read import syntax
from burnside.ir.build import truth
from burnside.ir.nodes import BOOL, Binary, Bound, Choice, Const, Expr
from burnside.source import Span
from burnside.values import dataclass, field


@final
@dataclass(frozen=True, slots=True)
class Value:
    """A value without parts, as an expression of the model: a number or, of ``boolean``, a truth value.

    It is ``fixed`` if it is the same wherever its name is known: it depends on parameters and constants only. A truth
    value that was made of a number has that ``number``, 0 or 1.
    """

    type: Simple
    expr: Expr
    fixed: bool = False
    span: Span | None = field(default=None, compare=False, repr=False)
    number: Expr | None = field(default=None, compare=False, repr=False)

    @property
    def is_constant(self) -> bool:
        """Whether it is known before the model runs."""
        return isinstance(self.expr, Const)


@final
@dataclass(frozen=True, slots=True)
class Variable:
    """What holds values: a variable of the state or, if it is ``local``, one of a rule or routine."""

    name: str
    type: Type
    local: bool = False


@final
@dataclass(frozen=True, slots=True)
class Place:
    """A variable or part of one: the fields that lead to it, and the indices of arrays on the way.

    ``dimensions`` are the types of the indices.
    """

    root: Variable
    type: Type
    suffix: str = ""
    indices: tuple[Expr, ...] = ()
    dimensions: tuple[Simple, ...] = ()
    readonly: bool = False
    span: Span | None = field(default=None, compare=False, repr=False)

    @property
    def name(self) -> str:
        """The variable of the model, if the place has no parts."""
        return self.root.name + self.suffix


@final
@dataclass(frozen=True, slots=True)
class TypeName:
    """A name for a type."""

    type: Type


@final
@dataclass(frozen=True, slots=True)
class Nothing:
    """``undefined`` where a value is given."""

    span: Span | None = field(default=None, compare=False, repr=False)


@final
@dataclass(frozen=True)
class Procedure:
    """A routine: its text, the types of its parameters and result, and the names that are known where it stands."""

    text: syntax.Routine
    parameters: tuple[tuple[syntax.Field, Type], ...]
    result: Type | None
    scope: object = field(compare=False, repr=False)


@final
@dataclass(frozen=True, slots=True)
class Wrong:
    """What could not be understood: that was said once, and is not said again."""


Term: TypeAlias = Value | Place
Meaning: TypeAlias = Value | Place | TypeName | Procedure | Wrong


def number_of(value: Value) -> Expr:
    """The number of a value, also of a truth value."""
    if value.type != BOOLEAN:
        return value.expr
    if isinstance(value.expr, Const):
        return Const(value.expr.value, None, value.span)
    return value.number or Choice(value.expr, Const(1), Const(0), value.span)


def value_of(kind: Simple, number: Expr, span: Span | None = None, *, fixed: bool = False) -> Value:
    """The value that a number stands for."""
    if kind != BOOLEAN:
        return Value(kind, number, fixed, span)
    if isinstance(number, Const):
        return Value(kind, truth(bool(number.value), span), fixed, span)
    return Value(kind, Binary("==", number, Const(1), span), fixed, span, number)


def bound_value(kind: Simple, name: str, span: Span | None = None) -> Value:
    """The value that a parameter or quantified name stands for."""
    return value_of(kind, Bound(name, domain_of(kind), span), span, fixed=True)


def constant(kind: Simple, number: int, span: Span | None = None) -> Value:
    """A value that is known."""
    return Value(kind, Const(number, BOOL if kind == BOOLEAN else None, span), True, span)
