"""Deterministic transducers with a fixed number of states, as a Boolean constraint (Sect. 5.1 of [LinEtAl16]).

Variables say which transitions exist and which states accept. The conditions have the numbers of the paper.
Three things the paper leaves open are fixed here: states are numbered in breadth-first order, so that each
automaton has one encoding only (without it the larger rows of Table 1 do not answer); the runs on words that
counterexamples speak of share their common prefixes; and the letter counts of (C11) are potentials of states.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Protocol, final

from burnside.regular.alphabet import PAD, Pair, Word, convolve
from burnside.regular.automata import Dfa
from burnside.regular.search import TooLarge

if TYPE_CHECKING:
    from burnside.regular.relations import Language, Relation


LARGEST_FORMULA = 5_000_000
LARGEST_GUESS = 1_000_000
_CONFLICTS = 2_000  # between two looks at the clock: some hundredths of a second


class _Solver(Protocol):
    def add_clause(self, clause: Sequence[int]) -> object: ...
    def conf_budget(self, budget: int) -> None: ...
    def solve_limited(self) -> bool | None: ...
    def get_model(self) -> list[int]: ...
    def delete(self) -> None: ...


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
class Encoding:
    """The constraint on one number of states, and the incremental solver that holds it."""

    def __init__(self, conditions: Conditions) -> None:
        from pysat.solvers import Solver  # imported here: only a search needs it

        self.conditions = conditions
        self.symbols = conditions.symbols()
        self._index = {s: i for i, s in enumerate(self.symbols)}
        self._solver: _Solver = Solver(name="cadical195")
        self._count = self._clauses = 0
        self._states = range(conditions.states)
        n = conditions.states
        self._edge = [[self._fresh(n) for _ in self.symbols] for _ in self._states]
        self._final = self._fresh(n)
        self._link = [self._fresh(n) for _ in self._states]
        self._runs: dict[tuple[Pair, ...], tuple[list[int], int]] = {}
        self._constrain()

    # ------------------------------------------------------------ use

    def solve(self, pause: Callable[[], None] = lambda: None) -> Relation | None:
        """A transducer that meets everything added so far, or None. ``pause`` is called now and then, and may raise."""
        answer = None
        while answer is None:
            pause()
            self._solver.conf_budget(_CONFLICTS)
            answer = self._solver.solve_limited()
        if not answer:
            return None
        model = self._solver.get_model()
        rows = tuple(
            {s: t for i, s in enumerate(self.symbols) for t in self._states if model[self._edge[q][i][t] - 1] > 0}
            for q in self._states
        )
        return Dfa(rows, frozenset(q for q in self._states if model[self._final[q] - 1] > 0))

    def related(self, left: Word, right: Word) -> int:
        """The literal "these two words are related"."""
        return self._run(convolve(left, right))[1]

    def require(self, *literals: int) -> None:
        """Add a clause."""
        self._clauses += 1
        if self._clauses > LARGEST_FORMULA:
            raise TooLarge
        self._solver.add_clause(literals)

    def refuse(self, pairs: Iterable[tuple[Word, Word]]) -> None:
        """Not all of these pairs of words are related."""
        self.require(*(-self.related(v, w) for v, w in sorted(set(pairs))))

    def choose(self, options: Iterable[Iterable[tuple[Word, Word]]]) -> None:
        """All pairs of at least one option are related."""
        selectors = []
        for option in options:
            (selector,) = self._fresh(1)
            selectors.append(selector)
            for v, w in option:
                self.require(-selector, self.related(v, w))
        self.require(*selectors)

    def cover(self, word: Word, track: int) -> None:
        """Some pair has ``word`` on this track: an accepting path is guessed (Sect. 5.2)."""
        path = [self._fresh(self.conditions.states) for _ in range(len(word) + 1)]
        for level in path:
            self._exactly_one(level)
        self.require(path[0][0])
        for q in self._states:
            self.require(-path[-1][q], self._final[q])
        for letter, here, there in zip(word, path, path[1:], strict=False):
            labels = [i for i, s in enumerate(self.symbols) if s[track] == letter]
            for q in self._states:
                for t in self._states:
                    self.require(-here[q], -there[t], *(self._edge[q][i][t] for i in labels))

    def forbid(self, relation: Relation) -> None:
        """Never propose exactly this transducer again. Needs: it was proposed by this encoding."""
        clause = [-self._edge[q][self._index[s]][t] for q, s, t in relation.edges()]
        clause += [self._final[q] if q not in relation.accepting else -self._final[q] for q in self._states]
        missing = [
            self._edge[q][i][t]
            for q in self._states
            for i, s in enumerate(self.symbols)
            if s not in relation.rows[q]
            for t in self._states
        ]
        self.require(*clause, *missing)

    def close(self) -> None:
        """Free the solver."""
        self._solver.delete()

    def move_some(self, space: Language) -> bool:
        """Some word of ``space`` is not related to itself: the word is guessed, and the run on it does not accept.

        Whether that could be said: not if ``space`` has too many states for it.

        A shortest one comes through no pair of a state of ``space`` and a state of the transducer twice. Behind the
        last state of the transducer there is one more, where runs are that died.
        """
        n, letters = self.conditions.states + 1, self.conditions.letters
        if space.size * n * (space.size**2 + letters * n**2) > LARGEST_GUESS:
            return False
        at, run = self._fresh(space.size), self._fresh(n)
        self.require(at[0])
        self.require(run[0])
        ends = []
        for _ in range(space.size * n):
            self._at_most_one(at)
            self._exactly_one(run)
            ends.append(self._ends_unrelated(space, at, run))
            read, at_next, run_next = self._fresh(letters), self._fresh(space.size), self._fresh(n)
            self._exactly_one(read)
            self._follow_word(space, at, read, at_next)
            self._follow_run(run, read, run_next)
            at, run = at_next, run_next
        self.require(*ends)
        return True

    def _ends_unrelated(self, space: Language, at: list[int], run: list[int]) -> int:
        """A literal that implies: the word ends here, and the run on it does not accept."""
        (end,) = self._fresh(1)
        self.require(-end, *(at[p] for p in sorted(space.accepting)))
        for q in self._states:
            self.require(-end, -run[q], -self._final[q])
        return end

    def _follow_word(self, space: Language, here: list[int], letters: list[int], there: list[int]) -> None:
        """A word that goes on follows its letter; none of ``there`` is true if it has ended."""
        for target, variable in enumerate(there):
            self.require(-variable, *here)
            for source, row in enumerate(space.rows):
                ways = [letters[a] for a, following in sorted(row.items()) if following == target]
                self.require(-variable, -here[source], *ways)

    def _follow_run(self, here: list[int], letters: list[int], there: list[int]) -> None:
        """The run reads every letter on both tracks."""
        self.require(-here[-1], there[-1])
        for a, letter in enumerate(letters):
            index = self._index.get((a, a))
            for q in self._states:
                for t in self._states:
                    if index is None:
                        self.require(-here[q], -letter, -there[t])
                        continue
                    edge = self._edge[q][index][t]
                    self.require(-here[q], -letter, -there[t], edge)
                    self.require(-here[q], -letter, -there[-1], -edge)

    # ------------------------------------------------------------ conditions

    def _constrain(self) -> None:
        self._deterministic()
        self._reachable()
        self._live()
        conditions = self.conditions
        if conditions.accepts_empty:
            self.require(self._final[0])
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
                    self.require(-edge, self._link[q][t])
                self.require(-self._link[q][t], *here)

    def _reachable(self) -> None:
        """(C3) by breadth-first numbering: parents in order, and among children of one parent their first labels."""
        parent = self._parents()
        n = self.conditions.states
        for j in range(1, n - 1):
            for i in range(j):
                for h in range(i):
                    self.require(-parent[j][i], -parent[j + 1][h])
        for i in self._states:
            for j in range(i + 1, n - 1):
                self._labels_in_order(i, j, [-parent[j][i], -parent[j + 1][i]])

    def _parents(self) -> list[list[int]]:
        """``[j][i]``: the least state with an edge to ``j`` is ``i``; every state but the start has one before it."""
        parent: list[list[int]] = [[]]
        for j in range(1, self.conditions.states):
            row = self._fresh(j)
            for i in range(j):
                before = [self._link[h][j] for h in range(i)]
                self.require(-row[i], self._link[i][j])
                for edge in before:
                    self.require(-row[i], -edge)
                self.require(row[i], -self._link[i][j], *before)
            self.require(*row)
            parent.append(row)
        return parent

    def _labels_in_order(self, i: int, j: int, unless: list[int]) -> None:
        """Every label from ``i`` to ``j + 1`` comes after some label from ``i`` to ``j``."""
        earlier: list[int] = []  # some label to j so far
        for targets in self._edge[i]:
            self.require(*unless, -targets[j + 1], *earlier)
            (so_far,) = self._fresh(1)
            self.require(-so_far, targets[j], *earlier)
            earlier = [so_far]

    def _live(self) -> None:
        """(C4): from every state an accepting one is reached, in fewer steps than there are states."""
        near = list(self._final)
        for _ in range(1, self.conditions.states):
            nearer = self._fresh(self.conditions.states)
            for q in self._states:
                ways = []
                for r in self._states:
                    if r != q:
                        (way,) = self._fresh(1)
                        self.require(-way, self._link[q][r])
                        self.require(-way, near[r])
                        ways.append(way)
                self.require(-nearer[q], near[q], *ways)
            near = nearer
        for q in self._states:
            self.require(near[q])

    def _has_cycle(self) -> None:
        """(C6), its necessary part: in breadth-first order a cycle has an edge that does not lead forward."""
        self.require(*(self._link[q][t] for q in self._states for t in range(q + 1)))

    def _distinct(self, track: int) -> None:
        """(C7) for track 0, (C10) for track 1: edges between two states with one letter there have one label."""
        for q in self._states:
            for t in self._states:
                for letter in range(self.conditions.letters):
                    same = [self._edge[q][i][t] for i, s in enumerate(self.symbols) if s[track] == letter]
                    self._at_most_one(same)

    def _no_copycats(self) -> None:
        """(C8), with Σ for the printed Σ#: an accepting state that copies every letter does nothing else."""
        loops = [(a, a) for a in range(self.conditions.letters)]
        if any(s not in self._index for s in loops):
            return
        for q in self._states:
            copying = [-self._final[q], *(-self._edge[q][self._index[s]][q] for s in loops)]
            for i, s in enumerate(self.symbols):
                for t in self._states:
                    if not (s in loops and t == q):
                        self.require(*copying, -self._edge[q][i][t])

    def _counted(self) -> None:
        """(C11): the letter counts of both words agree: a potential per state and letter, zero where accepted."""
        letters = range(self.conditions.letters - 1)  # the last count follows from the length
        for letter in letters:
            self._potential(letter)

    def _potential(self, letter: int) -> None:
        spread = self.conditions.spread
        values = range(-spread, spread + 1)
        level = [dict(zip(values, self._fresh(len(values)), strict=True)) for _ in self._states]
        for q in self._states:
            self._exactly_one(list(level[q].values()))
            self.require(-self._final[q], level[q][0])
        self.require(level[0][0])
        for i, (a, b) in enumerate(self.symbols):
            change = (a == letter) - (b == letter)
            for q in self._states:
                for t in self._states:
                    for value in values:
                        then = [level[t][value + change]] if value + change in values else []
                        self.require(-self._edge[q][i][t], -level[q][value], *then)

    def _padded_at_the_end(self) -> None:
        """Padding is followed by padding only: states know whether the second word has ended."""
        ended = self._fresh(self.conditions.states)
        for i, (_, b) in enumerate(self.symbols):
            for q in self._states:
                for t in self._states:
                    self.require(-self._edge[q][i][t], ended[t] if b == PAD else -ended[t])
                    if b != PAD:
                        self.require(-self._edge[q][i][t], -ended[q])

    def _bounded(self) -> None:
        """Bounded letters lie on no cycle: counting them, in unary, ends before the number of states."""
        n = self.conditions.states
        count = [self._fresh(n) for _ in self._states]
        for q in self._states:
            for d in range(1, n):
                self.require(-count[q][d], count[q][d - 1])
        for i, (_, b) in enumerate(self.symbols):
            more = b in self.conditions.bounded
            for q in self._states:
                for t in self._states:
                    self._count_along(self._edge[q][i][t], count[q], count[t], more=more)

    def _count_along(self, edge: int, here: list[int], there: list[int], *, more: bool) -> None:
        if not more:
            for a, b in zip(here, there, strict=True):
                self.require(-edge, -a, b)
            return
        self.require(-edge, there[0])
        for a, b in zip(here, there[1:], strict=False):
            self.require(-edge, -a, b)
        self.require(-edge, -here[-1])

    def _not_identity(self) -> None:
        """The identity is a symmetry of everything and not worth finding."""
        moving = [i for i, (a, b) in enumerate(self.symbols) if a != b]
        self.require(*(self._edge[q][i][t] for q in self._states for i in moving for t in self._states))

    # ------------------------------------------------------------ words

    def _run(self, columns: tuple[Pair, ...]) -> tuple[list[int], int]:
        """Where the run on a word of pairs is (one variable per state, none true if it died), and if it accepts.

        A loop, not a recursion: words may be long.
        """
        known = len(columns)
        while known and columns[:known] not in self._runs:
            known -= 1
        if not known and () not in self._runs:
            self._start_run()
        for size in range(known, len(columns)):
            here = self._runs[columns[:size]][0]
            self._runs[columns[: size + 1]] = self._extend(here, columns[size])
        return self._runs[columns]

    def _start_run(self) -> None:
        start = self._fresh(self.conditions.states)
        for q, variable in enumerate(start):
            self.require(variable if q == 0 else -variable)
        self._runs[()] = (start, self._accepted(start))

    def _extend(self, here: list[int], symbol: Pair) -> tuple[list[int], int]:
        there = self._fresh(self.conditions.states)
        index = self._index.get(symbol)
        for t in self._states:
            self.require(-there[t], *here)
            if index is None:
                self.require(-there[t])
                continue
            for q in self._states:
                self.require(-here[q], -self._edge[q][index][t], there[t])
                self.require(-there[t], -here[q], self._edge[q][index][t])
        self._at_most_one(there)
        return there, self._accepted(there)

    def _accepted(self, run: list[int]) -> int:
        (accepted,) = self._fresh(1)
        for q in self._states:
            self.require(-run[q], -self._final[q], accepted)
            self.require(-run[q], -accepted, self._final[q])
        self.require(-accepted, *run)
        return accepted

    # ------------------------------------------------------------ clauses

    def _fresh(self, count: int) -> list[int]:
        first = self._count + 1
        self._count += count
        return list(range(first, first + count))

    def _at_most_one(self, literals: Sequence[int]) -> None:
        for a, b in combinations(literals, 2):
            self.require(-a, -b)

    def _exactly_one(self, literals: Sequence[int]) -> None:
        self.require(*literals)
        self._at_most_one(literals)
