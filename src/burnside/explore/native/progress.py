"""Live figures of a search, read from the record that it shares with C."""

from __future__ import annotations

from itertools import takewhile

from burnside.explore.native.abi import Run
from burnside.explore.native.options import Progress, Within
from burnside.results.exploration import Exploration


def progress_of(run: Run, elapsed: float) -> Progress:
    """The figures of a running search."""
    figures = (run.states, run.transitions, run.depth, run.waiting, run.bytes, elapsed, run.disk)
    levels = 0 if run.depth_first else run.depth + 1
    within = tuple(map(Within, takewhile(bool, run.within[:levels]), run.taken[:levels]))
    return Progress(*figures, has_levels=not run.depth_first, within=within)


def final_progress(found: Exploration) -> Progress:
    """The figures of a search that begins again: all of its states are waiting."""
    return Progress(found.states, found.transitions, found.depth or 0, found.states, found.bytes, found.seconds)
