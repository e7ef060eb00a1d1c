"""``burnside export``."""

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
from burnside.drawings import size_text
from burnside.report.renderers import formats_of, render
from burnside.results.answers import GraphAnswer, Kind, Written
from burnside.study import Study

_FORMATS = {".aut": "aut", ".dot": "dot", ".gv": "dot", ".jsonl": "jsonl", ".ndjson": "jsonl"}
_MOST_STATES = 1_000_000
_EXAMPLES = """\
examples:
  burnside export examples/zhang2013/dining_philosophers.seq -D N=5 -o dining.aut
  burnside export examples/zhang2013/dining_philosophers.seq -D N=5 --symmetry unique -o orbits.dot
  burnside export examples/classics/filter_lock.seq -D N=3 --property mutex --format jsonl -o -
"""


def add_export(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """``burnside export MODEL -o FILE``: the explored graph for other tools."""
    parser = commands.add_parser(
        "export",
        help="write the state graph for other tools",
        description=(
            "Explore all states and write the graph: Aldebaran (.aut, for mCRL2 and CADP), Graphviz (.dot) or JSON "
            "lines (.jsonl). The file appears when it is complete, or not at all."
        ),
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_model_options(parser)
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="FILE", help="where to write; - prints it")
    parser.add_argument("--format", choices=formats_of(Kind.GRAPH), help="default: by the suffix of FILE")
    add_graph_options(parser, most=_MOST_STATES)
    parser.add_argument(
        "--symmetry",
        choices=("none", "unique"),
        default="none",
        help="all states (none, the default), or one of every orbit; steps keep the event they have there",
    )
    parser.add_argument("--tau", default="tau", metavar="NAME", help="in .aut: the silent label (CADP: i)")
    parser.add_argument("--loops", action="store_true", help="in .aut: a loop [P] where property P is true")
    parser.set_defaults(run=run_export)


def run_export(arguments: argparse.Namespace) -> Exit:
    """Load, explore, write."""
    form = arguments.format or _FORMATS.get(arguments.output.suffix.lower())
    if form is None:
        print("burnside: the suffix of the file names no format: use .aut, .dot, .jsonl or --format", file=sys.stderr)
        return Exit.USAGE
    is_printed = str(arguments.output) == "-"
    if not is_printed and not can_write(arguments.output):
        return Exit.USAGE
    task = load_first(arguments)
    with progress(quiet=arguments.quiet) as watch:
        study = Study(task, graph_options(arguments), watch)
        members = study.state_members(arguments.properties)
        quotient = study.quotient(members) if arguments.symmetry == "unique" else None
        explored = study.graph(members, quotient, most=arguments.states)
    report = explored.graph
    if report is None:
        return explain_absence(study, explored, arguments)
    lines = render(GraphAnswer(report, arguments.tau, arguments.loops), form)
    if is_printed:
        assert not isinstance(lines, bytes)
        sys.stdout.writelines(lines)
        return Exit.DONE
    if not write_file(arguments.output, lines):
        return Exit.USAGE
    arguments.printer.show(Written(str(arguments.output), size_text(report), arguments.printer.diagnostics))
    return Exit.DONE
