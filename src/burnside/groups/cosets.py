"""Subgroups of small index that have a simple shape, and elements that lead to their cosets.

``S5 x C2`` on five processes with data that can be exchanged in all of them at once is not a product of groups that
move different points, and it does not arrange blocks in every way; its subgroup ``S5``, of index 2, does. Where links
between five processes can all be turned round, only a subgroup of index 2 is a symmetric group.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from heapq import heappop, heappush
from itertools import count, product
from typing import Final, Generic, TypeAlias, TypeVar, final

from burnside.groups.chain import StabiliserChain, group_order, stabiliser_chain, with_order
from burnside.groups.group import PermGroup, on_blocks
from burnside.groups.natural import Members, natural_members
from burnside.groups.perm import Perm, compose, identity, inverse
from burnside.groups.work import Work
from burnside.groups.wreath import Arranged, Cells, arranged_factors, cells_of, with_marks
from burnside.values import dataclass, replace

_MOST_TRIED: Final = 16  # subgroups
_MOST_HALVINGS: Final = 3  # of a quotient in which all squares are trivial

T = TypeVar("T")
_Subgroup: TypeAlias = tuple[PermGroup, tuple[Perm, ...]]  # with an element for each coset


@final
@dataclass(frozen=True)
class Cosets(Generic[T]):
    """Every element of a group is one of ``elements``, then one of ``subgroup``, in one way; ``shape`` is what is known
    of the subgroup. The identity is the first of ``elements``.
    """

    elements: tuple[Perm, ...]
    subgroup: PermGroup
    shape: T


def arranged_cosets(group: PermGroup, most: int, *, work: Work | None = None) -> Cosets[tuple[Arranged, ...]] | None:
    """A subgroup that only arranges blocks, in every way, of the least index found, at most ``most``; exact.

    Subgroups are stabilisers of points and of blocks. OutOfWork if that takes more than ``work``.
    """
    work = work or Work(1 << 62)

    def arranged(subgroup: PermGroup) -> tuple[Arranged, ...] | None:
        found = arranged_factors(subgroup, work=work)
        return found.trees if found.trees and found.rest.is_trivial else None

    return _searched(group, most, arranged, _stabilisers, work)


def natural_cosets(group: PermGroup, most: int, *, work: Work | None = None) -> Cosets[Members] | None:
    """The same for a product of symmetric groups; subgroups of index 2 are tried, too."""
    work = work or Work(1 << 62)

    def smaller(subgroup: PermGroup, most: int, work: Work) -> Iterator[_Subgroup]:
        yield from _stabilisers(subgroup, most, work)
        if subgroup is group and most >= 2:  # theirs would be tried before what is of larger index
            yield from _halves(subgroup, work)

    return _searched(group, most, lambda subgroup: natural_members(subgroup, work=work), smaller, work)


def _searched(
    group: PermGroup,
    most: int,
    recognised: Callable[[PermGroup], T | None],
    smaller_than: Callable[[PermGroup, int, Work], Iterator[_Subgroup]],
    work: Work,
) -> Cosets[T] | None:
    """The first subgroup that is recognised, those of small index first."""
    numbers = count()
    queue: list[tuple[int, int, PermGroup, tuple[Perm, ...]]] = [(1, next(numbers), group, (identity(group.degree),))]
    seen: set[object] = set()
    for _ in range(_MOST_TRIED):
        if not queue:
            break
        index, _, subgroup, elements = heappop(queue)
        shape = recognised(subgroup)
        if shape is not None:
            return Cosets(elements, subgroup, shape)
        for smaller, leading in smaller_than(subgroup, most // index, work):
            known_by = smaller.orbits if smaller.orbits != subgroup.orbits else smaller.generators
            if known_by not in seen:
                seen.add(known_by)
                further = tuple(compose(g, h) for g in elements for h in leading)
                heappush(queue, (len(further), next(numbers), smaller, further))
    return None


def _halves(group: PermGroup, work: Work) -> Iterator[_Subgroup]:
    """Subgroups of index 2: all squares and commutators are in them, and some of the generators or products of two."""
    inner = _normal_closure(group, [*_squares_and_commutators(group.generators)], work)
    reached, basis = inner, []
    for g in group.generators:
        if g not in reached:
            basis.append(g)
            reached = stabiliser_chain(PermGroup(group.degree, (*reached.strong_generators, g)), work=work)
    if len(basis) > _MOST_HALVINGS:
        return
    for signs in product((False, True), repeat=len(basis)):
        odd = [g for g, sign in zip(basis, signs, strict=True) if sign]
        if odd:
            even = [g for g, sign in zip(basis, signs, strict=True) if not sign]
            generators = (*inner.strong_generators, *even, *(compose(odd[0], g) for g in odd[1:]))
            half = with_order(PermGroup(group.degree, generators), work=work)
            if half.order is not None and 2 * half.order == group_order(group, work=work):
                yield half, (identity(group.degree), odd[0])


def _squares_and_commutators(generators: Sequence[Perm]) -> Iterator[Perm]:
    for g in generators:
        yield compose(g, g)
        for h in generators:
            yield compose(compose(inverse(g), inverse(h)), compose(g, h))


def _normal_closure(group: PermGroup, elements: Sequence[Perm], work: Work) -> StabiliserChain:
    """The least normal subgroup with some elements."""
    closed = stabiliser_chain(PermGroup(group.degree, ()), work=work)
    for element in (queue := list(elements)):
        if element not in closed:
            closed = stabiliser_chain(PermGroup(group.degree, (*closed.strong_generators, element)), work=work)
            queue += [compose(compose(inverse(g), element), g) for g in group.generators]
    return closed


def _stabilisers(group: PermGroup, most: int, work: Work) -> Iterator[_Subgroup]:
    """Stabilisers of points and blocks of index at most ``most``, and elements that lead to their cosets."""
    seen: set[tuple[Perm, ...]] = set()
    for cells in cells_of(group, work):
        if 1 < len(cells) <= most:
            work.spend(len(group.generators) * sum(map(len, cells)))
            moves = tuple(on_blocks(g, cells) for g in group.generators)
            if moves not in seen:  # cells that are moved alike have the same stabilisers
                seen.add(moves)
                yield _stabiliser(group, cells, work)


def _stabiliser(group: PermGroup, cells: Cells, work: Work) -> _Subgroup:
    """The elements that keep the first cell, and one that takes each of the others to it."""
    degree = group.degree
    whole = with_marks(group, cells)
    chain = stabiliser_chain(whole, base=[degree], work=work)
    keeping = chain.stabiliser()
    elements = tuple(inverse(chain.representative(0, degree + k)[:degree]) for k in range(len(cells)))
    # Generators at hand tell independent factors apart; those of the chain are random and move all of them at once.
    kept = PermGroup(degree, tuple(g[:degree] for g in whole.generators if g[degree] == degree))
    if group_order(kept, work=work) != keeping.order:
        kept = PermGroup(degree, tuple(g[:degree] for g in keeping.strong_generators))
    return replace(kept, order=keeping.order), elements
