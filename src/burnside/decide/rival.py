"""Partial order as a rival of the search that takes all steps: what ``--partial-order auto`` is.

The rival begins when the other search has turned out to be large. A few thousand states are explored with partial
order; often these are all. If they are not, both searches go on while neither is clearly ahead: the one that came to
its level in half of the time that the other took is. The loser is given up; but not the rival as long as it takes less
and less of the steps of a level, for then it may be far ahead in the end.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, final

from burnside.claims.kinds import StateClaim
from burnside.claims.members import Member
from burnside.decide.background import Background, Pace
from burnside.decide.modes import TOO_LATE
from burnside.decide.partial_order import explored, plan_orders, used_orders
from burnside.decide.workbench import Workbench
from burnside.explore.native import run as native
from burnside.limits import available_memory
from burnside.reduce.partial_order.plan import Unsuited
from burnside.results.exploration import Exploration, Stop
from burnside.results.reductions import PartialOrderUsed
from burnside.values import replace

if TYPE_CHECKING:
    from burnside.decide.quotient import Quotient
    from burnside.reduce.partial_order.reduction import PartialOrderReduction

_TRIED: Final = 20_000  # states
_TOO_MANY: Final = 0.9  # of the transitions that the other search takes on the same levels
_SOON: Final = 0.25  # seconds of a search before which nothing can be said about it
_LATE: Final = 4.0  # after which to be slower by any factor is to be slower
_CLEARLY: Final = 2.0  # times as fast
_LESS: Final = 0.95  # times the share of transitions that are taken, which then falls
_SLOWER: Final = "taking all steps is quicker"
_FAULTS: Final = "something may fault, and what is decided before that depends on distances"


class _GivenUp(Exception):
    """There is no need of the rival any more."""


@final
class Rival:
    """The search with partial order, in the background of another one, on a quotient if there is one."""

    def __init__(
        self, bench: Workbench, members: Sequence[Member[StateClaim]], quotient: Quotient | None, other: Pace
    ) -> None:
        self._bench = bench
        self._members = members
        self._quotient = quotient if quotient is not None and quotient.reduction is not None else None
        self._other = other
        self._pace = Pace()
        self._memory = bench.options.memory or available_memory()
        self._reduction: PartialOrderReduction | None = None
        self._reason = TOO_LATE
        self._is_ahead = False
        self._search = Background(self._run)
        self._search.start()

    @property
    def is_ahead(self) -> bool:
        """Whether the other search can be given up."""
        return self._is_ahead or self.is_decisive()

    def is_decisive(self) -> bool:
        """Whether it has found the answer."""
        return self._search.is_done and not self._search.is_given_up and _is_answer(self._search.result())

    def wait(self) -> Exploration | None:
        """The answer, if it finds one."""
        found = self._search.wait()
        return found if self.is_decisive() else None

    def give_up(self) -> PartialOrderUsed:
        """End it; and why it is not used."""
        self._search.give_up()
        self._search.wait()
        return PartialOrderUsed(self._reason, is_told=False)

    @property
    def used(self) -> PartialOrderUsed:
        """What the report says of the answer."""
        assert self._reduction is not None
        return used_orders(self._reduction)

    # ------------------------------------------------------------ in the background

    def _run(self, watch: native.Watcher, is_beaten: native.Overtaken) -> Exploration:
        del watch
        nothing = Exploration(Stop.OVERTAKEN, 0, 0, 0, None, 0)
        try:
            self._reduction = plan_orders(self._bench, self._members, self._quotient, self._checkpoint)
        except Unsuited as reason:
            self._reason = str(reason)
            return nothing
        except _GivenUp:
            return nothing
        except MemoryError:
            self._reason = "there is not enough memory to relate steps to one another"
            return nothing
        found = self._tried(is_beaten)
        if found.stop is Stop.STATES:
            found = self._raced(is_beaten)
        if found.stop is Stop.FAULT or (_has_witness(found) and self._reduction.may_fault):
            self._reason = _FAULTS
            return replace(found, stop=Stop.FAULT)
        return found

    def _checkpoint(self) -> None:
        if self._search.is_given_up:
            raise _GivenUp

    def _tried(self, is_beaten: native.Overtaken) -> Exploration:
        """Some states; if that is not all, it is a limit of states only where more would be of use."""
        asked = self._bench.options.states
        few = min(_TRIED, asked or _TRIED)
        found = self._explored(is_beaten, states=few, memory=self._memory // 4)
        if found.stop is not Stop.STATES:
            return found
        if self._bench.options.depth_first or few == asked:
            return replace(found, stop=Stop.OVERTAKEN)
        *_, (all_steps, taken) = self._transitions()
        if taken > _TOO_MANY * all_steps:
            self._reason = f"of {all_steps:,} transitions it takes {taken:,}"
            return replace(found, stop=Stop.OVERTAKEN)
        return found

    def _raced(self, is_beaten: native.Overtaken) -> Exploration:
        """All of it, as long as it is not clearly slower; with all memory once it is clearly faster."""

        def overtaken(progress: native.Progress) -> bool:
            if not self._is_ahead:
                verdict = self._compared(progress)
                self._is_ahead = verdict is True
                if verdict is False:
                    self._reason = _SLOWER
                    return True
            return is_beaten(progress)

        found = self._explored(overtaken, memory=self._memory // 4)
        if found.stop is Stop.MEMORY and self._is_ahead:
            found = self._explored(is_beaten, memory=self._memory)
        return found

    def _compared(self, progress: native.Progress) -> bool | None:
        """Whether it is ahead of the other search, or behind; None while that is open."""
        now = self._other.latest
        if progress.seconds < _SOON or now is None or not progress.depth:
            return None
        there = self._other.arrival(progress.depth)
        seconds = now.seconds if there is None else there.seconds
        if seconds > _CLEARLY * progress.seconds or (there is None and progress.seconds > _LATE):
            return True
        if now.bytes > self._memory // 4 * 3:
            return False
        has_processor = self._bench.options.threads == 1 and (os.cpu_count() or 1) > 1
        if there is None or (has_processor and self._is_gaining):
            return None
        is_late = progress.seconds > _LATE or not has_processor
        return False if seconds * (1 if is_late else _CLEARLY) < progress.seconds else None

    @property
    def _is_gaining(self) -> bool:
        """Whether the share of transitions that it takes falls from the first half of the levels to the second."""
        transitions = self._transitions()
        half, last = transitions[len(transitions) // 2], transitions[-1]
        later = last[0] - half[0], last[1] - half[1]
        return later[1] * half[0] < _LESS * half[1] * later[0]

    def _transitions(self) -> list[tuple[int, int]]:
        """By number of steps, as far as both searches came: all transitions of states that are nearer, and those taken.

        States would say too little: where levels are near to the initial states, most can be found in many orders of
        the same steps.
        """
        levels = zip(self._other.within, self._pace.within, strict=False)
        return [(all_steps.transitions, taken.transitions) for all_steps, taken in levels] or [(0, 0)]

    def _explored(
        self, overtaken: Callable[[native.Progress], bool], *, memory: int, states: int | None = None
    ) -> Exploration:
        assert self._reduction is not None
        options = replace(self._bench.options, memory=memory, states=states or self._bench.options.states)

        def noted(progress: native.Progress) -> bool:
            self._pace.note(progress)
            return overtaken(progress)

        return explored(
            self._bench, self._members, self._quotient, self._reduction, options, noted, has_many_states=True
        )


def _has_witness(found: Exploration) -> bool:
    return found.stop is Stop.DECIDED or any(path is not None for path in found.witnesses)


def _is_answer(found: Exploration) -> bool:
    return found.stop in (Stop.COMPLETE, Stop.DECIDED)
