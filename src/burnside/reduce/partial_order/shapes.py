"""Shapes: what is the same about terms and steps that differ in nothing but the cells that they are about.

A shape is a text of terms with their cells numbered in the order in which they turn up, and the values that these can
have. What holds of one thing holds of another of the same shape, with the cells of the one in place of those of the
other. Arguments that have no order are written down in one that depends little on which cells they are about: by kinds,
then by cells that have turned up already. Cells that turn up once, as arguments of one kind without order, are *alike*:
whichever is exchanged for whichever, the shape is the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import groupby
from typing import Final, TypeAlias, final

from burnside.detect.folds import UNORDERED
from burnside.detect.terms import Term
from burnside.reduce.partial_order.actions import Step
from burnside.values import dataclass

Shape: TypeAlias = tuple[object, ...]
_Item: TypeAlias = tuple[int, Term, int | None]  # a coefficient, or 1; a term; the cell that it is written to, if any

_WITHOUT_ORDER: Final = frozenset(("and", "or", "sum", *UNORDERED))


@final
@dataclass(frozen=True)
class Outline:
    """A shape, by number, and the cells that it is about: those that are alike stand together."""

    shape: int
    cells: tuple[tuple[int, ...], ...]

    @cached_property
    def _places(self) -> dict[int, int]:
        return {cell: place for place, alike in enumerate(self.cells) for cell in alike}

    def beside(self, other: Outline) -> Shape:
        """What both have to do with one another: how many cells of each place of one have which place in the other."""
        places = self._places
        shared = [[places.get(cell, -1) for cell in alike] for alike in other.cells]
        return self.shape, other.shape, *[tuple(sorted(some)) if len(some) > 1 else some[0] for some in shared]


@final
class Shapes:
    """The shapes of terms and steps, given the values that cells can have; None if they are too many."""

    def __init__(self, values: Sequence[tuple[int, ...] | None]) -> None:
        self._values = values
        self._numbers: dict[Shape, int] = {}
        self._kinds: dict[int, int] = {}  # of terms
        self._arguments: dict[int, list[list[_Item]]] = {}
        self._fixed: dict[int, Outline | None] = {}

    def outline(self, conditions: Sequence[Term], steps: Sequence[Step]) -> Outline:
        """The outline of some conditions and steps, in this order."""
        writing = _Writing(self)
        writing.write_all([(1, condition, None) for condition in conditions])
        for step in steps:
            writing.write_all([(1, guard, None) for guard in step.guards])
            writing.write_all([(1, term, cell) for cell, term in step.transition.updates])
        return Outline(self._number(tuple(writing.text)), tuple(writing.alike()))

    def kind(self, item: _Item) -> int:
        """A shape, by number, that does not say which cells are the same."""
        coefficient, term, target = item
        if coefficient == 1 and target is None:
            return self._kind(term)
        return self._number((coefficient, self._kind(term), None if target is None else self.taken(target)))

    def _kind(self, term: Term) -> int:
        known = self._kinds.get(term.number)
        if known is None:
            parts = [self.kind(item) for group in self.arguments(term) for item in group]
            value = self.taken(term.value) if term.operator == "cell" else term.value
            known = self._kinds[term.number] = self._number((term.operator, value, *parts))
        return known

    def arguments(self, term: Term) -> list[list[_Item]]:
        """The arguments of a term with their coefficients; those whose order is not known yet are together."""
        known = self._arguments.get(term.number)
        if known is None:
            coefficients = term.coefficients or (1,) * len(term.args)
            items: list[_Item] = [(c, argument, None) for c, argument in zip(coefficients, term.args, strict=True)]
            known = self.by_kind(items) if term.operator in _WITHOUT_ORDER else [[item] for item in items]
            self._arguments[term.number] = known
        return known

    def fixed(self, term: Term) -> Outline | None:
        """The outline of a term by itself, if the order of all that is in it is known."""
        if term.number not in self._fixed:
            self._fixed[term.number] = self._found_fixed(term)
        return self._fixed[term.number]

    def _found_fixed(self, term: Term) -> Outline | None:
        if term.operator == "cell":
            return Outline(self._number(("cell", self.taken(term.value))), ((term.value,),))
        numbers: dict[int, int] = {}
        parts: list[object] = []
        for group in self.arguments(term):
            inner = self.fixed(group[0][1])
            if len(group) > 1 or inner is None:
                return None
            known = [numbers.setdefault(cell, len(numbers)) for (cell,) in inner.cells]
            parts.append((group[0][0], inner.shape, *known))
        return Outline(self._number((term.operator, term.value, *parts)), tuple((cell,) for cell in numbers))

    def by_kind(self, items: Sequence[_Item]) -> list[list[_Item]]:
        """Items whose order does not matter."""
        return [[*same] for _, same in groupby(sorted(items, key=self.kind), key=self.kind)]

    def _number(self, shape: Shape) -> int:
        return self._numbers.setdefault(shape, len(self._numbers))

    def taken(self, cell: int) -> Shape:
        """The values that a cell can have; one of which they are not known is like no other."""
        values = self._values[cell]
        return ("any", cell) if values is None else values


@final
class _Writing:
    """A text that is being written, each part of a term once."""

    def __init__(self, shapes: Shapes) -> None:
        self.text: list[object] = []
        self.cells: dict[int, int] = {}
        self._often: Counter[int] = Counter()
        self._groups: list[list[_Item]] = []  # of one kind, without order
        self._nodes: dict[int, int] = {}
        self._shapes = shapes

    def write_all(self, items: Sequence[_Item]) -> None:
        """Write down terms whose order does not matter."""
        self.text.append(self._items(self._shapes.by_kind(items)))

    def _items(self, groups: Iterable[list[_Item]]) -> Shape:
        """Items of one kind stand by the numbers that their cells have when it is their turn."""
        written: list[Shape] = []
        for group in groups:
            if len(group) > 1:
                group = sorted(group, key=self._known_cells)
                self._groups.append(group)
            written += map(self._item, group)
        return tuple(written)

    def alike(self) -> Iterator[tuple[int, ...]]:
        """The cells, in the order in which they turned up; those that are alike together."""
        together: dict[int, tuple[int, ...]] = {}
        for group in self._groups:
            single = [term.cells()[0] for _, term, target in group if target is None and len(term.cells()) == 1]
            once = tuple(cell for cell in single if self._often[cell] == 1)
            together |= dict.fromkeys(once, once)
        return iter(dict.fromkeys(together.get(cell, (cell,)) for cell in self.cells))

    def _item(self, item: _Item) -> Shape:
        coefficient, term, target = item
        written = self._term(term)
        return (coefficient, written) if target is None else (written, self._cell(target), self._shapes.taken(target))

    def _cell(self, cell: int) -> int:
        self._often[cell] += 1
        return self.cells.setdefault(cell, len(self.cells))

    def _term(self, term: Term) -> object:
        """A term in the text; one whose parts have no known order is written down before, and has a number."""
        fixed = self._shapes.fixed(term)
        if fixed is not None:
            return fixed.shape, *[self._cell(cell) for (cell,) in fixed.cells]
        if term.number not in self._nodes:
            parts = self._items(self._shapes.arguments(term))
            self._nodes[term.number] = len(self._nodes)
            self.text.append((term.operator, term.value, parts))
        return self._nodes[term.number]

    def _known_cells(self, item: _Item) -> list[int]:
        _, term, target = item
        found = [self.cells.get(cell, len(self.cells)) for cell in term.cells()]
        if target is not None:
            found.append(self.cells.get(target, len(self.cells)))
        return sorted(found)
