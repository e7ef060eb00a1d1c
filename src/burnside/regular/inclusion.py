"""Inclusion of a deterministic in a nondeterministic language, with antichains.

The subset construction of the right side is explored on the fly, and a set of states is dropped when a
smaller one was seen with the same left state: whatever the larger set accepts too little of, the smaller one
does as well [DeWulfEtAl06]. Sets are visited by length, so the word found is a shortest one.
"""

from __future__ import annotations

from collections import defaultdict, deque
from typing import TypeVar

from burnside.regular.automata import Dfa, Nfa, Ordered
from burnside.regular.search import TooLarge

S = TypeVar("S", bound=Ordered)

LARGEST_ANTICHAIN = 200_000


class _Antichain:
    """The smallest sets seen so far, per left state."""

    def __init__(self) -> None:
        self._least: defaultdict[int, list[frozenset[int]]] = defaultdict(list)

    def admits(self, state: int, subset: frozenset[int]) -> bool:
        """Record a set unless one of its subsets is known already."""
        known = self._least[state]
        if any(other <= subset for other in known):
            return False
        known[:] = [other for other in known if not subset <= other]
        known.append(subset)
        return True


def missing_word(left: Dfa[S], right: Nfa[S]) -> tuple[S, ...] | None:
    """A shortest word of ``left`` that ``right`` rejects, or None if ``left`` is included in ``right``."""
    seen = _Antichain()
    seen.admits(0, right.starts)
    queue: deque[tuple[int, frozenset[int], tuple[S, ...]]] = deque([(0, right.starts, ())])
    visited = 0
    while queue:
        state, subset, word = queue.popleft()
        visited += 1
        if visited > LARGEST_ANTICHAIN:
            raise TooLarge
        if state in left.accepting and not subset & right.accepting:
            return word
        for symbol, target in sorted(left.rows[state].items()):
            following = right.post(subset, symbol)
            if seen.admits(target, following):
                queue.append((target, following, (*word, symbol)))
    return None
