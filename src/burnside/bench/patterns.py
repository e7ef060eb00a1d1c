"""Table 1 of Lin et al. 2016: synthesis of regular symmetry patterns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from burnside.bench.tables import Table
from burnside.pipeline import read_source
from burnside.regular import bench
from burnside.regular.formats.read import load_system
from burnside.regular.system import System
from burnside.resources import resource_directory


def run_rows(table: Table) -> Iterator[dict[str, Any]]:
    """Measure every row; one object each."""
    rows = ({"system": r.system, "example": r.example, "paper": r.paper} for r in table.rows)
    return bench.run_rows(rows, _load)


def _load(example: str) -> System:
    return load_system(read_source(resource_directory("examples") / example))


text_lines = bench.text_lines
