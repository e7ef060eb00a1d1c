"""What the names in a text mean at the place the parser has reached.

Global names live in one space, so that a name never means two things; labels of different enumerations
are the one exception and are told apart by ``Domain.label``. Local names may not hide global ones:
definitions can then be expanded without asking whose name is meant.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias, final

from burnside.frontends.kit.names import Broken
from burnside.ir.nodes import Const, Constant, Domain, Expr, Parameter, Value, Variable
from burnside.source import Span
from burnside.values import dataclass, field


@final
@dataclass(frozen=True, slots=True)
class Label:
    """The values that share a label; using one without its domain needs them to be one and the same."""

    values: tuple[Const, ...]


@final
@dataclass(frozen=True, slots=True)
class Definition:
    """A named expression over parameters; ``size`` counts its nodes after expansion."""

    name: str
    parameters: tuple[Parameter, ...]
    body: Expr
    size: int


@final
@dataclass(frozen=True, slots=True)
class Local:
    """A name inside a rule, property, definition or quantifier; ``what`` names its kind in messages."""

    domain: Domain
    what: str
    span: Span | None = field(default=None, compare=False)

    @property
    def is_mutable(self) -> bool:
        """Whether statements may assign it."""
        return self.what == "local variable"


Entity: TypeAlias = Constant | Domain | Variable | Definition | Label | Broken


def describe(entity: Entity) -> str:
    """What kind of thing a global name is, for messages."""
    match entity:
        case Constant(value=value):
            return "a constant list" if isinstance(value, tuple) else "a constant"
        case Domain():
            return "a domain"
        case Variable():
            return "a sequence" if entity.is_sequence else "a variable"
        case Definition():
            return "a definition"
        case Label():
            return "a label"
        case Broken():
            return "declared wrongly"


@final
class Scope:
    """Global names so far, and the local names around the place that is being read."""

    def __init__(self) -> None:
        self.globals: dict[str, Entity] = {}
        self.spans: dict[str, Span] = {}
        self.locals: dict[str, Local] = {}
        self.variables: dict[str, Variable] = {}
        self.tables: dict[str, Value] = {}

    def declare(self, name: str, entity: Entity, span: Span) -> None:
        """Give a global name its meaning; the caller has made sure that it is free."""
        self.globals[name] = entity
        self.spans[name] = span
        if isinstance(entity, Variable):
            self.variables[name] = entity
        elif isinstance(entity, Constant) and isinstance(entity.value, tuple):
            self.tables[name] = entity.value

    def declare_label(self, label: Const, name: str, span: Span) -> None:
        """Add a label; the caller has made sure that the name is free or a label."""
        known = self.globals.get(name)
        shared = known.values if isinstance(known, Label) else ()
        self.globals[name] = Label((*shared, label))
        self.spans.setdefault(name, span)

    def place_of(self, name: str) -> Span | None:
        """Where a name was declared."""
        local = self.locals.get(name)
        return local.span if local is not None else self.spans.get(name)

    def is_taken(self, name: str) -> bool:
        """Whether a new local name would hide something."""
        return name in self.locals or name in self.globals

    def known(self) -> Iterable[str]:
        """Every name that could be meant here."""
        return (*self.locals, *self.globals)
