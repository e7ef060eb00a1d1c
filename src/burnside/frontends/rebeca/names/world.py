"""Classes, rebecs and their ids: what a text declares, checked, before any program is translated.

Ids are numbers, those of one class side by side: rebecs of ``main`` in the order of the text, then places for rebecs
that the class may still create. The number after the last id stands for no rebec.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cached_property
from typing import Final, final

from burnside.frontends.kit.constants import report_unknown
from burnside.frontends.rebeca.names.constants import Constants, Known, NotConstant
from burnside.frontends.rebeca.names.types import ANY, BOOLEAN, NULL, VOID, WIDTHS, Class, Inheritance, Type, limits
from burnside.frontends.rebeca.names.walk import created_classes
from burnside.frontends.rebeca.read.declarations import Instance, Program
from burnside.frontends.rebeca.read.syntax import Expression, Field, TypeName
from burnside.ir.nodes import BOOL, Domain, Value
from burnside.source import Diagnostics, Note, Span, did_you_mean
from burnside.values import dataclass

DEFAULT_QUEUE: Final = 5
LONGEST_QUEUE: Final = 64
LARGEST_ARRAY: Final = 4_096
MOST_DIMENSIONS: Final = 8
MOST_REBECS: Final = 2_000


@final
@dataclass(frozen=True, slots=True)
class Choices:
    """Whether a message keeps its place in the queue while it is served, and how many rebecs a class may create."""

    keeps_served: bool = False
    most_created: int = 3


@final
@dataclass(frozen=True, slots=True)
class Rebec:
    """A rebec of ``main``, its known rebecs as ids, and the arguments of its first message or constructor."""

    name: str
    kind: Class
    known: tuple[int, ...]
    arguments: tuple[int, ...]
    span: Span


@final
@dataclass(frozen=True)
class World:
    """All that is fixed before the model runs. ``order`` gives the ids in the order of ``main``."""

    environment: Mapping[str, Known]
    classes: Mapping[str, Class]
    rebecs: Mapping[int, Rebec]
    order: tuple[int, ...]
    ids: Mapping[str, range]
    pools: Mapping[str, range]
    options: Choices

    @cached_property
    def size(self) -> int:
        """How many ids there are; this number itself stands for no rebec."""
        return sum(map(len, self.ids.values()))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """How ids are shown."""
        created = {i: f"{c}#{k}" for c, pool in self.pools.items() for k, i in enumerate(pool, 1)}
        return tuple(self.rebecs[i].name if i in self.rebecs else created[i] for i in range(self.size))

    @cached_property
    def words(self) -> frozenset[str]:
        """Names that mean something wherever they stand in the model."""
        servers = {message for kind in self.classes.values() for message in kind.servers}
        return frozenset({*self.classes, *servers, *self.environment, self.reference.name, self.nobody})

    @cached_property
    def nobody(self) -> str:
        """How the value that stands for no rebec is shown: a rebec may have the name."""
        name = "nobody"
        while name in self.names:
            name += "'"
        return name

    @cached_property
    def reference(self) -> Domain:
        """All ids, and the value of a variable that refers to no rebec."""
        name = "Rebec"
        while name in self.classes:
            name += "s"
        return Domain(name, 0, self.size, (self.nobody,), name, self.names)

    def domain_of_class(self, name: str) -> Domain:
        """The ids of the rebecs of exactly this class."""
        ids = self.ids[name]
        return Domain(name, ids[0], ids[-1], index=self.reference.name, names=self.names[ids[0] : ids[-1] + 1])

    def domain_of_some(self, classes: Collection[str]) -> Domain:
        """The ids of some classes, with those between them, and behind them a value for no rebec."""
        ids = [i for c in classes if c in self.ids for i in self.ids[c]] or [0]
        low, high = min(ids), max(ids)
        if (low, high + 1) == (0, self.size):
            return self.reference
        name = f"{self.reference.name} {low}-{high}"
        return Domain(name, low, high + 1, (self.nobody,), self.reference.name, self.names[low : high + 1])

    def domain_of_reference(self, kind: Type) -> Domain:
        """The ids that a variable of a class may hold, from the first one on, and no rebec."""
        ids = [i for c in self.concrete(kind) for i in self.ids[c]]
        first = min(ids, default=self.size - 1)
        if first == 0:
            return self.reference
        name = f"{self.reference.name}?{first}"
        return Domain(name, first, self.size, (self.nobody,), self.reference.name, self.names[first:])

    def domain_of(self, kind: Type) -> Domain:
        """All values of a type."""
        if kind == BOOLEAN:
            return BOOL
        if kind.is_number:
            return Domain("", *limits(kind))
        return self.domain_of_reference(kind)

    def concrete(self, kind: Type) -> list[str]:
        """The classes that have rebecs, of which every rebec can stand where this type is wanted."""
        return [c for c in self.ids if kind == ANY or kind.name in self.classes[c].ancestors]

    def is_kind_of(self, kind: Type, wanted: Type) -> bool:
        """Whether a rebec of one type can stand where another is wanted."""
        if kind == NULL or wanted == ANY:
            return True
        return kind.name in self.classes and wanted.name in self.classes[kind.name].ancestors


def declare(
    program: Program, constants: Mapping[str, Value], options: Choices, diagnostics: Diagnostics
) -> World | None:
    """The world of a text, or None if something is wrong with it."""
    world = _Declaring(program, constants, options, diagnostics).world()
    return None if diagnostics.has_errors else world


def type_named(
    text: TypeName,
    classes: Mapping[str, Class],
    sizes: Constants,
    diagnostics: Diagnostics,
    *,
    also: Iterable[str] = (),
) -> Type:
    """The type that a name means; raises `NotConstant` after reporting what is wrong.

    ``also`` are other words that could be meant.
    """
    if text.name not in WIDTHS and text.name not in classes and text.name not in (BOOLEAN.name, VOID.name):
        known = (*classes, *WIDTHS, BOOLEAN.name, *also)
        diagnostics.error("BUR201", f"there is no type '{text.name}'", text.span, help=did_you_mean(text.name, known))
        raise NotConstant
    if len(text.sizes) > MOST_DIMENSIONS:
        diagnostics.error("BUR205", f"an array has at most {MOST_DIMENSIONS} dimensions", text.span)
        raise NotConstant
    found = Type(text.name, tuple(sizes.number(size) for size in text.sizes))
    count = 1
    for size in found.sizes:
        count *= max(size, 0)
    if not 1 <= count <= LARGEST_ARRAY or (found.name == VOID.name and found.sizes):
        diagnostics.error("BUR205", f"an array has 1 to {LARGEST_ARRAY:,} elements, not {count:,}", text.span)
        raise NotConstant
    return found


@final
class _Declaring:
    def __init__(
        self, program: Program, constants: Mapping[str, Value], options: Choices, diagnostics: Diagnostics
    ) -> None:
        self._program = program
        self._given = constants
        self._options = options
        self._diagnostics = diagnostics
        self._environment: dict[str, Known] = {}
        self._constants = Constants(self._environment, diagnostics)

    def world(self) -> World | None:
        """Environment, classes, rebecs, in this order."""
        self._declare_environment()
        queues = {text.name: self._queue(text.queue) for text in self._program.classes}
        classes = Inheritance(self._program.classes, queues, self._diagnostics).classes()
        for kind in classes.values():
            self._check_types(kind, classes)
        if self._diagnostics.has_errors:
            return None
        instances = self._instances(classes)
        if not instances:
            if not self._diagnostics.has_errors:
                remedy = "write 'main { Class name(known rebecs):(arguments); }'"
                self._diagnostics.error("BUR216", "the model has no rebecs", None, help=remedy)
            return None
        ids, pools = self._numbers(instances, classes)
        if self._diagnostics.has_errors:
            return None
        free = {c: iter(ids[c]) for c in ids}
        numbered = {instance.name: next(free[instance.type.name]) for instance in instances}
        rebecs = self._rebecs(instances, classes, numbered)
        order = tuple(numbered.values())
        return World(self._environment, classes, rebecs, order, ids, pools, self._options)

    # ------------------------------------------------------------ environment

    def _declare_environment(self) -> None:
        for field in self._program.environment:
            if field.name in self._environment:
                self._diagnostics.error("BUR202", f"'{field.name}' is declared twice", field.span)
            try:
                kind = type_named(field.type, {}, self._constants, self._diagnostics)
                self._environment[field.name] = Known(kind, self._environment_value(field, kind))
            except NotConstant:
                self._environment.setdefault(field.name, Known(Type("int"), 0))
        unknown = self._given.keys() - self._environment.keys()
        report_unknown(unknown, self._environment, self._diagnostics, what="environment variable")

    def _environment_value(self, field: Field, kind: Type) -> Value:
        if field.name in self._given:
            value = self._given[field.name]
            if not _has_shape(value, kind):
                message = f"the value given for '{field.name}' is none of type '{kind}'"
                self._diagnostics.error("BUR211", message, field.span)
                raise NotConstant
            return value
        if field.initial is None:
            return _zero(kind)
        return self._constants.array(field.initial, kind)

    def _queue(self, length: Expression | None) -> int:
        if length is None:
            return DEFAULT_QUEUE
        try:
            number = self._constants.number(length)
        except NotConstant:
            return DEFAULT_QUEUE
        if not 1 <= number <= LONGEST_QUEUE:
            message = f"a queue holds 1 to {LONGEST_QUEUE} messages, not {number:,}"
            self._diagnostics.error("BUR205", message, length.span)
            return DEFAULT_QUEUE
        return number

    def _check_types(self, kind: Class, classes: Mapping[str, Class]) -> None:
        """Everything that is declared has a type that exists and fits its place."""
        for field in kind.known:
            self._check_type(field.type, classes, "a known rebec", lambda found: found.is_reference)
        for field in kind.variables:
            self._check_type(field.type, classes, "a state variable", lambda found: found != VOID)
        routines = (*kind.servers.values(), *kind.methods.values(), *([kind.constructor] if kind.constructor else []))
        for routine in routines:
            for parameter in routine.parameters:
                self._check_type(parameter.type, classes, "a parameter", _is_single)
            if routine.result is not None:
                # A misspelt 'msgsrv' looks like the type of a result.
                also = ("msgsrv", VOID.name)
                self._check_type(routine.result, classes, "a method", lambda found: not found.sizes, also)

    def _check_type(
        self,
        text: TypeName,
        classes: Mapping[str, Class],
        what: str,
        fits: Callable[[Type], bool],
        also: Iterable[str] = (),
    ) -> None:
        try:
            found = type_named(text, classes, self._constants, self._diagnostics, also=also)
        except NotConstant:
            return
        if not fits(found):
            self._diagnostics.error("BUR203", f"{what} cannot have the type '{found}'", text.span)

    # ------------------------------------------------------------ rebecs

    def _instances(self, classes: Mapping[str, Class]) -> list[Instance]:
        found: dict[str, Instance] = {}
        for instance in self._program.instances:
            kind = classes.get(instance.type.name)
            if kind is None or instance.type.sizes:
                remedy = did_you_mean(instance.type.name, classes)
                message = f"there is no class '{instance.type.name}'"
                self._diagnostics.error("BUR201", message, instance.type.span, help=remedy)
            elif kind.is_abstract:
                self._diagnostics.error("BUR203", f"class '{kind.name}' is abstract", instance.type.span)
            elif instance.name in self._environment or instance.name in found:
                notes = (
                    [Note("the first one is here", span=found[instance.name].span)] if instance.name in found else []
                )
                message = f"'{instance.name}' is declared twice"
                self._diagnostics.error("BUR202", message, instance.span, notes=notes)
            else:
                found[instance.name] = instance
        return list(found.values())

    def _numbers(
        self, instances: list[Instance], classes: Mapping[str, Class]
    ) -> tuple[dict[str, range], dict[str, range]]:
        """The ids of every class with rebecs, and those among them that rebecs to be created may get."""
        ids: dict[str, range] = {}
        pools: dict[str, range] = {}
        created = created_classes(self._program)
        start = 0
        counts = Counter(instance.type.name for instance in instances)
        for name, kind in classes.items():
            declared = counts[name]
            room = self._options.most_created if name in created and not kind.is_abstract else 0
            if declared + room:
                ids[name] = range(start, start + declared + room)
            if room:
                pools[name] = range(start + declared, start + declared + room)
            start += declared + room
        if start > MOST_REBECS:
            self._diagnostics.error("BUR205", f"{start:,} rebecs are more than {MOST_REBECS:,}", None)
        return ids, pools

    def _rebecs(
        self, instances: list[Instance], classes: Mapping[str, Class], numbered: Mapping[str, int]
    ) -> dict[int, Rebec]:
        names = dict(self._environment)
        names |= {i.name: Known(Type(i.type.name), numbered[i.name]) for i in instances}
        reader = _InstanceReader(classes, names, self._diagnostics)
        return {numbered[i.name]: reader.rebec(i, classes[i.type.name]) for i in instances}


@final
class _InstanceReader:
    """Known rebecs and arguments of the rebecs of ``main``."""

    def __init__(self, classes: Mapping[str, Class], names: Mapping[str, Known], diagnostics: Diagnostics) -> None:
        self._classes = classes
        self._constants = Constants(names, diagnostics)
        self._diagnostics = diagnostics

    def rebec(self, text: Instance, kind: Class) -> Rebec:
        """One rebec; what is wrong with it is reported."""
        known = self._values(text, "known rebecs", text.known, [f.type for f in kind.known])
        first = kind.constructor or kind.servers.get("initial")
        parameters = [p.type for p in first.parameters] if first else []
        arguments = self._values(text, "arguments", text.arguments, parameters)
        return Rebec(text.name, kind, known, arguments, text.span)

    def _values(
        self, text: Instance, what: str, given: tuple[Expression, ...], wanted: list[TypeName]
    ) -> tuple[int, ...]:
        if len(given) != len(wanted):
            message = f"'{text.name}' has {len(given)} {what}, its class takes {len(wanted)}"
            self._diagnostics.error("BUR204", message, text.span)
            return ()
        return tuple(self._value(expr, kind) for expr, kind in zip(given, wanted, strict=True))

    def _value(self, expr: Expression, text: TypeName) -> int:
        try:
            kind = type_named(text, self._classes, self._constants, self._diagnostics)
            if kind.is_reference:
                self._check_reference(self._constants.value(expr).type, kind, expr)
            value = self._constants.fitting(expr, kind)
        except NotConstant:
            return 0
        return value if isinstance(value, int) else 0

    def _check_reference(self, found: Type, wanted: Type, expr: Expression) -> None:
        if found == NULL:
            return
        if found.name not in self._classes or wanted.name not in self._classes[found.name].ancestors:
            message = f"expected a rebec of class '{wanted}', found a value of type '{found}'"
            self._diagnostics.error("BUR203", message, expr.span)
            raise NotConstant


def _is_single(kind: Type) -> bool:
    return kind != VOID and not kind.sizes


def _has_shape(value: Value, kind: Type) -> bool:
    if kind.sizes:
        return (
            isinstance(value, tuple)
            and len(value) == kind.sizes[0]
            and all(_has_shape(item, kind.element) for item in value)
        )
    low, high = limits(kind) if kind.is_number else (0, 1)
    return isinstance(value, int) and low <= value <= high


def _zero(kind: Type) -> Value:
    return tuple(_zero(kind.element) for _ in range(kind.sizes[0])) if kind.sizes else 0


def null_as(world: World, value: int) -> int:
    """A rebec of ``main`` as a number of the model: no rebec has the number after all ids."""
    return world.size if value < 0 else value
