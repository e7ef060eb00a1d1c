"""Divergence, determinism and refinement by brute force, written from the definitions of Roscoe 1998.

Shares no code with the package: traces are enumerated up to a length, refusals are sets of events, one by one.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from functools import cached_property
from itertools import combinations

from process_algebra.transitions import System

Trace = tuple[str, ...]
TICK, TAU = "terminate", "tau"


class Process:
    """A transition system, and what its events tell."""

    def __init__(self, system: System) -> None:
        self.system = system

    @cached_property
    def moves(self) -> dict[Hashable, set[tuple[str, Hashable]]]:
        """What each state can do."""
        found: dict[Hashable, set[tuple[str, Hashable]]] = {s: set() for s in self.system.states}
        for source, label, target in self.system.transitions:
            found[source].add((label, target))
        return found

    @property
    def events(self) -> frozenset[str]:
        """All visible events."""
        return frozenset(label for _, label, _ in self.system.transitions) - {TAU}

    @cached_property
    def divergent(self) -> set[Hashable]:
        """States with as many taus in a row as there are states: some state comes twice."""
        able = set(self.moves)
        for _ in self.moves:
            able = {s for s in able if any(label == TAU and t in able for label, t in self.moves[s])}
        return able

    def settle(self, states: Iterable[Hashable]) -> frozenset[Hashable]:
        """All that taus lead to."""
        found = set(states)
        while new := {t for s in found for label, t in self.moves[s] if label == TAU} - found:
            found |= new
        return frozenset(found)

    def after(self, length: int) -> dict[Trace, frozenset[Hashable]]:
        """The states that each sequence of visible events up to a length can lead to."""
        level = {(): self.settle(self.system.starts)}
        found: dict[Trace, frozenset[Hashable]] = dict(level)
        for _ in range(length):
            level = {
                (*trace, event): self.settle(t for s in states for label, t in self.moves[s] if label == event)
                for trace, states in level.items()
                for event in {label for s in states for label, _ in self.moves[s]} - {TAU}
            }
            found |= level
        return found

    def refusals(self, states: Iterable[Hashable], universe: frozenset[str]) -> set[frozenset[str]]:
        """Every set of events that one of some states can refuse."""
        found: set[frozenset[str]] = set()
        for state in states:
            offered = {label for label, _ in self.moves[state]}
            if TICK in offered:
                found |= subsets(universe - {TICK})
            if not offered & {TICK, TAU}:
                found |= subsets(universe - offered)
        return found


def subsets(events: frozenset[str]) -> set[frozenset[str]]:
    """All sets of some events."""
    return {frozenset(chosen) for size in range(len(events) + 1) for chosen in combinations(sorted(events), size)}


def is_divergence_free(process: Process) -> bool:
    """No state diverges."""
    return not process.divergent


def is_deterministic(process: Process, length: int) -> bool:
    """After no trace of a length there is a divergence, or an event that can be both done and refused."""
    traces = process.after(length)
    for trace, states in traces.items():
        if states & process.divergent:
            return False
        refusals = process.refusals(states, process.events)
        possible = {label for s in states for label, _ in process.moves[s]} - {TAU}
        if any(frozenset({event}) in refusals for event in possible):
            return False
        assert all((*trace, event) in traces for event in possible) or len(trace) == length
    return True


def refines(process: Process, other: Process, model: str, length: int) -> bool:
    """Every trace, failure or divergence up to a length is one of the other process."""
    mine, others = process.after(length), other.after(length)
    universe = process.events | other.events
    for trace, states in mine.items():
        if model == "FD" and any(others.get(trace[:k], frozenset()) & other.divergent for k in range(len(trace) + 1)):
            continue
        if trace not in others:
            return False
        if model == "FD" and states & process.divergent:
            return False
        if model != "T" and not process.refusals(states, universe) <= other.refusals(others[trace], universe):
            return False
    return True
