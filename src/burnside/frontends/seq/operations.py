"""What can be done with values that have parts: equality, membership, choice, and being of a type."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, final

from burnside.frontends.kit.nodes import joined
from burnside.frontends.kit.operators import Signs
from burnside.frontends.seq import advice
from burnside.frontends.seq.budget import Budget
from burnside.frontends.seq.constants import Constants, are_alike
from burnside.frontends.seq.ids import report
from burnside.frontends.seq.reader import Reader
from burnside.frontends.seq.terms import (
    Interval,
    Listed,
    Record,
    Selected,
    Set,
    Term,
    Undecided,
    Unresolved,
    domains_of,
    is_single,
    map_term,
    quantified,
    rebuilt,
)
from burnside.frontends.seq.types import (
    MOST_NAMES,
    RecordType,
    SetType,
    Type,
    describe_type,
    elements,
    flat_count,
    have_same_values,
)
from burnside.ir import nodes as n
from burnside.ir.build import comparison, conjunction, disjunction, negation
from burnside.ir.check import INT, type_of_domain
from burnside.ir.ids import is_misused, kind_of, kind_of_domain, ordinal
from burnside.ir.nodes import FALSE, Bound, Const, Domain, Expr
from burnside.ir.rewrite import fresh_name
from burnside.ir.simplify import typed_constant
from burnside.ir.uses import bound_names, free_names
from burnside.source import Span

SET_OPERATORS: Final = ("union", "minus", "intersect")


@final
class Operations:
    """Makes expressions of the model from terms; what does not fit is reported."""

    def __init__(self, reader: Reader, constants: Constants, budget: Budget) -> None:
        self._reader = reader
        self._constants = constants
        self._budget = budget

    def _error(self, code: str, message: str, span: Span | None, *, help: str = "") -> None:
        # After another error, a type may be wrong for that reason alone.
        if not self._reader.failed:
            self._reader.error(code, message, span, help=help)

    # ------------------------------------------------------------ types

    def scalar(self, term: Term, sign: str = "") -> Expr:
        """A term that must be a single value, perhaps because it is an operand of ``sign``."""
        match term:
            case Unresolved():
                self._error("BUR213", f"'{term.name}' is a label of several domains", term.span, help=term.told_apart)
                return term.values[0]
            case Undecided(condition=condition, then=then, otherwise=otherwise):
                return n.Choice(condition, self.scalar(then), self.scalar(otherwise), term.span)
            case Selected(whole=whole) if whole:
                remedy = f"'{whole}.label' is one of its values"
                self._error("BUR203", f"'{whole}' is a domain, not a value", term.span, help=remedy)
            case Record(type=kind):
                self._error("BUR203", f"expected a single value, found {describe_type(kind)}", term.span)
            case Selected() | Listed():
                remedy = f"of sets, write '{advice.OF_SETS[sign]}'" if sign in advice.OF_SETS else ""
                self._error("BUR203", "expected a single value, found a set", term.span, help=remedy)
            case _:
                return term
        return Const(0, None, term.span)

    def type_of(self, term: Term) -> Type | None:
        """The type of a term, None for numbers and for sets of them."""
        match term:
            case Record(type=kind):
                return kind
            case Selected(element=element):
                return SetType(element)
            case Listed(items=items):
                found = [self.type_of(i) for i in items if not isinstance(i, Interval)]
                known = [kind for kind in found if kind is not None]
                return SetType(known[0]) if known else None
            case Undecided(then=then, otherwise=otherwise):
                return self.type_of(then) or self.type_of(otherwise)
            case Unresolved():
                return None
            case _:
                return self._constants.domain_of(term)

    def as_type(self, term: Term, kind: Type) -> Term:
        """A term where a value of a type is expected: labels are resolved, sets know their elements."""
        match kind, term:
            case Domain(), Unresolved():
                return self.resolved(term, kind)
            case Domain(), Undecided(condition=condition, then=then, otherwise=otherwise):
                return self.choice(condition, self.as_type(then, kind), self.as_type(otherwise, kind), term.span)
            case RecordType(), Record(type=actual) if actual == kind:
                return term
            case SetType(element=element), Listed() | Selected():
                return self.selected(term, element)
            case Domain(), _ if is_single(term):
                found, wanted = kind_of(self.scalar(term), self._reader.scope.declared), kind_of_domain(kind)
                if is_misused(found, wanted):
                    report(self._reader.error, self.scalar(term), found, wanted)
                return term
            case Domain(), _:
                return self.scalar(term)
            case _:
                self._mismatch(kind, term)
                return term

    def _mismatch(self, kind: Type, term: Term) -> None:
        actual = self.type_of(term)
        found = "a set" if isinstance(term, Listed) else describe_type(actual) if actual else INT
        if isinstance(term, Unresolved):
            found = "a label"
        self._error("BUR203", f"expected {describe_type(kind)}, found {found}", term.span)

    def resolved(self, term: Term, kind: Type | None) -> Term:
        """A label of several domains as one of the domain that is expected, if it has such a label."""
        if isinstance(term, Undecided):
            sides = (self.resolved(term.then, kind), self.resolved(term.otherwise, kind))
            return self.choice(term.condition, *sides, term.span)
        if not isinstance(term, Unresolved) or not isinstance(kind, Domain):
            return term
        exact = [v for v in term.values if v.domain == kind]
        found = exact or [v for v in term.values if v.domain and are_alike(v.domain, kind)]
        if len({v.value for v in found}) != 1:
            return term
        return Const(found[0].value, found[0].domain, term.span)

    def parts(self, term: Term, kind: Type) -> list[Expr]:
        """The single values that a term of a type is, in the order of `types.flat`."""
        term = self.as_type(term, kind)
        match kind, term:
            case RecordType(fields=fields), Record(parts=parts):
                pairs = zip(parts, fields, strict=True)
                return [expr for part, (_, inner) in pairs for expr in self.parts(part, inner)]
            case SetType(element=element), Selected():
                domains = domains_of(element)
                return [
                    self.instance(term, [typed_constant(v, d) for v, d in zip(values, domains, strict=True)])
                    for values in elements(element)
                ]
            case Domain(), _:
                return [self.scalar(term)]
            case _:  # what is wrong has been reported
                return [Const(d.low, d if d.labels else None, term.span) for d in domains_of(kind)]

    # ------------------------------------------------------------ sets

    def instance(self, chosen: Selected, values: Sequence[Expr]) -> Expr:
        """The condition of a set for one element."""
        return self._budget.inserted(chosen.condition, dict(zip(chosen.names, values, strict=True)), chosen.span)

    def selected(self, term: Set, element: Type | None) -> Selected:
        """A set as a condition; ``element`` is the type of its elements if it does not say so itself."""
        span = term.span
        if isinstance(term, Selected):
            if element is not None and not have_same_values(term.element, element):
                self._mismatch(SetType(element), term)
                return Selected(element, self._new_names(element), FALSE, span)
            return term if element is None else self._over(term, element)
        kind = element if element is not None else self._element_of(term)
        names = self._new_names(kind)
        value = self._asked(kind, names)
        cases = [self._is_item(value, item, kind, span) for item in term.items]
        return Selected(kind, names, disjunction(cases, span), span)

    def _over(self, term: Selected, element: Type) -> Selected:
        """The same set over a domain with the same values, perhaps of another name."""
        if term.element == element:
            return term
        names = self._new_names(element)
        values = [Bound(name, domain) for name, domain in zip(names, domains_of(element), strict=True)]
        return Selected(element, names, self.instance(term, values), term.span)

    def _element_of(self, term: Listed) -> Type:
        kind = self.type_of(term)
        if isinstance(kind, SetType):
            return kind.element
        numbers = [e for i in term.items for e in ((i.low, i.high) if isinstance(i, Interval) else (self.scalar(i),))]
        ranges = [self._constants.range_of(e) for e in numbers]
        if not ranges:
            message = "it is not known what this set could have as elements"
            self._error("BUR203", message, term.span, help="say it with 'var s: set of D := {};'")
            return Domain("", 0, 0)
        return Domain("", min(r.low for r in ranges), max(r.high for r in ranges))

    def _new_names(self, kind: Type) -> tuple[str, ...]:
        return tuple(self._budget.new_name() for _ in domains_of(kind))

    def _asked(self, kind: Type, names: Sequence[str]) -> Term:
        """The value whose parts have these names."""
        values = [Bound(name, domain) for name, domain in zip(names, domains_of(kind), strict=True)]
        return self.whole(kind, values)

    def whole(self, kind: Type, values: Sequence[Expr], span: Span | None = None) -> Term:
        """The value of a type with these parts."""
        return rebuilt(kind, values, self._budget.new_name, span)

    def _is_item(self, value: Term, item: Term | Interval, kind: Type, span: Span | None) -> Expr:
        if isinstance(item, Interval):
            number = ordinal(self.scalar(value))
            low = n.Binary("<=", item.low, number, item.span)
            return conjunction((low, n.Binary("<=", number, item.high, item.span)), item.span)
        return self.equal(value, self.as_type(item, kind), item.span or span)

    def member(self, value: Term, term: Set, span: Span | None) -> Expr:
        """``value in set``; what is not of the type of its elements is not in a set."""
        if isinstance(term, Listed):
            kind = self.type_of(value)
            value = self.resolved(value, next((k for k in self._item_types(term)), None))
            items = [i if isinstance(i, Interval) else self.resolved(i, kind) for i in term.items]
            tests = [self._is_listed(value, item, span) for item in items]
            return disjunction(tests, span)
        parts = self.parts(value, term.element)
        pairs = list(zip(parts, domains_of(term.element), strict=True))
        guards = [guard for part, domain in pairs for guard in self._guards(part, domain)]
        return conjunction((*guards, self.instance(term, parts)), span)

    def _item_types(self, term: Listed) -> Iterator[Type]:
        kind = self.type_of(term)
        if isinstance(kind, SetType):
            yield kind.element

    def _is_listed(self, value: Term, item: Term | Interval, span: Span | None) -> Expr:
        if isinstance(item, Interval):
            return self._is_item(value, item, Domain("", 0, 0), span)
        return self.equal(value, item, span)

    def _guards(self, value: Expr, domain: Domain) -> Iterator[Expr]:
        """What must hold for a value to lie in a domain, if it may lie outside."""
        own = self._constants.domain_of(value)
        if own is not None and (type_of_domain(own) != type_of_domain(domain)):
            return  # the checker says so
        if own is not None and own.is_enumeration:
            outside = [v for v in own.values() if v not in domain]
            yield from (comparison("!=", value, Const(v, own), value.span) for v in outside)
            return
        low, high = self._constants.bounds_of(value)
        number = ordinal(value)
        if low < domain.low:
            yield comparison("<=", Const(domain.low), number, value.span)
        if high > domain.high:
            yield comparison("<=", number, Const(domain.high), value.span)

    def quantified(self, quantifier: str, chosen: Selected, span: Span | None) -> Expr:
        """``forall``, ``exists``, or ``count`` of the elements of a set."""
        body = chosen.condition
        taken = self._reader.scope.around().union(bound_names(body), free_names(body))
        names: list[tuple[str, Domain]] = []
        values: dict[str, Expr] = {}
        for name, domain in zip(chosen.names, domains_of(chosen.element), strict=True):
            shown = fresh_name((domain.name or "x")[:1].lower(), taken)
            taken.add(shown)
            names.append((shown, domain))
            values[name] = Bound(shown, domain)
        return quantified(quantifier, names, self._budget.inserted(body, values, span), span)

    # ------------------------------------------------------------ operators

    def joined(self, signs: Signs, parts: tuple[Term, ...], start: Span) -> Term:
        """The term of an operator and its operands."""
        sign = signs[0]
        if sign in ("==", "!=") and not all(map(is_single, parts)):
            return self._compared(sign, parts[0], parts[1], self._around(parts))
        if sign in SET_OPERATORS:
            return self._combined(sign, self._as_set(parts[0]), self._as_set(parts[1]), self._around(parts))
        if sign == "subset":
            left, right = self._alike(self._as_set(parts[0]), self._as_set(parts[1]))
            outside = self._selection("minus", left, right, self._around(parts))
            return negation(self.quantified("exists", outside, self._around(parts)), self._around(parts))
        if sign == "in":
            return self.member(parts[0], self._as_set(parts[1]), self._around(parts))
        wrong = next((part for part in parts if isinstance(part, Record | Selected | Listed)), None)
        if wrong is not None:
            return self.scalar(wrong, sign)  # of several operands with parts, one is enough to say so
        return joined(signs, tuple(map(self.scalar, parts)), start)

    @staticmethod
    def _around(parts: Sequence[Term]) -> Span | None:
        first, last = parts[0].span, parts[-1].span
        return first.to(last) if first and last else None

    def _as_set(self, term: Term) -> Set:
        if isinstance(term, Selected | Listed):
            return term
        kind = self.type_of(term)
        found = describe_type(kind) if kind else INT
        self._error("BUR203", f"expected a set, found {found}", term.span, help="'{ a, b }' is a set")
        return Listed((), term.span)

    def _compared(self, sign: str, left: Term, right: Term, span: Span | None) -> Expr:
        left, right = self.resolved(left, self.type_of(right)), self.resolved(right, self.type_of(left))
        if is_single(left) and is_single(right):
            return n.Binary(sign, self.scalar(left), self.scalar(right), span)
        if isinstance(left, Unresolved) and isinstance(right, Unresolved):
            return self.scalar(left)
        equal = self.equal(left, right, span)
        return equal if sign == "==" else negation(equal, span)

    def equal(self, left: Term, right: Term, span: Span | None) -> Expr:
        """Whether two values are the same."""
        match left, right:
            case Record(type=kind, parts=parts), Record(type=other, parts=others) if kind == other:
                return conjunction((self.equal(p, o, span) for p, o in zip(parts, others, strict=True)), span)
            case Selected() | Listed(), Selected() | Listed():
                one, two = self._alike(left, right)
                values = [Bound(name, d) for name, d in zip(one.names, domains_of(one.element), strict=True)]
                same = n.Binary("<=>", one.condition, self.instance(two, values), span)
                return self.quantified("forall", Selected(one.element, one.names, same, span), span)
            case Record(type=kind), _:
                self._mismatch(kind, right)
            case _, Record(type=kind):
                self._mismatch(kind, left)
            case _:
                known = self.type_of(right) or self.type_of(left)
                sides = [self.scalar(self.resolved(side, known)) for side in (left, right)]
                return comparison("==", sides[0], sides[1], span)
        return FALSE

    def _alike(self, left: Set, right: Set) -> tuple[Selected, Selected]:
        """Two sets with elements of one type."""
        kind = self.type_of(left) or self.type_of(right)
        element = kind.element if isinstance(kind, SetType) else None
        if element is None:
            both = Listed(tuple(i for s in (left, right) if isinstance(s, Listed) for i in s.items), left.span)
            element = self._element_of(both)
        return self.selected(left, element), self.selected(right, element)

    def _combined(self, sign: str, left: Set, right: Set, span: Span | None) -> Set:
        if sign == "union" and isinstance(left, Listed) and isinstance(right, Listed):
            return Listed((*left.items, *right.items), span)
        return self._selection(sign, left, right, span)

    def _selection(self, sign: str, left: Set, right: Set, span: Span | None) -> Selected:
        one, two = self._alike(left, right)
        values = [Bound(name, d) for name, d in zip(one.names, domains_of(one.element), strict=True)]
        other = self.instance(two, values)
        condition = {
            "union": lambda: disjunction((one.condition, other), span),
            "intersect": lambda: conjunction((one.condition, other), span),
            "minus": lambda: conjunction((one.condition, negation(other, span)), span),
        }[sign]()
        return Selected(one.element, one.names, condition, span)

    def choice(self, condition: Expr, then: Term, otherwise: Term, span: Span | None) -> Term:
        """``if condition then … else …`` of any values."""
        then, otherwise = self.resolved(then, self.type_of(otherwise)), self.resolved(otherwise, self.type_of(then))
        match then, otherwise:
            case Record(type=kind, parts=parts), Record(type=other, parts=others) if kind == other:
                pairs = zip(parts, others, strict=True)
                return Record(kind, tuple(self.choice(condition, p, o, span) for p, o in pairs), span)
            case Selected() | Listed(), Selected() | Listed():
                one, two = self._alike(then, otherwise)
                values = [Bound(name, d) for name, d in zip(one.names, domains_of(one.element), strict=True)]
                chosen = n.Choice(condition, one.condition, self.instance(two, values), span)
                return Selected(one.element, one.names, chosen, span)
            case (Record() | Selected() | Listed(), _) | (_, Record() | Selected() | Listed()):
                kinds = [self.type_of(then), self.type_of(otherwise)]
                if kinds[0] is not None:
                    self._mismatch(kinds[0], otherwise)
                elif kinds[1] is not None:
                    self._mismatch(kinds[1], then)
                return then
            case (Unresolved() | Undecided(), _) | (_, Unresolved() | Undecided()):
                return Undecided(condition, then, otherwise, span)
            case _:
                return n.Choice(condition, self.scalar(then), self.scalar(otherwise), span)

    def substituted(self, term: Term, values: Mapping[str, Expr], span: Span | None) -> Term:
        """A term with values for some of its names."""
        return map_term(term, lambda expr: self._budget.inserted(expr, values, span))

    def check_size(self, kind: Type, span: Span | None) -> bool:
        """Report a type of which a parameter or local would be too many names."""
        count = flat_count(kind)
        if 0 < count <= MOST_NAMES:
            return True
        what = "holds a sequence or a bag" if not count else f"has {count:,} parts, more than {MOST_NAMES}"
        self._error("BUR205", f"this {what}", span, help="declare a variable of the model for it")
        return False
