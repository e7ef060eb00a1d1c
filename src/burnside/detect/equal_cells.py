"""Cells that always hold the same value.

Exchanging them fixes every reachable state, so it would only inflate the group. They are found by induction:
cells that start equal stay together as long as every transition gives them, read with equal cells identified,
the same next value.
"""

from __future__ import annotations

from collections.abc import Mapping

from burnside.detect.constrain import Constraints
from burnside.detect.terms import Term, TooLarge


def equal_cell_ranks(constraints: Constraints) -> dict[int, int]:
    """For every cell that always equals an earlier one, how many such earlier cells there are."""
    return {cell: rank for members in equal_cells(constraints) for rank, cell in enumerate(members) if rank}


def equal_cells(constraints: Constraints) -> list[list[int]]:
    """Classes of several cells that always hold the same value."""
    classes = _initial_classes(constraints)
    stable = False
    while not stable:
        stable = True
        identified = {cell: members[0] for members in classes for cell in members}
        known: dict[int, Term] = {}
        for transition in constraints.transitions:
            if not transition.faults:
                refined = _refine(constraints, classes, dict(transition.updates), identified, known)
                stable = stable and len(refined) == len(classes)
                classes = refined
    return [members for members in classes if len(members) > 1]


def _initial_classes(constraints: Constraints) -> list[list[int]]:
    """Cells with the same domain that start with the same single value."""
    classes: dict[tuple[int, int, int], list[int]] = {}
    for cell, values in enumerate(constraints.initial_values):
        if len(values) == 1 and cell not in constraints.opaque_cells:
            domain = constraints.cells.all[cell].domain
            classes.setdefault((domain.low, domain.high, values[0]), []).append(cell)
    return [members for members in classes.values() if len(members) > 1]


def _refine(
    constraints: Constraints,
    classes: list[list[int]],
    updates: Mapping[int, Term],
    identified: Mapping[int, int],
    known: dict[int, Term],
) -> list[list[int]]:
    """The classes split by the next value that one transition gives to their members."""
    terms = constraints.terms
    refined: list[list[int]] = []
    for members in classes:
        if not any(cell in updates for cell in members):
            refined.append(members)
            continue
        parts: dict[int, list[int]] = {}
        for cell in members:
            try:
                after = terms.renamed(updates.get(cell, terms.cell(cell)), identified, known).number
            except TooLarge:  # what it becomes is not known: it may differ from all others
                after = -1 - cell
            parts.setdefault(after, []).append(cell)
        refined += parts.values()
    return refined
