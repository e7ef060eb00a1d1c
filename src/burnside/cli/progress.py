"""A line of progress on standard error while a search runs, on terminals only."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from burnside.explore.native.run import Progress, Watcher


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
        yield lambda figures: status.update(describe(figures))


def describe(figures: Progress) -> str:
    """States, rate, depth, queue and memory in one line."""
    rate = figures.states / figures.seconds if figures.seconds else 0
    return (
        f"{figures.states:,} states · {rate:,.0f}/s · depth {figures.depth:,} · "
        f"{figures.waiting:,} in this level · {figures.bytes / (1 << 20):,.0f} MB · {figures.seconds:.0f} s"
    )
