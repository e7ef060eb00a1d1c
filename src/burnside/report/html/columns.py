"""The coloured graph as a picture of a page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from burnside.report.coloured import Vertex
from burnside.report.colours import degrees
from burnside.report.columns import Edges, Place, in_columns, label_of, width_of
from burnside.report.html.elements import Markup, drawing, element

_BOX: Final = 19.0  # the height of one
_MANY: Final = 400  # edges that are drawn lighter


def columns_picture(edges: Edges, vertices: Sequence[Vertex], label: str) -> Markup:
    """All vertices in their columns, joined by curves."""
    columns = in_columns(edges, vertices)
    titles = [
        element("text", title, x=x, y=y + 4, text_anchor="middle", class_="head") for title, (x, y) in columns.titles
    ]
    lines = element("path", d="".join(_edges(edges, vertices, columns.places)), class_="edges")
    marks = [_mark(vertex, columns.places[v]) for v, vertex in enumerate(vertices)]
    kind = "columns dense" if len(edges) > _MANY else "columns"
    return drawing(label, columns.size, titles, lines, marks, class_=kind)


def _edges(edges: Edges, vertices: Sequence[Vertex], places: Mapping[int, Place]) -> Iterator[str]:
    for a, b in edges:
        a, b = sorted((a, b), key=lambda v: places[v][0])
        (x, y), (u, v) = places[a], places[b]
        if x == u:  # in one column: an arc beside it
            side = x + 5 if vertices[a].is_dot else x + width_of(vertices[a]) / 2
            yield f"M{side:.0f},{y:.0f}C{side + 26:.0f},{y:.0f} {side + 26:.0f},{v:.0f} {side:.0f},{v:.0f}"
            continue
        x, u = x + width_of(vertices[a]) / 2, u - width_of(vertices[b]) / 2
        middle = (x + u) / 2
        yield f"M{x:.0f},{y:.0f}C{middle:.0f},{y:.0f} {middle:.0f},{v:.0f} {u:.0f},{v:.0f}"


def _mark(vertex: Vertex, place: Place) -> Markup:
    x, y = place
    fill = f"hsl({degrees(vertex.colour)} 72% 84%)"
    title = element("title", f"{vertex.label} (colour {vertex.colour + 1})")
    if vertex.is_dot:
        return element("circle", title, cx=x, cy=y, r=4, fill=fill)
    width = width_of(vertex)
    box = element("rect", x=x - width / 2, y=y - _BOX / 2, width=width, height=_BOX, rx=5, fill=fill)
    text = element("text", label_of(vertex), x=x, y=y + 4, text_anchor="middle")
    return element("g", title, box, text)
