"""Automorphism groups of coloured graphs, by BLISS through ``igraph``.

BLISS gives generators or the order of the group, not both at once. So it is asked for what is needed; the order
of a group that moves a small part of a graph follows from its generators, which is quicker than asking again.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final, final

from burnside.graph.coloured import ColouredGraph
from burnside.groups import OutOfWork, PermGroup, Work, group_order
from burnside.values import dataclass

if TYPE_CHECKING:
    import igraph

_MOST_IMAGES: Final = 20_000  # of points under generators: more take as long to number as BLISS takes to count
_MOST_WORK: Final = 100_000  # a hundredth of a second
_BLISS_AHEAD: Final = 16  # vertices and edges that BLISS goes through while we go through a point


@final
@dataclass(frozen=True)
class Automorphisms:
    """Generators as lists of images, and the exact order of the group they generate."""

    graph: ColouredGraph
    generators: tuple[tuple[int, ...], ...]

    @cached_property
    def order(self) -> int:
        """The exact order, from the generators if that is easy."""
        moved = sorted({p for g in self.generators for p, image in enumerate(g) if p != image})
        is_small_part = _BLISS_AHEAD * len(moved) < len(self.graph) + len(self.graph.edges)
        if is_small_part and len(moved) * len(self.generators) <= _MOST_IMAGES:
            try:
                return group_order(self._on(moved), work=Work(_MOST_WORK))
            except OutOfWork:
                pass
        return count_automorphisms(self.graph)

    def _on(self, points: list[int]) -> PermGroup:
        place = {point: k for k, point in enumerate(points)}
        return PermGroup(len(points), tuple(tuple(place[g[p]] for p in points) for g in self.generators))


def automorphisms(graph: ColouredGraph) -> Automorphisms:
    """All colour-preserving automorphisms."""
    if len(graph) == 0:
        return Automorphisms(graph, ())
    generators = _native(graph).automorphism_group(color=list(graph.colour_numbers))
    return Automorphisms(graph, tuple(sorted(map(tuple, generators))))


def count_automorphisms(graph: ColouredGraph) -> int:
    """How many there are."""
    if len(graph) == 0:
        return 1
    return int(_native(graph).count_automorphisms(color=list(graph.colour_numbers)))


def _native(graph: ColouredGraph) -> igraph.Graph:
    import igraph  # costs a noticeable part of a small run, so only here

    return igraph.Graph(n=len(graph), edges=graph.edges)
