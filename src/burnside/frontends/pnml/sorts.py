"""Colours of symmetric nets: sorts, and what a net declares about them.

A colour of a simple sort is a number, counted from 0; one of a product is the tuple of its parts.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import prod
from typing import Final, TypeAlias, final

from burnside.frontends.kit.names import declared_twice, unknown
from burnside.frontends.pnml.xml import Element
from burnside.source import Diagnostics, Span, SyntaxStop
from burnside.values import dataclass, field

# Colours of one sort, products included.
MOST_COLOURS: Final = 1_000_000

Colour: TypeAlias = "int | tuple[Colour, ...]"


@final
@dataclass(frozen=True, slots=True)
class Sort:
    """A simple sort, whose colours have ``labels``, or the product of its ``parts``.

    An enumeration is equal to no other, whatever its labels are; numbers from ``low`` and products have no names.
    """

    name: str
    labels: tuple[str, ...] = ()
    parts: tuple[Sort, ...] = ()
    is_cyclic: bool = field(default=False, compare=False)
    low: int | None = None

    @property
    def size(self) -> int:
        """How many colours there are."""
        return prod(part.size for part in self.parts) if self.parts else len(self.labels)

    def colours(self) -> Iterator[Colour]:
        """All colours, in order."""
        return product(*(part.colours() for part in self.parts)) if self.parts else iter(range(self.size))

    def text(self, colour: Colour) -> str:
        """How a colour is shown."""
        if isinstance(colour, tuple):
            return ",".join(part.text(inner) for part, inner in zip(self.parts, colour, strict=True))
        return self.labels[colour]

    def __str__(self) -> str:
        return self.name or " * ".join(map(str, self.parts))


DOT: Final = Sort("dot", ("dot",))


def product_of(parts: tuple[Sort, ...]) -> Sort:
    """Tuples of colours of some sorts; a tuple of one part is that part."""
    return parts[0] if len(parts) == 1 else Sort("", (), parts)


def numbers(low: int, high: int) -> Sort:
    """The numbers between two others."""
    return Sort(f"{low}..{high}", tuple(map(str, range(low, high + 1))), low=low)


@final
class Declarations:
    """What a net declares: sorts and variables by their ids, and constants with the sort that each belongs to."""

    def __init__(self, diagnostics: Diagnostics) -> None:
        self._diagnostics = diagnostics
        self._named: dict[str, Element] = {}
        self._sorts: dict[str, Sort] = {}
        self._pending: set[str] = set()
        self.variables: dict[str, tuple[str, Sort]] = {}
        self.constants: dict[str, tuple[Sort, int]] = {}

    def read(self, declarations: list[Element]) -> None:
        """Read all declarations; a sort may be used in front of its own."""
        elements = [part for d in declarations for part in _inner(d)]
        for element in elements:
            if element.tag == "namedsort":
                self._declare(element, self._named)
        for name in self._named:
            self._sort_named(name, self._named[name].span)
        variables: dict[str, Element] = {}
        for element in elements:
            match element.tag:
                case "variabledecl":
                    self._declare(element, variables)
                    shown = element.attributes.get("name", "") or element.attributes["id"]
                    self.variables[element.attributes["id"]] = shown, self.sort_in(element)
                case "namedsort":
                    pass
                case other:
                    self.refuse(f"declarations '{other}' are not read", element.span)

    def sort_in(self, element: Element) -> Sort:
        """The sort that an element holds."""
        if not element.parts:
            self._diagnostics.error("BUR102", f"'{element.tag}' needs a sort", element.span)
            raise SyntaxStop
        return self.sort(element.parts[0])

    def sort(self, element: Element, name: str = "") -> Sort:
        """The sort that an element describes, or that its ``name`` stands for."""
        match element.tag:
            case "usersort":
                return self._sort_named(element.attributes.get("declaration", ""), element.span)
            case "dot":
                return DOT
            case "productsort":
                sort = product_of(tuple(self.sort(part) for part in element.parts))
            case "cyclicenumeration" | "finiteenumeration":
                sort = self._enumeration(element, name)
            case "finiteintrange":
                sort = self._range(element)
            case other:
                raise self.refuse(f"sorts '{other}' are not read", element.span)
        if not 1 <= sort.size <= MOST_COLOURS:
            self._diagnostics.error("BUR205", f"this sort has {sort.size:,} colours", element.span)
            raise SyntaxStop
        return sort

    def refuse(self, message: str, span: Span) -> SyntaxStop:
        """Report what is not read, for ``raise``."""
        self._diagnostics.error("BUR901", message, span)
        return SyntaxStop()

    def _declare(self, element: Element, known: dict[str, Element]) -> None:
        name = element.attributes.setdefault("id", "")
        if name in known:
            self._diagnostics.add(declared_twice(name, element.span, known[name].span))
        known.setdefault(name, element)

    def _sort_named(self, name: str, span: Span) -> Sort:
        if name in self._sorts:
            return self._sorts[name]
        element = self._named.get(name)
        if element is None:
            self._diagnostics.add(unknown(name[:60], span, list(self._named)))
            raise SyntaxStop
        if name in self._pending:
            self._diagnostics.error("BUR209", f"sort '{name}' is part of itself", element.span)
            raise SyntaxStop
        if not element.parts:
            self._diagnostics.error("BUR102", f"sort '{name}' is not described", element.span)
            raise SyntaxStop
        self._pending.add(name)
        self._sorts[name] = self.sort(element.parts[0], name)
        self._pending.discard(name)
        return self._sorts[name]

    def _enumeration(self, element: Element, name: str) -> Sort:
        constants = list(element.all("feconstant"))
        labels = tuple(c.attributes.get("name") or c.attributes.get("id", "") for c in constants)
        sort = Sort(name, labels, is_cyclic=element.tag == "cyclicenumeration")
        for number, constant in enumerate(constants):
            known = constant.attributes.get("id", "")
            if known in self.constants:
                self._diagnostics.error("BUR202", f"constant '{known[:60]}' is declared twice", constant.span)
            self.constants[known] = sort, number
        return sort

    def _range(self, element: Element) -> Sort:
        low, high = (self.number(element, side) for side in ("start", "end"))
        if high - low >= MOST_COLOURS:
            self._diagnostics.error("BUR205", f"this sort has {high - low + 1:,} colours", element.span)
            raise SyntaxStop
        return numbers(low, high)

    def number(self, element: Element, attribute: str) -> int:
        """The whole number that an attribute says."""
        text = element.attributes.get(attribute, "").strip()
        if len(text) > 12 or not text.removeprefix("-").isdigit() or not text.isascii():
            self._diagnostics.error("BUR203", f"expected a number as '{attribute}'", element.span)
            raise SyntaxStop
        return int(text)


def _inner(declaration: Element) -> list[Element]:
    inner = declaration.first("structure", "declarations")
    return [] if inner is None else inner.parts
