"""What the generators of a group move where, in the user's words: processes first, then what they do not explain."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, final

from burnside.detect.detection import Detection
from burnside.detect.literals import Literals
from burnside.detect.naming import orbits_of_processes, process_moves
from burnside.detect.sorts import Sorts
from burnside.groups import Perm
from burnside.ir.cells import process_ids
from burnside.ir.renaming import Sort, SortKind
from burnside.values import dataclass

_MOST_VALUE_ORBITS: Final = 6


@final
@dataclass(frozen=True)
class OrbitMoves:
    """An orbit of points with names, and where each generator (by number) takes them.

    ``is_of_values`` tells orbits of values from those of processes and of variables.
    """

    title: str
    points: tuple[str, ...]
    moves: tuple[tuple[int, str, str], ...]
    is_of_values: bool = False


def orbit_moves(found: Detection) -> list[OrbitMoves]:
    """The orbits of processes, of cells that no process explains, and of values."""
    literals = found.symmetry.literals
    generators = [g.perm for g in found.generators]
    actions = [process_moves(literals, perm) for perm in generators]
    explained = {name for action in actions for name, moves in action.items() if any(a != b for a, b in moves.items())}
    result = [
        OrbitMoves(name, tuple(orbit), tuple(_arrows(orbit, [action.get(name, {}) for action in actions])))
        for name, orbits in orbits_of_processes(literals, generators).items()
        for orbit in orbits
    ]
    sorts = Sorts(literals)
    others = [sort for sort in sorts.orbits(generators) if _is_shown(sorts, sort)]
    data = [*_data_orbits(sorts, others, generators)]
    by_sorts = _Explained(sorts, others, generators)
    return [*result, *data, *_other_orbits(found, generators, explained, by_sorts)]


def _is_shown(sorts: Sorts, sort: Sort) -> bool:
    """Whether a sort says more than another: domains of data that are shared, variables with values of no such one."""
    match sort.kind:
        case SortKind.PROCESS:
            return False
        case SortKind.DATA:
            return sorts.is_shared(sort)
        case SortKind.VARIABLE:
            inside = sorts.of_variable(sort)
            return inside is None or (inside.kind is SortKind.DATA and not sorts.is_shared(inside))


def _data_orbits(sorts: Sorts, shown: Sequence[Sort], generators: Sequence[Perm]) -> Iterator[OrbitMoves]:
    """Orbits of values of domains and variables, each once instead of once for every cell."""
    moves = [sorts.moves(perm) for perm in generators]
    orbits = sorts.orbits(generators)
    for sort in shown:
        is_index = sorts.is_index(sort)
        for orbit in (o for o in orbits[sort] if len(o) > 1):
            names = {v: sorts.text(sort, v) for v in orbit}
            actions = [{names[v]: names[(each.get(sort) or {}).get(v, v)] for v in orbit} for each in moves]
            arrows = tuple(_arrows(names.values(), actions))
            title = sort.name if is_index else f"values of {sort.name}"
            yield OrbitMoves(title, (*names.values(),), arrows, is_of_values=not is_index)


@final
class _Explained:
    """Whether orbits of literals are moved only in that processes and values of sorts are."""

    def __init__(self, sorts: Sorts, shown: Sequence[Sort], generators: Sequence[Perm]) -> None:
        self._sorts = sorts
        kept = {*shown, *(s for s in sorts.all if s.kind is SortKind.PROCESS)}
        self._generators = [(g, {s: m for s, m in sorts.moves(g).items() if s in kept}) for g in generators]

    def __contains__(self, orbit: Sequence[int]) -> bool:
        points = self._sorts.literals.points
        return all(self._sorts.expected(p, moves) == points[g[p]] for g, moves in self._generators for p in orbit)


def _arrows(points: Iterable[str], actions: Sequence[Mapping[str, str]]) -> Iterator[tuple[int, str, str]]:
    for number, action in enumerate(actions):
        for point in points:
            image = action.get(point, point)
            if image != point:
                yield number, point, image


def _other_orbits(
    found: Detection, generators: Sequence[Perm], explained: set[str], by_sorts: _Explained
) -> Iterator[OrbitMoves]:
    """Orbits of literals that say more than the orbits of processes do."""
    literals = found.symmetry.literals
    shown: set[frozenset[int]] = set()
    exchanged = 0
    for orbit in found.symmetry.group.orbits:
        cells = frozenset(literals.points[p][0] for p in orbit)
        moves_values = len(cells) < len(orbit)
        if len(orbit) == 1 or _is_explained(literals, orbit, explained) or (cells in shown and not moves_values):
            continue
        if orbit in by_sorts:
            continue
        shown.add(cells)
        exchanged += moves_values
        if exchanged > _MOST_VALUE_ORBITS:
            continue
        names = {p: literals.text(p) if moves_values else literals.cells.all[literals.points[p][0]].name for p in orbit}
        actions = [{names[p]: names[g[p]] for p in orbit} for g in generators]
        places = [literals.cells.all[cell] for cell in sorted(cells)]
        variables = dict.fromkeys(p.name if len(places) == 1 else p.variable.name for p in places)
        title = f"values of {', '.join(variables)}" if moves_values else "variables"
        yield OrbitMoves(title, (*names.values(),), (*_arrows(names.values(), actions),), moves_values)
    if exchanged > _MOST_VALUE_ORBITS:
        yield OrbitMoves(f"and {exchanged - _MOST_VALUE_ORBITS} more orbits of values", (), ())


def _is_explained(literals: Literals, orbit: Sequence[int], domains: set[str]) -> bool:
    """Whether what moves of an orbit is the processes that index its cells, or that are its values."""
    points = [literals.points[p] for p in orbit]
    cells = {cell: literals.cells.all[cell] for cell, _ in points}
    if len(cells) > 1 and not all(any(d.index in domains for d in c.variable.dimensions) for c in cells.values()):
        return False
    if len(cells) == len(orbit):
        return True
    kinds = {cell: place.variable.domain for cell, place in cells.items()}
    return all(kinds[cell].index in domains and value in process_ids(kinds[cell]) for cell, value in points)
