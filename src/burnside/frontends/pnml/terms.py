"""Terms of symmetric nets: markings, inscriptions of arcs, and guards.

A term is what it is worth for values of its variables: a bag of colours, in which a colour alone is there once, or a
truth value.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from itertools import product
from typing import Final, TypeAlias, final

from burnside.frontends.kit.names import unknown
from burnside.frontends.pnml.net import MOST_TOKENS
from burnside.frontends.pnml.sorts import DOT, Colour, Declarations, Sort, numbers, product_of
from burnside.frontends.pnml.xml import Element
from burnside.source import Diagnostics, Span, SyntaxStop
from burnside.values import dataclass

Binding: TypeAlias = Mapping[str, Colour]
Bag: TypeAlias = dict[Colour, int]

_COMPARISONS: Final[Mapping[str, Callable[[Colour, Colour], bool]]] = {
    "equality": operator.eq,
    "inequality": operator.ne,
    "lessthan": operator.lt,
    "lessthanorequal": operator.le,
    "greaterthan": operator.gt,
    "greaterthanorequal": operator.ge,
}
_UNORDERED: Final = ("equality", "inequality")
_CONNECTIVES: Final[Mapping[str, Callable[[list[bool]], bool]]] = {
    "and": all,
    "or": any,
    "not": lambda parts: not parts[0],
    "imply": lambda parts: not parts[0] or parts[1],
}


class Negative(Exception):
    """More colours are taken away than there are."""


@final
@dataclass(frozen=True, slots=True)
class Term:
    """A bag of colours of a sort; ``is_colour`` if it is one colour in any case."""

    sort: Sort
    variables: frozenset[str]
    bag: Callable[[Binding], Bag]
    is_colour: bool = False

    def colour(self, binding: Binding) -> Colour:
        """The colour that it is."""
        return next(iter(self.bag(binding)))


@final
@dataclass(frozen=True, slots=True)
class Guard:
    """A condition on the values of its variables."""

    variables: frozenset[str]
    holds: Callable[[Binding], bool]


@final
class Terms:
    """Reads terms; `SyntaxStop` if one is wrong, which has been reported."""

    def __init__(self, declarations: Declarations, diagnostics: Diagnostics) -> None:
        self._declarations = declarations
        self._diagnostics = diagnostics

    # ------------------------------------------------------------ bags of colours

    def term(self, element: Element, wanted: Sort | None = None) -> Term:
        """A bag, perhaps of a sort that is wanted; numbers take the sort of what they stand beside."""
        found = self._term(element, wanted)
        if wanted is not None and found.sort != wanted:
            raise self._stop("BUR203", f"expected colours of '{wanted}', found those of '{found.sort}'", element.span)
        return found

    def _term(self, element: Element, wanted: Sort | None) -> Term:
        match element.tag:
            case "variable":
                return self._variable(element)
            case "useroperator":
                return self._constant(element)
            case "dotconstant":
                return _fixed(DOT, 0)
            case "finiteintrangeconstant":
                return self._number(element, wanted)
            case "successor" | "predecessor":
                return self._shifted(element, 1 if element.tag == "successor" else -1)
            case "tuple":
                return self._tuple(element, wanted)
            case "all":
                sort = self._declarations.sort_in(element)
                every = dict.fromkeys(sort.colours(), 1)
                return Term(sort, frozenset(), lambda _: every)
            case "numberof" | "scalarproduct":
                return self._multiplied(element, wanted)
            case "add" | "subtract":
                return self._summed(element, wanted)
            case other:
                raise self._declarations.refuse(f"terms '{other}' are not read", element.span)

    def _variable(self, element: Element) -> Term:
        name = element.attributes.get("refvariable", "")
        known = self._declarations.variables
        if name not in known:
            self._diagnostics.add(unknown(name[:60], element.span, list(known)))
            raise SyntaxStop
        return Term(known[name][1], frozenset((name,)), lambda binding: {binding[name]: 1}, is_colour=True)

    def _constant(self, element: Element) -> Term:
        name = element.attributes.get("declaration", "")
        known = self._declarations.constants
        if name not in known:
            self._diagnostics.add(unknown(name[:60], element.span, list(known)))
            raise SyntaxStop
        return _fixed(*known[name])

    def _number(self, element: Element, wanted: Sort | None) -> Term:
        inner = element.first("finiteintrange")
        sort = wanted if inner is None else self._declarations.sort(inner)
        number = self._declarations.number(element, "value")
        if sort is None or sort.low is None:
            sort = numbers(number, number)
        assert sort.low is not None
        if not 0 <= number - sort.low < sort.size:
            raise self._stop("BUR203", f"{number} is not one of {sort}", element.span)
        return _fixed(sort, number - sort.low)

    def _shifted(self, element: Element, by: int) -> Term:
        inner = self._colour(self._only(element), None)
        if inner.sort.parts or not inner.sort.is_cyclic:
            raise self._stop("BUR203", f"'{inner.sort}' is not a cyclic enumeration", element.span)
        size = inner.sort.size

        def bag(binding: Binding) -> Bag:
            colour = inner.colour(binding)
            assert isinstance(colour, int)
            return {(colour + by) % size: 1}

        return Term(inner.sort, inner.variables, bag, is_colour=True)

    def _tuple(self, element: Element, wanted: Sort | None) -> Term:
        """Tuples of parts; where a part is a bag, all tuples with the colours in it."""
        inner = _operands(element)
        sorts = wanted.parts if wanted is not None and len(wanted.parts) == len(inner) else (None,) * len(inner)
        parts = [self.term(part, sort) for part, sort in zip(inner, sorts, strict=True)]
        if not parts:
            raise self._stop("BUR204", "a tuple needs parts", element.span)
        if len(parts) == 1:
            return parts[0]
        if all(part.is_colour for part in parts):
            colours = [part.colour for part in parts]

            def bag(binding: Binding) -> Bag:
                return {tuple([colour(binding) for colour in colours]): 1}
        else:

            def bag(binding: Binding) -> Bag:
                return _product([part.bag(binding) for part in parts])

        sort = product_of(tuple(part.sort for part in parts))
        if sort.size > MOST_TOKENS:
            raise self._stop("BUR205", f"there are {sort.size:,} such tuples", element.span)
        return Term(sort, _union(parts), bag, all(part.is_colour for part in parts))

    def _multiplied(self, element: Element, wanted: Sort | None) -> Term:
        inner = _operands(element)
        if len(inner) == 1:  # once, if no number is given
            return self.term(inner[0], wanted)
        if len(inner) != 2 or inner[0].tag != "numberconstant":
            raise self._stop("BUR204", f"'{element.tag}' takes a number and a bag", element.span)
        factor, term = self._declarations.number(inner[0], "value"), self.term(inner[1], wanted)
        if not 0 <= factor <= MOST_TOKENS:
            raise self._stop("BUR105", f"this number is not between 0 and {MOST_TOKENS:,}", inner[0].span)
        times = term.bag
        if factor == 1:
            return Term(term.sort, term.variables, times)
        return Term(term.sort, term.variables, lambda b: {c: factor * count for c, count in times(b).items() if factor})

    def _summed(self, element: Element, wanted: Sort | None) -> Term:
        inner = _operands(element)
        if not inner:
            raise self._stop("BUR204", f"'{element.tag}' needs parts", element.span)
        first = self.term(inner[0], wanted)
        parts = [first, *(self.term(part, first.sort) for part in inner[1:])]
        sign = 1 if element.tag == "add" else -1

        def bag(binding: Binding) -> Bag:
            total = dict(first.bag(binding))
            for part in parts[1:]:
                for colour, count in part.bag(binding).items():
                    total[colour] = total.get(colour, 0) + sign * count
            if sign < 0 and min(total.values(), default=0) < 0:
                raise Negative
            return {colour: count for colour, count in total.items() if count}

        return Term(first.sort, _union(parts), bag)

    def _colour(self, element: Element, wanted: Sort | None) -> Term:
        term = self.term(element, wanted)
        if not term.is_colour:
            raise self._stop("BUR203", "expected one colour, found a bag of them", element.span)
        return term

    # ------------------------------------------------------------ guards

    def guards(self, element: Element) -> list[Guard]:
        """The conditions all of which a guard asks for."""
        if element.tag == "and":
            return [guard for part in _operands(element) for guard in self.guards(part)]
        return [self._guard(element)]

    def _guard(self, element: Element) -> Guard:
        inner = _operands(element)
        if element.tag in _COMPARISONS:
            return self._comparison(element, inner)
        if element.tag not in _CONNECTIVES:
            raise self._declarations.refuse(f"conditions '{element.tag}' are not read", element.span)
        parts = [self._guard(part) for part in inner]
        wanted = {"not": 1, "imply": 2}.get(element.tag, len(parts))
        if not parts or len(parts) != wanted:
            raise self._stop("BUR204", f"'{element.tag}' has a wrong number of parts", element.span)
        connect, tests = _CONNECTIVES[element.tag], [part.holds for part in parts]
        variables = frozenset[str]().union(*(part.variables for part in parts))
        return Guard(variables, lambda binding: connect([test(binding) for test in tests]))

    def _comparison(self, element: Element, inner: list[Element]) -> Guard:
        if len(inner) != 2:
            raise self._stop("BUR204", f"'{element.tag}' compares two colours", element.span)
        if inner[0].tag == "finiteintrangeconstant":  # takes the sort of the other side
            right = self._colour(inner[1], None)
            left = self._colour(inner[0], right.sort)
        else:
            left = self._colour(inner[0], None)
            right = self._colour(inner[1], left.sort)
        if left.sort.parts and element.tag not in _UNORDERED:
            raise self._stop("BUR203", "tuples have no order", element.span)
        compare, one, other = _COMPARISONS[element.tag], left.colour, right.colour
        return Guard(left.variables | right.variables, lambda b: compare(one(b), other(b)))

    def _only(self, element: Element) -> Element:
        inner = _operands(element)
        if len(inner) != 1:
            raise self._stop("BUR204", f"'{element.tag}' takes one part", element.span)
        return inner[0]

    def _stop(self, code: str, message: str, span: Span) -> SyntaxStop:
        self._diagnostics.error(code, message, span)
        return SyntaxStop()


def _operands(element: Element) -> list[Element]:
    return [inner for part in element.all("subterm") for inner in part.parts[:1]]


def _fixed(sort: Sort, colour: int) -> Term:
    return Term(sort, frozenset(), lambda _: {colour: 1}, is_colour=True)


def _union(parts: list[Term]) -> frozenset[str]:
    return frozenset[str]().union(*(part.variables for part in parts))


def _product(bags: list[Bag]) -> Bag:
    found: Bag = {}
    for items in product(*(bag.items() for bag in bags)):
        count = 1
        for _, inner in items:
            count *= inner
        found[tuple(colour for colour, _ in items)] = count
    return found
