"""The group named by what it does: ``S4 (Cache) × S2 (Data)`` rather than any group of that order and shape.

Where the generators act on sorts (`burnside.detect.sorts`), the group acts on the values of all of them side by side.
If that action has the order of the group it is faithful; if moreover the orders of its actions on some sets of values
multiply to the order of the group, the group is the direct product of these actions: it embeds into that product and
is as large. All orders are exact, from stabiliser chains. What is not proved in this way has no such name.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import combinations, groupby
from math import prod
from typing import Protocol, final

from burnside.detect.sorts import Sorts
from burnside.detect.symmetry import Symmetry
from burnside.groups import OutOfWork, PermGroup, Work, faithful_points, group_order, recognise
from burnside.groups.families import natural
from burnside.groups.names import Named, Structure, direct_product, factor_text, structure_text
from burnside.groups.perm import support
from burnside.ir.renaming import Sort, SortKind
from burnside.values import dataclass, replace

_WORK = 10_000_000  # images of points: about half a second
_MOST_SETS = 200  # orbits of values that are looked at
_MOST_FACTORS = 6  # that are written one by one
_MOST_SHOWN = 6


@final
@dataclass(frozen=True, slots=True)
class Moved:
    """Values of a sort that a factor exchanges, in words; ``is_all`` if the sort has no others."""

    sort: Sort
    values: tuple[str, ...]
    shown: str
    is_all: bool

    @property
    def text(self) -> str:
        """The name of the sort, with the values if there are others."""
        return self.sort.name if self.is_all else f"{self.sort.name} {self.shown}"


@final
@dataclass(frozen=True, slots=True)
class ActionFactor:
    """A direct factor, and what it acts upon."""

    structure: Structure
    moved: tuple[Moved, ...]

    @property
    def text(self) -> str:
        """The factor as it is written: ``S4 (Cache)``."""
        return f"{factor_text(self.structure)} ({', '.join(m.text for m in self.moved)})"


@final
@dataclass(frozen=True, slots=True)
class Action:
    """A group as the direct product of its actions on values of sorts."""

    factors: tuple[ActionFactor, ...]

    @property
    def text(self) -> str:
        """All factors; many of one kind on one sort as a power."""
        if len(self.factors) <= _MOST_FACTORS:
            return " × ".join(f.text for f in self.factors)
        alike = groupby(self.factors, key=lambda f: (f.structure, tuple(m.sort.name for m in f.moved)))
        return " × ".join(_power(structure, names, len([*some])) for (structure, names), some in alike)

    @property
    def abstract(self) -> str:
        """The name of the product without what it acts upon, as `burnside.groups.names` writes it."""
        return structure_text(direct_product([_abstract(f.structure) for f in self.factors]))


def _power(structure: Structure, names: Sequence[str], count: int) -> str:
    exponent = f"^{count}" if count > 1 else ""
    return f"{factor_text(structure)}{exponent} ({', '.join(names)})"


def _abstract(structure: Structure) -> Structure:
    return Named("C", 2) if structure == Named("S", 2) else structure


def name_action(symmetry: Symmetry, *, limit: int = _WORK) -> Action | None:
    """The group as a product of actions; None if that is not what it is, or takes too much work to prove."""
    if symmetry.group.is_trivial:
        return None
    work = Work(limit)
    try:
        sorts = Sorts(symmetry.literals)
        return _SortAction.of(symmetry.group, sorts, work).named(symmetry.order)
    except OutOfWork:
        return None


def name_renamings(group: PermGroup, names: Sequence[tuple[Sort, int]], words: Words) -> Action | None:
    """A group of permutations of names as a product of actions; None as above."""
    if group.is_trivial:
        return None
    work = Work(_WORK)
    try:
        return _SortAction(words, tuple(names), group, work).named(group_order(group, work=work))
    except OutOfWork:
        return None


class Words(Protocol):
    """How values of sorts are called, and which there are."""

    def text(self, sort: Sort, value: int) -> str:
        """A value in the user's words."""

    def declared(self, sort: Sort) -> Sequence[int]:
        """All values of a sort."""


@final
@dataclass(frozen=True)
class _SortAction:
    """The action of a group on the values of all sorts on which it acts; ``points`` says what its points are."""

    sorts: Words
    points: tuple[tuple[Sort, int], ...]
    group: PermGroup
    work: Work

    @staticmethod
    def of(group: PermGroup, sorts: Sorts, work: Work) -> _SortAction:
        """The action, its order not yet known."""
        moves = []
        for g in group.generators:
            work.spend(group.degree + 4 * len(support(g)))
            moves.append(sorts.moves(g))
        torn = {sort for each in moves for sort, images in each.items() if images is None}
        points = tuple((sort, v) for sort in sorts.all if sort not in torn for v in sorts.values(sort))
        number = {point: k for k, point in enumerate(points)}
        work.spend(len(points) * len(moves))
        images = [tuple(number[sort, (each.get(sort) or {}).get(v, v)] for sort, v in points) for each in moves]
        return _SortAction(sorts, points, PermGroup(len(points), tuple(images)), work)

    @cached_property
    def sets(self) -> tuple[tuple[int, ...], ...]:
        """The orbits of values, those of processes first."""
        return tuple(o for o in self.group.orbits if len(o) > 1)

    def order_on(self, points: Sequence[int]) -> int:
        """The exact order of the action on an invariant set of values."""
        return group_order(self.group.on_points(points), work=self.work)

    def named(self, order: int) -> Action | None:
        """The product that the group of that order is."""
        if not self.sets or len(self.sets) > _MOST_SETS:
            return None
        kept = set(faithful_points(self.group, work=self.work))
        # Orbits that follow others are left out: they can be put back in place of these.
        leading = [o for o in self.sets if o[0] in kept]
        if self.order_on(sorted(kept)) != order:
            return None
        classes = [[o] for o in leading]
        if prod(self.order_on(o) for o in leading) != order:
            classes = self._dependent(leading)
            if prod(self.order_on(_joined(some)) for some in classes) != order:
                return None
        factors = [self._factor(some) for some in sorted(map(self._simplest, classes))]
        found = tuple(f for f in factors if f is not None)
        return Action(found) if len(found) == len(factors) else None

    def _dependent(self, orbits: Sequence[tuple[int, ...]]) -> list[list[tuple[int, ...]]]:
        """Orbits in classes: those whose actions are not independent together."""
        orders = {o: self.order_on(o) for o in orbits}
        classes = {o: [o] for o in orbits}
        for one, other in combinations(orbits, 2):
            if classes[one] is classes[other] or self.order_on(_joined([one, other])) == orders[one] * orders[other]:
                continue
            joined = sorted([*classes[one], *classes[other]])
            classes |= dict.fromkeys(joined, joined)
        return [some for o, some in classes.items() if some[0] == o]

    def _simplest(self, some: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
        """A class, or the orbit (of processes, then of data, then of a variable) that alone shows as much."""
        points = _joined(some)
        order = self.order_on(points)
        for orbit in sorted(self.sets, key=lambda o: (self._rank(o), len(o))):
            if orbit in some and len(some) == 1:
                return some
            if self.order_on(orbit) == order == self.order_on(sorted({*points, *orbit})):
                return [orbit]
        return some

    def _rank(self, orbit: Sequence[int]) -> int:
        return [*SortKind].index(self.points[orbit[0]][0].kind)

    def _factor(self, some: list[tuple[int, ...]]) -> ActionFactor | None:
        points = _joined(some)
        order = self.order_on(points)
        group = replace(self.group.on_points(points), order=order)
        structure = natural(len(points), order) or recognise(group, work=self.work)
        return None if structure is None else ActionFactor(structure, tuple(map(self._moved, some)))

    def _moved(self, orbit: Sequence[int]) -> Moved:
        sort = self.points[orbit[0]][0]
        values = [self.points[p][1] for p in orbit]
        texts = {v: self.sorts.text(sort, v) for v in values}
        is_all = values == [*self.sorts.declared(sort)]
        return Moved(sort, tuple(texts.values()), values_text(texts), is_all)


def _joined(orbits: Sequence[tuple[int, ...]]) -> list[int]:
    return sorted(p for o in orbits for p in o)


def values_text(texts: dict[int, str]) -> str:
    """Values with their names, consecutive numbers as ranges.

    >>> values_text({0: "0", 1: "1", 2: "2", 5: "5", 6: "6"})
    '0..2, 5, 6'
    >>> values_text({1: "middle", 2: "right"})
    'middle, right'
    """
    parts = [*_ranges(texts)]
    return ", ".join(parts if len(parts) <= _MOST_SHOWN else [*parts[:3], "…", parts[-1]])


def _ranges(texts: dict[int, str]) -> Iterator[str]:
    """A value belongs to a range if it is shown as a number and follows the one before."""
    numbered = enumerate(texts.items())
    for is_number, run in groupby(numbered, key=lambda item: (item[1][1] == str(item[1][0]), item[1][0] - item[0])):
        found = [text for _, (_, text) in run]
        if is_number[0] and len(found) > 2:
            yield f"{found[0]}..{found[-1]}"
        else:
            yield from found
