"""Transition systems for the tests of CSP#: those of loaded models, and strong bisimilarity."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass

from burnside.ir.initial import initial
from burnside.ir.nodes import Model
from burnside.ir.processes import Processes
from burnside.ir.semantics import Step, is_terminal, successors


@dataclass(frozen=True)
class System:
    """Starts, labelled transitions, and states in which the process has terminated."""

    starts: frozenset[Hashable]
    transitions: frozenset[tuple[Hashable, str, Hashable]]
    terminal: frozenset[Hashable]

    @property
    def states(self) -> frozenset[Hashable]:
        """Every state."""
        return self.starts.union(*({a, b} for a, _, b in self.transitions))


def actor_names(found: Processes) -> list[str]:
    """Who acts, in words: ``Phil 0``, or just the kind of one that is alone."""
    return [" ".join(str(part) for part in unit[1:] if part is not None) for unit in found.units]


def system_of(model: Model) -> System:
    """All that a model does."""
    starts = list(initial(model))
    seen, pending, found = set(starts), list(starts), set()
    while pending:
        state = pending.pop()
        for outcome in successors(model, state):
            assert isinstance(outcome, Step), outcome
            found.add((state, ".".join(outcome.event), outcome.state))
            if outcome.state not in seen:
                seen.add(outcome.state)
                pending.append(outcome.state)
    return System(frozenset(starts), frozenset(found), frozenset(s for s in seen if is_terminal(model, s)))


def are_bisimilar(one: System, other: System) -> bool:
    """Whether every start of each has a start of the other that does the same for ever (partition refinement)."""
    moves: dict[Hashable, list[tuple[str, Hashable]]] = {}
    blocks: dict[Hashable, int] = {}
    for tag, system in ((0, one), (1, other)):
        for state in system.states:
            moves[tag, state] = []
            blocks[tag, state] = int(state in system.terminal)
        for source, label, target in system.transitions:
            moves[tag, source].append((label, (tag, target)))
    while True:
        signatures = {s: (blocks[s], frozenset((a, blocks[t]) for a, t in out)) for s, out in moves.items()}
        numbers: dict[Hashable, int] = {}
        refined = {s: numbers.setdefault(signature, len(numbers)) for s, signature in signatures.items()}
        if len(set(refined.values())) == len(set(blocks.values())):
            break
        blocks = refined

    def of(tag: int, states: Iterable[Hashable]) -> set[int]:
        return {blocks[tag, s] for s in states}

    return of(0, one.starts) == of(1, other.starts)
