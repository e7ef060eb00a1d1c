"""What literals speak of, by name: ids of processes, values of named domains; and where permutations take these.

The literal ``owner[2] = 1`` speaks of whatever indexes ``owner``, and of its value. Each such place belongs to a
*sort*: a process domain, a named domain of data (with all domains that extend it), or, for values, the variable alone.
A permutation of literals acts on a sort if it respects every place: literals that speak of ``v`` go to literals that
speak of one ``w`` in the same place. Then what it does to places is what it does to the values of the sort, so that a
group whose generators act on a sort acts on it as a whole.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import TypeAlias, final

from burnside.detect.literals import Literals
from burnside.groups import Perm, orbits
from burnside.groups.perm import support
from burnside.ir.cells import Cell, shown_name
from burnside.ir.nodes import Domain
from burnside.ir.renaming import Sort, SortKind, sort_of, sorted_values

_UNMOVED: Mapping[int, int] = {}

Place: TypeAlias = tuple[Sort, int] | None  # a value that a literal speaks of, if it has a sort


@final
class Sorts:
    """The sorts of a model, and what each of its literals says about them."""

    def __init__(self, literals: Literals) -> None:
        self.literals = literals
        self._places = [self._places_of(point) for point in range(len(literals.points))]
        self._uses = Counter(place for place in chain.from_iterable(self._places) if place)
        # A cell without literals is moved as a whole: its values stay what they are.
        self._rigid = {s for c, v in literals.points if v is None for s in _sorts_of(literals.cells.all[c])}
        self._domains = _declared(literals)

    @property
    def all(self) -> tuple[Sort, ...]:
        """Every sort, in order of declaration: processes, then data, then variables."""
        used = {sort for sort, _ in self._uses}
        kinds = [*SortKind]
        return tuple(sorted((s for s in self._domains if s in used), key=lambda s: kinds.index(s.kind)))

    def is_index(self, sort: Sort) -> bool:
        """Whether arrays are indexed by a sort."""
        return any(sort_of(d) == sort for v in self.literals.cells.model.variables for d in v.dimensions)

    def is_shared(self, sort: Sort) -> bool:
        """Whether more than the values of one variable are of this sort."""
        return self.is_index(sort) or sum(sort_of(v.domain) == sort for v in self.literals.cells.model.variables) > 1

    def of_variable(self, sort: Sort) -> Sort | None:
        """The process domain or domain of data that the values of a variable are of."""
        return sort_of(self._domains[sort])

    def values(self, sort: Sort) -> list[int]:
        """The values of a sort that some literal speaks of."""
        return sorted(v for other, v in self._uses if other == sort)

    def declared(self, sort: Sort) -> Sequence[int]:
        """All values of a sort, whether they occur or not."""
        return sorted_values(self._domains[sort])

    def text(self, sort: Sort, value: int) -> str:
        """A value in the user's words."""
        return self._domains[sort].text(value)

    def moves(self, perm: Perm) -> Mapping[Sort, Mapping[int, int] | None]:
        """What a permutation does to each sort that it does not leave alone; None where it does not act on it."""
        votes: dict[Sort, dict[int, int]] = {}
        counts: Counter[tuple[Sort, int]] = Counter()
        torn: set[Sort] = set()
        for point in support(perm):
            for one, other in _paired(self._places[point], self._places[perm[point]]):
                if one is None or other is None or one[0] != other[0]:
                    torn.update(place[0] for place in (one, other) if place)
                    continue
                counts[one] += 1
                if votes.setdefault(one[0], {}).setdefault(one[1], other[1]) != other[1]:
                    torn.add(one[0])
        for sort, images in votes.items():
            # What moves must move wherever it is spoken of.
            if any(v != w and counts[sort, v] < self._uses[sort, v] for v, w in images.items()):
                torn.add(sort)
        moved = {sort: images for sort, images in votes.items() if any(v != w for v, w in images.items())}
        torn |= moved.keys() & self._rigid
        return {**moved, **dict.fromkeys(torn)}

    def orbits(self, perms: Sequence[Perm]) -> dict[Sort, list[list[int]]]:
        """The values of each sort on which all permutations act, those that they exchange together."""
        moves = [self.moves(perm) for perm in perms]
        found = {}
        for sort in self.all:
            maps = [images.get(sort, _UNMOVED) for images in moves]
            if all(images is not None for images in maps):
                values = self.values(sort)
                place = {v: k for k, v in enumerate(values)}
                generators = [tuple(place[(images or _UNMOVED).get(v, v)] for v in values) for images in maps]
                found[sort] = [[values[k] for k in orbit] for orbit in orbits(len(values), generators)]
        return found

    def expected(self, point: int, moves: Mapping[Sort, Mapping[int, int] | None]) -> tuple[int, int | None] | None:
        """The cell and value to which maps of sorts alone take a literal; None if there is no such cell."""
        (cell, value), places = self.literals.points[point], self._places[point]
        at = self.literals.cells.all[cell]
        indices = [_image(place, i, moves) for place, i in zip(places, at.indices, strict=False)]
        start = self.literals.cells.position(at.variable, indices)
        if start is None:
            return None
        target = start if at.slot is None else start + 1 + at.slot
        if value is None:
            return target, None
        by_domain = _image(places[len(indices)], value, moves)
        return target, by_domain if by_domain != value else _image(places[-1], value, moves)

    def _places_of(self, point: int) -> tuple[Place, ...]:
        """One place for each index, one for the value, and one for the value as that of a variable."""
        number, value = self.literals.points[point]
        cell = self.literals.cells.all[number]
        indices = [_place(d, i) for d, i in zip(cell.variable.dimensions, cell.indices, strict=True)]
        if value is None or cell.slot == -1:
            return (*indices, None, None)
        of_variable = (Sort(SortKind.VARIABLE, shown_name(cell.variable.name)), value)
        is_item = value in cell.variable.domain  # an empty slot has no value
        return (*indices, _place(cell.variable.domain, value), of_variable if is_item else None)


def _paired(one: tuple[Place, ...], other: tuple[Place, ...]) -> Iterator[tuple[Place, Place]]:
    """The places of two literals that correspond; none do if the literals have different shapes."""
    if len(one) != len(other):
        yield from chain(((place, None) for place in one if place), ((None, place) for place in other if place))
        return
    yield from ((a, b) for a, b in zip(one, other, strict=True) if a or b)


def _image(place: Place, value: int, moves: Mapping[Sort, Mapping[int, int] | None]) -> int:
    images = moves.get(place[0]) if place else None
    return value if images is None else images.get(value, value)


def _place(domain: Domain, value: int) -> Place:
    sort = sort_of(domain)
    return (sort, value) if sort and value in sorted_values(domain) else None


def _sorts_of(cell: Cell) -> Iterator[Sort]:
    """The sorts of the values of a cell."""
    if cell.slot != -1:
        of_domain = sort_of(cell.variable.domain)
        yield from (of_domain,) if of_domain else ()
        yield Sort(SortKind.VARIABLE, shown_name(cell.variable.name))


def _declared(literals: Literals) -> dict[Sort, Domain]:
    """The sorts in order of declaration, with the domains that say what their values are called."""
    model = literals.cells.model
    found: dict[Sort, Domain] = {}
    for domain in (*model.domains, *(d for v in model.variables for d in (*v.dimensions, v.domain))):
        sort = sort_of(domain)
        if sort is not None and (sort not in found or domain.name == sort.name):
            found[sort] = domain
    return found | {Sort(SortKind.VARIABLE, shown_name(v.name)): v.domain for v in model.variables}
