"""``burnside draw``."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from burnside import pipeline, statespace
from burnside.cli.exits import Exit
from burnside.cli.files import can_write, write_file
from burnside.cli.graphs import add_graph_options, explored_graph, size_text
from burnside.cli.loading import load_model
from burnside.cli.options import add_model_options
from burnside.quotient import Reduced
from burnside.report.titles import counted, has_sizes

if TYPE_CHECKING:
    from burnside.report.detection import DetectReport

_MOST_STATES = 300
_MOST_VERTICES = 300  # laying out more takes long, and nobody can read it
_MOST_POINTS = 250
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
    add_graph_options(parser, most=_MOST_STATES)
    parser.set_defaults(run=run_draw)


def run_draw(arguments: argparse.Namespace) -> Exit:
    """Load, explore or detect, lay out, write."""
    form = arguments.output.suffix.lower().removeprefix(".")
    if form not in ("svg", "png"):
        print("burnside: a picture is an .svg or .png file", file=sys.stderr)
        return Exit.USAGE
    if not can_write(arguments.output):
        return Exit.USAGE
    from burnside.report.picture import picture

    drawn = _states(arguments) if arguments.what in ("states", "quotient") else _symmetries(arguments)
    if isinstance(drawn, Exit):
        return drawn
    text, size = drawn
    engine = "dot" if arguments.what in ("states", "quotient") else "neato"  # which keeps places
    if not write_file(arguments.output, picture(text, form, engine)):
        return Exit.USAGE
    print(f"{arguments.output}: {size}")
    return Exit.DONE


def _states(arguments: argparse.Namespace) -> tuple[str, str] | Exit:
    """Text for Graphviz, and how much it shows."""
    from burnside.report.dot import graph_dot

    model = load_model(arguments)
    claims = pipeline.select_claims(model, arguments.properties)
    reduced = Reduced(model, claims)
    representatives = explored_graph(model, claims, reduced, arguments)
    if isinstance(representatives, Exit):
        return representatives
    orbits = statespace.Orbits(reduced, representatives) if reduced.is_exact else None
    shown = representatives if arguments.what == "quotient" else explored_graph(model, claims, None, arguments)
    if isinstance(shown, Exit):
        return shown
    return "".join(graph_dot(shown, orbits.number if orbits else None)), size_text(shown)


def _symmetries(arguments: argparse.Namespace) -> tuple[str, str] | Exit:
    """Text for Graphviz, and how much it shows."""
    from burnside.report.moved import moved_points
    from burnside.report.symmetry_dot import coloured_dot, groups_dot

    report = pipeline.detect(load_model(arguments), properties=arguments.properties)
    found = report.detection
    if arguments.what == "graph":
        count = len(found.encoding.graph)
        if count > _MOST_VERTICES:
            return _too_large(
                report, f"the graph has {count:,} vertices", "print it with 'burnside detect --format dot'"
            )
        edges = len(found.encoding.graph.edges)
        return "".join(coloured_dot(found)), f"{count:,} vertices, {counted(edges, 'edge')}"
    count = sum(len(orbit.points) for orbit in moved_points(found))
    if count > _MOST_POINTS:
        return _too_large(report, f"the symmetries move {count:,} points", "'burnside detect' says what they do")
    structure = f" ({report.structure})" if report.structure else ""
    size = f"{counted(found.symmetry.order, 'symmetry')}{structure}, {counted(count, 'point')}"
    return "".join(groups_dot(found, report.structure)), size


def _too_large(report: DetectReport, fact: str, instead: str) -> Exit:
    fewer = "take fewer processes with -D, or " if has_sizes(report.model) else ""
    message = f"{fact}, too many for a picture: {fewer}{instead}; nothing was written"
    print(f"burnside: {message}", file=sys.stderr)
    return Exit.LIMIT
