"""``burnside draw``."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from burnside.cli.exits import Exit
from burnside.cli.files import can_write, write_file
from burnside.cli.graphs import add_graph_options, explain_absence, graph_options
from burnside.cli.loading import load_first
from burnside.cli.options import add_model_options
from burnside.cli.progress import progress
from burnside.drawings import MOST_STATES, TooLarge, draw_states, draw_symmetries
from burnside.report.renderers import formats_of, render
from burnside.results.answers import Kind, Written
from burnside.results.graph import Explored
from burnside.study import Study

_EXAMPLES = """\
examples:
  burnside draw examples/zhang2013/dining_philosophers.seq -D N=3 --what states -o states.svg
  burnside draw examples/zhang2013/dining_philosophers.seq -D N=5 --what quotient -o orbits.png
  burnside draw examples/zhang2013/token_circulation.seq --what groups -o group.svg
"""


def add_draw(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """``burnside draw MODEL --what W -o FILE``: a picture."""
    parser = commands.add_parser(
        "draw",
        help="draw the states, the quotient, the symmetries or the coloured graph",
        description=(
            "Draw a model: its state graph (states), one state of every orbit (quotient), the orbits of processes and "
            "values with the action of every generator (groups), or the coloured graph in which symmetries are found "
            "(graph). States of one orbit have one colour, the same in both pictures."
        ),
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_model_options(parser)
    parser.add_argument(
        "--what", choices=("graph", "states", "quotient", "groups"), default="states", help="default: states"
    )
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="FILE", help="an .svg or .png file")
    add_graph_options(parser, most=MOST_STATES)
    parser.set_defaults(run=run_draw)


def run_draw(arguments: argparse.Namespace) -> Exit:
    """Load, explore or detect, lay out, write."""
    form = arguments.output.suffix.lower().removeprefix(".")
    if form not in formats_of(Kind.DRAWING):
        print("burnside: a picture is an .svg or .png file", file=sys.stderr)
        return Exit.USAGE
    if not can_write(arguments.output):
        return Exit.USAGE
    task = load_first(arguments)
    with progress(quiet=arguments.quiet) as watch:
        study = Study(task, graph_options(arguments), watch)
        is_of_states = arguments.what in ("states", "quotient")
        names = tuple(arguments.properties)
        drawn = (
            draw_states(study, names, arguments.what, arguments.states)
            if is_of_states
            else draw_symmetries(study, names, arguments.what)
        )
    match drawn:
        case Explored():
            return explain_absence(study, drawn, arguments)
        case TooLarge(reason=reason):
            arguments.printer.stop("states", "drawing", f"{reason}; nothing was written")
            return Exit.LIMIT
    if not write_file(arguments.output, render(drawn, form)):
        return Exit.USAGE
    arguments.printer.show(Written(str(arguments.output), drawn.size, arguments.printer.diagnostics))
    return Exit.DONE
