"""The action of generators as pictures: an orbit is a circle of points, a generator the arrows of one colour."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import cos, hypot, pi, sin
from typing import Final

from burnside.report.html.elements import Markup, element
from burnside.report.symmetry_dot import Moved

_COLOURS: Final = 8  # classes g0 to g7 of the style sheet
_LETTER: Final = 7.4  # about the width of one
_HEIGHT: Final = 26
_LONGEST: Final = 26
_BEND: Final = 0.22


def orbit_picture(orbit: Moved, number: int) -> Markup:
    """One orbit with every generator that moves its points."""
    boxes = [_width(point) for point in orbit.points]
    widest = max(boxes)
    radius = max(46.0, (widest + 26) * len(orbit.points) / (2 * pi))
    width, height = 2 * radius + widest + 24, 2 * radius + _HEIGHT + 24
    places = [
        (width / 2 + radius * sin(2 * pi * k / len(boxes)), height / 2 - radius * cos(2 * pi * k / len(boxes)))
        for k in range(len(boxes))
    ]
    arrows = [*_arrows(orbit, places, boxes)]
    points = [_point(*arguments) for arguments in zip(orbit.points, places, boxes, strict=True)]
    label = f"{orbit.title}: " + "; ".join(_sentence(orbit, g) for g in sorted({g for g, _, _ in orbit.moves}))
    title = element("title", label)
    view = f"0 0 {width:.0f} {height:.0f}"
    return element(
        "svg",
        title,
        arrows,
        points,
        viewBox=view,
        width=round(width),
        height=round(height),
        role="img",
        class_=f"orbit o{number % _COLOURS}",
    )


def _sentence(orbit: Moved, generator: int) -> str:
    moves = ", ".join(f"{a} to {b}" for g, a, b in orbit.moves if g == generator)
    return f"generator {generator + 1} takes {moves}"


def _clipped(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def _width(text: str) -> float:
    return max(30.0, len(_clipped(text)) * _LETTER + 14)


def _point(text: str, place: tuple[float, float], width: float) -> Markup:
    x, y = place
    box = element("rect", x=x - width / 2, y=y - _HEIGHT / 2, width=width, height=_HEIGHT, rx=8)
    return element("g", box, element("text", _clipped(text), x=x, y=y + 4.5, text_anchor="middle"), class_="point")


# ---------------------------------------------------------------- arrows


def _arrows(orbit: Moved, places: Sequence[tuple[float, float]], widths: Sequence[float]) -> Iterator[Markup]:
    number = {point: k for k, point in enumerate(orbit.points)}
    moves = {(g, number[a], number[b]) for g, a, b in orbit.moves}
    for g, a, b in sorted(moves):
        is_swap = (g, b, a) in moves
        if is_swap and a > b:
            continue
        bend = _BEND * (1 + g % 3) * (-1 if g % 2 else 1) * (0.35 if is_swap else 1)
        yield _arrow(places[a], places[b], (widths[a], widths[b]), bend, g, is_swap=is_swap)


def _arrow(
    a: tuple[float, float], b: tuple[float, float], widths: tuple[float, float], bend: float, g: int, *, is_swap: bool
) -> Markup:
    length = hypot(b[0] - a[0], b[1] - a[1])
    # Away from the straight line, so that arrows of several generators can be told apart.
    middle = ((a[0] + b[0]) / 2 + bend * (b[1] - a[1]) * 0.5, (a[1] + b[1]) / 2 - bend * (b[0] - a[0]) * 0.5)
    start, end = _edge(a, middle, widths[0]), _edge(b, middle, widths[1])
    path = f"M{start[0]:.1f},{start[1]:.1f}Q{middle[0]:.1f},{middle[1]:.1f} {end[0]:.1f},{end[1]:.1f}"
    heads = [_head(middle, end)] + ([_head(middle, start)] if is_swap else [])
    drawn = [element("path", d=path, class_="line")] if length else []
    return element("g", drawn, heads, class_=f"g{g % _COLOURS}")


def _edge(centre: tuple[float, float], towards: tuple[float, float], width: float) -> tuple[float, float]:
    """Where the line from a centre leaves the box around it."""
    dx, dy = towards[0] - centre[0], towards[1] - centre[1]
    steps = [s for s in ((width / 2 + 3) / abs(dx) if dx else None, (_HEIGHT / 2 + 3) / abs(dy) if dy else None) if s]
    share = min([*steps, 1.0])
    return centre[0] + dx * share, centre[1] + dy * share


def _head(before: tuple[float, float], tip: tuple[float, float]) -> Markup:
    dx, dy = tip[0] - before[0], tip[1] - before[1]
    length = hypot(dx, dy) or 1.0
    x, y = dx / length * 8, dy / length * 8
    left, right = (tip[0] - x - y / 2, tip[1] - y + x / 2), (tip[0] - x + y / 2, tip[1] - y - x / 2)
    points = " ".join(f"{p:.1f},{q:.1f}" for p, q in (tip, left, right))
    return element("polygon", points=points, class_="head")
