"""Domains and types of ``.seq``: ranges, names, optional values, records, sets and sequences."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice, pairwise
from typing import Final, final

from burnside.frontends.kit.names import Broken
from burnside.frontends.seq import advice
from burnside.frontends.seq.constants import Constants
from burnside.frontends.seq.foreign import refuse_array_type
from burnside.frontends.seq.lexicon import OPERATORS
from burnside.frontends.seq.operations import SET_OPERATORS, Operations
from burnside.frontends.seq.reader import Reader, spelling
from burnside.frontends.seq.scope import Label
from burnside.frontends.seq.terms import Listed, Selected, Set, Term
from burnside.frontends.seq.types import (
    BagType,
    RecordType,
    SequenceType,
    SetType,
    Type,
    element_count,
    holds_sequence,
    holds_set,
)
from burnside.ir.check import LARGEST_DOMAIN, MOST_CELLS
from burnside.ir.nodes import BOOL, Checked, Const, Domain
from burnside.ir.uses import names_constants
from burnside.source import Note, Span, SyntaxStop

_COMPARISON: Final = OPERATORS.level("==")
NONE: Final = "none"
MOST_IN_BAG: Final = 1_000_000


@final
class Domains:
    """The part of the parser that reads domains and types; ``climb`` reads an expression."""

    def __init__(
        self, reader: Reader, constants: Constants, operations: Operations, climb: Callable[[int], Term]
    ) -> None:
        self._reader = reader
        self._stream = reader.stream
        self._scope = reader.scope
        self._constants = constants
        self._operations = operations
        self._climb = climb

    # ------------------------------------------------------------ domains

    def domain(self) -> Domain:
        """A domain: a name, ``bool``, or a range, perhaps ``of`` a process domain; ``D?`` and ``D + { labels }``."""
        start = self._stream.peek.span
        found = self.binder()
        if isinstance(found, Domain):
            return found
        self._reader.error("BUR203", "expected a domain", self._reader.span_from(start))
        return Domain("", 0, 0)

    def checked(self, term: Term) -> Checked:
        """``e as D``, behind the word."""
        operand, domain = self._operations.scalar(term), self._behind_as()
        return Checked(operand, domain, self._reader.span_from(term.span or self._stream.peek.span))

    def _behind_as(self) -> Domain:
        """A domain behind which operators may follow: a name, or any in parentheses."""
        start = self._stream.peek.span
        if self._stream.accept("("):
            found: Domain | RecordType | Set = self.domain()
            self._stream.expect(")")
        elif self._stream.peek.kind in ("name", "quoted", "bool"):
            found = self.plain()
        else:
            self._stream.fail("a domain", help="a range stands in parentheses here: 'x as (0 .. 3)'")
        if isinstance(found, Domain):
            return found
        self._reader.error("BUR203", "expected a domain", self._reader.span_from(start))
        return Domain("", 0, 0)

    def binder(self, *, sets: bool = False) -> Domain | RecordType | Set:
        """What a name ranges over: a domain, the values of a record or, if ``sets`` may stand here, of a set."""
        self._stream.enter()
        start = self._stream.peek.span
        found = self.plain(sets=sets)
        self._stream.leave()
        if not isinstance(found, Domain):
            if self._stream.at("?") and isinstance(found, RecordType):
                what, remedy = "record", "make one of its fields optional"
                if found.owners:
                    what, remedy = "union", "give it one more variant, without fields"
                self._reader.error("BUR901", f"a {what} cannot be optional", self._stream.advance().span, help=remedy)
            return found
        if found.size < 1:
            if not self._reader.failed:
                self._reader.error("BUR205", "this domain is empty", self._reader.span_from(start))
            return Domain("", 0, 0)
        return self.extended(found, start)

    def extended(self, base: Domain, start: Span) -> Domain:
        """``D?``, ``D + { labels }``: a domain of which a text need not say the name."""
        while self._stream.at("?") or self._stream.peek_kinds(2) == ["+", "{"]:
            labels = [(NONE, self._stream.peek.span)]
            is_optional = bool(self._stream.accept("?"))
            if not is_optional:
                self._stream.advance()
                labels = self.labels()
            if not self.is_extensible(base, labels, start) or self._reader.failed:
                return base
            shown = base.name or f"{base.low} .. {base.high}"
            text = "?" if [name for name, _ in labels] == [NONE] else f" + {{ {', '.join(n for n, _ in labels)} }}"
            base = self.declare(extended(f"{shown}{text}", base, labels), labels, self._reader.span_from(start))
            if is_optional:
                self._scope.optional.add(base)
        return base

    def is_extensible(self, base: Domain, labels: list[tuple[str, Span]], start: Span) -> bool:
        """Whether a domain can have further labels, and does not have these already; reported if not."""
        for label, place in labels:
            if label in base.labels:
                self._reader.error("BUR202", f"'{base.name}' has a label '{label}' already", place)
        if base == BOOL:
            remedy = "declare an enumeration with the three labels"
            span = self._reader.span_from(start)
            self._reader.error("BUR901", "truth values cannot be extended", span, help=remedy)
        return base != BOOL

    def declare(self, domain: Domain, labels: list[tuple[str, Span]], span: Span) -> Domain:
        """A domain that a type implies, declared where it stands first."""
        known = self._scope.globals.get(domain.name)
        if isinstance(known, Domain):
            return known
        if any(label in self._scope.globals and not self._is_label(label) for label, _ in labels):
            for label, place in labels:
                if label in self._scope.globals and not self._is_label(label):
                    self._reader.taken(label, place)
            return domain
        self._scope.domains.append(domain)
        self._scope.declare(domain.name, domain, span)
        for offset, (label, place) in enumerate(labels):
            self._scope.declare_label(Const(domain.high - len(labels) + 1 + offset, domain), label, place)
        return domain

    def _is_label(self, name: str) -> bool:
        return isinstance(self._scope.globals[name], Label)

    def plain(self, *, sets: bool = False) -> Domain | RecordType | Set:
        """As `binder`, but a domain may be empty and is not extended."""
        token = self._stream.peek
        if self._stream.accept("bool"):
            return BOOL
        if token.kind in ("name", "quoted") and spelling(token) not in self._scope.locals:
            entity = self._scope.globals.get(spelling(token))
            after = self._stream.peek_kinds(2)[-1]
            is_whole = isinstance(entity, Domain) and after != "."
            if is_whole and sets and self._is_operator_ahead():
                return self._range(token.span, sets=sets)
            if is_whole or isinstance(entity, RecordType):  # braces behind it begin a block
                self._stream.advance()
                assert isinstance(entity, Domain | RecordType)
                return entity
            if entity is None or entity == Broken():
                return self._unknown()
        if token.kind == "(" and self._is_in_parentheses():
            self._stream.advance()
            inside = self.domain()
            self._stream.expect(")")
            return inside
        return self._range(token.span, sets=sets)

    def _is_operator_ahead(self) -> bool:
        """Whether the name that comes next is an operand of an operator on sets."""
        after = next(islice(self._stream.ahead(), 1, None), None)
        return after is not None and after.kind == "name" and after.text in SET_OPERATORS

    def _is_in_parentheses(self) -> bool:
        """Whether what begins here is ``( … )?``: a domain in parentheses, not the lower end of a range."""
        depth = 0
        for token, after in pairwise(self._stream.ahead()):
            depth += {"(": 1, ")": -1}.get(token.kind, 0)
            if depth == 0 or token.kind in (";", "{", "}"):
                return after.kind == "?"
        return False

    def _unknown(self) -> Domain:
        token = self._stream.advance()
        name = spelling(token)
        self._reader.failed = True
        if name not in self._scope.globals:
            self._reader.unknown(name, token.span, also=["bool"], elsewhere=advice.TYPES)
        if not self._stream.at("..", "+", "-", "*", "/", "%", "("):
            return Domain("", 0, 0)
        self._stream.skip_to(";", "}", ")", "]")
        raise SyntaxStop

    def _range(self, start: Span, *, sets: bool) -> Domain | Set:
        first = self._climb(_COMPARISON)
        if isinstance(first, Selected | Listed) and sets:
            return first
        lower = self._operations.scalar(first)
        low = self._constants.number(lower)
        if not self._stream.accept(".."):
            self._stream.fail("'..' between the ends of a range", help="a range has two ends, such as 0..9")
        upper = self._operations.scalar(self._climb(_COMPARISON))
        high = self._constants.number(upper)
        index = self.index_of() if self._stream.accept("of") else ""
        if high - low >= LARGEST_DOMAIN:
            span = self._reader.span_from(start)
            self._reader.error("BUR205", f"this domain has {high - low + 1:,} values", span)
            return Domain("", 0, 0)
        sized = names_constants(lower) or names_constants(upper)
        return Domain("", low, max(high, low - 1), (), index, sized=sized)

    def index_of(self) -> str:
        """The process domain behind ``of``."""
        name, span = self._reader.name("a process domain")
        entity = self._scope.globals.get(name)
        if entity is None:
            self._reader.unknown(name, span)
        elif not (isinstance(entity, Domain) and entity.index == name):
            notes = [Note(f"'{name}' is declared here", span=self._scope.place_of(name))]
            self._reader.error("BUR203", f"'{name}' is not a process domain", span, notes=notes)
        return name

    def labels(self) -> list[tuple[str, Span]]:
        """``{ a, b }``: the labels of a domain."""
        self._stream.expect("{", "'{' and labels")
        found: list[tuple[str, Span]] = []
        while not self._stream.at("}"):
            label, span = self._reader.name("a label")
            self._check_label(label, span, found)
            found.append((label, span))
            if not self._stream.accept(","):
                break
        self._stream.expect("}")
        self._reader.declared += [label for label, _ in found]
        return found

    def _check_label(self, label: str, span: Span, others: list[tuple[str, Span]]) -> None:
        twin = next((place for name, place in others if name == label), None)
        if twin is not None:
            notes = [Note(f"'{label}' stands first here", span=twin)]
            self._reader.error("BUR202", f"label '{label}' stands twice in one domain", span, notes=notes)
        elif not isinstance(self._scope.globals.get(label, Label(())), Label):
            self._reader.taken(label, span)

    # ------------------------------------------------------------ types

    def type(self) -> Type:
        """A type: a domain, a record, a set or a sequence."""
        if refuse_array_type(self._reader):
            return self.type()
        if self._stream.accept("seq"):
            return self._sequence()
        if self._reader.at_word("set") and self._stream.peek_kinds(2)[-1] == "of":
            return self._set()
        if self._reader.at_word("bag") and self._stream.peek_kinds(2)[-1] == "of":
            return self._bag()
        found = self.binder()
        assert isinstance(found, Domain | RecordType)  # without sets
        return found

    def _bag(self) -> Type:
        """``bag of Msg max 3 lossy duplicating``."""
        kind = self._set()
        assert isinstance(kind, SetType)
        if not self._reader.accept_word("max"):
            self._stream.fail("'max'", help="a bag says how many values it may hold: bag of Msg max 3")
        start = self._stream.peek.span
        most = self._constants.number(self._operations.scalar(self._climb(_COMPARISON)))
        if not 1 <= most <= MOST_IN_BAG and not self._reader.failed:
            self._reader.error("BUR205", f"a bag cannot hold {most:,} values", self._reader.span_from(start))
        words: set[str] = set()
        while self._reader.at_word("lossy", "duplicating"):
            words.add(self._stream.advance().text)
        return BagType(max(most, 1), kind.element, "lossy" in words, "duplicating" in words)

    def _sequence(self) -> Type:
        self._stream.expect("[", "'[' and the greatest length")
        start = self._stream.peek.span
        capacity = self._constants.number(self._operations.scalar(self._climb(0)))
        if capacity < 0:
            self._reader.error("BUR205", f"a sequence cannot hold {capacity} items", self._reader.span_from(start))
        self._stream.expect("]")
        self._stream.expect("of")
        start = self._stream.peek.span
        item = self._nested()
        if holds_sequence(item):
            remedy = "give the inner sequences a dimension instead"
            self._reader.error(
                "BUR901", "a sequence cannot hold sequences or bags", self._reader.span_from(start), help=remedy
            )
            return SequenceType(max(capacity, 0), BOOL)
        return SequenceType(max(capacity, 0), item)

    def _set(self) -> Type:
        self._stream.advance()
        self._stream.expect("of")
        start = self._stream.peek.span
        element = self._nested()
        if holds_sequence(element) or holds_set(element):
            span = self._reader.span_from(start)
            remedy = "a set holds values of a domain, or records of such values"
            self._reader.error("BUR901", "a set cannot hold sets, bags or sequences", span, help=remedy)
            return SetType(BOOL)
        if element_count(element) > MOST_CELLS:
            span = self._reader.span_from(start)
            self._reader.error("BUR205", f"a set could have {element_count(element):,} elements", span)
            return SetType(BOOL)
        return SetType(element)

    def _nested(self) -> Type:
        self._stream.enter()
        kind = self.type()
        self._stream.leave()
        return kind


def extended(
    name: str, base: Domain, labels: list[tuple[str, Span]], *, index: str = "", span: Span | None = None
) -> Domain:
    """A domain and labels for further values above it."""
    texts = tuple(label for label, _ in labels)
    index = index or base.index
    root = base.base or base.name
    if not base.is_enumeration:
        high, kept = base.high + len(texts), base.labels + texts
        return Domain(name, base.low, high, kept, index, base="" if index else root, sized=base.sized, span=span)
    own = (*base.labels, *texts)
    return Domain(
        name, base.low, base.high + len(texts), own, index, base=root, added=base.added + len(texts), span=span
    )
