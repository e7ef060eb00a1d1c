"""Places of ``.seq``: what stands to the left of ``:=``, or is read, with the indices and fields behind its name."""

from __future__ import annotations

from collections.abc import Callable
from typing import final

from burnside.frontends.seq import advice
from burnside.frontends.seq.budget import Budget
from burnside.frontends.seq.operations import Operations
from burnside.frontends.seq.reader import Reader
from burnside.frontends.seq.scope import Compound, Local
from burnside.frontends.seq.terms import Record, Selected, Term, bound_parts, domains_of
from burnside.frontends.seq.types import SIZE, BagType, RecordType, SequenceType, SetType, Type, describe_type, leaves
from burnside.ir import nodes as n
from burnside.ir.nodes import BOOL, Bound, Const, Domain, Expr
from burnside.ir.simplify import typed_constant
from burnside.source import Span, did_you_mean
from burnside.values import dataclass, field, replace


@final
@dataclass(frozen=True, slots=True)
class Place:
    """Where a value of a type is kept: in variables of the model whose names begin with ``name``, or in locals.

    ``position`` is one in a sequence. ``words`` is how the text calls it: what stands before and behind every index.
    """

    name: str
    type: Type
    indices: tuple[Expr, ...] = ()
    position: Expr | None = None
    is_local: bool = False
    words: tuple[str, ...] = ("",)
    span: Span | None = field(default=None, compare=False)

    @property
    def text(self) -> str:
        """How the text calls the whole."""
        return "".join(self.words)

    def single(self, name: str, domain: Domain, inner: tuple[Expr, ...] = ()) -> n.Read | n.Item | Bound:
        """The part of the place that is one element of the variable ``name``."""
        if self.is_local:
            return Bound(name, domain, self.span)
        if self.position is not None:
            return n.Item(name, (*self.indices, *inner), self.position, self.span)
        return n.Read(name, (*self.indices, *inner), self.span)

    def field(self, name: str, kind: Type) -> Place:
        """A field of a record."""
        words = (*self.words[:-1], f"{self.words[-1]}.{name}")
        return replace(self, name=f"{self.name}.{name}", words=words, type=kind)


@final
class Places:
    """Reads what follows a name; ``climb`` reads an expression."""

    def __init__(self, reader: Reader, operations: Operations, budget: Budget, climb: Callable[[int], Term]) -> None:
        self._reader = reader
        self._stream = reader.stream
        self._operations = operations
        self._budget = budget
        self._climb = climb

    def indices(self) -> tuple[Expr, ...]:
        """``[e][e]…``, perhaps none."""
        found = []
        while self._stream.accept("["):
            found.append(self._operations.scalar(self._climb(0)))
            self._stream.expect("]")
        return tuple(found)

    def skip(self) -> None:
        """What follows a name that means nothing."""
        while self._stream.at("[", "."):
            if not self.indices():
                self._stream.advance()
                self._reader.name("the name of a field")

    def read(self, entity: Compound | Local, name: str, start: Span) -> Place:
        """The place that a name with indices and fields behind it means."""
        stand_in = self._reader.scope.stand_ins.get(name) if isinstance(entity, Local) else None
        is_local = isinstance(entity, Local) and stand_in is None
        place = Place(stand_in or name, entity.type, is_local=is_local, words=(name,))
        missing = list(entity.dimensions) if isinstance(entity, Compound) else []
        while self._stream.at("[", "."):
            if self._stream.accept("["):
                index = self._operations.scalar(self._climb(0))
                self._stream.expect("]")
                place = self._indexed(place, missing, index, start)
            else:
                self._stream.advance()
                self._complete(place, missing, entity, start)
                place = self._field(place)
        self._complete(place, missing, entity, start)
        return replace(place, span=self._reader.span_from(start))

    def _indexed(self, place: Place, missing: list[Domain], index: Expr, start: Span) -> Place:
        if missing:
            missing.pop(0)
            return replace(place, indices=(*place.indices, index), words=(*place.words, ""))
        if isinstance(place.type, SequenceType):
            return replace(place, type=place.type.item, position=index)
        span = self._reader.span_from(start)
        if not self._reader.failed:
            remedy = "'e in s' asks for an element" if isinstance(place.type, SetType) else ""
            self._reader.error("BUR204", f"'{span.text}' has an index too many", span, help=remedy)
        return replace(place, type=Domain("", 0, 0))

    def _complete(self, place: Place, missing: list[Domain], entity: Compound | Local, start: Span) -> None:
        """Report indices that are not there, and go on as if they were."""
        if missing and not self._reader.failed:
            assert isinstance(entity, Compound)
            wanted = len(entity.dimensions)
            what = "index" if wanted == 1 else "indices"
            message = f"'{place.text}' takes {wanted} {what}, found {wanted - len(missing)}"
            self._reader.error("BUR204", message, self._reader.span_from(start))
        missing.clear()

    def _field(self, place: Place) -> Place:
        """``.name`` behind a record."""
        name, span = self._reader.name("the name of a field")
        if not isinstance(place.type, RecordType):
            if not self._reader.failed:
                message = f"this is {describe_type(place.type)}, which has no fields"
                self._reader.error("BUR203", message, span, help=advice.METHODS.get(name, ""))
            return replace(place, type=Domain("", 0, 0))
        kind = self.field_type(place.type, name, span)
        return place.field(name, kind)

    def field_type(self, record: RecordType, name: str, span: Span) -> Type:
        """The type of a field, reported if there is none of this name."""
        kind = record.field(name)
        if kind is not None:
            return kind
        fields = [field for field, _ in record.fields]
        remedy = did_you_mean(name, fields) or f"its fields are {', '.join(fields)}"
        self._reader.error("BUR201", f"'{record.name}' has no field '{name}'", span, help=remedy)
        return Domain("", 0, 0)

    # ------------------------------------------------------------ values

    def value(self, place: Place) -> Term:
        """What a place holds."""
        match place.type:
            case Domain() as domain:
                return place.single(place.name, domain)
            case RecordType(fields=fields) as kind:
                return Record(kind, tuple(self.value(place.field(name, inner)) for name, inner in fields), place.span)
            case SetType(element=element) as kind:
                if place.is_local:
                    return self._operations.whole(kind, bound_parts(place.name, kind, place.span), place.span)
                domains = domains_of(element)
                names = tuple(self._budget.new_name() for _ in domains)
                asked = tuple(Bound(name, domain) for name, domain in zip(names, domains, strict=True))
                return Selected(element, names, place.single(place.name, BOOL, asked), place.span)
            case BagType(most=most, element=element):
                domains = domains_of(element)
                names = tuple(self._budget.new_name() for _ in domains)
                asked = tuple(Bound(name, domain) for name, domain in zip(names, domains, strict=True))
                count = place.single(place.name, Domain("", 0, most), asked)
                return Selected(element, names, n.Binary(">", count, Const(0), place.span), place.span)
            case SequenceType():
                message = f"'{place.text}' is a sequence, not a single value"
                self._reader.error("BUR203", message, place.span)
                return Const(0, None, place.span)

    def length(self, place: Place, span: Span) -> Expr:
        """How many items a sequence has, whose parts have as many, or how many values a bag has."""
        if isinstance(place.type, BagType):
            return n.Read(place.name + SIZE, place.indices, span)
        leaf = next(leaves(place.type))
        first = tuple(typed_constant(d.low, d) for d in leaf.dimensions)
        return n.Length(place.name + leaf.path, (*place.indices, *first), span)

    def front(self, place: Place, span: Span) -> Place:
        """The first item of a sequence."""
        assert isinstance(place.type, SequenceType)
        return replace(place, type=place.type.item, position=Const(0, None, span), span=span)
