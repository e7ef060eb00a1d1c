"""What a search may still find, by the growth of its levels: an estimate, where there is ground for one.

The sizes of levels often lie on something like a bell: what the logarithm of a level's size grows by becomes less from
level to level, about as much less each time. So it is continued, by a line through the last few of these steps, until
levels are empty. Nothing is said before levels have begun to shrink, and while the estimates of the last few levels
disagree; a second bell behind the first one is not foreseen.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Sequence
from itertools import pairwise
from typing import Final, final

from burnside.explore.native.run import Progress

_STEPS: Final = 6  # between levels, through which a line is laid
_AGREEING: Final = 4  # levels whose estimates of the whole are compared
_APART: Final = 1.3  # the largest of them by the smallest, at most
_LEAST_BEND: Final = -0.001  # of the line
_MANY: Final = 1000.0  # times as many states as there are: no estimate at all
_WINDOW: Final = 30.0  # seconds of which the rate is measured


@final
class Growth:
    """The levels of a running search, as far as they were seen."""

    def __init__(self) -> None:
        self._sizes: list[int] = []  # of levels one after another, the last one is the one at hand
        self._begun: list[int] = []  # states known when they were first seen
        self._depth = -1
        self._recent: deque[tuple[float, int]] = deque()

    def note(self, figures: Progress) -> None:
        """Look at a search again."""
        if self._recent and figures.states < self._recent[-1][1]:
            self._recent.clear()  # another search
        self._recent.append((figures.seconds, figures.states))
        while figures.seconds - self._recent[0][0] > _WINDOW:
            self._recent.popleft()
        if figures.depth == self._depth:
            return
        if figures.depth != self._depth + 1:
            self._sizes, self._begun = [], []
        self._depth = figures.depth
        self._sizes.append(figures.waiting)
        self._begun.append(figures.states)

    @property
    def rate(self) -> float | None:
        """States found in a second, of late."""
        (start, before), (end, now) = self._recent[0], self._recent[-1]
        return (now - before) / (end - start) if end > start else None

    @property
    def left(self) -> int | None:
        """About how many states are not found yet; None if there is no ground to say so."""
        sizes, count = self._sizes, len(self._sizes)
        if count < _STEPS + _AGREEING or not sizes[-1] < sizes[-2] < sizes[-3]:
            return None
        totals = []
        for end in range(count - _AGREEING + 1, count + 1):
            beyond = beyond_last(sizes[end - _STEPS - 1 : end])
            if beyond is None:
                return None
            totals.append(self._begun[end - 1] + beyond)
        if max(totals) > _APART * min(totals):
            return None
        return max(0, round(totals[-1]) - self._recent[-1][1])


def beyond_last(sizes: Sequence[int]) -> float | None:
    """The sizes of all levels after some, summed; None if they do not grow less and less.

    >>> round(beyond_last([70, 56, 28, 8]))  # 1 is right: these are numbers of subsets
    1
    """
    if min(sizes) < 1:
        return None
    steps = [math.log(after / before) for before, after in pairwise(sizes)]
    middle, mean = (len(steps) - 1) / 2, sum(steps) / len(steps)
    bend = sum((k - middle) * (step - mean) for k, step in enumerate(steps))
    bend /= sum((k - middle) ** 2 for k in range(len(steps)))
    if bend > _LEAST_BEND:
        return None
    step, size, beyond = mean + bend * middle, math.log(sizes[-1]), 0.0
    while (size := size + (step := step + bend)) > 0:
        beyond += math.exp(size)
        if beyond > _MANY * sum(sizes):
            return None
    return beyond
