"""A symmetry as an action on *positions*: the cells it moves, and their literals, densely numbered.

Everything here is about which literals go where; how a state is packed into words is known to ``explore`` only.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, final

from burnside.groups import PermGroup, pointwise_stabiliser

if TYPE_CHECKING:  # detection brings numerical libraries along, which plain exploring does not need
    from burnside.detect.validate import Symmetry


@final
@dataclass(frozen=True)
class Action:
    """The group on the literals of moved cells.

    ``positions[k]`` is a cell; its literals are consecutive, ``first[k]`` up to ``first[k + 1]``, in order of value;
    ``values[l]`` is the value of literal ``l``. The group acts on literals.
    """

    positions: tuple[int, ...]
    first: tuple[int, ...]
    values: tuple[int, ...]
    group: PermGroup

    @cached_property
    def position_of(self) -> tuple[int, ...]:
        """The position of each literal."""
        return tuple(k for k in range(len(self.positions)) for _ in range(self.first[k], self.first[k + 1]))

    @property
    def order(self) -> int:
        """The exact order of the group."""
        assert self.group.order is not None
        return self.group.order


def action_of(symmetry: Symmetry) -> Action:
    """The action of a symmetry on the literals of the cells it moves.

    Symmetries that move a cell without literals (a very large domain) are left out: the pointwise stabiliser of
    such cells is a group, too.
    """
    literals, group = symmetry.literals, symmetry.group
    large = [p for p in group.moved_points if literals.points[p][1] is None]
    if large:
        group = pointwise_stabiliser(group, large)
    moved = sorted({literals.points[p][0] for p in group.moved_points})
    points = [p for cell in moved for p in literals.of_cell[cell]]
    first = [0]
    for cell in moved:
        first.append(first[-1] + len(literals.of_cell[cell]))
    values = tuple(v for p in points if (v := literals.points[p][1]) is not None)
    return Action(tuple(moved), tuple(first), values, group.on_points(points))
