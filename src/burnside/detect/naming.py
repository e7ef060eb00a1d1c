"""Symmetries in the user's terms.

A permutation of literals is explained by what it does to process ids (read off the array dimensions and the
values that front ends marked as ids) and to values; what neither explains is told cell by cell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import final

from burnside.detect.literals import Literals
from burnside.groups import Perm
from burnside.groups.perm import cycles
from burnside.ir.cells import Cell, process_ids
from burnside.ir.nodes import Domain

_MOST_SHOWN = 6


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


def name_generator(literals: Literals, perm: Perm) -> NamedGenerator:
    """Explain one permutation."""
    explained = _Explanation(literals, perm)
    shown = tuple(tuple(literals.text(p) for p in cycle) for cycle in cycles(perm))
    return NamedGenerator(perm, explained.kind(), explained.sentence(), shown)


def orbits_of_processes(literals: Literals, generators: Iterable[Perm]) -> dict[str, list[list[str]]]:
    """For every process domain, which of its ids the generators exchange, in the user's words."""
    domains = _process_domains(literals)
    exchanged = processes_exchanged(literals, generators)
    return {name: [[domains[name].text(i) for i in sorted(o)] for o in orbits] for name, orbits in exchanged.items()}


def processes_exchanged(literals: Literals, generators: Iterable[Perm]) -> dict[str, list[set[int]]]:
    """For every process domain, which of its ids the generators exchange."""
    joined: dict[str, dict[int, set[int]]] = {}
    domains = _process_domains(literals)
    for name, domain in domains.items():
        joined[name] = {i: {i} for i in process_ids(domain)}
    for perm in generators:
        for name, moved in _Explanation(literals, perm).processes.items():
            for i, j in moved.items():
                if joined[name][i] is not joined[name][j]:
                    union = joined[name][i] | joined[name][j]
                    for member in union:
                        joined[name][member] = union
    return {name: _distinct(sets.values()) for name, sets in joined.items()}


def orbits_of_cells(literals: Literals, orbits: Sequence[Sequence[int]]) -> list[list[str]]:
    """Cells that symmetries move onto one another, those that stay alone left out."""
    found: dict[frozenset[int], None] = {}
    for orbit in orbits:
        found.setdefault(frozenset(literals.points[p][0] for p in orbit))
    return [[literals.cells.all[c].name for c in sorted(cells)] for cells in found if len(cells) > 1]


def orbits_of_values(literals: Literals, orbits: Sequence[Sequence[int]]) -> list[list[str]]:
    """Values of single cells that symmetries exchange, one example for each kind of cell."""
    found: dict[tuple[str, tuple[int, ...]], list[str]] = {}
    for orbit in orbits:
        values: dict[int, list[int]] = {}
        for point in orbit:
            cell, value = literals.points[point]
            if value is not None:
                values.setdefault(cell, []).append(value)
        for cell, several in values.items():
            if len(several) > 1:
                key = (literals.cells.all[cell].variable.name, tuple(several))
                found.setdefault(key, [literals.text(literals.numbers[cell, v]) for v in several])
    return list(found.values())


def _distinct(sets: Iterable[set[int]]) -> list[set[int]]:
    kept: list[set[int]] = []
    for one in sets:
        if not any(one is other for other in kept):
            kept.append(one)
    return sorted(kept, key=min)


def _process_domains(literals: Literals) -> dict[str, Domain]:
    """Process domains by name, as far as some dimension or value speaks of them."""
    found: dict[str, Domain] = {}
    for variable in literals.cells.model.variables:
        for domain in (*variable.dimensions, variable.domain):
            if domain.index and (domain.index not in found or domain.name == domain.index):
                found[domain.index] = domain
    return found


@final
class _Explanation:
    """What a permutation of literals does to processes, values and cells."""

    def __init__(self, literals: Literals, perm: Perm) -> None:
        self._literals = literals
        self._perm = perm
        self._cells = literals.cells.all
        self._images = {c: literals.points[perm[points[0]]][0] for c, points in literals.of_cell.items()}
        self.processes = self._process_permutations()

    # ------------------------------------------------------------ processes

    def _process_permutations(self) -> Mapping[str, Mapping[int, int]]:
        """The permutation of each process domain, where all that is indexed by it moves in one way."""
        votes: dict[str, dict[int, set[int]]] = {}
        for cell, image in self._images.items():
            for name, i, j in self._index_moves(self._cells[cell], self._cells[image]):
                votes.setdefault(name, {}).setdefault(i, set()).add(j)
        for point in range(len(self._literals.points)):
            for name, i, j in self._value_moves(point):
                votes.setdefault(name, {}).setdefault(i, set()).add(j)
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

    def _value_moves(self, point: int) -> Iterable[tuple[str, int, int]]:
        (cell, value), (image, new) = self._literals.points[point], self._literals.points[self._perm[point]]
        domain, other = (self._cells[c].variable.domain for c in (cell, image))
        if value is None or new is None or self._cells[cell].slot == -1:
            return
        if domain.index and domain.index == other.index and value in process_ids(domain) and new in process_ids(other):
            yield domain.index, value, new

    # ------------------------------------------------------------ what is left

    def _expected(self, point: int) -> tuple[int, int | None] | None:
        """Where the process permutations alone take a literal; None if that is no literal."""
        cell, value = self._literals.points[point]
        place = self._cells[cell]
        indices = [
            self.processes.get(d.index, {}).get(i, i)
            for d, i in zip(place.variable.dimensions, place.indices, strict=True)
        ]
        start = self._literals.cells.position(place.variable, indices)
        if start is None:
            return None
        target = start if place.slot is None else start + 1 + place.slot
        domain = place.variable.domain
        if value is not None and place.slot != -1 and domain.index and value in process_ids(domain):
            value = self.processes.get(domain.index, {}).get(value, value)
        return target, value

    def _residue(self) -> tuple[dict[int, int], dict[int, dict[int, int]]]:
        """Cells, and values by cell, that move in a way the process permutations do not explain."""
        cells: dict[int, int] = {}
        values: dict[int, dict[int, int]] = {}
        for point in range(len(self._perm)):
            expected, actual = self._expected(point), self._literals.points[self._perm[point]]
            if expected == actual:
                continue
            if expected is None or expected[0] != actual[0]:
                cells[self._literals.points[point][0]] = actual[0]
            elif expected[1] is not None and actual[1] is not None:
                values.setdefault(actual[0], {})[expected[1]] = actual[1]
        return cells, values

    def kind(self) -> Kind:
        """Process if cells move and values only follow, data if only values change, mixed otherwise."""
        cells, values = self._residue()
        moves = any(i != j for moved in self.processes.values() for i, j in moved.items()) or bool(cells)
        if moves and values:
            return Kind.MIXED
        return Kind.PROCESS if moves else Kind.DATA

    def sentence(self) -> str:
        """What the permutation does, in one line."""
        domains = _process_domains(self._literals)
        parts = []
        for name, moved in self.processes.items():
            text = describe_map(moved, domains[name].text)
            if text:
                parts.append(f"{text[0]} {name} {text[1]}")
        cells, values = self._residue()
        text = describe_map(cells, lambda c: self._cells[c].name)
        if text:
            parts.append(f"{text[0]} {text[1]}")
        parts += self._value_sentences(values)
        return ", ".join(parts) or "moves literals"

    def _value_sentences(self, values: Mapping[int, Mapping[int, int]]) -> Iterator[str]:
        """Changes of values, those that are the same for several cells of a variable told once."""
        groups: dict[tuple[str, tuple[tuple[int, int], ...]], list[int]] = {}
        for cell, changed in values.items():
            groups.setdefault((self._cells[cell].variable.name, tuple(sorted(changed.items()))), []).append(cell)
        for (name, pairs), members in groups.items():
            text = describe_map(dict(pairs), self._literals.cells.variables[name].domain.text)
            if text:
                every = sum(self._cells[c].variable.name == name for c in self._literals.of_cell)
                where = name if len(members) == every else _several([self._cells[c].name for c in members])
                yield f"{text[0]} the values {text[1]} of {where}"


def describe_map(moved: Mapping[int, int], text: Callable[[int], str]) -> tuple[str, str] | None:
    """A verb and an object for a map that is (part of) a permutation; None for the identity.

    >>> describe_map({0: 1, 1: 0}, str)
    ('swaps', '0 and 1')
    >>> describe_map({0: 1, 1: 2, 2: 0}, str)
    ('rotates', '0→1→2')
    """
    chains = _chains(moved)
    if not chains:
        return None
    if all(len(c) == 2 for c in chains):
        pairs = [f"{text(a)} and {text(b)}" for a, b in chains]
        return "swaps", _several(pairs)
    return "rotates", _several(["→".join(_shortened([text(i) for i in c])) for c in chains])


def _several(parts: Sequence[str]) -> str:
    return ", ".join(_shortened(parts))


def _shortened(parts: Sequence[str]) -> list[str]:
    if len(parts) <= _MOST_SHOWN:
        return list(parts)
    return [*parts[:3], "…", parts[-1]]


def _chains(moved: Mapping[int, int]) -> list[list[int]]:
    """The cycles of a map, longer than one; a map that is no permutation gives chains that end where it does."""
    left = {i: j for i, j in sorted(moved.items()) if i != j}
    chains = []
    while left:
        at = next(iter(left))
        chain = []
        while at in left:
            chain.append(at)
            at = left.pop(at)
        chains.append(chain if not chain or at == chain[0] else [*chain, at])
    return chains
