"""The coloured graph as a picture: what a step reads on the left, what it writes on the right, conditions and events
between them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Final, TypeAlias, final

from burnside.detect.run import Detection
from burnside.report.dot import clipped
from burnside.report.html.elements import Markup, element

_LETTER: Final = 6.9
_BOX: Final = 19.0
_PITCH: Final = 24.0
_DOT: Final = 11.0
_APART: Final = 92.0
_LONGEST: Final = 30
_MARGIN: Final = 14.0
_CONNECTIVES: Final = ("and", "or", "nor", "count", "argument", "weight")
_TITLES: Final = ("variables", "before a step", "conditions", "events", "after it")
_SWEEPS: Final = 6
_MOST_STRETCHED: Final = 4.0
_GOLDEN: Final = 0.61803398875

Place: TypeAlias = tuple[float, float]


@final
@dataclass(frozen=True)
class Vertex:
    """A vertex of the picture: the column it stands in, and its label."""

    column: int
    label: str
    is_dot: bool


def vertices_of(found: Detection) -> list[Vertex]:
    """The vertices in the user's words; those of conditions are only dots."""
    graph, literals = found.encoding.graph, found.symmetry.literals
    cells = {cell.name for cell in literals.cells.all}
    names = {vertex: literals.text(literals.numbers[point]) for point, vertex in found.encoding.literals.items()}
    # The graph calls values by numbers; the user does not.
    after = {f"{literals.cells.all[c].name}' = {v}": literals.numbers[c, v] for c, v in found.encoding.literals}
    result = []
    for vertex, label in enumerate(graph.labels):
        if vertex in names:
            result.append(Vertex(1, names[vertex], is_dot=False))
        elif label in after:
            result.append(Vertex(4, literals.text(after[label]).replace(" = ", "' = ", 1), is_dot=False))
        elif label in cells:
            result.append(Vertex(0, label, is_dot=False))
        else:
            is_dot = label.partition(" ")[0] in _CONNECTIVES
            result.append(Vertex(2 if is_dot else 3, label, is_dot=is_dot))
    return result


def columns_picture(found: Detection, vertices: Sequence[Vertex], label: str) -> Markup:
    """All vertices in their columns, neighbours near one another."""
    graph = found.encoding.graph
    columns = _ordered(graph.edges, vertices)
    height = max(sum(_pitch(vertices[v]) for v in column) for column in columns) + 2 * _MARGIN + _PITCH
    places: dict[int, Place] = {}
    heads: list[Markup] = []
    x = _MARGIN
    for title, column in zip(_TITLES, columns, strict=True):
        if not column:
            continue
        width = max(len(title) * _LETTER, *(_width(vertices[v]) for v in column))
        heads.append(element("text", title, x=x + width / 2, y=_MARGIN + 4, text_anchor="middle", class_="head"))
        places |= _stacked(column, vertices, x + width / 2, height)
        x += width + _APART
    places |= _beside_values(columns[0], graph.edges, places)
    edges = element("path", d="".join(_edges(graph.edges, vertices, places)), class_="edges")
    marks = [_mark(vertices[v], places[v], graph.colour_numbers[v]) for v in range(len(graph))]
    size = (round(x - _APART + _MARGIN), round(height))
    return element(
        "svg",
        *(element("title", label), heads, edges, marks),
        viewBox=f"0 0 {size[0]} {size[1]}",
        width=size[0],
        height=size[1],
        role="img",
        class_="columns",
    )


def _stacked(column: Sequence[int], vertices: Sequence[Vertex], x: float, height: float) -> dict[int, Place]:
    """A column from top to bottom, spread over the height of the picture but never far apart."""
    needed = sum(_pitch(vertices[v]) for v in column)
    stretch = min(_MOST_STRETCHED, (height - 2 * _MARGIN - _PITCH) / needed)
    places: dict[int, Place] = {}
    y = (height + _PITCH - needed * stretch) / 2
    for vertex in column:
        pitch = _pitch(vertices[vertex]) * stretch
        places[vertex] = (x, y + pitch / 2)
        y += pitch
    return places


def _beside_values(
    variables: Sequence[int], edges: Sequence[tuple[int, int]], places: Mapping[int, Place]
) -> dict[int, Place]:
    """Variables in the middle of their values, never closer to one another than boxes allow."""
    near: dict[int, list[float]] = {v: [] for v in variables}
    for a, b in edges:
        for variable, value in ((a, b), (b, a)):
            if variable in near:
                near[variable].append(places[value][1])
    moved: dict[int, Place] = {}
    lowest = 0.0
    for variable in variables:
        x, y = places[variable]
        lowest = max(lowest + _PITCH, fmean(near[variable]) if near[variable] else y)
        moved[variable] = (x, lowest)
    # Without room for all of them where they should be, they stay where they are.
    return moved if lowest <= max((y for _, y in places.values()), default=0.0) else {}


def _ordered(edges: Sequence[tuple[int, int]], vertices: Sequence[Vertex]) -> list[list[int]]:
    """The columns from top to bottom: variables and values as declared, the others beside their neighbours."""
    columns: list[list[int]] = [[v for v, it in enumerate(vertices) if it.column == k] for k in range(len(_TITLES))]
    near: dict[int, list[int]] = {v: [] for v in range(len(vertices))}
    for a, b in edges:
        near[a].append(b)
        near[b].append(a)
    place = {v: at / len(column) for column in columns for at, v in enumerate(column)}
    for _ in range(_SWEEPS):
        for column in columns[2:4]:
            column.sort(key=lambda v: (fmean([place[n] for n in near[v]]) if near[v] else 0.0, v))
            place |= {v: at / len(column) for at, v in enumerate(column)}
    return columns


def _pitch(vertex: Vertex) -> float:
    return _DOT if vertex.is_dot else _PITCH


def _width(vertex: Vertex) -> float:
    return 8.0 if vertex.is_dot else len(clipped(vertex.label, _LONGEST)) * _LETTER + 12


def _edges(edges: Sequence[tuple[int, int]], vertices: Sequence[Vertex], places: dict[int, Place]) -> Iterator[str]:
    for a, b in edges:
        a, b = sorted((a, b), key=lambda v: places[v][0])
        (x, y), (u, v) = places[a], places[b]
        if x == u:  # in one column: an arc beside it
            side = x + 5 if vertices[a].is_dot else x + _width(vertices[a]) / 2
            yield f"M{side:.0f},{y:.0f}C{side + 26:.0f},{y:.0f} {side + 26:.0f},{v:.0f} {side:.0f},{v:.0f}"
            continue
        x, u = x + _width(vertices[a]) / 2, u - _width(vertices[b]) / 2
        middle = (x + u) / 2
        yield f"M{x:.0f},{y:.0f}C{middle:.0f},{y:.0f} {middle:.0f},{v:.0f} {u:.0f},{v:.0f}"


def _mark(vertex: Vertex, place: Place, colour: int) -> Markup:
    x, y = place
    fill = f"hsl({(29 + 360 * colour * _GOLDEN) % 360:.0f} 72% 84%)"
    title = element("title", vertex.label)
    if vertex.is_dot:
        return element("circle", title, cx=x, cy=y, r=4, fill=fill)
    width = _width(vertex)
    box = element("rect", x=x - width / 2, y=y - _BOX / 2, width=width, height=_BOX, rx=5, fill=fill)
    text = element("text", clipped(vertex.label, _LONGEST), x=x, y=y + 4, text_anchor="middle")
    return element("g", title, box, text)
