"""Partitions of actors that are refined by references, forwards and backwards.

Two actors in one cell look alike as far as one has looked: same class, same plain values, and for every position of the
list of references the same number of references to (and from) every cell. Refinement looks until nothing changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias, final

from burnside.ir.topology import Topology

# What refinement has seen: equal for partitions that some symmetry exchanges.
Seen: TypeAlias = list[tuple[int, ...]]


@final
class Links:
    """References by position, and who has them."""

    def __init__(self, topology: Topology) -> None:
        self.size = len(topology.actors)
        self.forwards = [actor.references for actor in topology.actors]
        self.backwards: list[list[tuple[int, int]]] = [[] for _ in topology.actors]
        for number, actor in enumerate(topology.actors):
            for position, reference in enumerate(actor.references):
                if reference is not None:
                    self.backwards[reference].append((position, number))


@final
class Partition:
    """Cells of actors by number; numbers are given in an order that does not depend on how actors are numbered."""

    def __init__(self, links: Links, cells: list[list[int]], place: list[int]) -> None:
        self._links = links
        self.cells = cells
        self.place = place

    @staticmethod
    def at_first(topology: Topology, links: Links) -> Partition:
        """Actors with the same class, the same values and the same pattern of missing references."""
        found: dict[object, list[int]] = {}
        for number, actor in enumerate(topology.actors):
            own = tuple(None if r is None else r == number for r in actor.references)
            found.setdefault((actor.kind, actor.plain, own), []).append(number)
        cells = [found[key] for key in sorted(found, key=repr)]
        place = [0] * links.size
        for cell, members in enumerate(cells):
            for member in members:
                place[member] = cell
        return Partition(links, cells, place)

    def copy(self) -> Partition:
        """A partition that can be refined without changing this one."""
        return Partition(self._links, list(self.cells), list(self.place))

    def single_out(self, actor: int) -> Seen:
        """Give an actor a cell of its own, and refine."""
        cell = self.place[actor]
        rest = [member for member in self.cells[cell] if member != actor]
        self.cells[cell] = rest
        self.place[actor] = len(self.cells)
        self.cells.append([actor])
        return self.refine([len(self.cells) - 1])

    def refine(self, splitters: Iterable[int]) -> Seen:
        """Split cells by their references to and from the splitters until nothing changes."""
        seen: Seen = []
        waiting = list(splitters)
        waiting_set = set(waiting)
        while waiting:
            splitter = waiting.pop(0)
            waiting_set.discard(splitter)
            for members in self._touched(self.cells[splitter]):
                for new in self._split(members, seen):
                    if new not in waiting_set:
                        waiting.append(new)
                        waiting_set.add(new)
        return seen

    def _touched(self, splitter: Sequence[int]) -> Iterable[dict[int, int]]:
        """How often each actor is referred to from the splitter, and refers to it, by position."""
        forwards: dict[int, dict[int, int]] = {}
        backwards: dict[int, dict[int, int]] = {}
        for member in splitter:
            for position, reference in enumerate(self._links.forwards[member]):
                if reference is not None:
                    counts = forwards.setdefault(position, {})
                    counts[reference] = counts.get(reference, 0) + 1
            for position, source in self._links.backwards[member]:
                backwards.setdefault(position, {})[source] = 1
        yield from (forwards[position] for position in sorted(forwards))
        yield from (backwards[position] for position in sorted(backwards))

    def _split(self, counts: dict[int, int], seen: Seen) -> Iterable[int]:
        by_cell: dict[int, dict[int, list[int]]] = {}
        for actor, count in counts.items():
            by_cell.setdefault(self.place[actor], {}).setdefault(count, []).append(actor)
        for cell in sorted(by_cell):
            parts = by_cell[cell]
            touched = sum(map(len, parts.values()))
            untouched = len(self.cells[cell]) - touched
            seen.append((cell, untouched, *(x for count in sorted(parts) for x in (count, len(parts[count])))))
            if untouched == 0 and len(parts) == 1:
                continue
            yield from self._cut(cell, [parts[count] for count in sorted(parts)], keeps_rest=untouched > 0)

    def _cut(self, cell: int, parts: list[list[int]], *, keeps_rest: bool) -> Iterable[int]:
        leaving = parts if keeps_rest else parts[1:]
        gone = {actor for part in leaving for actor in part}
        self.cells[cell] = [actor for actor in self.cells[cell] if actor not in gone]
        yield cell
        for part in leaving:
            number = len(self.cells)
            self.cells.append(sorted(part))
            for actor in part:
                self.place[actor] = number
            yield number
