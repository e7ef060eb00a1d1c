"""Entry point: choose a command, run it, turn every outcome into an exit code."""

from __future__ import annotations

import argparse
import errno
import importlib
import os
import sys
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Final, final

from burnside import __version__
from burnside.cli.exits import Exit
from burnside.cli.streams import drop_output, open_streams
from burnside.limits import LimitReached, has_room
from burnside.source import ModelError

if TYPE_CHECKING:
    from _typeshed import SupportsWrite


def main(argv: Sequence[str] | None = None) -> int:
    """Run ``burnside`` with these arguments (those of the process by default); the exit code."""
    # Numerical libraries would start threads that keep the other cores busy; we use none of what they are for.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    open_streams()
    arguments = argparse.Namespace()
    code = Exit.LIMIT  # what is known of the answer if nobody reads all of it
    try:
        words = sys.argv[1:] if argv is None else argv
        try:
            arguments = parser_for(words).parse_args(words)
        finally:
            sys.stdout.flush()  # the help, if that was asked for
        code = run(arguments)
        sys.stdout.flush()
        return code
    except KeyboardInterrupt as reason:
        return _report_end(reason, arguments)
    except BrokenPipeError:
        # The reader of our output has gone; there is nobody left to tell, but scripts look at the code.
        drop_output()
        return code
    except OSError as error:
        where = f" '{error.filename}'" if error.filename else ""
        print(f"burnside: cannot go on{where}: {error.strerror or error}", file=sys.stderr)
        drop_output()
        return Exit.LIMIT if error.errno == errno.ENOMEM else Exit.USAGE
    except Exception as error:
        # Without memory everything may fail, and not everybody says so.
        if isinstance(error, MemoryError) or not has_room():
            print("burnside: out of memory", file=sys.stderr)
            return Exit.LIMIT
        ending = _reason_of(error)
        if ending is not None:
            return _report_end(ending, arguments)
        return _report_bug()


def run(arguments: argparse.Namespace) -> Exit:
    """Run a command within its limits; ``arguments.limits`` says how much is left of them, and ``arguments.printer``
    prints. A model that cannot be used, and a limit before there is an answer, are told in the format of the answer.
    """
    from burnside.cli.printer import Printer
    from burnside.cli.watchdog import watched
    from burnside.limits import Limits, available_memory

    memory = getattr(arguments, "memory", None) or available_memory()
    arguments.limits = Limits(getattr(arguments, "time", None), memory)
    arguments.printer = Printer.of(arguments)
    try:
        with watched(arguments.limits):
            return Exit(arguments.run(arguments))
    except ModelError as error:
        arguments.printer.fail(error.diagnostics)
        return Exit.MODEL
    except LimitReached as reason:
        return _report_end(reason, arguments)


def _reason_of(error: BaseException) -> LimitReached | KeyboardInterrupt | None:
    """The end of the work that an error comes from: Python makes a RuntimeError of what ends the making of a class."""
    seen: BaseException | None = error
    while seen is not None and not isinstance(seen, (LimitReached, KeyboardInterrupt)):
        seen = seen.__cause__
    return seen


def _report_end(reason: LimitReached | KeyboardInterrupt, arguments: argparse.Namespace) -> Exit:
    """The work was ended, by a limit or by the user, where there is nothing to show yet."""
    if isinstance(reason, KeyboardInterrupt):
        print("burnside: interrupted", file=sys.stderr)
        return Exit.LIMIT
    arguments.printer.stop(reason.limit, reason.phase, str(reason))
    return Exit.LIMIT


# Commands with their lines in the help. The module of a command (and all that it needs) is imported when somebody asks
# for the command, so that the help of all of them is quick.
_COMMANDS: Final = {
    "detect": "find the symmetries of a model",
    "check": "decide the properties of a model",
    "count": "explore the whole state space and count it",
    "resume": "go on with a check or a count that was interrupted",
    "simulate": "take a random walk, or walk step by step",
    "export": "write the state graph for other tools",
    "draw": "draw the states, the quotient, the symmetries or the coloured graph",
    "report": "write one page with verdicts, traces, symmetries and pictures",
    "pattern": "symmetries of every instance of a parameterised system",
    "bench": "run the published tables again",
    "doctor": "see whether everything that Burnside needs is there and works",
    "completion": "print a script that makes a shell complete commands and options",
}


@final
class _Parser(argparse.ArgumentParser):
    """A parser that does not hide that its help cannot be written."""

    def _print_message(self, message: str, file: SupportsWrite[str] | None = None) -> None:
        (file or sys.stderr).write(message)


def parser_for(asked: Collection[str]) -> argparse.ArgumentParser:
    """A parser that knows these commands, and of the others the names."""
    parser = _Parser(
        prog="burnside",
        description="Find the symmetries of a concurrent model and check it on the quotient.",
        epilog="'burnside COMMAND --help' shows the options and examples of a command.",
    )
    parser.add_argument("--version", action="version", version=f"burnside {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for name, line in _COMMANDS.items():
        if name in asked:
            module = importlib.import_module(f"burnside.cli.{name}")
            getattr(module, f"add_{name}")(commands)
        else:
            commands.add_parser(name, help=line)
    return parser


def whole_parser() -> argparse.ArgumentParser:
    """A parser that knows every command."""
    return parser_for(_COMMANDS)


def _report_bug() -> Exit:
    import tempfile
    import traceback

    text = f"burnside {__version__}, Python {sys.version}\n{' '.join(sys.argv)}\n\n{traceback.format_exc()}"
    try:
        with tempfile.NamedTemporaryFile("w", prefix="burnside-bug-", suffix=".txt", delete=False) as report:
            report.write(text)
        enclosed = f"the file {report.name}"
    except OSError:
        enclosed = f"this:\n{text}"
    print(
        f"burnside: this is a bug in Burnside {__version__}, not in your model; no verdict is given.\n"
        f"Please report it with your model and {enclosed}",
        file=sys.stderr,
    )
    return Exit.BUG
