"""``burnside check``."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from burnside import pipeline
from burnside.cli.count import exit_of_count
from burnside.cli.exits import Exit
from burnside.cli.loading import load_model
from burnside.cli.options import add_model_options, add_search_options, search_options
from burnside.cli.progress import progress
from burnside.report.json import check_object
from burnside.report.text import check_text
from burnside.report.values import CheckReport, Verdict

_EXAMPLES = """\
examples:
  burnside check examples/zhang2013/dining_philosophers.seq
  burnside check examples/classics/filter_lock.seq -D N=5 --property mutex
  burnside check examples/zhang2013/dining_philosophers.seq --trace deadlock.json
"""


def add_check(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """``burnside check MODEL``: decide the properties of a model."""
    parser = commands.add_parser(
        "check",
        help="decide the properties of a model",
        description=(
            "Decide the properties of a model in one exploration. A model that declares none is checked for "
            "freedom from deadlock. Exit code 0: all hold; 1: one is violated; 3: the model is wrong or "
            "faults; 4: a limit was reached."
        ),
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_model_options(parser)
    parser.add_argument(
        "--property",
        dest="properties",
        metavar="P",
        action="append",
        default=[],
        help="check only this property (may be repeated)",
    )
    add_search_options(parser, symmetry="auto")
    parser.add_argument("--trace", type=Path, metavar="FILE", help="write the traces to FILE as JSON")
    parser.set_defaults(run=run_check)


def run_check(arguments: argparse.Namespace) -> Exit:
    """Load, explore, print."""
    model = load_model(arguments)
    if arguments.dump:
        list(pipeline.dump(model, arguments.dump, pipeline.select_claims(model, arguments.properties)))
    with progress(quiet=arguments.quiet or arguments.json) as watch:
        report = pipeline.check(
            model,
            properties=arguments.properties,
            symmetry=arguments.symmetry,
            options=search_options(arguments),
            watch=watch,
        )
    result = check_object(report)
    print(json.dumps(result) if arguments.json else check_text(report))
    if arguments.trace and not _write_traces(arguments.trace, result):
        return Exit.USAGE
    return _exit(report)


def _exit(report: CheckReport) -> Exit:
    code = exit_of_count(report.count)
    if code is not Exit.MODEL and any(c.verdict is Verdict.VIOLATED for c in report.claims):
        return Exit.VIOLATED
    return code


def _write_traces(path: Path, result: dict[str, Any]) -> bool:
    """The traces of all properties that have one, and of a fault, by name."""
    traces = {p["name"]: p["trace"] for p in result["properties"] if p["trace"]}
    if result["fault"]:
        traces["fault"] = result["fault"]["trace"]
    try:
        path.write_text(json.dumps(traces, indent=2) + "\n")
    except OSError as error:
        print(f"burnside: cannot write '{path}': {error.strerror}", file=sys.stderr)
        return False
    return True
