"""Deterministic transducers with a fixed number of states, as a Boolean constraint (Sect. 5 of [LinEtAl16]).

Variables say which transitions exist and which states accept; ``conditions`` says what every proposal is like. The runs
on words that counterexamples speak of share their common prefixes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final, final

from burnside.regular.alphabet import Pair, Word, convolve
from burnside.regular.automata import Dfa
from burnside.regular.synthesis.conditions import Automaton, Conditions, Shape
from burnside.regular.synthesis.sat import Clauses

if TYPE_CHECKING:
    from burnside.regular.relations import Language, Relation

LARGEST_GUESS: Final = 1_000_000


@final
class Encoding:
    """The constraint on one number of states."""

    def __init__(self, conditions: Conditions) -> None:
        self.conditions = conditions
        self._clauses = Clauses()
        automaton = Automaton(conditions, self._clauses)
        self.symbols, self._index, self._states = automaton.symbols, automaton.index, automaton.states
        self._edge, self._final = automaton.edge, automaton.final
        self._fresh = self._clauses.fresh
        self._at_most_one, self._exactly_one = self._clauses.at_most_one, self._clauses.exactly_one
        self._runs: dict[tuple[Pair, ...], tuple[list[int], int]] = {}
        Shape(automaton, self._clauses).constrain()

    # ------------------------------------------------------------ use

    def solve(self, pause: Callable[[], None] = lambda: None) -> Relation | None:
        """A transducer that meets everything added so far, or None. ``pause`` is called now and then, and may raise."""
        model = self._clauses.solve(pause)
        if model is None:
            return None
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
        self._clauses.require(*literals)

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
        self._clauses.close()

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
            read, at_next, run_next = (
                self._fresh(letters),
                self._fresh(space.size),
                self._fresh(n),
            )
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
