"""Infinite runs of tiny models, state by state: what claims about runs are judged by.

Only ``ir/semantics.py`` and the automaton are taken from the product; who acts, what is fair and how a cycle is found
is written down once more here, in the plainest way.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import igraph

from burnside.claims.kinds import EventTest, Fairness
from burnside.ir.cells import Cells, State
from burnside.ir.initial import initial
from burnside.ir.instances import instances_of
from burnside.ir.nodes import Expr, Model
from burnside.ir.semantics import Step, evaluate, fire
from burnside.ltl.automaton import Automaton

Node = tuple[State, int]


@dataclass(frozen=True)
class ExplicitEdge:
    """A step of the product."""

    source: Node
    target: Node
    marks: frozenset[int]
    acting: str


class Runs:
    """What holds in the steps of a model, who takes them, and who could."""

    def __init__(self, model: Model, atoms: Mapping[str, Expr | EventTest], fairness: Fairness) -> None:
        self.cells = Cells(model)
        self.model = model
        self.atoms = atoms
        self.fairness = fairness
        self.instances = [(i.rule, i.arguments) for i in instances_of(model)]
        self._steps: dict[State, list[tuple[int | None, State]]] = {}

    def steps(self, state: State) -> list[tuple[int | None, State]]:
        """The instances that can fire, with the states they lead to; one that stays if there are none."""
        if state not in self._steps:
            found: list[tuple[int | None, State]] = []
            for number, (rule, args) in enumerate(self.instances):
                outcome = fire(self.cells, rule, args, state)
                if isinstance(outcome, Step):
                    found.append((number, outcome.state))
            self._steps[state] = found or [(None, state)]
        return self._steps[state]

    def actor(self, state: State, number: int | None) -> str:
        """Who acts: the process of the first parameter, a rule without one by itself; or an event, or a step."""
        if number is None:
            return ""
        if self.fairness is Fairness.GLOBAL:
            return str((state, number))
        rule, args = self.instances[number]
        if self.fairness in (Fairness.WEAK_EVENTS, Fairness.STRONG_EVENTS):
            names = {p.name: v for p, v in zip(rule.parameters, args, strict=True)}
            values = [evaluate(self.cells, a, (), names) for a in rule.event.arguments]
            return str((rule.event.name, values))
        return f"process {args[0]}" if args else rule.name

    def enabled(self, state: State) -> set[str]:
        """Who could act."""
        return {self.actor(state, n) for n, _ in self.steps(state)} - {""}

    def letter(self, state: State, number: int | None) -> frozenset[str]:
        """The atoms that hold in a state from which an instance is taken."""
        return frozenset(name for name, atom in self.atoms.items() if self._holds(atom, state, number))

    def _holds(self, atom: Expr | EventTest, state: State, number: int | None) -> bool:
        if not isinstance(atom, EventTest):
            return bool(evaluate(self.cells, atom, state))
        if number is None:
            return False
        rule, args = self.instances[number]
        names = {p.name: v for p, v in zip(rule.parameters, args, strict=True)}
        values = [evaluate(self.cells, a, state, names) for a in rule.event.arguments]
        if rule.event.name != atom.name or (atom.arguments is not None and len(atom.arguments) != len(values)):
            return False
        wanted = [None if a is None else evaluate(self.cells, a, state) for a in atom.arguments or ()]
        return all(w in (None, v) for w, v in zip(wanted, values, strict=False))

    # ------------------------------------------------------------ emptiness

    def has_run(self, automaton: Automaton) -> bool:
        """Whether a fair run is accepted."""
        waiting: list[Node] = [(s, 0) for s in initial(self.model)]
        seen = set(waiting)
        edges = []
        for state, q in waiting:
            for number, after in self.steps(state):
                letter = self.letter(state, number)
                for edge in automaton.edges[q]:
                    if edge.reads(letter):
                        target = (after, edge.target)
                        edges.append(ExplicitEdge((state, q), target, edge.marks, self.actor(state, number)))
                        if target not in seen:
                            seen.add(target)
                            waiting.append(target)
        return self._has_fair_set(seen, edges, automaton.sets)

    def _has_fair_set(self, nodes: set[Node], edges: Iterable[ExplicitEdge], sets: int) -> bool:
        order = list(nodes)
        number = {node: k for k, node in enumerate(order)}
        kept = [e for e in edges if e.source in nodes and e.target in nodes]
        graph = igraph.Graph(len(order), [(number[e.source], number[e.target]) for e in kept], directed=True)
        for component in graph.connected_components(mode="strong"):
            inside = {order[k] for k in component}
            own = [e for e in kept if e.source in inside and e.target in inside]
            if not own or len(frozenset[int]().union(*(e.marks for e in own))) < sets:
                continue
            unfair = self.unfair([n[0] for n in inside], {e.acting for e in own})
            if not unfair:
                return True
            if self.fairness in (Fairness.STRONG, Fairness.STRONG_EVENTS, Fairness.GLOBAL):
                rest = {n for n in inside if not self.enabled(n[0]) & unfair}
                if self._has_fair_set(rest, own, sets):
                    return True
        return False

    def is_closed(self, states: set[State]) -> bool:
        """Whether some states are all that can be reached from each of them."""
        return all(self.reached(state) == states for state in states)

    def reached(self, state: State) -> set[State]:
        """What can be reached from a state."""
        seen, waiting = {state}, [state]
        for here in waiting:
            fresh = {after for _, after in self.steps(here)} - seen
            seen |= fresh
            waiting += fresh
        return seen

    def unfair(self, states: Iterable[State], acting: set[str]) -> set[str]:
        """Who is treated unfairly by a run that visits some states for ever and where some act."""
        enabled = [self.enabled(s) for s in states]
        match self.fairness:
            case Fairness.NONE:
                return set()
            case Fairness.WEAK | Fairness.WEAK_EVENTS:
                return set.intersection(*enabled) - acting
            case _:
                return set.union(*enabled) - acting
