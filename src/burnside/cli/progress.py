"""A line of progress on standard error while a search runs, on terminals only."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from burnside.explore.native.run import Progress, Watcher

_SPINNER = 3  # columns for the sign that turns, a space, and the last one, where terminals may break the line


@contextmanager
def progress(*, quiet: bool) -> Iterator[Watcher | None]:
    """A watcher that shows figures, or None where nobody would see them."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.status import Status

    console = Console(stderr=True)
    with Status("exploring", console=console) as status:
        yield lambda figures: status.update(describe(figures, width=console.width - _SPINNER))


def describe(figures: Progress, *, width: int) -> str:
    """States, rate, depth, time, memory and queue in one line; the last ones are left out where it is narrow."""
    rate = figures.states / figures.seconds if figures.seconds else 0
    parts = [
        f"{figures.states:,} states",
        f"{rate:,.0f}/s",
        f"depth {figures.depth:,}",
        f"{figures.seconds:.0f} s",
        f"{figures.bytes / (1 << 20):,.0f} MB",
        f"{figures.waiting:,} in this level",
        *([f"{figures.disk / (1 << 20):,.0f} MB on disk"] if figures.disk else []),
    ]
    while len(parts) > 1 and len(" · ".join(parts)) > width:
        parts.pop()
    return " · ".join(parts)[: max(width, 0)]
