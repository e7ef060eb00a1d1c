"""Sorting as a canonical form: exact wherever a group permutes blocks of literals in every way.

A state is the set of literals that hold in it. Let a group permute k blocks of literals as S_k, every literal it moves
belonging to one block, and let H be what the elements that keep a block in place do inside it. If the order of the
group is ``|H|^k * k!``, the group is all of ``H wr S_k``: it embeds into that product and is as large. Then the blocks
can be brought into canonical form one by one and sorted, and no two states of an orbit come out different.

With trivial H this is the symmetric group on k processes: a block holds the facts about one process, its own
variables as well as the variables of others that name it (``turn = 3`` is a fact about process 3). So stored process
ids need no search for ties. What names *two* processes at once (``next[2] = 3``) is not of this form.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from math import factorial, prod
from typing import TypeAlias, final

from burnside.groups import (
    Perm,
    PermGroup,
    block_systems,
    disjoint_parts,
    equivariant_map,
    group_order,
    integer_root,
    stabiliser_chain,
    with_order,
)
from burnside.groups.work import Work

_LARGEST_ORBIT = 64  # whose block systems are looked at
_MOST_ORBITS = 4  # likewise


@final
@dataclass(frozen=True)
class Facts:
    """Literals that nothing moves any more."""

    literals: tuple[int, ...]


@final
@dataclass(frozen=True)
class Together:
    """Parts that are moved independently of one another."""

    parts: tuple[Tree, ...]


@final
@dataclass(frozen=True)
class Sorted:
    """Blocks that can be arranged in any way.

    ``block`` is the first one; ``copies[b]`` maps its literals to those of block ``b`` (``copies[0]`` is the identity).
    """

    block: Tree
    copies: tuple[dict[int, int], ...]


Tree: TypeAlias = Facts | Together | Sorted


@final
@dataclass(frozen=True)
class Sorting:
    """The direct factors of a group that sorting takes care of, and the group that is left (perhaps trivial)."""

    trees: tuple[Sorted, ...]
    rest: PermGroup


def sorting(group: PermGroup, *, work: Work | None = None) -> Sorting:
    """Take off the direct factors with disjoint supports that permute blocks in every way; always exact.

    OutOfWork if that takes more than ``work``.
    """
    work = work or Work(1 << 62)
    trees: list[Sorted] = []
    left: set[int] = set()
    for part in disjoint_parts(group):
        factor = with_order(group.on_points(part), work=work)
        tree = _sorted(factor, part, work)
        if tree is None:
            left |= set(part)
        else:
            trees.append(tree)
    kept = tuple(g for g in group.generators if any(g[p] != p for p in left))
    rest = PermGroup(group.degree, kept)
    return Sorting(tuple(trees), with_order(rest, work=work) if trees else group)


def swaps(tree: Tree, degree: int) -> Iterator[Perm]:
    """The elements that exchange two blocks and leave everything else alone."""
    match tree:
        case Together(parts=parts):
            for part in parts:
                yield from swaps(part, degree)
        case Sorted(block=block, copies=copies):
            for k, one in enumerate(copies):
                for other in copies[:k]:
                    exchange = {one[p]: other[p] for p in one} | {other[p]: one[p] for p in one}
                    yield tuple(exchange.get(p, p) for p in range(degree))
            yield from swaps(block, degree)


def arrange(tree: Tree, held: Collection[int]) -> tuple[object, dict[int, int]]:
    """A key that is the same for all arrangements of some literals, and the map of literals that leads to one of them.

    The map leaves out what it does not move.
    """
    match tree:
        case Facts(literals=literals):
            return tuple(p for p in literals if p in held), {}
        case Together(parts=parts):
            found = [arrange(part, held) for part in parts]
            return tuple(key for key, _ in found), {p: q for _, move in found for p, q in move.items()}
        case Sorted(block=block, copies=copies):
            inside = [arrange(block, {p for p, q in copy.items() if q in held}) for copy in copies]
            order = sorted(range(len(copies)), key=lambda b: repr(inside[b][0]))
            moves: dict[int, int] = {}
            for place, b in enumerate(order):
                moves |= {q: copies[place][inside[b][1].get(p, p)] for p, q in copies[b].items()}
            return tuple(inside[b][0] for b in order), moves


def tree_text(tree: Tree) -> str:
    """What is sorted, for people."""
    match tree:
        case Sorted(block=block, copies=copies):
            inside = tree_text(block)
            return f"{len(copies)} blocks" + (f" of {inside}" if inside else "")
        case Together(parts=parts):
            return " and ".join(filter(None, map(tree_text, parts)))
        case Facts():
            return ""


def _tree(group: PermGroup, names: Sequence[int], work: Work) -> Tree | None:
    """Everything in a block; ``names[p]`` is the literal that the point ``p`` stands for."""
    moved = set(group.moved_points)
    fixed = tuple(names[p] for p in range(group.degree) if p not in moved)
    trees: list[Tree] = [Facts(fixed)] if fixed else []
    parts = disjoint_parts(group)
    for part in parts:
        factor = group.on_points(part)
        order = group.order if len(parts) == 1 else group_order(factor, work=work)
        tree = _sorted(replace(factor, order=order), [names[p] for p in part], work)
        if tree is None:
            return None
        trees.append(tree)
    return trees[0] if len(trees) == 1 else Together(tuple(trees))


def _sorted(group: PermGroup, names: Sequence[int], work: Work) -> Sorted | None:
    """A group as a full wreath product over some symmetric group, if it is one."""
    assert group.order is not None
    for cells in _cells(group, work):
        k = len(cells)
        arrangements, remainder = divmod(group.order, factorial(k))
        inner = integer_root(arrangements, k)
        if k < 2 or remainder or inner**k != arrangements:
            continue
        if found := _over(group, cells, inner, names, work):
            return found
    return None


def _cells(group: PermGroup, work: Work) -> Iterator[tuple[tuple[int, ...], ...]]:
    """What might be permuted in every way: the points of an orbit, then the blocks of one, small orbits first."""
    by_size = sorted(group.orbits, key=len)
    yield from (tuple((p,) for p in orbit) for orbit in by_size)
    for orbit in [o for o in by_size if len(o) <= _LARGEST_ORBIT][:_MOST_ORBITS]:
        for system in block_systems(with_order(group.on_points(orbit), work=work), work=work):
            yield tuple(tuple(orbit[p] for p in block) for block in system)


def _over(
    group: PermGroup, cells: Sequence[Sequence[int]], inner: int, names: Sequence[int], work: Work
) -> Sorted | None:
    """The tree with one block for each of ``cells``, if the group permutes those in every way and acts inside a block
    as a group of order ``inner``.
    """
    marks = range(group.degree, group.degree + len(cells))
    whole = _with_marks(group, cells)
    if prod(stabiliser_chain(whole, base=marks, work=work).orbit_lengths[: len(cells)]) != factorial(len(cells)):
        return None
    block = _block(group, whole, marks, work)
    if block is None:
        return None
    chain = stabiliser_chain(whole, base=marks[:1], work=work)
    inside = chain.stabiliser().group.on_points(block)
    if group_order(inside, work=work) != inner:
        return None
    inside = _sparse(group, whole, marks[0], block, inner, work) or inside
    child = _tree(replace(inside, order=inner), [names[p] for p in block], work)
    if child is None:
        return None
    elements = [chain.levels[0].representative(mark) for mark in marks]
    return Sorted(child, tuple({names[p]: names[g[p]] for p in block} for g in elements))


def _with_marks(group: PermGroup, cells: Sequence[Sequence[int]]) -> PermGroup:
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
