"""What finding out about a model may cost: steps of work, entries of tables, and the user's time.

Steps are counted, not measured, so that the same model has the same partitions on every machine.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, final

from burnside.values import dataclass

MOST_STEPS: Final = 1_000_000  # two seconds or three
MOST_ENTRIES: Final = 20_000_000  # of tables, eight bytes each
EVALUATION: Final = 10  # steps that evaluating an expression or a rule counts for
_OFTEN: Final = 20_000  # steps between two looks at the clock


class Undecided(Exception):
    """There is too much to compare."""


class OutOfTime(Exception):
    """The user's time is over."""


@final
@dataclass
class Effort:
    """What is left of it."""

    is_over: Callable[[], bool] = lambda: False
    steps: int = MOST_STEPS
    entries: int = MOST_ENTRIES
    _unseen: int = 0

    def spend(self, steps: int) -> None:
        """Take some steps; raises `Undecided` if they are too many, `OutOfTime` at the end of the time."""
        self.pass_time(steps)
        self.steps -= steps
        if self.steps < 0:
            raise Undecided

    def pass_time(self, steps: int) -> None:
        """Look at the clock now and then."""
        self._unseen += steps
        if self._unseen >= _OFTEN:
            self._unseen = 0
            if self.is_over():
                raise OutOfTime

    def renew(self) -> None:
        """Allow as much again."""
        self.steps, self.entries = MOST_STEPS, MOST_ENTRIES

    def may_tabulate(self, entries: int) -> bool:
        """Whether there is room for a table, which is then taken."""
        self.entries -= entries
        return self.entries >= 0
