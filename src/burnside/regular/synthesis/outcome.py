"""What a search reports while it runs, and what it returns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from time import perf_counter
from typing import TypeAlias, final

from burnside.limits import LimitReached
from burnside.regular.relations import Relation
from burnside.values import dataclass, field


@final
@dataclass(frozen=True, slots=True)
class Progress:
    """A search at one moment: the size tried, candidates so far, and what refuted the last one."""

    states: int
    iterations: int
    refuted_by: str
    seconds: float


Listener: TypeAlias = Callable[[Progress], None]


@final
@dataclass(frozen=True, slots=True)
class Found:
    """A synthesised pattern: over the system's letters, and (lifted search) the binary pattern behind it."""

    relation: Relation
    states: int
    iterations: int
    seconds: float
    verification: float
    refutations: dict[str, int] = field(default_factory=dict)
    binary: Relation | None = None


@final
class Watch:
    """Counts candidates and time for one search, however many loops it has, and tells the listener."""

    def __init__(self, listener: Listener | None = None, limit: float | None = None) -> None:
        self.refutations: Counter[str] = Counter()
        self.iterations = 0
        self._started = perf_counter()
        self._listener = listener
        self._limit = limit

    @property
    def seconds(self) -> float:
        """Time since the search began."""
        return perf_counter() - self._started

    def candidate(self, states: int, reasons: list[str]) -> None:
        """Note one candidate and why it was refuted, if it was."""
        self.iterations += 1
        self.refutations.update(reasons)
        if self._listener is not None:
            self._listener(Progress(states, self.iterations, ", ".join(reasons), self.seconds))

    def check(self) -> None:
        """Stop the search when its time is up."""
        if self._limit is not None and self.seconds > self._limit:
            raise LimitReached("time")

    def found(self, relation: Relation, *, states: int, binary: Relation | None, verification: float) -> Found:
        """The result of the search."""
        counts = dict(sorted(self.refutations.items()))
        return Found(relation, states, self.iterations, self.seconds, verification, counts, binary)
