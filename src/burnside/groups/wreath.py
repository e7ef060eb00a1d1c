"""Groups that permute blocks of points in every way, told by exact orders: towers of full wreath products.

Let a group permute k blocks of points as S_k, every point it moves belonging to one block, and let H be what the
elements that keep a block in place do inside it. If the order of the group is ``|H|^k * k!``, the group is all of
``H wr S_k``: it embeds into that product and is as large. H is looked at in the same way, or is trivial.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import factorial
from typing import TypeAlias, final

from burnside.groups.blocks import block_systems
from burnside.groups.chain import group_order, stabiliser_chain, with_order
from burnside.groups.faithful import equivariant_map
from burnside.groups.families import integer_root
from burnside.groups.group import PermGroup, disjoint_parts
from burnside.groups.perm import Perm, inverse
from burnside.groups.tree import SchreierTree
from burnside.groups.work import Work
from burnside.values import dataclass, replace

_LARGEST_ORBIT = 64  # whose block systems are looked at
_MOST_ORBITS = 4  # likewise


@final
@dataclass(frozen=True)
class Fixed:
    """Points that nothing moves any more."""

    points: tuple[int, ...]


@final
@dataclass(frozen=True)
class Together:
    """Parts that are moved independently of one another."""

    parts: tuple[Tree, ...]


@final
@dataclass(frozen=True)
class Arranged:
    """Blocks that can be arranged in any way.

    ``block`` is the first one; ``copies[b]`` maps its points to those of block ``b`` (``copies[0]`` is the identity).
    """

    block: Tree
    copies: tuple[dict[int, int], ...]


Tree: TypeAlias = Fixed | Together | Arranged
Cells: TypeAlias = tuple[tuple[int, ...], ...]  # disjoint sets of points that a group permutes


@final
@dataclass(frozen=True)
class ArrangedFactors:
    """The direct factors of a group that arrange blocks in any way, and the group that is left (perhaps trivial)."""

    trees: tuple[Arranged, ...]
    rest: PermGroup


def arranged_factors(group: PermGroup, *, work: Work | None = None) -> ArrangedFactors:
    """Take off the direct factors with disjoint supports that permute blocks in every way; always exact.

    OutOfWork if that takes more than ``work``.
    """
    work = work or Work(1 << 62)
    trees: list[Arranged] = []
    left: set[int] = set()
    for part in disjoint_parts(group):
        factor = with_order(group.on_points(part), work=work)
        tree = _arranged(factor, part, work)
        if tree is None:
            left |= set(part)
        else:
            trees.append(tree)
    kept = tuple(g for g in group.generators if any(g[p] != p for p in left))
    rest = PermGroup(group.degree, kept)
    return ArrangedFactors(tuple(trees), with_order(rest, work=work) if trees else group)


def swaps(tree: Tree, degree: int) -> Iterator[Perm]:
    """The elements that exchange two blocks and leave everything else alone."""
    match tree:
        case Together(parts=parts):
            for part in parts:
                yield from swaps(part, degree)
        case Arranged(block=block, copies=copies):
            for k, one in enumerate(copies):
                for other in copies[:k]:
                    exchange = {one[p]: other[p] for p in one} | {other[p]: one[p] for p in one}
                    yield tuple(exchange.get(p, p) for p in range(degree))
            yield from swaps(block, degree)


def _tree(group: PermGroup, names: Sequence[int], work: Work) -> Tree | None:
    """Everything in a block; ``names[p]`` is the literal that the point ``p`` stands for."""
    moved = set(group.moved_points)
    fixed = tuple(names[p] for p in range(group.degree) if p not in moved)
    trees: list[Tree] = [Fixed(fixed)] if fixed else []
    parts = disjoint_parts(group)
    for part in parts:
        factor = group.on_points(part)
        order = group.order if len(parts) == 1 else group_order(factor, work=work)
        tree = _arranged(replace(factor, order=order), [names[p] for p in part], work)
        if tree is None:
            return None
        trees.append(tree)
    return trees[0] if len(trees) == 1 else Together(tuple(trees))


def _arranged(group: PermGroup, names: Sequence[int], work: Work) -> Arranged | None:
    """A group as a full wreath product over some symmetric group, if it is one."""
    assert group.order is not None
    for cells in cells_of(group, work):
        k = len(cells)
        arrangements, remainder = divmod(group.order, factorial(k))
        inner = integer_root(arrangements, k)
        if k < 2 or remainder or inner**k != arrangements:
            continue
        if found := _over(group, cells, inner, names, work):
            return found
    return None


def cells_of(group: PermGroup, work: Work) -> Iterator[Cells]:
    """What might be permuted in every way: the points of an orbit, then the blocks of one, small orbits first."""
    by_size = sorted(group.orbits, key=len)
    yield from (tuple((p,) for p in orbit) for orbit in by_size)
    for orbit in [o for o in by_size if 1 < len(o) <= _LARGEST_ORBIT][:_MOST_ORBITS]:
        for system in block_systems(with_order(group.on_points(orbit), work=work), work=work):
            yield tuple(tuple(orbit[p] for p in block) for block in system)


def _over(group: PermGroup, cells: Cells, inner: int, names: Sequence[int], work: Work) -> Arranged | None:
    """The tree with one block for each of ``cells``, if the group permutes those in every way and acts inside a block
    as a group of order ``inner``.
    """
    marks = range(group.degree, group.degree + len(cells))
    whole = with_marks(group, cells)
    if group_order(whole.on_points(marks), work=work) != factorial(len(cells)):
        return None
    block = _block(group, whole, marks, work)
    if block is None:
        return None
    if inner == 1:
        # Whoever keeps the first block in place moves nothing in it if there are as many points as blocks.
        if any(len(orbit) != len(cells) for orbit in group.orbits):
            return None
        child: Tree | None = Fixed(tuple(names[p] for p in block))
    else:
        inside = stabiliser_chain(whole, base=marks[:1], work=work).stabiliser().group.on_points(block)
        if group_order(inside, work=work) != inner:
            return None
        inside = _sparse(group, whole, marks[0], block, inner, work) or inside
        child = _tree(replace(inside, order=inner), [names[p] for p in block], work)
    if child is None:
        return None
    elements = _carriers(whole, marks, work)
    return Arranged(child, tuple({names[p]: names[g[p]] for p in block} for g in elements))


def _carriers(whole: PermGroup, marks: Sequence[int], work: Work) -> list[Perm]:
    """For each mark an element that takes the first one there."""
    tree = SchreierTree(marks[0], whole.degree)
    for g in whole.generators:
        work.spend(whole.degree + len(tree))
        tree.extend(g, inverse(g))
    work.spend(len(marks) * whole.degree)
    return [tree.representative(mark) for mark in marks]


def with_marks(group: PermGroup, cells: Cells) -> PermGroup:
    """The same group, acting on a further point for every cell."""
    number = {frozenset(cell): group.degree + k for k, cell in enumerate(cells)}
    images = [(*g, *(number[frozenset(g[p] for p in cell)] for cell in cells)) for g in group.generators]
    return PermGroup(group.degree + len(cells), tuple(images), group.order)


def _block(group: PermGroup, whole: PermGroup, marks: Sequence[int], work: Work) -> list[int] | None:
    """The points that go with the first mark; None if some orbit does not follow the marks."""
    block: list[int] = []
    for orbit in group.orbits:
        maps = (equivariant_map(orbit[0], mark, whole.generators, work) for mark in marks)
        found = next((m for m in maps if m is not None), None)
        if found is None:
            return None
        block += [p for p, mark in found.items() if mark == marks[0]]
    return sorted(block)


def _sparse(
    group: PermGroup, whole: PermGroup, mark: int, block: Sequence[int], order: int, work: Work
) -> PermGroup | None:
    """The generators that keep the first block in place, if they generate all that happens inside it.

    They tell independent parts of the block apart; random elements of the stabiliser move all of them at once.
    """
    kept = [g[: group.degree] for g in whole.generators if g[mark] == mark]
    inside = PermGroup(group.degree, tuple(kept)).on_points(block)
    return inside if group_order(inside, work=work) == order else None
