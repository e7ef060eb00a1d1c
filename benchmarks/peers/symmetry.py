"""With symmetry: everything from the text to the answer."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from benchmarks.peers.states import make_rumur, rumur_states
from benchmarks.peers.tools import beside, best, burnside_command, losses, run, shown_ratio, whole_job

from burnside.bench.tables import Row, Table

_COMPARED = {
    "cpu_seconds": "the whole job",
    "later_seconds": "the whole job of a later model",
    "exploring_seconds": "exploring",
}


def run_rows(table: Table) -> Iterator[dict[str, Any]]:
    """Measure every row; one object each."""
    return map(measure, table.rows)


def measure(row: Row) -> dict[str, Any]:
    """The whole job by both tools; Burnside alone where Rumur is missing."""
    tools = beside(row, burnside, "rumur", rumur, _COMPARED)
    agrees = {figures["states"] for figures in tools.values()} == {row.expected["orbits"]}
    return {"system": row.system, "size": row.size, "tools": tools, "agrees": agrees, "note": row.note or None}


def burnside(row: Row, scratch: Path) -> dict[str, Any]:
    """Reading, detecting, compiling and exploring: the first model of all, and one whose search is compiled already."""
    command = burnside_command("count", row, "--symmetry", "unique")
    done = best(lambda: whole_job(command, scratch), lambda r: r.cpu_seconds)
    searches = scratch / "searches"
    searches.mkdir()
    whole_job(command, scratch, searches)
    later = best(lambda: whole_job(command, scratch, searches), lambda r: r.cpu_seconds)
    found = json.loads(done.text)
    return _figures(found["states"], done.cpu_seconds, later.cpu_seconds, found["cpu_seconds"])


def rumur(row: Row, scratch: Path) -> dict[str, Any]:
    """Generating, compiling and exploring in its quickest mode; it compiles everything for every model."""

    def job() -> dict[str, Any]:
        making = make_rumur(row, scratch, "heuristic")
        done = run(["./r"], scratch)
        whole = making + done.cpu_seconds
        return _figures(rumur_states(done.text), whole, whole, done.cpu_seconds)

    return best(job, lambda figures: figures["cpu_seconds"])


def _figures(states: int, whole: float, later: float, exploring: float) -> dict[str, Any]:
    seconds = (round(s, 4) for s in (whole, later, exploring))
    return {"states": states, **dict(zip(_COMPARED, seconds, strict=True))}


def text_lines(rows: Iterable[dict[str, Any]]) -> Iterator[str]:
    """The table for a terminal."""
    heads = " ".join(f"{head:>12} {'ours is':>9}" for head in ("whole s", "later s", "exploring s"))
    yield f"{'protocol':<20} {'size':<6} {'tool':<9} {'states':>7} {heads}"
    for row in rows:
        for tool, figures in row["tools"].items():
            measured = " ".join(
                f"{figures[key]:>12.4f} {shown_ratio(figures.get(f'{key}_ratio')):>9}" for key in _COMPARED
            )
            wrong = "" if row["agrees"] else "  NOT AS EXPECTED"
            line = f"{row['system']:<20} {row['size']:<6} {tool:<9} {figures['states']:>7,} {measured}{wrong}"
            yield line.rstrip()


def remarks(rows: Iterable[dict[str, Any]]) -> Iterator[str]:
    """Where the other tool is better."""
    return losses(rows, {f"{key}_ratio": words for key, words in _COMPARED.items()})
