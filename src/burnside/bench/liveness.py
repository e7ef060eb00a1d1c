"""Claims about infinite runs: the product without symmetry beside the product of the quotient."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from burnside.bench.complete import complete
from burnside.bench.tables import Row, Table
from burnside.claims.kinds import Fairness
from burnside.decide.modes import Mode
from burnside.explore.native.run import SearchOptions
from burnside.frontends.loading import load
from burnside.resources import resource_directory
from burnside.results.findings import RunsFinding
from burnside.study import Study

MODES = ("none", "unique")

# The same code for all: without this, small products are searched by code that was not optimised.
OPTIMISED = SearchOptions(flags=("-O2",))


def run_rows(table: Table) -> Iterator[dict[str, Any]]:
    """Measure every row; one object each."""
    return map(measure, table.rows)


def measure(row: Row, options: SearchOptions = OPTIMISED) -> dict[str, Any]:
    """Decide a claim without and with symmetry. Times are processor times of searching alone."""
    study = Study(load(resource_directory("examples") / row.example, row.constants), options)
    name, fairness = row.expected["property"], Fairness(row.expected["fairness"])
    found = {mode: _decide(study, name, fairness, mode) for mode in MODES}
    result: dict[str, Any] = {
        "system": row.system,
        "size": row.size,
        "property": name,
        "formula": found[MODES[0]].member.claim.text,
        "fairness": fairness.value,
        "expected": {"verdict": row.expected["verdict"], "order": row.expected["order"]},
        "note": row.note or None,
    }
    result |= {mode: _figures(finding) for mode, finding in found.items()}
    plain, reduced = (result[mode] for mode in MODES)
    result["factor"] = round(plain["states"] / reduced["states"], 2)
    verdicts = {plain["verdict"], reduced["verdict"]}
    result["agrees"] = verdicts == {row.expected["verdict"]} and reduced["order"] == row.expected["order"]
    return result


def _decide(study: Study, name: str, fairness: Fairness, mode: str) -> RunsFinding:
    finding = study.check([name], Mode(mode), fairness).findings[0]
    assert isinstance(finding, RunsFinding)
    return finding


def _figures(finding: RunsFinding) -> dict[str, Any]:
    assert finding.search is not None
    found, used = complete(finding.search.exploration), finding.search.symmetry
    return {
        "verdict": finding.verdict.value,
        "states": found.states,
        "transitions": found.transitions,
        "seconds": round(found.cpu_seconds, 4),
        "order": used.order,
        "strategy": used.strategy,
    }


def text_lines(rows: Iterable[dict[str, Any]]) -> Iterator[str]:
    """The table for a terminal; the formulas stand behind the figures."""
    yield (
        f"{'system':<23} {'size':<19} {'claim':<30} {'fairness':<13} {'verdict':<8} {'states':>9} {'seconds':>7} "
        f"{'reduced':>9} {'seconds':>7} {'symmetries':>13} {'fewer':>7}  formula"
    )
    for row in rows:
        plain, reduced = (row[mode] for mode in MODES)
        wrong = "" if row["agrees"] else "  NOT AS EXPECTED"
        yield (
            f"{row['system']:<23} {row['size']:<19} {row['property']:<30} {row['fairness']:<13} {plain['verdict']:<8} "
            f"{plain['states']:>9,} {plain['seconds']:>7.3f} {reduced['states']:>9,} {reduced['seconds']:>7.3f} "
            f"{reduced['order']:>13,} {row['factor']:>6.1f}x  {row['formula']}{wrong}"
        )
