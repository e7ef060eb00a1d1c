"""Symmetries in the user's terms.

A permutation of literals is explained by what it does to process ids (read off the array dimensions and the
values that front ends marked as ids) and to values; what neither explains is told cell by cell.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from enum import Enum
from functools import partial
from typing import TypeVar, final

from burnside.detect.literals import Literals
from burnside.detect.sorts import Sorts
from burnside.groups import Perm, orbits
from burnside.groups.perm import cycles, support
from burnside.ir.cells import Cell, process_ids
from burnside.ir.renaming import SAID, Sort, SortKind, SortMoves, Verbs, describe_map, listed
from burnside.values import dataclass


class Kind(Enum):
    """What a symmetry permutes."""

    PROCESS = "process"
    DATA = "data"
    MIXED = "mixed"


@final
@dataclass(frozen=True, slots=True)
class NamedGenerator:
    """A generator with its kind, a sentence, and its cycles of literals in words."""

    perm: Perm
    kind: Kind
    description: str
    cycles: tuple[tuple[str, ...], ...]


def name_generators(literals: Literals, perms: Iterable[Perm]) -> tuple[NamedGenerator, ...]:
    """Explain permutations, one after the other."""
    sorts = Sorts(literals)
    return tuple(_named(literals, perm, sorts) for perm in perms)


def describe_permutation(literals: Literals, perm: Perm, verbs: Verbs) -> str:
    """What one permutation does, in one line."""
    return _Explanation(literals, perm).sentence(Sorts(literals), verbs)


def _named(literals: Literals, perm: Perm, sorts: Sorts) -> NamedGenerator:
    explained = _Explanation(literals, perm)
    shown = tuple(tuple(literals.text(p) for p in cycle) for cycle in cycles(perm))
    return NamedGenerator(perm, explained.kind(sorts), explained.sentence(sorts), shown)


def orbits_of_processes(literals: Literals, generators: Iterable[Perm]) -> dict[str, list[list[str]]]:
    """For every process domain, which of its ids the generators exchange, in the user's words.

    Ids in different places may be exchanged apart from each other; then those count that are exchanged in every place.
    """
    names, perms = _process_names(literals), [*generators]
    moved = orbits(len(literals.points), perms)
    found = {}
    for name, exchanged in processes_exchanged(literals, perms).items():
        alike: dict[frozenset[tuple[int, frozenset[int]]], set[int]] = {}
        places = [*enumerate(exchanged_by_place(literals, moved, name))]
        for i in names[name]:
            seen = frozenset((k, together) for k, sets in places for together in sets if i in together)
            if seen:
                alike.setdefault(seen, set()).add(i)
        found[name] = joined([*map(frozenset, exchanged), *map(frozenset, alike.values())])
    return {
        name: [[names[name][i] for i in sorted(o)] for o in sorted(together, key=min)]
        for name, together in found.items()
    }


def exchanged_by_place(literals: Literals, moved: Iterable[Iterable[int]], name: str) -> Iterator[list[frozenset[int]]]:
    """For every index and every variable that speaks of processes, those that orbits of literals exchange there.

    Voters and those they vote for may be exchanged apart from each other: then no generator need be a renaming, and
    nobody is told apart all the same.
    """
    places: dict[tuple[str, int], list[frozenset[int]]] = {}
    for orbit in moved:
        exchanged: dict[tuple[str, int], set[int]] = {}
        for point in orbit:
            cell, value = literals.points[point]
            place = literals.cells.all[cell]
            for k, (dimension, index) in enumerate(zip(place.variable.dimensions, place.indices, strict=True)):
                if dimension.index == name and index in process_ids(dimension):
                    exchanged.setdefault((place.variable.name, k), set()).add(index)
            domain = place.variable.domain
            if value is not None and place.slot != -1 and domain.index == name and value in process_ids(domain):
                exchanged.setdefault((place.variable.name, -1), set()).add(value)
        for key, together in exchanged.items():
            places.setdefault(key, []).append(frozenset(together))
    yield from map(joined, places.values())


def process_moves(literals: Literals, perm: Perm) -> dict[str, dict[str, str]]:
    """For every process domain on which a permutation acts, which id goes where, in the user's words."""
    names, moves = _process_names(literals), _Explanation(literals, perm).processes
    return {name: {names[name][i]: names[name][j] for i, j in moved.items()} for name, moved in moves.items()}


def processes_exchanged(
    literals: Literals, generators: Iterable[Perm], ignored: Container[int] = ()
) -> dict[str, list[set[int]]]:
    """For every process domain, which of its ids the generators exchange; where some cells stay does not matter."""
    joined = {name: {i: {i} for i in sorted(ids)} for name, ids in _process_names(literals).items()}
    for perm in generators:
        for name, moved in _Explanation(literals, perm, ignored).processes.items():
            for i, j in moved.items():
                if joined[name][i] is not joined[name][j]:
                    union = joined[name][i] | joined[name][j]
                    for member in union:
                        joined[name][member] = union
    return {name: _distinct(sets.values()) for name, sets in joined.items()}


def orbits_of_data(literals: Literals, generators: Sequence[Perm]) -> dict[str, list[list[str]]]:
    """For every domain of data that several variables share, and all generators act on, which values they exchange."""
    sorts = Sorts(literals)
    return {
        sort.name: [[sorts.text(sort, v) for v in orbit] for orbit in found]
        for sort, found in sorts.orbits(generators).items()
        if sort.kind is SortKind.DATA and sorts.is_shared(sort) and any(len(orbit) > 1 for orbit in found)
    }


def orbits_of_cells(literals: Literals, orbits: Sequence[Sequence[int]]) -> list[list[str]]:
    """Cells that symmetries move onto one another, those that stay alone left out."""
    found: dict[frozenset[int], None] = {}
    for orbit in orbits:
        found.setdefault(frozenset(literals.points[p][0] for p in orbit))
    return [[literals.cells.all[c].name for c in sorted(cells)] for cells in found if len(cells) > 1]


def orbits_of_values(
    literals: Literals, orbits: Sequence[Sequence[int]], known: Container[str] = ()
) -> list[list[str]]:
    """Values of single cells that symmetries exchange, one example for each kind of cell; those of known domains left
    out.
    """
    found: dict[tuple[str, tuple[int, ...]], list[str]] = {}
    for orbit in orbits:
        values: dict[int, list[int]] = {}
        for point in orbit:
            cell, value = literals.points[point]
            if value is not None:
                values.setdefault(cell, []).append(value)
        for cell, several in values.items():
            domain = literals.cells.all[cell].variable.domain
            if len(several) > 1 and (domain.base or domain.name) not in known:
                key = (literals.cells.all[cell].variable.name, tuple(several))
                found.setdefault(key, [literals.text(literals.numbers[cell, v]) for v in several])
    return list(found.values())


def _distinct(sets: Iterable[set[int]]) -> list[set[int]]:
    kept: list[set[int]] = []
    for one in sets:
        if not any(one is other for other in kept):
            kept.append(one)
    return sorted(kept, key=min)


def _process_names(literals: Literals) -> dict[str, dict[int, str]]:
    """Process domains by name, their ids as they are written: all that some dimension or value speaks of."""
    found: dict[str, dict[int, str]] = {}
    for variable in literals.cells.model.variables:
        for domain in (*variable.dimensions, variable.domain):
            if domain.index:
                known = found.setdefault(domain.index, {})
                fresh = {i: domain.text(i) for i in process_ids(domain)}
                found[domain.index] = known | fresh if domain.name == domain.index else fresh | known
    return found


@final
class _Explanation:
    """What a permutation of literals does to processes, values and cells."""

    def __init__(self, literals: Literals, perm: Perm, ignored: Container[int] = ()) -> None:
        self._literals = literals
        self._perm = perm
        self._ignored = ignored
        self._cells = literals.cells.all
        self._images = {c: literals.points[perm[points[0]]][0] for c, points in literals.of_cell.items()}
        self.processes = self._process_permutations()

    # ------------------------------------------------------------ processes

    def _process_permutations(self) -> Mapping[str, Mapping[int, int]]:
        """The permutation of each process domain, where all that is indexed by it moves in one way."""
        votes: dict[str, dict[int, set[int]]] = {}
        for cell, image in self._images.items():
            if cell in self._ignored:
                continue
            for name, i, j in self._index_moves(self._cells[cell], self._cells[image]):
                votes.setdefault(name, {}).setdefault(i, set()).add(j)
        held = self._literals.processes
        for point, image in enumerate(self._perm):
            one, other = held[point], held[image]
            if one and other and one[0] == other[0] and self._literals.points[point][0] not in self._ignored:
                votes.setdefault(one[0], {}).setdefault(one[1], set()).add(other[1])
        found = {}
        for name, moves in votes.items():
            if all(len(js) == 1 for js in moves.values()):
                moved = {i: next(iter(js)) for i, js in moves.items()}
                if sorted(moved) == sorted(moved.values()):
                    found[name] = moved
        return found

    @staticmethod
    def _index_moves(cell: Cell, image: Cell) -> Iterable[tuple[str, int, int]]:
        if len(cell.variable.dimensions) != len(image.variable.dimensions):
            return
        pairs = zip(cell.variable.dimensions, image.variable.dimensions, cell.indices, image.indices, strict=True)
        for old, new, i, j in pairs:
            if old.index and old.index == new.index and i in process_ids(old) and j in process_ids(new):
                yield old.index, i, j

    # ------------------------------------------------------------ what is left

    def _residue(self, sorts: Sorts, moves: SortMoves) -> tuple[dict[int, int], dict[int, dict[int, int]]]:
        """Cells, and values by cell, that move in a way that moves of sorts do not explain."""
        cells: dict[int, int] = {}
        values: dict[int, dict[int, int]] = {}
        for point in support(self._perm):
            expected, actual = sorts.expected(point, moves), self._literals.points[self._perm[point]]
            if expected == actual:
                continue
            if expected is None or expected[0] != actual[0]:
                cells[self._literals.points[point][0]] = actual[0]
            elif expected[1] is not None and actual[1] is not None:
                values.setdefault(actual[0], {})[expected[1]] = actual[1]
        return cells, values

    def _of_processes(self) -> SortMoves:
        return {Sort(SortKind.PROCESS, name): moved for name, moved in self.processes.items()}

    def kind(self, sorts: Sorts) -> Kind:
        """Process if cells move and values only follow, data if only values change, mixed otherwise."""
        cells, values = self._residue(sorts, self._of_processes())
        moves = any(i != j for moved in self.processes.values() for i, j in moved.items()) or bool(cells)
        if moves and values:
            return Kind.MIXED
        return Kind.PROCESS if moves else Kind.DATA

    def sentence(self, sorts: Sorts, verbs: Verbs = SAID) -> str:
        """What the permutation does, in one line."""
        data = {
            s: m for s, m in sorts.moves(self._perm).items() if m and s.kind is SortKind.DATA and sorts.is_shared(s)
        }
        names = _process_names(self._literals)
        parts = []
        for name, moved in self.processes.items():
            text = describe_map(moved, names[name].__getitem__, verbs)
            if text:
                parts.append(f"{text[0]} {name} {text[1]}")
        parts += [_sort_sentence(sorts, sort, moved, verbs) for sort, moved in data.items()]
        cells, values = self._residue(sorts, {**self._of_processes(), **data})
        text = describe_map(cells, lambda c: self._cells[c].name, verbs)
        if text:
            parts.append(f"{text[0]} {text[1]}")
        parts += self._value_sentences(values, verbs)
        return ", ".join(filter(None, parts)) or "moves literals"

    def _value_sentences(self, values: Mapping[int, Mapping[int, int]], verbs: Verbs) -> Iterator[str]:
        """Changes of values, those that are the same for several cells of a variable told once."""
        groups: dict[tuple[str, tuple[tuple[int, int], ...]], list[int]] = {}
        for cell, changed in values.items():
            groups.setdefault((self._cells[cell].variable.name, tuple(sorted(changed.items()))), []).append(cell)
        for (name, pairs), members in groups.items():
            every = sum(self._cells[c].variable.name == name for c in self._literals.of_cell)
            where = name if len(members) == every else listed([self._cells[c].name for c in members])
            yield _values_of(where, dict(pairs), self._literals.cells.variables[name].domain.text, verbs)


def _sort_sentence(sorts: Sorts, sort: Sort, moved: Mapping[int, int], verbs: Verbs) -> str:
    """What happens to a domain of data: what indexes arrays is a thing, as processes are, and not only a value."""
    text = partial(sorts.text, sort)
    said = describe_map(moved, text, verbs) if sorts.is_index(sort) else None
    return f"{said[0]} {sort.name} {said[1]}" if said else _values_of(sort.name, moved, text, verbs)


def _values_of(where: str, moved: Mapping[int, int], text: Callable[[int], str], verbs: Verbs) -> str:
    """A change of values; empty for the identity."""
    said = describe_map(moved, text, verbs)
    return f"{said[0]} the values {said[1]} of {where}" if said else ""


_Item = TypeVar("_Item")


def joined(sets: Iterable[frozenset[_Item]]) -> list[frozenset[_Item]]:
    """Sets that meet become one."""
    found: list[frozenset[_Item]] = []
    for one in sets:
        meeting = [other for other in found if other & one]
        found = [other for other in found if not other & one]
        found.append(one.union(*meeting))
    return found
