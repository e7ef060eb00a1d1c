"""Where the points of an orbit are drawn: on a ring, so that the arrows between them can be followed."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, pi, sin, sqrt
from typing import Final, TypeAlias, final

from burnside.report.dot import clipped
from burnside.report.orbit_moves import OrbitMoves
from burnside.values import dataclass

HEIGHT: Final = 26.0  # of a box
_LETTER: Final = 7.4  # about the width of one
_LONGEST: Final = 26
_BESIDE: Final = 50.0  # from box to box, where there are few
_ABOVE: Final = 46.0
_NEAREST: Final = 24.0
_LEAST: Final = 56.0
_FLATTEST: Final = 0.45
_MARGIN: Final = 12.0
_BETWEEN: Final = 60.0  # pictures
_WIDE: Final = 800.0  # what is not wider needs no second row
_PAGE: Final = 1.5  # how much wider than high

Place: TypeAlias = tuple[float, float]


@final
@dataclass(frozen=True)
class Ring:
    """The points of an orbit as boxes, each with its place and width, in a picture of a certain size."""

    labels: tuple[str, ...]
    places: tuple[Place, ...]
    widths: tuple[float, ...]
    size: Place


def ring_of(orbit: OrbitMoves) -> Ring:
    """Points on a circle; long labels make it flatter, because boxes are wider than high."""
    labels = tuple(clipped(point, _LONGEST) for point in orbit.points)
    widths = tuple(max(30.0, len(label) * _LETTER + 14) for label in labels)
    count, widest = len(labels), max(widths)
    beside, above = max(_NEAREST, _BESIDE - count), max(_NEAREST, _ABOVE - count)
    across = max(_LEAST, (widest + beside) * count / (2 * pi))
    down = max(_LEAST, (HEIGHT + above) * count / (2 * pi), _FLATTEST * across)
    size = (2 * (across + _MARGIN) + widest, 2 * (down + _MARGIN) + HEIGHT)
    angles = [2 * pi * k / count for k in range(count)]
    places = tuple((size[0] / 2 + across * sin(a), size[1] / 2 - down * cos(a)) for a in angles)
    return Ring(labels, places, widths, size)


def in_rows(sizes: Sequence[Place]) -> tuple[list[Place], float]:
    """The upper left corners of pictures side by side, in rows that fit a page; and how high all of them are."""
    area = sum((width + _BETWEEN) * (height + _BETWEEN) for width, height in sizes)
    widest = max([_WIDE, sqrt(_PAGE * area), *(width for width, _ in sizes)])
    corners: list[Place] = []
    left = top = lowest = 0.0
    for width, height in sizes:
        if left > 0 and left + width > widest:
            left, top = 0.0, lowest
        corners.append((left, top))
        left += width + _BETWEEN
        lowest = max(lowest, top + height + _BETWEEN)
    return corners, lowest
