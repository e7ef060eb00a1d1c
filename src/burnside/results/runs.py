"""Infinite runs: a stem, and a loop that repeats for ever."""

from __future__ import annotations

from collections.abc import Iterator
from typing import final

from burnside.ir.cells import State
from burnside.values import dataclass


@final
@dataclass(frozen=True, slots=True)
class Moment:
    """A state of a run, and the number of the rule instance that leaves it; None if the run stays there for ever."""

    state: State
    instance: int | None


@final
@dataclass(frozen=True, slots=True)
class Lasso:
    """A run that repeats the moments from ``back`` on; after the last of them comes the one at ``back``."""

    moments: tuple[Moment, ...]
    back: int

    def steps(self) -> Iterator[tuple[Moment, State]]:
        """Every moment with the state that comes after it."""
        after = (*self.moments[1:], self.moments[self.back])
        return ((moment, following.state) for moment, following in zip(self.moments, after, strict=True))

    def tidied(self) -> Lasso:
        """The same infinite run, written down with the shortest loop, as early as possible.

        >>> [a, b, c] = [Moment((k,), k) for k in range(3)]
        >>> Lasso((a, c, b, c, b, c), 2).tidied() == Lasso((a, c, b), 1)
        True
        """
        stem, loop = list(self.moments[: self.back]), list(self.moments[self.back :])
        size = next(k for k in range(1, len(loop) + 1) if len(loop) % k == 0 and loop[k:] == loop[:-k])
        del loop[size:]
        while stem and stem[-1] == loop[-1]:
            loop.insert(0, loop.pop())
            stem.pop()
        return Lasso((*stem, *loop), len(stem))
