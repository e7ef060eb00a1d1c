"""The variables of the sequential model: state variables as arrays over the rebecs of a class, queues as sequences.

A queue is several sequences of equal length: which message, who sent it, and a column for each parameter. Messages
with parameters of one sort share columns; where a message has no parameter for a column, a filler stands there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from math import prod
from typing import Final, TypeAlias, final

from burnside.frontends.rebeca.names.constants import Constants
from burnside.frontends.rebeca.names.types import BOOLEAN, Class, Type, limits
from burnside.frontends.rebeca.names.world import World, null_as, type_named
from burnside.frontends.rebeca.read.syntax import Field, TypeName
from burnside.ir.intervals import Bounds, Interval
from burnside.ir.nodes import BOOL, Bound, Const, Domain, Expr, Item, Value, Variable
from burnside.ir.nodes import Binary as BinaryNode
from burnside.ir.nodes import Choice as ChoiceNode
from burnside.ir.topology import ActorClass, MessageKind, Queue
from burnside.source import Diagnostics, Span
from burnside.values import dataclass, replace

# A truth value, or the filler of a column.
MAYBE: Final = Domain("boolean?", 0, 2, ("false", "true", "none"))
WIDEST_FILLED: Final = 1 << 16

# Intervals of numbers by the name of a variable, a column or (with its routine) a local.
Ranges: TypeAlias = Mapping[str, Interval]


@final
@dataclass(frozen=True, slots=True)
class Column:
    """One sequence of parameters; ``users`` says which parameter of a message stands in it."""

    name: str
    sort: str
    users: Mapping[str, int]
    domain: Domain
    filler: Const
    nobody: int = -1

    def read(self, indices: tuple[Expr, ...]) -> Expr:
        """The parameter of the message at the front."""
        item = Item(self.name, indices, Const(0))
        if self.domain == MAYBE:
            return BinaryNode("==", item, Const(1, MAYBE))
        if self.sort == "reference" and self.domain.high != self.nobody:
            return ChoiceNode(BinaryNode("==", item, Const(self.domain.high)), Const(self.nobody), item)
        return item

    def write(self, value: Expr) -> Expr:
        """A value as this column holds it."""
        if self.sort == "reference":
            return self._reference(value)
        if self.domain != MAYBE:
            return value
        if isinstance(value, Const):
            return Const(value.value, MAYBE)
        return ChoiceNode(value, Const(1, MAYBE), Const(0, MAYBE))

    def _reference(self, value: Expr) -> Expr:
        """A column has the ids of the classes it is for, and behind them a value for no rebec."""
        if isinstance(value, Const):
            return Const(self.domain.high) if value.value == self.nobody else value
        is_some = isinstance(value, Bound) and not value.domain.labels
        if self.domain.high == self.nobody or is_some:
            return value
        return ChoiceNode(BinaryNode("==", value, Const(self.nobody)), Const(self.domain.high), value)


@final
@dataclass(frozen=True, slots=True)
class Own:
    """A state variable."""

    field: Field


@final
@dataclass(frozen=True, slots=True)
class KnownOnes:
    """The known rebecs at a position of the list."""

    position: int
    field: Field


@final
@dataclass(frozen=True, slots=True)
class Existence:
    """Which rebecs there are."""


@final
@dataclass(frozen=True, slots=True)
class Messages:
    """Which messages wait."""


@final
@dataclass(frozen=True, slots=True)
class Part:
    """A variable of the rebecs of a class, with empty queues and zeros, and what it holds."""

    variable: Variable
    holds: Own | KnownOnes | Existence | Messages | Column


@final
@dataclass(frozen=True, slots=True)
class Send:
    """That a program, run by a rebec of some class, may send a message."""

    program: str
    sender: str
    receiver: str
    message: str


@final
class Shape:
    """Variables and domains for a world; without ``ranges`` numbers have the range of their type.

    ``sends`` are noted while a draft is translated, and known afterwards.
    """

    def __init__(self, world: World, ranges: Ranges | None, sends: Iterable[Send] = ()) -> None:
        self.world = world
        self.sends = set(sends)
        self.written = 0  # statements of all programs, as often as they are written out
        self._ranges = ranges
        self._messages: dict[str, Domain] = {}
        self._numbers: dict[str, dict[str, int]] = {}
        self._sizes = Constants(world.environment, Diagnostics())

    @property
    def is_draft(self) -> bool:
        """Whether numbers have the range of their type only because no better one is known yet."""
        return self._ranges is None

    @cached_property
    def reached(self) -> frozenset[str]:
        """The programs that may run: constructors, first messages, and what is sent by programs that may run."""
        rebecs = self.world.rebecs.values()
        found = {f"new {r.name}" if r.kind.constructor else f"{r.kind.name}.initial" for r in rebecs}
        before: set[str] = set()
        while before != found:
            before = set(found)
            found |= {f"{s.receiver}.{s.message}" for s in self.sends if s.program in found}
        return frozenset(found)

    @cached_property
    def tables(self) -> dict[str, Value]:
        """Known rebecs of classes of which no rebecs are created, and arrays of the environment, by name."""
        found: dict[str, Value] = {}
        for name in self.world.ids.keys() - self.world.pools.keys():
            for position, field in enumerate(self.world.classes[name].known):
                rebecs = (self.world.rebecs[i] for i in self.world.ids[name])
                found[f"{name}.{field.name}"] = tuple(null_as(self.world, r.known[position]) for r in rebecs)
        arrays = {n: known.value for n, known in self.world.environment.items() if isinstance(known.value, tuple)}
        return {**dict(sorted(found.items())), **{f"env.{n}": value for n, value in arrays.items()}}

    @cached_property
    def bounds(self) -> Bounds:
        """Bounds of expressions over the variables."""
        return Bounds({p.variable.name: p.variable for name in self.world.ids for p in self.parts(name)}, self.tables)

    def type_of(self, text: TypeName) -> Type:
        """The type a name means; it has been checked before."""
        return type_named(text, self.world.classes, self._sizes, Diagnostics())

    def domain(self, name: str, kind: Type) -> Domain:
        """The values of a variable or local of a type."""
        if not kind.is_number:
            return self.world.domain_of(kind)
        low, high = self.interval(name, kind)
        return Domain("", low, high)

    def interval(self, name: str, kind: Type) -> Interval:
        """The numbers that a variable, column or local may hold."""
        if self._ranges is None:
            return limits(kind)
        # What no program writes keeps the value zero.
        return self._ranges.get(name, (0, 0))

    def is_given(self, name: str) -> bool:
        """Whether a local ever gets a number that its type holds, as far as is known."""
        return self._ranges is None or name in self._ranges

    # ------------------------------------------------------------ classes

    def messages(self, kind: Class) -> Domain:
        """The messages of a class as an enumeration."""
        if kind.name not in self._messages:
            reference = self.world.reference.name
            labels = tuple(f"{m}()" if m in self.world.classes or m == reference else m for m in kind.servers)
            self._messages[kind.name] = Domain(f"{kind.name}:message", 0, len(labels) - 1, labels)
        return self._messages[kind.name]

    def message(self, kind: Class, name: str) -> Const:
        """One message of a class."""
        if kind.name not in self._numbers:
            self._numbers[kind.name] = {message: number for number, message in enumerate(kind.servers)}
        return Const(self._numbers[kind.name][name], self.messages(kind))

    def sender(self, kind: Class) -> Column:
        """Who sent the messages in the queues of a class: a rebec of a class that sends some, or nobody."""
        domain = self.world.reference
        if not self.is_draft:
            domain = self.world.domain_of_some(self._senders.get(kind.name, {kind.name}))
        return Column(f"{kind.name}:sender", "reference", {}, domain, Const(domain.high), self.world.size)

    @cached_property
    def _senders(self) -> Mapping[str, set[str]]:
        found: dict[str, set[str]] = {}
        for send in self.sends:
            if send.program in self.reached:
                found.setdefault(send.receiver, set()).add(send.sender)
        return found

    def columns(self, kind: Class) -> tuple[Column, ...]:
        """The parameter columns of the queues of a class."""
        return self._columns[kind.name]

    def arguments(self, kind: Class, message: str) -> list[Column]:
        """The columns with the arguments of a message, in the order of its parameters."""
        return sorted((c for c in self.columns(kind) if message in c.users), key=lambda c: c.users[message])

    @cached_property
    def _columns(self) -> Mapping[str, tuple[Column, ...]]:
        return {name: tuple(self._columns_of(self.world.classes[name])) for name in self.world.classes}

    def _columns_of(self, kind: Class) -> Iterator[Column]:
        users: dict[tuple[str, int], dict[str, int]] = {}
        types: dict[tuple[str, int], list[Type]] = {}
        for message, server in kind.servers.items():
            seen: dict[str, int] = {}
            for position, parameter in enumerate(server.parameters):
                found = self.type_of(parameter.type)
                sort = sort_of(found)
                key = (sort, seen.get(sort, 0))
                seen[sort] = key[1] + 1
                users.setdefault(key, {})[message] = position
                types.setdefault(key, []).append(found)
        for number, (key, by_message) in enumerate(users.items(), 1):
            name = f"{kind.name}:argument{number}"
            is_full = len(by_message) == len(kind.servers)
            yield self._column(name, key[0], by_message, types[key], is_full=is_full)

    def _column(self, name: str, sort: str, users: dict[str, int], types: list[Type], *, is_full: bool) -> Column:
        if sort == "reference":
            classes = {c for t in types for c in self.world.concrete(t)}
            domain = self.world.domain_of_some(classes)
            return Column(name, sort, users, domain, Const(domain.high), self.world.size)
        if sort == "boolean":
            return Column(name, sort, users, BOOL if is_full else MAYBE, Const(2, MAYBE))
        low, high = self.interval(name, max(types, key=lambda t: limits(t)[1]))
        if is_full or (high - low >= WIDEST_FILLED and not self.is_draft):
            return Column(name, sort, users, Domain("", low, high), Const(low))
        domain = Domain(f"{name}?", low, high + 1, ("none",))
        return Column(name, sort, users, domain, Const(high + 1, domain))

    @cached_property
    def fillers(self) -> Mapping[str, Const]:
        """What stands in a column for messages that have no such parameter, if that is no value of the column's."""
        columns = (column for name in self.world.ids for column in self.columns(self.world.classes[name]))
        return {column.name: column.filler for column in columns if column.filler.domain is not None}

    # ------------------------------------------------------------ variables

    def parts(self, name: str) -> Iterator[Part]:
        """The variables of the rebecs of one class."""
        kind, ids = self.world.classes[name], self.world.domain_of_class(name)
        for field in kind.variables:
            found = self.type_of(field.type)
            dimensions = (ids, *(Domain("", 0, size - 1) for size in found.sizes))
            domain = self.domain(f"{name}.{field.name}", Type(found.name))
            variable = _variable(f"{name}.{field.name}", dimensions, domain, domain.low)
            yield Part(replace(variable, span=field.span, initial_spans=self._places(name, variable)), Own(field))
        if name in self.world.pools:
            yield Part(_variable(f"{name}:exists", (ids,), BOOL, 0), Existence())
            for position, field in enumerate(kind.known):
                domain = self.world.domain_of_reference(self.type_of(field.type))
                known = _variable(f"{name}.{field.name}", (ids,), domain, self.world.size)
                yield Part(known, KnownOnes(position, field))
        if kind.servers:
            queue = _sequence(f"{name}:queue", ids, self.messages(kind), kind.queue)
            yield Part(replace(queue, initial_spans=self._places(name, queue)), Messages())
            for column in (self.sender(kind), *self.columns(kind)):
                items = _sequence(column.name, ids, column.domain, kind.queue)
                yield Part(replace(items, initial_spans=self._places(name, items)), column)

    def _places(self, name: str, variable: Variable) -> tuple[Span, ...]:
        """Where the rebecs of a class are made, for every element of a variable; nowhere if some are made later."""
        if name in self.world.pools:
            return ()
        spans = [self.world.rebecs[i].span for i in self.world.ids[name]]
        each = variable.elements // len(spans)
        return tuple(span for span in spans for _ in range(each))

    def table_span(self, table: str) -> Span | None:
        """Where known rebecs are declared."""
        name, _, known = table.rpartition(".")
        fields = self.world.classes[name].known if name in self.world.classes else ()
        return next((field.span for field in fields if field.name == known), None)

    @property
    def cells(self) -> int:
        """How many cells the variables have, counted without making them."""
        return sum(len(ids) * self._cells_of(self.world.classes[name]) for name, ids in self.world.ids.items())

    def _cells_of(self, kind: Class) -> int:
        own = sum(prod(self.type_of(field.type).sizes) for field in kind.variables)
        known = 1 + len(kind.known) if kind.name in self.world.pools else 0
        return own + known + (1 + kind.queue) * (2 + len(self.columns(kind)) if kind.servers else 0)

    def actors(self) -> tuple[ActorClass, ...]:
        """What the variables hold, for those who show states and steps."""
        return tuple(map(self._actors_of, self.world.ids))

    def _actors_of(self, name: str) -> ActorClass:
        kind, parts = self.world.classes[name], list(self.parts(name))
        own = ((p.variable.name, p.holds.field.name) for p in parts if isinstance(p.holds, Own | KnownOnes))
        exists = next((p.variable.name for p in parts if isinstance(p.holds, Existence)), None)
        queue = next((p.variable.name for p in parts if isinstance(p.holds, Messages)), None)
        if queue is None:
            return ActorClass(name, tuple(own), None, exists)
        messages = (MessageKind(m, tuple(c.name for c in self.arguments(kind, m))) for m in kind.servers)
        return ActorClass(name, tuple(own), Queue(queue, self.sender(kind).name, tuple(messages)), exists)

    def domains(self) -> Iterator[Domain]:
        """Every domain with a name."""
        yield self.world.reference
        for name in self.world.ids:
            yield self.world.domain_of_class(name)
        for name in self.world.ids:
            kind = self.world.classes[name]
            if kind.servers:
                yield self.messages(kind)
            for part in self.parts(name):
                yield part.variable.domain
        for name in self.world.classes:
            yield self.world.domain_of_reference(Type(name))


def sort_of(kind: Type) -> str:
    """Which columns a parameter can stand in."""
    if kind == BOOLEAN:
        return "boolean"
    return "number" if kind.is_number else "reference"


def _variable(name: str, dimensions: tuple[Domain, ...], domain: Domain, initial: int) -> Variable:
    empty = Variable(name, dimensions, domain, None, ())
    return Variable(name, dimensions, domain, None, (initial,) * empty.elements)


def _sequence(name: str, ids: Domain, domain: Domain, capacity: int) -> Variable:
    return Variable(name, (ids,), domain, capacity, ((),) * ids.size)
