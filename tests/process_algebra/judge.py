"""Claims about a graph of `machine`, decided from their definitions; how far away the nearest violation is.

None of the package's code is used. A verdict is a pair: whether the claim holds, and the length of a shortest run that
decides it, or None where that is not defined.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Any

import igraph

from process_algebra.machine import TAU, TICK, Graph, Store, value
from process_algebra.texts import Tree

Verdict = tuple[bool, int | None]


def nearest(graph: Graph, states: Iterable[int]) -> int | None:
    """The least distance of some states."""
    return min((graph.distance[s] for s in states), default=None)


def absent(graph: Graph, states: Iterable[int]) -> Verdict:
    """The claim that none of some states is there."""
    found = nearest(graph, states)
    return found is None, found


def store_of(graph: Graph, state: int) -> Store:
    """The variables in a state."""
    found: Store = graph.states[state][1]
    return found


def stuck(graph: Graph) -> list[int]:
    """States without a step."""
    return [s for s, edges in enumerate(graph.edges) if not edges]


def reaching(graph: Graph, condition: Tree) -> list[int]:
    """States in which a condition holds."""
    return [s for s in range(len(graph.states)) if value(condition, store_of(graph, s), {})]


# ---------------------------------------------------------------- events


def label_of(graph: Graph, label: Any, target: int) -> Any:
    """A label, with the end told from an event of its name."""
    return "end" if target in graph.ended and label == TICK else label


def moves(graph: Graph, state: int) -> list[tuple[Any, int]]:
    """What a state can do."""
    return [(label_of(graph, label, target), target) for label, target, _ in graph.edges[state]]


def divergent(graph: Graph) -> set[int]:
    """States from which taus can go on for ever: those left when ends of chains of taus are removed."""
    able = set(range(len(graph.states)))
    while True:
        kept = {s for s in able if any(label == TAU and t in able for label, t in moves(graph, s))}
        if kept == able:
            return able
        able = kept


def settled(graph: Graph, states: Iterable[int]) -> frozenset[int]:
    """Some states, and all that taus lead to."""
    found, pending = set[int](), list(states)
    while pending:
        state = pending.pop()
        if state not in found:
            found.add(state)
            pending += [t for label, t in moves(graph, state) if label == TAU]
    return frozenset(found)


def step_of(graph: Graph, node: frozenset[int], event: Any) -> frozenset[int]:
    """What a visible event leads to from some states."""
    return settled(graph, [t for s in node for label, t in moves(graph, s) if label == event])


def refusals_exceed(mine: frozenset[Any], others: Iterable[frozenset[Any]]) -> bool:
    """Whether what is refused by offering ``mine`` is refused by none of the others: each offers something more."""
    return all(other - mine for other in others)


def offers(graph: Graph, state: int) -> frozenset[Any] | None:
    """What a state offers when it waits; None if it does not. One that can end may do just that."""
    labels = {label for label, _ in moves(graph, state)}
    if "end" in labels:
        return frozenset({"end"})
    return None if TAU in labels else frozenset(labels)


def refinement(graph: Graph, other: Graph, model: str) -> Verdict:
    """Whether every trace (and failure, and divergence) of one process is one of the other."""
    bad, others_bad = divergent(graph), divergent(other)
    level = {(0, settled(other, [0]))}
    seen, length = set(level), 0
    while level:
        following = set()
        is_bad_step = False
        for state, node in level:
            if model == "FD" and node & others_bad:
                continue
            own = offers(graph, state)
            accepted = [a for s in node if (a := offers(other, s)) is not None]
            refuses = model != "T" and own is not None and refusals_exceed(own, accepted)
            if refuses or (model == "FD" and state in bad):
                return False, length
            for label, target in moves(graph, state):
                after = node if label == TAU else step_of(other, node, label)
                is_bad_step |= not after
                following.add((target, after))
        if is_bad_step:
            return False, length + 1
        level = following - seen
        seen |= level
        length += 1
    return True, None


def determinism(graph: Graph) -> Verdict:
    """No divergence, and nothing both possible and refusable after the same events."""
    bad = divergent(graph)
    pending = [settled(graph, [0])]
    seen = set(pending)
    while pending:
        node = pending.pop()
        possible = {label for s in node for label, _ in moves(graph, s)} - {TAU}
        waiting = [a for s in node if (a := offers(graph, s)) is not None]
        if node & bad or any(possible - a for a in waiting):
            return False, None
        for label in possible:
            after = step_of(graph, node, label)
            if after not in seen:
                seen.add(after)
                pending.append(after)
    return True, None


# ---------------------------------------------------------------- infinite runs


Edge = tuple[int, int, frozenset[Hashable], bool]  # from, to, who acts, whether the atom holds at this moment


def temporal(graph: Graph, operators: str, sign: str, atom: Tree, fairness: str) -> bool:
    """Whether all fair runs satisfy ``[]<> a``, ``<> a``, ``[] a`` or ``<>[] a``, perhaps with a negated atom."""
    edges = list(moments(graph, atom, sign == "!", fairness))
    enabled: dict[int, set[Hashable]] = {}
    for source, _, who, _ in edges:
        enabled.setdefault(source, set()).update(who)
    quiet = [e for e in edges if not e[3]]
    states = set(range(len(graph.states)))
    if operators == "[]":
        return not quiet
    if operators == "<>":
        reached = closure(quiet, {0})
        return not has_fair_loop(reached, quiet, enabled, fairness, lambda _: True)
    if operators == "[]<>":
        return not has_fair_loop(states, quiet, enabled, fairness, lambda _: True)
    return not has_fair_loop(states, edges, enabled, fairness, lambda e: not e[3])


def moments(graph: Graph, atom: Tree, negated: bool, fairness: str) -> Iterable[Edge]:
    """Every step, and staying for ever where there is none."""
    for state, edges in enumerate(graph.edges):
        for number, (label, target, movers) in enumerate(edges):
            who: frozenset[Hashable] = movers
            if fairness.endswith("events"):
                who = frozenset([label_of(graph, label, target)])
            elif fairness == "global":
                who = frozenset([(state, number)])
            yield state, target, who, holds(graph, atom, state, label) != negated
        if not edges:
            yield state, state, frozenset(), holds(graph, atom, state, None) != negated


def holds(graph: Graph, atom: Tree, state: int, label: Any) -> bool:
    """Whether an atom holds at a moment."""
    if atom[0] == "holds":
        return bool(value(atom[1], store_of(graph, state), {}))
    return bool(label == (atom[1], tuple(a[1] for a in atom[2])))


def closure(edges: Iterable[Edge], start: set[int]) -> set[int]:
    """What edges lead to."""
    after: dict[int, set[int]] = {}
    for source, target, _, _ in edges:
        after.setdefault(source, set()).add(target)
    found, pending = set(start), list(start)
    while pending:
        for target in after.get(pending.pop(), ()):
            if target not in found:
                found.add(target)
                pending.append(target)
    return found


def has_fair_loop(
    states: set[int],
    edges: list[Edge],
    enabled: dict[int, set[Hashable]],
    fairness: str,
    is_wanted: Callable[[Edge], bool],
) -> bool:
    """Whether some edges have a fair circle with a wanted one, within some states."""
    inside = [e for e in edges if e[0] in states and e[1] in states]
    order = sorted(states)
    place = {s: k for k, s in enumerate(order)}
    drawn = igraph.Graph(len(order), [(place[e[0]], place[e[1]]) for e in inside], directed=True)
    for component in drawn.connected_components(mode="strong"):
        here = {order[k] for k in component}
        own = [e for e in inside if e[0] in here and e[1] in here]
        if not any(map(is_wanted, own)):
            continue
        acting = {u for e in own for u in e[2]}
        could = [enabled[s] for s in here]
        if fairness == "none":
            return True
        if fairness.startswith("weak"):
            if not set.intersection(*could) - acting:
                return True
            continue
        unfair = set.union(*could) - acting
        if not unfair:
            return True
        rest = {s for s in here if not enabled[s] & unfair}
        if rest and has_fair_loop(rest, own, enabled, fairness, is_wanted):
            return True
    return False
