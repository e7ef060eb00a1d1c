"""A limit on work that does not depend on the clock, so that the same input always ends in the same way."""

from __future__ import annotations

from typing import final


class OutOfWork(Exception):
    """A computation would pass its work limit; nothing it has found so far is wrong, only incomplete."""


@final
class Work:
    """What is left of a budget, counted in images of points computed (about 20 to 50 ns each in CPython)."""

    def __init__(self, limit: int) -> None:
        self.left = limit

    def spend(self, amount: int) -> None:
        """Take ``amount`` from the budget; OutOfWork if it is used up."""
        self.left -= amount
        if self.left < 0:
            raise OutOfWork
