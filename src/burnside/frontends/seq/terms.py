"""Values that an expression of ``.seq`` can have before it is part of the model.

The model has single values only. While a text is read, a record is the tuple of its fields, and a set is a condition
on the names of its element; both are gone as soon as something is asked about them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias, TypeGuard, final

from burnside.frontends.seq.types import RecordType, SetType, Type, elements, flat, flat_count
from burnside.ir import nodes as n
from burnside.ir.build import conjunction, disjunction
from burnside.ir.nodes import Bound, Const, Domain, Expr
from burnside.ir.simplify import typed_constant
from burnside.source import Span
from burnside.values import dataclass, field


def _span() -> Span | None:
    return field(default=None, compare=False, repr=False)


@final
@dataclass(frozen=True, slots=True)
class Record:
    """A value for each field of a record."""

    type: RecordType
    parts: tuple[Term, ...]
    span: Span | None = _span()


@final
@dataclass(frozen=True, slots=True)
class Selected:
    """The set of all values of a type that fulfil a condition over ``names``, one for each part of the value.

    The names are such that no text has them. ``whole`` is the name of a domain that stands for the set of its values.
    """

    element: Type
    names: tuple[str, ...]
    condition: Expr
    span: Span | None = _span()
    whole: str = ""


@final
@dataclass(frozen=True, slots=True)
class Interval:
    """The numbers from ``low`` to ``high`` in a list of elements."""

    low: Expr
    high: Expr
    span: Span | None = _span()


@final
@dataclass(frozen=True, slots=True)
class Listed:
    """The set of some values, whose type may depend on where it stands: ``{ a, b, 3 .. 5 }``."""

    items: tuple[Term | Interval, ...]
    span: Span | None = _span()


@final
@dataclass(frozen=True, slots=True)
class Unresolved:
    """A label of several domains: which one is meant depends on where it stands."""

    name: str
    values: tuple[Const, ...]
    span: Span | None = _span()

    @property
    def told_apart(self) -> str:
        """How to say which one is meant: with the name of its domain, if that is one that can be written."""
        names = [value.domain.name for value in self.values if value.domain]
        written = " or ".join(f"'{name}.{self.name}'" for name in names if " " not in name)
        ways = [f"write {written}"] if written else []
        if any(" " in name for name in names):
            ways.append(f"give the domain a name, as in 'domain Some = …;', and write 'Some.{self.name}'")
        return ", or ".join(ways)


@final
@dataclass(frozen=True, slots=True)
class Undecided:
    """``if condition then … else …`` of which a side is a label of several domains."""

    condition: Expr
    then: Term
    otherwise: Term
    span: Span | None = _span()


Set: TypeAlias = Selected | Listed
Term: TypeAlias = "Expr | Record | Set | Unresolved | Undecided"


def is_single(term: Term) -> TypeGuard[Expr]:
    """Whether a term is an expression of the model."""
    return not isinstance(term, Record | Selected | Listed | Unresolved | Undecided)


def rebuilt(kind: Type, values: Sequence[Expr], name: Callable[[], str], span: Span | None) -> Term:
    """The value of a type whose parts, in the order of `flat`, are given; ``name`` makes names of elements of sets."""
    match kind:
        case RecordType(fields=fields):
            parts: list[Term] = []
            at = 0
            for _, inner in fields:
                count = flat_count(inner)
                parts.append(rebuilt(inner, values[at : at + count], name, span))
                at += count
            return Record(kind, tuple(parts), span)
        case SetType(element=element):
            domains = [domain for _, domain in flat(element)]
            names = tuple(name() for _ in domains)
            asked = [Bound(one, domain) for one, domain in zip(names, domains, strict=True)]
            cases = [
                conjunction((*_equalities(asked, numbers), value))
                for numbers, value in zip(elements(element), values, strict=True)
            ]
            return Selected(element, names, disjunction(cases), span)
        case _:
            (value,) = values
            return value


def _equalities(names: Sequence[Bound], numbers: Sequence[int]) -> list[Expr]:
    return [
        n.Binary("==", name, typed_constant(number, name.domain)) for name, number in zip(names, numbers, strict=True)
    ]


def bound_parts(name: str, kind: Type, span: Span | None = None) -> list[Expr]:
    """The names that stand for a parameter or local of a type."""
    return [Bound(name + path, domain, span) for path, domain in flat(kind)]


def map_term(term: Term, change: Callable[[Expr], Expr]) -> Term:
    """A term with other expressions in the places of its own."""
    match term:
        case Record(type=kind, parts=parts, span=span):
            return Record(kind, tuple(map_term(part, change) for part in parts), span)
        case Selected(element=element, names=names, condition=condition, span=span, whole=whole):
            return Selected(element, names, change(condition), span, whole)
        case Listed(items=items, span=span):
            return Listed(tuple(_map_item(item, change) for item in items), span)
        case Undecided(condition=condition, then=then, otherwise=otherwise, span=span):
            return Undecided(change(condition), map_term(then, change), map_term(otherwise, change), span)
        case Unresolved():
            return term
        case _:
            return change(term)


def _map_item(item: Term | Interval, change: Callable[[Expr], Expr]) -> Term | Interval:
    if isinstance(item, Interval):
        return Interval(change(item.low), change(item.high), item.span)
    return map_term(item, change)


def expressions_of(term: Term) -> list[Expr]:
    """The expressions that a term is made of."""
    found: list[Expr] = []

    def note(expr: Expr) -> Expr:
        found.append(expr)
        return expr

    map_term(term, note)
    return found


def domains_of(kind: Type) -> tuple[Domain, ...]:
    """The domains of the parts of a single value."""
    return tuple(domain for _, domain in flat(kind))


def quantified(quantifier: str, names: Sequence[tuple[str, Domain]], body: Expr, span: Span | None) -> Expr:
    """A quantifier over several names, the first outermost."""
    for name, domain in reversed(names):
        body = n.Quantified(quantifier, name, domain, body, span)
        # To count pairs is to add up what is counted for each first part.
        quantifier = "sum" if quantifier == "count" else quantifier
    return body


def of_length(name: str, length: Expr, capacity: int, span: Span) -> Expr:
    """``len``, ``empty`` or ``full`` of a sequence."""
    if name == "len":
        return length
    return n.Binary("==", length, n.Const(0 if name == "empty" else capacity, None, span), span)
