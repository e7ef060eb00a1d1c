"""What costs symmetry: processes and values that could be exchanged if something were not written, and where it is.

Symmetry is *expected* of the processes of a domain, and of the values of a domain of data that are only copied and
compared. Where it is missing, smallest sets of sites are named (``culprits``); what is calculated with process ids
comes last, since a ring is mostly meant to be one. The groups here belong to other models: they are neither validated
nor used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import final

from burnside.claims.requirements import Required
from burnside.detect.culprits import Budget, BudgetSpent, Classes, Found, Questions, joined, lost_exchanges, smallest
from burnside.detect.naming import processes_exchanged
from burnside.detect.relax import Relaxed, relax
from burnside.detect.run import Detection, Symmetries
from burnside.detect.sites import Kind, Site, Start, Unknown, find_sites
from burnside.detect.sort_inference import PROPERTY
from burnside.detect.ties import Name
from burnside.detect.vocabulary import Vocabulary
from burnside.groups import PermGroup, describe, group_order
from burnside.ir.nodes import Const, Model
from burnside.ir.renaming import Sort
from burnside.limits import NEVER, Deadline, phase

MOST_QUESTIONS = 400

# What is looked at together: calculations and lists make a model large when they become unknown.
_PLAIN = (Kind.LITERAL, Kind.INITIAL, Kind.RANGE)
_STAGES = (_PLAIN, (*_PLAIN, Kind.LIST), (*_PLAIN, Kind.CALCULATION))


@final
@dataclass(frozen=True, slots=True)
class NamedGroup:
    """The order of a group, and its structure if that is known."""

    order: int
    structure: str | None


@final
@dataclass(frozen=True, slots=True)
class Loss:
    """A symmetry that is missing: who is told apart, by what, and the group with and without that.

    ``values`` are in words. Without ``values`` it is the order of the names that is used.
    """

    sort: Sort
    values: tuple[str, ...]
    sites: tuple[Site, ...]
    others: tuple[tuple[Site, ...], ...]
    group: NamedGroup
    without: NamedGroup


@final
@dataclass(frozen=True, slots=True)
class PropertyCost:
    """The symmetries that a property keeps, and what of it costs the others."""

    name: str
    kept: NamedGroup
    losses: tuple[Loss, ...]


@final
@dataclass(frozen=True, slots=True)
class Explanation:
    """Missing symmetries, and what properties cost of the ``group`` of the model; ``is_complete`` unless the model was
    too large, or the budget spent. ``unexplained`` are domains of which some processes cannot be exchanged though
    nothing that is written in single places tells them apart.
    """

    group: NamedGroup
    losses: tuple[Loss, ...]
    properties: tuple[PropertyCost, ...] = ()
    is_complete: bool = True
    unexplained: tuple[str, ...] = ()


@final
@dataclass(frozen=True, slots=True)
class Asked:
    """A property by name, with what symmetries must keep for it."""

    name: str
    requirements: tuple[Required, ...]


@phase("explaining symmetries")
def explain(
    symmetries: Symmetries,
    requirements: Sequence[Required],
    properties: Sequence[Asked],
    deadline: Deadline = NEVER,
) -> Explanation:
    """The symmetries that a model lacks if some conditions are to be kept, and what each property costs.

    Whatever has been found when the time is over is reported as incomplete.
    """

    def checkpoint() -> None:
        if deadline.is_over():
            raise BudgetSpent

    found = symmetries.keeping(requirements)
    explaining = _Explaining(symmetries.model, requirements, found, Budget(MOST_QUESTIONS, checkpoint))
    losses = explaining.losses()
    costs, are_known = _costs(symmetries, properties, checkpoint, are_explained=not requirements)
    own = named_group(symmetries.keeping()) if costs else named_group(found)
    return Explanation(own, losses, costs, explaining.is_complete and are_known, explaining.unexplained)


def named_group(found: Detection) -> NamedGroup:
    """The group that was detected."""
    return NamedGroup(found.symmetry.order, describe(found.symmetry.group))


def _costs(
    symmetries: Symmetries, properties: Sequence[Asked], checkpoint: Callable[[], None], *, are_explained: bool
) -> tuple[tuple[PropertyCost, ...], bool]:
    costs: list[PropertyCost] = []
    are_known = True
    try:
        for asked in properties:
            checkpoint()
            required = [r for r in asked.requirements if not isinstance(r.condition, Const)]
            kept = symmetries.keeping(required)
            losses: tuple[Loss, ...] = ()
            if are_explained and kept.symmetry.order < symmetries.keeping().symmetry.order:
                budget = Budget(MOST_QUESTIONS, checkpoint)
                explaining = _Explaining(symmetries.model, required, kept, budget, only_properties=True)
                losses = explaining.losses()
                are_known &= explaining.is_complete
            costs.append(PropertyCost(asked.name, named_group(kept), losses))
    except BudgetSpent:
        return tuple(costs), False
    return tuple(costs), are_known


@final
class _Explaining:
    def __init__(
        self,
        model: Model,
        requirements: Sequence[Required],
        found: Detection,
        budget: Budget,
        *,
        only_properties: bool = False,
    ) -> None:
        self._model = model
        self._requirements = requirements
        self._found = found
        self._budget = budget
        self._only_properties = only_properties
        self._unknowns: Sequence[Unknown] = ()
        self._starts: Sequence[Start] = ()
        self._known: list[Loss] = []
        self.is_complete = True
        self.unexplained: tuple[str, ...] = ()

    def losses(self) -> tuple[Loss, ...]:
        """What is missing, as far as the budget allows to find out."""
        try:
            self._look()
        except BudgetSpent:
            self.is_complete = False
        return tuple(self._known)

    def _look(self) -> None:
        vocabulary, unknowns, starts = find_sites(self._model, self._requirements, _occurring(self._found))
        if self._only_properties:
            unknowns = tuple(u for u in unknowns if u.site.owner.what == PROPERTY)
            starts = ()
        self._unknowns, self._starts = unknowns, starts
        self._own = Questions(Relaxed(self._found.constraints, {}), vocabulary, self._budget)
        kept = self._kept(vocabulary)
        silent: set[Site] = set()
        for kinds in _STAGES:
            some = [u for u in unknowns if u.site.kind in kinds]
            if (some or starts) and (Kind.LIST not in kinds or self._apart(kept)):
                questions = self._questions(vocabulary, some, starts)
                if questions is not None:
                    kept = joined([*kept, *questions.classes(silent)])
                    silent |= self._exchanges(questions, vocabulary, kept)
                    kept = joined([*kept, *questions.classes(silent)])
                    if Kind.CALCULATION in kinds:
                        self._orders(questions, vocabulary, silent)
        self.unexplained = self._apart(kept)

    def _apart(self, kept: Classes) -> tuple[str, ...]:
        """Domains of processes that no declaration tells apart and that cannot be exchanged all the same."""
        parts = [d for d in self._model.domains if d.index and d.name not in ("", d.index)]
        kinds: dict[tuple[object, ...], frozenset[Name]] = {}
        found: dict[str, None] = {}
        for together in kept:
            for name in together:
                kind = (name.sort, *(d.index == name.sort.name and name.number in d for d in parts))
                if name.sort.is_process and kinds.setdefault(kind, together) != together:
                    found[name.sort.name] = None
        return tuple(found)

    def _questions(
        self, vocabulary: Vocabulary, unknowns: Sequence[Unknown], starts: Sequence[Start]
    ) -> Questions | None:
        """None if the model becomes too large without what is written."""
        relaxed = relax(self._model, self._requirements, unknowns, starts, self._budget.checkpoint)
        if len(relaxed.constraints.opaque) > len(self._found.constraints.opaque):
            self.is_complete = False
            return None
        return Questions(relaxed, vocabulary, self._budget)

    def _kept(self, vocabulary: Vocabulary) -> Classes:
        """The names that symmetries of the model exchange."""
        symmetry = self._found.symmetry
        exchanged = processes_exchanged(symmetry.literals, symmetry.group.generators)
        classes = [*self._own.classes(())]
        for sort in vocabulary.ids:
            if sort.is_process:
                classes += [frozenset(Name(sort, i) for i in orbit) for orbit in exchanged.get(sort.name, [])]
        return joined(classes)

    def _exchanges(self, questions: Questions, vocabulary: Vocabulary, kept: Classes) -> set[Site]:
        silent: set[Site] = set()
        for found in lost_exchanges(questions, kept):
            sort, values = _singled_out(found)
            shown = tuple(vocabulary.ids[sort].text(v) for v in values)
            before, after = self._group(self._own.group(())), self._group(self._without(vocabulary, found.sites))
            if after.order > before.order:
                silent |= set(found.sites)
                self._known.append(Loss(sort, shown, found.sites, found.others, before, after))
        return silent

    def _without(self, vocabulary: Vocabulary, sites: Sequence[Site]) -> PermGroup:
        """The renamings of the model in which only some sites say nothing: marks on the others could hide some."""
        unknowns = [u for u in self._unknowns if u.site in sites]
        starts = [s for s in self._starts if s.site in sites]
        relaxed = relax(self._model, self._requirements, unknowns, starts, self._budget.checkpoint)
        return Questions(relaxed, vocabulary, self._budget).group(sites)

    def _orders(self, questions: Questions, vocabulary: Vocabulary, silent: set[Site]) -> None:
        """What is calculated with the ids of processes that could be exchanged in more ways."""
        calculated = [s for s in questions.sites if s.kind is Kind.CALCULATION and s not in silent]
        order = questions.order(silent)

        def is_larger(free: frozenset[Site]) -> bool:
            return questions.order(free | silent) > order

        if calculated and is_larger(frozenset(calculated)):
            sites = smallest(is_larger, calculated)
            before = self._without(vocabulary, [*silent]) if silent else self._own.group(())
            groups = self._group(before), self._group(self._without(vocabulary, [*silent, *sites]))
            if groups[1].order > groups[0].order:
                self._known.append(Loss(sites[0].sort, (), sites, (), *groups))

    def _group(self, group: PermGroup) -> NamedGroup:
        """A group of renamings; if the model has other symmetries beside renamings, there are so many times more."""
        order, own, total = group_order(group), group_order(self._own.group(())), self._found.symmetry.order
        return NamedGroup(order, describe(group)) if total == own else NamedGroup(order * total // own, None)


def _singled_out(found: Found) -> tuple[Sort, tuple[int, ...]]:
    """The names that the sites write, if they write some; otherwise those that are told apart."""
    written = {Name(s.sort, s.value) for s in found.sites if s.value is not None}
    names = sorted(written or found.singled_out, key=lambda name: (name.sort.name, name.number))
    sort = names[0].sort
    return sort, tuple(name.number for name in names if name.sort == sort)


def _occurring(found: Detection) -> Mapping[str, frozenset[int]]:
    """The values that variables take, as far as detection can see."""
    pruned = found.encoding.pruned
    values: dict[str, set[int]] = {}
    for number, cell in enumerate(found.constraints.cells.all):
        if cell.slot != -1:
            taken = pruned.values.arrays.get(number, pruned.fixed_values.get(number))
            values.setdefault(cell.variable.name, set()).update([] if taken is None else taken.tolist())
    return {name: frozenset(taken) for name, taken in values.items()}


def sites_of(explanation: Explanation) -> Iterator[tuple[Loss, Site]]:
    """Every site with the loss it is named for, those of properties last."""
    for loss in (*explanation.losses, *(loss for cost in explanation.properties for loss in cost.losses)):
        for site in loss.sites:
            yield loss, site
