"""Rows are made of searches that came to their end."""

from __future__ import annotations

from burnside.limits import LimitReached
from burnside.results.exploration import Exploration, Stop


def complete(found: Exploration) -> Exploration:
    """A search, unless a limit or the user ended it: what it found until then is not what a row should have."""
    match found.stop:
        case Stop.TIME:
            raise LimitReached("time")
        case Stop.MEMORY:
            raise LimitReached("memory")
        case Stop.INTERRUPT:
            raise KeyboardInterrupt
        case _:
            return found
