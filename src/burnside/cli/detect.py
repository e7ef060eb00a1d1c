"""``burnside detect``."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from burnside.cli.exits import Exit
from burnside.cli.files import write_files
from burnside.cli.loading import model_file, warn
from burnside.cli.options import add_limit_options, add_model_options, add_output_options, add_property_option
from burnside.study import Study, actor_symmetries

if TYPE_CHECKING:
    from burnside.actors.compare import ActorReport
    from burnside.ir.topology import Topology
    from burnside.results.detection import DetectReport

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
    parser.add_argument("--explain", action="store_true", help="say which parts of the model cost symmetry")
    parser.add_argument(
        "--format",
        choices=("text", "gap", "dot", "dimacs"),
        default="text",
        help="print the generators for GAP, or the coloured graph",
    )
    add_limit_options(parser)
    parser.add_argument("--dump", type=Path, metavar="DIR", help="write the values between the stages to DIR")
    add_output_options(parser)
    parser.set_defaults(run=run_detect)


def run_detect(arguments: argparse.Namespace) -> Exit:
    """Load, detect, print."""
    file = model_file(arguments)
    study = Study(file.first(warn))
    report = study.symmetries(arguments.properties, explained=arguments.explain)
    if arguments.dump:
        write_files(arguments.dump, study.dump_detection(report))
    print(_rendered(report, file.topology, arguments), end="")
    return Exit.BUG if report.detection.rejected else Exit.DONE


def _rendered(report: DetectReport, topology: Topology | None, arguments: argparse.Namespace) -> str:
    from burnside.graph.coloured import dimacs_text, dot_text
    from burnside.groups.gap import gap_text
    from burnside.report.actors import actor_object, actor_text
    from burnside.report.detection import detect_object, detect_text

    found = report.detection
    if arguments.json:
        return json.dumps(detect_object(report) | _actors(report, topology, actor_object)) + "\n"
    match arguments.format:
        case "gap":
            names = tuple(map(found.symmetry.literals.text, range(len(found.symmetry.literals.points))))
            return gap_text(found.symmetry.group, names)
        case "dot":
            return dot_text(found.encoding.graph)
        case "dimacs":
            return dimacs_text(found.encoding.graph)
        case _:
            return "\n".join([detect_text(report), *_actors(report, topology, actor_text).values()]) + "\n"


def _actors(report: DetectReport, topology: Topology | None, render: Callable[[ActorReport], Any]) -> dict[str, Any]:
    """What there is to say about the actors of a model, if it has any."""
    found = actor_symmetries(topology, report)
    return {} if found is None else {"actors": render(found)}
