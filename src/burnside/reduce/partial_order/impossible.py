"""Goals that cannot be met, so that nobody need look out for them: mostly queues that never overflow.

A sum of weighted counts that no step increases never exceeds what it is at the beginning. If an aim would need more
than that, it is never met. Weights are found by linear programming in floating point, and believed only after they have
been tested exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from itertools import islice
from math import lcm
from operator import mul
from typing import Final, final

from burnside.detect.constrain import Constraints
from burnside.detect.equal_cells import EqualCells
from burnside.detect.terms import bits
from burnside.groups.work import OutOfWork, Work
from burnside.ir.cells import empty_slot
from burnside.limits import has_room
from burnside.reduce.partial_order.actions import Conditions, Goal, Step
from burnside.reduce.partial_order.counts import Count, by_kinds, by_moved_values, counts_of, queues_of
from burnside.reduce.partial_order.relations import Relations
from burnside.values import replace

_MOST_COUNTS: Final = 400
_MOST_PIVOTS: Final = 400
_COST: Final = 40  # of an entry
_ASKING: Final = 20_000  # what a question costs beside that
_MOST_ASKED: Final = 400
_MOST_ENTRIES: Final = 20_000
_LARGEST_DENOMINATOR: Final = 12
_TINY: Final = 1e-9
_APART: Final = 1e-7  # so that no two rows are reached at once


@final
class Possible:
    """Tells whether aims can be met, by what steps do to cells."""

    def __init__(
        self,
        constraints: Constraints,
        steps: Sequence[Step],
        relations: Relations,
        work: Work,
        equal: EqualCells | None = None,
    ) -> None:
        self._cells = constraints.cells.all
        self._equal = equal or EqualCells()
        self._terms = constraints.terms
        self._queues = [*queues_of(constraints, self._equal, steps, relations)]
        self._all_counts = counts_of(constraints, self._queues, relations)
        self._steps = steps
        self._relations = relations
        self._work = Work(work.left)  # as much again: what is found out here is worth more than any single relation
        self._asking = Work(_MOST_ASKED * _ASKING)
        self._weights: list[Sequence[int]] = []  # of sums that no step increases

    def reduced(self, goal: Goal) -> Goal:
        """A goal without the aims that cannot be met."""
        return replace(goal, aims=tuple(aim for aim in goal.aims if self.can_be_met(aim)))

    def can_be_met(self, aim: Conditions) -> bool:
        """Whether there may be a state in which all of some conditions hold."""
        return self._fits_cells(aim) and not self._exceeds(aim)

    def _fits_cells(self, aim: Conditions) -> bool:
        """Cells have values that they can have; places of a sequence are empty from its length on, and only there."""
        for cell in bits(self._support(aim)):
            slot = self._cells[cell].slot
            held = self._relations.allowed(cell, aim)
            if held is not None and not held:
                return False
            if slot is None or slot < 0 or held is None:
                continue
            length = cell - slot - 1
            lengths = self._relations.allowed(self._equal.first.get(length, length), aim)
            if lengths is None:
                continue
            empty = empty_slot(self._cells[cell].variable)
            is_used = any(v != empty for v in held) and any(n > slot for n in lengths)
            is_empty = empty in held and any(n <= slot for n in lengths)
            if not (is_used or is_empty):
                return False
        return True

    def _support(self, aim: Conditions) -> int:
        mask = 0
        for condition in aim:
            mask |= condition.support
        return mask

    def _exceeds(self, aim: Conditions) -> bool:
        """Whether some sum would be greater than it ever is, whatever messages there are."""
        return all(map(self._is_too_much, by_kinds(aim, self._queues)))

    def exclude(self, one: Step, other: Step) -> bool:
        """Whether there is no state in which both of two steps can be taken; not asked for very long."""
        return self.never_meets(one, other.guards)

    def never_meets(self, step: Step, aim: Conditions) -> bool:
        """Whether there is no state in which a step can be taken and some conditions hold, likewise."""
        try:
            self._asking.spend(_ASKING)
        except OutOfWork:
            return False
        return not self.can_be_met((*step.guards, *aim))

    def _is_too_much(self, aim: Conditions) -> bool:
        if not self._changes:
            return False
        needed = self._needed(aim)
        if max(needed, default=0) <= 0:
            return False
        if any(_sum(weights, needed) > 0 for weights in self._weights):
            return True
        try:
            for work in (self._work, self._asking):
                work.spend(_COST * len(self._changes) * len(needed))
        except OutOfWork:
            return False
        weights = rounded(maximised(self._changes, needed))
        if _sum(weights, needed) <= 0 or any(_sum(weights, row) > 0 for row in self._changes):
            return False
        self._weights.append(weights)
        return True

    def _needed(self, aim: Conditions) -> list[int]:
        """By count: by how much it would have to exceed what it is at first."""
        needed = [*self._needed_anyway]
        for k in {k for cell in bits(self._support(aim)) for k in self._counts_of_cell.get(cell, ())}:
            count, first = self._counts[k]
            needed[k] = count.at_least(aim) - first
        return needed

    @cached_property
    def _needed_anyway(self) -> list[int]:
        return [count.at_least(()) - first for count, first in self._counts]

    @cached_property
    def _counts_of_cell(self) -> dict[int, list[int]]:
        found: dict[int, list[int]] = {}
        for k, (count, _) in enumerate(self._counts):
            for cell in bits(count.cells):
                found.setdefault(cell, []).append(k)
        return found

    @cached_property
    def _counts(self) -> list[tuple[Count, int]]:
        """What is counted, and how much of it there is at most in the beginning."""
        return [(count, count.at_first()) for count in islice(self._all_counts, _MOST_COUNTS)]

    @cached_property
    def _changes(self) -> list[tuple[int, ...]]:
        """By step and count: by how much the step may increase the count at most. Equal rows are one."""
        counts = [count for count, _ in self._counts]
        rows: set[tuple[int, ...]] = set()
        for step in self._steps:
            for part in by_moved_values(self._terms, step, self._queues, self._relations):
                rows.add(tuple([count.increase(part) for count in counts]))
                if len(rows) * len(counts) > _MOST_ENTRIES:
                    return []
        return sorted(rows)


def _sum(weights: Sequence[int], counts: Sequence[int]) -> int:
    return sum(map(mul, weights, counts))


def rounded(weights: Sequence[float]) -> list[int]:
    """Weights as whole numbers, after they have been rounded to small fractions: sums of them are exact.

    >>> rounded([0.5, 0.3333, 0.0])
    [3, 2, 0]
    """
    fractions = [max(Fraction(0), Fraction(w).limit_denominator(_LARGEST_DENOMINATOR)) for w in weights]
    common = lcm(*(f.denominator for f in fractions))
    return [int(f * common) for f in fractions]


def maximised(rows: Sequence[Sequence[int]], gain: Sequence[int]) -> list[float]:
    """Weights from 0 to 1 of as much gain as possible such that no weighted row is positive, or nearly so.

    >>> [round(weight, 3) for weight in maximised([[1, -1], [-1, 1]], [3, -1])]
    [1.0, 1.0]
    """
    if not has_room():  # where numpy gets too little to begin with, it ends the process
        raise MemoryError
    import numpy as np  # few models need a linear programme

    many, width = len(rows), len(gain)
    height = many + width
    table = np.zeros((height + 1, width + height + 1))
    table[:many, :width] = rows
    table[many:height, :width] = np.eye(width)
    table[:height, width : width + height] = np.eye(height)
    table[:many, -1] = _APART * np.arange(1, many + 1)
    table[many:height, -1] = 1
    table[-1, :width] = np.negative(gain)
    basis = np.arange(width, width + height)
    for _ in range(_MOST_PIVOTS):
        column = int(np.argmin(table[-1, :-1]))
        if table[-1, column] >= -_TINY:
            break
        steps = table[:height, column]
        ratios = np.where(steps > _TINY, table[:height, -1] / np.where(steps > _TINY, steps, 1), np.inf)
        row = int(np.argmin(ratios))
        table[row] /= table[row, column]
        touched = np.flatnonzero(table[:, column])  # few: steps change few counts
        touched = touched[touched != row]
        table[touched] -= np.outer(table[touched, column], table[row])
        basis[row] = column
    weights = np.zeros(width + height)
    weights[basis] = table[:height, -1]
    return list(map(float, weights[:width]))
