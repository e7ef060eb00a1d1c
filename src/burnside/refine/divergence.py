"""Which states diverge: taus can go on for ever."""

from __future__ import annotations

from typing import final

from burnside.refine.system import LabelledSystem


@final
class Divergence:
    """Answers for the states of one system, each found once.

    A state diverges if it reaches a circle of taus by taus. In a depth-first search along taus, a state that is left
    diverges if some tau leads to a state still open, which closes a circle, or to one that diverges.
    """

    def __init__(self, system: LabelledSystem) -> None:
        self._system = system
        self._known: dict[int, bool] = {}

    def of(self, state: int) -> bool:
        """Whether a state diverges."""
        if state not in self._known:
            self._search(state)
        return self._known[state]

    def _search(self, start: int) -> None:
        stack = [(start, iter(self._system.silent(start)))]
        is_open = {start: False}  # open states, and whether they are known to diverge
        while stack:
            state, rest = stack[-1]
            for target in rest:
                if target in is_open or self._known.get(target):
                    is_open[state] = True
                elif target not in self._known:
                    is_open[target] = False
                    stack.append((target, iter(self._system.silent(target))))
                    break
            else:
                stack.pop()
                self._known[state] = is_open.pop(state)
                if stack and self._known[state]:
                    is_open[stack[-1][0]] = True

    def lasso(self, state: int) -> tuple[list[int], int]:
        """States that taus lead through from a divergent one, and the position to which the last of them returns."""
        walk, seen = [state], {state: 0}
        while True:
            state = next(t for t in self._system.silent(state) if self.of(t))
            if state in seen:
                return walk, seen[state]
            seen[state] = len(walk)
            walk.append(state)
