"""Lifted search: synthesise only the binary pattern, check its lift against the system.

Rotation over four letters needs 17 states, the binary one 5; and the binary search space has no letters of
the system in it. Each refutation over the system's letters becomes one over indicator words.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from time import perf_counter
from typing import final

from burnside.regular.alphabet import Word, tracks
from burnside.regular.automata import difference_word, shortest_word
from burnside.regular.clauses import containing, is_identity, relative, why_none
from burnside.regular.instances import move
from burnside.regular.relations import Relation, both, restrict
from burnside.regular.synthesis.binary_patterns import (
    binary_failures,
    extend_to_letters,
    indicators,
    unlifted_pairs,
    unlifted_word,
)
from burnside.regular.synthesis.conditions import Conditions
from burnside.regular.synthesis.encoding import Encoding
from burnside.regular.synthesis.outcome import Found, Watch
from burnside.regular.synthesis.refine import learn
from burnside.regular.system import Constraints, System
from burnside.regular.verify import Condition, outside_word, unmatched_step, verify

LARGEST_BINARY = 6
_SEED_LENGTH = 3


def find_process_patterns(
    system: System,
    *,
    constraints: Constraints | None = None,
    largest: int = LARGEST_BINARY,
    watch: Watch | None = None,
) -> Iterator[Found]:
    """Process patterns of the system other than the identity, smallest binary pattern first, each verified.

    ``constraints`` are those of the system unless others are given; pass ``Constraints()`` for none. Whatever kind
    they ask for, permutations of positions are of that kind.
    """
    wanted = relative(system, system.constraints if constraints is None else constraints)
    if why_none(system, replace(wanted, kind="process", off=frozenset())):
        return
    watch = watch or Watch()
    known: list[Relation] = []
    for states in range(1, largest + 1):
        search = _Search(system, wanted, states, watch)
        yield from search.run(known)


@final
class _Search:
    """The refinement loop for one number of states of the binary pattern."""

    def __init__(self, system: System, constraints: Constraints, states: int, watch: Watch) -> None:
        self.system = system
        self.size = system.alphabet.size
        self.constraints = constraints
        space = system.configurations
        impossible = (containing(pair, self.size) for pair in constraints.impossible)
        within = tuple(restrict(relation, inputs=space, outputs=space) for relation in impossible)
        self.excluded = (*constraints.must_not, *within)
        self.watch = watch
        self.encoding = Encoding(Conditions(letters=2, states=states))
        self._seed()

    def run(self, known: list[Relation]) -> Iterator[Found]:
        """Every pattern of this size, as the loop finds them."""
        while True:
            binary = self.encoding.solve(self.watch.check)
            if binary is None:
                self.encoding.close()
                return
            reasons = self._refute(binary)
            self.watch.candidate(binary.size, reasons)
            if not reasons:
                self.encoding.forbid(binary)
                found = self._accept(binary)
                if found.relation not in known and self._is_asked_for(found):
                    known.append(found.relation)
                    yield found

    def _is_asked_for(self, found: Found) -> bool:
        """What can be said only of a whole pattern: it moves some configuration, and has as many states as wanted."""
        least, most = self.constraints.states or (1, found.states)
        return least <= found.states <= most and not is_identity(self.system, found.relation)

    def _seed(self) -> None:
        """All short words have images and origins; what the user forces holds from the start."""
        for length in range(1, _SEED_LENGTH + 1):
            for word in product((0, 1), repeat=length):
                self.encoding.cover(word, 0)
                self.encoding.cover(word, 1)
        for left, right in self.constraints.forced:
            for pair in indicators(left, right, self.size):
                self.encoding.require(self.encoding.related(*pair))
        for positions in self.constraints.generators:
            self.encoding.choose([_action(positions)])
        for _, choices in sorted(self.constraints.selectors.items()):
            self.encoding.choose(_action(positions) for positions in choices)

    def _refute(self, binary: Relation) -> list[str]:
        """Add a clause for everything wrong with a candidate; several per round pay."""
        reasons: list[str] = []
        for failure in binary_failures(binary):
            learn(self.encoding, failure)
            reasons.append(failure.condition.value)
        # The lift of a relation that is no bijection may be huge, and costs more than it teaches.
        if not reasons:
            reasons += self._refute_lifted(extend_to_letters(binary, self.size))
        if not reasons:
            word = unlifted_word(binary)
            if word is not None:
                self.encoding.refuse(unlifted_pairs(binary, word))
                reasons.append("positions")
        return reasons

    def _refute_lifted(self, lifted: Relation) -> list[str]:
        space = self.system.configurations
        reasons: list[str] = []
        leaving = outside_word(restrict(lifted, inputs=space), space)
        if leaving is not None:
            self._refuse(leaving.words)
            reasons.append(Condition.INSIDE.value)
        for step in self.system.steps.values():
            failure = unmatched_step(step, lifted)
            if failure is not None:
                self._refuse(failure.words)
                reasons.append(Condition.SIMULATION.value)
        for relation in self.constraints.must:
            columns = difference_word(relation, lifted)
            if columns is not None:
                left, right = tracks(columns, 2)
                for pair in indicators(left, right, self.size):
                    self.encoding.require(self.encoding.related(*pair))
                reasons.append("must")
        for relation in self.excluded:
            columns = shortest_word(both(relation, lifted))
            if columns is not None:
                self._refuse(tracks(columns, 2))
                reasons.append("must not")
        return reasons

    def _refuse(self, words: tuple[Word, ...]) -> None:
        """Words come in related pairs: not all of their indicator words are related."""
        pairs = [words[i : i + 2] for i in range(0, len(words), 2)]
        self.encoding.refuse(p for left, right in pairs for p in indicators(left, right, self.size))

    def _accept(self, binary: Relation) -> Found:
        """Verify the lifted pattern anew, by the general algorithm."""
        space = self.system.configurations
        pattern = restrict(extend_to_letters(binary, self.size), inputs=space, outputs=space)
        started = perf_counter()
        verdict = verify(self.system, pattern)
        spent = perf_counter() - started
        if not verdict.is_complete:
            raise AssertionError("the search accepted a relation that is no complete pattern")
        return self.watch.found(pattern, states=pattern.size, binary=binary, verification=spent)


def _action(positions: tuple[int, ...]) -> list[tuple[Word, Word]]:
    """All binary words of one length with their images under a permutation of positions."""
    return [(word, move(word, positions)) for word in product((0, 1), repeat=len(positions))]
