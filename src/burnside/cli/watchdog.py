"""The limits of a command hold whatever it does: a timer looks at them, and interrupts the work."""

from __future__ import annotations

import signal
import site
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

from burnside.limits import LimitReached, Limits

_INTERVAL: Final = 0.1
_SOON: Final = 0.001
_LIBRARIES: Final = frozenset({"igraph", "numpy", "pygraphviz", "pysat", "rich", "spot"})  # ours and optional ones
_INSTALLED: Final = tuple(site.getsitepackages())  # whatever else there is
_IMPORTS: Final = frozenset({"importlib", "_frozen_importlib", "_frozen_importlib_external"})
_GRACE: Final = 1.0  # searches end by themselves at the limit, with figures; and what is found is put together


@contextmanager
def watched(limits: Limits) -> Iterator[None]:
    """Raise `LimitReached` inside when a limit is reached, and again every second until the work ends.

    An exception that comes at any point is safe where the work is then given up, and only there. A library that is
    installed may not survive one between any two of its lines (one that frees memory would free it twice), so we wait
    until it returns. Python's own modules do, and must: waiting for a compiler or a thread is done in them. Imports do
    not: of a library that was just loaded the first module would be forgotten and the others kept. What is raised while
    an object is freed goes nowhere, so it is raised again.
    """
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread gets signals
        return
    raised = float("-inf")

    def look(_number: int, frame: FrameType | None) -> None:
        nonlocal raised
        if time.perf_counter() < raised + _GRACE or not _is_ours(frame):
            return
        try:
            limits.check(grace=_GRACE)
        except LimitReached:
            raised = time.perf_counter()
            raise

    def look_again(lost: sys.UnraisableHookArgs) -> None:
        nonlocal raised
        if not isinstance(lost.exc_value, LimitReached):
            hook(lost)
        elif raised < float("inf"):
            raised = float("-inf")
            signal.setitimer(signal.ITIMER_REAL, _SOON, _INTERVAL)

    hook, sys.unraisablehook = sys.unraisablehook, look_again
    before = signal.signal(signal.SIGALRM, look)
    timer = signal.setitimer(signal.ITIMER_REAL, _INTERVAL, _INTERVAL)
    try:
        yield
    finally:
        raised = float("inf")  # what is done cannot be late
        signal.setitimer(signal.ITIMER_REAL, *timer)
        signal.signal(signal.SIGALRM, before)
        sys.unraisablehook = hook


def _is_ours(frame: FrameType | None) -> bool:
    """Whether it is no library that is at work, itself or by a module of Python."""
    while frame is not None:
        name, file = str(frame.f_globals.get("__name__")).partition(".")[0], frame.f_code.co_filename
        if name == "burnside":
            return True
        if name in _LIBRARIES or name in _IMPORTS or file.startswith(_INSTALLED):
            return False
        is_generated = file.startswith("<")  # such as the code of named tuples, which goes by a name of its own
        if name not in sys.stdlib_module_names and not is_generated:
            return True
        frame = frame.f_back
    return False
