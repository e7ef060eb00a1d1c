"""``burnside pattern``: symmetries of every instance of a regular system."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from burnside.cli.exits import Exit
from burnside.cli.options import add_output_options, seconds
from burnside.pipeline import read_source
from burnside.regular.modes import MODES
from burnside.source import ModelError, render

if TYPE_CHECKING:  # automata are imported when a command runs: the other commands start without them
    from burnside.regular.report import Report
    from burnside.regular.synthesis.outcome import Listener, Progress
    from burnside.regular.system import System

_EXAMPLES = """\
examples:
  burnside pattern check examples/lin2016/resource_allocator.regular
  burnside pattern find  examples/lin2016/dining_philosophers.regular --json
  burnside pattern image examples/lin2016/coffee_can.regular --pattern parity
"""


def add_pattern(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """``burnside pattern check|find|image SYSTEM``."""
    parser = commands.add_parser(
        "pattern",
        help="symmetries of every instance of a parameterised system",
        description="Check, find and use symmetry patterns of a regular system.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    actions = parser.add_subparsers(metavar="ACTION", required=True)
    _add_check(actions)
    _add_find(actions)
    _add_image(actions)


def _add_check(actions: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = actions.add_parser("check", help="check the patterns of the library, or one pattern")
    _add_system(parser)
    parser.add_argument("--pattern", metavar="P", help="a pattern of the file, or one such as rotation@2")
    parser.add_argument("--depth", type=int, choices=range(1, 10), default=3, metavar="N", help="positions tried (3)")
    parser.set_defaults(run=run_check)


def _add_find(actions: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = actions.add_parser("find", help="synthesise symmetry patterns")
    _add_system(parser)
    parser.add_argument("--mode", choices=MODES, default="auto", help="how to search (default auto)")
    parser.add_argument("--count", type=int, choices=range(1, 100), default=1, metavar="N", help="how many to find (1)")
    parser.add_argument("--free", action="store_true", help="ignore the constraints of the file")
    parser.add_argument("--time", type=seconds, metavar="SECONDS", help="stop after so many seconds")
    parser.add_argument("--dot", type=Path, metavar="FILE", help="write the state diagram of the first pattern")
    parser.set_defaults(run=run_find)


def _add_image(actions: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = actions.add_parser("image", help="the image under a pattern; is it finite, is it safe?")
    _add_system(parser)
    parser.add_argument("--pattern", metavar="P", required=True, help="a pattern of the file or of the library")
    parser.set_defaults(run=run_image)


def _add_system(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("system", type=Path, metavar="SYSTEM", help="a regular system")
    add_output_options(parser)


def run_check(arguments: argparse.Namespace) -> Exit:
    """Load, check, print."""
    from burnside.regular import report

    system = _load(arguments)
    if arguments.pattern is None:
        return _finish(report.check_library(system, depth=arguments.depth), arguments)
    return _finish(report.check_pattern(system, arguments.pattern), arguments)


def run_find(arguments: argparse.Namespace) -> Exit:
    """Load, search, print."""
    from burnside.regular import report
    from burnside.regular.describe import write_dot

    system = _load(arguments)
    options = report.FindOptions(arguments.mode, arguments.count, arguments.free, arguments.time)
    with _progress(quiet=arguments.quiet or arguments.json) as listener:
        result, patterns = report.find(system, options, listener=listener)
    if arguments.dot is not None and patterns:
        arguments.dot.write_text(write_dot(patterns[0].relation, system.alphabet), encoding="utf-8")
    return _finish(result, arguments)


def run_image(arguments: argparse.Namespace) -> Exit:
    """Load, map, print."""
    from burnside.regular import report

    return _finish(report.image(_load(arguments), arguments.pattern), arguments)


def _load(arguments: argparse.Namespace) -> System:
    """The system; what there is to say about it goes to standard error."""
    from burnside.regular.formats import read_system

    system, diagnostics = read_system(read_source(arguments.system))
    if system is None:
        raise ModelError(diagnostics)
    for diagnostic in diagnostics:
        print(render(diagnostic), file=sys.stderr)
    return system


def _finish(result: Report, arguments: argparse.Namespace) -> Exit:
    print(json.dumps(result.content) if arguments.json else "\n".join(result.lines))
    if not result.holds:
        return Exit.VIOLATED
    return Exit.LIMIT if result.partial else Exit.DONE


@contextmanager
def _progress(*, quiet: bool) -> Iterator[Listener | None]:
    """A listener that shows the search on standard error, on terminals only."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.status import Status

    with Status("searching", console=Console(stderr=True)) as status:
        yield lambda figures: status.update(_describe(figures))


def _describe(figures: Progress) -> str:
    why = f" · refuted: {figures.refuted_by}" if figures.refuted_by else ""
    return f"{figures.states} states · {figures.iterations:,} candidates · {figures.seconds:.0f} s{why}"
