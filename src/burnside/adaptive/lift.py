"""From annotated states back to runs of the model.

A state that an annotated state stands for has a predecessor among those that the parent stands for: permute, within the
cells, the step that was recorded. So a run is found backwards, from the state that was sought to an initial one.
"""

from __future__ import annotations

from collections.abc import Sequence

from burnside.adaptive.cover import Origin
from burnside.adaptive.partitions import members
from burnside.adaptive.profiles import apply_to_state
from burnside.adaptive.search import Found, Search
from burnside.ir.cells import State


def lift_path(search: Search, found: Found) -> tuple[State, ...]:
    """The states of a shortest run to a state that was found."""
    cover, view = search.cover, search.view
    number, vector = found.number, found.vector
    path = [view.join(cover.shared[number], vector)]
    while (origin := cover.origin[number]) is not None:
        before = predecessor(search, origin, vector)
        assert before is not None
        vector = before[0]
        number = origin.parent
        path.append(view.join(cover.shared[number], vector))
    return tuple(reversed(path))


def predecessor(search: Search, origin: Origin, wanted: Sequence[int]) -> tuple[tuple[int, ...], int | None] | None:
    """Local states before the recorded step, for a given arrangement after it, and who acts; None if nobody can."""
    edge = search.edges[origin.edge]
    before, actor = search.steps.arranged(origin.partition, origin.spread, edge, origin.cell, origin.local)
    shared = search.cover.shared[origin.parent]
    after = apply_to_state(search.view, edge.action, actor, shared, before)
    if not isinstance(after, tuple):
        return None
    moved = [0] * search.view.size
    acting: int | None = None
    for cell in search.partitions.all[origin.partition]:
        inside = members(cell)
        # Processes of one cell with equal local states may be exchanged, so they are simply paired in order.
        sources = sorted(inside, key=lambda p: after[1][p])
        targets = sorted(inside, key=lambda p: wanted[p])
        for source, target in zip(sources, targets, strict=True):
            moved[target] = before[source]
            acting = target if source == actor else acting
    return tuple(moved), acting
