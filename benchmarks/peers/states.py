"""Counting all states: rates and memory."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from benchmarks.peers.tools import (
    ToolError,
    best,
    burnside_command,
    find,
    is_there,
    losses,
    ratio,
    run,
    shown_ratio,
    write_text,
)

from burnside.bench.tables import Row, Table


def run_rows(table: Table) -> Iterator[dict[str, Any]]:
    """Measure every row; one object each."""
    return map(measure, table.rows)


def measure(row: Row) -> dict[str, Any]:
    """Count with every tool that is installed."""
    with tempfile.TemporaryDirectory() as directory:
        scratch = Path(directory)
        tools = {"burnside": burnside(row, scratch)}
        tools |= {name: tool(row, scratch) for name, tool in (("spin", spin), ("rumur", rumur)) if is_there(name)}
        tools["burnside, 2 threads"] = burnside(row, scratch, "--threads", "2")
    ours = tools["burnside"]
    for name, figures in tools.items():
        figures["rate"] = round(figures["states"] / figures["cpu_seconds"])
        if not name.startswith("burnside"):
            figures["speed_ratio"] = ratio(ours["rate"], figures["rate"])
            figures["memory_ratio"] = ratio(figures["peak_bytes"], ours["peak_bytes"])
    agrees = {figures["states"] for figures in tools.values()} == {row.expected["full"]}
    return {"system": row.system, "size": row.size, "tools": tools, "agrees": agrees, "note": row.note or None}


def burnside(row: Row, scratch: Path, *extra: str) -> dict[str, Any]:
    """Count with Burnside; the first run fills the cache of compiled checkers."""
    command = burnside_command("count", row, *extra)
    run(command, scratch)
    done = best(lambda: run(command, scratch), lambda r: json.loads(r.text)["cpu_seconds"])
    found = json.loads(done.text)
    return {
        "states": found["states"],
        "cpu_seconds": found["cpu_seconds"],
        "seconds": found["seconds"],
        "kept_bytes_per_state": found["bytes_per_state"],
        "peak_bytes": done.peak_bytes,
    }


def spin(row: Row, scratch: Path) -> dict[str, Any]:
    """Depth-first search without partial-order reduction."""
    run(["spin", "-a", write_text(row, "pml", scratch)], scratch)
    run(["gcc", "-O2", "-DSAFETY", "-DNOREDUCE", "-o", "pan", "pan.c"], scratch)
    done = best(lambda: run(["./pan", "-E", *spin_limits(row)], scratch), lambda r: r.cpu_seconds)
    check_depth(row, done.text)
    states = int(find(r"([\d.e+]+) states, stored", done.text))
    kept = find(r"([\d.]+)\s+total actual memory usage", done.text) * (1 << 20)
    return {
        "states": states,
        "cpu_seconds": round(done.cpu_seconds, 4),
        "kept_bytes_per_state": round(kept / states, 1),
        "peak_bytes": done.peak_bytes,
    }


def spin_limits(row: Row) -> list[str]:
    """The hash table and the stack for a row."""
    return [f"-w{row.expected['table']}", f"-m{row.expected['depth']}"]


def check_depth(row: Row, text: str) -> None:
    """Spin goes on where its stack ends, and misses states."""
    if "max search depth too small" in text:
        raise ToolError(f"{row.name}: Spin needs a larger depth")


def rumur(row: Row, scratch: Path) -> dict[str, Any]:
    """Without symmetry, one thread."""
    make_rumur(row, scratch, "off")
    done = best(lambda: run(["./r"], scratch), lambda r: r.cpu_seconds)
    return {
        "states": rumur_states(done.text),
        "cpu_seconds": round(done.cpu_seconds, 4),
        "kept_bytes_per_state": None,
        "peak_bytes": done.peak_bytes,
    }


def make_rumur(row: Row, scratch: Path, symmetry: str) -> float:
    """Make a checker with Rumur; the processor time that it took."""
    options = [f"--symmetry-reduction={symmetry}", "--deadlock-detection=off", "--threads=1"]
    generating = run(["rumur", *options, "-o", "r.c", write_text(row, "m", scratch)], scratch)
    compiler = ["gcc", "-std=c11", "-O3", "-march=native", "-mcx16", "-o", "r", "r.c", "-lpthread"]
    return generating.cpu_seconds + run(compiler, scratch).cpu_seconds


def rumur_states(text: str) -> int:
    """How many states a checker of Rumur has counted."""
    return int(find(r"\t(\d+) states, \d+ rules fired in", text))


def text_lines(rows: Iterable[dict[str, Any]]) -> Iterator[str]:
    """The table for a terminal."""
    heads = f"{'cpu s':>8} {'states/cpu s':>13} {'ours is':>9} {'kept':>7} {'peak MB':>8} {'ours is':>9}"
    yield f"{'protocol':<20} {'size':<6} {'tool':<20} {'states':>10} {heads}"
    for row in rows:
        for tool, figures in row["tools"].items():
            kept = figures["kept_bytes_per_state"]
            peak = figures["peak_bytes"]
            columns = (
                f"{figures['cpu_seconds']:>8.3f} {figures['rate']:>13,} {shown_ratio(figures.get('speed_ratio')):>9} "
                f"{'' if kept is None else f'{kept:.0f}':>7} {'' if peak is None else f'{peak / (1 << 20):,.0f}':>8} "
                f"{shown_ratio(figures.get('memory_ratio')):>9}"
            )
            elapsed = f"  {figures['seconds']:.3f} s elapsed" if tool == "burnside, 2 threads" else ""
            wrong = "" if row["agrees"] else "  NOT AS EXPECTED"
            what = f"{row['system']:<20} {row['size']:<6} {tool:<20} {figures['states']:>10,}"
            yield f"{what} {columns}{elapsed}{wrong}".rstrip()


def remarks(rows: Iterable[dict[str, Any]]) -> Iterator[str]:
    """Where another tool is better."""
    return losses(rows, {"speed_ratio": "time for a state", "memory_ratio": "peak memory"})
