"""``burnside simulate``."""

from __future__ import annotations

import argparse
import json
import secrets
import sys
from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from typing import Final, final

from burnside.cli.exits import Exit
from burnside.cli.files import write_file
from burnside.cli.loading import load_first
from burnside.cli.options import add_format_options, add_limit_options, add_model_options, whole
from burnside.explore.walk import Walk
from burnside.limits import LimitReached
from burnside.report.json import trace_object
from burnside.report.renderers import formats_of
from burnside.report.text import numbered_steps, trace_lines
from burnside.report.walk import how_it_ends, state_lines
from burnside.results.answers import Kind, WalkAnswer
from burnside.results.remarks import fault_diagnostic
from burnside.study import Study

_STEPS: Final = 20
_MOST_LISTED: Final = 40
_MOST_AT_ONCE: Final = 1_000_000
_EXAMPLES = """\
examples:
  burnside simulate examples/zhang2013/dining_philosophers.seq -D N=3
  burnside simulate examples/classics/filter_lock.seq --steps 100 --seed 7 --trace run.json
  burnside simulate examples/zhang2013/token_circulation.seq --interactive
"""
_HELP = """\
  NUMBER   take that step             u [N]   take back a step, or N
  r [N]    take a random step, or N   i       begin again in a random initial state
  s        show the whole state       t       show the run so far
  l        list all steps             q       quit"""


def add_simulate(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """``burnside simulate MODEL``: one run, at random or step by step."""
    parser = commands.add_parser(
        "simulate",
        help="take a random walk, or walk step by step",
        description=(
            "Take a random walk through a model, until a property is violated, the model faults, nothing can happen or "
            "the steps are used up; or choose every step yourself (--interactive). Exit code 0: done; 1: a state of "
            "the run violates a property; 3: the model is wrong or faults; 4: a limit was reached."
        ),
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_model_options(parser)
    parser.add_argument("--steps", type=whole, default=_STEPS, metavar="N", help=f"at most N steps (default {_STEPS})")
    parser.add_argument("--seed", type=seed, metavar="N", help="take the same walk again; printed in any case")
    parser.add_argument("--interactive", action="store_true", help="choose the steps")
    parser.add_argument("--trace", type=Path, metavar="FILE", help="write the run to FILE as JSON")
    add_limit_options(parser)
    add_format_options(parser, *formats_of(Kind.WALK))
    parser.set_defaults(run=run_simulate)


def seed(text: str) -> int:
    """The number that decides what is chosen at random."""
    if not text.isdecimal() or len(text) > 18:
        raise argparse.ArgumentTypeError(f"expected a number, found {text!r}")
    return int(text)


def run_simulate(arguments: argparse.Namespace) -> Exit:
    """Load, walk, print."""
    task, printer = load_first(arguments), arguments.printer
    number = secrets.randbelow(1_000_000) if arguments.seed is None else arguments.seed
    walk = Study(task).walk(number)
    if not isinstance(walk, Walk):
        printer.fail([fault_diagnostic(walk)])
        return Exit.MODEL
    stopped = _take(walk, number, arguments) if walk.positions else None
    if walk.positions and walk.here.fault is not None and stopped is None:
        printer.note([fault_diagnostic(walk.here.fault)])
    if arguments.interactive and printer.is_for_people and walk.positions:
        printer.tell()  # the rest was shown step by step
    else:
        printer.show(WalkAnswer(walk, number, stopped, printer.diagnostics))
    if arguments.trace and walk.positions:
        traces = {"simulation": trace_object(task.model, walk.trace)}
        if not write_file(arguments.trace, [json.dumps(traces, indent=2) + "\n"]):
            return Exit.USAGE
    return Exit.LIMIT if stopped else _exit(walk)


def _take(walk: Walk, number: int, arguments: argparse.Namespace) -> str | None:
    """Walk, up to a fault, a violation or a dead end if it is at random; what ended it before its time."""
    try:
        if arguments.interactive:
            _Session(walk, quiet=not arguments.printer.is_for_people).run(number)
        else:
            walk.go(arguments.steps)
    except (KeyboardInterrupt, LimitReached) as reason:
        _settle(walk)
        limit = reason.limit if isinstance(reason, LimitReached) else None
        end = f"stopped at the {limit} limit" if limit else "interrupted"
        print(f"burnside: {end} after {len(walk.steps):,} steps", file=sys.stderr)
        return limit or "interrupt"
    return None


def _exit(walk: Walk) -> Exit:
    fault = walk.here.fault if walk.positions else None
    if fault is not None:
        return Exit.LIMIT if fault.is_limit else Exit.MODEL
    return Exit.VIOLATED if any(position.violated for position in walk.positions) else Exit.DONE


# ---------------------------------------------------------------- step by step


@final
class _Session:
    """Commands, one in a line; from a terminal or from anything else, up to the end of the input."""

    def __init__(self, walk: Walk, *, quiet: bool) -> None:
        self._walk = walk
        # With --json the object is all that goes to standard output.
        self._out = sys.stderr if quiet else sys.stdout

    def run(self, number: int) -> None:
        """Until the user quits."""
        self._print([f"seed {number}; h for help", *state_lines(self._walk)])
        self._list(_MOST_LISTED)
        while line := self._ask():
            word, _, rest = line.strip().partition(" ")
            if word in ("q", "quit"):
                return
            try:
                self._obey(word, rest.strip())
            except KeyboardInterrupt:
                _settle(self._walk)
                self._print(["", "interrupted"])
                self._moved(1, "")

    def _ask(self) -> str:
        """The next line; nothing at the end of the input, or if the user interrupts instead of answering."""
        try:
            print("> ", end="", file=self._out, flush=True)
            line = sys.stdin.readline()
        except KeyboardInterrupt:
            line = ""
        if not sys.stdin.isatty():
            self._print([line.rstrip("\n")])  # as if it had been typed, so that a transcript can be read
        elif not line:
            self._print([""])
        return line

    def _obey(self, word: str, rest: str) -> None:
        if word.isdecimal():
            self._take(word)
        elif word in ("r", "u"):
            self._go(word, rest or "1")
        elif word == "i":
            self._walk.begin(self._walk.random.choice(self._walk.initial_states()))
            self._moved(1, "")
        elif word == "s":
            self._print(state_lines(self._walk))
        elif word == "t":
            self._print(trace_lines(self._walk.model, self._walk.trace))
        elif word == "l":
            self._list(len(self._walk.here.choices))
        else:
            self._print([_HELP] if word in ("h", "help", "?", "") else [f"what is {word!r}?", _HELP])

    def _go(self, word: str, count: str) -> None:
        """So many steps onwards at random, or back."""
        wanted = _number(count)
        if not 1 <= wanted <= _MOST_AT_ONCE:
            self._print([f"behind '{word}' stands a number of steps, from 1 to {_MOST_AT_ONCE:,}"])
            return
        go = self._walk.take_any if word == "r" else self._walk.undo
        gone = 0
        while gone < wanted and go():
            gone += 1
        self._moved(gone, "nothing can happen here" if word == "r" else "this is the beginning")

    def _take(self, word: str) -> None:
        choices = self._walk.here.choices
        number = _number(word)
        if not 1 <= number <= len(choices):
            self._print([f"there is no step {word[:20]}"])
            return
        self._walk.take(choices[number - 1])
        self._moved(1, "")

    def _moved(self, steps: int, otherwise: str) -> None:
        if not steps:
            self._print([otherwise])
            return
        taken = len(self._walk.steps)
        self._print([f"after {taken} step{'' if taken == 1 else 's'}" if taken else "initial state"])
        self._print(how_it_ends(self._walk))
        self._list(_MOST_LISTED)

    def _list(self, most: int) -> None:
        choices = self._walk.here.choices
        self._print(islice(numbered_steps(self._walk.model, choices), most))
        if len(choices) > most:
            self._print([f"  … {len(choices) - most} more; l lists all"])

    def _print(self, lines: Iterable[str]) -> None:
        for line in lines:
            print(line, file=self._out)


def _number(text: str) -> int:
    """A number that a user types; 0 for what is none, or is too long to be meant."""
    return int(text) if text.isdecimal() and len(text) < 10 else 0


def _settle(walk: Walk) -> None:
    """Take back a step that was interrupted before it was known where it leads."""
    del walk.steps[len(walk.positions) - 1 :]
