"""A race between the search without symmetry and that of the quotient: what ``auto`` is.

A few states are explored without symmetry first: most models end there. Where they do not, the search goes on
without symmetry in the background while symmetries are sought, and with a quotient at hand both searches run until one
of them has the answer. So ``auto`` takes about as long as the better of the two, whichever that is.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Final, final

from burnside.claims.kinds import StateClaim
from burnside.claims.members import Member
from burnside.decide.workbench import Workbench
from burnside.explore.native import run as native
from burnside.limits import LimitReached, has_room, start_thread
from burnside.results.exploration import Exploration, Stop
from burnside.results.reductions import SymmetryUsed

# With so many symmetries the quotient wins unless the plain search is nearly done: that one is given up when it has
# had twice the time it took to get the quotient ready.
_SURE_TO_PAY: Final = 4
# States of a search whose levels shrink. It is likely to be done before a quotient could be ready.
_NEARLY_ALL: Final = 2 * native.FEW_STATES
# How long, in seconds, one thread of Python lets another wait. What the plain search does in Python when it is done is
# hundreds of short pieces, and before each of them it would wait for whoever seeks symmetries.
_TURN: Final = 0.0002


def race(bench: Workbench, members: Sequence[Member[StateClaim]]) -> tuple[Exploration, SymmetryUsed]:
    """Explore in whichever way is first."""
    plain = _PlainSearch(bench, members)
    usual_turn = sys.getswitchinterval()
    sys.setswitchinterval(_TURN)
    try:
        return _with_quotient(bench, members, plain) if plain.has_many_states() else _without(plain.wait())
    except _Overtaken:
        return _without(plain.wait())
    except KeyboardInterrupt:
        return replace(plain.cancel(), stop=Stop.INTERRUPT), SymmetryUsed(reason="interrupted")
    except (MemoryError, ImportError) as error:
        if isinstance(error, ImportError) and has_room():
            raise
        return plain.wait(), SymmetryUsed(reason="there is not enough memory to find symmetries")
    except LimitReached as limit:
        found = plain.cancel()
        stop = Stop(limit.limit) if found.stop is Stop.OVERTAKEN else found.stop
        return replace(found, stop=stop), SymmetryUsed(reason=str(limit))
    finally:
        plain.cancel()
        sys.setswitchinterval(usual_turn)


def _without(found: Exploration) -> tuple[Exploration, SymmetryUsed]:
    """What the plain search has found, and why symmetries were not used."""
    if found.states < native.FEW_STATES:
        return found, SymmetryUsed(reason=f"fewer than {native.FEW_STATES:,} states: it would not pay")
    ended = "the search ended" if found.stop.is_limit else "the answer was found"
    return found, SymmetryUsed(reason=f"{ended} before symmetries were of use")


def _with_quotient(
    bench: Workbench, members: Sequence[Member[StateClaim]], plain: _PlainSearch
) -> tuple[Exploration, SymmetryUsed]:
    """Seek symmetries while the plain search goes on, then search the quotient, too."""
    quotient = bench.quotient(members, checkpoint=plain.checkpoint)
    if quotient.reduction is None:
        return plain.wait(), quotient.used
    plain.checkpoint()
    options = bench.options
    if options.threads > 1 or (os.cpu_count() or 1) == 1:
        plain.cancel()  # no processor is left for two
    head_start = time.perf_counter() - plain.started
    memory = options.memory or native.available_memory()
    shared = replace(options, memory=memory if plain.is_done else memory // 2)
    plain.race(memory // 2)
    pays = quotient.reduction.action.order >= _SURE_TO_PAY

    def overtaken(progress: native.Progress) -> bool:
        if pays and progress.seconds > head_start:
            plain.give_up()
        return plain.is_decisive()

    found = quotient.explore(shared, bench.watch, overtaken)
    if found.stop is Stop.MEMORY and not plain.is_decisive():
        plain.cancel()
        found = quotient.explore(options, bench.watch)
    if found.stop is Stop.OVERTAKEN or (found.stop is Stop.MEMORY and plain.is_decisive()):
        raise _Overtaken
    return found, quotient.used


def is_large(progress: native.Progress, widest: int) -> bool:
    """Whether a search has many states, by its figures and the size of its widest level so far."""
    is_shrinking = 0 < progress.waiting < widest  # 0: at the end of a search, and before its first level
    return progress.states >= (_NEARLY_ALL if is_shrinking else native.FEW_STATES)


class _Overtaken(Exception):
    """The plain search has the answer."""


@final
class _PlainSearch:
    """The search without symmetry, in the background."""

    def __init__(self, bench: Workbench, members: Sequence[Member[StateClaim]]) -> None:
        self.started = time.perf_counter()
        self._watch = bench.watch
        self._cancelled = threading.Event()
        self._is_done = False
        self._is_large = False
        self._widest = 0  # level so far
        self._news = threading.Event()  # it is done, or large
        self._most_bytes: int | None = None
        self._found: Exploration | None = None
        self._error: BaseException | None = None
        start_thread(lambda: self._search(bench, members))

    def _search(self, bench: Workbench, members: Sequence[Member[StateClaim]]) -> None:
        try:
            self._found = native.explore(
                bench.model, members, options=bench.options, watch=self._progress, overtaken=self._is_beaten
            )
        except BaseException as error:  # raised again where the result is asked for
            self._error = error
        finally:
            self._is_done = True
            self._news.set()

    def _progress(self, progress: native.Progress) -> None:
        if self._watch is not None and self._most_bytes is None:
            self._watch(progress)

    def _is_beaten(self, progress: native.Progress) -> bool:
        self._widest = max(self._widest, progress.waiting)
        if not self._is_large and is_large(progress, self._widest):
            self._is_large = True
            self._news.set()
        too_large = self._most_bytes is not None and progress.bytes > self._most_bytes
        return self._cancelled.is_set() or too_large

    def has_many_states(self) -> bool:
        """Wait until that is known."""
        while not self._news.wait(0.1):
            pass
        self._news.clear()
        return not self._is_done

    @property
    def is_done(self) -> bool:
        """Whether it has ended, for whatever reason."""
        return self._is_done

    def is_decisive(self) -> bool:
        """Whether it has ended with the answer, or with a limit that ends everything."""
        return self._is_done and (self._found is None or self._found.stop not in (Stop.MEMORY, Stop.OVERTAKEN))

    def checkpoint(self) -> None:
        """Called while symmetries are sought: stops that if it is no longer needed."""
        if self.is_decisive():
            raise _Overtaken

    def race(self, most_bytes: int) -> None:
        """From now on another search runs: progress is its business, and memory is shared with it."""
        self._most_bytes = most_bytes

    def wait(self) -> Exploration:
        """The result; a search that nobody cancels ends by itself."""
        while not self._is_done:
            self._news.wait(0.1)
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
        return self.wait()
