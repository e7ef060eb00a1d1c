"""``burnside count``."""

from __future__ import annotations

import argparse

from burnside.cli.checkpoints import keeping_by
from burnside.cli.exits import Exit
from burnside.cli.files import write_files
from burnside.cli.loading import load_first
from burnside.cli.options import (
    add_checkpoint_option,
    add_coverage_option,
    add_model_options,
    add_search_options,
    add_slicing_option,
    refuse_partial_coverage,
    refuse_unshown_coverage,
    search_options,
)
from burnside.cli.outcomes import exit_of_count
from burnside.cli.progress import progress
from burnside.decide.modes import Mode
from burnside.results.answers import CountAnswer, Kind
from burnside.results.remarks import remarks_on
from burnside.study import Study
from burnside.values import replace

_EXAMPLES = """\
examples:
  burnside count examples/zhang2013/dining_philosophers.seq -D N=12
  burnside count examples/classics/filter_lock.seq --threads 2 --json
  burnside count examples/classics/filter_lock.seq --symmetry unique
  burnside count examples/classics/filter_lock.seq -D N=4 --coverage
"""


def add_count(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """``burnside count MODEL``: the size of the state space."""
    parser = commands.add_parser(
        "count",
        help="explore the whole state space and count it",
        description="Explore all states of a model; no property is checked.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_model_options(parser)
    add_search_options(parser, Kind.COUNT, symmetry="none, or unique for models that create actors")
    add_coverage_option(parser)
    add_slicing_option(parser, default="off", usual="default: off")
    add_checkpoint_option(parser)
    parser.set_defaults(run=run_count, symmetry=None)


def run_count(arguments: argparse.Namespace) -> Exit:
    """Load, explore, print."""
    task, printer = load_first(arguments), arguments.printer
    covered = None
    with (
        progress(quiet=arguments.quiet or not printer.is_for_people) as watch,
        keeping_by("count", arguments, (task,), slices=arguments.slice == "on") as kept,
    ):
        study = Study(task, replace(search_options(arguments), checkpoint=kept), watch)
        if arguments.dump:
            write_files(arguments.dump, study.dump())
        mode = Mode(arguments.symmetry) if arguments.symmetry else None
        if arguments.coverage:
            refuse_unshown_coverage(arguments.format)
            refuse_partial_coverage(arguments)
            report, coverage = study.count_covering(mode)
            covered = (coverage,)
        else:
            report = study.count(mode)
    printer.note(remarks_on(report))
    printer.show(CountAnswer(report, covered, printer.diagnostics))
    return exit_of_count(report)
