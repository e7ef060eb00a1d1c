"""State graphs too large for labels: a dot for every state, in rows by distance from the initial states.

States of one orbit stand together in one colour. In the picture of the quotient the same rows have one dot for every
orbit, so both pictures can be compared row by row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Final, TypeAlias, final

from burnside.ir.cells import State
from burnside.ir.nodes import PropertyKind
from burnside.report.graph import GraphReport
from burnside.report.html.elements import Content, Markup, element
from burnside.report.text import state_by_variable

_STEP: Final = 15.0  # from dot to dot
_GAP: Final = 9.0  # between orbits
_ROW: Final = 25.0
_LAYER: Final = 36.0
_RADIUS: Final = 5.0
_WIDEST: Final = 620.0
_MARGIN: Final = 12.0
_GOLDEN: Final = 0.61803398875

Place: TypeAlias = tuple[float, float]


@final
@dataclass(frozen=True)
class Dots:
    """Where the states of a graph are drawn, in a picture of a certain size."""

    places: dict[int, Place]
    width: float
    height: float


def dots_pictures(whole: GraphReport, quotient: GraphReport, orbit_of: Callable[[State], int]) -> tuple[Markup, Markup]:
    """All states, and one of every orbit, in the same rows."""
    orbits: list[list[int]] = [[] for _ in range(len(quotient.graph))]
    for number in range(len(whole.graph)):
        orbits[orbit_of(whole.graph.state(number))].append(number)
    rows = _rows(quotient, [len(orbit) for orbit in orbits])
    spread = _placed(whole, rows, orbits)
    single = _placed(quotient, rows, [[orbit] for orbit in range(len(orbits))])
    of_state = {state: orbit for orbit, states in enumerate(orbits) for state in states}
    return (
        _picture(whole, spread, of_state, f"all {len(whole.graph):,} states"),
        _picture(quotient, single, {k: k for k in range(len(orbits))}, f"{len(orbits):,} orbits"),
    )


def plain_picture(whole: GraphReport) -> Markup:
    """All states of a model without symmetry."""
    count = len(whole.graph)
    dots = _placed(whole, _rows(whole, [1] * count), [[state] for state in range(count)])
    return _picture(whole, dots, None, f"all {count:,} states")


# ---------------------------------------------------------------- rows


@final
@dataclass(frozen=True)
class _Row:
    """Orbits side by side, with the distance of the row from the top."""

    orbits: list[int]
    top: float


def _rows(report: GraphReport, sizes: Sequence[int]) -> list[_Row]:
    """The orbits of each distance, those with neighbouring predecessors beside one another, in rows that fit."""
    rows: list[_Row] = []
    top = 0.0
    for layer in _ordered_layers(report):
        for orbits in _wrapped(layer, sizes):
            rows.append(_Row(orbits, top))
            top += _ROW
        top += _LAYER - _ROW
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


def _wrapped(layer: Sequence[int], sizes: Sequence[int]) -> Iterable[list[int]]:
    row: list[int] = []
    width = 0.0
    for orbit in layer:
        needed = sizes[orbit] * _STEP + _GAP
        if row and width + needed > _WIDEST:
            yield row
            row, width = [], 0.0
        row.append(orbit)
        width += needed
    yield row


def _placed(report: GraphReport, rows: Sequence[_Row], orbits: Sequence[Sequence[int]]) -> Dots:
    """Every state of every orbit at its place, rows centred; within an orbit, states stand below their predecessors."""
    widths = [sum(len(orbits[o]) * _STEP + _GAP for o in row.orbits) - _GAP for row in rows]
    widest = max([*widths, _STEP])
    before = _predecessors(report)
    places: dict[int, Place] = {}

    def from_left(state: int) -> tuple[float, int]:
        above = [places[p][0] for p in before.get(state, ()) if p in places]
        return (fmean(above) if above else 0.0, state)

    for row, width in zip(rows, widths, strict=True):
        x = _MARGIN + (widest - width) / 2 + _STEP / 2
        for orbit in row.orbits:
            for state in sorted(orbits[orbit], key=from_left):
                places[state] = (x, row.top + _MARGIN + _RADIUS)
                x += _STEP
            x += _GAP
    height = (rows[-1].top if rows else 0.0) + 2 * (_MARGIN + _RADIUS)
    return Dots(places, widest + 2 * _MARGIN, height)


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
    marks = [
        _dot(report, k, dots.places[k], None if orbit_of is None else orbit_of[k]) for k in range(len(report.graph))
    ]
    return element(
        "svg",
        element("title", f"{label}, {len(edges):,} steps between different ones"),
        lines,
        marks,
        viewBox=f"0 0 {dots.width:.0f} {dots.height:.0f}",
        width=round(dots.width),
        height=round(dots.height),
        role="img",
        class_="dots",
    )


def _path(edges: Iterable[tuple[int, int]], dots: Dots) -> str:
    """All edges as one path; within a row they are arcs, because straight ones would hide behind dots."""
    parts = []
    for a, b in edges:
        (x, y), (u, v) = dots.places[a], dots.places[b]
        bend = f"Q{(x + u) / 2:.0f},{y - min(14, abs(x - u) / 3 + 4):.0f} " if y == v else "L"
        parts.append(f"M{x:.1f},{y:.0f}{bend}{u:.1f},{v:.0f}")
    return "".join(parts)


def _dot(report: GraphReport, number: int, place: Place, orbit: int | None) -> Markup:
    x, y = place
    fill = None if orbit is None else orbit_colour(orbit)
    title = element("title", _description(report, number))
    kinds = ["initial"] if number < report.graph.initial < len(report.graph) else []
    if is_violating(report, number):
        d = f"M{x:.1f},{y - 7:.1f}l7,7l-7,7l-7,-7z"
        return element("path", title, d=d, fill=fill, class_=" ".join(["wrong", *kinds]))
    if report.graph.is_stuck(number):
        box: dict[str, float] = {"x": x - _RADIUS, "y": y - _RADIUS, "width": 2 * _RADIUS, "height": 2 * _RADIUS}
        return element("rect", title, **box, fill=fill, class_=" ".join(["stuck", *kinds]))
    return element("circle", title, cx=x, cy=y, r=_RADIUS, fill=fill, class_=" ".join(kinds) or None)


def orbit_colour(number: int) -> str:
    """A colour for an orbit, of the hue that it has where states are written out; fit for light and dark ground."""
    return f"hsl({360 * ((0.08 + number * _GOLDEN) % 1):.0f} {68 if number % 2 else 56}% {52 if number % 3 else 64}%)"


def is_violating(report: GraphReport, number: int) -> bool:
    """Whether a state violates an invariant."""
    kinds = (claim.family.kind for claim in report.claims)
    return any(kind is PropertyKind.INVARIANT and not report.holds(number, k) for k, kind in enumerate(kinds))


def _description(report: GraphReport, number: int) -> Content:
    state = report.graph.state(number)
    return ", ".join(f"{name} = {value}" for name, value in state_by_variable(report.model, state))
