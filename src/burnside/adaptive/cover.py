"""Reached annotated states: a shared part, a partition, and counts of local states for every cell.

An annotated state stands for all states that arise by permuting processes within cells. One state *subsumes* another
if it stands for all that the other one stands for. That is so if every cell of the other one that meets two of its own
cells is uniform, and the counts agree [Wahl07, theorem 4]. So per partition there is just one candidate, found by a
look-up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple, TypeAlias, final

from burnside.adaptive.partitions import Partition, meet
from burnside.adaptive.profiles import Counts
from burnside.adaptive.view import Shared
from burnside.values import dataclass, field

Spread: TypeAlias = tuple[int, ...]  # the number of a multiset for every cell of a partition
Plan: TypeAlias = tuple[
    tuple[tuple[int, int], ...], ...
]  # for every cell: the cells it meets, and how large the parts are


@final
class Multisets:
    """Multisets of local states by number, so that equal ones are compared and moved along at once."""

    def __init__(self) -> None:
        self.counts: list[Counts] = []
        self.occurring: list[int] = []  # the local states that occur, as bits
        self.rarest: list[int] = []
        self._numbers: dict[Counts, int] = {}
        self._moves: dict[tuple[int, int, int], int] = {}

    def number(self, counts: Counts) -> int:
        """The number of a multiset."""
        number = self._numbers.get(counts)
        if number is None:
            number = self._numbers[counts] = len(self.counts)
            self.counts.append(counts)
            self.occurring.append(sum(1 << local for local, _ in counts))
            self.rarest.append(min(counts, key=lambda entry: entry[1])[0] if counts else -1)
        return number

    def find(self, values: Iterable[int]) -> int | None:
        """The number of the multiset of some local states, if it has occurred."""
        return self._numbers.get(tuple(sorted(Counter(values).items())))

    def moved(self, number: int, old: int, new: int) -> int:
        """The multiset after one process has gone from a local state to another."""
        key = (number, old, new)
        found = self._moves.get(key)
        if found is None:
            counts = dict(self.counts[number])
            counts[old] -= 1
            counts[new] = counts.get(new, 0) + 1
            found = self._moves[key] = self.number(tuple(sorted((v, k) for v, k in counts.items() if k)))
        return found

    def union(self, numbers: Iterable[int]) -> int:
        """The multiset of all local states in some multisets."""
        total: dict[int, int] = {}
        for number in numbers:
            for local, count in self.counts[number]:
                total[local] = total.get(local, 0) + count
        return self.number(tuple(sorted(total.items())))


@final
class Partitions:
    """Partitions by number, with the relations between them remembered."""

    def __init__(self, multisets: Multisets) -> None:
        self.multisets = multisets
        self.all: list[Partition] = []
        self._numbers: dict[Partition, int] = {}
        self._meets: dict[tuple[int, int], tuple[int, tuple[tuple[int, ...], ...]]] = {}
        self._plans: dict[tuple[int, int], Plan] = {}
        self._straddling: dict[tuple[int, int], int] = {}

    def number(self, partition: Partition) -> int:
        """The number of a partition."""
        number = self._numbers.get(partition)
        if number is None:
            number = self._numbers[partition] = len(self.all)
            self.all.append(partition)
        return number

    def meet(self, p: int, q: int) -> tuple[int, tuple[tuple[int, ...], ...]]:
        """The meet of two partitions, and for every cell of the first one its parts in the meet."""
        key = (p, q)
        found = self._meets.get(key)
        if found is None:
            cells = meet(self.all[p], self.all[q])
            parts = tuple(tuple(k for k, c in enumerate(cells) if c & own) for own in self.all[p])
            found = self._meets[key] = self.number(cells), parts
        return found

    def plan(self, p: int, q: int) -> Plan:
        """How counts over ``q`` become counts over ``p``: the parts of every cell of q."""
        plan = self._plans.get((p, q))
        if plan is None:
            target = self.all[p]
            plan = self._plans[p, q] = tuple(
                tuple((k, (c & own).bit_count()) for k, c in enumerate(target) if c & own) for own in self.all[q]
            )
        return plan

    def straddling(self, p: int, q: int) -> int:
        """The cells of ``q`` that meet several cells of ``p``, as bits."""
        found = self._straddling.get((p, q))
        if found is None:
            found = sum(1 << k for k, parts in enumerate(self.plan(p, q)) if len(parts) > 1)
            self._straddling[p, q] = found
        return found

    def project(self, p: int, q: int, spread: Spread) -> Spread:
        """Counts over ``q`` as counts over ``p``; cells that meet several cells of ``p`` must be uniform."""
        multisets = self.multisets
        inside: list[list[int]] = [[] for _ in self.all[p]]
        for parts, number in zip(self.plan(p, q), spread, strict=True):
            if len(parts) == 1:
                inside[parts[0][0]].append(number)
            else:
                local = multisets.counts[number][0][0]
                for target, size in parts:
                    inside[target].append(multisets.number(((local, size),)))
        return tuple([found[0] if len(found) == 1 else multisets.union(found) for found in inside])


class Origin(NamedTuple):
    """How a state was reached: from which one, by which edge, how that one was spread, and who acted where."""

    parent: int
    edge: int
    partition: int
    spread: Spread
    cell: int
    local: int


Key: TypeAlias = tuple[Shared, int]  # the shared part, and the multiset of all local states
States: TypeAlias = dict[int, tuple[int, dict[Spread, int]]]  # by partition: hosts of the rarest local state, states


@final
@dataclass(slots=True)
class Bucket:
    """States that agree in the shared part and in the multiset of local states; ``fresh`` are those of one depth."""

    states: States = field(default_factory=dict)
    depth: int = -1
    fresh: list[int] = field(default_factory=list)


@final
@dataclass
class Cover:
    """The reached states by number, and by shared part and multiset of local states."""

    partitions: Partitions
    shared: list[Shared] = field(default_factory=list)
    total: list[int] = field(default_factory=list)
    partition: list[int] = field(default_factory=list)
    spread: list[Spread] = field(default_factory=list)
    depth: list[int] = field(default_factory=list)
    origin: list[Origin | None] = field(default_factory=list)
    dropped: set[int] = field(default_factory=set)  # subsumed before they were expanded
    cells: int = 0  # of all states together
    _mixed: list[int] = field(default_factory=list)
    _hosting: list[int] = field(default_factory=list)
    _index: dict[Key, Bucket] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.shared)

    def update(self, key: Key, partition: int, spread: Spread, depth: int, origin: Origin | None) -> int | None:
        """Algorithm 2: the number of the state if it is new, or None if another one subsumes it.

        States that it subsumes need not be expanded any more, but only those of its own level: to drop one that is
        nearer would lose the shortest ways through it.
        """
        mixed, hosts = self._marks(key, partition, spread)
        bucket = self._index.get(key)
        if bucket is None:
            bucket = self._index[key] = Bucket()
        elif self._is_subsumed(bucket.states, partition, spread, mixed, hosts):
            return None
        if bucket.depth != depth:
            bucket.depth, bucket.fresh = depth, []
        for number in bucket.fresh:
            if self._hosting[number] & ~hosts == 0 and self._subsumes(partition, spread, number):
                self.dropped.add(number)
        number = len(self.shared)
        self.shared.append(key[0])
        self.total.append(key[1])
        self.partition.append(partition)
        self.spread.append(spread)
        self.cells += len(spread)
        self._mixed.append(mixed)
        self._hosting.append(hosts)
        self.depth.append(depth)
        self.origin.append(origin)
        known, others = bucket.states.get(partition, (0, {}))
        others[spread] = number
        bucket.states[partition] = known | hosts, others
        bucket.fresh.append(number)
        return number

    def alike(self, shared: Shared, total: int) -> list[int]:
        """The states with a shared part and a multiset of local states: no others have states in common with them."""
        bucket = self._index.get((shared, total))
        return [] if bucket is None else [k for _, entries in bucket.states.values() for k in entries.values()]

    def _marks(self, key: Key, partition: int, spread: Spread) -> tuple[int, int]:
        """The cells that are not uniform, as bits, and the processes that may be in the rarest local state.

        Only a state in which these may be in it, too, can subsume this one.
        """
        multisets = self.partitions.multisets
        rarest, occurrences = multisets.rarest[key[1]], multisets.occurring
        mixed = hosts = 0
        position = 1
        for cell, number in zip(self.partitions.all[partition], spread, strict=True):
            occurring = occurrences[number]
            if occurring & (occurring - 1):
                mixed |= position
            if occurring >> rarest & 1:
                hosts |= cell
            position <<= 1
        return mixed, hosts

    def _is_subsumed(self, bucket: States, partition: int, spread: Spread, mixed: int, hosts: int) -> bool:
        own = bucket.get(partition)
        if own is not None and spread in own[1]:
            return True
        straddling, project = self.partitions.straddling, self.partitions.project
        for other, (known, entries) in bucket.items():
            if hosts & ~known or other == partition or straddling(other, partition) & mixed:
                continue
            if project(other, partition, spread) in entries:
                return True
        return False

    def _subsumes(self, partition: int, spread: Spread, number: int) -> bool:
        other = self.partition[number]
        if other == partition or self.partitions.straddling(partition, other) & self._mixed[number]:
            return False
        return self.partitions.project(partition, other, self.spread[number]) == spread
