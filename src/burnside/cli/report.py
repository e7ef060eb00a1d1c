"""``burnside report``."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from burnside.cli.exits import Exit
from burnside.cli.files import can_write, write_file
from burnside.cli.loading import model_file
from burnside.cli.options import (
    add_diagnostics_option,
    add_fairness_option,
    add_limit_options,
    add_model_options,
    add_property_option,
    add_quiet_option,
    fairness_of,
)
from burnside.cli.outcomes import exit_of_check
from burnside.cli.progress import progress
from burnside.decide.modes import Mode
from burnside.explore.native.run import SearchOptions
from burnside.frontends.loading import ModelFile
from burnside.pages import PageRequest
from burnside.report.renderers import render
from burnside.report.titles import verdicts_title
from burnside.results.answers import Written
from burnside.results.remarks import remarks_on
from burnside.study import Studies

_EXAMPLES = """\
examples:
  burnside report examples/zhang2013/dining_philosophers.seq -D N=5 -o dining.html
  burnside report examples/liveness/semaphore.seq --fairness weak -o semaphore.html
  burnside report examples/jaghoori2005/load_balancer_small.rebeca --times -o balancer.html
"""


def add_report(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """``burnside report MODEL -o FILE``: all about a model on one page."""
    parser = commands.add_parser(
        "report",
        help="write one page with verdicts, traces, symmetries and pictures",
        description=(
            "Check a model and write an HTML page that needs nothing else: the verdicts with runs to step through, the "
            "symmetries in words and pictures, the states beside their orbits, what symmetry saves, and the commands "
            "that give all this again. Exit codes are those of 'burnside check'."
        ),
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_model_options(parser)
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="FILE", help="an .html file")
    _add_questions(parser)
    add_limit_options(parser)
    parser.add_argument("--times", action="store_true", help="show measured times and memory; the bytes then differ")
    add_diagnostics_option(parser)
    add_quiet_option(parser)
    parser.set_defaults(run=run_report)


def _add_questions(parser: argparse.ArgumentParser) -> None:
    add_property_option(parser, "check only this property (may be repeated)")
    add_fairness_option(parser)
    # Not ``auto``: that is a race, and which search wins depends on the machine.
    parser.add_argument(
        "--symmetry",
        choices=[mode.value for mode in Mode],
        default="unique",
        help="how properties are decided; default: unique, one representative per orbit",
    )


def run_report(arguments: argparse.Namespace) -> Exit:
    """Load, check, compare, write."""
    if arguments.output.suffix.lower() not in (".html", ".htm"):
        print("burnside: a report is an .html file", file=sys.stderr)
        return Exit.USAGE
    if not can_write(arguments.output):
        return Exit.USAGE
    file, printer = model_file(arguments), arguments.printer
    tasks = file.tasks(printer.warn)
    request = _request(file, arguments)
    options = SearchOptions(memory=arguments.memory, deadline=arguments.limits.deadline, keeps_symmetries=True)
    with progress(quiet=arguments.quiet) as watch:
        reports, page = request.answer(Studies.of(tasks, options, watch))
    if not write_file(arguments.output, render(page, "html")):
        return Exit.USAGE
    printer.note(remarks_on(*reports))
    printer.show(Written(str(arguments.output), verdicts_title(reports), printer.diagnostics))
    return exit_of_check(reports)


def _request(file: ModelFile, arguments: argparse.Namespace) -> PageRequest:
    return PageRequest(
        file,
        tuple(arguments.properties),
        Mode(arguments.symmetry),
        fairness_of(arguments),
        seconds=arguments.time,
        memory=arguments.memory,
        has_times=arguments.times,
        output=arguments.output.name,
    )
