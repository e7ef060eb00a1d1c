"""Table 1 of Lin et al. 2016: synthesis of regular symmetry patterns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from burnside.bench.differences import Figure
from burnside.bench.tables import Row, Table
from burnside.frontends.loading import read_source
from burnside.regular import bench
from burnside.regular.formats.read import load_system
from burnside.regular.system import System
from burnside.resources import resource_directory


def run_rows(table: Table) -> Iterator[dict[str, Any]]:
    """Measure every row; one object each."""
    for row in table.rows:
        yield from (_judged(row, found) for found in bench.run_rows([_asked(row)], _load))


def _asked(row: Row) -> dict[str, Any]:
    return {"system": row.system, "example": row.example, "paper": row.paper}


def _judged(row: Row, found: dict[str, Any]) -> dict[str, Any]:
    """A measured row; every mode that applies has to find a pattern of the right size."""
    sizes = {found[mode]["states"] for mode in bench.MEASURED if found[mode] is not None}
    agrees = found["faithful"] is not None and sizes == {row.expected["states"]}
    return {**found, "size": row.size, "agrees": agrees, "note": row.note or None}


def _load(example: str) -> System:
    return load_system(read_source(resource_directory("examples") / example))


def figures(row: dict[str, Any]) -> Iterator[Figure]:
    """What the paper prints beside the faithful mode, which works as the paper does."""
    paper, ours, name = row["paper"], row["faithful"], row["system"]
    if ours is not None:
        yield Figure(name, "states", paper["states"], ours["states"], row["note"] or "", is_exact=True)
        yield Figure(name, "seconds of synthesis", paper["synthesis"], ours["synthesis"])
        if paper["verification"]:  # others are printed as 0.0
            yield Figure(name, "seconds of verification", paper["verification"], ours["verification"])


text_lines = bench.text_lines
