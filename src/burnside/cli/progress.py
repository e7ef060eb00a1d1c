"""A line of progress on standard error while a search runs, on terminals only."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from burnside.cli.growth import Growth
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

    console, growth = Console(stderr=True), Growth()

    def show(figures: Progress) -> None:
        growth.note(figures)
        status.update(describe(figures, growth, width=console.width - _SPINNER))

    with Status("exploring", console=console) as status:
        yield show


def describe(figures: Progress, growth: Growth | None = None, *, width: int) -> str:
    """States, rate, depth, time, what may be left, memory and queue in one line; the last ones are left out where it is
    narrow.
    """
    rate = figures.states / figures.seconds if figures.seconds else 0
    if growth is not None and growth.rate is not None:
        rate = growth.rate
    parts = [
        f"{figures.states:,} states",
        f"{rate:,.0f}/s",
        f"depth {figures.depth:,}",
        f"{figures.seconds:.0f} s",
        *_what_is_left(figures, growth, rate),
        f"{figures.bytes / (1 << 20):,.0f} MB",
        f"{figures.waiting:,} in this level",
        *([f"{figures.disk / (1 << 20):,.0f} MB on disk"] if figures.disk else []),
    ]
    while len(parts) > 1 and len(" · ".join(parts)) > width:
        parts.pop()
    return " · ".join(parts)[: max(width, 0)]


def _what_is_left(figures: Progress, growth: Growth | None, rate: float) -> Iterator[str]:
    """An estimate, which says that it is one."""
    left = growth.left if growth is not None and figures.has_levels else None
    if left is not None:
        minutes = left / rate / 60 if rate > 0 else None
        yield f"perhaps {_roughly(left)} to come" + (f" in {minutes:,.0f} min" if minutes and minutes >= 1 else "")


def _roughly(count: int) -> str:
    """A number with two figures: more of them would promise too much.

    >>> _roughly(1_234_567), _roughly(86), _roughly(7)
    ('1,200,000', '86', '7')
    """
    return f"{round(count, 2 - len(str(count))):,}"
