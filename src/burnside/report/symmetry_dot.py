"""Detected symmetries as Graphviz text: the coloured graph they come from, and what each generator moves where."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import Final

from burnside.detect.detection import Detection
from burnside.report.coloured import vertices_of
from burnside.report.colours import LINE, STROKES, pastel
from burnside.report.columns import in_columns, label_of
from burnside.report.dot import FONT, clipped, quoted
from burnside.report.orbit_moves import OrbitMoves, orbit_moves
from burnside.report.ring import HEIGHT, Place, Ring, in_rows, ring_of

_DOT: Final = 'shape=circle, width=0.12, height=0.12, fixedsize=true, label=""'
_PATTERNS: Final = ("solid", "dashed", "dotted")
_LINE: Final = 20
_LONGEST_ROW: Final = 110
_MOST_GENERATORS: Final = 20
_MOST_IN_RING: Final = 60

# ---------------------------------------------------------------- the coloured graph


def coloured_dot(found: Detection) -> Iterator[str]:
    """The graph whose automorphisms are the symmetries, in columns; what has no name is a dot. Drawn as placed."""
    edges, vertices = found.encoding.graph.edges, vertices_of(found)
    columns = in_columns(edges, vertices)
    yield "graph constraints {\n"
    yield f"  graph [bgcolor=white, pad=0.3, outputorder=edgesfirst, splines=line, {FONT}];\n"
    yield f'  node [style=filled, fontsize=10, margin="0.05,0.02", height=0.2, width=0.2, color="#666666", {FONT}];\n'
    yield '  edge [color="#00000048", penwidth=0.8];\n'
    for number, (title, place) in enumerate(columns.titles):
        yield f'  t{number} [shape=plaintext, style="", label={quoted(title)}, pos="{_place(*place)}"];\n'
    for number, vertex in enumerate(vertices):
        shape = _DOT if vertex.is_dot else f"shape=box, label={quoted(label_of(vertex))}"
        tip = quoted(f"{vertex.label} (colour {vertex.colour + 1})")
        where = _place(*columns.places[number])
        yield f'  {number} [{shape}, tooltip={tip}, fillcolor="{pastel(vertex.colour)}", pos="{where}"];\n'
    yield from (f"  {a} -- {b};\n" for a, b in edges)
    yield "}\n"


# ---------------------------------------------------------------- orbits and generators


def groups_dot(found: Detection, group: str | None) -> Iterator[str]:
    """Every orbit as a ring of its points, arrows of one kind for every generator; to be drawn as placed."""
    orbits = orbit_moves(found)
    yield "digraph symmetries {\n"
    yield f"  graph [bgcolor=white, pad=0.3, outputorder=edgesfirst, splines=true, {FONT}];\n"
    yield f'  node [shape=box, style="filled,rounded", fontsize=11, height=0.3, width=0.4, color="#777777", {FONT}];\n'
    yield f"  edge [arrowsize=0.7, penwidth=1.6, fontsize=10, {FONT}];\n"
    moved = [o for o in orbits if o.moves and not _is_too_large(o)]
    rings = [*map(ring_of, moved)]
    places, height = in_rows([ring.size for ring in rings])
    for number, (orbit, ring, place) in enumerate(zip(moved, rings, places, strict=True)):
        yield from _orbit_lines(number, orbit, ring, place)
    yield from _legend(found, group, [o for o in orbits if o not in moved], height)
    yield "}\n"


def _is_too_large(orbit: OrbitMoves) -> bool:
    """Whether an orbit of literals would make a ring that fits no page; the names of processes are short."""
    return orbit.is_of_values and len(orbit.points) > _MOST_IN_RING


def _place(x: float, y: float) -> str:
    """A position that no layout changes, from points downwards to inches upwards."""
    return f"{x / 72:.3f},{-y / 72:.3f}!"


def _orbit_lines(number: int, orbit: OrbitMoves, ring: Ring, corner: Place) -> Iterator[str]:
    left, top = corner
    title = _place(left + ring.size[0] / 2, top - HEIGHT)
    yield f'  t{number} [shape=plaintext, style="", label={quoted(clipped(orbit.title))}, pos="{title}"];\n'
    name = {point: f"p{number}_{k}" for k, point in enumerate(orbit.points)}
    for point, label, (x, y) in zip(orbit.points, ring.labels, ring.places, strict=True):
        where = f'tooltip={quoted(point)}, pos="{_place(left + x, top + y)}"'
        yield f'  {name[point]} [label={quoted(label)}, fillcolor="{pastel(number)}", {where}];\n'
    for (a, b, is_swap), generators in _together(orbit).items():
        yield f"  {name[a]} -> {name[b]} [{_stroke(generators)}{', dir=both' if is_swap else ''}];\n"


def _together(orbit: OrbitMoves) -> dict[tuple[str, str, bool], list[int]]:
    """The generators behind each arrow; what exchanges two points is one arrow, not two."""
    moves, order = set(orbit.moves), {point: k for k, point in enumerate(orbit.points)}
    swaps = {(g, a, b) for g, a, b in moves if (g, b, a) in moves}
    arrows: dict[tuple[str, str, bool], list[int]] = {}
    for g, a, b in orbit.moves:
        is_swap = (g, a, b) in swaps
        if not is_swap or order[a] < order[b]:
            arrows.setdefault((a, b, is_swap), []).append(g)
    return arrows


def _stroke(generators: Sequence[int]) -> str:
    """How an arrow looks: colour, pattern and number say which generator it is; several draw parallel lines."""
    colours = [STROKES[g % len(STROKES)] for g in generators]
    pattern = _PATTERNS[generators[0] % len(_PATTERNS)] if len(generators) == 1 else "solid"
    numbers = ",".join(str(g + 1) for g in generators)
    # A ground of its own keeps the number apart from the line.
    ground = f'<TABLE BORDER="0" CELLPADDING="0" BGCOLOR="white"><TR><TD>{numbers}</TD></TR></TABLE>'
    return f'color="{":".join(colours)}", style={pattern}, label=<{ground}>, fontcolor="{colours[0]}"'


def _legend(found: Detection, group: str | None, still: Sequence[OrbitMoves], top: float) -> Iterator[str]:
    name = f": {group}" if group else ""
    rows = [(_order(found.symmetry.order) + name, "black")]
    for number, generator in enumerate(found.generators[:_MOST_GENERATORS]):
        said = f"{number + 1}  {generator.kind.value}: {generator.description}"
        rows.append((said, STROKES[number % len(STROKES)]))
    if len(found.generators) > _MOST_GENERATORS:
        rows.append((f"and {len(found.generators) - _MOST_GENERATORS} more generators", LINE))
    rows += [(f"not drawn: an orbit of {len(o.points)} literals, {o.title}", LINE) for o in still if o.moves]
    points: dict[str, list[str]] = {}
    for orbit in (o for o in still if not o.moves):
        points.setdefault(orbit.title, []).extend(orbit.points)
    rows += [(f"fixed of {title}: {', '.join(some)}" if some else title, LINE) for title, some in points.items()]
    yield from _table([(clipped(text, _LONGEST_ROW), colour) for text, colour in rows], top)


def _order(order: int) -> str:
    return "1 symmetry: nothing can be exchanged" if order == 1 else f"{order:,} symmetries"


def _table(rows: Sequence[tuple[str, str]], top: float) -> Iterator[str]:
    """Lines of text with their colours, one below the other."""
    cells = "".join(
        f'<TR><TD ALIGN="LEFT"><FONT COLOR="{colour}">{escape(text)}</FONT></TD></TR>' for text, colour in rows
    )
    width = 6.0 * max(len(text) for text, _ in rows)  # about: a label is centred at its place
    where = _place(max(0.0, width / 2 - 40), top + len(rows) * _LINE / 2)
    table = f'<TABLE BORDER="0" CELLSPACING="0" CELLPADDING="2">{cells}</TABLE>'
    yield f'  legend [shape=plaintext, style="", label=<{table}>, pos="{where}"];\n'
