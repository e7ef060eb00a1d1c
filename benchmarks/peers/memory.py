"""Counting all states within the same memory: how far each tool gets."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from benchmarks.peers.states import check_depth, make_rumur, rumur_states, spin_limits
from benchmarks.peers.tools import ToolError, burnside_command, find, is_there, run, write_text

from burnside.bench.tables import Row, Table

_MEGABYTES: Final = 512  # with four times as much, others take half an hour until it is full
_OUT_OF_MEMORY: Final = "out of memory"


def run_rows(table: Table) -> Iterator[dict[str, Any]]:
    """Measure every row; a tool that ran out of memory is not given larger sizes of the same protocol."""
    ended: set[tuple[str, str]] = set()
    for row in table.rows:
        tools = {name: tool for name, tool in _tools().items() if (row.system, name) not in ended}
        measured = measure(row, tools)
        ended |= {(row.system, name) for name, figures in measured["tools"].items() if figures["states"] is None}
        yield measured


def measure(row: Row, tools: Mapping[str, Callable[[Row, Path], dict[str, Any]]]) -> dict[str, Any]:
    """Count with some tools, once each: these runs are long."""
    found = {}
    for name, tool in tools.items():
        with tempfile.TemporaryDirectory() as scratch:
            found[name] = tool(row, Path(scratch))
    counts = {figures["states"] for figures in found.values()} - {None}
    return {
        "system": row.system,
        "size": row.size,
        "tools": found,
        "agrees": counts <= {row.expected["full"]},
        "note": row.note or None,
    }


def _tools() -> dict[str, Callable[[Row, Path], dict[str, Any]]]:
    peers = {"spin": spin, "spin, collapsed": spin_collapsed, "rumur": rumur}
    return {"burnside": burnside} | {name: tool for name, tool in peers.items() if is_there(name.partition(",")[0])}


def burnside(row: Row, scratch: Path) -> dict[str, Any]:
    """As a user asks who has that much memory for states."""
    done = run(burnside_command("count", row, "--memory", f"{_MEGABYTES}M"), scratch, may_fail=True)
    found = json.loads(done.text)
    if found["stopped"] not in ("complete", "memory"):
        raise ToolError(f"{row.name}: Burnside stopped for another reason: {found['stopped']}")
    return _figures(found["states"] if found["stopped"] == "complete" else None, found["cpu_seconds"], done.peak_bytes)


def spin(row: Row, scratch: Path, *flags: str) -> dict[str, Any]:
    """Depth-first search without partial-order reduction."""
    run(["spin", "-a", write_text(row, "pml", scratch)], scratch)
    limit = f"-DMEMLIM={_MEGABYTES}"
    run(["gcc", "-O2", "-DSAFETY", "-DNOREDUCE", limit, *flags, "-o", "pan", "pan.c"], scratch)
    done = run(["./pan", "-E", *spin_limits(row)], scratch, may_fail=True)
    if "reached -DMEMLIM bound" in done.text:
        return _figures(None, done.cpu_seconds, done.peak_bytes)
    check_depth(row, done.text)
    return _figures(int(find(r"([\d.e+]+) states, stored", done.text)), done.cpu_seconds, done.peak_bytes)


def spin_collapsed(row: Row, scratch: Path) -> dict[str, Any]:
    """The same with parts of states stored once, which is its exact way to save memory."""
    return spin(row, scratch, "-DCOLLAPSE")


def rumur(row: Row, scratch: Path) -> dict[str, Any]:
    """Without symmetry, one thread, in so much address space."""
    make_rumur(row, scratch, "off")
    done = run(["prlimit", f"--as={_MEGABYTES << 20}", "./r"], scratch, may_fail=True)
    ran_out = _OUT_OF_MEMORY in done.text.lower()
    return _figures(None if ran_out else rumur_states(done.text), done.cpu_seconds, done.peak_bytes)


def _figures(states: int | None, seconds: float, peak: int | None) -> dict[str, Any]:
    return {"states": states, "cpu_seconds": round(seconds, 3), "peak_bytes": peak}


def text_lines(rows: Iterable[dict[str, Any]]) -> Iterator[str]:
    """The table for a terminal."""
    heads = f"{'states':>13} {'cpu s':>9} {'states/cpu s':>13} {'peak MB':>8} {'bytes/state':>11}"
    yield f"{'protocol':<20} {'size':<6} {'tool':<16} {heads}"
    for row in rows:
        for tool, figures in row["tools"].items():
            states, seconds = figures["states"], figures["cpu_seconds"]
            peak = figures["peak_bytes"] or 0
            wrong = "" if row["agrees"] else "  NOT AS EXPECTED"
            if states is None:
                counted = f"{_OUT_OF_MEMORY:>13} {seconds:>9.1f} {'':>13} {peak / (1 << 20):>8,.0f}"
            else:
                columns = f"{states / seconds:>13,.0f} {peak / (1 << 20):>8,.0f} {peak / states:>11.1f}"
                counted = f"{states:>13,} {seconds:>9.1f} {columns}"
            yield f"{row['system']:<20} {row['size']:<6} {tool:<16} {counted}{wrong}".rstrip()


def remarks(rows: Iterable[dict[str, Any]]) -> Iterator[str]:
    """How many states each tool counted at most."""
    most: dict[tuple[str, str], int] = {}
    for row in rows:
        for tool, figures in row["tools"].items():
            place = row["system"], tool
            most[place] = max(most.get(place, 0), figures["states"] or 0)
    for system in dict.fromkeys(system for system, _ in most):
        counted = [f"{tool} {states:,}" for (of, tool), states in most.items() if of == system]
        yield f"The largest number of states that was counted of the {system}: {', '.join(counted)}."
