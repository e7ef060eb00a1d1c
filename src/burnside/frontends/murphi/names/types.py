"""The types of Murphi, and how their values are numbers of the model.

Types are equal if they have the same structure, as in Rumur: ranges by their ends, enumerations by their labels,
scalarsets by their sizes. A value of a union is the number of its type's values in front of it, plus its own number.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, TypeAlias, final

from burnside.ir.nodes import Domain
from burnside.source import Span
from burnside.values import dataclass, field

UNDEFINED: Final = "Undefined"
_WIDEST: Final = 1 << 61


def _name() -> str:
    return field(default="", compare=False, repr=False)


def _span() -> Span | None:
    return field(default=None, compare=False, repr=False)


@final
@dataclass(frozen=True, slots=True)
class Range:
    """The whole numbers from ``low`` to ``high``."""

    low: int
    high: int
    name: str = _name()
    span: Span | None = _span()


@final
@dataclass(frozen=True, slots=True)
class Enumeration:
    """Values with names; ``boolean`` is one of them."""

    labels: tuple[str, ...]
    name: str = _name()
    span: Span | None = _span()


@final
@dataclass(frozen=True, slots=True)
class Scalarset:
    """Values that the author takes to be alike."""

    size: int
    name: str = _name()
    span: Span | None = _span()


@final
@dataclass(frozen=True, slots=True)
class Union:
    """The values of several scalarsets and enumerations."""

    parts: tuple[Enumeration | Scalarset, ...]
    name: str = _name()
    span: Span | None = _span()

    def offset(self, part: Type) -> int | None:
        """What is added to a value of one of its types."""
        before = 0
        for own in self.parts:
            # Scalarsets of one size have the same structure; their names tell them apart.
            if own == part and getattr(part, "name", "") == own.name:
                return before
            before += size_of(own)
        return None


@final
@dataclass(frozen=True, slots=True)
class Record:
    """Fields, each with its type."""

    fields: tuple[tuple[str, Type], ...]
    name: str = _name()

    def field(self, name: str) -> Type | None:
        """The type of a field, if there is one of that name."""
        return dict(self.fields).get(name)


@final
@dataclass(frozen=True, slots=True)
class Array:
    """An element for every value of a type."""

    index: Simple
    element: Type
    name: str = _name()


@final
@dataclass(frozen=True, slots=True)
class Multiset:
    """Up to ``size`` values in no order."""

    size: int
    element: Type
    name: str = _name()


Simple: TypeAlias = Range | Enumeration | Scalarset | Union
Type: TypeAlias = Simple | Record | Array | Multiset

BOOLEAN: Final = Enumeration(("false", "true"), "boolean")
INTEGER: Final = Range(-_WIDEST, _WIDEST)


def is_simple(kind: Type) -> bool:
    """Whether values have no parts."""
    return isinstance(kind, Range | Enumeration | Scalarset | Union)


def size_of(kind: Simple) -> int:
    """How many values there are."""
    match kind:
        case Range(low=low, high=high):
            return high - low + 1
        case Enumeration(labels=labels):
            return len(labels)
        case Scalarset(size=size):
            return size
        case Union(parts=parts):
            return sum(map(size_of, parts))


def low_of(kind: Simple) -> int:
    """The least number of a value."""
    return kind.low if isinstance(kind, Range) else 0


def _texts(kind: Simple) -> tuple[str, ...]:
    match kind:
        case Range():
            return ()
        case Enumeration(labels=labels):
            return labels
        case Scalarset(size=size, name=name):
            return tuple(f"{name}_{k}" if name else str(k) for k in range(size))
        case Union(parts=parts):
            return tuple(text for part in parts for text in _texts(part))


def domain_of(kind: Simple) -> Domain:
    """The numbers of the values."""
    low = low_of(kind)
    # A scalarset that has a name is a domain of processes: traces name its values, and what is symmetric is told by it.
    index = kind.name if isinstance(kind, Scalarset) else ""
    return Domain(index, low, low + size_of(kind) - 1, (), index, _texts(kind))


def extended(kind: Simple) -> Domain:
    """The same with one above them for what is undefined."""
    own = domain_of(kind)
    name = f"{own.name or f'{own.low} .. {own.high}'} + {{ {UNDEFINED} }}"
    return Domain(name, own.low, own.high + 1, (UNDEFINED,), own.index, own.names)


def undefined_of(kind: Simple) -> int:
    """The number that stands for no value."""
    return low_of(kind) + size_of(kind)


def is_assignable(target: Type, source: Type) -> bool:
    """Whether a value of ``source`` may stand where one of ``target`` is expected; that it fits is seen later."""
    if isinstance(target, Range) and isinstance(source, Range):
        return True
    if isinstance(target, Union) and isinstance(source, Union):
        return bool(set(target.parts) & set(source.parts))
    if isinstance(target, Union):
        return source in target.parts
    if isinstance(source, Union):
        return target in source.parts
    return target == source


def describe(kind: Type) -> str:
    """How messages speak of a type."""
    name = getattr(kind, "name", "")
    if name:
        return f"a value of '{name}'"
    match kind:
        case Range():
            return "a number"
        case Enumeration():
            return "a label"
        case Scalarset():
            return "a value of a scalarset"
        case Union():
            return "a value of a union"
        case Record():
            return "a record"
        case Array():
            return "an array"
        case Multiset():
            return "a multiset"


@final
@dataclass(frozen=True, slots=True)
class Leaf:
    """A part of a value that has no parts: how it is reached, by fields and the indices of arrays."""

    path: tuple[str | Simple, ...]
    type: Simple

    @property
    def suffix(self) -> str:
        """The fields, as they stand behind the name of a variable."""
        return "".join(f".{step}" for step in self.path if isinstance(step, str))

    @property
    def dimensions(self) -> tuple[Simple, ...]:
        """The types of the indices."""
        return tuple(step for step in self.path if not isinstance(step, str))


def leaves(kind: Type) -> Iterator[Leaf]:
    """The single values that a value consists of."""
    match kind:
        case Record(fields=fields):
            for name, inner in fields:
                for leaf in leaves(inner):
                    yield Leaf((name, *leaf.path), leaf.type)
        case Array(index=index, element=element):
            for leaf in leaves(element):
                yield Leaf((index, *leaf.path), leaf.type)
        case Multiset():
            raise AssertionError("multisets are refused where they are declared")
        case _:
            yield Leaf((), kind)
