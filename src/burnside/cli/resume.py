"""``burnside resume``."""

from __future__ import annotations

import argparse
from pathlib import Path

from burnside.cli.checkpoints import limits_of, words_of
from burnside.cli.exits import Exit
from burnside.cli.options import (
    add_limit_options,
    add_output_options,
    add_store_options,
    add_testing_options,
    add_threads_option,
)
from burnside.cli.printer import Printer
from burnside.explore.checkpoints import Checkpoint
from burnside.results.answers import Kind

_EXAMPLES = """\
examples:
  burnside check examples/zhang2013/dining_philosophers.seq -D N=9 --checkpoint kept
  burnside resume kept --threads 2 --memory 8G
"""


def add_resume(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """``burnside resume DIR``: go on with what another command kept."""
    parser = commands.add_parser(
        "resume",
        help="go on with a check or a count that was interrupted",
        description="Go on with a check or a count that was begun with --checkpoint DIR, from the last complete level. "
        "What was asked stays; limits and threads are those given here. If it was finished, the answer is given again.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("directory", type=Path, metavar="DIR", help="the directory that --checkpoint was given")
    add_threads_option(parser)
    add_limit_options(parser)
    add_store_options(parser, default=None)
    add_testing_options(parser)
    parser.add_argument("--trace", type=Path, metavar="FILE", help="of a check, write the traces to FILE as JSON")
    add_output_options(parser, Kind.CHECK, Kind.COUNT)
    parser.set_defaults(run=run_resume)


def run_resume(arguments: argparse.Namespace) -> Exit:
    """Ask the same again, with what is known."""
    from burnside.cli.main import parser_for

    with Checkpoint.open(arguments.directory) as kept:
        words = words_of(kept.asked)
        again = parser_for(words).parse_args([*words, *_trace(arguments)])
        for name, value in limits_of(arguments, kept.asked).items():
            setattr(again, name, value)
        again.resumed = kept
        again.printer = arguments.printer = Printer.of(again)
        return Exit(again.run(again))


def _trace(arguments: argparse.Namespace) -> list[str]:
    return [] if arguments.trace is None else [f"--trace={arguments.trace}"]
