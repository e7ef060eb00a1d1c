"""Sizes in C so small that tables grow, blocks end, levels go to disk and workers meet all the time."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

_SIZES: Final = MappingProxyType(
    {
        "ALONE": 1,  # two threads are never one
        "CHUNK": 2,
        "BLOCK": 4,
        "FLUSH": 4,
        "FIRST_BITS": 4,
        "MANY": 20,
        "DEEP": 1,
        "RECENT_BITS": 1,  # most keys have to share a place
        "SEGMENT_BITS": 1,
        "DISPLACEMENT_BITS": 1,
        "SMALL_SET": 1,
        "BITMAP_BITS": 2,
        "LEVEL_BLOCK": 3,
        "LEVEL_BYTES": 20,
        "MOST_HELD": 30,
        "ARCHIVE_BLOCK": 3,
        "STREAM_WORDS": 4,
    }
)


def tiny(**others: int) -> tuple[str, ...]:
    """Options of the compiler for these sizes, some of them others."""
    return tuple(f"-DBURNSIDE_{name}={size}" for name, size in (_SIZES | others).items())


def tiny_for(states: int) -> tuple[str, ...]:
    """The same where so many states are stored on disk: all sets there are merged whenever one more is written."""
    larger = 1
    while states > 1_000 * larger:
        larger *= 10
    return tiny() if larger == 1 else tiny(MOST_HELD=30 * larger, STREAM_WORDS=64)
