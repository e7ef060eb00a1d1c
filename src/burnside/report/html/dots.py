"""State graphs too large for labels: a dot for every state, in rows by distance from the initial states.

States of one orbit stand together in one colour, in small graphs with the number of the orbit. In the picture of the
quotient the same rows have one dot for every orbit, so both pictures can be compared row by row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from statistics import fmean
from typing import Final, TypeAlias, final

from burnside.ir.cells import State
from burnside.report.colours import degrees
from burnside.report.html.elements import Markup, drawing, element
from burnside.report.states import state_by_variable
from burnside.report.titles import counted
from burnside.results.graph import GraphReport
from burnside.values import dataclass

_WIDEST: Final = 620.0
_MARGIN: Final = 12.0
_MOST_NUMBERED: Final = 150  # states whose dots have room for numbers

Place: TypeAlias = tuple[float, float]


@final
@dataclass(frozen=True)
class Scale:
    """The radius of a dot, and how far apart dots, orbits, rows and layers of rows are."""

    radius: float
    step: float
    gap: float
    row: float
    layer: float

    @property
    def has_numbers(self) -> bool:
        """Whether a dot has room for a number."""
        return self is LARGE


SMALL: Final = Scale(radius=5, step=15, gap=9, row=25, layer=36)
LARGE: Final = Scale(radius=10.5, step=25, gap=12, row=38, layer=52)


def scale_for(states: int) -> Scale:
    """How large dots are in the picture of so many states."""
    return LARGE if states <= _MOST_NUMBERED else SMALL


@final
@dataclass(frozen=True)
class Dots:
    """Where the states of a graph are drawn, in a picture of a certain size."""

    places: dict[int, Place]
    size: Place
    scale: Scale


def dots_pictures(whole: GraphReport, quotient: GraphReport, orbit_of: Callable[[State], int]) -> tuple[Markup, Markup]:
    """All states, and one of every orbit, in the same rows."""
    orbits: list[list[int]] = [[] for _ in range(len(quotient.graph))]
    for number in range(len(whole.graph)):
        orbits[orbit_of(whole.graph.state(number))].append(number)
    scale = scale_for(len(whole.graph))
    rows = _rows(quotient, [len(orbit) for orbit in orbits], scale)
    spread = _placed(whole, rows, orbits, scale)
    single = _placed(quotient, rows, [[orbit] for orbit in range(len(orbits))], scale)
    of_state = {state: orbit for orbit, states in enumerate(orbits) for state in states}
    count = counted(len(orbits), "orbit")
    return (
        _picture(whole, spread, of_state, f"all {counted(len(whole.graph), 'state')} in {count}"),
        _picture(quotient, single, {k: k for k in range(len(orbits))}, count),
    )


def plain_picture(graph: GraphReport) -> Markup:
    """The states of one graph, without colours."""
    count = len(graph.graph)
    dots = _placed(graph, _rows(graph, [1] * count, SMALL), [[state] for state in range(count)], SMALL)
    return _picture(
        graph, dots, None, counted(count, "orbit") if graph.is_quotient else f"all {counted(count, 'state')}"
    )


# ---------------------------------------------------------------- rows


@final
@dataclass(frozen=True)
class _Row:
    """Orbits side by side, with the distance of the row from the top."""

    orbits: list[int]
    top: float


def _rows(report: GraphReport, sizes: Sequence[int], scale: Scale) -> list[_Row]:
    """The orbits of each distance, those with neighbouring predecessors beside one another, in rows that fit."""
    rows: list[_Row] = []
    top = 0.0
    for layer in _ordered_layers(report):
        for orbits in _wrapped(layer, [sizes[orbit] * scale.step + scale.gap for orbit in layer]):
            rows.append(_Row(orbits, top))
            top += scale.row
        top += scale.layer - scale.row
    return rows


def _ordered_layers(report: GraphReport) -> list[list[int]]:
    layers = _layers(report)
    place: dict[int, float] = {}
    before = _predecessors(report)
    for layer in layers:
        known = {k: [place[p] for p in before.get(k, ()) if p in place] for k in layer}
        layer.sort(key=lambda k: (fmean(known[k]) if known[k] else 0.0, k))
        place |= {k: (at + 0.5) / len(layer) for at, k in enumerate(layer)}
    return layers


def _layers(report: GraphReport) -> list[list[int]]:
    """States by their distance from initial states; the order of a graph is that of a breadth-first search."""
    layers = [list(range(report.graph.initial))]
    seen = set(layers[0])
    while layers[-1]:
        found = dict.fromkeys(e.target for k in layers[-1] for e in report.graph.steps(k) if e.target not in seen)
        seen |= found.keys()
        layers.append([*found])
    return layers[:-1]


def _wrapped(layer: Sequence[int], widths: Sequence[float]) -> Iterable[list[int]]:
    row: list[int] = []
    filled = 0.0
    for orbit, width in zip(layer, widths, strict=True):
        if row and filled + width > _WIDEST:
            yield row
            row, filled = [], 0.0
        row.append(orbit)
        filled += width
    yield row


def _placed(report: GraphReport, rows: Sequence[_Row], orbits: Sequence[Sequence[int]], scale: Scale) -> Dots:
    """Every state of every orbit at its place, rows centred; within an orbit, states stand below their predecessors."""
    widths = [sum(len(orbits[o]) * scale.step + scale.gap for o in row.orbits) - scale.gap for row in rows]
    widest = max([*widths, scale.step])
    before = _predecessors(report)
    places: dict[int, Place] = {}

    def from_left(state: int) -> tuple[float, int]:
        above = [places[p][0] for p in before.get(state, ()) if p in places]
        return (fmean(above) if above else 0.0, state)

    for row, width in zip(rows, widths, strict=True):
        x = _MARGIN + (widest - width + scale.step) / 2
        for orbit in row.orbits:
            for state in sorted(orbits[orbit], key=from_left):
                places[state] = (x, row.top + _MARGIN + scale.radius)
                x += scale.step
            x += scale.gap
    height = (rows[-1].top if rows else 0.0) + 2 * (_MARGIN + scale.radius)
    return Dots(places, (widest + 2 * _MARGIN, height), scale)


def _predecessors(report: GraphReport) -> dict[int, list[int]]:
    before: dict[int, list[int]] = {}
    for edge in report.graph.edges():
        before.setdefault(edge.target, []).append(edge.source)
    return before


# ---------------------------------------------------------------- drawing


def _picture(report: GraphReport, dots: Dots, orbit_of: dict[int, int] | None, label: str) -> Markup:
    edges = sorted({(e.source, e.target) for e in report.graph.edges() if e.source != e.target})
    onwards = [e for e in edges if dots.places[e[0]][1] < dots.places[e[1]][1]]
    back = [e for e in edges if dots.places[e[0]][1] >= dots.places[e[1]][1]]
    lines = [
        element("path", d=_path(some, dots), class_=kind) for some, kind in ((back, "back"), (onwards, "on")) if some
    ]
    marks = [_mark(report, k, dots, None if orbit_of is None else orbit_of[k]) for k in range(len(report.graph))]
    kind = "dots numbered" if dots.scale.has_numbers else "dots"
    layers = ", ".join(str(len(layer)) for layer in _layers(report))
    said = (
        f"{label}, by distance from the initial states {layers}; {counted(len(edges), 'step')} between different ones"
    )
    return drawing(said, dots.size, lines, marks, class_=kind)


def _path(edges: Iterable[tuple[int, int]], dots: Dots) -> str:
    """All edges as one path; within a row they are arcs, because straight ones would hide behind dots."""
    parts = []
    for a, b in edges:
        (x, y), (u, v) = dots.places[a], dots.places[b]
        bend = f"Q{(x + u) / 2:.0f},{y - min(14, abs(x - u) / 3 + 4):.0f} " if y == v else "L"
        parts.append(f"M{x:.1f},{y:.0f}{bend}{u:.1f},{v:.0f}")
    return "".join(parts)


def _mark(report: GraphReport, number: int, dots: Dots, orbit: int | None) -> Markup:
    """A dot, square or diamond; the whole state appears where a pointer rests."""
    x, y = dots.places[number]
    state = ", ".join(
        f"{name} = {value}" for name, value in state_by_variable(report.model, report.graph.state(number))
    )
    title = element("title", state if orbit is None else f"orbit {orbit + 1}: {state}")
    shape = _shape(report, number, dots, orbit)
    has_number = orbit is not None and dots.scale.has_numbers
    text = [element("text", str((orbit or 0) + 1), x=x, y=y + 3.5, text_anchor="middle")] if has_number else []
    return element("g", title, shape, text)


def _shape(report: GraphReport, number: int, dots: Dots, orbit: int | None) -> Markup:
    (x, y), radius = dots.places[number], dots.scale.radius
    fill = None if orbit is None else orbit_colour(orbit, is_light=dots.scale.has_numbers)
    initial = " initial" if number < report.graph.initial < len(report.graph) else ""
    if is_violating(report, number):
        side = radius + 2
        path = f"M{x:.1f},{y - side:.1f}l{side:g},{side:g}l-{side:g},{side:g}l-{side:g},-{side:g}z"
        return element("path", d=path, fill=fill, class_=f"wrong{initial}")
    if report.graph.is_stuck(number):
        side = 2 * radius
        return element("rect", x=x - radius, y=y - radius, width=side, height=side, fill=fill, class_=f"stuck{initial}")
    return element("circle", cx=x, cy=y, r=radius, fill=fill, class_=initial.strip() or None)


def orbit_colour(number: int, *, is_light: bool) -> str:
    """A colour for an orbit, of the hue that it has where states are written out; light ones are grounds for text."""
    if is_light:
        return f"hsl({degrees(number)} 75% {84 if number % 2 else 76}%)"
    return f"hsl({degrees(number)} {68 if number % 2 else 56}% {52 if number % 3 else 64}%)"


def is_violating(report: GraphReport, number: int) -> bool:
    """Whether a state violates an invariant."""
    return any(True for _ in report.violated(number))
