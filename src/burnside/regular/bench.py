"""Table 1 of [LinEtAl16]: the published figures beside measured ones.

Published rows come from ``benchmarks/tables/lin2016-table1.toml``; nothing here knows them.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import final

from burnside.regular.find import describe, search
from burnside.regular.formats import load_system
from burnside.regular.system import Constraints
from burnside.source import Source


@final
@dataclass(frozen=True, slots=True)
class Row:
    """One published row."""

    id: str
    name: str
    model: str
    letters: int
    states: int
    verification_seconds: float
    synthesis_seconds: float


@final
@dataclass(frozen=True, slots=True)
class Measurement:
    """One row measured: faithful (the paper's loop from one state) or lifted (nothing forced)."""

    row: Row
    mode: str
    states: int
    iterations: int
    verification_seconds: float
    synthesis_seconds: float
    description: str


def read_rows(text: str) -> list[Row]:
    """The published rows of a table file."""
    return [Row(**row) for row in tomllib.loads(text)["row"]]


def measure(row: Row, root: Path, *, mode: str, limit: float | None = None) -> Measurement | None:
    """Measure one row; None if the mode does not apply to it (lifting finds process symmetries only)."""
    path = root / row.model
    system = load_system(Source(row.model, path.read_text(encoding="utf-8")))
    if mode == "lifted" and system.constraints.kind != "process":
        return None
    constraints = Constraints() if mode == "lifted" else system.constraints
    found = next(search(system, mode=mode, constraints=constraints, limit=limit), None)
    if found is None:
        return None
    times = (found.verification, found.seconds)
    return Measurement(row, mode, found.states, found.iterations, *times, describe(system, found))


def measure_table(
    rows: Iterable[Row], root: Path, *, mode: str, listener: Callable[[Measurement], None] | None = None
) -> list[Measurement]:
    """Measure all rows to which a mode applies."""
    done: list[Measurement] = []
    for row in rows:
        measurement = measure(row, root, mode=mode)
        if measurement is not None:
            done.append(measurement)
            if listener is not None:
                listener(measurement)
    return done


_COLUMNS = "{:<24} {:<9} {:>14} {:>10} {:>20} {:>20}  {}"


def render_table(measurements: Iterable[Measurement]) -> str:
    """The table as text, paper beside measured."""
    lines = [
        _COLUMNS.format("system", "mode", "states", "iterations", "verification", "synthesis", "pattern"),
        _COLUMNS.format("", "", "paper  ours", "", "paper      ours", "paper      ours", "").rstrip(),
    ]
    for m in measurements:
        verification = f"{m.row.verification_seconds:.1f} s  {m.verification_seconds * 1000:5.1f} ms"
        synthesis = f"{m.row.synthesis_seconds:.0f} s  {m.synthesis_seconds:6.2f} s"
        states = f"{m.row.states}  {m.states:>4}"
        columns = (m.row.name, m.mode, states, m.iterations, verification, synthesis, m.description)
        lines.append(_COLUMNS.format(*columns))
    return "\n".join(lines)
