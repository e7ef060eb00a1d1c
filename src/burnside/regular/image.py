"""The image of a system under a pattern, and safety decided on it (Propositions 1 and 2 of [LinEtAl16]).

A simulation keeps what can be reached: if the image of the bad configurations cannot be reached from the image
of the initial ones, then no bad configuration can be reached in any instance of the system. Where the image is
finite this is a search through finitely many words.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from burnside.regular.alphabet import Word, convolve
from burnside.regular.automata import intersect, is_finite, reduce
from burnside.regular.relations import Language, Relation, finite_words, project, restrict
from burnside.regular.search import shortest_path
from burnside.regular.system import SafetyQuestion, System

HOLDS, UNKNOWN = "holds", "unknown"


@final
@dataclass(frozen=True, slots=True)
class Image:
    """The configurations of the image; ``words`` lists them if they are finitely many."""

    configurations: Language
    words: tuple[Word, ...] | None

    @property
    def is_finite(self) -> bool:
        """Whether the image is a finite system."""
        return self.words is not None


@final
@dataclass(frozen=True, slots=True)
class Answer:
    """The verdict on one safety question: ``holds`` for all instances, or ``unknown``.

    ``trace`` is then a run of the image from an image of the start to an image of the forbidden set. It need
    not be a run of the system: the pattern may be too coarse for the question.
    """

    question: str
    verdict: str
    trace: tuple[Word, ...] = ()


def image_of(system: System, relation: Relation) -> Image:
    """The image of the system. Needs: ``relation`` is a symmetry pattern of the system."""
    reached = _image(relation, system.configurations, system.configurations)
    words = tuple(finite_words(reached)) if is_finite(reached) else None
    return Image(reached, words)


def _image(relation: Relation, inputs: Language, space: Language) -> Language:
    """The configurations that are images of configurations in ``inputs``."""
    return reduce(project(restrict(relation, inputs=intersect(inputs, space), outputs=space), 1))


def decide(system: System, relation: Relation, question: SafetyQuestion) -> Answer:
    """Proposition 1 on a finite image.

    Needs: ``relation`` is a symmetry pattern of the system (total, above all) with a finite image.
    """
    space = system.configurations
    image = image_of(system, relation)
    if image.words is None:
        raise ValueError("the image is not finite")
    start = finite_words(_image(relation, question.start, space))
    never = frozenset(finite_words(_image(relation, question.never, space)))
    words = image.words

    def successors(word: Word | None) -> list[tuple[Word, Word | None]]:
        if word is None:
            return [(first, first) for first in start]
        return [(w, w) for w in words if len(w) == len(word) and _is_step(system, word, w)]

    trace = shortest_path(None, successors, lambda word: word in never)
    return Answer(question.name, HOLDS) if trace is None else Answer(question.name, UNKNOWN, tuple(trace))


def _is_step(system: System, source: Word, target: Word) -> bool:
    return any(step.accepts(convolve(source, target)) for step in system.steps.values())
