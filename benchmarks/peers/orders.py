"""Is there a deadlock? With partial-order reduction, as Spin is by default."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

from benchmarks.peers.states import check_depth, spin_limits
from benchmarks.peers.tools import (
    best,
    burnside_command,
    find,
    is_there,
    losses,
    ratio,
    run,
    shown_ratio,
    whole_job,
    write_text,
)

from burnside.bench.tables import Row, Table

_COMPARED: Final = {"states": "states", "search_seconds": "searching", "whole_seconds": "the whole job"}
# Ours, and what is asked of symmetry.
_OURS: Final = {"burnside": "none", "burnside, both": "unique"}


def run_rows(table: Table) -> Iterator[dict[str, Any]]:
    """Measure every row; one object each."""
    return map(measure, table.rows)


def measure(row: Row) -> dict[str, Any]:
    """The same question to both tools; to Burnside without symmetry and with it."""
    with tempfile.TemporaryDirectory() as directory:
        scratch = Path(directory)
        tools = {name: burnside(row, scratch, symmetry) for name, symmetry in _OURS.items()}
        if is_there("spin"):
            tools["spin"] = spin(row, scratch)
            for key in _COMPARED:
                tools["spin"][f"{key}_ratio"] = ratio(tools["spin"][key], tools["burnside"][key])
    agrees = {figures["verdict"] for figures in tools.values()} == {row.expected["verdict"]}
    return {"system": row.system, "size": row.size, "tools": tools, "agrees": agrees, "note": row.note or None}


def burnside(row: Row, scratch: Path, symmetry: str) -> dict[str, Any]:
    """Relating steps and searching; nothing is cached for the whole job."""
    options = ("--property", row.expected["property"], "--partial-order", "on", "--symmetry", symmetry)
    command = burnside_command("check", row, *options)
    whole = best(lambda: whole_job(command, scratch), lambda r: r.cpu_seconds)
    run(command, scratch, may_fail=True)
    done = best(lambda: json.loads(run(command, scratch, may_fail=True).text), lambda found: found["cpu_seconds"])
    return _figures(done["properties"][0]["verdict"], done["states"], done["cpu_seconds"], whole.cpu_seconds)


def spin(row: Row, scratch: Path) -> dict[str, Any]:
    """Depth-first search with its reduction, until there is an invalid end state."""

    def job() -> dict[str, Any]:
        making = run(["spin", "-a", write_text(row, "pml", scratch)], scratch).cpu_seconds
        making += run(["gcc", "-O2", "-DSAFETY", "-DNOCLAIM", "-o", "pan", "pan.c"], scratch).cpu_seconds
        done = run(["./pan", "-A", *spin_limits(row)], scratch, may_fail=True)
        check_depth(row, done.text)
        verdict = "violated" if find(r"errors: (\d+)", done.text) else "holds"
        states = int(find(r"([\d.e+]+) states, stored", done.text))
        return _figures(verdict, states, done.cpu_seconds, making + done.cpu_seconds)

    return best(job, lambda figures: figures["whole_seconds"])


def _figures(verdict: str, states: int, search: float, whole: float) -> dict[str, Any]:
    return {"verdict": verdict, "states": states, "search_seconds": round(search, 4), "whole_seconds": round(whole, 4)}


def text_lines(rows: Iterable[dict[str, Any]]) -> Iterator[str]:
    """The table for a terminal."""
    heads = f"{'ours is':>9} {'search s':>9} {'ours is':>9} {'whole s':>8} {'ours is':>9}"
    yield f"{'protocol':<24} {'size':<6} {'tool':<15} {'verdict':<9} {'states':>10} {heads}"
    for row in rows:
        for tool, figures in row["tools"].items():
            wrong = "" if row["agrees"] else "  NOT AS EXPECTED"
            ratios = [f"{shown_ratio(figures.get(f'{key}_ratio')):>9}" for key in _COMPARED]
            seconds = f"{figures['search_seconds']:>9.4f} {ratios[1]} {figures['whole_seconds']:>8.3f} {ratios[2]}"
            what = f"{row['system']:<24} {row['size']:<6} {tool:<15} {figures['verdict']:<9}"
            yield f"{what} {figures['states']:>10,} {ratios[0]} {seconds}{wrong}".rstrip()


def remarks(rows: Iterable[dict[str, Any]]) -> Iterator[str]:
    """Where the other tool is better."""
    return losses(rows, {f"{key}_ratio": words for key, words in _COMPARED.items()})
