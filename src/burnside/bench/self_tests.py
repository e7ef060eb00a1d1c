"""What it costs that every search tests itself: processor time of testing beside that of the whole question."""

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
from burnside.results.exploration import Exploration
from burnside.study import Study

_RUNS = 3  # the first fills the cache of compiled checkers


def run_rows(table: Table) -> Iterator[dict[str, Any]]:
    """Measure every row; one object each."""
    return map(measure, table.rows)


def measure(row: Row) -> dict[str, Any]:
    """The quickest of some runs."""
    task = load(resource_directory("examples") / row.example, row.constants)
    mode = Mode(row.expected["mode"])
    seconds, found = min((_timed(task, mode) for _ in range(_RUNS)), key=lambda run: run[0])
    assert found.self_test is not None
    return {
        "system": row.system,
        "size": row.size,
        "mode": mode.value,
        "states": found.states,
        "seconds": round(seconds, 4),
        "tested": found.self_test.checked,
        "testing": round(found.self_test.seconds, 4),
        "share": round(found.self_test.seconds / seconds, 4),
        "agrees": found.states == row.expected["states"],
    }


def _timed(task: Task, mode: Mode) -> tuple[float, Exploration]:
    """Processor time from the model to the answer, and the search."""
    start = time.process_time()
    found = complete(Study(task).check(mode=mode).count.exploration)
    return time.process_time() - start, found


def text_lines(rows: Iterable[dict[str, Any]]) -> Iterator[str]:
    """The table for a terminal."""
    yield f"{'system':<22} {'size':<8} {'mode':<9} {'states':>11} {'seconds':>8} {'tested':>7} {'test':>8} {'share':>7}"
    for row in rows:
        wrong = "" if row["agrees"] else "  NOT AS EXPECTED"
        yield (
            f"{row['system']:<22} {row['size']:<8} {row['mode']:<9} {row['states']:>11,} {row['seconds']:>8.3f} "
            f"{row['tested']:>7,} {row['testing']:>8.4f} {row['share']:>7.1%}{wrong}"
        )
