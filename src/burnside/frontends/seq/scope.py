"""What the names in a text mean at the place the parser has reached.

Global names live in one space, so that a name never means two things; labels of different enumerations
are the one exception and are told apart by ``Domain.label``. Local names may not hide global ones:
definitions can then be expanded without asking whose name is meant.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias, final

from burnside.frontends.kit.names import Broken
from burnside.frontends.seq.terms import Term
from burnside.frontends.seq.types import RecordType, SequenceType, Type
from burnside.ir.ids import Declared
from burnside.ir.nodes import Const, Constant, Domain, Stmt, Value, Variable
from burnside.source import Span
from burnside.values import dataclass, field


@final
@dataclass(frozen=True, slots=True)
class Label:
    """The values that share a label; using one without its domain needs them to be one and the same."""

    values: tuple[Const, ...]


@final
@dataclass(frozen=True, slots=True)
class TypedConstant:
    """A constant that is a truth value or a label."""

    value: Const


@final
@dataclass(frozen=True, slots=True)
class TypedName:
    """A parameter of any type; ``span`` is where the type is written."""

    name: str
    type: Type
    span: Span | None = field(default=None, compare=False)


@final
@dataclass(frozen=True, slots=True)
class Compound:
    """A variable whose elements have parts: in the model, a variable for each of them."""

    name: str
    dimensions: tuple[Domain, ...]
    type: Type


@final
@dataclass(frozen=True, slots=True)
class Definition:
    """A named value over parameters."""

    name: str
    parameters: tuple[TypedName, ...]
    body: Term


@final
@dataclass(frozen=True, slots=True)
class Variant:
    """One of the forms of a union: the number of its tag, and the fields it has."""

    name: str
    union: RecordType
    number: int
    fields: tuple[tuple[str, Domain], ...]


@final
@dataclass(frozen=True, slots=True)
class ProcedureParameter:
    """A parameter of a procedure: a value, or a reference to a place that the body may change."""

    name: str
    type: Type
    is_reference: bool
    span: Span | None = field(default=None, compare=False)

    @property
    def stand_in(self) -> str:
        """The variable that stands for a reference while the body is read; no text can have its name."""
        return f"`{self.span.start if self.span else 0}`{self.name}"


def plain_name(name: str) -> str:
    """The name of a variable or a part of one, of a stand-in that of its parameter."""
    return name.rpartition("`")[2]


@final
@dataclass(frozen=True, slots=True)
class Procedure:
    """Statements with a name, written out where they are called."""

    name: str
    parameters: tuple[ProcedureParameter, ...]
    body: tuple[Stmt, ...]
    span: Span | None = field(default=None, compare=False)


@final
@dataclass(frozen=True, slots=True)
class Local:
    """A name inside a rule, property, definition or quantifier; ``what`` names its kind in messages.

    With ``dimensions`` it is an array of single values.
    """

    type: Type
    what: str
    span: Span | None = field(default=None, compare=False)
    dimensions: tuple[Domain, ...] = ()

    @property
    def domain(self) -> Domain:
        """The domain of a local that is a single value."""
        assert isinstance(self.type, Domain)
        return self.type

    @property
    def is_mutable(self) -> bool:
        """Whether statements may assign it."""
        return self.what in ("local variable", "reference")


_Valued: TypeAlias = Constant | TypedConstant | Variable | Compound | Definition | Label
Entity: TypeAlias = _Valued | Domain | RecordType | Variant | Procedure | Broken


def describe(entity: Entity) -> str:
    """What kind of thing a global name is, for messages."""
    match entity:
        case Constant(value=value):
            return "a constant list" if isinstance(value, tuple) else "a constant"
        case TypedConstant():
            return "a constant"
        case Domain():
            return "a domain"
        case RecordType():
            return "a record type"
        case Variable():
            return "a sequence" if entity.is_sequence else "a variable"
        case Compound(type=kind):
            return "a sequence" if isinstance(kind, SequenceType) else "a variable"
        case Definition():
            return "a definition"
        case Procedure():
            return "a procedure"
        case Variant():
            return "a variant of a union"
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
        self.optional: set[Domain] = set()  # domains that are written ``D?``
        self.stand_ins: dict[str, str] = {}  # locals that are variables while a definition or a procedure is read
        self.inlined = 0  # nodes that calls of procedures have added to the declaration being read
        self.domains: list[Domain] = []  # in the order of their declarations, also of those that types imply

    def declare(self, name: str, entity: Entity, span: Span) -> None:
        """Give a global name its meaning; the caller has made sure that it is free."""
        self.globals[name] = entity
        self.spans[name] = span
        if isinstance(entity, Variable):
            self.variables[name] = entity
        elif isinstance(entity, Constant) and isinstance(entity.value, tuple):
            self.tables[name] = entity.value

    def declare_compound(self, compound: Compound, variables: Iterable[Variable], span: Span) -> None:
        """Declare a variable with parts; the names of its parts are taken as well."""
        for variable in variables:
            self.declare(variable.name, variable, span)
        self.globals[compound.name] = compound
        self.spans[compound.name] = span

    @property
    def declared(self) -> Declared:
        """What says which expressions are ids."""
        return Declared(self.variables, self.globals, self.optional)

    def least(self, domain: Domain) -> int:
        """What a variable begins with if nothing is said: the least value, or none if it need not have any."""
        return domain.high if domain in self.optional else domain.low

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

    def around(self) -> set[str]:
        """Every name that a new local may not have, those of variables that stand for references included."""
        return {*self.locals, *self.globals, *self.variables}

    def known(self) -> Iterable[str]:
        """Every name that could be meant here; parts and elements have no names of their own."""
        return (name for name in (*self.locals, *self.globals) if not {".", "["} & {*name})
