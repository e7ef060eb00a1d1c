"""Expressions, types and names that are bound, as trees."""

from __future__ import annotations

from typing import Any, TypeAlias, final

from burnside.source import Span
from burnside.values import dataclass, field


def span_field() -> Any:
    """Where a node came from, which is not what it is."""
    return field(compare=False, repr=False)


@final
@dataclass(frozen=True, slots=True)
class Name:
    """A name where it stands: a constant, variable, parameter, alias or label."""

    text: str
    span: Span = span_field()


# ---------------------------------------------------------------- expressions


@final
@dataclass(frozen=True, slots=True)
class Number:
    """A whole number."""

    value: int
    span: Span = span_field()


@final
@dataclass(frozen=True, slots=True)
class Truth:
    """``true`` or ``false``."""

    value: bool
    span: Span = span_field()


@final
@dataclass(frozen=True, slots=True)
class Undefined:
    """``undefined`` where a value is given."""

    span: Span = span_field()


@final
@dataclass(frozen=True, slots=True)
class Element:
    """An element of an array or multiset."""

    whole: Expression
    index: Expression
    span: Span = span_field()


@final
@dataclass(frozen=True, slots=True)
class Member:
    """A field of a record."""

    whole: Expression
    name: Name
    span: Span = span_field()


@final
@dataclass(frozen=True, slots=True)
class Call:
    """A function or procedure with arguments."""

    name: Name
    arguments: tuple[Expression, ...]
    span: Span = span_field()


@final
@dataclass(frozen=True, slots=True)
class Unary:
    """``! - + ~`` of an operand."""

    operator: str
    operand: Expression
    span: Span = span_field()


@final
@dataclass(frozen=True, slots=True)
class Binary:
    """An operator between two operands."""

    operator: str
    left: Expression
    right: Expression
    span: Span = span_field()


@final
@dataclass(frozen=True, slots=True)
class Chain:
    """``& && | ||`` between several operands: of numbers, the first and third of these are about bits."""

    operator: str
    operands: tuple[Expression, ...]
    span: Span = span_field()


@final
@dataclass(frozen=True, slots=True)
class Conditional:
    """``condition ? then : otherwise``."""

    condition: Expression
    then: Expression
    otherwise: Expression
    span: Span = span_field()


@final
@dataclass(frozen=True, slots=True)
class Quantified:
    """``forall`` or ``exists``."""

    word: str
    binder: Binder
    body: Expression
    span: Span = span_field()


@final
@dataclass(frozen=True, slots=True)
class IsUndefined:
    """Whether a place has no value."""

    place: Expression
    span: Span = span_field()


@final
@dataclass(frozen=True, slots=True)
class IsMember:
    """Whether a value of a union is one of a type."""

    value: Expression
    type: TypeExpression
    span: Span = span_field()


@final
@dataclass(frozen=True, slots=True)
class MultisetCount:
    """How many entries of a multiset meet a condition."""

    index: Name
    multiset: Expression
    condition: Expression
    span: Span = span_field()


Expression: TypeAlias = (
    Name
    | Number
    | Truth
    | Undefined
    | Element
    | Member
    | Call
    | Unary
    | Binary
    | Chain
    | Conditional
    | Quantified
    | IsUndefined
    | IsMember
    | MultisetCount
)


# ---------------------------------------------------------------- types


@final
@dataclass(frozen=True, slots=True)
class NamedType:
    """A type by its name."""

    name: str
    span: Span = span_field()


@final
@dataclass(frozen=True, slots=True)
class BooleanType:
    """``boolean``."""

    span: Span = span_field()


@final
@dataclass(frozen=True, slots=True)
class RangeType:
    """``low .. high``."""

    low: Expression
    high: Expression
    span: Span = span_field()


@final
@dataclass(frozen=True, slots=True)
class EnumType:
    """``enum {a, b}``."""

    labels: tuple[Name, ...]
    span: Span = span_field()


@final
@dataclass(frozen=True, slots=True)
class ScalarsetType:
    """``scalarset(size)``."""

    size: Expression
    span: Span = span_field()


@final
@dataclass(frozen=True, slots=True)
class UnionType:
    """``union {A, B}``."""

    parts: tuple[TypeExpression, ...]
    span: Span = span_field()


@final
@dataclass(frozen=True, slots=True)
class RecordType:
    """``record … end``."""

    fields: tuple[Field, ...]
    span: Span = span_field()


@final
@dataclass(frozen=True, slots=True)
class ArrayType:
    """``array [index] of element``."""

    index: TypeExpression
    element: TypeExpression
    span: Span = span_field()


@final
@dataclass(frozen=True, slots=True)
class MultisetType:
    """``multiset [size] of element``."""

    size: Expression
    element: TypeExpression
    span: Span = span_field()


TypeExpression: TypeAlias = (
    NamedType | BooleanType | RangeType | EnumType | ScalarsetType | UnionType | RecordType | ArrayType | MultisetType
)


@final
@dataclass(frozen=True, slots=True)
class Field:
    """A name with its type: a field, variable or parameter; ``is_var`` of parameters that can be assigned."""

    name: Name
    type: TypeExpression
    is_var: bool = False


# ---------------------------------------------------------------- names that are bound


@final
@dataclass(frozen=True, slots=True)
class Over:
    """``name: type``: all values of a type."""

    name: Name
    type: TypeExpression


@final
@dataclass(frozen=True, slots=True)
class Steps:
    """``name := first to last by step``."""

    name: Name
    first: Expression
    last: Expression
    step: Expression | None


Binder: TypeAlias = Over | Steps


@final
@dataclass(frozen=True, slots=True)
class Alias:
    """``name: value``."""

    name: Name
    value: Expression
