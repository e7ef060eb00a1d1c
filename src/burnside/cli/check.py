"""``burnside check``."""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from burnside.cli.exits import Exit
from burnside.cli.files import can_write, write_file, write_files
from burnside.cli.loading import load_tasks
from burnside.cli.options import (
    add_coverage_option,
    add_fairness_option,
    add_model_options,
    add_property_option,
    add_search_options,
    fairness_of,
    search_options,
)
from burnside.cli.outcomes import exit_of_check, show_remarks
from burnside.cli.progress import progress
from burnside.decide.modes import Mode, refuse_uncovering
from burnside.report.coverage import coverage_text, coverage_value
from burnside.report.json import check_object
from burnside.report.text import check_text
from burnside.results.coverage import Coverage
from burnside.study import Studies

_EXAMPLES = """\
examples:
  burnside check examples/zhang2013/dining_philosophers.seq
  burnside check examples/classics/filter_lock.seq -D N=5 --property mutex
  burnside check examples/zhang2013/dining_philosophers.seq --trace deadlock.json
  burnside check examples/liveness/dining_philosophers.seq -D N=3 --property everybody_eats --fairness weak
  burnside check examples/zhang2013/peterson.seq -D N=3 --coverage
"""


def add_check(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """``burnside check MODEL``: decide the properties of a model."""
    parser = commands.add_parser(
        "check",
        help="decide the properties of a model",
        description=(
            "Decide the properties of a model. A model that declares none is checked for "
            "freedom from deadlock. Exit code 0: all hold; 1: one is violated; 3: the model is wrong or "
            "faults; 4: a limit was reached."
        ),
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_model_options(parser)
    add_property_option(parser, "check only this property (may be repeated)")
    add_fairness_option(parser)
    add_search_options(parser, symmetry="auto")
    add_coverage_option(parser)
    parser.add_argument("--trace", type=Path, metavar="FILE", help="write the traces to FILE as JSON")
    parser.set_defaults(run=run_check)


def run_check(arguments: argparse.Namespace) -> Exit:
    """Load, explore, print."""
    if not can_write(arguments.trace):
        return Exit.USAGE
    tasks = load_tasks(arguments)
    with progress(quiet=arguments.quiet or arguments.json) as watch:
        studies = Studies.of(tasks, search_options(arguments), watch)
        mode = Mode(arguments.symmetry)
        if arguments.coverage:
            refuse_uncovering(mode)
        if arguments.dump:
            for number, (study, members) in enumerate(studies.asked(arguments.properties), 1):
                directory = arguments.dump / _directory_name(number, study.task.process)
                write_files(directory, study.dump(members))
        reports = studies.check(arguments.properties, mode, fairness_of(arguments))
        covered = [*_coverages(studies, arguments.properties, mode)] if arguments.coverage else []
    result = check_object(reports)
    for figures, coverage in zip(result.get("processes", [result]), covered, strict=False):
        figures |= coverage_value(coverage)
    if arguments.json:
        print(json.dumps(result))
    else:
        print(check_text(reports))
        for report, coverage in zip(reports, covered, strict=False):
            print("\n".join(["", *coverage_text(coverage, report.process)]))
    if arguments.trace and not _write_traces(arguments.trace, result):
        return Exit.USAGE
    show_remarks(*reports)
    return exit_of_check(reports)


def _coverages(studies: Studies, names: Sequence[str], mode: Mode) -> Iterator[Coverage | None]:
    """What complete explorations of the processes that were checked cover.

    They are explored again: a check ends when all is decided, and may have seen a part only.
    """
    for study, _ in studies.asked(names):
        yield study.count_covering(mode)[1]


def _directory_name(number: int, process: str) -> str:
    """Where files about a process go if there are several; only letters, digits and underscores of a model's text get
    into a path.
    """
    return f"{number}_{re.sub(r'[^A-Za-z0-9]+', '_', process)[:40].strip('_')}" if process else ""


def _write_traces(path: Path, result: dict[str, Any]) -> bool:
    """The traces of all properties that have one, and of a fault, by name."""
    traces = {p["name"]: p["trace"] for p in result["properties"] if p["trace"]}
    if result["fault"]:
        traces["fault"] = result["fault"]["trace"]
    return write_file(path, [json.dumps(traces, indent=2), "\n"])
