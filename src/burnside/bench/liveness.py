"""Claims about infinite runs: the product without symmetry beside the product of the quotient."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from burnside import pipeline
from burnside.bench.tables import Row, Table
from burnside.ir.nodes import Model
from burnside.ir.task import Task
from burnside.ir.temporal import Fairness
from burnside.report.values import ClaimReport
from burnside.resources import resource_directory

MODES = ("none", "unique")


def run_rows(table: Table) -> Iterator[dict[str, Any]]:
    """Measure every row; one object each."""
    return map(measure, table.rows)


def measure(row: Row) -> dict[str, Any]:
    """Decide a claim without and with symmetry. Times are those of searching, without detecting and compiling."""
    model = pipeline.load(resource_directory("examples") / row.example, row.constants)
    name, fairness = row.expected["property"], Fairness(row.expected["fairness"])
    result: dict[str, Any] = {
        "system": row.system,
        "size": row.size,
        "property": name,
        "formula": next(t.text for t in model.temporal if t.name == name.partition("(")[0]),
        "fairness": fairness.value,
        "expected": row.expected["verdict"],
        "note": row.note or None,
    }
    for mode in MODES:
        result[mode] = _figures(_decide(model, name, fairness, mode))
    plain, reduced = (result[mode] for mode in MODES)
    result["factor"] = round(plain["states"] / reduced["states"], 2)
    verdicts = {plain["verdict"], reduced["verdict"]}
    result["agrees"] = verdicts == {row.expected["verdict"]} and reduced["order"] == row.expected["order"]
    return result


def _decide(model: Model, name: str, fairness: Fairness, symmetry: str) -> ClaimReport:
    reports = pipeline.check_tasks([Task(model)], properties=[name], symmetry=symmetry, fairness=fairness)
    return reports[0].claims[0]


def _figures(claim: ClaimReport) -> dict[str, Any]:
    assert claim.search is not None
    found, used = claim.search.exploration, claim.search.symmetry
    return {
        "verdict": claim.verdict.value,
        "states": found.states,
        "transitions": found.transitions,
        "seconds": round(found.seconds, 4),
        "order": used.order,
        "strategy": used.strategy,
    }


def text_lines(rows: Iterable[dict[str, Any]]) -> Iterator[str]:
    """The table for a terminal."""
    yield (
        f"{'system':<24} {'size':<10} {'claim':<30} {'fairness':<14} {'verdict':<9} {'states':>11} {'seconds':>8} "
        f"{'reduced':>10} {'seconds':>8} {'symmetries':>10} {'fewer':>8}"
    )
    for row in rows:
        plain, reduced = (row[mode] for mode in MODES)
        wrong = "" if row["agrees"] else "  NOT AS EXPECTED"
        yield (
            f"{row['system']:<24} {row['size']:<10} {row['property']:<30} {row['fairness']:<14} {plain['verdict']:<9} "
            f"{plain['states']:>11,} {plain['seconds']:>8.3f} {reduced['states']:>10,} {reduced['seconds']:>8.3f} "
            f"{reduced['order']:>10,} {row['factor']:>7.1f}x{wrong}  {row['note'] or ''}"
        ).rstrip()
