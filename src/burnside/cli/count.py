"""``burnside count``."""

from __future__ import annotations

import argparse
import json
import sys

from burnside import pipeline
from burnside.cli.coverage import add_coverage_option, coverage_text, coverage_value, refuse_adaptive
from burnside.cli.exits import Exit
from burnside.cli.files import write_files
from burnside.cli.loading import load_model
from burnside.cli.options import add_model_options, add_search_options, search_options
from burnside.cli.progress import progress
from burnside.report.actor_trace import creates_actors
from burnside.report.json import count_object
from burnside.report.text import count_text
from burnside.report.values import CountReport
from burnside.source import Diagnostic, render

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
    add_search_options(parser, symmetry="none, or unique for models that create actors")
    add_coverage_option(parser)
    parser.set_defaults(run=run_count, symmetry=None)


def run_count(arguments: argparse.Namespace) -> Exit:
    """Load, explore, print."""
    model = load_model(arguments)
    if arguments.dump:
        write_files(arguments.dump, pipeline.dump(model))
    # Actors that are created have no names: unless told otherwise, states are taken up to renaming them.
    symmetry = arguments.symmetry or ("unique" if creates_actors(model) else "none")
    options = search_options(arguments)
    with progress(quiet=arguments.quiet or arguments.json) as watch:
        if arguments.coverage:
            refuse_adaptive(symmetry)
            from burnside.statespace import count_covering

            report, coverage = count_covering(model, symmetry=symmetry, options=options, watch=watch)
        else:
            report, coverage = pipeline.count(model, symmetry=symmetry, options=options, watch=watch), None
    if arguments.json:
        print(json.dumps(count_object(report) | (coverage_value(coverage) if arguments.coverage else {})))
    else:
        print("\n".join([count_text(report), *(coverage_text(coverage) if arguments.coverage else ())]))
    return exit_of_count(report)


def exit_of_count(report: CountReport) -> Exit:
    """A fault is an error in the model; it is shown where it happened, like every other one."""
    for note in report.symmetry.notes:
        print(render(note), file=sys.stderr)
    fault = report.fault.fault if report.fault else None
    if fault is not None:
        print(render(Diagnostic("BUR501", fault.message, fault.span)), file=sys.stderr)
        return Exit.LIMIT if fault.is_limit else Exit.MODEL
    is_partial = report.exploration.stop.is_limit or report.exploration.is_verified is False
    return Exit.LIMIT if is_partial else Exit.DONE
