"""``burnside detect``."""

from __future__ import annotations

import argparse
from pathlib import Path

from burnside.cli.exits import Exit
from burnside.cli.files import write_files
from burnside.cli.loading import model_file
from burnside.cli.options import add_limit_options, add_model_options, add_output_options, add_property_option
from burnside.explore.native.run import SearchOptions
from burnside.results.answers import DetectAnswer, Kind
from burnside.study import Study, actor_symmetries

_EXAMPLES = """\
examples:
  burnside detect examples/zhang2013/dining_philosophers.seq
  burnside detect examples/zhang2013/peterson.seq -D N=5 --property mutex --explain
  burnside detect examples/zhang2013/hanoi.seq --format gap > hanoi.g
"""


def add_detect(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """``burnside detect MODEL``: the symmetries of a model."""
    parser = commands.add_parser(
        "detect",
        help="find the symmetries of a model",
        description="Find the process, data and mixed symmetries of a model, and say what they do.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_model_options(parser)
    add_property_option(parser, "only symmetries that keep this property (may be repeated)")
    parser.add_argument("--explain", action="store_true", help="say what costs symmetry, with line and column")
    add_limit_options(parser)
    parser.add_argument("--dump", type=Path, metavar="DIR", help="write the values between the stages to DIR")
    add_output_options(parser, Kind.DETECT)
    parser.set_defaults(run=run_detect)


def run_detect(arguments: argparse.Namespace) -> Exit:
    """Load, detect, print."""
    file = model_file(arguments)
    options = SearchOptions(deadline=arguments.limits.deadline, keeps_symmetries=True)
    study = Study(file.first(arguments.printer.warn), options)
    report = study.symmetries(arguments.properties, explained=arguments.explain)
    if arguments.dump:
        write_files(arguments.dump, study.dump_detection(report))
    actors = actor_symmetries(file.topology, report)
    arguments.printer.show(DetectAnswer(report, actors, arguments.printer.diagnostics))
    return Exit.BUG if report.detection.rejected else Exit.DONE
