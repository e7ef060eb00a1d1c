"""Symmetries that are missing, each with the smallest sets of sites that cost it.

What is written is looked at in stages, all sites of a stage in one graph. Unknowns in many places can make a model so
large that symmetries are not seen; what stays unexplained is asked again of single sites, and then of whole rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import factorial, prod
from typing import final

from burnside.claims.requirements import Required
from burnside.detect.actions import name_renamings
from burnside.detect.culprits import (
    Budget,
    BudgetSpent,
    Classes,
    Found,
    Questions,
    likeliest,
    lost_exchanges,
    smallest,
)
from burnside.detect.detection import Detection
from burnside.detect.naming import joined, processes_exchanged
from burnside.detect.relax import Relaxed, relax
from burnside.detect.rule_culprits import acting_together, rules_to_blame
from burnside.detect.site import Kind, Site, Start, Unknown
from burnside.detect.sites import find_sites
from burnside.detect.sort_inference import PROPERTY
from burnside.detect.ties import Name
from burnside.groups import describe, group_order
from burnside.ir.nodes import Model
from burnside.ir.renaming import Sort
from burnside.source import Span
from burnside.values import dataclass, replace

_MOST_ALONE = 12  # sites that are asked one by one
_SMALL = 2_000  # vertices of a graph that may be made anew for every site of a set

# What is looked at together: calculations and lists make a model large when they become unknown.
_PLAIN = (Kind.LITERAL, Kind.INITIAL, Kind.RANGE)
_LISTS = (Kind.LIST, Kind.KNOWN)
_ORDERING = (Kind.CALCULATION, Kind.LIST)
_STAGES = (_PLAIN, (*_PLAIN, *_LISTS), (*_PLAIN, Kind.CALCULATION))


@final
@dataclass(frozen=True, slots=True)
class NamedGroup:
    """The order of a group, and its name if that is known; ``are_renamings`` if there are symmetries beside it."""

    order: int
    structure: str | None
    are_renamings: bool = False


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
class Unexplained:
    """A domain of which some processes cannot be exchanged, or none ``in_every_way``, though nothing that is written in
    single places is why; ``together`` is where it is said which of them act together, if that may be why.
    """

    name: str
    together: tuple[Span, ...] = ()
    in_every_way: bool = True


@final
class MissingSymmetries:
    """The search for what a model lacks; what stays ``unexplained`` has no single place."""

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
        self._vocabulary, unknowns, starts = find_sites(model, requirements, values_taken(found))
        if only_properties:
            unknowns, starts = tuple(u for u in unknowns if u.site.owner.what == PROPERTY), ()
        self._unknowns: Sequence[Unknown] = unknowns
        self._starts: Sequence[Start] = starts
        self._parts: dict[Site, Unknown] = {}
        self._asked: dict[frozenset[Site], Questions] = {}
        self._known: list[Loss] = []
        self.is_complete = True
        self.unexplained: tuple[Unexplained, ...] = ()

    def losses(self) -> tuple[Loss, ...]:
        """What is missing, as far as the budget allows to find out."""
        try:
            self._look()
        except BudgetSpent:
            self.is_complete = False
        return tuple(self._known)

    def _look(self) -> None:
        self._own = Questions(Relaxed(self._found.constraints, {}), self._vocabulary, self._budget)
        kept = self._kept()
        if self._is_whole(kept):
            return
        silent: set[Site] = set()
        for kinds in _STAGES:
            some = [u for u in self._unknowns if u.site.kind in kinds]
            if (some or self._starts) and (Kind.LIST not in kinds or self._apart(kept) or any(self._limited())):
                questions = self._questions([u.site for u in some] + [s.site for s in self._starts])
                if questions is not None:
                    kept = joined([*kept, *questions.classes(silent)])
                    told, kept = self._exchanges(questions, kept)
                    silent |= told
                    kept = joined([*kept, *questions.classes(silent)])
                    self._orders(questions, silent)
        for explaining in (self._one_by_one, self._rules):
            if self._split(kept):
                kept = explaining(kept)
        apart = self._apart(kept)
        limited = [sort for sort in self._limited() if sort not in apart]
        self.unexplained = tuple(
            Unexplained(sort.name, acting_together(self._model, sort), sort in apart) for sort in (*apart, *limited)
        )

    def _limited(self) -> Iterator[Sort]:
        """Sorts of processes that can be exchanged, but not in every way, for no reason that is known."""
        group, names = self._own.acting(())
        for sort in dict.fromkeys(name.sort for name in names if name.sort.is_process):
            own = group.on_points([k for k, name in enumerate(names) if name.sort == sort])
            ways = prod(factorial(len(orbit)) for orbit in own.orbits)
            if group_order(own) < ways and all(loss.sort != sort for loss in self._known):
                yield sort

    def _is_whole(self, kept: Classes) -> bool:
        """Whether all that is declared alike can be exchanged in any way, so that nothing can be missing."""
        of_data = [next(iter(c)).sort for c in kept if not next(iter(c)).sort.is_process]
        group, _ = self._own.acting(())
        is_any_way = group_order(group) == prod(factorial(len(orbit)) for orbit in group.orbits)
        return is_any_way and not self._split(kept) and len(of_data) == len({*of_data})

    def _apart(self, kept: Classes) -> Sequence[Sort]:
        """Sorts of processes that no declaration tells apart and that cannot be exchanged all the same."""
        return [*dict.fromkeys(next(iter(lost)).sort for lost in self._split(kept))]

    def _split(self, kept: Classes) -> list[frozenset[Name]]:
        """Classes of processes of which others are declared alike: the smaller ones first."""
        parts = [d for d in self._model.domains if d.index and d.name not in ("", d.index)]
        kinds: dict[tuple[object, ...], dict[frozenset[Name], None]] = {}
        for together in kept:
            for name in together:
                kind = (name.sort, *(d.index == name.sort.name and name.number in d for d in parts))
                if name.sort.is_process:
                    kinds.setdefault(kind, {})[together] = None
        split = dict.fromkeys(lost for classes in kinds.values() if len(classes) > 1 for lost in classes)
        return sorted(split, key=lambda lost: (len(lost), min(name.number for name in lost)))

    def _questions(self, sites: Sequence[Site]) -> Questions | None:
        """None if the model becomes too large without what is written."""
        relaxed = self._relaxed(frozenset(sites))
        if len(relaxed.constraints.opaque) > len(self._found.constraints.opaque):
            self.is_complete = False
            return None
        return self._about(relaxed)

    def _kept(self) -> Classes:
        """The names that symmetries of the model exchange."""
        symmetry = self._found.symmetry
        exchanged = processes_exchanged(symmetry.literals, symmetry.group.generators)
        classes = [*self._own.classes(())]
        for sort in self._vocabulary.ids:
            if sort.is_process:
                classes += [frozenset(Name(sort, i) for i in orbit) for orbit in exchanged.get(sort.name, [])]
        return joined(classes)

    # ------------------------------------------------------------ exchanges

    def _exchanges(self, questions: Questions, kept: Classes) -> tuple[set[Site], Classes]:
        """The sites that were told of, and who can be exchanged without them."""
        silent: set[Site] = set()
        for found in lost_exchanges(questions, kept):
            fewest = self._fewest(found)
            exchanged = self._add(fewest)
            if exchanged is not None:
                silent |= set(fewest.sites if {*fewest.sites} <= {*questions.sites} else found.sites)
                kept = joined([*kept, *exchanged])
        return silent, kept

    def _add(self, found: Found) -> Classes | None:
        """Tell of a loss, unless the model in which only these sites say nothing lacks the symmetry too; who can be
        exchanged there.
        """
        asked = self._without(found.sites)
        before, after = self._named(self._own), self._named(asked, found.sites)
        is_lost = after.order > before.order or asked.is_wider(found.singled_out, found.sites)
        if is_lost:
            sort, values = _singled_out(found)
            shown = tuple(self._vocabulary.text(sort, v) for v in values)
            self._known.append(Loss(sort, shown, found.sites, found.others, before, after))
        return asked.classes(found.sites) if is_lost else None

    def _fewest(self, found: Found) -> Found:
        """One of several sites, or of their places, if it is enough: marks on the others may hide that."""
        if self._own.size <= _SMALL:
            sites = found.sites if len(found.sites) > 1 else ()
            for site in [*sites, *self._single_places(found.sites)][:_MOST_ALONE]:
                if self._without([site]).is_wider(found.singled_out, [site]):
                    return self._fewest(Found(found.singled_out, (site,), ()))
        return found

    def _single_places(self, sites: Sequence[Site]) -> Iterator[Site]:
        """The places of literals that stand in several, each as a site of its own."""
        for unknown in [u for u in self._unknowns if u.site in sites]:
            several = unknown.site.places if unknown.site.kind is Kind.LITERAL else ()
            for span in several if len(several) > 1 else ():
                site = replace(unknown.site, places=(span,))
                nodes = tuple(node for node in unknown.nodes if node.span == span)
                self._parts[site] = replace(unknown, site=site, nodes=nodes)
                yield site

    def _without(self, sites: Iterable[Site]) -> Questions:
        """The model in which only some sites say nothing: marks on the others could hide some renamings."""
        silent = frozenset(sites)
        return self._asked.get(silent) or self._about(self._relaxed(silent))

    def _relaxed(self, silent: frozenset[Site]) -> Relaxed:
        unknowns = [u for u in (*self._unknowns, *self._parts.values()) if u.site in silent]
        starts = [s for s in self._starts if s.site in silent]
        return relax(self._model, self._requirements, unknowns, starts, self._budget.checkpoint)

    def _about(self, relaxed: Relaxed) -> Questions:
        questions = Questions(relaxed, self._vocabulary, self._budget)
        self._asked[frozenset(questions.sites)] = questions
        return questions

    def _one_by_one(self, kept: Classes) -> Classes:
        """Single sites that cost what is unexplained."""
        written = [u.site for u in self._unknowns] + [s.site for s in self._starts]
        sites = [site for site in written if site.sort in self._apart(kept)]
        for lost in self._split(kept):
            if lost not in kept:
                continue
            for site in likeliest(sites, lost)[:_MOST_ALONE]:
                if self._without([site]).is_wider(lost, [site]):
                    exchanged = self._add(Found(lost, (site,), ()))
                    if exchanged is not None:
                        kept = joined([*kept, *exchanged])
                        break
        return kept

    def _rules(self, kept: Classes) -> Classes:
        """Whole rules that cost what is unexplained."""
        if self._only_properties:
            return kept
        for lost in self._split(kept):
            blamed = rules_to_blame(self._model, self._requirements, self._vocabulary, lost, self._budget)
            if blamed is not None and lost in kept:
                sites, asked = blamed
                sort, values = _singled_out(Found(lost, sites, ()))
                shown = tuple(self._vocabulary.text(sort, v) for v in values)
                self._known.append(Loss(sort, shown, sites, (), self._named(self._own), self._named(asked)))
                kept = joined([*kept, *asked.classes(())])
        return kept

    # ------------------------------------------------------------ orders

    def _orders(self, questions: Questions, silent: set[Site]) -> None:
        """What is calculated with, or looked up by, the ids of processes that could be exchanged in more ways."""
        calculated = [s for s in questions.sites if s.kind in _ORDERING and s not in silent]
        order = questions.order(silent)

        def is_larger(free: frozenset[Site]) -> bool:
            return questions.order(free | silent) > order

        if calculated and is_larger(frozenset(calculated)):
            # One of them if it is enough, and the one that costs most.
            best = max(calculated[:_MOST_ALONE], key=lambda site: questions.order({site} | silent))
            sites = (best,) if is_larger(frozenset([best])) else smallest(is_larger, calculated)
            before = self._named(self._without([*silent]), silent) if silent else self._named(self._own)
            after = self._named(self._without([*silent, *sites]), [*silent, *sites])
            if after.order > before.order:
                self._known.append(Loss(sites[0].sort, (), sites, (), before, after))

    def _named(self, questions: Questions, silent: Sequence[Site] | set[Site] = ()) -> NamedGroup:
        """A group of renamings by what it does."""
        group, names = questions.acting(silent)
        action = name_renamings(group, names, self._vocabulary)
        own = group_order(self._own.acting(())[0])
        structure = describe(group) if action is None else action.text
        return NamedGroup(group_order(group), structure, own != self._found.symmetry.order)


def _singled_out(found: Found) -> tuple[Sort, tuple[int, ...]]:
    """The names that the sites write, if they write some; otherwise those that are told apart."""
    written = {Name(s.sort, s.value) for s in found.sites if s.value is not None}
    names = sorted(written or found.singled_out, key=lambda name: (name.sort.name, name.number))
    sort = names[0].sort
    return sort, tuple(name.number for name in names if name.sort == sort)


def values_taken(found: Detection) -> Mapping[str, frozenset[int]]:
    """The values that variables take, as far as detection can see."""
    pruned = found.encoding.pruned
    values: dict[str, set[int]] = {}
    for number, cell in enumerate(found.constraints.cells.all):
        if cell.slot != -1:
            taken = pruned.taken(number)
            values.setdefault(cell.variable.name, set()).update(taken or ())
    return {name: frozenset(taken) for name, taken in values.items()}
