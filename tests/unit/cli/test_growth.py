"""What is said about the rest of a search while it runs: near the truth, or nothing."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from math import comb

import pytest

from burnside.cli.growth import Growth
from burnside.cli.progress import describe
from burnside.explore.native.run import Progress

# As explorations find them.
PHILOSOPHERS = """
1 10 55 210 615 1452 2860 4820 7115 9400 11353 12750 13490 13550 13015 12002 10680 9180 7670 6210
4897 3750 2840 2070 1465 1000 725 490 305 160 125 90 55 10 10 10 10
"""
FILTER_LOCK = """
1 5 15 35 80 156 250 360 500 680 935 1240 1570 1920 2305 2740 3150 3580 4195 4915 5820 6765 7530
7940 7625 6920 6100 5440 5240 4620 3600 2800 2100 1500 900 600 300
"""
RING = """
1 8 28 80 250 788 2212 5356 11223 20478 32702 44590 49780 44420 32943 21788 12925 7202 3957 2070
1017 504 294 234 180 126 72 42 30 24 18 12 6
"""
BELLS = {
    "subsets": [comb(24, k) for k in range(25)],
    "grid": [min(k + 1, 399 - k) for k in range(399)],
    "philosophers": [*map(int, PHILOSOPHERS.split())],
    "filter lock": [*map(int, FILTER_LOCK.split())],
    "ring": [*map(int, RING.split())],
}
# Neither of these says how it goes on.
ENDLESS = {"line": [7] * 300, "tree": [2**k for k in range(30)], "waves": [100 + 50 * (k % 2) for k in range(80)]}


def estimates(sizes: Sequence[int]) -> list[tuple[int, int | None]]:
    """What is left when a level begins, and what is said about it."""
    growth, total, found = Growth(), sum(sizes), []
    for depth, (size, known) in enumerate(zip(sizes, accumulate(sizes), strict=True)):
        for seconds in (depth, depth + 0.5):  # two looks at every level
            growth.note(Progress(known, 0, depth, size, 0, seconds))
        found.append((total - known, growth.left))
    return found


@pytest.mark.parametrize("name", BELLS)
def test_what_is_said_is_near_the_truth(name: str) -> None:
    """By a factor of two of the whole, whenever something is said; and something is."""
    sizes = BELLS[name]
    said = [(true, left) for true, left in estimates(sizes) if left is not None]

    assert len(said) >= min(6, len(sizes) // 4)
    for true, left in said:
        known = sum(sizes) - true
        assert 0.5 < (known + left) / sum(sizes) < 2


@pytest.mark.parametrize("name", ENDLESS)
def test_nothing_is_said_without_ground(name: str) -> None:
    """Levels that do not shrink may go on for ever."""
    assert {left for _, left in estimates(ENDLESS[name])} == {None}


def test_levels_that_were_not_seen_are_no_ground() -> None:
    """Nor are those of another search."""
    growth = Growth()
    for depth, size in enumerate(BELLS["subsets"][:20]):
        if depth != 17:
            growth.note(Progress(sum(BELLS["subsets"][: depth + 1]), 0, depth, size, 0, depth))

    assert growth.left is None


def test_the_line_says_that_it_is_an_estimate() -> None:
    """With two figures, and minutes by the rate of late; not of a search that has no levels."""
    growth, sizes = Growth(), BELLS["subsets"]
    for depth in range(18):
        figures = Progress(sum(sizes[: depth + 1]), 0, depth, sizes[depth], 64 << 20, 100.0 * depth)
        growth.note(figures)
    assert sum(sizes[18:]) == 190_051
    assert "1700 s · perhaps 200,000 to come · 64 MB" in describe(figures, growth, width=200)

    deep = Progress(figures.states, 0, 17, sizes[17], 64 << 20, 1700.0, has_levels=False)
    assert "perhaps" not in describe(deep, growth, width=200)
