"""The option ``--coverage``, and what it adds to what a command prints."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from burnside.explore.native.run import SearchOptions, Watcher
from burnside.report.coverage import Coverage, coverage_lines, coverage_object
from burnside.report.values import CheckReport
from burnside.source import Diagnostic, ModelError, Note, printable


def add_coverage_option(parser: argparse.ArgumentParser) -> None:
    """``--coverage``."""
    parser.add_argument(
        "--coverage", action="store_true", help="say which rules never fire, and which values no variable takes"
    )


def refuse_adaptive(symmetry: str) -> None:
    """The adaptive search visits no states of which it could be said what they cover."""
    if symmetry == "adaptive":
        note = Note("use --symmetry none or unique", "help")
        raise ModelError([Diagnostic("BUR902", "the adaptive search does not know what it covers", notes=(note,))])


def coverage_text(coverage: Coverage | None, process: str = "") -> Iterator[str]:
    """Lines for a person."""
    if process:
        yield f"process {printable(process)}"
    yield from coverage_lines(coverage) if coverage else ["coverage     not known: the exploration is not complete"]


def coverage_value(coverage: Coverage | None) -> dict[str, Any]:
    """The key for ``--json``, with its value."""
    return {"coverage": coverage_object(coverage) if coverage else None}


def coverages_of(
    reports: Sequence[CheckReport], symmetry: str, options: SearchOptions, end: float | None, watch: Watcher | None
) -> Iterator[Coverage | None]:
    """What complete explorations of the processes that were checked cover.

    They are explored again: a check ends when all is decided, and may have seen a part only.
    """
    from burnside.statespace import count_covering

    for report in reports:
        if end is not None:
            options = replace(options, seconds=max(0.001, end - time.perf_counter()))
        mode = "unique" if symmetry == "auto" else symmetry
        yield count_covering(report.count.model, symmetry=mode, options=options, watch=watch)[1]
