"""A symmetry as an action on *positions*: the cells it moves, and their literals, densely numbered.

Everything here is about which literals go where, and nothing about how a state is packed into words.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, TypeAlias, final

from burnside.groups import Perm, PermGroup, pointwise_stabiliser
from burnside.groups.chain import with_order
from burnside.groups.work import Work
from burnside.ir.packing import WORD
from burnside.values import dataclass

if TYPE_CHECKING:  # detection brings numerical libraries along, which plain exploring does not need
    from burnside.detect.literals import Literals
    from burnside.detect.symmetry import Symmetry

NO_LITERAL = 0xFFFF  # likewise in C
Image: TypeAlias = tuple[int, ...]  # of a state: a literal per position


@final
@dataclass(frozen=True)
class Action:
    """The group on the literals of moved cells.

    ``positions[k]`` is a cell; its literals are consecutive, ``first[k]`` up to ``first[k + 1]``, in order of value;
    ``values[l]`` is the value of literal ``l``. The group acts on literals and on ``followed`` more points behind them,
    which are in no state: under fairness they are the processes, and a search asks how representatives rename them.
    """

    positions: tuple[int, ...]
    first: tuple[int, ...]
    values: tuple[int, ...]
    group: PermGroup
    followed: int = 0

    @cached_property
    def position_of(self) -> tuple[int, ...]:
        """The position of each literal."""
        return tuple(k for k in range(len(self.positions)) for _ in range(self.first[k], self.first[k + 1]))

    @property
    def order(self) -> int:
        """The exact order of the group."""
        assert self.group.order is not None
        return self.group.order

    @property
    def image_words(self) -> int:
        """How many words all images of a state are together, roughly."""
        bits = sum((end - first - 1).bit_length() for first, end in pairwise(self.first))
        return self.order * (1 + bits // WORD)

    def apply(self, element: Perm, image: Image) -> Image:
        """What an element makes of an image."""
        after, position_of = [0] * len(image), self.position_of
        for literal in image:
            moved = element[literal]
            after[position_of[moved]] = moved
        return tuple(after)

    def sources(self, element: Perm) -> list[int]:
        """For every position the position whose literals an element brings there."""
        sources = [0] * len(self.positions)
        for k, literal in enumerate(self.first[:-1]):
            sources[self.position_of[element[literal]]] = k
        return sources


def action_of(symmetry: Symmetry, *, work: Work | None = None) -> Action:
    """The action of a symmetry on the literals of the cells it moves.

    Symmetries that move a cell without literals (a very large domain) are left out: the pointwise stabiliser of
    such cells is a group, too.
    """
    return action_following(symmetry.literals, symmetry.group, len(symmetry.literals.cells.all), (), work=work)


def action_following(
    literals: Literals, group: PermGroup, cells: int, followed: Sequence[int], *, work: Work | None = None
) -> Action:
    """The action of a group on the literals of the first so many cells, with some more points that are followed.

    The group must not mix those cells with others.
    """
    large = [p for p in group.moved_points if literals.points[p][1] is None]
    if large:
        group = pointwise_stabiliser(group, large, work=work)
    moved = sorted({cell for p in group.moved_points if (cell := literals.points[p][0]) < cells})
    points = [p for cell in moved for p in literals.of_cell[cell]]
    first = [0]
    for cell in moved:
        first.append(first[-1] + len(literals.of_cell[cell]))
    values = tuple(v for p in points if (v := literals.points[p][1]) is not None)
    acting = with_order(group.on_points([*points, *followed]), work=work)
    return Action(tuple(moved), tuple(first), values, acting, len(followed))
