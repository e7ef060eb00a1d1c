"""Steps without which nothing can go on for ever.

The values of a cell that steps change form a graph. A step that always leaves a strongly connected component of it can
be taken only finitely often, since no other step leads back. What is left when all such steps have been taken away,
again and again, may be part of an infinite run; one kind of steps after the other is then taken out, until nothing is
left.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias, final

from burnside.detect.terms import bits
from burnside.reduce.partial_order.actions import Step

_Changes: TypeAlias = frozenset[tuple[int, int]] | None  # values before and after; None if any may be


@final
class Cycles:
    """Steps, and what each of them may do to a cell."""

    def __init__(self, steps: Sequence[Step], changes: Callable[[Step, int], _Changes]) -> None:
        self._steps = steps
        self._changes = changes
        self._known: dict[tuple[int, int], _Changes] = {}

    def breakers(self, allowed: int) -> int:
        """Some of the ``allowed`` steps, all of a kind, without which the others cannot be taken for ever; bit masks.

        Symmetries take steps to steps of the same kind: those with the same event.
        """
        taken = 0
        left = self._going_on(allowed)
        while left:
            kinds = dict.fromkeys(self._steps[k].transition.event for k in bits(left))
            rest = {kind: self._going_on(left & ~self._of_kind(kind)) for kind in kinds}
            best = min(kinds, key=lambda kind: (rest[kind].bit_count(), (self._of_kind(kind) & left).bit_count()))
            taken |= self._of_kind(best)
            left = rest[best]
        return taken

    def _of_kind(self, kind: str) -> int:
        return sum(1 << k for k, step in enumerate(self._steps) if step.transition.event == kind)

    def _going_on(self, allowed: int) -> int:
        """The steps that may be taken for ever, as far as the values of single cells say."""
        cells = 0
        for k in bits(allowed):
            cells |= self._steps[k].writes
        waiting = dict.fromkeys(bits(cells))
        while waiting:
            cell, _ = waiting.popitem()
            for k in self._leaving(cell, [k for k in bits(allowed) if self._steps[k].writes >> cell & 1]):
                allowed &= ~(1 << k)
                waiting |= dict.fromkeys(bits(self._steps[k].writes))
        return allowed

    def _leaving(self, cell: int, writers: Sequence[int]) -> Iterable[int]:
        """The writers of a cell that always take it to a value from which there is no way back."""
        changes = {k: self._change(k, cell) for k in writers}
        if any(change is None for change in changes.values()):
            return ()
        component = components({pair for change in changes.values() for pair in change or ()})
        return [k for k, change in changes.items() if all(component[a] != component[b] for a, b in change or ())]

    def _change(self, step: int, cell: int) -> _Changes:
        if (step, cell) not in self._known:
            self._known[step, cell] = self._changes(self._steps[step], cell)
        return self._known[step, cell]


def components(arrows: Iterable[tuple[int, int]]) -> dict[int, int]:
    """A number for every value at an arrow, the same for those that can be reached from one another.

    >>> found = components([(0, 1), (1, 0), (1, 2)])
    >>> found[0] == found[1], found[1] == found[2]
    (True, False)
    """
    forward: dict[int, list[int]] = {}
    backward: dict[int, list[int]] = {}
    for before, after in arrows:
        forward.setdefault(before, []).append(after)
        backward.setdefault(after, []).append(before)
        forward.setdefault(after, [])
        backward.setdefault(before, [])
    left_last = [value for value, is_left in _walk(forward, forward) if is_left]
    component: dict[int, int] = {}
    for value in reversed(left_last):
        if value not in component:
            number = len(component)
            reached = [v for v, is_left in _walk(backward, [value], component) if is_left]
            component |= dict.fromkeys(reached, number)
    return component


def _walk(
    arrows: dict[int, list[int]], starts: Iterable[int], passed: Iterable[int] = ()
) -> Iterable[tuple[int, bool]]:
    """Values in the order in which a depth-first walk enters and leaves them."""
    seen = set(passed)
    for start in starts:
        stack = [(start, False)]
        while stack:
            value, is_left = stack.pop()
            if is_left:
                yield value, True
            elif value not in seen:
                seen.add(value)
                yield value, False
                stack.append((value, True))
                stack += [(after, False) for after in arrows[value]]
