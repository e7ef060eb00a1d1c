"""Limits of time and memory for everything that is done to answer a question, not for its searches alone.

Searches look at the clock by themselves and end with partial figures. All other work is ended by `LimitReached`, which
``cli/watchdog.py`` raises wherever the main thread is; `phase` says what it is doing, so that the user can be told.
"""

from __future__ import annotations

import ctypes
import gc
import mmap
import os
import resource
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from typing import Final, Literal, TypeAlias, final

from burnside.values import dataclass

Limit: TypeAlias = Literal["time", "memory"]

_BESIDES = 256 << 20  # for the interpreter and its libraries, which --memory is not about
_SMALLEST_MEMORY = 1 << 20  # of a search
_THREAD = 16 << 20  # its stack, and what it needs to begin
_M_ARENA_MAX: Final = -8  # in malloc.h of the GNU C library
_STATM = Path("/proc/self/statm")  # pages of address space, pages of resident memory
_phase: ContextVar[str] = ContextVar("phase", default="")


class LimitReached(Exception):
    """There is no more time, or too much memory is used; ``phase`` is what was being done, such as "reading the model".

    Whoever catches it has a second to put together what is known.
    """

    def __init__(self, limit: Limit) -> None:
        self.limit: Limit = limit
        self.phase = _phase.get()
        super().__init__(f"stopped at the {limit} limit" + (f" while {self.phase}" if self.phase else ""))


@contextmanager
def phase(name: str) -> Iterator[None]:
    """Name what is done inside, such as "reading the model"; also a decorator."""
    token = _phase.set(name)
    try:
        yield
    finally:
        _phase.reset(token)


@final
@dataclass(frozen=True, slots=True)
class Deadline:
    """When everything has to end, by ``time.perf_counter``; None is never."""

    end: float | None = None

    @staticmethod
    def after(seconds: float | None) -> Deadline:
        """So many seconds from now."""
        return NEVER if seconds is None else Deadline(time.perf_counter() + seconds)

    def is_over(self, *, grace: float = 0.0) -> bool:
        """Whether that time, and ``grace`` seconds more, have passed."""
        return self.end is not None and time.perf_counter() > self.end + grace

    def left(self) -> float | None:
        """How many seconds are left; None: without an end."""
        return None if self.end is None else max(0.0, self.end - time.perf_counter())

    def sooner(self, seconds: float) -> Deadline:
        """So many seconds from now, or after most of the time until this one, whichever comes first."""
        now = time.perf_counter()
        return Deadline(now + seconds if self.end is None else now + min(seconds, 0.8 * (self.end - now)))


NEVER: Final = Deadline()


@final
class Limits:
    """A deadline, and a bound on how much more memory the process may use than it does now; None: without."""

    def __init__(self, seconds: float | None = None, memory: int | None = None) -> None:
        self.deadline = Deadline.after(seconds)
        self._most = None if memory is None else memory_in_use() + memory + _BESIDES

    def lift(self) -> None:
        """The work is done: what was found is shown in any case."""
        self.deadline, self._most = NEVER, None

    def check(self, *, grace: float = 0.0) -> None:
        """`LimitReached` if a limit is; ``grace`` seconds later if it is that of time."""
        if self.deadline.is_over(grace=grace):
            raise LimitReached("time")
        if self._most is not None and memory_in_use() > self._most:
            raise LimitReached("memory")


def has_room(size: int = 96 << 20) -> bool:
    """Whether there is address space for so many bytes more."""
    try:
        mmap.mmap(-1, size, mmap.MAP_PRIVATE).close()
    except (OSError, MemoryError):
        return False
    return True


def start_thread(work: Callable[[], None]) -> None:
    """Start a thread that ends with the process; `MemoryError` if there is no room for it.

    Python says so with another error, or waits without an end for a thread that dies as it begins.
    """
    if not has_room(_THREAD):
        raise MemoryError
    if addressable() is not None:
        _share_heap()
    try:
        threading.Thread(target=work, daemon=True).start()
    except RuntimeError as error:
        raise MemoryError from error


def _share_heap() -> None:
    """Let all threads take memory from one place.

    The C library of Linux gives each 64 MB of address space of its own, or none if it is not offered them at a round
    address. Where there is little, that is chance: one search had room for its states, and another had not.
    """
    with suppress(AttributeError, OSError, TypeError):  # another C library, or another system
        ctypes.CDLL(None).mallopt(_M_ARENA_MAX, 1)


def addressable() -> int | None:
    """How many bytes of address space are left; None without a limit, or if the system does not say."""
    most = resource.getrlimit(resource.RLIMIT_AS)[0]
    try:
        used = int(_STATM.read_text().split()[0]) * resource.getpagesize()
    except (OSError, ValueError, IndexError):
        return None
    return None if most == resource.RLIM_INFINITY else max(0, most - used)


def memory_to_reserve(asked: int | None) -> int:
    """What a search may take: what is asked, or free; half of the address space stays for what comes after it."""
    left = addressable()
    most = min(asked or available_memory(), sys.maxsize if left is None else left // 2)
    return max(_SMALLEST_MEMORY, most)


def scratch_folder() -> Path:
    """The directory for large temporary files: what is usual for small ones is often in memory."""
    large = Path(os.environ.get("TMPDIR") or "/var/tmp")
    return large if large.is_dir() else Path(tempfile.gettempdir())


def available_disk(folder: Path) -> int:
    """Four fifths of what is free where a directory is; nothing if there is no such directory."""
    try:
        return shutil.disk_usage(folder).free * 4 // 5
    except OSError:
        return 0


def available_memory() -> int:
    """Four fifths of the memory that is free now."""
    try:
        pages = os.sysconf("SC_AVPHYS_PAGES")
        with Path("/proc/meminfo").open() as lines:
            for line in lines:
                if line.startswith("MemAvailable:"):
                    return int(line.split()[1]) * 1024 * 4 // 5
        return pages * os.sysconf("SC_PAGE_SIZE") * 4 // 5
    except (OSError, ValueError):
        return 4 << 30


def memory_in_use() -> int:
    """The resident memory of this process in bytes: now, or the most so far where the system does not say."""
    try:
        return int(_STATM.read_text().split()[1]) * resource.getpagesize()
    except (OSError, ValueError, IndexError):
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak if sys.platform == "darwin" else peak << 10


@contextmanager
def without_collections() -> Iterator[None]:
    """For work that makes very many values, none of them part of a cycle: they would be looked through for one."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            if not gc.get_freeze_count():  # nobody else's: all that was made is old now, and is not looked through yet
                gc.freeze()
                gc.unfreeze()
            gc.enable()
