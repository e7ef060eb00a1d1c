"""Processes of one declaration that symmetries do not exchange: what there is to wonder about, at no further cost."""

from __future__ import annotations

from collections.abc import Container, Iterator

from burnside.detect.equal_cells import equal_cell_ranks
from burnside.detect.literals import Literals
from burnside.detect.naming import processes_exchanged
from burnside.detect.run import Detection


def told_apart(found: Detection) -> Iterator[str]:
    """Process domains some of whose members cannot be exchanged, though no declaration tells them apart.

    Processes could be exchanged and are no part of the group if no cell is about them and none holds them, or if their
    cells always hold the same.
    """
    literals = found.symmetry.literals
    present = set(_present(literals, equal_cell_ranks(found.constraints) if found.encoding.equal_cells else {}))
    for name, orbits in processes_exchanged(literals, found.symmetry.group.generators).items():
        parts = [d for d in literals.cells.model.domains if d.index == name and d.name not in ("", name)]
        kinds = [
            {tuple(process in part for part in parts) for process in orbit if (name, process) in present}
            for orbit in orbits
        ]
        if sum(map(len, kinds)) > len(set().union(*kinds)):
            yield name


def _present(literals: Literals, equal: Container[int]) -> Iterator[tuple[str, int]]:
    for cell, value in literals.points:
        if cell in equal:
            continue
        place = literals.cells.all[cell]
        for dimension, index in zip(place.variable.dimensions, place.indices, strict=True):
            yield dimension.index, index
        if value is not None and place.slot != -1:
            yield place.variable.domain.index, value
