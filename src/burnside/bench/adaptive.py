"""Figures 3 and 4 and table 1 of Wahl 2007: reached states without symmetry, with it, and adaptively."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from burnside.bench.complete import complete
from burnside.bench.differences import Figure
from burnside.bench.tables import Row, Table
from burnside.decide.modes import Mode
from burnside.frontends.loading import load
from burnside.report.plot import Panel, Series, draw_panels
from burnside.resources import resource_directory
from burnside.study import Study

MODES = {"plain": "none", "standard": "unique", "adaptive": "adaptive"}


def run_rows(table: Table) -> Iterator[dict[str, Any]]:
    """Measure every row in the modes for which it has figures; one object each."""
    return map(measure, table.rows)


def measure(row: Row) -> dict[str, Any]:
    """Explore one system; what it is checked for is unreachable. Times are those of exploring, partitions included."""
    study = Study(load(resource_directory("examples") / row.example, row.constants))
    result: dict[str, Any] = {"system": row.system, "size": row.size, "paper": row.paper, "note": row.note or None}
    for column, mode in MODES.items():
        if column in row.expected:
            found = complete(study.check(mode=Mode(mode)).count.exploration)
            result[column] = {"states": found.states, "seconds": round(found.seconds, 4)}
    result["agrees"] = all(result[c]["states"] == row.expected[c] for c in MODES if c in row.expected)
    return result


def figures(row: dict[str, Any]) -> Iterator[Figure]:
    """What the paper prints beside what was measured."""
    paper, name = row["paper"], f"{row['system']} {row['size']}"
    for column in MODES:
        if column in paper:
            yield Figure(
                name, f"{column} states", paper[column], row[column]["states"], row["note"] or "", is_exact=True
            )
        if f"{column}_seconds" in paper:
            yield Figure(name, "seconds", paper[f"{column}_seconds"], row[column]["seconds"])


def text_lines(rows: Iterable[dict[str, Any]]) -> Iterator[str]:
    """The table for a terminal: states and seconds, the paper's behind ours, and what all rows took."""
    yield f"{'system':<20} {'size':<12} " + " ".join(f"{column + ' (paper)':>34}" for column in MODES)
    total = 0.0
    for row in rows:
        columns = [_column(row, column) for column in MODES]
        wrong = "" if row["agrees"] else "  NOT AS EXPECTED"
        total += row["adaptive"]["seconds"]
        yield f"{row['system']:<20} {row['size']:<12} {' '.join(columns)}{wrong}".rstrip()
    yield f"adaptive exploration took {total:.2f} s in all"


def _column(row: dict[str, Any], column: str) -> str:
    if column not in row:
        return " " * 34
    paper, ours = row["paper"], row[column]
    printed = f"{paper[column]:,}" if column in paper else ""
    seconds = f", {paper[column + '_seconds']} s" if f"{column}_seconds" in paper else ""
    behind = f" ({printed}{seconds})" if printed else ""
    return f"{ours['states']:,} in {ours['seconds']:.3f} s{behind}".rjust(34)


def draw(table: Table, rows: Sequence[dict[str, Any]]) -> str | None:
    """A figure as SVG, one panel for each scheme of classes; None for what is no figure."""
    if not rows or not all(row["size"].startswith("n=") and row["size"][2:].isdigit() for row in rows):
        return None
    panels = []
    for system in dict.fromkeys(row["system"] for row in rows):
        chosen = [row for row in rows if row["system"] == system]
        series = tuple(
            Series(column, tuple((int(row["size"][2:]), row[column]["states"]) for row in chosen))
            for column in MODES
            if all(column in row for row in chosen)
        )
        largest = max(y for s in series for _, y in s.points)
        panels.append(Panel(system, series, is_logarithmic=largest > 1_000))
    return draw_panels(table.title, panels, across="processes", up="reached states")
