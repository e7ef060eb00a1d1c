"""The symmetries of a topology: all permutations that keep Definitions 3 and 4 and the initial state.

The algorithm of [JaghooriEtAl05] follows known rebecs from a pair that is assumed to be exchanged. As printed it
follows them forwards only, does not ask whether the map is one-to-one, and gives orbits instead of a group. Here
references are followed in both directions (`partition`), every map is completed and checked, and maps are sought along
a chain of stabilisers, so that the order is exact: an actor is singled out after the other, and at each level of the
chain the actors that the next one can be mapped to are counted.

Refinement takes a time proportional to the references it looks at, times a logarithm; there are at most as many levels
as actors. Where refinement alone decides (rings, stars, trees and their combinations) the whole search is polynomial.
In general it cannot be: actors that know two others are the edges of any graph one likes, so the problem is that of
isomorphism of graphs. There the search tries alternatives.
"""

from __future__ import annotations

from typing import final

from burnside.actors.partition import Links, Partition
from burnside.groups import Perm, PermGroup
from burnside.ir.topology import Topology
from burnside.values import dataclass


@final
@dataclass(frozen=True)
class ActorSymmetry:
    """The group on the actors of a topology, its order known."""

    topology: Topology
    group: PermGroup

    @property
    def order(self) -> int:
        """How many permutations there are."""
        return self.group.order or 1

    @property
    def orbits(self) -> list[list[str]]:
        """Which actors can take the place of which, in the order of the text."""
        return [[self.topology.actors[a].name for a in orbit] for orbit in self.group.orbits]


def find_symmetries(topology: Topology) -> ActorSymmetry:
    """All permutations of actors that keep what has to be kept."""
    return _Search(topology).run()


@final
class _Search:
    def __init__(self, topology: Topology) -> None:
        self._topology = topology
        self._links = Links(topology)
        self._generators: list[Perm] = []
        self._union = list(range(len(topology.actors)))

    def run(self) -> ActorSymmetry:
        """From the deepest level of the chain up: what is found below holds above as well."""
        partition = Partition.at_first(self._topology, self._links)
        partition.refine(range(len(partition.cells)))
        levels: list[tuple[Partition, int]] = []
        while (actor := _next_actor(partition)) is not None:
            levels.append((partition.copy(), actor))
            partition.single_out(actor)
        order = 1
        for before, actor in reversed(levels):
            order *= self._level(before, actor)
        size = len(self._topology.actors)
        return ActorSymmetry(self._topology, PermGroup(size, tuple(self._generators), order))

    def _level(self, partition: Partition, actor: int) -> int:
        """How many actors this one can be mapped to while those singled out before stay where they are."""
        refused: set[int] = set()
        cell = sorted(partition.cells[partition.place[actor]])
        for other in cell:
            root = self._root(other)
            if root == self._root(actor) or root in refused:
                continue
            found = self._map(partition, partition, actor, other)
            if found is None:
                refused.add(root)
                continue
            self._generators.append(found)
            for point, image in enumerate(found):
                self._union[self._root(point)] = self._root(image)
            refused = {self._root(r) for r in refused}
        home = self._root(actor)
        return sum(self._root(other) == home for other in cell)

    def _root(self, actor: int) -> int:
        while self._union[actor] != actor:
            self._union[actor] = self._union[self._union[actor]]
            actor = self._union[actor]
        return actor

    # ------------------------------------------------------------ maps

    def _map(self, one: Partition, other: Partition, actor: int, image: int) -> Perm | None:
        """A symmetry that takes cells to cells and one actor to another."""
        first, second = one.copy(), other.copy()
        if first.single_out(actor) != second.single_out(image):
            return None
        return self._complete(first, second)

    def _complete(self, one: Partition, other: Partition) -> Perm | None:
        """A symmetry that takes cells to cells."""
        if [len(c) for c in one.cells] != [len(c) for c in other.cells]:
            return None
        guess = _guess(one, other)
        broken = self._first_broken(guess)
        if broken is None:
            return guess
        # Whatever repairs the guess moves this actor or one that it refers to elsewhere.
        suspects = (broken, *(r for r in self._links.forwards[broken] if r is not None))
        actor = next((a for a in suspects if len(one.cells[one.place[a]]) > 1), None)
        if actor is None:
            return None
        images = (self._map(one, other, actor, image) for image in other.cells[one.place[actor]])
        return next((found for found in images if found is not None), None)

    def _first_broken(self, guess: Perm) -> int | None:
        """An actor whose references a permutation does not keep; cells see to classes and plain values."""
        for actor, image in enumerate(guess):
            moved = tuple(None if r is None else guess[r] for r in self._links.forwards[actor])
            if moved != self._links.forwards[image]:
                return actor
        return None


def _next_actor(partition: Partition) -> int | None:
    """The least actor of the first cell with several."""
    return next((min(cell) for cell in partition.cells if len(cell) > 1), None)


def _guess(one: Partition, other: Partition) -> Perm:
    """A permutation that takes cells to cells and moves as little as possible."""
    images = [0] * len(one.place)
    for cell, target in zip(one.cells, other.cells, strict=True):
        stay = set(cell) & set(target)
        for actor in stay:
            images[actor] = actor
        moved = (sorted(a for a in members if a not in stay) for members in (cell, target))
        for actor, image in zip(*moved, strict=True):
            images[actor] = image
    return tuple(images)
