"""Tables II and III of Zhang et al. 2013: states and times without reduction, with one and several representatives."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from burnside import pipeline
from burnside.bench.tables import Row, Table
from burnside.resources import resource_directory

MODES = ("none", "unique", "multi")


def run_rows(table: Table) -> Iterator[dict[str, Any]]:
    """Measure every row; one object each. Table II has no column for several representatives."""
    modes = MODES if any("multi" in row.paper for row in table.rows) else MODES[:2]
    for row in table.rows:
        yield measure(row, modes)


def measure(row: Row, modes: Iterable[str]) -> dict[str, Any]:
    """Explore one system in every mode. Times are those of exploring; detecting and compiling are not in them."""
    model = pipeline.load(resource_directory("examples") / row.example, row.constants)
    result: dict[str, Any] = {"system": row.system, "size": row.size, "paper": row.paper, "note": row.note or None}
    for mode in modes:
        report = pipeline.count(model, symmetry=mode)
        found = report.exploration
        result[mode] = {
            "states": found.states,
            "seconds": round(found.seconds, 4),
            "order": report.symmetry.order,
            "strategy": report.symmetry.strategy,
            "full_states": found.full_states,
        }
    right = (row.expected["full"], row.expected["orbits"])
    result["agrees"] = (result["none"]["states"], result["unique"]["states"]) == right
    return result


def text_lines(rows: Iterable[dict[str, Any]]) -> Iterator[str]:
    """The table for a terminal: states and seconds of every mode, the paper's behind ours."""
    yield f"{'system':<26} {'size':<14} " + " ".join(f"{m + ' (paper)':>36}" for m in MODES)
    for row in rows:
        columns = [_column(row, mode) for mode in MODES if mode in row]
        wrong = "" if row["agrees"] else "  NOT AS EXPECTED"
        yield f"{row['system']:<26} {row['size']:<14} {' '.join(columns)}{wrong}  {row['note'] or ''}".rstrip()


def _column(row: dict[str, Any], mode: str) -> str:
    paper, ours = row["paper"], row[mode]
    printed = paper.get(mode, "")
    seconds = f", {paper[mode + '_seconds']} s" if f"{mode}_seconds" in paper else ""
    shown = f"{printed:,}" if isinstance(printed, int) else printed
    return f"{ours['states']:,} in {ours['seconds']:.3f} s ({shown}{seconds})".rjust(36)
