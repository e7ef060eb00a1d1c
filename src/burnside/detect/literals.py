"""From automorphisms of the graph to permutations of literals.

The *points* that symmetries act on are the literals (cell = value) that can occur, and cells too large to
have literals. A permutation of points that comes from the graph maps the literals of one cell to those of
one cell, so it acts on states.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import compress
from operator import ne
from typing import TYPE_CHECKING, final

from burnside.detect.members import Point, with_members
from burnside.groups import Perm
from burnside.ir.cells import Cells, State, process_ids
from burnside.values import dataclass

if TYPE_CHECKING:  # whoever uses symmetries need not wait for the libraries that find them
    from burnside.detect.encode import Encoding
    from burnside.graph.automorphisms import Automorphisms


@final
@dataclass(frozen=True)
class Literals:
    """The points of a model: pairs of a cell and a value; the value is None for a large cell."""

    cells: Cells
    points: tuple[Point, ...]

    @cached_property
    def numbers(self) -> Mapping[Point, int]:
        """The number of each point."""
        return {point: k for k, point in enumerate(self.points)}

    @cached_property
    def of_cell(self) -> Mapping[int, tuple[int, ...]]:
        """The points of each cell that has some."""
        found: dict[int, list[int]] = {}
        for number, (cell, _) in enumerate(self.points):
            found.setdefault(cell, []).append(number)
        return {cell: tuple(numbers) for cell, numbers in found.items()}

    @cached_property
    def processes(self) -> Sequence[tuple[str, int] | None]:
        """For every point, the process that its value names: a domain and an id; None for other values."""
        return [self._process(*point) for point in self.points]

    def _process(self, cell: int, value: int | None) -> tuple[str, int] | None:
        place = self.cells.all[cell]
        domain = place.variable.domain
        if value is None or place.slot == -1 or not domain.index or value not in process_ids(domain):
            return None
        return domain.index, value

    def text(self, point: int) -> str:
        """A point in the user's words."""
        cell, value = self.points[point]
        name = self.cells.all[cell].name
        return name if value is None else f"{name} = {self.value_text(cell, value)}"

    def value_text(self, cell: int, value: int) -> str:
        """A value of a cell in the user's words."""
        place = self.cells.all[cell]
        if place.slot is not None and place.slot >= 0 and value < place.variable.domain.low:
            return "empty"
        domain = place.domain if place.slot == -1 else place.variable.domain
        return domain.text(value)

    def apply(self, perm: Perm, state: State) -> State:
        """The image of a state: the literal that holds in it moves to where the permutation takes it."""
        return self._put(perm, state, range(len(state)), list(state))

    def follow(self, perm: Perm, before: State, image: State, after: State) -> State:
        """The image of a state from that of one before it, which has most of its literals."""
        return self._put(perm, after, compress(range(len(after)), map(ne, before, after)), list(image))

    def _put(self, perm: Perm, state: State, cells: Iterable[int], image: list[int]) -> State:
        for cell in cells:
            numbers = self.of_cell.get(cell)
            if numbers is None:
                image[cell] = state[cell]
            elif self.points[numbers[0]][1] is None:
                image[self.points[perm[numbers[0]]][0]] = state[cell]
            else:
                target, value = self.points[perm[self.numbers[cell, state[cell]]]]
                assert value is not None
                image[target] = value
        return tuple(image)


def literals_of(cells: Cells, encoding: Encoding) -> Literals:
    """The points of an encoding, in order of cells and values; equal cells have the same ones."""
    firsts: Iterable[Point] = (*encoding.literals, *((cell, None) for cell in encoding.large))
    points = ((member, value) for cell, value in firsts for member in encoding.pruned.equal.members(cell))
    return Literals(cells, tuple(sorted(points, key=lambda p: (p[0], -1 if p[1] is None else p[1]))))


def restrict_to_literals(encoding: Encoding, found: Automorphisms, literals: Literals) -> dict[Perm, tuple[int, ...]]:
    """The generators as permutations of points, each with the requirement that every requirement becomes."""
    vertices: dict[Point, int] = {(cell, None): vertex for cell, vertex in encoding.large.items()}
    vertices |= {(cell, value): vertex for (cell, value), vertex in encoding.literals.items()}
    identity = tuple(range(len(literals.points)))
    first = {vertex: k for k, vertex in reversed(list(enumerate(encoding.requirements)))}
    lifted = {}
    if encoding.pruned.equal.classes:
        point_of = {vertex: point for point, vertex in vertices.items()}
        moves = [{point: point_of[g[vertex]] for point, vertex in vertices.items()} for g in found.generators]
        perms = with_members(moves, found.order, encoding.pruned.equal, literals.cells, literals.points)
    else:
        places = [vertices[point] for point in literals.points]
        number_of = {vertex: k for k, vertex in enumerate(places)}
        perms = [tuple([number_of[g[vertex]] for vertex in places]) for g in found.generators]
    for g, perm in zip(found.generators, perms, strict=True):
        if perm != identity:
            lifted[perm] = tuple(k if v is None else first[g[v]] for k, v in enumerate(encoding.requirements))
    return lifted
