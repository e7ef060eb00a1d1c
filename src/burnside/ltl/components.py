"""Strongly connected components."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence


def strong_components(graph: Sequence[Sequence[int]]) -> list[list[int]]:
    """Strongly connected components, each after those it leads to [Tarjan72]; no recursion."""
    order: dict[int, int] = {}
    low: dict[int, int] = {}
    open_states: list[int] = []
    closed: set[int] = set()
    found: list[list[int]] = []
    for start in range(len(graph)):
        waiting = [(start, iter(graph[start]))] if start not in order else []
        while waiting:
            q, targets = waiting[-1]
            if q not in order:
                order[q] = low[q] = len(order)
                open_states.append(q)
            onward = next((t for t in targets if _sees(q, t, order, low, closed)), None)
            if onward is not None:
                waiting.append((onward, iter(graph[onward])))
                continue
            waiting.pop()
            if waiting:
                before = waiting[-1][0]
                low[before] = min(low[before], low[q])
            if low[q] == order[q]:
                at = open_states.index(q)
                found.append(open_states[at:])
                closed |= set(open_states[at:])
                del open_states[at:]
    return found


def _sees(q: int, target: int, order: Mapping[int, int], low: dict[int, int], closed: Collection[int]) -> bool:
    """Whether a target is new; an open one bounds what ``q`` can reach."""
    if target not in order:
        return True
    if target not in closed:
        low[q] = min(low[q], order[target])
    return False
