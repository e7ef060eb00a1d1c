"""Table 1 of [LinEtAl16]: the published figures beside measured ones.

Published figures come from a table file; nothing here knows them. A measured row is a plain object, ready for
JSON: the system, the paper's figures, and what each mode of search needed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeAlias

from burnside.regular.find import describe, search
from burnside.regular.system import Constraints, System

MEASURED = ("faithful", "lifted")
_COLUMNS = "{:<24} {:<9} {:>14} {:>10} {:>20} {:>20}  {}"

Object: TypeAlias = dict[str, Any]


def run_rows(rows: Iterable[Mapping[str, Any]], load: Callable[[str], System]) -> Iterator[Object]:
    """Measure rows with the keys ``system``, ``example`` and ``paper``; ``load`` reads an example by its name."""
    for row in rows:
        system = load(row["example"])
        measured = {mode: measure(system, mode=mode) for mode in MEASURED}
        yield {"system": row["system"], "example": row["example"], "paper": dict(row["paper"]), **measured}


def measure(system: System, *, mode: str, limit: float | None = None) -> Object | None:
    """Find a pattern: faithful, from one state up with the constraints of the file, or lifted, with nothing given.

    None if the mode does not apply (lifting finds process symmetries only) or finds nothing.
    """
    if mode == "lifted" and system.constraints.kind != "process":
        return None
    constraints = Constraints() if mode == "lifted" else system.constraints
    found = next(search(system, mode=mode, constraints=constraints, limit=limit), None)
    if found is None:
        return None
    return {
        "states": found.states,
        "iterations": found.iterations,
        "verification": round(found.verification, 6),
        "synthesis": round(found.seconds, 6),
        "pattern": describe(system, found),
    }


def text_lines(rows: Iterable[Object]) -> Iterator[str]:
    """The table as text, paper beside measured, line by line as rows arrive; the total of each mode at the end."""
    yield _COLUMNS.format("system", "mode", "states", "iterations", "verification", "synthesis", "pattern")
    yield _COLUMNS.format("", "", "paper  ours", "", "paper      ours", "paper      ours", "").rstrip()
    totals = dict.fromkeys(MEASURED, 0.0)
    for row in rows:
        for mode in MEASURED:
            if row[mode] is not None:
                totals[mode] += row[mode]["synthesis"]
                yield _line(row["system"], mode, row["paper"], row[mode])
    yield "total: " + ", ".join(f"{mode} {seconds:.1f} s" for mode, seconds in totals.items())


def _line(system: str, mode: str, paper: Object, ours: Object) -> str:
    states = f"{paper['states']}  {ours['states']:>4}"
    verification = f"{paper['verification']:.1f} s  {ours['verification'] * 1000:5.1f} ms"
    synthesis = f"{paper['synthesis']} s  {ours['synthesis']:6.2f} s"
    return _COLUMNS.format(system, mode, states, ours["iterations"], verification, synthesis, ours["pattern"])
