"""A limit on work that does not depend on the clock, so that the same input always ends in the same way."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, final

_BETWEEN_CHECKPOINTS: Final = 1_000_000


class OutOfWork(Exception):
    """A computation would pass its work limit; nothing it has found so far is wrong, only incomplete."""


@final
class Work:
    """What is left of a budget, counted in images of points computed (about 20 to 50 ns each in CPython).

    ``checkpoint`` is called now and then, with so much work ``between``: whoever has a clock, or no need of the result
    any more, raises from there.
    """

    def __init__(
        self, limit: int, checkpoint: Callable[[], None] | None = None, between: int = _BETWEEN_CHECKPOINTS
    ) -> None:
        self.left = limit
        self._checkpoint = checkpoint
        self._between = between
        self._next = limit - between

    def part(self, limit: int) -> Work:
        """A budget of its own for something that is not worth more."""
        return Work(min(limit, self.left), self._checkpoint, self._between)

    def spend(self, amount: int) -> None:
        """Take ``amount`` from the budget; OutOfWork if it is used up."""
        self.left -= amount
        if self.left < 0:
            raise OutOfWork
        if self._checkpoint is not None and self.left < self._next:
            self._next = self.left - self._between
            self._checkpoint()
