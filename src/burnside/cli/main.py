"""Entry point: choose a command, run it, turn every outcome into an exit code."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import traceback
from collections.abc import Sequence

from burnside import __version__
from burnside.cli.exits import Exit
from burnside.source import ModelError, render


def main(argv: Sequence[str] | None = None) -> int:
    """Run ``burnside`` with these arguments (those of the process by default); the exit code."""
    # Numerical libraries would start threads that keep the other cores busy; we use none of what they are for.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        arguments = _parser().parse_args(argv)
        code = int(arguments.run(arguments))
        sys.stdout.flush()
        return code
    except ModelError as error:
        for diagnostic in error.diagnostics:
            print(render(diagnostic), file=sys.stderr)
        return Exit.MODEL
    except KeyboardInterrupt:
        print("burnside: interrupted", file=sys.stderr)
        return Exit.LIMIT
    except BrokenPipeError:
        # The reader of our output has gone; there is nobody left to tell.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return Exit.DONE
    except Exception:
        return _report_bug()


def _parser() -> argparse.ArgumentParser:
    from burnside.cli.bench import add_bench
    from burnside.cli.check import add_check
    from burnside.cli.count import add_count
    from burnside.cli.detect import add_detect
    from burnside.cli.pattern import add_pattern

    parser = argparse.ArgumentParser(
        prog="burnside",
        description="Find the symmetries of a concurrent model and check it on the quotient.",
        epilog="'burnside COMMAND --help' shows the options and examples of a command.",
    )
    parser.add_argument("--version", action="version", version=f"burnside {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    add_detect(commands)
    add_check(commands)
    add_count(commands)
    add_pattern(commands)
    add_bench(commands)
    return parser


def _report_bug() -> Exit:
    with tempfile.NamedTemporaryFile("w", prefix="burnside-bug-", suffix=".txt", delete=False) as report:
        report.write(f"burnside {__version__}, Python {sys.version}\n{' '.join(sys.argv)}\n\n{traceback.format_exc()}")
    print(
        f"burnside: this is a bug in Burnside {__version__}, not in your model.\n"
        f"Please report it with your model and the file {report.name}",
        file=sys.stderr,
    )
    return Exit.BUG
