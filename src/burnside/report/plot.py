"""Small plots as SVG: panels side by side, a few series of points each, linear or logarithmic upwards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil, floor, log10
from typing import Final, final
from xml.sax.saxutils import escape

from burnside.values import dataclass

_WIDTH: Final = 360
_HEIGHT: Final = 260
_LEFT: Final = 112
_TOP: Final = 62
_GAP: Final = 128
_BOTTOM: Final = 84
_COLOURS: Final = ("#b3450f", "#2d6da3", "#3c7a35", "#6b4c9a")


@final
@dataclass(frozen=True, slots=True)
class Series:
    """Named points in order."""

    name: str
    points: tuple[tuple[int, int], ...]


@final
@dataclass(frozen=True, slots=True)
class Panel:
    """One system of axes."""

    title: str
    series: tuple[Series, ...]
    is_logarithmic: bool = False


def draw_panels(title: str, panels: Sequence[Panel], *, across: str, up: str) -> str:
    """An SVG document; the same points give the same text."""
    width = _LEFT + len(panels) * (_WIDTH + _GAP)
    height = _TOP + _HEIGHT + _BOTTOM
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
        ' font-family="sans-serif" font-size="12">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
        f'<text x="{width / 2:.0f}" y="24" text-anchor="middle" font-size="15">{escape(title)}</text>',
    ]
    for number, panel in enumerate(panels):
        lines.append(f'<g transform="translate({_LEFT + number * (_WIDTH + _GAP)},{_TOP})">')
        lines += _panel_lines(panel, across, up)
        lines.append("</g>")
    lines += [*_legend(panels, height), "</svg>"]
    return "\n".join(lines) + "\n"


@final
class _Axes:
    """Where a point lies in a panel."""

    def __init__(self, panel: Panel) -> None:
        xs = [x for series in panel.series for x, _ in series.points] or [0]
        ys = [y for series in panel.series for _, y in series.points] or [1]
        self.is_logarithmic = panel.is_logarithmic
        self.low, self.high = min(xs), max(max(xs), min(xs) + 1)
        self.columns = sorted(set(xs))
        if panel.is_logarithmic:
            first, last = floor(log10(max(1, min(ys)))), max(1, ceil(log10(max(ys))))
            self.rows = [10**k for k in range(first, max(last, first + 1) + 1)]
        else:
            step = _round_step(max(*ys, 1) / 5)
            self.rows = [k * step for k in range(ceil(max(ys) / step) + 1)]

    def x(self, value: int) -> float:
        """From the left."""
        return (value - self.low) / (self.high - self.low) * _WIDTH

    def y(self, value: int) -> float:
        """From the top."""
        low, high = self.rows[0], self.rows[-1]
        if self.is_logarithmic:
            share = (log10(max(1, value)) - log10(low)) / (log10(high) - log10(low))
        else:
            share = (value - low) / (high - low)
        return _HEIGHT * (1 - share)


def _round_step(least: float) -> int:
    """The least of 1, 2, 5, 10, 20, … that is not smaller.

    >>> [_round_step(x) for x in (0.3, 3, 70)]
    [1, 5, 100]
    """
    power = 1
    while True:
        for digit in (1, 2, 5):
            if digit * power >= least:
                return digit * power
        power *= 10


def _panel_lines(panel: Panel, across: str, up: str) -> Iterator[str]:
    axes = _Axes(panel)
    yield f'<text x="{_WIDTH / 2:.0f}" y="-14" text-anchor="middle">{escape(panel.title)}</text>'
    yield f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="none" stroke="#555"/>'
    for value in axes.rows:
        y = axes.y(value)
        yield f'<line x1="0" y1="{y:.1f}" x2="{_WIDTH}" y2="{y:.1f}" stroke="#ddd"/>'
        yield f'<text x="-8" y="{y + 4:.1f}" text-anchor="end">{value:,}</text>'
    for value in axes.columns:
        yield f'<text x="{axes.x(value):.1f}" y="{_HEIGHT + 18}" text-anchor="middle">{value}</text>'
    yield f'<text x="{_WIDTH / 2:.0f}" y="{_HEIGHT + 38}" text-anchor="middle">{escape(across)}</text>'
    middle = _HEIGHT / 2
    yield f'<text transform="translate(-92,{middle:.0f}) rotate(-90)" text-anchor="middle">{escape(up)}</text>'
    for number, series in enumerate(panel.series):
        colour = _COLOURS[number % len(_COLOURS)]
        places = [(axes.x(x), axes.y(y)) for x, y in series.points]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        yield f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.5"/>'
        for (x, y), (n, states) in zip(places, series.points, strict=True):
            title = escape(f"{series.name}, {n}: {states:,}")
            yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{colour}"><title>{title}</title></circle>'


def _legend(panels: Sequence[Panel], height: int) -> Iterator[str]:
    names = list(dict.fromkeys(series.name for panel in panels for series in panel.series))
    for number, name in enumerate(names):
        x, y = _LEFT + 120 * number, height - 18
        yield f'<circle cx="{x}" cy="{y - 4}" r="4" fill="{_COLOURS[number % len(_COLOURS)]}"/>'
        yield f'<text x="{x + 10}" y="{y}">{escape(name)}</text>'
