"""A race between searches: what ``auto`` is, of symmetry and of partial order.

A few states are explored without either first: most models end there. Where they do not, that search goes on in the
background while symmetries are sought, and with a quotient at hand both searches run until one of them has the answer.
Partial order takes part as another (``decide/rival.py``), if the search that it is to beat has many states. So
``auto`` takes about as long as the best of them, whichever that is.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, TypeAlias, final

from burnside.claims.kinds import StateClaim
from burnside.claims.members import Member
from burnside.decide.background import MANY, Background, Pace
from burnside.decide.modes import FEW, TOO_LATE, Mode
from burnside.decide.workbench import Workbench
from burnside.explore.native import run as native
from burnside.limits import LimitReached, available_memory, has_room
from burnside.results.exploration import Exploration, Stop
from burnside.results.reductions import PartialOrderUsed, SymmetryUsed
from burnside.values import replace

if TYPE_CHECKING:
    from burnside.decide.quotient import Quotient
    from burnside.decide.rival import Rival

# With so many symmetries the quotient wins unless the plain search is nearly done: that one is given up when it has
# had twice the time it took to get the quotient ready, or at once if there are very many, and its levels still grow.
_SURE_TO_PAY: Final = 4
_VERY_MANY: Final = 64
# How long, in seconds, one thread of Python lets another wait. What the plain search does in Python when it is done is
# hundreds of short pieces, and before each of them it would wait for whoever seeks symmetries.
_TURN: Final = 0.0002

Explored: TypeAlias = tuple[Exploration, SymmetryUsed, PartialOrderUsed | None]


def race(bench: Workbench, members: Sequence[Member[StateClaim]], mode: Mode, *, in_some_orders: bool) -> Explored:
    """Explore in whichever way is first, of those that a mode allows; perhaps in some orders of steps only."""
    usual_turn = sys.getswitchinterval()
    sys.setswitchinterval(_TURN)
    try:
        return _Race(bench, members, mode, in_some_orders=in_some_orders).run()
    finally:
        sys.setswitchinterval(usual_turn)


class _Overtaken(Exception):
    """The first search has the answer, or the rival has."""


@final
class _Race:
    """The first search, which is without symmetry unless that is asked for; the quotient; and the rival."""

    def __init__(
        self, bench: Workbench, members: Sequence[Member[StateClaim]], mode: Mode, *, in_some_orders: bool
    ) -> None:
        self._bench = bench
        self._members = members
        self._has_rival = in_some_orders
        self._rival: Rival | None = None
        self._quotient: Quotient | None = None
        self._seeks = mode is Mode.AUTO
        if mode in (Mode.UNIQUE, Mode.MULTI):
            self._quotient = bench.quotient(members, multi=mode is Mode.MULTI)
        self._first = Background(self._search_first, bench.watch)
        self._first.start()

    def _search_first(self, watch: native.Watcher, is_beaten: native.Overtaken) -> Exploration:
        bench = self._bench
        if self._quotient is not None and self._quotient.reduction is not None:
            return self._quotient.explore(bench.options, watch, is_beaten)
        return native.explore(bench.model, self._members, options=bench.options, watch=watch, overtaken=is_beaten)

    # ------------------------------------------------------------ the course

    def run(self) -> Explored:
        """Search until somebody has the answer, or a limit is reached."""
        first = self._first
        try:
            many = MANY if self._seeks else native.FEW_STATES
            return self._go_on() if first.has_many_states(many) else self._by_first(first.result())
        except _Overtaken:
            return self._answer()
        except KeyboardInterrupt:
            return replace(first.cancel(), stop=Stop.INTERRUPT), SymmetryUsed(reason="interrupted"), None
        except (MemoryError, ImportError) as error:
            if isinstance(error, ImportError) and has_room():
                raise
            reason = "there is not enough memory to find symmetries"
            return self._waited(), SymmetryUsed(reason=reason), self._unused()
        except LimitReached as limit:
            found = first.cancel()
            stop = Stop(limit.limit) if found.stop is Stop.OVERTAKEN else found.stop
            return replace(found, stop=stop), SymmetryUsed(reason=str(limit)), None
        finally:
            first.cancel()
            self._unused()

    def _go_on(self) -> Explored:
        """There are many states: look for a better way while the first search goes on."""
        if self._seeks:
            return self._with_quotient(self._bench.quotient(self._members, checkpoint=self._checkpoint))
        self._challenge(self._quotient, self._first.pace)
        return self._answer()

    def _with_quotient(self, quotient: Quotient) -> Explored:
        """Search the quotient, too."""
        self._quotient = quotient
        self._checkpoint()
        if quotient.reduction is None:
            if self._has_rival and self._first.has_many_states(native.FEW_STATES):
                self._challenge(None, self._first.pace)
            return self._answer()
        options, first = self._bench.options, self._first
        if options.threads > 1 or (os.cpu_count() or 1) == 1:
            first.cancel()  # no processor is left for two
        head_start = time.perf_counter() - first.started
        memory = options.memory or available_memory()
        shared = replace(options, memory=memory if first.is_done else memory // 2)
        first.share(memory // 4 if self._has_rival else memory // 2)
        first.be_quiet()
        pays = quotient.reduction.action.order >= _SURE_TO_PAY
        if quotient.reduction.action.order >= _VERY_MANY and first.pace.is_growing:
            first.give_up()
        pace = Pace()

        def overtaken(progress: native.Progress) -> bool:
            pace.note(progress)
            if pace.size >= native.FEW_STATES and self._rival is None:
                self._challenge(quotient, pace)
            if pays and progress.seconds > head_start:
                first.give_up()
            return first.is_decisive() or self._is_behind

        found = quotient.explore(shared, self._bench.watch, overtaken)
        if found.stop is Stop.MEMORY and not (first.is_decisive() or self._is_behind):
            first.cancel()
            self._unused()
            found = quotient.explore(options, self._bench.watch)
        if found.stop in (Stop.OVERTAKEN, Stop.MEMORY) and (first.is_decisive() or self._is_behind):
            raise _Overtaken
        return found, quotient.used, self._unused()

    # ------------------------------------------------------------ partial order

    def _challenge(self, quotient: Quotient | None, pace: Pace) -> None:
        """Let partial order take part, against the search with such a pace: see ``rival.py``."""
        if self._has_rival:
            from burnside.decide.rival import Rival

            self._rival = Rival(self._bench, self._members, quotient, pace)

    @property
    def _is_behind(self) -> bool:
        """Whether the rival makes everything else needless."""
        return self._rival is not None and self._rival.is_ahead

    def _unused(self) -> PartialOrderUsed | None:
        """End the rival; why it is not used, if that was a question."""
        if self._rival is not None:
            return self._rival.give_up()
        reason = TOO_LATE if self._first.pace.size >= native.FEW_STATES else FEW
        return PartialOrderUsed(reason, is_told=False) if self._has_rival else None

    # ------------------------------------------------------------ answers

    def _checkpoint(self) -> None:
        """Called while symmetries are sought: stops that if it is no longer needed."""
        self._first.let_end()
        if self._first.is_decisive():
            raise _Overtaken

    def _answer(self) -> Explored:
        """What the first search finds, or the rival, whoever does."""
        first, rival = self._first, self._rival
        found = first.wait(lambda: self._is_behind)
        if rival is not None and (found is None or not first.is_decisive()):
            first.give_up()
            answer = rival.wait()
            used = SymmetryUsed() if self._quotient is None else self._quotient.used
            if answer is not None:
                return answer, used, rival.used
            if found is None:  # the rival was ahead, and fell
                return self._search_first(self._bench.watch or _nobody, _never), used, self._unused()
        return self._by_first(self._waited())

    def _waited(self) -> Exploration:
        """What the first search finds in the end."""
        found = self._first.wait()
        assert found is not None
        return found

    def _by_first(self, found: Exploration) -> Explored:
        """What the first search has found, and why nothing else was used."""
        orders = self._unused()
        if self._quotient is not None and not (self._seeks and self._quotient.reduction):
            return found, self._quotient.used, orders
        if not self._seeks:
            return found, SymmetryUsed(), orders
        if found.states < native.FEW_STATES:
            return found, SymmetryUsed(reason=FEW), orders
        ended = "the search ended" if found.stop.is_limit else "the answer was found"
        return found, SymmetryUsed(reason=f"{ended} before symmetries were of use"), orders


def _nobody(progress: native.Progress) -> None:
    """Nobody watches."""


def _never(progress: native.Progress) -> bool:
    del progress
    return False
