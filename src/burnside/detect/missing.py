"""Processes of one declaration that symmetries do not exchange: what there is to wonder about, at no further cost."""

from __future__ import annotations

from collections.abc import Iterator

from burnside.detect.naming import processes_exchanged
from burnside.detect.validate import Symmetry


def told_apart(symmetry: Symmetry) -> Iterator[str]:
    """Process domains some of whose members cannot be exchanged, though no declaration tells them apart."""
    model = symmetry.literals.cells.model
    for name, orbits in processes_exchanged(symmetry.literals, symmetry.group.generators).items():
        parts = [d for d in model.domains if d.index == name and d.name not in ("", name)]
        kinds: dict[tuple[bool, ...], int] = {}
        for number, orbit in enumerate(orbits):
            for process in orbit:
                kind = tuple(process in part for part in parts)
                if kinds.setdefault(kind, number) != number:
                    break
            else:
                continue
            yield name
            break
