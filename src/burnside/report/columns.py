"""The coloured graph in columns: what a step reads on the left, what it writes on the right, conditions and events
between them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Final, TypeAlias, final

from burnside.report.coloured import Role, Vertex
from burnside.report.dot import clipped
from burnside.values import dataclass

_LETTER: Final = 6.9
_PITCH: Final = 24.0
_DOT: Final = 11.0
_ASIDE: Final = 18.0
_APART: Final = 92.0
_LONGEST: Final = 30
_MARGIN: Final = 14.0
_TITLES: Final = {
    Role.VARIABLE: "variables",
    Role.BEFORE: "before a step",
    Role.CONDITION: "conditions",
    Role.EVENT: "events",
    Role.AFTER: "after it",
}
_SWEEPS: Final = 6
_MOST_STRETCHED: Final = 4.0

Place: TypeAlias = tuple[float, float]
Edges: TypeAlias = Sequence[tuple[int, int]]


@final
@dataclass(frozen=True)
class Columns:
    """Where every vertex stands, the titles of columns with their places, and the size of it all."""

    places: Mapping[int, Place]
    titles: tuple[tuple[str, Place], ...]
    size: Place


def in_columns(edges: Edges, vertices: Sequence[Vertex]) -> Columns:
    """All vertices in their columns, neighbours near one another."""
    columns = _ordered(edges, vertices)
    height = max(sum(_pitch(vertices[v]) for v in column) for column in columns.values()) + 2 * _MARGIN + _PITCH
    places: dict[int, Place] = {}
    titles: list[tuple[str, Place]] = []
    x = _MARGIN
    for role, column in columns.items():
        if not column:
            continue
        width = max(len(_TITLES[role]) * _LETTER, *(width_of(vertices[v]) for v in column))
        titles.append((_TITLES[role], (x + width / 2, _MARGIN)))
        places |= _stacked(column, vertices, x + width / 2, height)
        x += width + _APART
    places |= _beside_values(columns[Role.VARIABLE], edges, places)
    return Columns(places, tuple(titles), (x - _APART + _MARGIN, height))


def label_of(vertex: Vertex) -> str:
    """What is written into the box of a vertex."""
    return clipped(vertex.label, _LONGEST)


def width_of(vertex: Vertex) -> float:
    """How wide the box of a vertex is, or its dot."""
    return 8.0 if vertex.is_dot else len(label_of(vertex)) * _LETTER + 12


def _stacked(column: Sequence[int], vertices: Sequence[Vertex], x: float, height: float) -> dict[int, Place]:
    """A column from top to bottom, spread over the height of the picture but never far apart."""
    needed = sum(_pitch(vertices[v]) for v in column)
    stretch = min(_MOST_STRETCHED, (height - 2 * _MARGIN - _PITCH) / needed)
    places: dict[int, Place] = {}
    y = (height + _PITCH - needed * stretch) / 2
    for at, vertex in enumerate(column):
        pitch = _pitch(vertices[vertex]) * stretch
        # Dots stand in a zigzag, so that what joins two of them can be seen.
        aside = _ASIDE * (at % 3 - 1) if vertices[vertex].is_dot else 0.0
        places[vertex] = (x + aside, y + pitch / 2)
        y += pitch
    return places


def _beside_values(variables: Sequence[int], edges: Edges, places: Mapping[int, Place]) -> dict[int, Place]:
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


def _ordered(edges: Edges, vertices: Sequence[Vertex]) -> dict[Role, list[int]]:
    """The columns from top to bottom: variables and values as declared, the others beside their neighbours."""
    columns = {role: [v for v, vertex in enumerate(vertices) if vertex.role is role] for role in Role}
    near: dict[int, list[int]] = {v: [] for v in range(len(vertices))}
    for a, b in edges:
        near[a].append(b)
        near[b].append(a)
    place = {v: at / len(column) for column in columns.values() for at, v in enumerate(column)}
    for _ in range(_SWEEPS):
        for column in (columns[Role.CONDITION], columns[Role.EVENT]):
            column.sort(key=lambda v: (fmean([place[n] for n in near[v]]) if near[v] else 0.0, v))
            place |= {v: at / len(column) for at, v in enumerate(column)}
    return columns


def _pitch(vertex: Vertex) -> float:
    return _DOT if vertex.is_dot else _PITCH
