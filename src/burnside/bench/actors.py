"""Symmetries of actor models: the group of Definition 4, the one that is detected, and what it is worth."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from burnside.bench.complete import complete
from burnside.bench.differences import Figure
from burnside.bench.tables import Row, Table
from burnside.decide.modes import Mode
from burnside.frontends.loading import ModelFile
from burnside.resources import resource_directory
from burnside.study import Study, actor_symmetries


def run_rows(table: Table) -> Iterator[dict[str, Any]]:
    """Measure every row; one object each."""
    return map(measure, table.rows)


def measure(row: Row) -> dict[str, Any]:
    """Detect in both ways, and count without and with symmetry. Times are those of detecting and of exploring."""
    file = ModelFile(resource_directory("examples") / row.example, row.constants)
    study = Study(file.first())
    report = study.symmetries()
    actors = actor_symmetries(file.topology, report)
    assert actors is not None
    plain, reduced = (complete(study.count(mode).exploration) for mode in (Mode.NONE, Mode.UNIQUE))
    found = {
        "definition4": actors.symmetry.order,
        "order": report.detection.symmetry.order,
        "full": plain.states,
        "orbits": reduced.states,
    }
    return {
        "system": row.system,
        "size": row.size,
        **found,
        "definition4_orbits": [orbit for orbit in actors.symmetry.orbits if len(orbit) > 1],
        "definition4_seconds": round(actors.seconds, 4),
        "detect_seconds": round(report.detection.figures.encode_seconds + report.detection.figures.search_seconds, 4),
        "full_seconds": round(plain.seconds, 4),
        "orbits_seconds": round(reduced.seconds, 4),
        "agrees": all(found[key] == row.expected[key] for key in found),
        "origin": row.expected["origin"],
        "paper": row.paper or None,
        "note": row.note or None,
    }


def figures(row: dict[str, Any]) -> Iterator[Figure]:
    """The orbits of rebecs that the paper names beside those of its Definition 4."""
    if row["paper"]:
        name = f"{row['system']}, {row['size']}"
        orbits = "; ".join(f"{{{', '.join(orbit)}}}" for orbit in row["definition4_orbits"])
        ours = f"{orbits}; all others alone" if orbits else "every rebec alone"
        yield Figure(name, "orbits", row["paper"]["claim"], ours, row["note"] or "", is_exact=True)


def text_lines(rows: Iterable[dict[str, Any]]) -> Iterator[str]:
    """The table for a terminal."""
    yield (
        f"{'system':<24} {'size':<34} {'Def. 4':>7} {'seconds':>8} {'general':>8} {'seconds':>8} "
        f"{'states':>10} {'seconds':>8} {'orbits':>8} {'seconds':>8}"
    )
    for row in rows:
        wrong = "" if row["agrees"] else "  NOT AS EXPECTED"
        yield (
            f"{row['system']:<24} {row['size']:<34} {row['definition4']:>7,} {row['definition4_seconds']:>8.3f} "
            f"{row['order']:>8,} {row['detect_seconds']:>8.3f} {row['full']:>10,} {row['full_seconds']:>8.3f} "
            f"{row['orbits']:>8,} {row['orbits_seconds']:>8.3f}{wrong}"
        )
