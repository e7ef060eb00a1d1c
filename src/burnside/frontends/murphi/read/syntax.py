"""Murphi texts as trees. Spans say where a node came from, not what it is."""

from __future__ import annotations

from typing import Any, TypeAlias, final

from burnside.source import Span
from burnside.values import dataclass, field


def _span() -> Any:
    return field(compare=False, repr=False)


@final
@dataclass(frozen=True, slots=True)
class Name:
    """A name where it stands: a constant, variable, parameter, alias or label."""

    text: str
    span: Span = _span()


# ---------------------------------------------------------------- expressions


@final
@dataclass(frozen=True, slots=True)
class Number:
    """A whole number."""

    value: int
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class Truth:
    """``true`` or ``false``."""

    value: bool
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class Undefined:
    """``undefined`` where a value is given."""

    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class Element:
    """An element of an array or multiset."""

    whole: Expression
    index: Expression
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class Member:
    """A field of a record."""

    whole: Expression
    name: Name
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class Call:
    """A function or procedure with arguments."""

    name: Name
    arguments: tuple[Expression, ...]
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class Unary:
    """``! - + ~`` of an operand."""

    operator: str
    operand: Expression
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class Binary:
    """An operator between two operands."""

    operator: str
    left: Expression
    right: Expression
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class Chain:
    """``& && | ||`` between several operands: of numbers, the first and third of these are about bits."""

    operator: str
    operands: tuple[Expression, ...]
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class Conditional:
    """``condition ? then : otherwise``."""

    condition: Expression
    then: Expression
    otherwise: Expression
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class Quantified:
    """``forall`` or ``exists``."""

    word: str
    binder: Binder
    body: Expression
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class IsUndefined:
    """Whether a place has no value."""

    place: Expression
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class IsMember:
    """Whether a value of a union is one of a type."""

    value: Expression
    type: TypeExpression
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class MultisetCount:
    """How many entries of a multiset meet a condition."""

    index: Name
    multiset: Expression
    condition: Expression
    span: Span = _span()


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
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class BooleanType:
    """``boolean``."""

    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class RangeType:
    """``low .. high``."""

    low: Expression
    high: Expression
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class EnumType:
    """``enum {a, b}``."""

    labels: tuple[Name, ...]
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class ScalarsetType:
    """``scalarset(size)``."""

    size: Expression
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class UnionType:
    """``union {A, B}``."""

    parts: tuple[TypeExpression, ...]
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class RecordType:
    """``record … end``."""

    fields: tuple[Field, ...]
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class ArrayType:
    """``array [index] of element``."""

    index: TypeExpression
    element: TypeExpression
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class MultisetType:
    """``multiset [size] of element``."""

    size: Expression
    element: TypeExpression
    span: Span = _span()


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


# ---------------------------------------------------------------- statements


@final
@dataclass(frozen=True, slots=True)
class Assignment:
    """``target := value``."""

    target: Expression
    value: Expression
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class If:
    """Conditions with their statements, the first that is true decides; then those of ``else``."""

    branches: tuple[tuple[Expression, Block], ...]
    otherwise: Block
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class Switch:
    """Values with their statements, and those of ``else``."""

    subject: Expression
    cases: tuple[tuple[tuple[Expression, ...], Block], ...]
    otherwise: Block
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class For:
    """Statements for all values of a name, in order."""

    binder: Binder
    body: Block
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class While:
    """Statements while a condition holds."""

    condition: Expression
    body: Block
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class WithAliases:
    """Statements in which places and values have names."""

    aliases: tuple[Alias, ...]
    body: Block
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class Perform:
    """A call for its effect."""

    call: Call
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class Return:
    """Leave a routine or rule."""

    value: Expression | None
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class Check:
    """``assert``, ``assume`` or ``cover`` among statements."""

    word: str
    condition: Expression
    message: str
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class Failure:
    """``error "…"``."""

    message: str
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class Put:
    """``put`` of a value or, if there is none, of a text."""

    value: Expression | None
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class Clear:
    """``clear place``: the least values."""

    place: Expression
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class Undefine:
    """``undefine place``."""

    place: Expression
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class MultisetAdd:
    """``MultiSetAdd(value, multiset)``."""

    value: Expression
    multiset: Expression
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class MultisetRemove:
    """``MultiSetRemove(index, multiset)``."""

    index: Expression
    multiset: Expression
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class MultisetRemoveAll:
    """``MultiSetRemovePred(index: multiset, condition)``."""

    index: Name
    multiset: Expression
    condition: Expression
    span: Span = _span()


Statement: TypeAlias = (
    Assignment
    | If
    | Switch
    | For
    | While
    | WithAliases
    | Perform
    | Return
    | Check
    | Failure
    | Put
    | Clear
    | Undefine
    | MultisetAdd
    | MultisetRemove
    | MultisetRemoveAll
)
Block: TypeAlias = tuple[Statement, ...]


# ---------------------------------------------------------------- declarations


@final
@dataclass(frozen=True, slots=True)
class ConstantDeclaration:
    """A constant."""

    name: Name
    value: Expression


@final
@dataclass(frozen=True, slots=True)
class TypeDeclaration:
    """A name for a type."""

    name: Name
    type: TypeExpression


@final
@dataclass(frozen=True, slots=True)
class VariableDeclaration:
    """A variable, of the state or local."""

    field: Field


@final
@dataclass(frozen=True, slots=True)
class Routine:
    """A function or, without ``result``, a procedure."""

    name: Name
    parameters: tuple[Field, ...]
    result: TypeExpression | None
    declarations: tuple[Declaration, ...]
    body: Block
    span: Span = _span()


Declaration: TypeAlias = ConstantDeclaration | TypeDeclaration | VariableDeclaration


# ---------------------------------------------------------------- rules


@final
@dataclass(frozen=True, slots=True)
class Rule:
    """A rule; ``title`` is empty if it has none."""

    title: str
    guard: Expression | None
    declarations: tuple[Declaration, ...]
    body: Block
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class StartState:
    """A program that makes an initial state."""

    title: str
    declarations: tuple[Declaration, ...]
    body: Block
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class Property:
    """``invariant``, ``assert``, ``assume``, ``cover`` or ``liveness`` among rules."""

    word: str
    condition: Expression
    title: str
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class Ruleset:
    """Rules for all values of some names."""

    binders: tuple[Binder, ...]
    rules: tuple[AnyRule, ...]
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class AliasedRules:
    """Rules in which places and values have names."""

    aliases: tuple[Alias, ...]
    rules: tuple[AnyRule, ...]
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class Choose:
    """Rules for every entry of a multiset."""

    index: Name
    multiset: Expression
    rules: tuple[AnyRule, ...]
    span: Span = _span()


AnyRule: TypeAlias = Rule | StartState | Property | Ruleset | AliasedRules | Choose
Item: TypeAlias = Declaration | Routine | AnyRule
