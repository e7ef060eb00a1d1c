"""The action of generators as pictures: an orbit is a ring of points, a generator the arrows of one colour, pattern
and number.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import hypot
from typing import Final, final

from burnside.report.html.elements import Markup, drawing, element
from burnside.report.orbit_moves import OrbitMoves
from burnside.report.ring import HEIGHT, Place, Ring
from burnside.values import dataclass

STYLES: Final = 8  # classes g0 to g7 of the style sheet
_BEND: Final = 11.0
_INWARDS: Final = 0.17
_WIDE: Final = 900.0  # wider ones shrink with the page
_MOST_NUMBERED: Final = 60  # arrows; beyond, numbers would hide them


def orbit_picture(orbit: OrbitMoves, ring: Ring, *, has_numbers: bool) -> Markup:
    """One orbit with every generator that moves its points; numbers say which, if there are several."""
    arrows = [*_arrows(orbit, ring)]
    numbers = [_number(arrow) for arrow in arrows] if has_numbers and len(arrows) <= _MOST_NUMBERED else []
    points = [_point(*values) for values in zip(orbit.points, ring.labels, ring.places, ring.widths, strict=True)]
    sentences = [_sentence(orbit, g) for g in sorted({g for g, _, _ in orbit.moves})]
    label = f"{orbit.title}: {'; '.join(sentences)}"
    kind = "orbit wide" if ring.size[0] > _WIDE else "orbit"
    return drawing(label, ring.size, [_drawn(arrow) for arrow in arrows], numbers, points, class_=kind)


def _sentence(orbit: OrbitMoves, generator: int) -> str:
    moves = ", ".join(f"{a} to {b}" for g, a, b in orbit.moves if g == generator)
    return f"generator {generator + 1} takes {moves}"


def _point(name: str, label: str, place: Place, width: float) -> Markup:
    x, y = place
    box = element("rect", x=x - width / 2, y=y - HEIGHT / 2, width=width, height=HEIGHT, rx=8)
    text = element("text", label, x=x, y=y + 4.5, text_anchor="middle")
    return element("g", element("title", name), box, text, class_="point")


# ---------------------------------------------------------------- arrows


@final
@dataclass(frozen=True)
class _Arrow:
    """A curve from box to box; ``bend`` is the point that draws it away from the straight line."""

    generator: int
    start: Place
    bend: Place
    end: Place
    is_swap: bool


def _arrows(orbit: OrbitMoves, ring: Ring) -> Iterator[_Arrow]:
    number = {point: k for k, point in enumerate(orbit.points)}
    moves = {(g, number[a], number[b]) for g, a, b in orbit.moves}
    for g, a, b in sorted(moves):
        is_swap = (g, b, a) in moves
        if is_swap and a > b:
            continue
        middle = _bend(ring, a, b, g)
        start = _edge(ring.places[a], middle, ring.widths[a])
        end = _edge(ring.places[b], middle, ring.widths[b])
        yield _Arrow(g, start, middle, end, is_swap)


def _bend(ring: Ring, a: int, b: int, g: int) -> Place:
    """What draws an arrow aside, to tell generators apart, and inwards past points that lie between its ends."""
    (x, y), (u, v) = ring.places[a], ring.places[b]
    apart = min(abs(a - b), len(ring.places) - abs(a - b))
    inwards = _INWARDS * (1 + g % 4) if apart > 1 else 0.0
    aside = _BEND * (1 + g % 3) * (-1 if g % 2 else 1) / (hypot(u - x, v - y) or 1.0)
    across, down = ring.size[0] / 2 - (x + u) / 2, ring.size[1] / 2 - (y + v) / 2
    return (x + u) / 2 + inwards * across + aside * (v - y), (y + v) / 2 + inwards * down - aside * (u - x)


def _edge(centre: Place, towards: Place, width: float) -> Place:
    """Where the line from a centre leaves the box around it."""
    dx, dy = towards[0] - centre[0], towards[1] - centre[1]
    steps = [s for s in ((width / 2 + 3) / abs(dx) if dx else None, (HEIGHT / 2 + 3) / abs(dy) if dy else None) if s]
    share = min([*steps, 1.0])
    return centre[0] + dx * share, centre[1] + dy * share


def _drawn(arrow: _Arrow) -> Markup:
    (x, y), (p, q), (u, v) = arrow.start, arrow.bend, arrow.end
    line = element("path", d=f"M{x:.1f},{y:.1f}Q{p:.1f},{q:.1f} {u:.1f},{v:.1f}", class_="line")
    heads = [_head(arrow.bend, arrow.end)] + ([_head(arrow.bend, arrow.start)] if arrow.is_swap else [])
    return element("g", line, heads, class_=f"g{arrow.generator % STYLES}")


def _head(before: Place, tip: Place) -> Markup:
    dx, dy = tip[0] - before[0], tip[1] - before[1]
    length = hypot(dx, dy) or 1.0
    x, y = dx / length * 8, dy / length * 8
    left, right = (tip[0] - x - y / 2, tip[1] - y + x / 2), (tip[0] - x + y / 2, tip[1] - y - x / 2)
    points = " ".join(f"{p:.1f},{q:.1f}" for p, q in (tip, left, right))
    return element("polygon", points=points, class_="head")


def _number(arrow: _Arrow) -> Markup:
    """The number of the generator, in the middle of the curve."""
    x, y = (a / 4 + b / 2 + c / 4 for a, b, c in zip(arrow.start, arrow.bend, arrow.end, strict=True))
    kind = f"number g{arrow.generator % STYLES}"
    return element("text", str(arrow.generator + 1), x=x, y=y + 4, text_anchor="middle", class_=kind)
