"""Automata on infinite words with generalised acceptance on edges, and their reduction.

A run is accepting if it takes edges of every acceptance set infinitely often. With no sets, every infinite run is.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import final

from burnside.ltl.components import strong_components
from burnside.values import dataclass, replace


@final
@dataclass(frozen=True, slots=True)
class Edge:
    """A step under a letter (a set of atoms) that has all of ``required`` and none of ``forbidden``."""

    required: frozenset[str]
    forbidden: frozenset[str]
    target: int
    marks: frozenset[int]

    def reads(self, letter: Collection[str]) -> bool:
        """Whether the edge can be taken under a letter."""
        return all(a in letter for a in self.required) and not any(a in letter for a in self.forbidden)

    def covers(self, other: Edge) -> bool:
        """Whether this edge can do all that another one can."""
        return (
            self.target == other.target
            and self.required <= other.required
            and self.forbidden <= other.forbidden
            and self.marks >= other.marks
        )


@final
@dataclass(frozen=True)
class Automaton:
    """States are numbered, 0 is initial; ``sets`` acceptance sets are numbered as well."""

    edges: tuple[tuple[Edge, ...], ...]
    sets: int

    def __len__(self) -> int:
        return len(self.edges)

    @property
    def atoms(self) -> frozenset[str]:
        """The atoms that edges look at."""
        return frozenset(a for row in self.edges for e in row for a in e.required | e.forbidden)


EMPTY = Automaton(((),), 0)


def reduced(automaton: Automaton) -> Automaton:
    """A smaller automaton for the same words: useless and repeated states and edges are left out."""
    while True:
        smaller = _merged(_trimmed(automaton))
        if len(smaller) == len(automaton) and smaller.edges == automaton.edges:
            return smaller
        automaton = smaller


def _trimmed(automaton: Automaton) -> Automaton:
    """Only states on the way to an accepting cycle; marks only on edges within a component."""
    components = strong_components([[e.target for e in row] for row in automaton.edges])
    number = {q: k for k, component in enumerate(components) for q in component}
    useful: set[int] = set()
    for component in components:  # every component comes after those it leads to
        inside = [e for q in component for e in automaton.edges[q] if number[e.target] == number[q]]
        marks = frozenset[int]().union(*(e.marks for e in inside))
        is_accepting = bool(inside) and len(marks) == automaton.sets
        if is_accepting or any(e.target in useful for q in component for e in automaton.edges[q]):
            useful |= set(component)
    if 0 not in useful:
        return EMPTY
    rows: list[tuple[Edge, ...]] = []
    for q, row in enumerate(automaton.edges):
        kept = (e for e in row if e.target in useful)
        rows.append(_without_covered([_marked(e, inside=number[e.target] == number[q]) for e in kept]))
    return _renumbered(Automaton(tuple(rows), automaton.sets), list(range(len(rows))))


def _marked(edge: Edge, *, inside: bool) -> Edge:
    """Marks matter only on edges that can be taken again and again."""
    return edge if inside else replace(edge, marks=frozenset())


def _without_covered(edges: Sequence[Edge]) -> tuple[Edge, ...]:
    distinct = list(dict.fromkeys(edges))
    return tuple(e for e in distinct if not any(other is not e and other.covers(e) for other in distinct))


def _merged(automaton: Automaton) -> Automaton:
    """States with the same edges, up to merging, become one: bisimulation by partition refinement."""
    classes = [0] * len(automaton)
    count = 1
    while True:
        signatures: dict[object, int] = {}
        refined = []
        for q, row in enumerate(automaton.edges):
            onward = frozenset((e.required, e.forbidden, classes[e.target], e.marks) for e in row)
            refined.append(signatures.setdefault((classes[q], onward), len(signatures)))
        if len(signatures) == count:
            return _renumbered(automaton, refined)
        classes, count = refined, len(signatures)


def _renumbered(automaton: Automaton, classes: Sequence[int]) -> Automaton:
    """One state per class, those that can be reached, in the order in which they are."""
    order = {classes[0]: 0}
    members = [0]
    rows: list[tuple[Edge, ...]] = []
    for q in members:
        row = []
        for edge in automaton.edges[q]:
            target = classes[edge.target]
            if target not in order:
                order[target] = len(members)
                members.append(edge.target)
            row.append(replace(edge, target=order[target]))
        rows.append(_without_covered(row))
    return Automaton(tuple(rows), automaton.sets)
