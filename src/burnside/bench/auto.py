"""``auto`` beside ``none`` and ``unique``: whole times, detecting and planning included, compiling not."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from typing import Any

from burnside.bench.complete import complete
from burnside.bench.tables import Row, Table
from burnside.decide.modes import Mode
from burnside.frontends.loading import load
from burnside.resources import resource_directory
from burnside.study import Study

MODES = ("none", "unique", "auto")
_RUNS = 3  # the first fills the cache of compiled checkers


def run_rows(table: Table) -> Iterator[dict[str, Any]]:
    """Measure every row; one object each."""
    return map(measure, table.rows)


def measure(row: Row) -> dict[str, Any]:
    """The best time of every mode, and how much slower ``auto`` is than the better of the others."""
    task = load(resource_directory("examples") / row.example, row.constants)
    seconds: dict[str, float] = {}
    states = 0
    for mode in MODES:
        times = []
        for _ in range(_RUNS):
            start = time.perf_counter()
            report = Study(task).count(Mode(mode))
            complete(report.exploration)
            times.append(time.perf_counter() - start)
        seconds[mode] = round(min(times), 4)
        states = report.exploration.states if mode == "none" else states
    return {
        "system": row.system,
        "size": row.size,
        "states": states,
        **seconds,
        "ratio": round(seconds["auto"] / min(seconds["none"], seconds["unique"]), 3),
        "agrees": states == row.expected["full"],
    }


def text_lines(rows: Iterable[dict[str, Any]]) -> Iterator[str]:
    """The table for a terminal."""
    yield f"{'system':<22} {'size':<8} {'states':>11} {'none':>9} {'unique':>9} {'auto':>9} {'auto/best':>10}"
    for row in rows:
        wrong = "" if row["agrees"] else "  NOT AS EXPECTED"
        yield (
            f"{row['system']:<22} {row['size']:<8} {row['states']:>11,} {row['none']:>9.3f} {row['unique']:>9.3f} "
            f"{row['auto']:>9.3f} {row['ratio']:>10.2f}{wrong}"
        )
