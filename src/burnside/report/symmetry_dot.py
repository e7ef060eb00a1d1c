"""Detected symmetries as Graphviz text: the coloured graph they come from, and what each generator moves where."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from math import cos, pi, sin
from typing import Final, final

from burnside.detect.lift import Literals
from burnside.detect.naming import orbits_of_processes
from burnside.detect.run import Detection
from burnside.groups import Perm
from burnside.ir.cells import process_ids
from burnside.report.dot import FONT, clipped, pastel, quoted
from burnside.source import printable

_STROKES: Final = ("#c0392b", "#2468a8", "#2e7d32", "#8e44ad", "#b7791f", "#00838f", "#ad1457", "#5d4037")
_MOST_VALUE_ORBITS: Final = 6
_GAP: Final = 60
_LINE: Final = 20
_LONGEST_ROW: Final = 110

# ---------------------------------------------------------------- the coloured graph


def coloured_dot(found: Detection) -> Iterator[str]:
    """The graph whose automorphisms are the symmetries: what has a name is shown with it, the rest as dots."""
    graph, literals = found.encoding.graph, found.symmetry.literals
    names = {v: literals.text(literals.numbers[point]) for point, v in found.encoding.literals.items()}
    # The graph calls values by numbers; the user does not.
    after = {f"{literals.cells.all[cell].name}' = {value}": (cell, value) for cell, value in found.encoding.literals}
    yield "graph constraints {\n"
    yield f"  graph [bgcolor=white, pad=0.3, overlap=prism, outputorder=edgesfirst, splines=line, {FONT}];\n"
    yield f'  node [style=filled, fontsize=10, margin="0.05,0.03", height=0.2, width=0.2, color="#666666", {FONT}];\n'
    yield '  edge [color="#00000038"];\n'
    for vertex, number in enumerate(graph.colour_numbers):
        label = names.get(vertex, graph.labels[vertex])
        if label in after:
            label = literals.text(literals.numbers[after[label]]).replace(" = ", "' = ", 1)
        is_named = label.partition(" ")[0] not in _CONNECTIVES
        shape = f"shape=box, label={quoted(clipped(label))}" if is_named else 'shape=circle, width=0.11, label=""'
        yield f'  {vertex} [{shape}, tooltip={quoted(label)}, fillcolor="{pastel(number)}"];\n'
    yield from (f"  {a} -- {b};\n" for a, b in graph.edges)
    yield "}\n"


_CONNECTIVES: Final = ("and", "or", "nor", "count")

# ---------------------------------------------------------------- orbits and generators


@final
@dataclass(frozen=True)
class Moved:
    """An orbit of points with names, and where each generator (by number) takes them."""

    title: str
    points: tuple[str, ...]
    moves: tuple[tuple[int, str, str], ...]


def moved_points(found: Detection) -> list[Moved]:
    """The orbits of processes, of cells that no process explains, and of values."""
    literals = found.symmetry.literals
    generators = [g.perm for g in found.generators]
    actions = [_process_moves(literals, perm) for perm in generators]
    explained = {name for action in actions for name, moves in action.items() if any(a != b for a, b in moves.items())}
    result = [
        Moved(name, tuple(orbit), tuple(_arrows(orbit, [action.get(name, {}) for action in actions])))
        for name, orbits in orbits_of_processes(literals, generators).items()
        for orbit in orbits
    ]
    return [*result, *_other_orbits(found, generators, explained)]


def _arrows(points: Iterable[str], actions: Sequence[Mapping[str, str]]) -> Iterator[tuple[int, str, str]]:
    for number, action in enumerate(actions):
        for point in points:
            image = action.get(point, point)
            if image != point:
                yield number, point, image


def _process_moves(literals: Literals, perm: Perm) -> dict[str, dict[str, str]]:
    """For every process domain, which id goes where, read off indices first and off values where there are none."""
    moves: dict[str, dict[str, str]] = {}
    cells = literals.cells.all
    for cell, points in literals.of_cell.items():
        one, other = cells[cell], cells[literals.points[perm[points[0]]][0]]
        pairs = zip(one.variable.dimensions, one.indices, other.variable.dimensions, other.indices, strict=False)
        for d, i, e, j in pairs:
            if d.index and d.index == e.index:
                moves.setdefault(d.index, {}).setdefault(d.text(i), e.text(j))
    for point, (cell, value) in enumerate(literals.points):
        target, image = literals.points[perm[point]]
        d, e = cells[cell].variable.domain, cells[target].variable.domain
        if d.index and d.index == e.index and cells[cell].slot != -1 and value in process_ids(d) and image is not None:
            assert value is not None
            moves.setdefault(d.index, {}).setdefault(d.text(value), e.text(image))
    return moves


def _other_orbits(found: Detection, generators: Sequence[Perm], explained: set[str]) -> Iterator[Moved]:
    """Orbits of literals that say more than the orbits of processes do."""
    literals = found.symmetry.literals
    shown: set[frozenset[int]] = set()
    exchanged = 0
    for orbit in found.symmetry.group.orbits:
        cells = frozenset(literals.points[p][0] for p in orbit)
        moves_values = len(cells) < len(orbit)
        if len(orbit) == 1 or _is_explained(literals, orbit, explained) or (cells in shown and not moves_values):
            continue
        shown.add(cells)
        exchanged += moves_values
        if exchanged > _MOST_VALUE_ORBITS:
            continue
        names = {p: literals.text(p) if moves_values else literals.cells.all[literals.points[p][0]].name for p in orbit}
        actions = [{names[p]: names[g[p]] for p in orbit} for g in generators]
        yield Moved("values" if moves_values else "variables", (*names.values(),), (*_arrows(names.values(), actions),))
    if exchanged > _MOST_VALUE_ORBITS:
        yield Moved(f"and {exchanged - _MOST_VALUE_ORBITS} more orbits of values", (), ())


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


def groups_dot(found: Detection, structure: str | None) -> Iterator[str]:
    """Every orbit as a circle of its points, an arrow of its own colour for every generator; to be drawn as placed."""
    orbits = moved_points(found)
    moved = [o for o in orbits if len(o.points) > 1 or not o.points]
    fixed: dict[str, list[str]] = {}
    for orbit in orbits:
        if len(orbit.points) == 1:
            fixed.setdefault(orbit.title, []).append(orbit.points[0])
    yield "digraph symmetries {\n"
    yield f"  graph [bgcolor=white, pad=0.3, outputorder=edgesfirst, splines=true, {FONT}];\n"
    yield f'  node [shape=box, style="filled,rounded", fontsize=11, height=0.3, width=0.4, color="#777777", {FONT}];\n'
    yield "  edge [arrowsize=0.7, penwidth=1.6];\n"
    across, lowest = 0.0, 0.0
    for number, orbit in enumerate(moved):
        radius = _radius(orbit.points)
        yield from _orbit_lines(number, orbit, across + radius, radius)
        lowest = min(lowest, -2 * radius)
        across += 2 * radius + _GAP
    yield from _legend(found, structure, fixed, lowest - _GAP)
    yield "}\n"


def _radius(points: Sequence[str]) -> float:
    widest = max((len(p) for p in points), default=10)
    return max(45.0, (7 * widest + 40) * len(points) / (2 * pi))


def _place(x: float, y: float) -> str:
    """A position that no layout changes, from points to inches."""
    return f"{x / 72:.3f},{y / 72:.3f}!"


def _orbit_lines(number: int, orbit: Moved, x: float, radius: float) -> Iterator[str]:
    yield f'  t{number} [shape=plaintext, style="", label={quoted(orbit.title)}, pos="{_place(x, 40)}"];\n'
    place = {}
    for k, point in enumerate(orbit.points):
        angle = pi / 2 - 2 * pi * k / len(orbit.points)
        place[point] = f"p{number}_{k}"
        where = _place(x + radius * cos(angle), radius * (sin(angle) - 1))
        yield f'  {place[point]} [label={quoted(clipped(point))}, fillcolor="{pastel(number)}", pos="{where}"];\n'
    pairs = {(g, a, b) for g, a, b in orbit.moves}
    for g, a, b in orbit.moves:
        is_swap = (g, b, a) in pairs
        if is_swap and place[a] > place[b]:
            continue
        both = ", dir=both" if is_swap else ""
        yield f'  {place[a]} -> {place[b]} [color="{_STROKES[g % len(_STROKES)]}"{both}];\n'


def _legend(found: Detection, structure: str | None, fixed: Mapping[str, Sequence[str]], top: float) -> Iterator[str]:
    name = f" ({structure})" if structure else ""
    rows = [(f"{found.symmetry.order:,} symmetries{name}", "black")]
    for number, generator in enumerate(found.generators):
        rows.append((f"→ {generator.kind.value}: {generator.description}", _STROKES[number % len(_STROKES)]))
    rows += [(f"fixed of {domain}: {', '.join(points)}", "#555555") for domain, points in fixed.items()]
    rows = [(clipped(printable(text), _LONGEST_ROW), colour) for text, colour in rows]
    cells = "".join(
        f'<TR><TD ALIGN="LEFT"><FONT COLOR="{colour}">{escape(text)}</FONT></TD></TR>' for text, colour in rows
    )
    width = 6.0 * max(len(text) for text, _ in rows)  # about: a label is centred at its place
    where = _place(max(0.0, width / 2 - 40), top - len(rows) * _LINE / 2)
    table = f'<TABLE BORDER="0" CELLSPACING="0" CELLPADDING="2">{cells}</TABLE>'
    yield f'  legend [shape=plaintext, style="", label=<{table}>, pos="{where}"];\n'
