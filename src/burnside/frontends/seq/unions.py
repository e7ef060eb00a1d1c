"""Tagged unions of ``.seq``: a record with the tag and the fields of all variants, each of which may be none.

::

    union Msg { Ask { from: Server }, Grant { from: Server, term: Term } }

is the record ``{ tag: { Ask, Grant }, from: Server?, term: Term? }``. What a variant does not have is none, so that no
value of a domain is singled out; fields of the same name and type are one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, final

from burnside.frontends.seq.domains import NONE, Domains, extended
from burnside.frontends.seq.foreign import field_names, refuse_set_of_variants, refuse_spread
from burnside.frontends.seq.operations import Operations
from burnside.frontends.seq.reader import Reader
from burnside.frontends.seq.scope import Variant
from burnside.frontends.seq.terms import Record, Term
from burnside.frontends.seq.types import MOST_FIELDS, Owners, RecordType, Type, flat_count, holds_union
from burnside.ir import nodes as n
from burnside.ir.build import conjunction, disjunction
from burnside.ir.nodes import BOOL, Const, Domain, Expr
from burnside.source import Span
from burnside.values import replace

TAG: Final = "tag"


@final
class Unions:
    """Reads declarations of unions, their values, and questions about them; ``climb`` reads an expression."""

    def __init__(self, reader: Reader, operations: Operations, domains: Domains, climb: Callable[[int], Term]) -> None:
        self._reader = reader
        self._stream = reader.stream
        self._scope = reader.scope
        self._operations = operations
        self._domains = domains
        self._climb = climb

    # ------------------------------------------------------------ declarations

    def declaration(self) -> None:
        """``union Name { Variant { field: domain, … }, … }``, behind its word."""
        name, span = self._reader.new_global("union")
        self._reader.defining = name
        self._stream.expect("{")
        variants: dict[str, dict[str, Domain]] = {}
        places: dict[str, Span] = {}
        while not self._stream.at("}"):
            variant, place = self._reader.name("the name of a variant")
            if variant in variants:
                self._reader.error("BUR202", f"variant '{variant}' stands twice in one union", place)
            elif variant == name:
                self._reader.error("BUR202", f"'{variant}' is the name of the union itself", place)
            elif self._scope.is_taken(variant):
                self._reader.taken(variant, place)
            self._reader.declared.append(variant)  # so that one mistake is not followed by its unknown variants
            variants[variant], places[variant] = self._fields(), place
            if not self._stream.accept(",", ";"):
                break
        self._stream.expect("}")
        kind = None if self._reader.failed else self._record(name, variants, span)
        if kind is not None and not self._reader.failed:
            self._scope.declare(name, kind, span)
            for number, (variant, fields) in enumerate(variants.items()):
                self._scope.declare(variant, Variant(variant, kind, number, tuple(fields.items())), places[variant])

    def _fields(self) -> dict[str, Domain]:
        fields: dict[str, Domain] = {}
        if not self._stream.accept("{"):
            return fields
        while not self._stream.at("}"):
            names = field_names(self._reader)
            start = self._stream.peek.span
            kind = self._domains.type()
            if not isinstance(kind, Domain):
                if not self._reader.failed:
                    span = self._reader.span_from(start)
                    remedy = "a record with a field for the tag can have fields of any type"
                    self._reader.error("BUR901", "the fields of a union are of domains", span, help=remedy)
                kind = Domain("", 0, 0)
            for field, place in names:
                if field in fields or field == TAG:
                    self._reader.error("BUR202", f"field '{field}' stands twice in one variant", place)
                fields[field] = kind
            if not self._stream.accept(",", ";"):
                break
        self._stream.expect("}")
        return fields

    def _record(self, name: str, variants: dict[str, dict[str, Domain]], span: Span) -> RecordType | None:
        labels = [(variant, span) for variant in variants]
        tag = extended(f"{name}.{TAG}", Domain("", 0, -1), labels, span=span)
        fields: dict[str, Type] = {TAG: tag}
        for variant in variants.values():
            for field, domain in variant.items():
                kind = self._optional(domain, span)
                if fields.setdefault(field, kind) != kind:
                    message = f"field '{field}' has different types in the variants of '{name}'"
                    self._reader.error("BUR203", message, span, help="give them different names")
        if not variants or len(fields) > MOST_FIELDS:
            self._reader.error("BUR205", f"union '{name}' has {len(variants)} variants, {len(fields)} fields", span)
            return None
        # Variants are values by themselves, so that the labels of the tag are names of nothing else.
        self._scope.domains.append(tag)
        self._scope.declare(tag.name, tag, span)
        owners = tuple(self._owners(field, variants.values()) for field in fields if field != TAG)
        return RecordType(name, tuple(fields.items()), len(fields), owners)

    def _owners(self, field: str, variants: Iterable[dict[str, Domain]]) -> Owners:
        having = [(number, fields[field]) for number, fields in enumerate(variants) if field in fields]
        domain = having[0][1]
        is_needed = domain != BOOL and domain not in self._scope.optional
        return Owners(tuple(number for number, _ in having), is_needed)

    def _optional(self, domain: Domain, span: Span) -> Domain:
        """A domain with none; truth values are false where a variant has none."""
        if domain == BOOL or domain in self._scope.optional:
            return domain
        label = [(NONE, span)]
        shown = domain.name or f"{domain.low} .. {domain.high}"
        found = self._domains.declare(extended(f"{shown}?", domain, label), label, span)
        self._scope.optional.add(found)
        return found

    # ------------------------------------------------------------ values

    def value(self, variant: Variant, start: Span) -> Term:
        """``Grant { from: i, term: 1 }``; a variant without fields needs no braces."""
        given: dict[str, Term] = {}
        own = dict(variant.fields)
        if self._stream.accept("{") if own else self._stream.peek_kinds(2) == ["{", "}"] and self._stream.accept("{"):
            refuse_spread(self._reader, variant.union)
            while not self._stream.at("}"):
                name, span = self._reader.name("the name of a field")
                if name not in own:
                    remedy = f"its fields are {', '.join(own)}"
                    self._reader.error("BUR201", f"'{variant.name}' has no field '{name}'", span, help=remedy)
                if name in given:
                    self._reader.error("BUR202", f"field '{name}' is given twice", span)
                self._stream.expect(":")
                given[name] = self._operations.as_type(self._climb(0), own.get(name, Domain("", 0, 0)))
                if not self._stream.accept(","):
                    break
            self._stream.expect("}")
        span = self._reader.span_from(start)
        missing = [name for name in own if name not in given]
        if missing and not self._reader.failed:
            shown = ", ".join(f"'{name}'" for name in missing)
            self._reader.error("BUR204", f"this '{variant.name}' has no value for {shown}", span)
        (_, tag), *fields = variant.union.fields
        assert isinstance(tag, Domain)
        parts: list[Term] = [Const(variant.number, tag, span)]
        for name, kind in fields:
            assert isinstance(kind, Domain)
            parts.append(given.get(name, Const(self._scope.least(kind), kind if kind.labels else None, span)))
        return Record(variant.union, tuple(parts), span)

    def variant(self) -> Variant | None:
        """The name of a variant, behind ``is`` or at the head of a case."""
        name, span = self._reader.name("the name of a variant")
        found = self._scope.globals.get(name)
        if isinstance(found, Variant):
            return found
        if found is None:
            self._reader.unknown(name, span)
        elif not self._reader.failed:
            self._reader.error("BUR203", f"'{name}' is not a variant of a union", span)
        self._reader.failed = True
        return None

    def asked(self, term: Term) -> Term:
        """``term is Variant``, behind ``is``."""
        found = None if refuse_set_of_variants(self._reader, term) else self.variant()
        if found is None:
            return n.FALSE
        asked = self.is_variant(term, found)
        return replace(asked, span=self._reader.span_from(term.span)) if term.span else asked

    def is_variant(self, term: Term, variant: Variant) -> Expr:
        """Whether a value is of a variant."""
        term = self._operations.as_type(term, variant.union)
        if self._reader.failed or not isinstance(term, Record):
            return n.FALSE
        tag = self._operations.scalar(term.parts[0])
        domain = variant.union.fields[0][1]
        assert isinstance(domain, Domain)
        return n.Binary("==", tag, Const(variant.number, domain, term.span), term.span)


def is_value(kind: Type, parts: Sequence[Expr]) -> Expr:
    """Whether parts, in the order of `flat`, are a value of a type: a variant has its own fields and no others."""
    return conjunction(_conditions(kind, parts))


def _conditions(kind: Type, parts: Sequence[Expr]) -> Iterator[Expr]:
    if not isinstance(kind, RecordType) or not holds_union(kind):
        return
    at = 0
    for _, inner in kind.fields:
        yield from _conditions(inner, parts[at : at + flat_count(inner)])
        at += flat_count(inner)
    for (_, domain), part, owners in zip(kind.fields[1:], parts[1:], kind.owners, strict=True) if kind.owners else ():
        assert isinstance(domain, Domain)
        tag = kind.fields[0][1]
        assert isinstance(tag, Domain)
        is_owner = disjunction(n.Binary("==", parts[0], Const(number, tag)) for number in owners.variants)
        is_given = part if domain == BOOL else n.Binary("!=", part, Const(domain.high, domain))
        yield n.Binary("<=>" if owners.is_needed else "=>", is_given, is_owner)
