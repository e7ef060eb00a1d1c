"""A regular system: configurations as words, steps as length-preserving regular relations, one per action.

The system stands for all its instances at once: instance ``n`` is what it says of words of length ``n``.
Steps are always understood restricted to configurations; `System.steps` is that restriction.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import final

from burnside.regular.alphabet import Alphabet, Pair, Word
from burnside.regular.automata import reduce, unite
from burnside.regular.relations import Language, Relation, restrict
from burnside.source import Span
from burnside.values import dataclass, field


@final
@dataclass(frozen=True, slots=True)
class Action:
    """A named step relation."""

    name: str
    relation: Relation
    span: Span | None = field(default=None, compare=False, repr=False)


@final
@dataclass(frozen=True, slots=True)
class NamedPattern:
    """A relation that the user proposes as a symmetry pattern."""

    name: str
    relation: Relation
    span: Span | None = field(default=None, compare=False, repr=False)


@final
@dataclass(frozen=True, slots=True)
class SafetyQuestion:
    """Can a configuration of ``never`` be reached from one of ``start``?"""

    name: str
    start: Language
    never: Language
    span: Span | None = field(default=None, compare=False, repr=False)


@final
@dataclass(frozen=True, slots=True)
class Constraints:
    """What a synthesised pattern has to satisfy beyond being a symmetry.

    ``forced`` are pairs of words to relate; ``generators`` are permutations of the positions of all words
    of one length, in image form from zero; ``selectors`` give, per length, permutations of which one must
    be the pattern's action (the groups of finite instances); ``must`` is included in the pattern,
    ``must_not`` disjoint from it; ``bounded`` letters occur a bounded number of times in images;
    ``impossible`` pairs label no transition; ``off`` names conditions of the encoding to leave out.
    """

    forced: tuple[tuple[Word, Word], ...] = ()
    generators: tuple[tuple[int, ...], ...] = ()
    selectors: Mapping[int, tuple[tuple[int, ...], ...]] = field(default_factory=dict)
    must: tuple[Relation, ...] = ()
    must_not: tuple[Relation, ...] = ()
    bounded: tuple[int, ...] = ()
    impossible: tuple[Pair, ...] = ()
    off: frozenset[str] = frozenset()
    states: tuple[int, int] | None = None
    kind: str = "process"


@final
@dataclass(frozen=True)
class System:
    """A parameterised system given by automata."""

    alphabet: Alphabet
    configurations: Language
    actions: tuple[Action, ...]
    patterns: tuple[NamedPattern, ...] = ()
    questions: tuple[SafetyQuestion, ...] = ()
    constraints: Constraints = Constraints()

    @cached_property
    def steps(self) -> Mapping[str, Relation]:
        """The steps of every action between configurations, minimised."""
        inside = self.configurations
        return {a.name: restrict(a.relation, inputs=inside, outputs=inside) for a in self.actions}

    @cached_property
    def raw_step(self) -> Relation:
        """The union of all actions as written, minimised: its size is the one the literature counts."""
        return reduce(unite(a.relation.nfa() for a in self.actions))

    @cached_property
    def step(self) -> Relation:
        """The union of all actions between configurations, minimised."""
        return reduce(unite(r.nfa() for r in self.steps.values()))

    def pattern(self, name: str) -> NamedPattern | None:
        """The pattern the file gives this name."""
        return next((p for p in self.patterns if p.name == name), None)
