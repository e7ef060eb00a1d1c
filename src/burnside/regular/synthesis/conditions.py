"""Which transducers are proposed: the conditions of Sect. 5.1 of [LinEtAl16] as clauses, numbered as in the paper.

Two things the paper leaves open are fixed here: states are numbered in breadth-first order, so that each automaton has
one encoding only (without it the larger rows of Table 1 do not answer); and the letter counts of (C11) are potentials
of states.
"""

from __future__ import annotations

from typing import final

from burnside.regular.alphabet import PAD, Pair
from burnside.regular.synthesis.sat import Clauses
from burnside.values import dataclass


@final
@dataclass(frozen=True, slots=True)
class Conditions:
    """Which transducers are proposed. Every field only narrows the search; verification does not rely on it."""

    letters: int
    states: int
    padding: bool = False  # without it (C9): no output is padded
    accepts_empty: bool = True  # (C5), false if the empty word is no configuration
    infinite: bool = True  # (C6)
    one_output: bool = True  # (C7)
    copycat: bool = True  # (C8)
    one_input: bool = True  # (C10)
    counted: bool = True  # (C11)
    spread: int = 1  # (C11): how far letter counts of prefixes may drift apart
    bounded: tuple[int, ...] = ()
    impossible: tuple[Pair, ...] = ()

    def symbols(self) -> list[Pair]:
        """The pairs that may label transitions; (C2): no input is padded."""
        outputs = [*range(self.letters), *([PAD] if self.padding else [])]
        return [(a, b) for a in range(self.letters) for b in outputs if (a, b) not in self.impossible]


@final
class Automaton:
    """The variables of a transducer: ``edge[q][i][t]`` is a transition from q to t with the i-th symbol, ``final[q]``
    says that q accepts, ``link[q][t]`` that some transition leads from q to t.
    """

    def __init__(self, conditions: Conditions, clauses: Clauses) -> None:
        self.conditions = conditions
        self.symbols = conditions.symbols()
        self.index = {s: i for i, s in enumerate(self.symbols)}
        self.states = range(conditions.states)
        n = conditions.states
        self.edge = [[clauses.fresh(n) for _ in self.symbols] for _ in self.states]
        self.final = clauses.fresh(n)
        self.link = [clauses.fresh(n) for _ in self.states]


@final
class Shape:
    """Says of a transducer what its conditions ask for."""

    def __init__(self, automaton: Automaton, clauses: Clauses) -> None:
        self._conditions = automaton.conditions
        self._symbols, self._index, self._states = automaton.symbols, automaton.index, automaton.states
        self._edge, self._final, self._link = automaton.edge, automaton.final, automaton.link
        self._fresh, self._require = clauses.fresh, clauses.require
        self._at_most_one, self._exactly_one = clauses.at_most_one, clauses.exactly_one

    def constrain(self) -> None:
        """All conditions that are asked for."""
        self._deterministic()
        self._reachable()
        self._live()
        conditions = self._conditions
        if conditions.accepts_empty:
            self._require(self._final[0])
        if conditions.infinite:
            self._has_cycle()
        if conditions.one_output:
            self._distinct(0)
        if conditions.copycat:
            self._no_copycats()
        if conditions.one_input:
            self._distinct(1)
        if conditions.counted:
            self._counted()
        if conditions.padding:
            self._padded_at_the_end()
        if conditions.bounded:
            self._bounded()
        self._not_identity()

    def _deterministic(self) -> None:
        """(C1): at most one successor per symbol; and ``_link`` is the graph below the labels."""
        for q in self._states:
            for targets in self._edge[q]:
                self._at_most_one(targets)
            for t in self._states:
                here = [targets[t] for targets in self._edge[q]]
                for edge in here:
                    self._require(-edge, self._link[q][t])
                self._require(-self._link[q][t], *here)

    def _reachable(self) -> None:
        """(C3) by breadth-first numbering: parents in order, and among children of one parent their first labels."""
        parent = self._parents()
        n = self._conditions.states
        for j in range(1, n - 1):
            for i in range(j):
                for h in range(i):
                    self._require(-parent[j][i], -parent[j + 1][h])
        for i in self._states:
            for j in range(i + 1, n - 1):
                self._labels_in_order(i, j, [-parent[j][i], -parent[j + 1][i]])

    def _parents(self) -> list[list[int]]:
        """``[j][i]``: the least state with an edge to ``j`` is ``i``; every state but the start has one before it."""
        parent: list[list[int]] = [[]]
        for j in range(1, self._conditions.states):
            row = self._fresh(j)
            for i in range(j):
                before = [self._link[h][j] for h in range(i)]
                self._require(-row[i], self._link[i][j])
                for edge in before:
                    self._require(-row[i], -edge)
                self._require(row[i], -self._link[i][j], *before)
            self._require(*row)
            parent.append(row)
        return parent

    def _labels_in_order(self, i: int, j: int, unless: list[int]) -> None:
        """Every label from ``i`` to ``j + 1`` comes after some label from ``i`` to ``j``."""
        earlier: list[int] = []  # some label to j so far
        for targets in self._edge[i]:
            self._require(*unless, -targets[j + 1], *earlier)
            (so_far,) = self._fresh(1)
            self._require(-so_far, targets[j], *earlier)
            earlier = [so_far]

    def _live(self) -> None:
        """(C4): from every state an accepting one is reached, in fewer steps than there are states."""
        near = list(self._final)
        for _ in range(1, self._conditions.states):
            nearer = self._fresh(self._conditions.states)
            for q in self._states:
                ways = []
                for r in self._states:
                    if r != q:
                        (way,) = self._fresh(1)
                        self._require(-way, self._link[q][r])
                        self._require(-way, near[r])
                        ways.append(way)
                self._require(-nearer[q], near[q], *ways)
            near = nearer
        for q in self._states:
            self._require(near[q])

    def _has_cycle(self) -> None:
        """(C6), its necessary part: in breadth-first order a cycle has an edge that does not lead forward."""
        self._require(*(self._link[q][t] for q in self._states for t in range(q + 1)))

    def _distinct(self, track: int) -> None:
        """(C7) for track 0, (C10) for track 1: edges between two states with one letter there have one label."""
        for q in self._states:
            for t in self._states:
                for letter in range(self._conditions.letters):
                    same = [self._edge[q][i][t] for i, s in enumerate(self._symbols) if s[track] == letter]
                    self._at_most_one(same)

    def _no_copycats(self) -> None:
        """(C8), with Σ for the printed Σ#: an accepting state that copies every letter does nothing else."""
        loops = [(a, a) for a in range(self._conditions.letters)]
        if any(s not in self._index for s in loops):
            return
        for q in self._states:
            copying = [
                -self._final[q],
                *(-self._edge[q][self._index[s]][q] for s in loops),
            ]
            for i, s in enumerate(self._symbols):
                for t in self._states:
                    if not (s in loops and t == q):
                        self._require(*copying, -self._edge[q][i][t])

    def _counted(self) -> None:
        """(C11): the letter counts of both words agree: a potential per state and letter, zero where accepted."""
        letters = range(self._conditions.letters - 1)  # the last count follows from the length
        for letter in letters:
            self._potential(letter)

    def _potential(self, letter: int) -> None:
        spread = self._conditions.spread
        values = range(-spread, spread + 1)
        level = [dict(zip(values, self._fresh(len(values)), strict=True)) for _ in self._states]
        for q in self._states:
            self._exactly_one(list(level[q].values()))
            self._require(-self._final[q], level[q][0])
        self._require(level[0][0])
        for i, (a, b) in enumerate(self._symbols):
            change = (a == letter) - (b == letter)
            for q in self._states:
                for t in self._states:
                    for value in values:
                        then = [level[t][value + change]] if value + change in values else []
                        self._require(-self._edge[q][i][t], -level[q][value], *then)

    def _padded_at_the_end(self) -> None:
        """Padding is followed by padding only: states know whether the second word has ended."""
        ended = self._fresh(self._conditions.states)
        for i, (_, b) in enumerate(self._symbols):
            for q in self._states:
                for t in self._states:
                    self._require(-self._edge[q][i][t], ended[t] if b == PAD else -ended[t])
                    if b != PAD:
                        self._require(-self._edge[q][i][t], -ended[q])

    def _bounded(self) -> None:
        """Bounded letters lie on no cycle: counting them, in unary, ends before the number of states."""
        n = self._conditions.states
        count = [self._fresh(n) for _ in self._states]
        for q in self._states:
            for d in range(1, n):
                self._require(-count[q][d], count[q][d - 1])
        for i, (_, b) in enumerate(self._symbols):
            more = b in self._conditions.bounded
            for q in self._states:
                for t in self._states:
                    self._count_along(self._edge[q][i][t], count[q], count[t], more=more)

    def _count_along(self, edge: int, here: list[int], there: list[int], *, more: bool) -> None:
        if not more:
            for a, b in zip(here, there, strict=True):
                self._require(-edge, -a, b)
            return
        self._require(-edge, there[0])
        for a, b in zip(here, there[1:], strict=False):
            self._require(-edge, -a, b)
        self._require(-edge, -here[-1])

    def _not_identity(self) -> None:
        """The identity is a symmetry of everything and not worth finding."""
        moving = [i for i, (a, b) in enumerate(self._symbols) if a != b]
        self._require(*(self._edge[q][i][t] for q in self._states for i in moving for t in self._states))
