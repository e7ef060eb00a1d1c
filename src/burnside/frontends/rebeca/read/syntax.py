"""Rebeca texts as trees. Spans say where a node came from, not what it is."""

from __future__ import annotations

from typing import Any, TypeAlias, final

from burnside.source import Span
from burnside.values import dataclass, field


def _span() -> Any:
    return field(compare=False, repr=False)


@final
@dataclass(frozen=True, slots=True)
class TypeName:
    """The name of a type, with the sizes of an array from the outside in."""

    name: str
    sizes: tuple[Expression, ...]
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
class Null:
    """The reference to no rebec."""

    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class Self:
    """The rebec that takes the message."""

    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class Sender:
    """The rebec that sent the message being taken."""

    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class Name:
    """A variable, parameter, known rebec or environment variable."""

    name: str
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class Text:
    """A text in quotes: only assertions have one."""

    text: str
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class Member:
    """``rebec.name`` without arguments: a state variable in a property."""

    owner: Expression
    name: str
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class Call:
    """``name(…)``, or a message to ``receiver``."""

    receiver: Expression | None
    name: str
    arguments: tuple[Expression, ...]
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class Index:
    """An element of an array."""

    array: Expression
    index: Expression
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
    """An operator on two operands."""

    operator: str
    left: Expression
    right: Expression
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
class Cast:
    """``(type) operand``."""

    type: TypeName
    operand: Expression
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class InstanceOf:
    """Whether a rebec is of a class."""

    operand: Expression
    type: TypeName
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class Pick:
    """``?(a, b, …)``: any of the alternatives."""

    alternatives: tuple[Expression, ...]
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class New:
    """``new Class(known rebecs):(arguments)``."""

    type: TypeName
    known: tuple[Expression, ...]
    arguments: tuple[Expression, ...]
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class Assignment:
    """``target = value`` and, with an ``operator``, ``target operator= value``; ``is_old`` gives the value before."""

    target: Expression
    operator: str
    value: Expression
    is_old: bool = False
    span: Span = field(kw_only=True, compare=False, repr=False)


Expression: TypeAlias = (
    Number
    | Truth
    | Null
    | Self
    | Sender
    | Name
    | Text
    | Member
    | Call
    | Index
    | Unary
    | Binary
    | Conditional
    | Cast
    | InstanceOf
    | Pick
    | New
    | Assignment
)


@final
@dataclass(frozen=True, slots=True)
class ArrayValue:
    """``{a, b, …}``: the initial value of an array."""

    items: tuple[Initial, ...]
    span: Span = _span()


Initial: TypeAlias = Expression | ArrayValue


# ---------------------------------------------------------------- statements


@final
@dataclass(frozen=True, slots=True)
class Field:
    """One declared variable with its type and perhaps a first value."""

    type: TypeName
    name: str
    initial: Initial | None
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class Declaration:
    """Local variables."""

    fields: tuple[Field, ...]
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class Evaluate:
    """An expression for its effect."""

    expression: Expression
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class Block:
    """Statements with a scope of their own."""

    body: tuple[Statement, ...]
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class If:
    """One of two statements."""

    condition: Expression
    then: Statement
    otherwise: Statement | None
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class Loop:
    """``for``, ``while`` and ``do``: ``runs_first`` is true of the last."""

    first: tuple[Statement, ...]
    condition: Expression | None
    after: tuple[Statement, ...]
    body: Statement
    runs_first: bool = False
    span: Span = field(kw_only=True, compare=False, repr=False)


@final
@dataclass(frozen=True, slots=True)
class Case:
    """A label of a ``switch`` (None is ``default``) and the statements up to the next label."""

    label: Expression | None
    body: tuple[Statement, ...]
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class Switch:
    """``switch``: cases fall through."""

    subject: Expression
    cases: tuple[Case, ...]
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class Return:
    """Leave a message server or method."""

    value: Expression | None
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class Leave:
    """``break`` or ``continue``."""

    word: str
    span: Span = _span()


Statement: TypeAlias = Declaration | Evaluate | Block | If | Loop | Switch | Return | Leave
