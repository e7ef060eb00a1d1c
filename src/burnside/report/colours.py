"""Colours that several pictures share. Nothing is told by colour alone: numbers, signs or places say it as well."""

from __future__ import annotations

from typing import Final

_GOLDEN: Final = 0.61803398875
# Of generators, on white; the style sheet of a page has the same hues as --g0 to --g7.
STROKES: Final = ("#b92d20", "#1f66ab", "#2a762f", "#8338a5", "#9a5b00", "#007580", "#ab1457", "#5d4037")
PLAIN: Final = "#f4f4f4"
STUCK: Final = "#b3261e"
LINE: Final = "#555555"
LABEL: Final = "#333333"
BACK_LINE: Final = "#858585"
BACK_LABEL: Final = "#5c5c5c"


def hue(number: int) -> float:
    """A hue between 0 and 1 for a number; neighbours are far apart.

    >>> [round(hue(k), 2) for k in range(4)]
    [0.08, 0.7, 0.32, 0.93]
    """
    return (0.08 + number * _GOLDEN) % 1


def pastel(number: int) -> str:
    """A light colour for a number, as Graphviz writes it; dark text can be read on it.

    >>> pastel(0), pastel(0) == pastel(1)
    ('0.0800 0.32 1.0', False)
    """
    return f"{hue(number):.4f} {0.32 if number % 2 == 0 else 0.22} 1.0"


def degrees(number: int) -> str:
    """The hue of a number as style sheets write it."""
    return f"{360 * hue(number):.0f}"
