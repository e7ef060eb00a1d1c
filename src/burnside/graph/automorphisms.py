"""Automorphism groups of coloured graphs, by BLISS through ``igraph``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from burnside.graph.coloured import ColouredGraph


@final
@dataclass(frozen=True, slots=True)
class Automorphisms:
    """Generators as lists of images, and the exact order of the group they generate."""

    generators: tuple[tuple[int, ...], ...]
    order: int


def automorphisms(graph: ColouredGraph) -> Automorphisms:
    """All colour-preserving automorphisms."""
    if len(graph) == 0:
        return Automorphisms((), 1)
    import igraph  # costs a noticeable part of a small run, so only here

    native = igraph.Graph(n=len(graph), edges=graph.edges)
    colours = list(graph.colour_numbers)
    generators = native.automorphism_group(color=colours)
    order = native.count_automorphisms(color=colours)
    return Automorphisms(tuple(sorted(map(tuple, generators))), int(order))
