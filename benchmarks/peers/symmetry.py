"""With symmetry: everything from the text to the answer."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from benchmarks.peers.states import make_rumur, rumur_states
from benchmarks.peers.tools import beside, best, burnside_command, losses, run, shown_ratio, whole_job

from burnside.bench.tables import Row, Table


def run_rows(table: Table) -> Iterator[dict[str, Any]]:
    """Measure every row; one object each."""
    return map(measure, table.rows)


def measure(row: Row) -> dict[str, Any]:
    """The whole job by both tools; Burnside alone where Rumur is missing."""
    tools = beside(row, burnside, "rumur", rumur, ("cpu_seconds", "exploring_seconds"))
    agrees = {figures["states"] for figures in tools.values()} == {row.expected["orbits"]}
    return {"system": row.system, "size": row.size, "tools": tools, "agrees": agrees, "note": row.note or None}


def burnside(row: Row, scratch: Path) -> dict[str, Any]:
    """Reading, detecting, compiling and exploring."""
    command = burnside_command("count", row, "--symmetry", "unique")
    done = best(lambda: whole_job(command, scratch), lambda r: r.cpu_seconds)
    found = json.loads(done.text)
    return _figures(found["states"], done.cpu_seconds, found["cpu_seconds"])


def rumur(row: Row, scratch: Path) -> dict[str, Any]:
    """Generating, compiling and exploring in its quickest mode."""

    def job() -> dict[str, Any]:
        making = make_rumur(row, scratch, "heuristic")
        done = run(["./r"], scratch)
        return _figures(rumur_states(done.text), making + done.cpu_seconds, done.cpu_seconds)

    return best(job, lambda figures: figures["cpu_seconds"])


def _figures(states: int, whole: float, exploring: float) -> dict[str, Any]:
    return {"states": states, "cpu_seconds": round(whole, 4), "exploring_seconds": round(exploring, 4)}


def text_lines(rows: Iterable[dict[str, Any]]) -> Iterator[str]:
    """The table for a terminal."""
    heads = f"{'states':>7} {'whole s':>8} {'ours is':>9} {'exploring s':>12} {'ours is':>9}"
    yield f"{'protocol':<20} {'size':<6} {'tool':<9} {heads}"
    for row in rows:
        for tool, figures in row["tools"].items():
            whole, exploring = (
                shown_ratio(figures.get(f"{key}_ratio")) for key in ("cpu_seconds", "exploring_seconds")
            )
            wrong = "" if row["agrees"] else "  NOT AS EXPECTED"
            yield (
                f"{row['system']:<20} {row['size']:<6} {tool:<9} {figures['states']:>7,} "
                f"{figures['cpu_seconds']:>8.3f} {whole:>9} {figures['exploring_seconds']:>12.4f} {exploring:>9}{wrong}"
            ).rstrip()


def remarks(rows: Iterable[dict[str, Any]]) -> Iterator[str]:
    """Where the other tool is better."""
    return losses(rows, {"cpu_seconds_ratio": "the whole job", "exploring_seconds_ratio": "exploring"})
