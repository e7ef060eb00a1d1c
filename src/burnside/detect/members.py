"""Where symmetries take cells that always hold the same value.

The graph speaks of the first of such cells only, so a symmetry says which class goes to which, and any bijection of
their members will do, as long as products of symmetries go with products of bijections. The k-th to the k-th always
does; but where processes are renamed, ``x[0][1]`` should go where its indices go, and not to the first of two. So that
is tried, and kept if the group does not grow.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias, final

from burnside.detect.equal_cells import EqualCells
from burnside.groups import OutOfWork, Perm, PermGroup, Work, group_order
from burnside.ir.cells import Cell, Cells
from burnside.ir.nodes import Domain
from burnside.ir.renaming import Sort, sort_of, sorted_values

Point: TypeAlias = tuple[int, int | None]  # a cell and its value, None for a large cell
Moves: TypeAlias = Mapping[Point, Point]
_Images: TypeAlias = dict[tuple[object, int], set[int]]  # of an index or a value, by what it is one of

_MOST_PAIRS = 100_000  # of members that could go to each other
_WORK = 10_000_000  # images of points: about half a second


def with_members(
    moves: Sequence[Moves], order: int, equal: EqualCells, cells: Cells, points: Sequence[Point]
) -> list[Perm]:
    """Generators of a group of some order, given on the first cells of classes, on all points."""
    number = {point: k for k, point in enumerate(points)}

    def lifted(move: Moves, members: Mapping[int, int]) -> Perm:
        images = list(range(len(points)))
        for (cell, value), (_, image) in move.items():
            for member in equal.members(cell):
                images[number[member, value]] = number[members[member], image]
        return tuple(images)

    plain = [lifted(move, _in_order(move, equal)) for move in moves]
    if not 0 < sum(len(members) ** 2 for members in equal.classes) <= _MOST_PAIRS:
        return plain
    renamed = [_Renaming(move, equal, cells).members() for move in moves]
    natural = [lifted(move, found) for move, found in zip(moves, renamed, strict=True) if found is not None]
    if len(natural) < len(plain):
        return plain
    try:
        grown = group_order(PermGroup(len(points), tuple(natural)), work=Work(_WORK))
    except OutOfWork:
        return plain
    return natural if grown == order else plain


def _classes(move: Moves, equal: EqualCells) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    targets = {cell: target for (cell, _), (target, _) in move.items()}
    return ((equal.members(cell), equal.members(target)) for cell, target in targets.items())


def _in_order(move: Moves, equal: EqualCells) -> dict[int, int]:
    """The k-th member of a class to the k-th of another."""
    pairs = _classes(move, equal)
    return {member: target for some, others in pairs for member, target in zip(some, others, strict=True)}


@final
class _Renaming:
    """The search for a renaming of indices that does to classes what a symmetry does."""

    def __init__(self, move: Moves, equal: EqualCells, cells: Cells) -> None:
        self._cells = cells.all
        self._images: _Images = {}
        self._known: dict[int, int] = {}
        self._options: dict[int, tuple[int, ...]] = {}
        for some, others in _classes(move, equal):
            if len(some) == 1:
                self._known[some[0]] = others[0]
                self._follow(some[0], others[0])
            for member in some if len(some) > 1 else ():
                self._options[member] = tuple(c for c in others if self._have_one_shape(member, c))
        for (cell, value), (target, image) in move.items():
            if value is not None and image is not None:
                self._hold(self._cells[cell], value, self._cells[target], image)

    def members(self) -> dict[int, int] | None:
        """Where all cells go; None if no renaming is found."""
        if not all(self._images.values()) or not self._narrowed():
            return None
        for (_, index), images in self._images.items():
            if len(images) > 1:
                images.intersection_update([index if index in images else min(images)])
                if not self._narrowed():
                    return None
        found = dict(self._known)
        taken: set[int] = set()
        for member, options in self._options.items():
            left = [c for c in options if c not in taken]
            if not left:
                return None
            found[member] = left[0]
            taken.add(left[0])
        return found

    def _follow(self, cell: int, target: int) -> None:
        """A cell that equals no other says where its indices go."""
        if self._have_one_shape(cell, target):
            for key, index in zip(self._keys(self._cells[cell]), self._cells[target].indices, strict=True):
                self._narrow(key, {index})

    def _hold(self, cell: Cell, value: int, target: Cell, image: int) -> None:
        """Values that are names of what indexes arrays move as these do."""
        sort = _sort(cell.variable.domain, value) if cell.slot != -1 else None
        if sort is not None and target.slot != -1 and sort == _sort(target.variable.domain, image):
            self._narrow((sort, value), {image})

    def _narrow(self, key: tuple[object, int], seen: set[int]) -> bool:
        """Keep those images only; whether that changes anything."""
        images = self._images.setdefault(key, set(seen))
        is_wider = not images <= seen
        images &= seen
        return is_wider

    def _narrowed(self) -> bool:
        """Leave out what contradicts the rest, until nothing does; whether something is left for everybody."""
        is_stable = False
        while not is_stable:
            is_stable = True
            for member, options in self._options.items():
                keys = self._keys(self._cells[member])
                fitting = tuple(c for c in options if self._fits(keys, self._cells[c].indices))
                if not fitting:
                    return False
                self._options[member] = fitting
                for k, key in enumerate(keys):
                    if self._narrow(key, {self._cells[c].indices[k] for c in fitting}):
                        is_stable = False
        return True

    def _fits(self, keys: Sequence[tuple[object, int]], indices: Sequence[int]) -> bool:
        return all(i in self._images.get(key, (i,)) for key, i in zip(keys, indices, strict=True))

    def _have_one_shape(self, one: int, other: int) -> bool:
        return [key for key, _ in self._keys(self._cells[one])] == [key for key, _ in self._keys(self._cells[other])]

    @staticmethod
    def _keys(cell: Cell) -> list[tuple[object, int]]:
        dimensions = zip(cell.variable.dimensions, cell.indices, strict=True)
        return [(_sort(d, i) or (cell.variable.name, k), i) for k, (d, i) in enumerate(dimensions)]


def _sort(domain: Domain, value: int) -> Sort | None:
    return sort_of(domain) if value in sorted_values(domain) else None
