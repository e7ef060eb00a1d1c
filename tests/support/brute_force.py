"""Symmetries by looking at all states: the judge of detection.

Works on the explicit graph of reachable states through ``ir/semantics.py`` alone.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from burnside.detect.literals import Literals
from burnside.detect.symmetry import Symmetry
from burnside.graph.automorphisms import automorphisms
from burnside.graph.coloured import ColouredGraph, Kind
from burnside.groups import Perm, PermGroup, group_order
from burnside.ir.cells import State
from burnside.ir.initial import initial
from burnside.ir.nodes import Model
from burnside.ir.semantics import Fault, successors

FAULT: State = ()


@dataclass(frozen=True)
class StateGraph:
    """All reachable states, the initial ones, and transitions (state, event, state); a fault leads to ``FAULT``."""

    states: frozenset[State]
    initial: frozenset[State]
    transitions: frozenset[tuple[State, str, State]]


class TooManyStates(Exception):
    """The model is not small."""


def state_graph(model: Model, most: int = 2000) -> StateGraph:
    """Explore a model completely."""
    start = frozenset(initial(model))
    seen, queue = set(start), deque(sorted(start))
    transitions = set()
    while queue:
        state = queue.popleft()
        if len(seen) > most:
            raise TooManyStates
        for outcome in successors(model, state):
            assert outcome.rule is not None
            after = FAULT if isinstance(outcome, Fault) else outcome.state
            transitions.add((state, outcome.rule.event.name, after))
            if after != FAULT and after not in seen:
                seen.add(after)
                queue.append(after)
    return StateGraph(frozenset(seen), start, frozenset(transitions))


def is_automorphism(graph: StateGraph, literals: Literals, perm: Perm) -> bool:
    """Whether a permutation of literals maps the state graph onto itself."""

    def image(state: State) -> State:
        return FAULT if state == FAULT else literals.apply(perm, state)

    return (
        {image(s) for s in graph.states} == graph.states
        and {image(s) for s in graph.initial} == graph.initial
        and {(image(s), e, image(t)) for s, e, t in graph.transitions} == graph.transitions
    )


def order_on_states(graph: StateGraph, literals: Literals, generators: Iterable[Perm]) -> int:
    """In how many ways permutations of literals move the reachable states: what fixes all of them does not count."""
    states = sorted(graph.states)
    number = {state: k for k, state in enumerate(states)}
    moved = tuple(tuple(number[literals.apply(g, state)] for state in states) for g in generators)
    return group_order(PermGroup(len(states), moved))


def _occurring(graph: StateGraph) -> list[tuple[int, int]]:
    """The literals that hold in some reachable state, of cells that take more than one value."""
    pairs = {(c, v) for s in graph.states for c, v in enumerate(s)}
    varying = {c for c, _ in pairs if sum(1 for d, _ in pairs if d == c) > 1}
    return sorted(p for p in pairs if p[0] in varying)


def true_order(graph: StateGraph, fixed: Collection[int] = ()) -> int:
    """In how many ways permutations of occurring literals (cells to cells) map the state graph onto itself.

    Of ``fixed`` cells only those count that keep values. The explicit graph as a coloured graph: literals tied to their
    cells, states tied to their literals, a vertex per transition between its ends (source and target told apart by
    colour).
    """
    literals = _occurring(graph)
    kinds: list[Kind] = []
    edges: list[tuple[int, int]] = []

    def vertex(kind: Kind, neighbours: Sequence[int] = ()) -> int:
        kinds.append(kind)
        edges.extend((len(kinds) - 1, n) for n in neighbours)
        return len(kinds) - 1

    of_literal = {p: vertex(("literal", p[1]) if p[0] in fixed else ("literal",)) for p in literals}
    for cell in sorted({c for c, _ in literals}):
        vertex(("cell",), [of_literal[p] for p in literals if p[0] == cell])
    of_state = {
        s: vertex(
            ("initial",) if s in graph.initial else ("state",),
            [of_literal[c, v] for c, v in enumerate(s) if (c, v) in of_literal],
        )
        for s in sorted(graph.states)
    }
    of_state[FAULT] = vertex(("fault",))
    for source, event, target in sorted(graph.transitions):
        start = vertex(("from", event), [of_state[source]])
        vertex(("to", event), [of_state[target], start])
    found = automorphisms(ColouredGraph(tuple((kind, 0) for kind in kinds), tuple(edges)))
    number = {vertex: k for k, vertex in enumerate(of_state.values())}
    return group_order(PermGroup(len(number), tuple(tuple(number[g[v]] for v in number) for g in found.generators)))


def orbits_of(states: Collection[State], symmetry: Symmetry) -> list[set[State]]:
    """Orbits of states under the generators, by union-find."""
    orbit_of = {s: {s} for s in states}
    for state in states:
        for generator in symmetry.group.generators:
            one, other = orbit_of[state], orbit_of[symmetry.literals.apply(generator, state)]
            if one is not other:
                one |= other
                for member in other:
                    orbit_of[member] = one
    return list({id(o): o for o in orbit_of.values()}.values())
