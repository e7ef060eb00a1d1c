"""The least or greatest value with which a condition is reached, by explorations that ask for intervals of values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias, final

from burnside.claims.kinds import Extreme, Reachable, StateClaim
from burnside.claims.members import Member
from burnside.decide.modes import Mode
from burnside.decide.states import count
from burnside.decide.workbench import Workbench
from burnside.explore.replay import ReplayError, replay
from burnside.ir.build import conjunction, within
from burnside.ir.cells import Cells, State
from burnside.ir.nodes import Model
from burnside.ir.semantics import evaluate
from burnside.results.exploration import Exploration, Stop
from burnside.results.findings import CountReport, ExtremeFinding, Verdict
from burnside.values import dataclass

# How many intervals one exploration tells apart.
INTERVALS: Final = 32

Interval: TypeAlias = tuple[int, int]
Explore: TypeAlias = Callable[[Sequence[Member[StateClaim]]], Exploration]


def decide(bench: Workbench, member: Member[Extreme], mode: Mode) -> tuple[list[CountReport], ExtremeFinding]:
    """Find the value; the explorations that this takes come with it."""
    counts: list[CountReport] = []

    def explore(members: Sequence[Member[StateClaim]]) -> Exploration:
        counts.append(count(bench, members, mode))
        return counts[-1].exploration

    best = find_best(bench.model, member.claim, explore)
    trace = None if best.path is None else replay(bench.model, best.path)
    if not best.is_complete:
        reason = f"reached with {best.value}, perhaps not the best value" if trace else ""
        return counts, ExtremeFinding(member, Verdict.UNKNOWN, trace, reason=reason)
    is_exact = all(report.exploration.is_exact for report in counts)
    verdict = Verdict.of_all_states(holds=trace is not None, is_exact=is_exact)
    return counts, ExtremeFinding(member, verdict, trace, best.value)


@final
@dataclass(frozen=True, slots=True)
class Best:
    """The best value found and a path to it, None if there is none; it is the best of all if the search is complete."""

    value: int | None
    path: tuple[State, ...] | None
    is_complete: bool


def find_best(model: Model, extreme: Extreme, explore: Explore) -> Best:
    """Explore for the intervals that the value may be in, then for parts of the best one that is reached.

    Each exploration tells apart `INTERVALS` of them, so a range of a thousand values takes two.
    """
    low, high = extreme.low, extreme.high
    best = Best(None, None, is_complete=False)
    while low <= high:
        parts = split(low, high)
        found = explore([_claim(extreme, part) for part in parts])
        order = range(len(parts)) if extreme.is_least else range(len(parts) - 1, -1, -1)
        reached = next((k for k in order if found.witnesses[k] is not None), None)
        if reached is not None:
            path = found.witnesses[reached]
            assert path is not None
            best = Best(_value_at(model, extreme, path[-1], parts[reached]), path, is_complete=False)
        if found.stop not in (Stop.COMPLETE, Stop.DECIDED):
            return best
        if reached is None or best.value is None:
            break
        low, high = parts[reached]
        low, high = (low, best.value - 1) if extreme.is_least else (best.value + 1, high)
    return Best(best.value, best.path, is_complete=True)


def _value_at(model: Model, extreme: Extreme, state: State, interval: Interval) -> int:
    """The value in a state, as the reference semantics finds it."""
    cells = Cells(model)
    value = evaluate(cells, extreme.value, state)
    if not evaluate(cells, extreme.condition, state) or not interval[0] <= value <= interval[1]:
        raise ReplayError("a state does not have the value for which it was found")
    return value


def split(low: int, high: int) -> list[Interval]:
    """An interval in at most `INTERVALS` parts of about one size."""
    width = -(-(high - low + 1) // INTERVALS)
    return [(first, min(high, first + width - 1)) for first in range(low, high + 1, width)]


def as_reachable(extreme: Extreme) -> Member[StateClaim]:
    """What is evaluated in every state: the condition, and the value where that is true."""
    return _claim(extreme, (extreme.low, extreme.high))


def _claim(extreme: Extreme, interval: Interval) -> Member[StateClaim]:
    condition = conjunction((extreme.condition, within(extreme.value, *interval)))
    return Member(Reachable(f"{extreme.name}_{interval[0]}", condition))
