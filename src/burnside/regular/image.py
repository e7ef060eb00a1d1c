"""The image of a system under a pattern, and what it says about safety (Propositions 1 and 2 of [LinEtAl16]).

A simulation keeps what can be reached: if the image of the bad configurations cannot be reached from the image
of the initial ones, then no bad configuration can be reached in any instance of the system. Where the image is
finite this is a question for the explorer, asked by `finite`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias, final

from burnside.claims.task import Task
from burnside.ir.cells import State
from burnside.regular.alphabet import Word
from burnside.regular.automata import intersect, is_finite, reduce
from burnside.regular.finite import FiniteSystem, Query, finite_system, task_of, words_of
from burnside.regular.relations import Language, Relation, count_words, finite_words, project, restrict
from burnside.regular.search import TooLarge
from burnside.regular.system import SafetyQuestion, System
from burnside.values import dataclass

HOLDS, VIOLATED, UNKNOWN = "holds", "violated", "unknown"

# More words, or more letters in all of them, are counted, but neither listed nor explored.
MOST_WORDS = 20_000
MOST_LETTERS = 2_000_000

# Decides the invariants of a model: for each of them a run that ends where it is false, or None if there is no such
# run. An invariant that was not decided, because a limit was reached, is left out.
Explorer: TypeAlias = Callable[[Task], Mapping[str, Sequence[State] | None]]


@final
@dataclass(frozen=True, slots=True)
class Image:
    """The configurations of the image; ``count`` says how many if they are finitely many.

    ``words`` lists them, unless they are infinitely many or too many to explore.
    """

    configurations: Language
    count: int | None
    words: tuple[Word, ...] | None

    @property
    def is_finite(self) -> bool:
        """Whether the image is a finite system."""
        return self.count is not None


@final
@dataclass(frozen=True, slots=True)
class Answer:
    """The verdict on one safety question.

    ``holds`` is for all instances. ``violated`` comes with a run of the system from the start to the forbidden set.
    ``unknown`` may come with a run from an image of the start to an image of the forbidden set, which says nothing:
    the pattern may be too coarse for the question.
    """

    question: str
    verdict: str
    trace: tuple[Word, ...] = ()


def image_of(system: System, relation: Relation) -> Image:
    """The image of the system. Needs: ``relation`` is a symmetry pattern of the system."""
    reached = _image(relation, system.configurations, system.configurations)
    count = count_words(reached) if is_finite(reached) else None
    # The automaton of a finite language has more states than any word has letters.
    is_small = count is not None and count <= MOST_WORDS and count * reached.size <= MOST_LETTERS
    return Image(reached, count, tuple(finite_words(reached)) if is_small else None)


def _image(relation: Relation, inputs: Language, space: Language) -> Language:
    """The configurations that are images of configurations in ``inputs``."""
    return reduce(project(restrict(relation, inputs=intersect(inputs, space), outputs=space), 1))


def decide(system: System, relation: Relation, image: Image, explore: Explorer) -> list[Answer]:
    """The safety questions of a system, decided by exploring its image once.

    Needs: ``image`` is the image under ``relation``, a symmetry pattern (total, above all).
    """
    undecided = [Answer(question.name, UNKNOWN) for question in system.questions]
    if image.words is None or not undecided:
        return undecided
    try:
        finite, task = safety_task(system, relation, image.words)
    except TooLarge:
        return undecided
    found = explore(task)
    return [_answer(question.name, finite, found) for question in system.questions]


def safety_task(system: System, relation: Relation, words: Sequence[Word]) -> tuple[FiniteSystem, Task]:
    """The finite image with all questions about it, as words and as a sequential model."""
    finite = finite_system(system, words)
    queries = [query for question in system.questions for query in _queries(system, relation, words, question)]
    return finite, task_of(finite, queries, system.alphabet)


def _queries(system: System, relation: Relation, words: Sequence[Word], question: SafetyQuestion) -> tuple[Query, ...]:
    """Proposition 1, and beside it the question itself within the image.

    The words of the image are configurations, and its steps are steps of the system. So a run of the image that
    begins in the start and ends in the forbidden set, not only in their images, is a run of the system.
    """
    start, never = (_image(relation, part, system.configurations) for part in (question.start, question.never))
    return (
        Query(question.name, frozenset(finite_words(start)), frozenset(finite_words(never))),
        Query(
            _itself(question.name),
            frozenset(word for word in words if question.start.accepts(word)),
            frozenset(word for word in words if question.never.accepts(word)),
        ),
    )


def _itself(name: str) -> str:
    return f"{name} in the system"


def _answer(name: str, finite: FiniteSystem, found: Mapping[str, Sequence[State] | None]) -> Answer:
    run = found.get(_itself(name))
    if run is not None:
        return Answer(name, VIOLATED, words_of(finite, run))
    if name not in found:
        return Answer(name, UNKNOWN)
    run = found[name]
    return Answer(name, HOLDS) if run is None else Answer(name, UNKNOWN, words_of(finite, run))
