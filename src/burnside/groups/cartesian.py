"""Coordinates of a product action, such as that of the cube's group on its corners.

The group of the cube permutes the corners without blocks that would show its structure. The structure shows on the
facets, which can be found again from the corners: in a graph on the points that the group preserves, opposite sides
of a square, and the sides of a triangle, belong to the same direction; removing one direction leaves the facets.
Everything here is defined by the graph alone, so the group acts on the result whatever the graph is.
"""

from __future__ import annotations

from itertools import combinations

from burnside.groups.blocks import minimal_blocks
from burnside.groups.group import PermGroup
from burnside.groups.work import Work

Edge = tuple[int, int]

_WIDEST = 24  # larger neighbourhoods are not tried


def facets(group: PermGroup, target: int, work: Work) -> tuple[tuple[int, ...], ...]:
    """The facets of the graph with the edges ``{0, target}^g`` of a transitive group; none if it has no directions."""
    neighbours = _orbital_graph(group, target, work)
    if not neighbours or not 2 <= len(neighbours[0]) <= _WIDEST:
        return ()
    work.spend(len(neighbours) * len(neighbours[0]) ** 3)
    directions = _directions(neighbours)
    if not 2 <= len(directions) <= len(neighbours[0]):
        return ()
    edges = {edge for direction in directions for edge in direction}
    work.spend(len(directions) * (group.degree + len(edges)))
    found = [
        facet for direction in directions for facet in minimal_blocks(group.degree, (), edges.difference(direction))
    ]
    return tuple(found) if len(set(found)) == len(found) <= group.degree else ()


def _orbital_graph(group: PermGroup, target: int, work: Work) -> list[set[int]]:
    """The neighbours of every point, edges undirected."""
    neighbours: list[set[int]] = [set() for _ in range(group.degree)]
    queue = [(0, target)]
    neighbours[0].add(target)
    for p, q in queue:
        work.spend(len(group.generators))
        for g in group.generators:
            if g[q] not in neighbours[g[p]]:
                neighbours[g[p]].add(g[q])
                queue.append((g[p], g[q]))
        if len(neighbours[p]) > _WIDEST:
            return []
    for p, q in queue:
        neighbours[q].add(p)
    return neighbours


def _directions(neighbours: list[set[int]]) -> list[list[Edge]]:
    """Classes of edges: opposite sides of a square without diagonals that is the only one on its corners, sides
    of a triangle.
    """
    edges = [(p, q) for p, around in enumerate(neighbours) for q in sorted(around) if p < q]
    place = {edge: k for k, edge in enumerate(edges)}
    alike = []
    for p, around in enumerate(neighbours):
        for a, b in combinations(sorted(around), 2):
            if b in neighbours[a]:
                alike.append((_number(place, p, a), _number(place, p, b)))
                continue
            corners = neighbours[a] & neighbours[b]
            if len(corners) == 2:
                (opposite,) = corners - {p}
                alike.append((_number(place, p, a), _number(place, b, opposite)))
                alike.append((_number(place, p, b), _number(place, a, opposite)))
    return [[edges[k] for k in block] for block in minimal_blocks(len(edges), (), alike)]


def _number(place: dict[Edge, int], p: int, q: int) -> int:
    return place[(p, q) if p < q else (q, p)]
