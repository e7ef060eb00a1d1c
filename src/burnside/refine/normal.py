"""The normal form of a system: what it may be doing after a sequence of visible events [Roscoe98].

A node is the set of all states that some sequence of visible events can lead to, closed under tau. Its *acceptances*
are the sets of events that a state of it offers when it waits; what is not accepted may be refused. A state waits if
it has no tau. A state that can end successfully may do so by itself, and then refuses everything else [Roscoe98].
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias, final

from burnside.refine.divergence import Divergence
from burnside.refine.steps import TAU, TICK, Label
from burnside.refine.system import PAIR_BYTES, Budget, LabelledSystem

Node: TypeAlias = frozenset[int]
Acceptance: TypeAlias = frozenset[Label]


def acceptance_of(system: LabelledSystem, state: int) -> Acceptance | None:
    """What a state offers when it waits; None if it does not wait."""
    labels = frozenset(label for label, _ in system.edges(state))
    if TICK in labels:
        return frozenset({TICK})
    return None if TAU in labels else labels


@final
class NormalForm:
    """Nodes of a system, found as they are asked for."""

    def __init__(self, system: LabelledSystem, budget: Budget) -> None:
        self.system = system
        self.divergence = Divergence(system)
        self._budget = budget
        self._moves: dict[Node, dict[Label, Node]] = {}
        self._acceptances: dict[Node, tuple[Acceptance, ...]] = {}

    @property
    def start(self) -> Node:
        """Before any visible event."""
        return self._closure(self.system.initial)

    def moves(self, node: Node) -> dict[Label, Node]:
        """The nodes that visible events lead to."""
        if node not in self._moves:
            targets: dict[Label, set[int]] = {}
            for state in sorted(node):
                for label, target in self.system.edges(state):
                    if label != TAU:
                        targets.setdefault(label, set()).add(target)
            self._moves[node] = {label: self._closure(found) for label, found in targets.items()}
            self._budget.charge(PAIR_BYTES * len(targets))
        return self._moves[node]

    def acceptances(self, node: Node) -> tuple[Acceptance, ...]:
        """The least acceptances of a node: whatever another one refuses, one of these refuses too."""
        if node not in self._acceptances:
            found = {a for s in node if (a := acceptance_of(self.system, s)) is not None}
            least = [a for a in found if not any(other < a for other in found)]
            self._acceptances[node] = tuple(sorted(least, key=sorted))
        return self._acceptances[node]

    def diverges(self, node: Node) -> bool:
        """Whether some state of a node diverges."""
        return any(self.divergence.of(state) for state in sorted(node))

    def _closure(self, states: Iterable[int]) -> Node:
        found, pending = set[int](), list(states)
        while pending:
            state = pending.pop()
            if state not in found:
                found.add(state)
                pending += self.system.silent(state)
        self._budget.charge(32 * len(found))
        return frozenset(found)
