"""The least or greatest value with which a condition is reached, by explorations that ask for intervals of values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias, final

from burnside.explore.claims import Claim
from burnside.explore.result import Exploration, Stop
from burnside.explore.trace import ReplayError
from burnside.ir.cells import Cells, State
from burnside.ir.nodes import Binary, Const, Logic, Model, Property, PropertyKind
from burnside.ir.semantics import evaluate
from burnside.ir.task import Optimum

# How many intervals one exploration tells apart.
INTERVALS: Final = 32

Interval: TypeAlias = tuple[int, int]
Explore: TypeAlias = Callable[[Sequence[Claim]], Exploration]


@final
@dataclass(frozen=True, slots=True)
class Best:
    """The best value found and a path to it, None if there is none; it is the best of all if the search is complete."""

    value: int | None
    path: tuple[State, ...] | None
    is_complete: bool


def find_best(model: Model, optimum: Optimum, explore: Explore) -> Best:
    """Explore for the intervals that the value may be in, then for parts of the best one that is reached.

    Each exploration tells apart `INTERVALS` of them, so a range of a thousand values takes two.
    """
    low, high = optimum.low, optimum.high
    best = Best(None, None, is_complete=False)
    while low <= high:
        parts = split(low, high)
        found = explore([_claim(optimum, part) for part in parts])
        order = range(len(parts)) if optimum.is_least else range(len(parts) - 1, -1, -1)
        reached = next((k for k in order if found.witnesses[k] is not None), None)
        if reached is not None:
            path = found.witnesses[reached]
            assert path is not None
            best = Best(_value_at(model, optimum, path[-1], parts[reached]), path, is_complete=False)
        if found.stop not in (Stop.COMPLETE, Stop.DECIDED):
            return best
        if reached is None or best.value is None:
            break
        low, high = parts[reached]
        low, high = (low, best.value - 1) if optimum.is_least else (best.value + 1, high)
    return Best(best.value, best.path, is_complete=True)


def _value_at(model: Model, optimum: Optimum, state: State, interval: Interval) -> int:
    """The value in a state, as the reference semantics finds it."""
    cells = Cells(model)
    value = evaluate(cells, optimum.value, state)
    if not evaluate(cells, optimum.condition, state) or not interval[0] <= value <= interval[1]:
        raise ReplayError("a state does not have the value for which it was found")
    return value


def split(low: int, high: int) -> list[Interval]:
    """An interval in at most `INTERVALS` parts of about one size."""
    width = -(-(high - low + 1) // INTERVALS)
    return [(first, min(high, first + width - 1)) for first in range(low, high + 1, width)]


def _claim(optimum: Optimum, interval: Interval) -> Claim:
    low, high = (Const(bound) for bound in interval)
    inside = (Binary(">=", optimum.value, low), Binary("<=", optimum.value, high))
    condition = Logic("&&", (optimum.condition, *inside))
    return Claim(Property(f"{optimum.name}_{interval[0]}", PropertyKind.REACHABLE, condition))
