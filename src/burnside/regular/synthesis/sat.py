"""A Boolean constraint that grows, and the incremental solver that holds it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Final, Protocol, final

from burnside.regular.search import TooLarge

LARGEST_FORMULA: Final = 5_000_000
_CONFLICTS: Final = 2_000  # between two looks at the clock: some hundredths of a second


class _Solver(Protocol):
    def add_clause(self, clause: Sequence[int]) -> object: ...
    def conf_budget(self, budget: int) -> None: ...
    def solve_limited(self) -> bool | None: ...
    def get_model(self) -> list[int]: ...
    def delete(self) -> None: ...


@final
class Clauses:
    """Variables are numbers from 1, literals are these or their negatives."""

    def __init__(self) -> None:
        from pysat.solvers import Solver  # imported here: only a search needs it

        self._solver: _Solver = Solver(name="cadical195")
        self._variables = self._clauses = 0

    def fresh(self, count: int) -> list[int]:
        """New variables."""
        first = self._variables + 1
        self._variables += count
        return list(range(first, first + count))

    def require(self, *literals: int) -> None:
        """Add a clause."""
        self._clauses += 1
        if self._clauses > LARGEST_FORMULA:
            raise TooLarge
        self._solver.add_clause(literals)

    def at_most_one(self, literals: Sequence[int]) -> None:
        """No two of them hold."""
        for a, b in combinations(literals, 2):
            self.require(-a, -b)

    def exactly_one(self, literals: Sequence[int]) -> None:
        """One of them holds, and no other."""
        self.require(*literals)
        self.at_most_one(literals)

    def solve(self, pause: Callable[[], None]) -> list[int] | None:
        """Literals that hold together, by variable, or None. ``pause`` is called now and then, and may raise."""
        answer = None
        while answer is None:
            pause()
            self._solver.conf_budget(_CONFLICTS)
            answer = self._solver.solve_limited()
        return self._solver.get_model() if answer else None

    def close(self) -> None:
        """Free the solver."""
        self._solver.delete()
