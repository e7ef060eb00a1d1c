"""Smallest sets of sites that cost a symmetry.

The question is always the same: which names can be exchanged if some sites say nothing? It is asked of one coloured
graph, with the marks of all other sites (``relax``), so an answer costs a search for automorphisms and no more. To
leave marks out never takes a symmetry away, so smallest sets are found by QuickXplain [Junker04].
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias, final

from burnside.detect.encode import Encoding, encode
from burnside.detect.naming import joined
from burnside.detect.relax import Relaxed
from burnside.detect.site import Kind, Site
from burnside.detect.ties import Name, Ties
from burnside.detect.vocabulary import Vocabulary
from burnside.graph.automorphisms import automorphisms
from burnside.graph.coloured import marked
from burnside.groups import PermGroup, group_order
from burnside.values import dataclass

Goal: TypeAlias = Callable[[frozenset[Site]], bool]
Classes: TypeAlias = Sequence[frozenset[Name]]


class BudgetSpent(Exception):
    """Nothing more is asked; what is known is reported as incomplete."""


@final
class Budget:
    """How many questions may be asked; ``checkpoint`` may raise as well."""

    def __init__(self, questions: int, checkpoint: Callable[[], None]) -> None:
        self.left = questions
        self.checkpoint = checkpoint

    def spend(self) -> None:
        """One more question."""
        self.checkpoint()
        if self.left <= 0:
            raise BudgetSpent
        self.left -= 1


@final
class Questions:
    """The renamings of a model in which some sites say nothing."""

    def __init__(self, relaxed: Relaxed, vocabulary: Vocabulary, budget: Budget) -> None:
        self.sites = tuple(relaxed.marks)
        self._marks = relaxed.marks
        self._budget = budget
        budget.spend()
        self._encoding: Encoding = encode(relaxed.constraints, Ties(relaxed.constraints.cells, vocabulary))
        self.names = tuple(self._encoding.names)
        self.size = len(self._encoding.graph.colours)
        spoken_of = {vertex for edge in self._encoding.graph.edges for vertex in edge}
        self._spoken_of = [k for k, name in enumerate(self.names) if self._encoding.names[name] in spoken_of]
        self._known: dict[frozenset[Site], PermGroup] = {}

    def group(self, silent: Iterable[Site]) -> PermGroup:
        """The renamings if some sites say nothing, as permutations of the names."""
        free = frozenset(silent)
        if free not in self._known:
            self._budget.spend()
            self._known[free] = self._renamings(free)
        return self._known[free]

    def _renamings(self, free: frozenset[Site]) -> PermGroup:
        fixed = [mark for site in self.sites if site not in free for mark in self._marks[site]]
        found = automorphisms(marked(self._encoding.graph, dict(self._marked_vertices(fixed))))
        vertices = [self._encoding.names[name] for name in self.names]
        place = {vertex: k for k, vertex in enumerate(vertices)}
        return PermGroup(len(vertices), tuple(tuple(place[g[v]] for v in vertices) for g in found.generators))

    def _marked_vertices(self, literals: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
        """Vertices with marks: one for all literals; a large cell has none, and its value for a mark."""
        for cell, value in literals:
            if (cell, value) in self._encoding.literals:
                yield self._encoding.literals[cell, value], 0
            elif cell in self._encoding.large:
                yield self._encoding.large[cell], value

    def order(self, silent: Iterable[Site]) -> int:
        """How many renamings there are."""
        return group_order(self.group(silent))

    def acting(self, silent: Iterable[Site]) -> tuple[PermGroup, Sequence[Name]]:
        """The same group on the names that the model speaks of: others can be renamed at will."""
        return self.group(silent).on_points(self._spoken_of), [self.names[k] for k in self._spoken_of]

    def classes(self, silent: Iterable[Site]) -> Classes:
        """Names that can be exchanged."""
        return [frozenset(self.names[p] for p in orbit) for orbit in self.group(silent).orbits]

    def is_spoken_of(self, names: Iterable[Name]) -> bool:
        """Whether the model says anything of some names."""
        spoken_of = {self.names[k] for k in self._spoken_of}
        return spoken_of.issuperset(names)

    def is_wider(self, lost: frozenset[Name], silent: Iterable[Site]) -> bool:
        """Whether some of the names can be exchanged with others."""
        return any(not self.class_of(name, silent) <= lost for name in lost)

    def class_of(self, name: Name, silent: Iterable[Site]) -> frozenset[Name]:
        """The names that one name can be exchanged with."""
        return frozenset(self.names[p] for p in self.group(silent).orbit(self.names.index(name)))


@final
@dataclass(frozen=True, slots=True)
class Found:
    """Sites without which some names could be exchanged with others; ``others`` are sets that would do as well."""

    singled_out: frozenset[Name]
    sites: tuple[Site, ...]
    others: tuple[tuple[Site, ...], ...]


def lost_exchanges(questions: Questions, kept: Classes) -> Iterator[Found]:
    """For names that cannot be exchanged with others, though they could if nothing were written: the smallest sets.

    ``kept`` are names that symmetries of the model exchange.
    """
    everything = frozenset(questions.sites)
    whole = joined([*questions.classes(everything), *kept])
    classes = joined([*questions.classes(()), *kept])
    wanted = [c for c in classes if not any(c == w for w in whole)]
    for lost in sorted(wanted, key=lambda c: _urgency(c, questions.sites)):
        if lost in wanted:
            found = _culprits(questions, lost, everything)
            if found is not None:
                yield found
                wanted = [c for c in wanted if not questions.is_wider(c, found.sites)]


def _urgency(lost: frozenset[Name], sites: Sequence[Site]) -> tuple[bool, int, tuple[str, int]]:
    """Names that are written first, and few before many."""
    is_written = any(site.value is not None and Name(site.sort, site.value) in lost for site in sites)
    least = min(lost, key=lambda name: name.number)
    return not is_written, len(lost), (least.sort.name, least.number)


def _culprits(questions: Questions, lost: frozenset[Name], everything: frozenset[Site]) -> Found | None:
    def goal(silent: frozenset[Site]) -> bool:
        return questions.is_wider(lost, silent)

    if not goal(everything):
        return None
    first = smallest(goal, likeliest(everything, lost))
    rest = everything - set(first)
    others = (smallest(goal, likeliest(rest, lost)),) if rest and goal(rest) else ()
    return Found(lost, first, others)


_PREFERENCE: Mapping[Kind, int] = {kind: k for k, kind in enumerate(Kind)}


def likeliest(sites: Iterable[Site], lost: frozenset[Name]) -> list[Site]:
    """The likeliest culprits first: what names one of the names, then other names, and calculations last."""

    def key(site: Site) -> tuple[bool, bool, int, int]:
        is_named = site.value is not None and Name(site.sort, site.value) in lost
        return site.kind is Kind.CALCULATION, not is_named, _PREFERENCE[site.kind], site.places[0].start

    return sorted(sites, key=key)


def smallest(goal: Goal, sites: Sequence[Site]) -> tuple[Site, ...]:
    """A smallest set of sites that reaches a goal, one that all of them reach; the first are preferred.

    >>> smallest(lambda silent: {2, 5} <= silent or {3} <= silent, [1, 2, 3, 4, 5])
    (3,)
    """

    def among(given: frozenset[Site], added: bool, some: Sequence[Site]) -> tuple[Site, ...]:
        if added and goal(given):
            return ()
        if len(some) == 1:
            return tuple(some)
        half = (len(some) + 1) // 2
        later = among(given | set(some[:half]), True, some[half:])
        earlier = among(given | set(later), bool(later), some[:half])
        return (*earlier, *later)

    return among(frozenset(), True, sites)
