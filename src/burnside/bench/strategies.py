"""Canonical forms: the method that the plan chooses beside the general one, and exploring without symmetry."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from burnside.bench.complete import complete
from burnside.bench.tables import Row, Table
from burnside.detect.run import detect
from burnside.explore.native.run import SearchOptions, explore
from burnside.frontends.loading import load
from burnside.ir.nodes import Model
from burnside.reduce.symmetry.chain import StabiliserWalk
from burnside.reduce.symmetry.plan import EXACT, plan
from burnside.reduce.symmetry.reduction import SymmetryReduction
from burnside.resources import resource_directory

# The same code for all: without this, small quotients are explored by code that was not optimised.
OPTIMISED = SearchOptions(flags=("-O2",))


def run_rows(table: Table) -> Iterator[dict[str, Any]]:
    """Measure every row; one object each."""
    return map(measure, table.rows)


def measure(row: Row) -> dict[str, Any]:
    """Explore one system three times. Times are those of exploring; detecting and compiling are not in them."""
    model = load(resource_directory("examples") / row.example, row.constants).model
    found = detect(model)
    special = [strategy for strategy in EXACT if strategy is not StabiliserWalk]
    chosen, general = plan(found.symmetry), plan(found.symmetry, without=special)
    assert chosen is not None
    assert general is not None
    plain = complete(explore(model, options=OPTIMISED))
    result: dict[str, Any] = {
        "system": row.system,
        "size": row.size,
        "order": found.symmetry.order,
        "states": plain.states,
        "seconds": round(plain.seconds, 4),
        "chosen": _figures(model, chosen),
        "general": _figures(model, general),
    }
    stored = (result["chosen"]["states"], result["general"]["states"])
    right = (row.expected["orbits"], row.expected["orbits"])
    result["agrees"] = plain.states == row.expected["full"] and stored == right
    return result


def _figures(model: Model, reduction: SymmetryReduction) -> dict[str, Any]:
    found = complete(explore(model, reductions=(reduction,), options=OPTIMISED))
    microseconds = 1e6 * found.canonicalising_seconds / max(1, found.canonicalised)
    return {
        "strategy": reduction.name,
        "reason": reduction.reason,
        "states": found.states,
        "seconds": round(found.seconds, 4),
        "representatives": found.canonicalised,
        "microseconds": round(microseconds, 4),
    }


def text_lines(rows: Iterable[dict[str, Any]]) -> Iterator[str]:
    """The table for a terminal."""
    yield (
        f"{'system':<26} {'size':<14} {'symmetries':>11} {'states':>10} {'seconds':>8} {'orbits':>8} "
        f"{'seconds':>8} {'faster':>8} {'µs each':>8} {'general':>8}  method"
    )
    for row in rows:
        chosen = row["chosen"]
        wrong = "" if row["agrees"] else "  NOT AS EXPECTED"
        yield (
            f"{row['system']:<26} {row['size']:<14} {row['order']:>11,} {row['states']:>10,} {row['seconds']:>8.3f} "
            f"{chosen['states']:>8,} {chosen['seconds']:>8.4f} {row['seconds'] / chosen['seconds']:>7.1f}x "
            f"{chosen['microseconds']:>8.3f} {row['general']['microseconds']:>8.3f}  {chosen['strategy']}{wrong}"
        )
