"""The search tests itself: what annotated states stand for is compared with the model's own meaning.

Of a sample of annotated states, some of every level, single states are taken at random from those that they stand for.
By ``ir/semantics.py`` alone, without edges, partitions or profiles:

* every successor of such a state is stood for, at most one step deeper: nothing is missed;
* it is initial, or a step leads to it from a state that the recorded parent stands for: nothing is invented;
* no goal that is said to be out of reach holds in it, it is no unnoticed deadlock, and nothing in it faults unnoticed.

Goals alone are looked for in more states: that takes less time.

A difference is a bug in Burnside: then there is no verdict.
"""

from __future__ import annotations

import random
import time
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise, product
from math import gcd
from typing import Final, NamedTuple, final

from burnside.adaptive.cover import Origin
from burnside.adaptive.lift import predecessor
from burnside.adaptive.partitions import members
from burnside.adaptive.search import Search
from burnside.ir.cells import State
from burnside.ir.initial import initial_fits
from burnside.ir.instances import valuations
from burnside.ir.nodes import Expr, Rule
from burnside.ir.semantics import Fault, FaultRaised, Names, Outcome, Step, evaluate, fire, successors
from burnside.values import dataclass, field

SHARE: Final = 0.015  # of the processor time of inference and search: with the last one that is tested, less than 2 %
LEAST_WORK: Final = 2_000  # rule instances tried, times processes: enough for all of a small model, and milliseconds
LEAST_SECONDS_FOR_GOALS: Final = 0.001
MOST_DRAWN: Final = 64  # of the states that one annotated state stands for, at random


class SelfTestFailed(Exception):
    """The search is wrong about a state: a bug in Burnside."""

    def __init__(self, what: str, state: str) -> None:
        super().__init__(f"the adaptive search failed its self-test, and no verdict is given: {what}, in {state}")


class Tested(NamedTuple):
    """The number of annotated states that were tested, and the processor time that took."""

    states: int
    seconds: float


def test_search(
    search: Search, goals: Sequence[tuple[Expr | None, Names]], seconds: float, *, thorough: bool = False
) -> Tested:
    """Test a search that took some processor time, as far as it got.

    A thorough test looks at all of them, unless the user's time is over. ``goals`` are those of the search as they
    were asked: conditions with the values of their parameters, None for a deadlock.
    """
    began = time.thread_time()
    end = began + SHARE * seconds
    tester = _Tester(search, goals, search.view.effort.is_over if thorough else lambda: time.thread_time() > end)
    if not thorough:
        _test_goals_alone(search, tester, began + max(LEAST_SECONDS_FOR_GOALS, SHARE * seconds / 4))
    begun: list[tuple[int, Iterator[tuple[int, ...]]]] = []
    try:
        for number in _sample(search):
            arrangements = tester.arrangements(number)
            tester.test(number, next(arrangements), thorough=thorough)
            begun.append((number, arrangements))
        left = begun
        while left:
            left = [(n, a) for n, a in left if tester.test_next(n, a, thorough=thorough)]
    except _Over:
        pass
    return Tested(len(begun), time.thread_time() - began)


def _test_goals_alone(search: Search, tester: _Tester, end: float) -> None:
    """Look for goals in one of the states that an annotated state stands for, until the time is over."""
    for number in _sample(search):
        if time.thread_time() > end:
            return
        if tester.is_sought_behind(number):
            tester.test_goals(number, next(tester.arrangements(number)))


class _Over(Exception):
    """There is no time for more."""


def _sample(search: Search) -> Iterator[int]:
    """The states that were expanded in a random order that goes through all levels again and again."""
    cover, chance = search.cover, random.Random(len(search.cover))
    starts = [0]  # states are numbered by level
    while starts[-1] < search.expanded:
        starts.append(bisect_right(cover.depth, cover.depth[starts[-1]], hi=search.expanded))
    levels = [(first, _scattered(end - first, chance)) for first, end in pairwise(starts)]
    chance.shuffle(levels)
    while levels:
        for first, places in levels[:]:
            place = next(places, None)
            if place is None:
                levels.remove((first, places))
            elif first + place not in cover.dropped:
                yield first + place


def _scattered(size: int, chance: random.Random) -> Iterator[int]:
    """All numbers below a bound, far from in order, without a list of them."""
    step = chance.randrange(size)
    while gcd(step, size) != 1:
        step = (step + 1) % size
    start = chance.randrange(size)
    return ((start + k * step) % size for k in range(size))


@final
@dataclass
class _Tester:
    search: Search
    goals: Sequence[tuple[Expr | None, Names]]
    is_over: Callable[[], bool]
    _chance: random.Random = field(default_factory=lambda: random.Random(0))
    _tried: int = 0

    def __post_init__(self) -> None:
        self._view = self.search.view
        self._rules: list[tuple[Rule, int | None]] = [
            (r, next((k for k, p in enumerate(r.parameters) if p.domain.index == self._view.domain.name), None))
            for r in self._view.model.rules
        ]

    # ------------------------------------------------------------ single states

    def arrangements(self, number: int) -> Iterator[tuple[int, ...]]:
        """Different states that an annotated state stands for, as local states: all, if they are few, in any order."""
        seen: set[tuple[int, ...]] = set()
        for _ in range(MOST_DRAWN):
            vector = [0] * self._view.size
            for cell, values in self._cells(number):
                self._chance.shuffle(values)
                for process, value in zip(cell, values, strict=True):
                    vector[process] = value
            if tuple(vector) not in seen:
                seen.add(tuple(vector))
                yield tuple(vector)

    def _cells(self, number: int) -> Iterator[tuple[list[int], list[int]]]:
        """The processes of every cell, and their local states in some order."""
        search = self.search
        partition = search.partitions.all[search.cover.partition[number]]
        for cell, multiset in zip(partition, search.cover.spread[number], strict=True):
            yield members(cell), [v for v, count in search.multisets.counts[multiset] for _ in range(count)]

    # ------------------------------------------------------------ tests

    def test_next(self, number: int, arrangements: Iterator[tuple[int, ...]], *, thorough: bool) -> bool:
        """Test one more of the states that an annotated state stands for; False if there is none."""
        vector = next(arrangements, None)
        if vector is not None:
            self.test(number, vector, thorough=thorough)
        return vector is not None

    def test(self, number: int, vector: Sequence[int], *, thorough: bool) -> None:
        """Compare one state with what the search says; raises `SelfTestFailed`."""
        self._stop_if_over()
        state = self._view.join(self.search.cover.shared[number], vector)
        self._test_origin(number, vector, state)
        fault = self.search.fault
        if fault is not None and self._depth(number) >= self._depth(fault.number):
            return  # the search ended there, and said so
        is_stuck = True
        for outcome in self._outcomes(number, vector, state, thorough=thorough):
            is_stuck = False
            if isinstance(outcome, Fault):
                raise self._failed("a rule faults unnoticed", state)
            if not self._is_covered(outcome.state, self._depth(number) + 1):
                raise self._failed(f"a step of '{outcome.rule.name}' is missing", state)
        self._test_goals(number, state, is_stuck=is_stuck)

    def _outcomes(self, number: int, vector: Sequence[int], state: State, *, thorough: bool) -> Iterator[Outcome]:
        """What can happen; of processes in one cell and local state one is asked, if it can do something at all."""
        cells, everyone = self._view.cells, range(self._view.size)
        asked = everyone if thorough else self._of_each_kind(number, vector)
        is_stuck = True
        for processes in (asked, everyone):
            for rule, actor in self._rules if is_stuck else ():
                for arguments in self._arguments(rule, actor, processes):
                    self._tried += 1
                    self._stop_if_over()
                    outcome = fire(cells, rule, arguments, state)
                    if outcome is not None:
                        is_stuck = False
                        yield outcome

    def _stop_if_over(self) -> None:
        if self._tried * self._view.size > LEAST_WORK and self.is_over():
            raise _Over

    def _of_each_kind(self, number: int, vector: Sequence[int]) -> list[int]:
        """A process for every cell and local state."""
        found: dict[tuple[int, int], list[int]] = {}
        for k, (cell, _) in enumerate(self._cells(number)):
            for process in cell:
                found.setdefault((k, vector[process]), []).append(process)
        return [self._chance.choice(alike) for alike in found.values()]

    def _arguments(self, rule: Rule, actor: int | None, processes: Iterable[int]) -> Iterator[tuple[int, ...]]:
        if actor is None:
            return valuations(rule.parameters)
        domains = [p.domain.values() for p in rule.parameters]
        ids = [self._view.ids[p] for p in processes if self._view.ids[p] in rule.parameters[actor].domain]
        return product(*domains[:actor], ids, *domains[actor + 1 :])

    def _is_covered(self, state: State, depth: int) -> bool:
        """Whether an annotated state of at most this depth stands for a state."""
        cover, multisets = self.search.cover, self.search.multisets
        shared, vector = self._view.split(state)
        total = multisets.find(vector)
        for number in cover.alike(shared, total) if total is not None else ():
            partition = self.search.partitions.all[cover.partition[number]]
            found = [multisets.find([vector[p] for p in members(cell)]) for cell in partition]
            if cover.depth[number] <= depth and list(cover.spread[number]) == found:
                return True
        return False

    # ------------------------------------------------------------ where it comes from

    def _test_origin(self, number: int, vector: Sequence[int], state: State) -> None:
        """That a state is initial, or one step from one that the parent stands for."""
        origin = self.search.cover.origin[number]
        if origin is None:
            if not initial_fits(self._view.model, state):
                raise self._failed("it is not initial", state)
            return
        before = predecessor(self.search, origin, vector)
        if before is None:
            raise self._failed("the recorded step cannot be taken", state)
        if any(sorted(before[0][p] for p in cell) != sorted(values) for cell, values in self._cells(origin.parent)):
            raise self._failed("its predecessor is none of those of its parent", state)
        source = self._view.join(self.search.cover.shared[origin.parent], before[0])
        if not any(isinstance(o, Step) and o.state == state for o in self._recorded(origin, before[1], source)):
            raise self._failed("no step leads to it", state)

    def _recorded(self, origin: Origin, actor: int | None, source: State) -> Iterator[Outcome | None]:
        """What the recorded rule does for the recorded actor; what any rule does, if it was joined from several."""
        action, model = self.search.edges[origin.edge].action, self._view.model
        if any(action.origin is rule for rule in model.rules):
            assert action.origin is not None
            arguments = tuple(self._view.ids[actor or 0] if a is None else a for a in action.arguments)
            return iter([fire(self._view.cells, action.origin, arguments, source)])
        return iter(successors(model, source))

    # ------------------------------------------------------------ what is asked of it

    def is_sought_behind(self, number: int) -> bool:
        """Whether some condition was not found this near; where a search ends at a fault, none is looked for."""
        fault, depth = self.search.fault, self._depth(number)
        if fault is not None and depth >= self._depth(fault.number):
            return False
        conditions = [found for (goal, _), found in zip(self.goals, self.search.found, strict=True) if goal is not None]
        return any(found is None or self._depth(found.number) > depth for found in conditions)

    def test_goals(self, number: int, vector: Sequence[int]) -> None:
        """Test that goals do not hold in a state unnoticed, other than deadlocks."""
        self._test_goals(number, self._view.join(self.search.cover.shared[number], vector), is_stuck=False)

    def _test_goals(self, number: int, state: State, *, is_stuck: bool) -> None:
        try:
            is_deadlock = is_stuck and not evaluate(self._view.cells, self._view.model.terminal, state)
            for k, (condition, known) in enumerate(self.goals):
                found = self.search.found[k]
                if found is not None and self._depth(found.number) < self._depth(number):
                    continue  # decided on an earlier level, and not evaluated any more
                holds = is_deadlock if condition is None else evaluate(self._view.cells, condition, state, known)
                if holds and (found is None or self._depth(found.number) > self._depth(number)):
                    raise self._failed("what was sought is not found", state)
        except FaultRaised as fault:
            raise self._failed("a property faults unnoticed", state) from fault
        if is_deadlock and not self.search.deadlocks:
            raise self._failed("it is a deadlock", state)

    def _depth(self, number: int) -> int:
        return self.search.cover.depth[number]

    def _failed(self, what: str, state: State) -> SelfTestFailed:
        values = self._view.cells.describe(state)
        return SelfTestFailed(what, ", ".join(f"{name} = {value}" for name, value in values.items()))
