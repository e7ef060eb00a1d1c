"""Bytes and seconds for a state against the number of states, with each store."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from burnside.bench.complete import complete
from burnside.bench.tables import Row, Table
from burnside.claims.task import Task
from burnside.decide.modes import Mode
from burnside.explore.native.run import SearchOptions
from burnside.frontends.loading import load
from burnside.report.plot import Panel, Series, draw_panels
from burnside.resources import resource_directory
from burnside.results.exploration import Exploration, Store
from burnside.study import Study

_STORES = ("index", "compact")
_RUNS = 3  # of what takes little time
_LITTLE = 20.0  # seconds


def run_rows(table: Table) -> Iterator[dict[str, Any]]:
    """Measure every row; one object each."""
    return map(measure, table.rows)


def measure(row: Row) -> dict[str, Any]:
    """Count all states with each store, in turns while that is quick; the run with least processor time counts."""
    task = load(resource_directory("examples") / row.example, row.constants)
    threads, stores = row.expected.get("threads", 1), [Store(word) for word in row.expected.get("stores", _STORES)]
    found = {store: _counted(task, store, threads) for store in stores}
    for _ in range(_RUNS - 1 if max(each.cpu_seconds for each in found.values()) < _LITTLE else 0):
        found = {store: min(found[store], _counted(task, store, threads), key=_seconds) for store in stores}
    return {
        "system": row.system,
        "size": row.size,
        "states": row.expected["states"],
        "transitions": next(iter(found.values())).transitions,
        "threads": threads,
        **{store.value: _figures(each) for store, each in found.items()},
        "agrees": all(each.states == row.expected["states"] for each in found.values()),
        "note": row.note or None,
    }


def _counted(task: Task, store: Store, threads: int) -> Exploration:
    return complete(Study(task, SearchOptions(store=store, threads=threads)).count(Mode.NONE).exploration)


def _seconds(found: Exploration) -> float:
    return found.cpu_seconds


def _figures(found: Exploration) -> dict[str, Any]:
    return {
        "seconds": round(found.seconds, 3),
        "cpu_seconds": round(found.cpu_seconds, 3),
        "bytes_per_state": round(found.bytes / found.states, 2),
        "disk_bytes": found.disk,
    }


def _rate(row: dict[str, Any], store: str) -> float:
    """States for each second of processor time."""
    return float(row["states"] / row[store]["cpu_seconds"])


def text_lines(rows: Iterable[dict[str, Any]]) -> Iterator[str]:
    """The table for a terminal."""
    heads = f"{'bytes/state':>11} {'disk MB':>8} {'cpu s':>9} {'states/cpu s':>13} {'index/ours':>10} {'elapsed s':>10}"
    yield f"{'system':<20} {'size':<6} {'states':>14} {'store':<8} {heads}"
    for row in rows:
        for store in (word for word in _STORES if word in row):
            figures, rate = row[store], _rate(row, store)
            beside = f"{rate / _rate(row, 'index'):.2f} x" if store != "index" and "index" in row else ""
            threads = f"  {row['threads']} threads" if row["threads"] > 1 else ""
            wrong = "" if row["agrees"] else "  NOT AS EXPECTED"
            columns = (
                f"{figures['bytes_per_state']:>11.2f} {figures['disk_bytes'] / (1 << 20):>8,.0f} "
                f"{figures['cpu_seconds']:>9.3f} {rate:>13,.0f} {beside:>10} {figures['seconds']:>10.3f}"
            )
            yield f"{row['system']:<20} {row['size']:<6} {row['states']:>14,} {store:<8} {columns}{threads}{wrong}"


def draw(table: Table, rows: Sequence[dict[str, Any]]) -> str | None:
    """Bytes for a state, and thousands of states a second, by system; None without rows that differ in one size."""
    panels = []
    for system in dict.fromkeys(row["system"] for row in rows):
        chosen = [row for row in rows if row["system"] == system and row["size"][2:].isdigit()]
        if len(chosen) < 2:
            continue
        stores = [store for store in _STORES if any(store in row for row in chosen)]
        sizes = {store: [(int(row["size"][2:]), row) for row in chosen if store in row] for store in stores}
        in_bytes = (
            Series(store, tuple((n, round(row[store]["bytes_per_state"])) for n, row in sizes[store]))
            for store in stores
        )
        rates = (
            Series(store, tuple((n, round(_rate(row, store) / 1000)) for n, row in sizes[store])) for store in stores
        )
        panels += [Panel(f"{system}: bytes per state", tuple(in_bytes)), Panel(f"{system}: kilostates/s", tuple(rates))]
    return draw_panels(table.title, panels, across="processes", up="") if panels else None
