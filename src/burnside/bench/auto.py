"""``auto`` beside ``none`` and ``unique``: whole times, detecting and planning included, compiling not."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from typing import Any

from burnside.bench.complete import complete
from burnside.bench.tables import Row, Table
from burnside.claims.task import Task
from burnside.decide.modes import Mode
from burnside.frontends.loading import load
from burnside.resources import resource_directory
from burnside.study import Study

MODES = ("none", "unique", "auto")
_RUNS = 3  # at least: the first fills the cache of compiled checkers
_MOST_RUNS = 12  # of what takes little time, which varies most
_ENOUGH = 4.0  # seconds


def run_rows(table: Table) -> Iterator[dict[str, Any]]:
    """Measure every row; one object each."""
    return map(measure, table.rows)


def measure(row: Row) -> dict[str, Any]:
    """The best time of every mode, and how much slower ``auto`` is than the better of the others.

    Modes take turns, so that a machine that is slow for a while is so for all of them.
    """
    task = load(resource_directory("examples") / row.example, row.constants)
    found: dict[str, list[tuple[float, int]]] = {mode: [] for mode in MODES}
    begin = time.perf_counter()
    for run in range(_MOST_RUNS):
        if run >= _RUNS and time.perf_counter() > begin + _ENOUGH:
            break
        for mode in MODES:
            found[mode].append(_timed(task, Mode(mode)))
    seconds = {mode: round(min(found[mode])[0], 4) for mode in MODES}
    states = found["none"][0][1]
    return {
        "system": row.system,
        "size": row.size,
        "states": states,
        **seconds,
        "ratio": round(seconds["auto"] / min(seconds["none"], seconds["unique"]), 3),
        "agrees": states == row.expected["full"],
    }


def _timed(task: Task, mode: Mode) -> tuple[float, int]:
    """Seconds from the model to the answer, and the number of states."""
    start = time.perf_counter()
    report = Study(task).count(mode)
    complete(report.exploration)
    return time.perf_counter() - start, report.exploration.states


def text_lines(rows: Iterable[dict[str, Any]]) -> Iterator[str]:
    """The table for a terminal."""
    yield f"{'system':<22} {'size':<8} {'states':>11} {'none':>9} {'unique':>9} {'auto':>9} {'auto/best':>10}"
    for row in rows:
        wrong = "" if row["agrees"] else "  NOT AS EXPECTED"
        yield (
            f"{row['system']:<22} {row['size']:<8} {row['states']:>11,} {row['none']:>9.3f} {row['unique']:>9.3f} "
            f"{row['auto']:>9.3f} {row['ratio']:>10.2f}{wrong}"
        )
