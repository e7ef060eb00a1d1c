"""Tables II and III of Zhang et al. 2013: states and times without reduction, with one and several representatives."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from burnside.bench.complete import complete
from burnside.bench.differences import Figure
from burnside.bench.tables import Row, Table
from burnside.decide.modes import Mode
from burnside.frontends.loading import load
from burnside.resources import resource_directory
from burnside.study import Study

# The modes, and what is done in each of them.
MODES = {"none": "without reduction", "unique": "with one representative", "multi": "with several representatives"}


def run_rows(table: Table) -> Iterator[dict[str, Any]]:
    """Measure every row; one object each. Table II has no column for several representatives."""
    modes = [mode for mode in MODES if mode != "multi" or any("multi" in row.paper for row in table.rows)]
    for row in table.rows:
        yield measure(row, modes)


def measure(row: Row, modes: Iterable[str]) -> dict[str, Any]:
    """Explore one system in every mode. Times are those of exploring; detecting and compiling are not in them."""
    study = Study(load(resource_directory("examples") / row.example, row.constants))
    result: dict[str, Any] = {"system": row.system, "size": row.size, "paper": row.paper, "note": row.note or None}
    for mode in modes:
        report = study.count(Mode(mode))
        found = complete(report.exploration)
        result[mode] = {
            "states": found.states,
            "seconds": round(found.seconds, 4),
            "order": report.symmetry.order,
            "strategy": report.symmetry.strategy,
            "full_states": found.full_states,
        }
    stored = (result["none"]["states"], result["unique"]["states"])
    result["gain"] = round(100 * (1 - stored[1] / stored[0]), 1)  # in per cent
    result["agrees"] = stored == (row.expected["full"], row.expected["orbits"])
    return result


def figures(row: dict[str, Any]) -> Iterator[Figure]:
    """What the paper prints beside what was measured."""
    paper, name, note = row["paper"], f"{row['system']} {row['size']}", row["note"] or ""
    for mode, how in MODES.items():
        if mode in paper:
            is_exact = mode != "multi" and not isinstance(paper[mode], str)
            yield Figure(name, f"states {how}", paper[mode], row[mode]["states"], note, is_exact=is_exact)
        if f"{mode}_seconds" in paper:
            yield Figure(f"{name} {how}", "seconds", paper[f"{mode}_seconds"], row[mode]["seconds"])
    if "gain" in paper and paper["unique"] == row["unique"]["states"]:  # else it differs as the states do
        yield Figure(name, "gain in per cent", paper["gain"], row["gain"], note, is_exact=True)


def text_lines(rows: Iterable[dict[str, Any]]) -> Iterator[str]:
    """The table for a terminal: states and seconds of every mode, the paper's behind ours."""
    for number, row in enumerate(rows):
        modes = [mode for mode in MODES if mode in row]
        if number == 0:
            yield f"{'system':<26} {'size':<14} " + " ".join(f"{m + ' (paper)':>40}" for m in modes) + "   gain"
        columns = " ".join(_column(row, mode) for mode in modes)
        wrong = "" if row["agrees"] else "  NOT AS EXPECTED"
        yield f"{row['system']:<26} {row['size']:<14} {columns} {row['gain']:5.1f}%{wrong}"


def _column(row: dict[str, Any], mode: str) -> str:
    paper, ours = row["paper"], row[mode]
    printed = paper.get(mode, "")
    seconds = f", {paper[mode + '_seconds']} s" if f"{mode}_seconds" in paper else ""
    shown = f"{printed:,}" if isinstance(printed, int) else printed
    return f"{ours['states']:,} in {ours['seconds']:.3f} s ({shown}{seconds})".rjust(40)
