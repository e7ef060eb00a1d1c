"""Claims about infinite runs, without symmetry: searching the product, and the whole job."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from benchmarks.peers.states import check_depth, spin_limits
from benchmarks.peers.tools import (
    RUNS,
    beside,
    best,
    burnside_command,
    find,
    losses,
    run,
    shown_ratio,
    whole_job,
    write_text,
)

from burnside.bench.tables import Row, Table
from burnside.claims.kinds import Fairness
from burnside.decide.modes import Mode
from burnside.explore.native.run import SearchOptions
from burnside.frontends.loading import load
from burnside.resources import resource_directory
from burnside.results.findings import RunsFinding
from burnside.study import Study

_RATIOS = {"search_seconds_ratio": "searching", "whole_seconds_ratio": "the whole job"}


def run_rows(table: Table) -> Iterator[dict[str, Any]]:
    """Measure every row; one object each."""
    return map(measure, table.rows)


def measure(row: Row) -> dict[str, Any]:
    """Decide a claim with both tools; with Burnside alone where Spin is missing."""
    tools = beside(row, burnside, "spin", spin, ("search_seconds", "whole_seconds"))
    verdicts = {figures["verdict"] for figures in tools.values()}
    sizes = {figures["model_states"] for figures in tools.values()}
    return {
        "system": row.system,
        "size": row.size,
        "property": row.expected["property"],
        "fairness": row.expected["fairness"],
        "tools": tools,
        "agrees": verdicts == {row.expected["verdict"]} and len(sizes) == 1,
        "note": row.note or None,
    }


def burnside(row: Row, scratch: Path) -> dict[str, Any]:
    """The whole job as a user would do it; the search by optimised code, like Spin's.

    Left to itself, Burnside searches small products by code that was not optimised, because that is built sooner.
    """
    options = ["--property", row.expected["property"], "--fairness", row.expected["fairness"]]
    command = burnside_command("check", row, *options, "--symmetry", "none", "--threads", "1")
    done = best(lambda: whole_job(command, scratch), lambda r: r.cpu_seconds)
    found = json.loads(done.text)
    return {
        "verdict": found["properties"][0]["verdict"],
        "model_states": json.loads(run(burnside_command("count", row), scratch).text)["states"],
        "product_states": found["states"],
        "search_seconds": round(min(search_optimised(row) for _ in range(RUNS)), 4),
        "whole_seconds": round(done.cpu_seconds, 4),
    }


def search_optimised(row: Row) -> float:
    """Processor time of Burnside's search for a run that violates a claim."""
    study = Study(load(resource_directory("examples") / row.example, row.constants), SearchOptions(flags=("-O2",)))
    report = study.check([row.expected["property"]], Mode.NONE, Fairness(row.expected["fairness"]))
    finding = report.findings[0]
    assert isinstance(finding, RunsFinding)
    assert finding.search is not None
    return finding.search.exploration.cpu_seconds


def spin(row: Row, scratch: Path) -> dict[str, Any]:
    """Nested depth-first search without partial-order reduction, which leaves these products as they are."""
    limits = spin_limits(row)
    size = int(str(row.constants["N"]))
    generate = ["spin", "-a", write_text(row, "pml", scratch)]
    run(generate, scratch)
    run(["gcc", "-O2", "-DSAFETY", "-DNOREDUCE", "-DNOCLAIM", "-o", "count", "pan.c"], scratch)
    counted = run(["./count", "-E", *limits], scratch).text
    room = f"-DNFAIR={(size + 6) // 4}"  # for the processes and the claim
    build = ["gcc", "-O2", "-DNOREDUCE", room, "-o", "pan", "pan.c"]
    formula = row.expected["property"].partition("(")[0]
    search = ["./pan", "-a", "-N", formula, *limits, *(["-f"] if row.expected["fairness"] == "weak" else [])]

    jobs = [
        [run(command, scratch, may_fail=command is search) for command in (generate, build, search)]
        for _ in range(RUNS)
    ]
    found = jobs[0][-1].text
    check_depth(row, counted + found)
    model_states, product = (int(find(r"([\d.e+]+) states, stored", output)) for output in (counted, found))
    return {
        "verdict": "holds" if find(r"errors: (\d+)", found) == 0 else "violated",
        "model_states": model_states,
        "product_states": product,
        "search_seconds": round(min(job[-1].cpu_seconds for job in jobs), 4),
        "whole_seconds": round(min(sum(step.cpu_seconds for step in job) for job in jobs), 4),
    }


def text_lines(rows: Iterable[dict[str, Any]]) -> Iterator[str]:
    """The table for a terminal."""
    heads = f"{'model':>9} {'product':>10} {'search s':>9} {'ours is':>9} {'whole s':>8} {'ours is':>9}"
    yield f"{'protocol':<23} {'size':<5} {'claim':<18} {'fair':<5} {'tool':<9} {'verdict':<9} {heads}"
    for row in rows:
        for tool, figures in row["tools"].items():
            search, whole = (shown_ratio(figures.get(key)) for key in _RATIOS)
            wrong = "" if row["agrees"] else "  NOT AS EXPECTED"
            yield (
                f"{row['system']:<23} {row['size']:<5} {row['property']:<18} {row['fairness']:<5} {tool:<9} "
                f"{figures['verdict']:<9} {figures['model_states']:>9,} {figures['product_states']:>10,} "
                f"{figures['search_seconds']:>9.3f} {search:>9} {figures['whole_seconds']:>8.2f} {whole:>9}{wrong}"
            ).rstrip()


def remarks(rows: Iterable[dict[str, Any]]) -> Iterator[str]:
    """Where the other tool is better."""
    return losses(rows, _RATIOS)
