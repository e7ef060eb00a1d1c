"""Assignments of values with parts: all parts are computed before the first is written.

Mostly that is one assignment for each part. Only where a later part needs what an earlier one has overwritten, values
are kept in locals first::

    m := Msg { a: m.b, b: m.a };      if true { var x: … := `m.b`; var y: … := `m.a`; `m.a` := x; `m.b` := y; }
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from math import prod
from typing import TypeAlias, final

from burnside.frontends.seq.constants import Constants
from burnside.frontends.seq.operations import Operations
from burnside.frontends.seq.places import Place
from burnside.frontends.seq.reader import Reader
from burnside.frontends.seq.scope import plain_name
from burnside.frontends.seq.terms import Record, Selected, Term, domains_of
from burnside.frontends.seq.types import (
    MOST_NAMES,
    BagType,
    RecordType,
    SequenceType,
    SetType,
    Type,
    describe_type,
    flat,
    holds_set,
    leaves,
    written_as,
)
from burnside.ir import nodes as n
from burnside.ir.nodes import BOOL, TRUE, Bound, Domain, Expr, Stmt
from burnside.ir.rewrite import fresh_name, substitute, with_children
from burnside.ir.simplify import typed_constant
from burnside.ir.uses import bound_names, free_names, variables_read
from burnside.ir.walk import children, parts
from burnside.ir.wholes import Subject
from burnside.source import Span
from burnside.values import dataclass, replace

Names: TypeAlias = tuple[tuple[str, Domain], ...]


@final
@dataclass(frozen=True, slots=True)
class Write:
    """A value for a place that is a single one, for all values of some names; pushed, if that is what is done."""

    target: n.Read | n.Item | Bound
    value: Expr
    names: Names = ()
    is_push: bool = False
    item: Subject | None = None

    @property
    def written(self) -> str:
        """The variable or local that changes."""
        return self.target.name if isinstance(self.target, Bound) else self.target.variable

    def disturbs(self, other: Write) -> bool:
        """Whether what another needs may have changed once this has been done."""
        used = [*children(other.target), other.value]
        return any(self.written in variables_read(e) or self.written in free_names(e) for e in used)

    @property
    def disturbs_itself(self) -> bool:
        """Whether elements that are written later need those written before: each may need its own old value."""
        if not self.names:
            return False
        reads = (e for e in parts(self.value) if isinstance(e, n.Read | n.Item | n.Length))
        others = any(e.variable == self.written and (e != self.target or self.is_push) for e in reads)
        return others or any(self.written in variables_read(index) for index in children(self.target))

    def statement(self, span: Span | None) -> Stmt:
        """What is done, in loops over the names."""
        target = self.target
        result: Stmt = n.Assign(target, self.value, span)
        if self.is_push and not isinstance(target, Bound):
            result = n.Push(target.variable, target.indices, self.value, span, self.item)
        for name, domain in reversed(self.names):
            result = n.For(name, domain, (result,), span)
        return result


@final
class Writes:
    """Makes statements that give places their values."""

    def __init__(self, reader: Reader, constants: Constants, operations: Operations) -> None:
        self._reader = reader
        self._constants = constants
        self._operations = operations

    def assigned(self, place: Place, term: Term, span: Span) -> tuple[Stmt, ...]:
        """``place := term``."""
        if self._reader.failed:
            return ()
        if isinstance(place.type, SequenceType | BagType):
            remedy = "change it with push, pop or clear, or assign one of its items"
            if isinstance(place.type, BagType):
                remedy = "change it with send, remove or clear"
            self._reader.error("BUR210", f"'{place.text}' is {describe_type(place.type)}", place.span, help=remedy)
            return ()
        return self._together(list(self._writes(place, self._operations.as_type(term, place.type))), span)

    def pushed(self, place: Place, term: Term, span: Span) -> tuple[Stmt, ...]:
        """``push(place, term)``."""
        assert isinstance(place.type, SequenceType)
        item = replace(place, type=place.type.item)
        term = self._operations.as_type(term, item.type)
        writes = list(self._writes(item, term))
        if self._reader.failed:
            return ()
        about = None
        if not holds_set(item.type):  # which would be written out
            about = Subject(tuple(self._operations.parts(term, item.type)), written_as(item.type, ""))
        return self._together([replace(w, is_push=True, item=about) for w in writes], span)

    def _writes(self, place: Place, term: Term) -> Iterator[Write]:
        """What is written, part by part; nothing after an error."""
        if self._reader.failed:
            return
        match place.type, term:
            case RecordType(fields=fields), Record(parts=values):
                for (name, kind), value in zip(fields, values, strict=True):
                    yield from self._writes(place.field(name, kind), self._operations.as_type(value, kind))
            case SetType() as kind, Selected() if place.is_local:
                for (path, domain), value in zip(flat(kind), self._operations.parts(term, kind), strict=True):
                    yield Write(place.single(place.name + path, domain), value)
            case SetType(element=element), Selected():
                names = self.loop_names(element, term)
                asked = tuple(Bound(name, domain) for name, domain in names)
                target = place.single(place.name, BOOL, asked)
                yield Write(target, self._operations.instance(term, asked), names)
            case Domain() as domain, _:
                yield Write(place.single(place.name, domain), self._operations.scalar(term))
            case _:
                raise AssertionError("a term has been made one of the type of its place")

    def loop_names(self, element: Type, term: Selected) -> Names:
        """Names for the parts of an element that neither the set nor anything around has."""
        used = {*bound_names(term.condition), *free_names(term.condition)}
        return self.names_for(domains_of(element), used)

    def names_for(self, domains: Sequence[Domain], used: Iterable[str] = ()) -> Names:
        """Names over these domains that nothing around has."""
        taken = self._reader.scope.around().union(used)
        found: list[tuple[str, Domain]] = []
        for domain in domains:
            found.append((fresh_name((domain.name or "x")[:1].lower(), taken), domain))
            taken.add(found[-1][0])
        return tuple(found)

    def steady(self, place: Place, span: Span) -> tuple[tuple[Expr, ...], list[Stmt]]:
        """The indices of a place whose parts change one by one, and what keeps them the same meanwhile."""
        changed = {place.name + leaf.path for leaf in leaves(place.type)}
        kept: list[Stmt] = []
        indices: list[Expr] = []
        taken = self._reader.scope.around()
        for index in place.indices:
            if not changed & variables_read(index):
                indices.append(index)
                continue
            name = fresh_name(f"{plain_name(place.name)}.at", taken)
            taken.add(name)
            domain = self._constants.range_of(index)
            kept.append(n.Declare(name, domain, index, span))
            indices.append(Bound(name, domain, index.span))
        return tuple(indices), kept

    # ------------------------------------------------------------ order

    def _together(self, writes: Sequence[Write], span: Span) -> tuple[Stmt, ...]:
        """Statements that do all writes as if at once."""
        is_safe = not any(
            earlier.disturbs(later) for k, later in enumerate(writes) for earlier in writes[:k]
        ) and not any(w.disturbs_itself for w in writes)
        if is_safe:
            return tuple(w.statement(span) for w in writes)
        count = sum(prod(domain.size for _, domain in w.names) for w in writes)
        if count > MOST_NAMES:
            message = f"this needs {count:,} old values at once, more than {MOST_NAMES}"
            self._reader.error("BUR502", message, span, help="split it into several assignments")
            return ()
        return self._kept_first([single for w in writes for single in _instances(w)], span)

    def _kept_first(self, writes: Sequence[Write], span: Span) -> tuple[Stmt, ...]:
        taken = self._reader.scope.around()
        kept: list[Stmt] = []
        done: list[Stmt] = []

        changed = {write.written for write in writes}

        def keep(value: Expr, name: str, domain: Domain | None) -> Expr:
            if not changed & (variables_read(value) | free_names(value)):
                return value
            fresh = fresh_name(plain_name(name), taken)
            taken.add(fresh)
            domain = domain if domain is not None and domain.labels else self._constants.range_of(value)
            kept.append(n.Declare(fresh, domain, value, span))
            return Bound(fresh, domain, value.span)

        for write in writes:
            target = write.target
            if not isinstance(target, Bound):
                indices = [keep(index, f"{write.written}.at", None) for index in children(target)]
                target = with_children(target, indices)
            value = keep(write.value, write.written, self._constants.domain_of(write.value))
            done.append(replace(write, target=target, value=value).statement(span))
        return (n.If(TRUE, (*kept, *done), (), span),)


def _instances(write: Write) -> Iterator[Write]:
    """A write in loops as writes without."""
    for numbers in product(*(domain.values() for _, domain in write.names)):
        values: dict[str, Expr] = {
            name: typed_constant(number, domain) for (name, domain), number in zip(write.names, numbers, strict=True)
        }
        target = substitute(write.target, values, set())
        assert isinstance(target, n.Read | n.Item | Bound)
        yield Write(target, substitute(write.value, values, set()), (), write.is_push, write.item)
