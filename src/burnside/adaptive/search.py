"""Algorithms 1 and 2 of Wahl 2007, repaired: breadth-first search over annotated states.

Differences to the printed algorithms: initial states are annotated with processes in equal local states; initial states
are checked, too; a state is dropped for one that subsumes it only if that one is not further away, so depths are exact.
A level is finished before the search ends, whatever is found in it: so what is found does not depend on any order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, TypeAlias, final

from burnside.adaptive.cover import Cover, Multisets, Origin, Partitions
from burnside.adaptive.edges import Edge
from burnside.adaptive.partitions import Partition
from burnside.adaptive.profiles import Counts, Effect
from burnside.adaptive.spreading import Spreading
from burnside.adaptive.steps import Steps
from burnside.adaptive.view import Shared, View
from burnside.values import dataclass, field

_OFTEN: Final = 256  # states, or ways to spread one, between two looks at the limits

Limit: TypeAlias = Callable[["Search"], bool]  # whether to stop
Start: TypeAlias = tuple[Shared, Partition, tuple[Counts, ...]]


@final
@dataclass(frozen=True)
class Found:
    """A state that was sought: the annotated state that stands for it, and the local states of all processes."""

    number: int
    vector: tuple[int, ...]


class _Stopped(Exception):
    """A limit was reached."""


@final
@dataclass
class Search:
    """A search under way. ``goals`` are conditions that are sought; None among them asks for a deadlock.

    ``fault`` is a state in which something cannot be evaluated. ``expanded`` are all states up to that number.
    """

    view: View
    edges: Sequence[Edge]
    goals: Sequence[Edge | None]
    terminal: Edge
    multisets: Multisets = field(default_factory=Multisets)
    found: list[Found | None] = field(default_factory=list)
    fault: Found | None = None
    transitions: int = 0
    deadlocks: int = 0
    expanded: int = 0

    def __post_init__(self) -> None:
        self.partitions = Partitions(self.multisets)
        self.cover = Cover(self.partitions)
        self.found = [None] * len(self.goals)
        self._numbers = {id(e): self.partitions.number(e.partition) for e in self._all_edges()}
        self.spreading = Spreading(self.partitions, self.multisets, self._watch)
        self.steps = Steps(self.view, self.edges, self.cover, self.spreading, self._note_fault)
        self._absent: set[tuple[int, Shared, int]] = set()
        self._stuck_number = self._meet_of_all()
        self._limit: Limit = _unlimited
        self._faults = 0
        self._unwatched = _OFTEN  # the limits are looked at once at least

    def _all_edges(self) -> Iterator[Edge]:
        yield from self.edges
        yield from (g for g in self.goals if g is not None)
        yield self.terminal

    def _meet_of_all(self) -> int:
        number = self.partitions.number(self.terminal.partition)
        for edge in self.edges:
            number, _ = self.partitions.meet(number, self._numbers[id(edge)])
        return number

    # ------------------------------------------------------------ the search

    def run(self, initial: Iterable[Start], limit: Limit) -> bool:
        """Search until all goals are found or all states are reached; False if the limit stopped it."""
        self._limit = limit
        try:
            for shared, partition, counts in initial:
                self._watch()
                spread = tuple(map(self.multisets.number, counts))
                key = (shared, self.multisets.union(spread))
                self.cover.update(key, self.partitions.number(partition), spread, 0, None)
            while self.expanded < len(self.cover) and not self._is_decided():
                self._expand_level(len(self.cover))
        except _Stopped:
            return False
        finally:
            self._limit = _unlimited
        return True

    def _is_decided(self) -> bool:
        return self.fault is not None or (bool(self.goals) and None not in self.found)

    def _expand_level(self, end: int) -> None:
        while self.expanded < end:
            self._watch()
            if self.expanded not in self.cover.dropped:
                self._inspect(self.expanded)
                self._expand(self.expanded)
            self.expanded += 1

    def _watch(self) -> None:
        """Look at the limits now and then."""
        self._unwatched += 1
        if self._unwatched > _OFTEN:
            self._unwatched = 0
            if self._limit(self):
                raise _Stopped

    def _inspect(self, number: int) -> None:
        """Look for goals; one that is found is looked at on the rest of its level if it may fault there, as other
        searches do.
        """
        depth = self.cover.depth
        for k, goal in enumerate(self.goals):
            known = self.found[k]
            is_open = known is None or depth[known.number] == depth[number]
            if goal is not None and is_open and (known is None or goal.action.can_fault):
                found = self._holds_somewhere(goal, number)
                self.found[k] = known or found

    def _note_fault(self, number: int, vector: Iterable[int]) -> None:
        self._faults += 1
        if self.fault is None:
            self.fault = Found(number, tuple(vector))

    # ------------------------------------------------------------ expansion

    def _expand(self, number: int) -> None:
        """All steps from an annotated state."""
        cover = self.cover
        shared, own, spread = cover.shared[number], cover.partition[number], cover.spread[number]
        depth = cover.depth[number] + 1
        total = cover.total[number]
        is_live = False
        for position, edge, acting in self.steps.live_edges(shared, total):
            refined, parts = self.partitions.meet(own, self._numbers[id(edge)])
            base = self.steps.base_of(edge, refined)
            if base is not None and len(base) == len(parts) and edge.is_simple and edge.actors:
                steps = self.steps.of_whole_cells(number, edge, acting, refined, base, spread)
            else:
                steps = self.steps.of_edge(number, edge, acting, refined, parts, spread)
            for cell, local, before, after in steps:
                self.transitions += 1
                is_live = is_live or refined == own
                if isinstance(after, Effect):
                    key = after.shared, self.steps.moved_total(total, local, after)
                    image = self.steps.moved(before, cell, local, after)
                else:
                    shared_after, image = after
                    key = shared_after, self.multisets.union(image)
                self.cover.update(key, refined, image, depth, Origin(number, position, refined, before, cell, local))
        if not is_live:
            self._look_for_deadlock(number)

    # ------------------------------------------------------------ goals

    def _holds_somewhere(self, goal: Edge, number: int) -> Found | None:
        """A state among those that an annotated state stands for in which a condition holds; faults are noted."""
        cover = self.cover
        shared, own, spread = cover.shared[number], cover.partition[number], cover.spread[number]
        if goal.depends_on_presence:
            # Only which local states occur matters, and of that there are few cases.
            mark = (id(goal), shared, self.multisets.occurring[cover.total[number]])
            if mark in self._absent:
                return None
            self._absent.add(mark)
        refined, parts = self.partitions.meet(own, self._numbers[id(goal)])
        acting = goal.possible(shared, ())
        found: Found | None = None
        for _, _, before, _ in self.steps.of_edge(number, goal, acting, refined, parts, spread) if acting else ():
            found = found or Found(number, tuple(self.steps.arranged(refined, before, goal, -1, -1)[0]))
            if not goal.action.can_fault:
                break
        return found

    def _look_for_deadlock(self, number: int) -> None:
        """Whether an annotated state stands for one without a successor that is not terminal."""
        cover = self.cover
        shared, own, spread = cover.shared[number], cover.partition[number], cover.spread[number]
        refined, parts = self.partitions.meet(own, self._stuck_number)
        able = [(edge, acting) for _, edge, acting in self.steps.live_edges(shared, cover.total[number])]
        able += [(self.terminal, frozenset((-1,)))]
        single = tuple((k,) for k in range(len(self.partitions.all[refined])))
        found: Found | None = None
        for before in self.spreading.unwound(refined, parts, spread):
            faults = self._faults
            steps = (
                next(self.steps.of_edge(number, edge, acting, refined, single, before), None) for edge, acting in able
            )
            if all(step is None for step in steps) and faults == self._faults:  # a fault is no deadlock
                found = found or Found(number, tuple(self.steps.arranged(refined, before, self.terminal, -1, -1)[0]))
                if not self.terminal.action.can_fault:
                    break
        if found is not None:
            self.deadlocks += 1
            self.found = [f or (found if g is None else None) for g, f in zip(self.goals, self.found, strict=True)]


def _unlimited(_search: Search) -> bool:
    return False
