"""Algorithms 1 and 2 of Wahl 2007, repaired: breadth-first search over annotated states.

Differences to the printed algorithms: initial states are annotated with processes in equal local states; initial states
are checked, too; a state is dropped for one that subsumes it only if that one is not further away, so depths are exact.
A level is finished before the search ends, whatever is found in it: so what is found does not depend on any order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias, final

from burnside.adaptive.cover import Cover, Multisets, Origin, Partitions, Spread
from burnside.adaptive.edges import Edge
from burnside.adaptive.partitions import Partition, cell_of, is_finer, members
from burnside.adaptive.profiles import Counts, Effect, Profile, apply_to_state
from burnside.adaptive.unwind import Limits, distributions, limits_of
from burnside.adaptive.view import Shared, View
from burnside.ir.semantics import Fault

_NO_BOUND: Final = 1 << 30
_OFTEN: Final = 256  # states, or ways to spread one, between two looks at the limits

Limit: TypeAlias = Callable[["Search"], bool]  # whether to stop
Bound: TypeAlias = Callable[[int, int], int]  # the most processes of a cell that may be in a local state
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
        self._bases: dict[tuple[int, int], tuple[int, ...] | None] = {}
        self._live: dict[tuple[Shared, int], list[tuple[int, Edge, frozenset[int]]]] = {}
        self._acting: dict[tuple[int, int], list[tuple[int, int]]] = {}
        self._limits: dict[tuple[Bound, tuple[int, ...], tuple[int, ...], int], Limits] = {}
        self._bounds: dict[tuple[Profile, int, int, int], Bound | None] = {}
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
        """Look for goals; one that is found is looked at again if it may fault elsewhere."""
        for k, goal in enumerate(self.goals):
            if goal is not None and (self.found[k] is None or goal.action.can_fault):
                found = self._holds_somewhere(goal, number)
                self.found[k] = self.found[k] or found

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
        for position, edge, acting in self._live_edges(shared, total):
            refined, parts = self.partitions.meet(own, self._numbers[id(edge)])
            base = self._base_of(edge, refined)
            if base is not None and len(base) == len(parts) and edge.is_simple and edge.actors:
                steps = self._whole_steps(number, edge, acting, refined, base, spread)
            else:
                steps = self._steps(number, edge, acting, refined, parts, spread)
            for cell, local, before, after in steps:
                self.transitions += 1
                is_live = is_live or refined == own
                if isinstance(after, Effect):
                    key = after.shared, self._moved_total(total, local, after)
                    image = self._moved(before, cell, local, after)
                else:
                    shared_after, image = after
                    key = shared_after, self.multisets.union(image)
                self.cover.update(key, refined, image, depth, Origin(number, position, refined, before, cell, local))
        if not is_live:
            self._look_for_deadlock(number)

    def _live_edges(self, shared: Shared, total: int) -> list[tuple[int, Edge, frozenset[int]]]:
        """Edges that are not disabled by the shared part and the actor alone, with the local states of actors."""
        key = (shared, self.multisets.occurring[total])
        found = self._live.get(key)
        if found is None:
            vector = [local for local, _ in self.multisets.counts[total]]
            pairs = ((k, edge, edge.possible(shared, vector)) for k, edge in enumerate(self.edges))
            found = self._live[key] = [entry for entry in pairs if entry[2]]
        return found

    def _steps(
        self,
        number: int,
        edge: Edge,
        acting: frozenset[int],
        refined: int,
        parts: tuple[tuple[int, ...], ...],
        spread: Spread,
    ) -> Iterator[tuple[int, int, Spread, Effect | tuple[Shared, Spread]]]:
        """What an edge does to an annotated state: who acts, how the state is spread, what comes out of it."""
        base, shared = self._base_of(edge, refined), self.cover.shared[number]
        for cell, local, profile in self._actors(edge, acting, refined, parts, shared, spread):
            if profile is not None and not profile.is_possible:
                continue
            bound = self._bound(edge, profile, base, refined, cell, local)
            if bound is None:
                continue
            for before in self._unwound(refined, parts, spread, bound, cell, local):
                after = self._outcome(number, edge, profile, base, refined, shared, before, cell, local)
                if after is not None:
                    yield cell, local, before, after

    def _whole_steps(
        self, number: int, edge: Edge, acting: frozenset[int], refined: int, base: tuple[int, ...], spread: Spread
    ) -> Iterator[tuple[int, int, Spread, Effect | tuple[Shared, Spread]]]:
        """The same for an edge that splits no cell: most edges of a nearly symmetric system."""
        shared, every = self.cover.shared[number], self.multisets.counts
        for cell, process in self._acting_cells(edge, refined):
            for local, _ in every[spread[cell]]:
                if local in acting:
                    profile = edge.profile(process, shared, local)
                    if not profile.is_possible:
                        continue
                    after = profile.effect(profile.answers([every[m] for m in spread], base) if profile.first else ())
                    if isinstance(after, Fault):
                        self._note_fault(number, self.arranged(refined, spread, edge, cell, local)[0])
                    elif after is not None:
                        yield cell, local, spread, after

    def _acting_cells(self, edge: Edge, refined: int) -> list[tuple[int, int]]:
        """The cells with processes that may act, and one such process of each."""
        key = (id(edge), refined)
        found = self._acting.get(key)
        if found is None:
            able = ((k, cell & edge.actors) for k, cell in enumerate(self.partitions.all[refined]))
            found = self._acting[key] = [(k, (mask & -mask).bit_length() - 1) for k, mask in able if mask]
        return found

    def _actors(
        self,
        edge: Edge,
        acting: frozenset[int],
        refined: int,
        parts: tuple[tuple[int, ...], ...],
        shared: Shared,
        spread: Spread,
    ) -> Iterator[tuple[int, int, Profile | None]]:
        """Cells that may act, in which local state, with the profile if there is one."""
        is_simple = edge.is_simple
        if not edge.action.actor:
            yield -1, -1, edge.profile(-1, shared, -1) if is_simple else None
            return
        cells = self.partitions.all[refined]
        for inside, multiset in zip(parts, spread, strict=True):
            vector = [local for local, _ in self.multisets.counts[multiset] if local in acting]
            for cell in inside if vector else ():
                able = cells[cell] & edge.actors
                if able:
                    process = (able & -able).bit_length() - 1
                    for local in vector:
                        yield cell, local, edge.profile(process, shared, local) if is_simple else None

    def _base_of(self, edge: Edge, refined: int) -> tuple[int, ...] | None:
        """The cell of the syntactic partition around each cell, or None if that partition is finer somewhere."""
        key = (id(edge), refined)
        if key not in self._bases:
            cells = self.partitions.all[refined]
            is_inside = is_finer(cells, edge.base)
            self._bases[key] = (
                tuple(cell_of(edge.base, (c & -c).bit_length() - 1) for c in cells) if is_inside else None
            )
        return self._bases[key]

    def _bound(
        self, edge: Edge, profile: Profile | None, base: tuple[int, ...] | None, refined: int, cell: int, local: int
    ) -> Bound | None:
        """How many processes of a part may be in a local state for the edge to be enabled; None if it cannot be."""
        if profile is None or base is None or not edge.required:
            return _unbounded
        key = (profile, refined, cell, local)
        if key not in self._bounds:
            is_impossible = any(profile.own[k] for k in edge.required)
            self._bounds[key] = None if is_impossible else _required_bound(profile, base, cell, local)
        return self._bounds[key]

    def unwound(self, refined: int, parts: tuple[tuple[int, ...], ...], spread: Spread) -> Iterator[Spread]:
        """The annotated states over a finer partition that together stand for the same states."""
        return self._unwound(refined, parts, spread, _unbounded, -1, -1)

    def _unwound(
        self,
        refined: int,
        parts: tuple[tuple[int, ...], ...],
        spread: Spread,
        bound: Bound,
        cell: int,
        local: int,
    ) -> Iterator[Spread]:
        """The annotated states over a finer partition that stand for the same states, if they can matter."""
        cells = self.partitions.all[refined]
        if len(cells) == len(parts):  # nothing is split
            yield spread
            return
        result = [0] * len(cells)
        split: list[tuple[tuple[int, ...], int, int]] = []
        for inside, multiset in zip(parts, spread, strict=True):
            if len(inside) > 1:
                split.append((inside, multiset, inside.index(cell) if cell in inside else -1))
            elif all(count <= bound(inside[0], state) for state, count in self.multisets.counts[multiset]):
                result[inside[0]] = multiset
            else:
                return
        yield from self._spread_all(split, 0, cells, bound, local, result)

    def _spread_all(
        self,
        split: Sequence[tuple[tuple[int, ...], int, int]],
        first: int,
        cells: Partition,
        bound: Bound,
        local: int,
        result: list[int],
    ) -> Iterator[Spread]:
        """Every choice for the cells that are split, from the first one of ``split`` on."""
        if first == len(split):
            yield tuple(result)
            return
        inside, multiset, acting = split[first]
        for numbers in self._spread_out(inside, cells, multiset, bound, acting, local):
            for k, number in zip(inside, numbers, strict=True):
                result[k] = number
            yield from self._spread_all(split, first + 1, cells, bound, local, result)

    def _spread_out(
        self, inside: tuple[int, ...], cells: Partition, multiset: int, bound: Bound, acting: int, local: int
    ) -> Iterator[Spread]:
        """How a multiset can be spread over the parts of its cell; the acting part has someone in ``local``."""
        counts = self.multisets.counts[multiset]
        sizes = tuple([cells[k].bit_count() for k in inside])
        key = (bound, inside, sizes, self.multisets.occurring[multiset])
        limits = self._limits.get(key)
        if limits is None:
            most = [[min(size, bound(k, v)) for v, _ in counts] for k, size in zip(inside, sizes, strict=True)]
            limits = self._limits[key] = limits_of(most)
        number = self.multisets.number
        for found in distributions(counts, sizes, limits):
            self._watch()
            if acting < 0 or any(state == local for state, _ in found[acting]):
                yield tuple(map(number, found))

    def _outcome(
        self,
        number: int,
        edge: Edge,
        profile: Profile | None,
        base: tuple[int, ...] | None,
        refined: int,
        shared: Shared,
        before: Spread,
        cell: int,
        local: int,
    ) -> Effect | tuple[Shared, Spread] | None:
        if profile is not None and base is not None:
            outcome = profile.effect(profile.answers([self.multisets.counts[m] for m in before], base))
            if isinstance(outcome, Fault):
                self._note_fault(number, self.arranged(refined, before, edge, cell, local)[0])
                return None
            return outcome
        vector, actor = self.arranged(refined, before, edge, cell, local)
        if profile is not None:
            close = edge.profile(-1 if actor is None else actor, shared, local)
            outcome = close.effect(close.answers(self._counted(edge.base, vector), range(len(edge.base))))
            if isinstance(outcome, Effect):
                return outcome
        else:
            applied = apply_to_state(self.view, edge.action, actor, shared, vector)
            if isinstance(applied, tuple):
                counted = self._counted(self.partitions.all[refined], applied[1])
                return applied[0], tuple(map(self.multisets.number, counted))
            outcome = applied
        if outcome is not None:
            self._note_fault(number, vector)
        return None

    @staticmethod
    def _counted(partition: Partition, vector: Sequence[int]) -> list[Counts]:
        """Counts of local states for every cell."""
        found = []
        for cell in partition:
            counts: dict[int, int] = {}
            for process in members(cell):
                counts[vector[process]] = counts.get(vector[process], 0) + 1
            found.append(tuple(sorted(counts.items())))
        return found

    def _moved(self, before: Spread, cell: int, local: int, effect: Effect) -> Spread:
        """The multisets after a step."""
        if effect.lowered:
            return tuple(self._lowered(m, effect, local if k == cell else -1) for k, m in enumerate(before))
        if cell < 0:
            return before
        return (*before[:cell], self.multisets.moved(before[cell], local, effect.local), *before[cell + 1 :])

    def _moved_total(self, total: int, local: int, effect: Effect) -> int:
        if local >= 0 and not effect.lowered:
            return self.multisets.moved(total, local, effect.local)
        return self._moved((total,), 0 if local >= 0 else -1, local, effect)[0]

    def _lowered(self, multiset: int, effect: Effect, local: int) -> int:
        """A multiset after a step that takes flags from others; -1 as the local state says that nobody in it acts."""
        result: dict[int, int] = {effect.local: 1} if local >= 0 else {}
        for old, count in self.multisets.counts[multiset]:
            others = count - 1 if old == local else count
            new = self.view.lowered(old, effect.lowered)
            result[new] = result.get(new, 0) + others
        return self.multisets.number(tuple(sorted((v, k) for v, k in result.items() if k)))

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
        for _, _, before, _ in self._steps(number, goal, acting, refined, parts, spread) if acting else ():
            found = found or Found(number, tuple(self.arranged(refined, before, goal, -1, -1)[0]))
            if not goal.action.can_fault:
                break
        return found

    def _look_for_deadlock(self, number: int) -> None:
        """Whether an annotated state stands for one without a successor that is not terminal."""
        cover = self.cover
        shared, own, spread = cover.shared[number], cover.partition[number], cover.spread[number]
        refined, parts = self.partitions.meet(own, self._stuck_number)
        able = [(edge, acting) for _, edge, acting in self._live_edges(shared, cover.total[number])]
        able += [(self.terminal, frozenset((-1,)))]
        single = tuple((k,) for k in range(len(self.partitions.all[refined])))
        found: Found | None = None
        for before in self.unwound(refined, parts, spread):
            faults = self._faults
            steps = (next(self._steps(number, edge, acting, refined, single, before), None) for edge, acting in able)
            if all(step is None for step in steps) and faults == self._faults:  # a fault is no deadlock
                found = found or Found(number, tuple(self.arranged(refined, before, self.terminal, -1, -1)[0]))
                if not self.terminal.action.can_fault:
                    break
        if found is not None:
            self.deadlocks += 1
            self.found = [f or (found if g is None else None) for g, f in zip(self.goals, self.found, strict=True)]

    # ------------------------------------------------------------ states

    def arranged(
        self, partition: int, spread: Spread, edge: Edge, cell: int, local: int
    ) -> tuple[list[int], int | None]:
        """One of the states that counts stand for, and a process of ``cell`` in it that can act in ``local``."""
        vector = [0] * self.view.size
        actor: int | None = None
        for number, (mask, multiset) in enumerate(zip(self.partitions.all[partition], spread, strict=True)):
            inside = members(mask)
            values = [value for value, count in self.multisets.counts[multiset] for _ in range(count)]
            if number == cell:
                actor = next(p for p in inside if edge.actors >> p & 1)
                inside.remove(actor)
                values.remove(local)
                vector[actor] = local
            for process, value in zip(inside, values, strict=True):
                vector[process] = value
        return vector, actor


def _required_bound(profile: Profile, base: tuple[int, ...], cell: int, local: int) -> Bound:
    forbids = profile.forbids

    def bound(part: int, state: int) -> int:
        if forbids(base[part], state):
            return int(part == cell and state == local)
        return _NO_BOUND

    return bound


def _unlimited(_search: Search) -> bool:
    return False


def _unbounded(_part: int, _state: int) -> int:
    return _NO_BOUND
