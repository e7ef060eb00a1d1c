"""The refinement loop of [LinEtAl16] over the system's own letters.

For each number of states a solver proposes transducers under conditions (C1) to (C11); verification refutes
them by words, which become clauses. Bijections and process symmetries use all conditions, functions (C1) to
(C9), length-decreasing functions (C1) to (C8). The answer is verified once more, independently of the loop.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice
from time import perf_counter
from typing import final

from burnside.regular.alphabet import Word, tracks
from burnside.regular.automata import difference_word, is_finite, shortest_word, words
from burnside.regular.clauses import BIJECTIVE, is_identity, moves_as, relative, why_none
from burnside.regular.instances import move
from burnside.regular.relations import Relation, both, restrict
from burnside.regular.synthesis.binary_patterns import (
    binary_shadow,
    is_process_pattern,
    permutes_positions,
    position_conflict,
)
from burnside.regular.synthesis.conditions import Conditions
from burnside.regular.synthesis.encoding import Encoding
from burnside.regular.synthesis.outcome import Found, Watch
from burnside.regular.synthesis.refine import learn
from burnside.regular.system import Constraints, System
from burnside.regular.verify import (
    Condition,
    Failure,
    missing_input,
    missing_output,
    outside_word,
    two_images,
    two_origins,
    unmatched_step,
    verify,
)

STATES = (1, 20)
_SEED_LENGTH = 3
_MOST_SEEDS = 400


def find_patterns(
    system: System,
    *,
    constraints: Constraints | None = None,
    watch: Watch | None = None,
) -> Iterator[Found]:
    """All patterns with at most the given number of states that meet the constraints, smallest first."""
    wanted = relative(system, system.constraints if constraints is None else constraints)
    if why_none(system, wanted):
        return
    watch = watch or Watch()
    least, most = wanted.states or STATES
    known: list[Relation] = []
    for states in range(least, most + 1):
        yield from _Search(system, wanted, states, watch).run(known)


@final
class _Search:
    """The loop for one number of states."""

    def __init__(self, system: System, constraints: Constraints, states: int, watch: Watch) -> None:
        self.system = system
        self.constraints = constraints
        self.watch = watch
        self.bijective = constraints.kind in BIJECTIVE
        self.process = constraints.kind == "process" and "permutative" not in constraints.off
        self.encoding = Encoding(conditions_for(system, constraints, states))
        self._seed()

    def run(self, known: list[Relation]) -> Iterator[Found]:
        """Every pattern of this size, as the loop finds them."""
        while True:
            candidate = self.encoding.solve(self.watch.check)
            if candidate is None:
                self.encoding.close()
                return
            reasons = self._refute(candidate)
            self.watch.candidate(candidate.size, reasons)
            if not reasons:
                self.encoding.forbid(candidate)
                found = self._accept(candidate)
                if found.relation not in known:
                    known.append(found.relation)
                    yield found

    def _seed(self) -> None:
        """Short configurations have images (and origins); what the user forces holds from the start."""
        for word in self._short_configurations():
            self.encoding.cover(word, 0)
            if self.bijective:
                self.encoding.cover(word, 1)
        for left, right in self.constraints.forced:
            self.encoding.require(self.encoding.related(left, right))
        for choices in self._moves():
            self.encoding.choose(list(islice(self._action(positions), _MOST_SEEDS)) for positions in choices)

    def _short_configurations(self) -> Iterator[Word]:
        space = self.system.configurations
        return islice(chain.from_iterable(words(space, n) for n in range(1, _SEED_LENGTH + 1)), _MOST_SEEDS)

    def _moves(self) -> list[tuple[tuple[int, ...], ...]]:
        """For each length that is constrained, the permutations of positions of which one must apply."""
        forced = [(positions,) for positions in self.constraints.generators]
        return forced + [choices for _, choices in sorted(self.constraints.selectors.items())]

    def _action(self, positions: tuple[int, ...]) -> Iterator[tuple[Word, Word]]:
        """All configurations of one length with their images under a permutation of positions."""
        configurations = words(self.system.configurations, len(positions))
        return ((word, move(word, positions)) for word in configurations)

    def _refute(self, candidate: Relation) -> list[str]:
        """Add a clause for everything wrong with a candidate; several per round pay."""
        space = self.system.configurations
        failures = [failure for failure in self._failures(candidate) if failure is not None]
        for failure in failures:
            learn(self.encoding, failure)
        reasons = [failure.condition.value for failure in failures] + self._refute_constraints(candidate)
        if not reasons and self.process:
            reasons += self._refute_positions(candidate)
        return reasons or self._refute_within(restrict(candidate, inputs=space, outputs=space), candidate)

    def _refute_within(self, within: Relation, candidate: Relation) -> list[str]:
        """What can be said only of a total function, by what it does to configurations."""
        if not all(any(moves_as(within, positions) for positions in choices) for choices in self._moves()):
            # Only where an instance has more words than were given to the solver.
            self.encoding.forbid(candidate)
            return ["generator"]
        if is_identity(self.system, within):
            if not self.encoding.move_some(self.system.configurations):
                self.encoding.forbid(candidate)
            return ["identity"]
        return []

    def _failures(self, candidate: Relation) -> Iterator[Failure | None]:
        space = self.system.configurations
        from_inside = restrict(candidate, inputs=space)
        within = restrict(from_inside, outputs=space)
        yield outside_word(from_inside, space)
        for step in self.system.steps.values():
            yield unmatched_step(step, within)
        yield two_images(within)
        yield missing_input(within, space)
        if self.bijective:
            yield two_origins(within)
            yield missing_output(within, space)

    def _refute_constraints(self, candidate: Relation) -> list[str]:
        reasons: list[str] = []
        for relation in self.constraints.must:
            columns = difference_word(relation, candidate)
            if columns is not None:
                left, right = tracks(columns, 2)
                self.encoding.require(self.encoding.related(left, right))
                reasons.append("must")
        for relation in self.constraints.must_not:
            columns = shortest_word(both(relation, candidate))
            if columns is not None:
                left, right = tracks(columns, 2)
                self.encoding.refuse([(left, right)])
                reasons.append("must not")
        return reasons

    def _refute_positions(self, candidate: Relation) -> list[str]:
        """(C11) does not make a permutation of positions: letters may still be moved by what they are."""
        space = self.system.configurations
        within = restrict(candidate, inputs=space, outputs=space)
        conflict = position_conflict(within, self.system.alphabet.size)
        if conflict is not None:
            self.encoding.refuse(conflict)
            return ["positions"]
        if not permutes_positions(within, self.system.alphabet.size):
            self.encoding.forbid(candidate)
            return ["positions"]
        return []

    def _accept(self, candidate: Relation) -> Found:
        """Verify the pattern anew, by the general algorithm.

        The states counted are those of the transducer found, which may do as it likes outside configurations.
        """
        started = perf_counter()
        verdict = verify(self.system, candidate)
        spent = perf_counter() - started
        if not (verdict.is_complete if self.bijective else verdict.is_pattern and verdict.holds(Condition.FUNCTIONAL)):
            raise AssertionError("the search accepted a relation that is no pattern")
        space = self.system.configurations
        within = restrict(candidate, inputs=space, outputs=space)
        return self.watch.found(within, states=candidate.size, binary=self._shadow(within), verification=spent)

    def _shadow(self, relation: Relation) -> Relation | None:
        """The binary pattern behind a process symmetry, where it is known for all words."""
        shadow = binary_shadow(relation, self.system.alphabet.size) if self.process else None
        return shadow if shadow is not None and is_process_pattern(shadow) else None


def conditions_for(system: System, constraints: Constraints, states: int) -> Conditions:
    """The conditions of the paper for a kind of pattern, corrected for systems with few configurations.

    (C5) holds only if the empty word is a configuration, and (C6) only if there are infinitely many.
    """
    bijective = constraints.kind in BIJECTIVE
    return Conditions(
        letters=system.alphabet.size,
        states=states,
        padding=constraints.kind == "decreasing",
        accepts_empty=0 in system.configurations.accepting,
        infinite=not is_finite(system.configurations),
        copycat="copycat" not in constraints.off,
        one_input=bijective and "injectiveinput" not in constraints.off,
        counted=constraints.kind == "process" and "parikh" not in constraints.off,
        bounded=constraints.bounded,
        impossible=constraints.impossible,
    )
