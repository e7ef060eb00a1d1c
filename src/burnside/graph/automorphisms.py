"""Automorphism groups of coloured graphs, by BLISS through ``igraph``.

BLISS gives generators or the order of the group, not both at once. So it is asked for what is needed; the order
follows from the generators if that is quicker than asking again.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import cache, cached_property
from importlib.machinery import PathFinder
from importlib.util import find_spec, module_from_spec
from typing import Any, Final, final

from burnside.graph.coloured import ColouredGraph
from burnside.groups import OutOfWork, PermGroup, Work, group_order
from burnside.values import dataclass

_COMPILED: Final = "igraph._igraph"
_WORK_PER_EDGE: Final = 8  # images of points: a tenth of what BLISS takes to count
_LEAST_WORK: Final = 100_000  # a hundredth of a second


@final
@dataclass(frozen=True)
class Automorphisms:
    """Generators as lists of images, and the exact order of the group they generate.

    An automorphism that fixes all ``telling`` vertices fixes every vertex.
    """

    graph: ColouredGraph
    generators: tuple[tuple[int, ...], ...]
    telling: Sequence[int]

    @cached_property
    def order(self) -> int:
        """The exact order, from the generators if that is easy."""
        work = Work(max(_LEAST_WORK, _WORK_PER_EDGE * len(self.graph.edges)))
        try:
            work.spend(len(self.telling) * len(self.generators))
            moved = sorted({p for g in self.generators for p in self.telling if g[p] != p})
            return group_order(self._on(moved), work=work)
        except OutOfWork:
            return count_automorphisms(self.graph)

    def _on(self, points: list[int]) -> PermGroup:
        place = {point: k for k, point in enumerate(points)}
        return PermGroup(len(points), tuple(tuple(place[g[p]] for p in points) for g in self.generators))


def automorphisms(graph: ColouredGraph, telling: Sequence[int] | None = None) -> Automorphisms:
    """All colour-preserving automorphisms; ``telling`` vertices are such that whatever fixes them fixes all."""
    if len(graph) == 0:
        return Automorphisms(graph, (), ())
    generators = _native(graph).automorphism_group(color=list(graph.colour_numbers))
    points = range(len(graph)) if telling is None else telling
    return Automorphisms(graph, tuple(sorted(map(tuple, generators))), points)


def count_automorphisms(graph: ColouredGraph) -> int:
    """How many there are."""
    if len(graph) == 0:
        return 1
    return int(_native(graph).count_automorphisms(color=list(graph.colour_numbers)))


def _native(graph: ColouredGraph) -> Any:
    return _igraph().GraphBase(len(graph), graph.edges)


@cache
def _igraph() -> Any:
    """The compiled part of ``igraph`` alone: the package around it, for drawing and much else, takes longer to load
    than most models to be read and searched. Whoever imports the package afterwards gets the same one.
    """
    if _COMPILED in sys.modules:
        return sys.modules[_COMPILED]
    package = find_spec("igraph")
    spec = PathFinder.find_spec(_COMPILED, package.submodule_search_locations) if package else None
    if spec is None or spec.loader is None:
        import igraph

        return igraph
    compiled = module_from_spec(spec)
    spec.loader.exec_module(compiled)
    sys.modules[_COMPILED] = compiled
    return compiled
