"""Partial order and symmetry, each alone and both together: what is stored until properties are decided."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from typing import Any

from burnside.bench.complete import complete
from burnside.bench.tables import Row, Table
from burnside.decide.modes import Mode
from burnside.explore.native.run import SearchOptions
from burnside.explore.orders import Orders
from burnside.frontends.loading import load
from burnside.resources import resource_directory
from burnside.results.findings import CheckReport
from burnside.study import Study

# How each column is searched.
WAYS = {
    "full": (Mode.NONE, Orders.OFF),
    "orders": (Mode.NONE, Orders.ON),
    "orbits": (Mode.UNIQUE, Orders.OFF),
    "both": (Mode.UNIQUE, Orders.ON),
}
_RUNS = 2  # the first fills the cache of compiled checkers


def run_rows(table: Table) -> Iterator[dict[str, Any]]:
    """Measure every row; one object each."""
    return map(measure, table.rows)


def measure(row: Row) -> dict[str, Any]:
    """Decide the same properties in every way.

    States without partial order have to be as expected, those with it at most as many: a smaller set is as right. What
    is found has to be the same.
    """
    ways = {name: _decided(row, *how) for name, how in WAYS.items()}
    figures = {name: figures for name, (_, figures) in ways.items()}
    verdicts = [[f.verdict for f in report.findings] for report, _ in ways.values()]
    states = {name: figures["states"] for name, figures in figures.items()}
    agrees = all(states[name] == row.expected[name] for name in ("full", "orbits"))
    agrees &= all(states[name] <= row.expected[name] for name in ("orders", "both"))
    return {
        "system": row.system,
        "size": row.size,
        "property": row.expected.get("property", "all"),
        **figures,
        "factor": round(states["full"] / states["both"], 1),
        "agrees": agrees and all(found == verdicts[0] for found in verdicts),
        "note": row.note or None,
    }


def _decided(row: Row, mode: Mode, orders: Orders) -> tuple[CheckReport, dict[str, Any]]:
    """What was found, the states of the search, its seconds, and those from the model to the answer."""
    task = load(resource_directory("examples") / row.example, row.constants)
    asked = [row.expected["property"]] if "property" in row.expected else []
    times = []
    for _ in range(_RUNS):
        start = time.perf_counter()
        study = Study(task, SearchOptions(partial_order=orders))
        report = study.decide(study.members(asked), mode, None)
        times.append(time.perf_counter() - start)
    found = complete(report.count.exploration)
    return report, {"states": found.states, "search": round(found.seconds, 4), "seconds": round(min(times), 4)}


def text_lines(rows: Iterable[dict[str, Any]]) -> Iterator[str]:
    """The table for a terminal."""
    heads = f"{'all':>9} {'orders':>7} {'orbits':>7} {'both':>6} {'factor':>8}"
    yield f"{'system':<24} {'size':<13} {'property':<10} {heads} {'s':>8} {'orders':>8} {'orbits':>8} {'both':>8}"
    for row in rows:
        wrong = "" if row["agrees"] else "  NOT AS EXPECTED"
        states = [row[name]["states"] for name in WAYS]
        seconds = " ".join(f"{row[name]['seconds']:>8.3f}" for name in WAYS)
        what = f"{row['system']:<24} {row['size']:<13} {row['property']:<10}"
        stored = f"{states[0]:>9,} {states[1]:>7,} {states[2]:>7,} {states[3]:>6,} {row['factor']:>7,.1f}x"
        yield f"{what} {stored} {seconds}{wrong}"
