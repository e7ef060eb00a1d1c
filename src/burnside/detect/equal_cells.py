"""Cells that always hold the same value: one of them stands for all.

They are found by induction: cells that start equal stay together as long as every transition gives them, read with
equal cells identified, the same next value. Exchanging them fixes every reachable state, so it would only inflate the
group; and of ``x[i][j]`` and ``x[j][i]`` it does not matter which is read. Before and after, for a symmetric matrix::

    when x[1][0] do { x[0][1] := false; x[1][0] := false; }
    when x[0][1] do { x[0][1] := false; }
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import final

from burnside.detect.constrain import Constraints, GroundTransition
from burnside.detect.terms import Term, TooLarge
from burnside.values import dataclass, replace


@final
@dataclass(frozen=True)
class EqualCells:
    """Which cells stand for which: the first of each class for all of it."""

    classes: tuple[tuple[int, ...], ...] = ()

    @cached_property
    def first(self) -> Mapping[int, int]:
        """For every cell that always equals an earlier one, the first of these."""
        return {cell: first for first, *others in self.classes for cell in others}

    @cached_property
    def _members(self) -> Mapping[int, tuple[int, ...]]:
        return {members[0]: members for members in self.classes}

    def members(self, first: int) -> tuple[int, ...]:
        """The cells that one stands for, itself included."""
        return self._members.get(first, (first,))

    def identified(self, constraints: Constraints) -> Constraints:
        """Constraints that speak of the first cell of each class only. Raises `TooLarge`."""
        if not self.classes:
            return constraints
        terms, known = constraints.terms, dict[int, Term]()
        first = {cell: terms.cell(one) for cell, one in self.first.items()}

        def same(term: Term) -> Term:
            return terms.substituted(term, first, known)

        def changed(transition: GroundTransition) -> GroundTransition:
            updates = ((c, same(t)) for c, t in transition.updates if c not in self.first)
            return replace(
                transition,
                guard=same(transition.guard),
                updates=tuple((c, t) for c, t in updates if t is not terms.cell(c)),
            )

        # What needs equal cells to differ never happens. It must not stay: cutting leaves out guards that are constant.
        possible = (t for t in map(changed, constraints.transitions) if t.guard is not terms.false)
        return replace(
            constraints,
            transitions=tuple(possible),
            initial_conditions=tuple(map(same, constraints.initial_conditions)),
            requirements=tuple(
                replace(r, condition=same(r.condition), fault=same(r.fault)) for r in constraints.requirements
            ),
        )


def find_equal_cells(constraints: Constraints) -> EqualCells:
    """The classes of several cells that always hold the same value."""
    partition = _Partition(_initial_classes(constraints))
    count = -1
    while count != len(partition.members):
        count = len(partition.members)
        cell_of = constraints.terms.cell
        identified = {cell: cell_of(members[0]) for members in map(sorted, partition.members) for cell in members}
        known: dict[int, Term] = {}
        for transition in constraints.transitions:
            if not transition.faults:
                updates = [(cell, term) for cell, term in transition.updates if cell in identified]
                partition.split((cell, _next(constraints, cell, term, identified, known)) for cell, term in updates)
    return EqualCells(tuple(sorted(tuple(sorted(members)) for members in partition.members if len(members) > 1)))


def _initial_classes(constraints: Constraints) -> list[list[int]]:
    """Cells with the same domain that start with the same single value."""
    classes: dict[tuple[int, int, int], list[int]] = {}
    for cell, values in enumerate(constraints.initial_values):
        if len(values) == 1 and cell not in constraints.opaque_cells:
            domain = constraints.cells.all[cell].domain
            classes.setdefault((domain.low, domain.high, values[0]), []).append(cell)
    return [members for members in classes.values() if len(members) > 1]


def _next(
    constraints: Constraints, cell: int, term: Term, identified: Mapping[int, Term], known: dict[int, Term]
) -> int | None:
    """The number of what a cell becomes, with equal cells identified; None if it stays as it is.

    Where that is not known, it may differ from what all others become.
    """
    try:
        after = constraints.terms.substituted(term, identified, known)
    except TooLarge:
        return -1 - cell
    return None if after is identified[cell] else after.number


@final
class _Partition:
    """Classes of cells, split by what changes: who stays is not looked at."""

    def __init__(self, classes: Iterable[Iterable[int]]) -> None:
        self.members = [set(members) for members in classes]
        self._class_of = {cell: k for k, members in enumerate(self.members) for cell in members}

    def split(self, next_values: Iterable[tuple[int, int | None]]) -> None:
        """Keep cells together that become the same; those without a next value stay as they are."""
        parts: dict[tuple[int, int], list[int]] = {}
        for cell, value in next_values:
            if value is not None:
                parts.setdefault((self._class_of[cell], value), []).append(cell)
        for (old, _), cells in parts.items():
            if len(cells) == len(self.members[old]):  # all of them, or all that are left
                continue
            self.members[old].difference_update(cells)
            self._class_of |= dict.fromkeys(cells, len(self.members))
            self.members.append(set(cells))
