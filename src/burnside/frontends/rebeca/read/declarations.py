"""Declarations of Rebeca texts and property files as trees."""

from __future__ import annotations

from typing import final

from burnside.frontends.rebeca.read.syntax import Block, Expression, Field, TypeName, _span
from burnside.source import Span
from burnside.values import dataclass, field

# ---------------------------------------------------------------- declarations


@final
@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a message server, method or constructor."""

    type: TypeName
    name: str
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class Routine:
    """A message server, method (``result`` is its type) or constructor; without a body it is abstract."""

    name: str
    parameters: tuple[Parameter, ...]
    body: Block | None
    result: TypeName | None
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class ReactiveClass:
    """A reactive class, or an interface: that has abstract message servers only."""

    name: str
    parents: tuple[tuple[str, Span], ...]
    queue: Expression | None
    known: tuple[Field, ...]
    variables: tuple[Field, ...]
    constructors: tuple[Routine, ...]
    servers: tuple[Routine, ...]
    methods: tuple[Routine, ...]
    is_abstract: bool = False
    is_interface: bool = False
    span: Span = field(kw_only=True, compare=False, repr=False)


@final
@dataclass(frozen=True, slots=True)
class Instance:
    """A rebec of ``main``: its class, its known rebecs, the arguments of its first message or constructor."""

    type: TypeName
    name: str
    known: tuple[Expression, ...]
    arguments: tuple[Expression, ...]
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class Program:
    """A whole text."""

    environment: tuple[Field, ...]
    classes: tuple[ReactiveClass, ...]
    instances: tuple[Instance, ...]


@final
@dataclass(frozen=True, slots=True)
class Formula:
    """A named formula of a property file."""

    name: str
    condition: Expression
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class PropertyFile:
    """Definitions, assertions, and formulas of linear temporal logic."""

    definitions: tuple[Formula, ...]
    assertions: tuple[Formula, ...]
    temporal: tuple[Formula, ...]
