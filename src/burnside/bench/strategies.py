"""Canonical forms: the method that the plan chooses beside sorting, the general one, and exploring without symmetry."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from burnside.bench.complete import complete
from burnside.bench.forms import cost
from burnside.bench.tables import Row, Table
from burnside.detect.run import detect
from burnside.explore.native.run import SearchOptions, explore
from burnside.frontends.loading import load
from burnside.ir.nodes import Model
from burnside.reduce.symmetry.chain import StabiliserWalk
from burnside.reduce.symmetry.plan import EXACT, plan
from burnside.reduce.symmetry.reduction import SymmetryReduction
from burnside.resources import resource_directory
from burnside.results.exploration import Exploration

# The same code for all: without this, small quotients are explored by code that was not optimised.
OPTIMISED = SearchOptions(flags=("-O2",))


def run_rows(table: Table) -> Iterator[dict[str, Any]]:
    """Measure every row; one object each."""
    return map(measure, table.rows)


def measure(row: Row) -> dict[str, Any]:
    """Explore one system in three ways. Times are those of exploring; detecting and compiling are not in them.

    Some systems are explored by the method that was chosen only: they have too many states, or the general method takes
    too long.
    """
    model = load(resource_directory("examples") / row.example, row.constants).model
    found = detect(model)
    chosen = plan(found.symmetry)
    assert chosen is not None
    result: dict[str, Any] = {
        "system": row.system,
        "size": row.size,
        "order": found.symmetry.order,
        "states": row.expected["full"],
        "chosen": _figures(model, chosen),
        "cost": _cost(model, chosen, row.expected["blocks"]),
    }
    agrees = result["chosen"]["states"] == row.expected["orbits"]
    if not row.expected.get("reduced_only", False):
        special = [strategy for strategy in EXACT if strategy is not StabiliserWalk]
        general = plan(found.symmetry, without=special)
        assert general is not None
        plain = complete(explore(model, options=OPTIMISED))
        result |= {"states": plain.states, "seconds": _seconds(plain), "general": _figures(model, general)}
        result["general_cost"] = _cost(model, general, row.expected["blocks"])
        agrees &= result["general"]["states"] == row.expected["orbits"]
    result["agrees"] = agrees and result["states"] == row.expected["full"] == result["chosen"]["full_states"]
    return result


def _figures(model: Model, reduction: SymmetryReduction) -> dict[str, Any]:
    found = complete(explore(model, reductions=(reduction,), options=OPTIMISED))
    microseconds = 1e6 * found.canonicalising_seconds / max(1, found.canonicalised)
    return {
        "strategy": reduction.name,
        "reason": reduction.reason,
        "states": found.states,
        "full_states": found.full_states,
        "seconds": _seconds(found),
        "representatives": found.canonicalised,
        "microseconds": round(microseconds, 4),
    }


def _cost(model: Model, reduction: SymmetryReduction, blocks: int) -> dict[str, float]:
    found = cost(model, reduction, blocks, OPTIMISED)
    return {"microseconds": round(found.microseconds, 4), "sorting": round(found.sorting, 4)}


def _seconds(found: Exploration) -> float:
    """Processor time: others may use the machine, too."""
    return round(min(found.seconds, found.cpu_seconds), 4)


def text_lines(rows: Iterable[dict[str, Any]]) -> Iterator[str]:
    """The table for a terminal."""
    yield (
        f"{'system':<26} {'size':<24} {'symmetries':>11} {'states':>13} {'seconds':>8} {'orbits':>9} {'seconds':>8} "
        f"{'faster':>8} {'µs each':>8} {'sorting':>8} {'ratio':>5} {'general':>8}  method"
    )
    for row in rows:
        chosen, each, sorting = row["chosen"], row["cost"]["microseconds"], row["cost"]["sorting"]
        wrong = "" if row["agrees"] else "  NOT AS EXPECTED"
        yield (
            f"{row['system']:<26} {row['size']:<24} {row['order']:>11,} {row['states']:>13,} {_plain_text(row)} "
            f"{each:>8.3f} {sorting:>8.3f} {each / sorting:>5.1f} {_general_text(row)}  {chosen['strategy']}{wrong}"
        )


def _plain_text(row: dict[str, Any]) -> str:
    """What exploring took without symmetry and with it, and how many times as long."""
    chosen = row["chosen"]
    plain = f"{row['seconds']:>8.3f}" if "seconds" in row else f"{'-':>8}"
    faster = f"{row['seconds'] / chosen['seconds']:>7.1f}x" if "seconds" in row else f"{'-':>8}"
    return f"{plain} {chosen['states']:>9,} {chosen['seconds']:>8.4f} {faster}"


def _general_text(row: dict[str, Any]) -> str:
    return f"{row['general_cost']['microseconds']:>8.3f}" if "general_cost" in row else f"{'-':>8}"
