"""What group is it? Every answer is proved by exact orders; what cannot be proved is not named.

The tools are few. All of them need the exact order of the group and of some of its actions, which a stabiliser
chain whose base begins with the points acted upon gives with certainty.

* A group of order n! that acts faithfully on n points is S_n, one of half that order (n > 2) is A_n.
* For n > 3 a group of order n! with the n-1 involutions of Coxeter's presentation is S_n.
* A group of order 2n with an element of order n and an involution outside its powers that inverts it is D_n.
* An abelian group is determined by the orders of its subgroups of p-th powers.
* If the actions on two sets have orders a and b, the action on both together is faithful, and ``a * b = |G|``, then
  G is the direct product of the two actions: it embeds into that product and is as large. The factors need not move
  disjoint points; the sets may be orbits or block systems, so that "rotate all" and "flip all" are told apart.
* If G permutes k blocks, acts on them as Q and on one block (by what maps it to itself) as H, then G embeds into
  ``H wr Q``; it is all of it if ``|G| = |H|^k * |Q|``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, islice
from math import prod
from typing import final

from burnside.groups.blocks import block_systems
from burnside.groups.cartesian import facets
from burnside.groups.chain import group_order, stabiliser_chain
from burnside.groups.faithful import equivariant_map, faithful_points
from burnside.groups.families import abelian, dihedral, exact_order, integer_root, natural, symmetric
from burnside.groups.group import PermGroup, disjoint_parts
from burnside.groups.names import (
    TRIVIAL,
    Named,
    Structure,
    Wreath,
    direct_product,
    structure_order,
    structure_text,
)
from burnside.groups.work import OutOfWork, Work
from burnside.values import dataclass, replace

DEFAULT_LIMIT = 10_000_000

_CHECKS = 30  # random elements that must lie in the chain
_WIDEST_OUTER = 64


def describe(group: PermGroup, *, limit: int = DEFAULT_LIMIT) -> str | None:
    """The structure as text, such as ``D9 × S3 × C2`` (`burnside.groups.names` explains the notation).

    None if it is not among the structures known, or would take more work than ``limit`` to prove. ``limit`` counts
    images of points; the default is about half a second. The answer does not depend on the clock.
    """
    structure = recognise(group, limit=limit)
    return None if structure is None else structure_text(structure)


def recognise(group: PermGroup, *, limit: int = DEFAULT_LIMIT, work: Work | None = None) -> Structure | None:
    """The structure as a value; see `describe`. The work may be part of a larger piece, with a limit of its own."""
    work = work or Work(limit)
    try:
        small = _faithful(group, work)
        known = _certified_order(small, work)
        structure = _recognise_faithful(replace(small, order=known), work)
    except OutOfWork:
        return None
    if structure is not None and structure_order(structure) != known:
        raise AssertionError(f"a group of order {known} is not {structure_text(structure)}")
    return structure


def _certified_order(group: PermGroup, work: Work) -> int:
    """The order, computed or, if it was given, checked.

    Every proof here rests on the order. One that is too large is always noticed. One that is too small ends the
    construction of the chain early, and leaves a large part of the elements outside, where random ones fall.
    """
    if group.order is None:
        return group_order(group, work=work)
    chain = stabiliser_chain(group, work=work)
    work.spend(3 * _CHECKS * group.degree)
    if not all(g in chain for g in islice(group.randoms(2), _CHECKS)):
        raise ValueError(f"the order of the group is not {group.order}")
    return group.order


def _faithful(group: PermGroup, work: Work) -> PermGroup:
    """The same group on fewer points."""
    return replace(group.on_points(faithful_points(group, work=work)), order=group.order)


def _recognise(group: PermGroup, work: Work) -> Structure | None:
    """What `group`, whose order is known, is."""
    return _recognise_faithful(_faithful(group, work), work)


def _recognise_faithful(group: PermGroup, work: Work) -> Structure | None:
    if group.is_trivial:
        return TRIVIAL
    group = _on_one_orbit(group, work)
    if group.is_abelian:
        return abelian(group, work)
    parts = disjoint_parts(group)
    if len(parts) > 1:
        return _product_of(group, parts, work)
    if name := dihedral(group, work):
        return name
    views = _views(group, work)
    return (
        _family(views)
        or symmetric(group, work)
        or _wreath(views, work)
        or _smaller(views, group.degree, work)
        or _split(views, work)
    )


def _on_one_orbit(group: PermGroup, work: Work) -> PermGroup:
    """The same group by its action on the smallest orbit that is faithful, if there is one among several."""
    if len(group.orbits) > 1:
        for o in sorted(group.orbits, key=len):
            if _order_on(group, o, work) == group.order:
                return replace(group.on_points(o), order=group.order)
    return group


def _order_on(group: PermGroup, points: Sequence[int], work: Work) -> int:
    """The order of the action on an invariant set of points."""
    if len(points) == group.degree:
        return exact_order(group)
    lengths = stabiliser_chain(group, base=points, work=work).orbit_lengths
    return prod(lengths[: len(points)])


def _action(group: PermGroup, points: Sequence[int], work: Work) -> PermGroup:
    """The action on an invariant set of points, with its order."""
    return replace(group.on_points(points), order=_order_on(group, points, work))


# Products with disjoint supports


def _product_of(group: PermGroup, parts: Iterable[Sequence[int]], work: Work) -> Structure | None:
    """The product of the actions on ``parts``, once it is known that the group is that product."""
    factors = []
    for part in parts:
        factor = _recognise(_action(group, part, work), work)
        if factor is None:
            return None
        factors.append(factor)
    return direct_product(factors)


# The transitive actions at hand

Cells = tuple[tuple[int, ...], ...]


@final
@dataclass(frozen=True)
class _View:
    """A transitive action of the group: an orbit, a block system, or the facets of a product action."""

    points: tuple[int, ...]
    group: PermGroup

    @property
    def degree(self) -> int:
        return len(self.points)


@final
@dataclass(frozen=True)
class _Views:
    """All transitive actions at hand, and one group that acts on the points of all of them side by side."""

    whole: PermGroup
    orbits: tuple[tuple[int, ...], ...]
    views: tuple[_View, ...]

    @property
    def order(self) -> int:
        """The order of the group."""
        return exact_order(self.whole)

    def faithful(self) -> Iterator[_View]:
        """The actions in which only the identity fixes everything, smallest first."""
        return (view for view in self.views if view.group.order == self.order)


def _views(group: PermGroup, work: Work) -> _Views:
    """Orbits, their block systems and facets; points of ``group`` keep their numbers, sets of points come behind."""
    cells = [system for o in group.orbits for system in _cells(group, o, work)]
    images = [list(g) for g in group.generators]
    spans = []
    for system in cells:
        start = len(images[0])
        spans.append(tuple(range(start, start + len(system))))
        place = {cell: start + k for k, cell in enumerate(system)}
        for g, row in zip(group.generators, images, strict=True):
            work.spend(sum(map(len, system)))
            row += [place[tuple(sorted([g[p] for p in cell]))] for cell in system]
    whole = PermGroup(len(images[0]), tuple(map(tuple, images)), group.order)
    views = [_View(points, _action(whole, points, work)) for points in (*group.orbits, *spans)]
    return _Views(whole, group.orbits, tuple(sorted(views, key=lambda v: (v.degree, v.points))))


def _cells(group: PermGroup, points: Sequence[int], work: Work) -> list[Cells]:
    """Sets of points of one orbit that the group permutes transitively: block systems, facets."""
    action = _action(group, points, work)
    systems = [s for s in block_systems(action, work=work) if len(s) < action.degree]
    stabiliser = stabiliser_chain(action, base=[0], work=work).stabiliser().group
    for suborbit in sorted(stabiliser.orbits, key=len):
        if suborbit != (0,) and (found := facets(action, suborbit[0], work)):
            systems.append(found)
            break
    return [tuple(tuple(sorted(points[p] for p in cell)) for cell in system) for system in systems]


# One faithful action is enough


def _family(views: _Views) -> Structure | None:
    """S_n or A_n, from a faithful action on n points."""
    for view in views.faithful():
        if name := natural(view.degree, views.order):
            return name
    return None


def _smaller(views: _Views, degree: int, work: Work) -> Structure | None:
    """What the group is by its smallest faithful action, whose block systems may show more."""
    view = next(views.faithful(), None)
    return _recognise(view.group, work) if view is not None and view.degree < degree else None


# Wreath products


def _wreath(views: _Views, work: Work) -> Structure | None:
    """``inner wr outer``, the outer group acting on one of the views, fewest blocks first."""
    for view in views.views:
        size, k = exact_order(view.group), view.degree
        inner_size = integer_root(views.order // size, k)
        if k > _WIDEST_OUTER or inner_size < 2 or inner_size**k * size != views.order:
            continue
        outer = _outer(view, work)
        inner = outer and _inner(views, view, work)
        if outer is None or inner is None or inner.order != inner_size:
            continue
        name = _recognise(inner, work)
        if name is not None:
            # Trees read better as iterated products, and D4 is the smallest one.
            return Wreath(Wreath(Named("C", 2), Named("S", 2)) if name == Named("D", 4) else name, outer)
    return None


def _outer(view: _View, work: Work) -> Named | None:
    """The group that permutes the blocks, if it does so in its natural way."""
    size, k = exact_order(view.group), view.degree
    if name := natural(k, size):
        return name
    if size == k and view.group.is_abelian:
        cyclic = abelian(view.group, work)
        return cyclic if isinstance(cyclic, Named) else None
    return dihedral(view.group, work) if size == 2 * k else None


def _inner(views: _Views, view: _View, work: Work) -> PermGroup | None:
    """The action of one block's stabiliser on the block: all points that some map onto the view takes there."""
    block: list[int] = []
    for o in views.orbits:
        maps = (equivariant_map(o[0], target, views.whole.generators, work) for target in view.points)
        found = next((m for m in maps if m is not None), None)
        if found is None:
            return None
        block += [p for p, image in found.items() if image == view.points[0] != p]
    chain = stabiliser_chain(views.whole, base=[view.points[0], *block], work=work).stabiliser()
    size = prod(chain.orbit_lengths[: len(block)])
    return replace(chain.group.on_points(block), order=size)


# Products of overlapping factors


def _split(views: _Views, work: Work) -> Structure | None:
    """A direct product of two actions; all pairs of views first, then unions of views."""
    proper = [view for view in views.views if 1 < exact_order(view.group) < views.order]
    for one, other in combinations(proper, 2):
        if exact_order(one.group) * exact_order(other.group) == views.order:
            both = (*one.points, *other.points)
            if _order_on(views.whole, both, work) == views.order:
                return _product_of(views.whole, (one.points, other.points), work)
    for view in proper:
        if rest := _complement(views, view, proper, work):
            return _product_of(views.whole, (view.points, rest), work)
    return None


def _complement(views: _Views, view: _View, others: Sequence[_View], work: Work) -> tuple[int, ...] | None:
    """A union of views whose action is independent of ``view`` and faithful together with it, greedily."""
    size = exact_order(view.group)
    rest: tuple[int, ...] = ()
    reached = 1
    for other in reversed(others):
        if other is view or size * max(reached, exact_order(other.group)) > views.order:
            continue
        more = (*rest, *other.points)
        joint = _order_on(views.whole, more, work)
        if reached < joint and _order_on(views.whole, (*view.points, *more), work) == size * joint:
            rest, reached = more, joint
        if size * reached == views.order:
            return rest
    return None
