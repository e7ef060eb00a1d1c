"""Statements, declarations and rules, as trees."""

from __future__ import annotations

from typing import TypeAlias, final

from burnside.frontends.murphi.read.syntax.expressions import (
    Alias,
    Binder,
    Call,
    Expression,
    Field,
    Name,
    TypeExpression,
    span_field,
)
from burnside.source import Span
from burnside.values import dataclass


@final
@dataclass(frozen=True, slots=True)
class Assignment:
    """``target := value``."""

    target: Expression
    value: Expression
    span: Span = span_field()


@final
@dataclass(frozen=True, slots=True)
class If:
    """Conditions with their statements, the first that is true decides; then those of ``else``."""

    branches: tuple[tuple[Expression, Block], ...]
    otherwise: Block
    span: Span = span_field()


@final
@dataclass(frozen=True, slots=True)
class Switch:
    """Values with their statements, and those of ``else``."""

    subject: Expression
    cases: tuple[tuple[tuple[Expression, ...], Block], ...]
    otherwise: Block
    span: Span = span_field()


@final
@dataclass(frozen=True, slots=True)
class For:
    """Statements for all values of a name, in order."""

    binder: Binder
    body: Block
    span: Span = span_field()


@final
@dataclass(frozen=True, slots=True)
class While:
    """Statements while a condition holds."""

    condition: Expression
    body: Block
    span: Span = span_field()


@final
@dataclass(frozen=True, slots=True)
class WithAliases:
    """Statements in which places and values have names."""

    aliases: tuple[Alias, ...]
    body: Block
    span: Span = span_field()


@final
@dataclass(frozen=True, slots=True)
class Perform:
    """A call for its effect."""

    call: Call
    span: Span = span_field()


@final
@dataclass(frozen=True, slots=True)
class Return:
    """Leave a routine or rule."""

    value: Expression | None
    span: Span = span_field()


@final
@dataclass(frozen=True, slots=True)
class Check:
    """``assert``, ``assume`` or ``cover`` among statements."""

    word: str
    condition: Expression
    message: str
    span: Span = span_field()


@final
@dataclass(frozen=True, slots=True)
class Failure:
    """``error "…"``."""

    message: str
    span: Span = span_field()


@final
@dataclass(frozen=True, slots=True)
class Put:
    """``put`` of a value or, if there is none, of a text."""

    value: Expression | None
    span: Span = span_field()


@final
@dataclass(frozen=True, slots=True)
class Clear:
    """``clear place``: the least values."""

    place: Expression
    span: Span = span_field()


@final
@dataclass(frozen=True, slots=True)
class Undefine:
    """``undefine place``."""

    place: Expression
    span: Span = span_field()


@final
@dataclass(frozen=True, slots=True)
class MultisetAdd:
    """``MultiSetAdd(value, multiset)``."""

    value: Expression
    multiset: Expression
    span: Span = span_field()


@final
@dataclass(frozen=True, slots=True)
class MultisetRemove:
    """``MultiSetRemove(index, multiset)``."""

    index: Expression
    multiset: Expression
    span: Span = span_field()


@final
@dataclass(frozen=True, slots=True)
class MultisetRemoveAll:
    """``MultiSetRemovePred(index: multiset, condition)``."""

    index: Name
    multiset: Expression
    condition: Expression
    span: Span = span_field()


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
    span: Span = span_field()


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
    span: Span = span_field()


@final
@dataclass(frozen=True, slots=True)
class StartState:
    """A program that makes an initial state."""

    title: str
    declarations: tuple[Declaration, ...]
    body: Block
    span: Span = span_field()


@final
@dataclass(frozen=True, slots=True)
class Property:
    """``invariant``, ``assert``, ``assume``, ``cover`` or ``liveness`` among rules."""

    word: str
    condition: Expression
    title: str
    span: Span = span_field()


@final
@dataclass(frozen=True, slots=True)
class Ruleset:
    """Rules for all values of some names."""

    binders: tuple[Binder, ...]
    rules: tuple[AnyRule, ...]
    span: Span = span_field()


@final
@dataclass(frozen=True, slots=True)
class AliasedRules:
    """Rules in which places and values have names."""

    aliases: tuple[Alias, ...]
    rules: tuple[AnyRule, ...]
    span: Span = span_field()


@final
@dataclass(frozen=True, slots=True)
class Choose:
    """Rules for every entry of a multiset."""

    index: Name
    multiset: Expression
    rules: tuple[AnyRule, ...]
    span: Span = span_field()


AnyRule: TypeAlias = Rule | StartState | Property | Ruleset | AliasedRules | Choose
Item: TypeAlias = Declaration | Routine | AnyRule
