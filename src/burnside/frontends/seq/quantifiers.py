"""Expressions of ``.seq`` that bind names: quantifiers, extremes, choices, sets by a condition, ``let``.

Names range over domains, records and sets; ``where`` leaves values out. ``forall``, ``exists``, ``count`` and ``sum``
are quantifiers of the model; extremes and choices are written out::

    max i in 0 .. 2 where c(i): e(i)     if c(0) || c(1) || c(2) then max(max(…, …), …) else a fault
    choose i in 0 .. 2 where c(i)        if c(0) then 0 else if c(1) then 1 else if c(2) then 2 else a fault
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from math import prod
from typing import Final, final

from burnside.frontends.seq.budget import Budget
from burnside.frontends.seq.constants import Constants
from burnside.frontends.seq.domains import Domains
from burnside.frontends.seq.operations import Operations
from burnside.frontends.seq.reader import Reader
from burnside.frontends.seq.scope import TypedName
from burnside.frontends.seq.terms import Listed, Selected, Set, Term, bound_parts, expressions_of
from burnside.frontends.seq.types import RecordType, SetType, Type, flat, holds_union, written_as
from burnside.frontends.seq.unions import is_value
from burnside.ir import nodes as n
from burnside.ir.build import comparison, conjunction, connect, disjunction, negation
from burnside.ir.check import INT
from burnside.ir.nodes import FALSE, TRUE, Bound, Const, Domain, Expr, Parameter
from burnside.ir.simplify import typed_constant
from burnside.ir.walk import descend
from burnside.source import Span
from burnside.values import dataclass

WRITTEN_OUT: Final = ("max", "min", "choose")
_OF_NOTHING: Final = {"max": "a maximum of nothing", "min": "a minimum of nothing", "choose": "a choice from nothing"}
_ANY_NUMBER: Final = Domain("", 0, 0)


@final
@dataclass(frozen=True, slots=True)
class Binder:
    """A name, what it ranges over, and what its values must fulfil."""

    name: str
    type: Type
    condition: Expr
    span: Span | None

    @property
    def names(self) -> list[tuple[str, Domain]]:
        """The names of the model that it is."""
        return [(self.name + path, domain) for path, domain in flat(self.type)]


@final
class Quantifiers:
    """The part of the parser that reads names and their bodies; ``climb`` reads an expression."""

    def __init__(
        self,
        reader: Reader,
        constants: Constants,
        operations: Operations,
        domains: Domains,
        budget: Budget,
        climb: Callable[[int], Term],
    ) -> None:
        self._reader = reader
        self._stream = reader.stream
        self._scope = reader.scope
        self._constants = constants
        self._operations = operations
        self._domains = domains
        self._budget = budget
        self._climb = climb

    # ------------------------------------------------------------ names

    def binders(self, what: str) -> list[Binder]:
        """``i, j in Phil, m in net``: names that enter the scope."""
        found: list[Binder] = []
        while True:
            names = self._names("in")
            start = self._stream.peek.span
            ranged = self._domains.binder(sets=True)
            place = self._reader.span_from(start)
            kind, chosen = self._range(ranged)
            if not self._operations.check_size(kind, place):
                kind = Domain("", 0, 0)
            for name, span in names:
                self._reader.bind(name, span, kind, what)
                found.append(Binder(name, kind, self._inside(name, kind, chosen), place))
            if not self._stream.accept(","):
                return found

    def _names(self, joint: str) -> list[tuple[str, Span]]:
        names = [self._reader.name()]
        while self._stream.accept(","):
            names.append(self._reader.name())
        self._stream.expect(joint)
        return names

    def _range(self, ranged: Domain | RecordType | Set) -> tuple[Type, Selected | None]:
        if isinstance(ranged, Listed):
            ranged = self._operations.selected(ranged, None)
        return (ranged.element, ranged) if isinstance(ranged, Selected) else (ranged, None)

    def _inside(self, name: str, kind: Type, chosen: Selected | None) -> Expr:
        if chosen is None or self._reader.failed:
            return is_value(kind, bound_parts(name, kind)) if holds_union(kind) else TRUE
        return self._operations.instance(chosen, bound_parts(name, kind, chosen.span))

    def parameters(self, what: str) -> tuple[TypedName, ...]:
        """``i, j: Phil, m: Msg``: names that enter the scope."""
        found: list[TypedName] = []
        while True:
            names = self._names(":")
            start = self._stream.peek.span
            kind = self._domains.type()
            place = self._reader.span_from(start)
            if not self._operations.check_size(kind, place):
                kind = Domain("", 0, 0)
            for name, span in names:
                self._reader.bind(name, span, kind, what)
                found.append(TypedName(name, kind, place))
            if not self._stream.accept(","):
                return tuple(found)

    # ------------------------------------------------------------ quantifiers

    def quantified(self) -> Term:
        """A word, names, perhaps a condition, and a body."""
        word = self._stream.advance()
        outer = dict(self._scope.locals)
        try:
            binders = self.binders("bound name")
            condition = self.where()
            if word.text == "choose" and not self._stream.at(":"):
                values = [self._operations.whole(b.type, bound_parts(b.name, b.type), b.span) for b in binders]
                body = values[0]
                if len(binders) > 1:
                    self._stream.expect(":", "':' and the value that is chosen")
            else:
                self._stream.expect(":")
                body = self._climb(0)
        finally:
            self._scope.locals = outer
        span = self._reader.span_from(word.span)
        if word.text in WRITTEN_OUT:
            return self._written_out(word.text, binders, condition, body, span)
        return self._nested(word.kind, binders, condition, self._operations.scalar(body), span)

    def where(self) -> Expr:
        """What is said behind names of those values that are meant; true if nothing is."""
        return self._operations.scalar(self._climb(0)) if self._reader.accept_word("where") else TRUE

    @staticmethod
    def _nested(quantifier: str, binders: list[Binder], condition: Expr, body: Expr, span: Span) -> Expr:
        for binder in reversed(binders):
            body = _limited(quantifier, conjunction((binder.condition, condition), condition.span), body, span)
            condition = TRUE
            for name, domain in reversed(binder.names):
                body = n.Quantified(quantifier, name, domain, body, span)
                # To count pairs is to add up what is counted for each first part.
                quantifier = "sum" if quantifier == "count" else quantifier
        return body

    def set_by_condition(self) -> Term:
        """``{ x in D where c }``, at the name."""
        outer = dict(self._scope.locals)
        start = self._stream.peek.span
        try:
            binder, *others = self.binders("bound name")
            condition = self.where()
        finally:
            self._scope.locals = outer
        span = self._reader.span_from(start)
        if others:
            self._reader.error("BUR102", "a set has one name for its elements", span)
        names = tuple(self._budget.new_name() for _ in binder.names)
        values = {old: Bound(new, d) for (old, d), new in zip(binder.names, names, strict=True)}
        chosen = conjunction((binder.condition, condition), span)
        if self._reader.failed:
            return Listed((), span)
        return Selected(binder.type, names, self._budget.inserted(chosen, values, span), span)

    # ------------------------------------------------------------ written out

    def _written_out(self, word: str, binders: list[Binder], condition: Expr, body: Term, span: Span) -> Term:
        if self._reader.failed:
            return body
        if word != "choose":
            self._operations.as_type(body, _ANY_NUMBER)
        chosen = conjunction((*(b.condition for b in binders), condition), condition.span)
        cases = list(self._cases(binders, chosen, body, span))
        if not cases:
            least: dict[str, Expr] = {name: typed_constant(d.low, d) for b in binders for name, d in b.names}
            return self._fault(word, self._operations.substituted(body, least, span), span)
        if word == "choose":
            return self._first(cases, span)
        return self._extreme(word, [(c, self._operations.scalar(v)) for c, v in cases], span)

    def _cases(self, binders: list[Binder], condition: Expr, body: Term, span: Span) -> Iterator[tuple[Expr, Term]]:
        """The condition and the body for all values of the names, but for those that are known to be left out."""
        names = [pair for binder in binders for pair in binder.names]
        size = sum(1 for e in (condition, *expressions_of(body)) for _ in descend(e))
        self._budget.spend(size * prod(domain.size for _, domain in names), span)
        for values in product(*(domain.values() for _, domain in names)):
            known: dict[str, Expr] = {
                name: typed_constant(value, domain) for (name, domain), value in zip(names, values, strict=True)
            }
            case = _decided(self._budget.inserted(condition, known, span))
            if case != FALSE:
                yield case, self._operations.substituted(body, known, span)

    def _first(self, cases: list[tuple[Expr, Term]], span: Span) -> Term:
        condition, last = cases.pop()
        result = (
            last
            if condition == TRUE
            else self._operations.choice(condition, last, self._fault("choose", last, span), span)
        )
        for condition, value in reversed(cases):
            result = value if condition == TRUE else self._operations.choice(condition, value, result, span)
        return result

    def _extreme(self, word: str, cases: list[tuple[Expr, Expr]], span: Span) -> Term:
        """The extreme of some values; the least or greatest number that there could be stands for those left out."""
        self._constants.expect(cases[0][1], INT)
        bounds = [self._constants.bounds_of(value) for _, value in cases]
        neutral = Const(min(low for low, _ in bounds) if word == "max" else max(high for _, high in bounds), None, span)
        values = [v if c == TRUE else n.Choice(c, v, neutral, span) for c, v in cases]
        result: Expr = values[0]
        for value in values[1:]:
            result = n.Binary(word, result, value, span)
        if any(c == TRUE for c, _ in cases):
            return result
        fault = n.Choice(_impossible(word, span), neutral, neutral, span)
        return n.Choice(disjunction((c for c, _ in cases), span), result, fault, span)

    def _fault(self, word: str, value: Term, span: Span) -> Term:
        """Something of the type of ``value`` that cannot be computed."""
        return self._operations.choice(_impossible(word, span), value, value, span)

    # ------------------------------------------------------------ let

    def let(self) -> Term:
        """``let x = e, y = f: body``: each name stands for its value in what follows."""
        start = self._stream.advance().span
        outer = dict(self._scope.locals)
        values: dict[str, Expr] = {}
        try:
            while True:
                name, place = self._reader.name()
                self._reader.sign("=", ":=", help="'let' takes '='")
                given = self._operations.substituted(self._climb(0), values, place)
                self._bind(name, place, given, values)
                if not self._stream.accept(","):
                    break
            self._stream.expect(":", "':' and what the name is used in")
            body = self._climb(0)
        finally:
            self._scope.locals = outer
        if self._reader.failed:
            return body
        return self._operations.substituted(body, values, self._reader.span_from(start))

    def _bind(self, name: str, place: Span, given: Term, values: dict[str, Expr]) -> None:
        kind = self._type_of(given)
        if not self._operations.check_size(kind, place):
            kind = Domain("", 0, 0)
        self._reader.bind(name, place, kind, "local constant")
        if not self._reader.failed:
            names = [name + path for path, _ in flat(kind)]
            values.update(zip(names, self._operations.parts(given, kind), strict=True))

    def _type_of(self, given: Term) -> Type:
        if self._reader.failed:
            return Domain("", 0, 0)
        if isinstance(given, Listed):
            given = self._operations.selected(given, None)
        if isinstance(given, Selected):
            return SetType(given.element)
        return self._operations.type_of(given) or self._constants.range_of(self._operations.scalar(given))

    def type_of(self, given: Term) -> Type:
        """The type for a local that is to hold a value."""
        return self._type_of(given)


def _decided(condition: Expr) -> Expr:
    """A condition without what is decided by the numbers in it."""
    match condition:
        case n.Binary(operator="==" | "!=" | "<" | "<=" | ">" | ">=" as sign, left=left, right=right, span=span):
            return comparison(sign, left, right, span)
        case n.Logic(operator=operator, operands=operands, span=span):
            return connect(operator, map(_decided, operands), span)
        case n.Unary(operator="!", operand=operand, span=span):
            return negation(_decided(operand), span)
        case _:
            return condition


def _impossible(word: str, span: Span) -> Expr:
    """A condition without a value: nothing fits, where something must."""
    nothing = Const(0, None, span, lack=f"{_OF_NOTHING[word]}: no value is left to take")
    return n.Binary("==", n.Binary("/", Const(1, None, span), nothing, span), Const(1), span)


def _limited(quantifier: str, condition: Expr, body: Expr, span: Span) -> Expr:
    """A body that says something of values with a condition only."""
    if condition == TRUE:
        return body
    match quantifier:
        case "forall":
            return n.Binary("=>", condition, body, span)
        case "sum":
            return n.Choice(condition, body, Const(0, None, span), span)
        case _:
            return conjunction((condition, body), span)


def parameters_of(names: tuple[TypedName, ...]) -> tuple[Parameter, ...]:
    """The parameters of the model that parameters of any type are."""
    return tuple(part for name in names for part in _parts_of(name))


def _parts_of(name: TypedName) -> Iterator[Parameter]:
    for (path, domain), begins in zip(flat(name.type), written_as(name.type, name.name), strict=True):
        yield Parameter(name.name + path, domain, name.span, begins)
