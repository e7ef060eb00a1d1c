"""Names that are nearly right."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """A help sentence that names the closest known name, or an empty string.

    >>> did_you_mean("frok", ["fork", "pc"])
    "did you mean 'fork'?"
    """
    close = get_close_matches(name, sorted(set(known)), n=1, cutoff=0.6)
    return f"did you mean '{close[0]}'?" if close else ""
