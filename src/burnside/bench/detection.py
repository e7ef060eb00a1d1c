"""Table I of Zhang et al. 2013: graph size, times, generators and order of the group, row by row."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import Any

from burnside.bench.differences import Figure
from burnside.bench.tables import Row, Table
from burnside.frontends.loading import load
from burnside.resources import resource_directory
from burnside.study import Study


def run_rows(table: Table) -> Iterator[dict[str, Any]]:
    """Measure every row; one object each."""
    for row in table.rows:
        yield measure(row)


def measure(row: Row) -> dict[str, Any]:
    """Load, detect and validate one system."""
    start = time.perf_counter()
    report = Study(load(resource_directory("examples") / row.example, row.constants)).symmetries()
    found = report.detection
    return {
        "system": row.system,
        "size": row.size,
        "vertices": len(found.encoding.graph),
        "edges": len(found.encoding.graph.edges),
        "encode": round(found.figures.encode_seconds, 4),
        "search": round(found.figures.search_seconds, 4),
        "validate": round(found.figures.validate_seconds, 4),
        "total": round(time.perf_counter() - start, 4),
        "generators": len(found.generators),
        "order": found.symmetry.order,
        "structure": report.structure,
        "validated": not found.rejected,
        "expected_order": int(row.expected["order"]),  # TOML has no integers beyond 64 bits: those are texts
        "agrees": found.symmetry.order == int(row.expected["order"]),
        "paper": row.paper or None,
        "note": row.note or None,
    }


def figures(row: dict[str, Any]) -> Iterator[Figure]:
    """What the paper prints beside what was measured."""
    paper, name = row["paper"], f"{row['system']} {row['size']}"
    if paper:
        yield Figure(name, "order", paper["order"], row["order"], row["note"] or "", is_exact=True)
        yield Figure(name, "vertices", paper["vertices"], row["vertices"])
        yield Figure(name, "generators", paper["generators"], row["generators"])
        yield Figure(name, "seconds", paper["construction"] + paper["search"], row["total"])


def text_lines(rows: Iterable[dict[str, Any]]) -> Iterator[str]:
    """The table for a terminal: the paper's figures beside ours."""
    yield (
        f"{'system':<26} {'size':<16} {'vertices':>9} {'paper':>8} {'seconds':>8} {'paper':>7} "
        f"{'gens':>4} {'paper':>5} {'order':>18} {'paper':>18}"
    )
    for row in rows:
        paper = row["paper"] or {}
        seconds = f"{paper['construction'] + paper['search']:.2f}" if paper else ""
        yield (
            f"{row['system']:<26} {row['size']:<16} {row['vertices']:>9,} {paper.get('vertices', ''):>8} "
            f"{row['total']:>8.3f} {seconds:>7} {row['generators']:>4} {paper.get('generators', ''):>5} "
            f"{_grouped(row['order']):>18} {_grouped(paper.get('order')):>18}  {_remark(row)}"
        ).rstrip()


def _grouped(number: int | None) -> str:
    """A number that fits its column; larger ones are rounded, the name of the group and the JSON object are exact."""
    if number is None:
        return ""
    return f"{number:,}" if number < 10**13 else f"about {Decimal(number):.3e}"


def _remark(row: dict[str, Any]) -> str:
    wrong = "" if row["agrees"] else f"  EXPECTED {row['expected_order']:,}"
    return f"{row['structure'] or ''}{wrong}"
