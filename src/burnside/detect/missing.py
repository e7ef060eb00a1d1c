"""Processes of one declaration that symmetries do not exchange: what there is to wonder about, at no further cost."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator

from burnside.detect.detection import Detection
from burnside.detect.literals import Literals
from burnside.detect.naming import exchanged_by_place, processes_exchanged


def told_apart(found: Detection) -> Iterator[str]:
    """Process domains some of whose members cannot be exchanged, though no declaration tells them apart.

    Processes could be exchanged and are no part of the group if no cell is about them and none holds them, or if their
    cells always hold the same.
    """
    literals = found.symmetry.literals
    equal = found.equal
    present = set(_present(literals, equal.first))
    # Cells that always hold the same stay where they are, whatever is done to the processes they are indexed by.
    alike = {cell for cells in equal.classes for cell in cells}
    for name, orbits in processes_exchanged(literals, found.symmetry.group.generators, alike).items():
        if _is_split(literals, name, orbits, present) and any(
            _is_split(literals, name, seen, present)
            for seen in exchanged_by_place(literals, found.symmetry.group.orbits, name)
        ):
            yield name


def _is_split(
    literals: Literals, name: str, orbits: Iterable[Iterable[int]], present: Container[tuple[str, int]]
) -> bool:
    """Whether processes that are declared alike are in several orbits."""
    parts = [d for d in literals.cells.model.domains if d.index == name and d.name not in ("", name)]
    kinds = [
        {tuple(process in part for part in parts) for process in orbit if (name, process) in present}
        for orbit in orbits
    ]
    return sum(map(len, kinds)) > len(set().union(*kinds))


def _present(literals: Literals, equal: Container[int]) -> Iterator[tuple[str, int]]:
    for cell, value in literals.points:
        if cell in equal:
            continue
        place = literals.cells.all[cell]
        for dimension, index in zip(place.variable.dimensions, place.indices, strict=True):
            yield dimension.index, index
        if value is not None and place.slot != -1:
            yield place.variable.domain.index, value
