"""Names that are nearly right."""

from __future__ import annotations

from collections.abc import Iterable


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """A help sentence that names the closest known name, or an empty string.

    >>> did_you_mean("frok", ["fork", "pc"])
    "did you mean 'fork'?"
    >>> did_you_mean("n", ["N", "M"])
    "did you mean 'N'?"
    """
    from difflib import get_close_matches  # rarely needed, like the rest of this

    candidates = sorted(set(known))
    same_letters = [candidate for candidate in candidates if candidate.casefold() == name.casefold()]
    close = same_letters or get_close_matches(name, candidates, n=1, cutoff=0.6)
    return f"did you mean '{close[0]}'?" if close else ""
