"""Steps of annotated states: which edges are live, who acts, how the state is spread for it, and what comes of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeAlias, final

from burnside.adaptive.cover import Cover, Spread
from burnside.adaptive.edges import Edge
from burnside.adaptive.partitions import Partition, cell_of, is_finer, members
from burnside.adaptive.profiles import Counts, Effect, Profile, apply_to_state
from burnside.adaptive.spreading import Bound, Spreading, required_bound, unbounded
from burnside.adaptive.view import Shared, View
from burnside.ir.semantics import Fault

NoteFault: TypeAlias = Callable[[int, Iterable[int]], None]  # an annotated state, and local states of all processes


@final
class Steps:
    """What edges do to annotated states. Remembered are answers that depend on a partition and an edge alone."""

    def __init__(self, view: View, edges: Sequence[Edge], cover: Cover, spreading: Spreading, note: NoteFault) -> None:
        self._view = view
        self._edges = edges
        self._cover = cover
        self._partitions = cover.partitions
        self._multisets = cover.partitions.multisets
        self._spreading = spreading
        self._note_fault = note
        self._bases: dict[tuple[int, int], tuple[int, ...] | None] = {}
        self._live: dict[tuple[Shared, int], list[tuple[int, Edge, frozenset[int]]]] = {}
        self._acting: dict[tuple[int, int], list[tuple[int, int]]] = {}
        self._bounds: dict[tuple[Profile, int, int, int], Bound | None] = {}

    def live_edges(self, shared: Shared, total: int) -> list[tuple[int, Edge, frozenset[int]]]:
        """Edges that are not disabled by the shared part and the actor alone, with the local states of actors."""
        key = (shared, self._multisets.occurring[total])
        found = self._live.get(key)
        if found is None:
            vector = [local for local, _ in self._multisets.counts[total]]
            pairs = ((k, edge, edge.possible(shared, vector)) for k, edge in enumerate(self._edges))
            found = self._live[key] = [entry for entry in pairs if entry[2]]
        return found

    def of_edge(
        self,
        number: int,
        edge: Edge,
        acting: frozenset[int],
        refined: int,
        parts: tuple[tuple[int, ...], ...],
        spread: Spread,
    ) -> Iterator[tuple[int, int, Spread, Effect | tuple[Shared, Spread]]]:
        """What an edge does to an annotated state: who acts, how the state is spread, what comes out of it."""
        base, shared = self.base_of(edge, refined), self._cover.shared[number]
        for cell, local, profile in self._actors(edge, acting, refined, parts, shared, spread):
            if profile is not None and not profile.is_possible:
                continue
            bound = self._bound(edge, profile, base, refined, cell, local)
            if bound is None:
                continue
            for before in self._spreading.unwound(refined, parts, spread, bound, cell, local):
                after = self._outcome(number, edge, profile, base, refined, shared, before, cell, local)
                if after is not None:
                    yield cell, local, before, after

    def of_whole_cells(
        self, number: int, edge: Edge, acting: frozenset[int], refined: int, base: tuple[int, ...], spread: Spread
    ) -> Iterator[tuple[int, int, Spread, Effect | tuple[Shared, Spread]]]:
        """The same for an edge that splits no cell: most edges of a nearly symmetric system."""
        shared, every = self._cover.shared[number], self._multisets.counts
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
            able = ((k, cell & edge.actors) for k, cell in enumerate(self._partitions.all[refined]))
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
        cells = self._partitions.all[refined]
        for inside, multiset in zip(parts, spread, strict=True):
            vector = [local for local, _ in self._multisets.counts[multiset] if local in acting]
            for cell in inside if vector else ():
                able = cells[cell] & edge.actors
                if able:
                    process = (able & -able).bit_length() - 1
                    for local in vector:
                        yield cell, local, edge.profile(process, shared, local) if is_simple else None

    def base_of(self, edge: Edge, refined: int) -> tuple[int, ...] | None:
        """The cell of the syntactic partition around each cell, or None if that partition is finer somewhere."""
        key = (id(edge), refined)
        if key not in self._bases:
            cells = self._partitions.all[refined]
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
            return unbounded
        key = (profile, refined, cell, local)
        if key not in self._bounds:
            is_impossible = any(profile.own[k] for k in edge.required)
            self._bounds[key] = None if is_impossible else required_bound(profile, base, cell, local)
        return self._bounds[key]

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
            outcome = profile.effect(profile.answers([self._multisets.counts[m] for m in before], base))
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
            applied = apply_to_state(self._view, edge.action, actor, shared, vector)
            if isinstance(applied, tuple):
                counted = self._counted(self._partitions.all[refined], applied[1])
                return applied[0], tuple(map(self._multisets.number, counted))
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

    def moved(self, before: Spread, cell: int, local: int, effect: Effect) -> Spread:
        """The multisets after a step."""
        if effect.lowered:
            return tuple(self._lowered(m, effect, local if k == cell else -1) for k, m in enumerate(before))
        if cell < 0:
            return before
        return (*before[:cell], self._multisets.moved(before[cell], local, effect.local), *before[cell + 1 :])

    def moved_total(self, total: int, local: int, effect: Effect) -> int:
        """The multiset of all processes after a step."""
        if local >= 0 and not effect.lowered:
            return self._multisets.moved(total, local, effect.local)
        return self.moved((total,), 0 if local >= 0 else -1, local, effect)[0]

    def _lowered(self, multiset: int, effect: Effect, local: int) -> int:
        """A multiset after a step that takes flags from others; -1 as the local state says that nobody in it acts."""
        result: dict[int, int] = {effect.local: 1} if local >= 0 else {}
        for old, count in self._multisets.counts[multiset]:
            others = count - 1 if old == local else count
            new = self._view.lowered(old, effect.lowered)
            result[new] = result.get(new, 0) + others
        return self._multisets.number(tuple(sorted((v, k) for v, k in result.items() if k)))

    def arranged(
        self, partition: int, spread: Spread, edge: Edge, cell: int, local: int
    ) -> tuple[list[int], int | None]:
        """One of the states that counts stand for, and a process of ``cell`` in it that can act in ``local``."""
        vector = [0] * self._view.size
        actor: int | None = None
        for number, (mask, multiset) in enumerate(zip(self._partitions.all[partition], spread, strict=True)):
            inside = members(mask)
            values = [value for value, count in self._multisets.counts[multiset] for _ in range(count)]
            if number == cell:
                actor = next(p for p in inside if edge.actors >> p & 1)
                inside.remove(actor)
                values.remove(local)
                vector[actor] = local
            for process, value in zip(inside, values, strict=True):
                vector[process] = value
        return vector, actor
