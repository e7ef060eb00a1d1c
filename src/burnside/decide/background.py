"""A search in the background: whether it is large, how far it has come when, and what it found."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Final, TypeAlias, final

from burnside.explore.native import run as native
from burnside.limits import start_thread
from burnside.results.exploration import Exploration, Stop

# States of a search beside which it is worth while to look for another way: that is given up as soon as it is not.
MANY: Final = 20_000
# A search whose levels shrink may have so many times as many states: it is likely to be done before another way could
# be ready.
_NEARLY_ALL: Final = 2
_PATIENCE: Final = 0.1  # seconds that a search is given for its end

Searching: TypeAlias = Callable[[native.Watcher, native.Overtaken], Exploration]


def is_at_its_end(progress: native.Progress) -> bool:
    """Whether nothing is left to be expanded: all that remains is to test what was found."""
    return progress.depth > 0 and progress.waiting == 0


def size_of(progress: native.Progress, widest: int) -> int:
    """How large a search is, by its figures and the size of its widest level so far: its states, or fewer if it is
    likely to be done soon.
    """
    if is_at_its_end(progress):
        return 0
    is_shrinking = 0 < progress.waiting < widest  # 0: before the first level
    return progress.states // (_NEARLY_ALL if is_shrinking else 1)


@final
class Pace:
    """When a search by levels came to each of them, and with how many states; it may begin again."""

    def __init__(self) -> None:
        self.latest: native.Progress | None = None
        self.size = 0  # the largest that was seen
        self._widest = 0  # level so far
        self._arrivals: dict[int, native.Progress] = {}
        self.within: tuple[native.Within, ...] = ()  # as far as it ever came

    def note(self, progress: native.Progress) -> None:
        """What was seen last."""
        if self.latest is not None and progress.seconds < self.latest.seconds:
            self._arrivals = {}
        self.latest = progress
        self.within = max(self.within, progress.within, key=len)
        self._arrivals.setdefault(progress.depth, progress)
        self._widest = max(self._widest, progress.waiting)
        self.size = max(self.size, size_of(progress, self._widest))

    @property
    def is_growing(self) -> bool:
        """Whether the latest level is the widest, so that most states are still to come."""
        return self.latest is not None and self.latest.waiting >= self._widest

    def arrival(self, depth: int) -> native.Progress | None:
        """The first that was seen of a level, or of a later one; None if the search has not come so far."""
        arrivals = self._arrivals.copy()  # another thread may add to it
        later = [level for level in arrivals if level >= depth]
        return arrivals[min(later)] if later else None


@final
class Background:
    """A search in a thread of its own."""

    def __init__(self, search: Searching, watch: native.Watcher | None = None) -> None:
        self.started = 0.0
        self.pace = Pace()
        self._search = search
        self._watch = watch
        self._cancelled = threading.Event()
        self._is_done = False
        self._news = threading.Event()  # it is done, or large
        self._most_bytes: int | None = None
        self._is_watched = True
        self._is_patient = True  # whoever waits for it
        self._found: Exploration | None = None
        self._error: BaseException | None = None

    def start(self) -> None:
        """Begin; by then, whoever searches must know of this object."""
        self.started = time.perf_counter()
        start_thread(self._run)

    def _run(self) -> None:
        try:
            self._found = self._search(self._progress, self._is_beaten)
        except BaseException as error:  # raised again where the result is asked for
            self._error = error
        finally:
            self._is_done = True
            self._news.set()

    def _progress(self, progress: native.Progress) -> None:
        if self._watch is not None and self._is_watched:
            self._watch(progress)

    def _is_beaten(self, progress: native.Progress) -> bool:
        before = self.pace.size
        self.pace.note(progress)
        if any(before < many <= self.pace.size for many in (MANY, native.FEW_STATES)):
            self._news.set()
        too_large = self._most_bytes is not None and progress.bytes > self._most_bytes
        return self._cancelled.is_set() or too_large

    def has_many_states(self, many: int) -> bool:
        """Wait until that is known."""
        while not self._is_done and self.pace.size < many:
            self._news.wait(0.1)
            self._news.clear()
        return not self._is_done

    @property
    def is_done(self) -> bool:
        """Whether it has ended, for whatever reason."""
        return self._is_done

    @property
    def is_given_up(self) -> bool:
        """Whether it is asked to stop."""
        return self._cancelled.is_set()

    def is_decisive(self) -> bool:
        """Whether it has ended with the answer, or with a limit that ends everything."""
        return self._is_done and (self._found is None or self._found.stop not in (Stop.MEMORY, Stop.OVERTAKEN))

    def let_end(self) -> None:
        """If it is at its end, wait for that, but not for long: two who compute in Python only hinder each other."""
        latest = self.pace.latest
        if self._is_patient and latest is not None and is_at_its_end(latest):
            self._is_patient = False
            end = time.perf_counter() + _PATIENCE
            while not self._is_done and time.perf_counter() < end:
                self._news.wait(_PATIENCE)

    def share(self, most_bytes: int) -> None:
        """From now on another search runs: memory is shared with it."""
        self._most_bytes = most_bytes

    def be_quiet(self) -> None:
        """From now on progress is the business of another search."""
        self._is_watched = False

    def wait(self, until: Callable[[], bool] = lambda: False) -> Exploration | None:
        """The result, of a search that ends by itself; None if something else is true before that."""
        pause = 0.001
        while not self._is_done:
            if until():
                return None
            self._news.wait(pause)
            self._news.clear()
            pause = min(0.02, pause * 2)
        return self.result()

    def result(self) -> Exploration:
        """What was found, when it is done."""
        if self._error is not None:
            raise self._error
        assert self._found is not None
        return self._found

    def give_up(self) -> None:
        """Stop soon."""
        self._cancelled.set()

    def cancel(self) -> Exploration:
        """Stop, if that is still necessary; the result so far."""
        self.give_up()
        self.wait()
        return self.result()
