"""Limits of time and memory for commands that compute in Python.

A timer interrupts whatever runs, so no stage has to look at the clock. Only stages that are Python of our own are
interrupted: a library may not survive an exception between any two of its lines (one that frees memory would free it
twice), so we wait until it returns. Searches in C keep the limits themselves (`SearchOptions`).
"""

from __future__ import annotations

import resource
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from types import FrameType
from typing import Final

_TICK: Final = 0.05
_SOON: Final = 0.002
_STAGES: Final = ("source", "groups", "ir", "frontends", "detect", "regular")
_INTERRUPTED: Final = ("burnside.cli.pattern", *(f"burnside.{stage}." for stage in _STAGES))
_AGAIN: Final = 2.0  # an exception that was raised in a destructor is lost: raise another one later


@contextmanager
def limited(
    seconds: float | None, memory: int | None, stopped: Callable[[str], Exception]
) -> Iterator[Callable[[], float | None]]:
    """Raise ``stopped("time")`` or ``stopped("memory")`` in the block once a limit is reached; gives the time left.

    Memory is what the process has taken since the block began. Only the main thread can be interrupted.
    """
    end = None if seconds is None else perf_counter() + seconds
    most = None if memory is None else _resident() + memory

    def look(_: int, frame: FrameType | None) -> None:
        reached = "time" if end is not None and perf_counter() > end else ""
        reached = reached or ("memory" if most is not None and _resident() > most else "")
        if reached and _can_stop(frame):
            signal.setitimer(signal.ITIMER_REAL, _AGAIN)
            raise stopped(reached)
        signal.setitimer(signal.ITIMER_REAL, _SOON if reached else _TICK)

    def left() -> float | None:
        return None if end is None else max(0.001, end - perf_counter())

    if (seconds is None and memory is None) or threading.current_thread() is not threading.main_thread():
        yield left
        return
    before = signal.signal(signal.SIGALRM, look)
    try:
        signal.setitimer(signal.ITIMER_REAL, min(_TICK, seconds or _TICK))
        yield left
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _can_stop(frame: FrameType | None) -> bool:
    """Whether a stage runs that may be left at any line."""
    name = frame.f_globals.get("__name__", "") if frame is not None else ""
    return name.startswith(_INTERRUPTED)


def _resident() -> int:
    """The memory of this process in bytes; where only the largest amount so far is known, that."""
    table = Path("/proc/self/statm")
    if table.exists():
        return int(table.read_text().split()[1]) * resource.getpagesize()
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
