"""Types of ``.seq`` that have parts, and what each part is in the model: a variable or a name of its own.

The model knows numbers, arrays and sequences of numbers. A record is its fields, side by side; a set is an array of
truth values over the domain of its elements; a sequence of records is a sequence for each field, all of one length::

    record Msg { kind: Kind, from: Server }          var `net.kind`: seq[3] of Kind;
    var net: seq[3] of Msg;                          var `net.from`: seq[3] of Server;
    var votes[Server]: set of Server;                var votes[Server][Server]: bool;
    var post: bag of Msg max 3;                      var post[Kind][Server]: 0 .. 3; var `post.size`: 0 .. 3;
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import prod
from typing import Final, TypeAlias, final

from burnside.ir.check import type_of_domain
from burnside.ir.nodes import BOOL, Domain
from burnside.ir.wholes import Argument, Collection, Fields, Form, Items, Single
from burnside.values import dataclass, replace

MOST_FIELDS: Final = 256  # of a record, those of records inside included
MOST_NAMES: Final = 256  # that stand for one parameter or local
SLOT: Final = -1  # in the shown name of a variable: the position in a sequence


@final
@dataclass(frozen=True, slots=True)
class Owners:
    """Which variants of a union have a field; in those that need a value it ``is_needed``, in others there is none."""

    variants: tuple[int, ...]
    is_needed: bool


@final
@dataclass(frozen=True, slots=True)
class RecordType:
    """Named fields; ``size`` is the number of fields that are not records themselves, at any depth.

    A union is one with ``owners`` of all fields but the first, its tag: some combinations of fields are not values.
    """

    name: str
    fields: tuple[tuple[str, Type], ...]
    size: int
    owners: tuple[Owners, ...] = ()

    def field(self, name: str) -> Type | None:
        """The type of a field, if there is one of this name."""
        return next((kind for field, kind in self.fields if field == name), None)


@final
@dataclass(frozen=True, slots=True)
class SetType:
    """Sets of values of a domain, or of records of such values."""

    element: Type


@final
@dataclass(frozen=True, slots=True)
class SequenceType:
    """Sequences of at most ``capacity`` items."""

    capacity: int
    item: Type


@final
@dataclass(frozen=True, slots=True)
class BagType:
    """Bags of at most ``most`` values, of which some may be equal; what else can happen to them: loss, duplication."""

    most: int
    element: Type
    is_lossy: bool = False
    duplicates: bool = False


Type: TypeAlias = Domain | RecordType | SetType | SequenceType | BagType
SIZE: Final = ".size"  # the part of a bag that says how many values are in it


@final
@dataclass(frozen=True, slots=True)
class Leaf:
    """A part of a type that is one variable of the model.

    ``path`` goes behind the name of the whole; ``shown`` is how an element is written: text, numbers of dimensions and
    `SLOT`, in order.
    """

    path: str
    dimensions: tuple[Domain, ...]
    domain: Domain
    capacity: int | None = None
    shown: tuple[str | int, ...] = ()


def leaves(kind: Type) -> Iterator[Leaf]:
    """The variables of the model that a variable of this type is."""
    match kind:
        case Domain():
            yield Leaf("", (), kind)
        case RecordType(fields=fields):
            for name, inner in fields:
                for leaf in leaves(inner):
                    yield replace(leaf, path=f".{name}{leaf.path}", shown=(f".{name}", *leaf.shown))
        case SetType(element=element):
            domains = tuple(domain for _, domain in flat(element))
            yield Leaf("", domains, BOOL, shown=tuple(range(len(domains))))
        case BagType(most=most, element=element):
            domains = tuple(domain for _, domain in flat(element))
            yield Leaf("", domains, Domain("", 0, most), shown=tuple(range(len(domains))))
            yield Leaf(SIZE, (), Domain("", 0, most), shown=(SIZE,))
        case SequenceType(capacity=capacity, item=item):
            for leaf in leaves(item):
                yield replace(leaf, capacity=capacity, shown=(SLOT, *leaf.shown))


def form_of(kind: Type, name: str) -> Form:
    """How a variable of this type is shown: which variables, or parts of an element, its parts are."""
    match kind:
        case Domain():
            return Single(name)
        case RecordType(fields=fields, owners=owners):
            inner = tuple((field, form_of(part, f"{name}.{field}")) for field, part in fields)
            return Fields(inner, tuple(_fields_of_variants(kind)) if owners else ())
        case SetType(element=element):
            return Collection(name, form_of(element, ""), tuple(flat(element)))
        case BagType(element=element):
            return Collection(name, form_of(element, ""), tuple(flat(element)), name + SIZE)
        case SequenceType(item=item):
            return Items(form_of(item, name))


def _fields_of_variants(union: RecordType) -> Iterator[tuple[str, ...]]:
    (_, tag), *fields = union.fields
    assert isinstance(tag, Domain)
    for variant in tag.values():
        yield tuple(name for (name, _), o in zip(fields, union.owners, strict=True) if variant in o.variants)


def flat(kind: Type) -> Iterator[tuple[str, Domain]]:
    """The names, behind that of the whole, and the domains of what a single value of this type is.

    The caller has made sure that there are not too many (`flat_count`).
    """
    match kind:
        case Domain():
            yield "", kind
        case RecordType(fields=fields):
            for name, inner in fields:
                yield from ((f".{name}{path}", domain) for path, domain in flat(inner))
        case SetType(element=element):
            for values in elements(element):
                texts = (d.text(v) for (_, d), v in zip(flat(element), values, strict=True))
                yield "".join(f"[{text}]" for text in texts), BOOL
        case SequenceType() | BagType():
            raise AssertionError("a sequence or bag is not a single value")


def written_as(kind: Type, name: str) -> tuple[Argument | None, ...]:
    """For each part of a value, in the order of `flat`, the argument that begins with it."""
    if isinstance(kind, Domain):
        return (None,)
    names = tuple(name + path for path, _ in flat(kind))
    return (Argument(names, form_of(kind, name)), *(None for _ in names[1:]))


def flat_count(kind: Type) -> int:
    """How many names `flat` gives; 0 if the type holds a sequence or bag, which are not single values."""
    match kind:
        case Domain():
            return 1
        case RecordType(fields=fields):
            counts = [flat_count(inner) for _, inner in fields]
            return sum(counts) if all(counts) else 0
        case SetType(element=element):
            return element_count(element)
        case SequenceType() | BagType():
            return 0


def elements(element: Type) -> Iterator[tuple[int, ...]]:
    """All values that can be in a set, each as the numbers of its parts."""
    return product(*(domain.values() for _, domain in flat(element)))


def element_count(element: Type) -> int:
    """How many values can be in a set."""
    return prod(domain.size for _, domain in flat(element))


def holds_sequence(kind: Type) -> bool:
    """Whether there is a sequence or a bag in values of this type."""
    return flat_count(kind) == 0


def holds_set(kind: Type) -> bool:
    """Whether there is a set in values of this type."""
    if isinstance(kind, RecordType):
        return any(holds_set(inner) for _, inner in kind.fields)
    return isinstance(kind, SetType)


def describe_type(kind: Type) -> str:
    """What a value of this type is called in messages, with its article."""
    match kind:
        case Domain():
            return type_of_domain(kind)
        case RecordType(name=name):
            return f"a record '{name}'"
        case SetType(element=Domain() as element):
            name = element.name or f"{element.low}..{element.high}"
            return f"a set of '{name}'"
        case SetType(element=element):
            return f"a set of {describe_type(element).removeprefix('a ')}s"
        case SequenceType():
            return "a sequence"
        case BagType():
            return "a bag"


def holds_union(kind: Type) -> bool:
    """Whether some values of the parts of a type are no value of it."""
    match kind:
        case RecordType(fields=fields, owners=owners):
            return bool(owners) or any(holds_union(inner) for _, inner in fields)
        case SetType(element=element):
            return holds_union(element)
        case _:
            return False


def have_same_values(one: Type, other: Type) -> bool:
    """Whether two types are the same but for their names."""
    if isinstance(one, Domain) and isinstance(other, Domain):
        return (one.low, one.high) == (other.low, other.high) and type_of_domain(one) == type_of_domain(other)
    return one == other
