"""Is a regular relation a symmetry pattern of a regular system? Every "no" comes with shortest words.

Each condition of [LinEtAl16] is one search in a product built on the fly. The pattern is read relative to the
configurations ``S``: pairs with an input outside ``S`` are ignored, an image outside ``S`` is a failure of
its own (``INSIDE``), and all other conditions speak of the pairs within ``S``. Totality is asked for although
the definition of a simulation does not: without it the empty relation would be a pattern, and a safe image
would say nothing about the system.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import Enum
from typing import TypeAlias, final

from burnside.regular.alphabet import PAD, Alphabet, Letter, Word, tracks
from burnside.regular.automata import SINK
from burnside.regular.inclusion import missing_word
from burnside.regular.relations import Language, Relation, arcs, is_length_preserving, padded, project, restrict
from burnside.regular.search import shortest_path
from burnside.regular.system import System
from burnside.values import dataclass


class Condition(Enum):
    """What can be asked of a relation on the configurations of a system."""

    LENGTH_DECREASING = "length-decreasing"
    INSIDE = "inside"
    TOTAL = "total"
    SIMULATION = "simulation"
    FUNCTIONAL = "functional"
    INJECTIVE = "injective"
    SURJECTIVE = "surjective"
    LENGTH_PRESERVING = "length-preserving"


PATTERN = (Condition.LENGTH_DECREASING, Condition.INSIDE, Condition.TOTAL, Condition.SIMULATION)
COMPLETE = tuple(Condition)


@final
@dataclass(frozen=True, slots=True)
class Failure:
    """A condition that fails, and the words that show it; ``action`` is the step that is not matched."""

    condition: Condition
    words: tuple[Word, ...]
    action: str = ""

    def explain(self, alphabet: Alphabet) -> str:
        """The counterexample as a sentence."""
        shown = [f"'{alphabet.text(word)}'" for word in self.words]
        sentence = _SENTENCES[self.condition] if len(shown) != 4 else _FUNCTIONAL_SIMULATION
        return sentence.format(*shown, action=f" by '{self.action}'" if self.action else "")


_SENTENCES = {
    Condition.LENGTH_DECREASING: "{0} is related to the longer word {1}",
    Condition.INSIDE: "the configuration {0} is related to {1}, which is not a configuration",
    Condition.TOTAL: "the configuration {0} has no image",
    Condition.SIMULATION: "{0} steps to {2}{action} and is related to {1}, but {1} has no step to an image of {2}",
    Condition.FUNCTIONAL: "{0} has two images, {1} and {2}",
    Condition.INJECTIVE: "{0} is the image of both {1} and {2}",
    Condition.SURJECTIVE: "the configuration {0} is no image",
    Condition.LENGTH_PRESERVING: "{0} is related to {1}, a word of another length",
}
_FUNCTIONAL_SIMULATION = "{0} steps to {2}{action}, but its image {1} has no step to the image {3} of {2}"


@final
@dataclass(frozen=True, slots=True)
class Verdict:
    """The outcome of checking one relation: a failure for every condition that does not hold."""

    failures: Mapping[Condition, Failure]
    theorem: int

    def holds(self, *conditions: Condition) -> bool:
        """Whether all these conditions hold."""
        return not any(c in self.failures for c in conditions)

    @property
    def is_pattern(self) -> bool:
        """Whether the relation is a symmetry pattern: a total, length-decreasing simulation."""
        return self.holds(*PATTERN)

    @property
    def is_complete(self) -> bool:
        """Whether it is a complete pattern: moreover a length-preserving bijection of the configurations."""
        return self.holds(*COMPLETE)


def verify(system: System, relation: Relation) -> Verdict:
    """Check every condition. Theorem 3 serves total functions, Theorem 2 all other relations."""
    space = system.configurations
    from_inside = restrict(relation, inputs=space)
    within = restrict(from_inside, outputs=space)
    found = [
        outside_word(from_inside, space),
        longer_image(within),
        other_length(within),
        missing_input(within, space),
        missing_output(within, space),
        two_images(within),
        two_origins(within),
    ]
    failures = {failure.condition: failure for failure in found if failure is not None}
    functional = not {Condition.TOTAL, Condition.FUNCTIONAL} & failures.keys()
    simulate = unmatched_step if functional else unmatched_step_general
    for name, step in system.steps.items():
        failure = simulate(step, within, action=name)
        if failure is not None:
            failures[Condition.SIMULATION] = failure
            break
    return Verdict(failures, 3 if functional else 2)


def outside_word(relation: Relation, space: Language) -> Failure | None:
    """A pair whose output is not a configuration. Needs: inputs restricted to configurations."""

    def moves(node: tuple[int, int]) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
        state, inside = node
        for (a, b), target in sorted(relation.rows[state].items()):
            yield (a, b), (target, inside if b == PAD else space.step(inside, b))

    def is_bad(node: tuple[int, int]) -> bool:
        return node[0] in relation.accepting and node[1] not in space.accepting

    return _failure(Condition.INSIDE, shortest_path((0, 0), moves, is_bad), 2)


def longer_image(relation: Relation) -> Failure | None:
    """A pair whose second word is longer than the first."""
    return _column(relation, Condition.LENGTH_DECREASING, lambda a, _: a == PAD)


def other_length(relation: Relation) -> Failure | None:
    """A pair of words of different lengths."""
    return _column(relation, Condition.LENGTH_PRESERVING, lambda a, b: PAD in (a, b))


def _column(relation: Relation, condition: Condition, is_bad: Callable[[Letter, Letter], bool]) -> Failure | None:
    """An accepted pair with a bad column somewhere."""

    def moves(node: tuple[int, bool]) -> Iterator[tuple[tuple[int, int], tuple[int, bool]]]:
        state, bad = node
        for (a, b), target in sorted(relation.rows[state].items()):
            yield (a, b), (target, bad or is_bad(a, b))

    path = shortest_path((0, False), moves, lambda n: n[1] and n[0] in relation.accepting)
    return _failure(condition, path, 2)


def missing_input(relation: Relation, space: Language) -> Failure | None:
    """A configuration without an image: inclusion in the projection, with antichains."""
    word = missing_word(space, project(relation, 0))
    return None if word is None else Failure(Condition.TOTAL, (word,))


def missing_output(relation: Relation, space: Language) -> Failure | None:
    """A configuration that is no image."""
    word = missing_word(space, project(relation, 1))
    return None if word is None else Failure(Condition.SURJECTIVE, (word,))


def two_images(relation: Relation) -> Failure | None:
    """A word with two images."""
    return _twins(relation, 0, Condition.FUNCTIONAL)


def two_origins(relation: Relation) -> Failure | None:
    """A word that is the image of two."""
    return _twins(relation, 1, Condition.INJECTIVE)


_Twin: TypeAlias = tuple[int, int, bool]


def _twins(relation: Relation, track: int, condition: Condition) -> Failure | None:
    """Two pairs that agree on one track and differ on the other: two copies side by side, and a flag."""
    onward = padded(relation)
    by_letter = arcs(onward, track)

    def moves(node: _Twin) -> Iterator[tuple[tuple[int, int, int], _Twin]]:
        p, q, differ = node
        for a, firsts in by_letter[p].items():
            seconds = by_letter[q].get(a, ())
            for b, p2 in firsts:
                for c, q2 in seconds:
                    if not a == b == c == PAD:
                        yield (a, b, c), (p2, q2, differ or b != c)

    accepting = onward.accepting
    path = shortest_path((0, 0, False), moves, lambda n: n[2] and n[0] in accepting and n[1] in accepting)
    return _failure(condition, path, 3)


_Quad: TypeAlias = tuple[int, int, int, int]


def unmatched_step(step: Relation, relation: Relation, *, action: str = "") -> Failure | None:
    """Theorem 3 [LinEtAl16]: a step ``v1 → w1`` whose images ``v2``, ``w2`` are no step.

    Needs: the relation is a total function on configurations. The product runs the step, the relation twice,
    and the complement of the step; polynomial, and in practice far below a millisecond.
    """
    if is_length_preserving(relation):
        return _unmatched(step, relation, action)
    return _unmatched(padded(step), padded(relation), action)


def _unmatched(step: Relation, relation: Relation, action: str) -> Failure | None:
    images = arcs(relation)

    def moves(node: _Quad) -> Iterator[tuple[_Quad, _Quad]]:
        t1, r1, r2, t2 = node
        first, second = images[r1], images[r2]
        for (a, c), t1_ in step.rows[t1].items():
            for b, r1_ in first.get(a, ()):
                for d, r2_ in second.get(c, ()):
                    if not a == b == c == d == PAD:
                        yield (a, b, c, d), (t1_, r1_, r2_, step.rows[t2].get((b, d), SINK) if t2 != SINK else SINK)

    def is_bad(node: _Quad) -> bool:
        t1, r1, r2, t2 = node
        paired = t1 in step.accepting and r1 in relation.accepting and r2 in relation.accepting
        return paired and t2 not in step.accepting

    return _failure(Condition.SIMULATION, shortest_path((0, 0, 0, 0), moves, is_bad), 4, action)


_Subset: TypeAlias = tuple[int, int, frozenset[tuple[int, int]]]


def unmatched_step_general(step: Relation, relation: Relation, *, action: str = "") -> Failure | None:
    """Theorem 2 [LinEtAl16]: a step ``v1 → w1`` and an image ``v2`` of ``v1`` without a matching step.

    The answers ``w2`` to come are tracked as the set of all states that (step from ``v2``, image of ``w1``)
    can be in, so any regular relation is decided; exponential in the worst case only.
    """
    steps, images = padded(step), padded(relation)
    by_input = arcs(images)

    def answers(open_: frozenset[tuple[int, int]], b: Letter, c: Letter) -> frozenset[tuple[int, int]]:
        found = set()
        for t, r in open_:
            for d, r2 in by_input[r].get(c, ()):
                t2 = steps.rows[t].get((b, d), SINK)
                if t2 != SINK:
                    found.add((t2, r2))
        return frozenset(found)

    def moves(node: _Subset) -> Iterator[tuple[tuple[int, int, int], _Subset]]:
        t1, r1, open_ = node
        for (a, c), t1_ in steps.rows[t1].items():
            for b, r1_ in by_input[r1].get(a, ()):
                if not a == b == c == PAD:
                    yield (a, b, c), (t1_, r1_, answers(open_, b, c))

    def is_bad(node: _Subset) -> bool:
        t1, r1, open_ = node
        if t1 not in steps.accepting or r1 not in images.accepting:
            return False
        # A step keeps lengths, so an answer w2 is as long as v2, which has ended here.
        return not any(t in steps.accepting and r in images.accepting for t, r in open_)

    path = shortest_path((0, 0, frozenset({(0, 0)})), moves, is_bad)
    return _failure(Condition.SIMULATION, path, 3, action)


def _failure(
    condition: Condition, path: Sequence[tuple[int, ...]] | None, count: int, action: str = ""
) -> Failure | None:
    return None if path is None else Failure(condition, tracks(path, count), action)
