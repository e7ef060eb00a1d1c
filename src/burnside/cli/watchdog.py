"""The limits of a command hold whatever it does: a timer looks at them, and interrupts the work."""

from __future__ import annotations

import signal
import site
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import Enum
from types import FrameType
from typing import Any, Final

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
    installed may not survive one between any two of its lines (one that frees memory would free it twice), so it is
    raised in the line of ours to which the library returns. Python's own modules do, and must: waiting for a compiler
    or a thread is done in them. Imports do not: of a library that was just loaded the first module would be forgotten
    and the others kept. What is raised while an object is freed goes nowhere, so it is raised again.
    """
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread gets signals
        return
    raised = float("-inf")

    def look(_number: int, frame: FrameType | None) -> None:
        nonlocal raised
        if time.perf_counter() < raised + _GRACE:
            return
        try:
            limits.check(grace=_GRACE)
        except LimitReached:
            if not _is_ours(frame):
                _resume(frame, look)
                return
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
        if sys.gettrace() is _nothing:
            sys.settrace(None)
        signal.setitimer(signal.ITIMER_REAL, *timer)
        signal.signal(signal.SIGALRM, before)
        sys.unraisablehook = hook


def _resume(frame: FrameType | None, look: Callable[[int, FrameType | None], None]) -> None:
    """Look again when a library has returned to a frame of ours: were that left to the timer, it would mostly find the
    library at work again. A debugger is left alone.
    """
    if sys.gettrace() is not None:
        return

    def returned(own: FrameType, event: str, argument: Any) -> None:
        del event, argument
        sys.settrace(None)
        look(signal.SIGALRM, own)

    while frame is not None:
        if _owner(frame) is _Owner.OURS:
            frame.f_trace = returned
        frame = frame.f_back
    sys.settrace(_nothing)


def _nothing(frame: FrameType, event: str, argument: Any) -> None:
    """New frames are not looked at."""


def _is_ours(frame: FrameType | None) -> bool:
    """Whether it is no library that is at work, itself or by a module of Python."""
    while frame is not None:
        owner = _owner(frame)
        if owner is not _Owner.PYTHON:
            return owner is _Owner.OURS
        frame = frame.f_back
    return False


class _Owner(Enum):
    OURS, LIBRARY, PYTHON = range(3)


def _owner(frame: FrameType) -> _Owner:
    """Whose code a frame is in."""
    name, file = str(frame.f_globals.get("__name__")).partition(".")[0], frame.f_code.co_filename
    if name == "burnside":
        return _Owner.OURS
    if name in _LIBRARIES or name in _IMPORTS or file.startswith(_INSTALLED):
        return _Owner.LIBRARY
    is_generated = file.startswith("<")  # such as the code of named tuples, which goes by a name of its own
    return _Owner.PYTHON if name in sys.stdlib_module_names or is_generated else _Owner.OURS
