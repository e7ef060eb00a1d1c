"""``burnside pattern``: symmetries of every instance of a parameterised system."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from burnside.cli.exits import Exit
from burnside.cli.files import write_file, write_files
from burnside.cli.options import add_limit_options, add_output_options, constant
from burnside.explore.native.run import SearchOptions
from burnside.limits import LimitReached
from burnside.regular.modes import MODES
from burnside.results.answers import Kind, PatternAnswer
from burnside.study import Study

if TYPE_CHECKING:  # automata are imported when a command runs: the other commands start without them
    from burnside.regular.family import Member
    from burnside.regular.family_report import RegularForm
    from burnside.regular.report import Report
    from burnside.regular.synthesis.outcome import Listener, Progress
    from burnside.regular.system import System

_EXAMPLES = """\
examples:
  burnside pattern check examples/lin2016/resource_allocator.regular
  burnside pattern find  examples/lin2016/dining_philosophers.regular --json
  burnside pattern find  examples/zhang2013/dining_philosophers.seq -D N=3..6
  burnside pattern image examples/lin2016/coffee_can.regular --pattern parity
"""
_CHECK_EXAMPLES = """\
examples:
  burnside pattern check examples/lin2016/herman.regular
  burnside pattern check examples/lin2016/resource_allocator.regular --pattern rotation@2
"""
_IMAGE_EXAMPLES = """\
examples:
  burnside pattern image examples/lin2016/coffee_can.regular --pattern parity
  burnside pattern image examples/lin2016/coffee_can.regular --pattern parity --json
"""
_FIND_EXAMPLES = """\
examples:
  burnside pattern find examples/lin2016/herman.regular
  burnside pattern find examples/zhang2013/reader_writer.seq -D N=3..6
  burnside pattern find examples/zhang2013/dining_philosophers.csp -D N=3..6 \\
      --system examples/lin2016/dining_philosophers.regular
"""
_BESIDE = "letters of its words {} those of the processes (0)"
_MOST_SIZES = 30


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
    parser = actions.add_parser(
        "check",
        help="check the patterns of the library, or one pattern",
        description="Check which patterns are symmetries of every instance: those of the library and of the file.",
        epilog=_CHECK_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    _add_system(parser)
    parser.add_argument("--pattern", metavar="P", help="a pattern of the file, or one such as rotation@2")
    _add_depth(parser)
    parser.set_defaults(run=run_check)


def _add_find(actions: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = actions.add_parser(
        "find",
        help="synthesise symmetry patterns, or propose them from instances of a model",
        description=(
            "Synthesise symmetry patterns of a regular system. With -D: detect the symmetries of a model at several "
            "sizes, and propose permutations of its processes for every size."
        ),
        epilog=_FIND_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    _add_system(parser, "a regular system; with -D a model, whose suffix names the language")
    synthesis = parser.add_argument_group("regular systems")
    synthesis.add_argument("--mode", choices=MODES, help="how to search (default auto)")
    synthesis.add_argument("--count", type=int, choices=range(1, 100), metavar="N", help="how many to find (1)")
    synthesis.add_argument("--free", action="store_true", help="ignore the constraints of the file")
    synthesis.add_argument("--dot", type=Path, metavar="FILE", help="write the state diagram of the first pattern")
    family = parser.add_argument_group("instances of a model")
    family.add_argument(
        "-D",
        dest="constants",
        metavar="NAME=VALUE",
        type=constants,
        action="append",
        default=[],
        help="set a constant; the sizes are a range such as N=3..6, or one constant given several times",
    )
    family.add_argument("--domain", metavar="NAME", help="only this domain of processes (default: all)")
    family.add_argument("--system", dest="form", type=Path, metavar="FILE", help="the same system in regular form")
    family.add_argument("--before", type=int, choices=range(10), metavar="K", help=_BESIDE.format("before"))
    family.add_argument("--after", type=int, choices=range(10), metavar="K", help=_BESIDE.format("after"))
    _add_depth(family)
    parser.set_defaults(run=run_find)


def _add_image(actions: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = actions.add_parser(
        "image",
        help="the image under a pattern; is it finite, is it safe?",
        description="The image of all instances under a pattern. A finite one decides safety for every size at once.",
        epilog=_IMAGE_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    _add_system(parser)
    parser.add_argument("--pattern", metavar="P", required=True, help="a pattern of the file or of the library")
    parser.add_argument("--dump", type=Path, metavar="DIR", help="write the model that decides safety to DIR")
    parser.set_defaults(run=run_image)


def _add_system(parser: argparse.ArgumentParser, what: str = "a regular system") -> None:
    parser.add_argument("system", type=Path, metavar="SYSTEM", help=what)
    add_limit_options(parser)
    add_output_options(parser, Kind.PATTERN)


def _add_depth(parser: argparse._ActionsContainer) -> None:
    parser.add_argument("--depth", type=int, choices=range(1, 10), default=3, metavar="N", help="positions tried (3)")


def constants(text: str) -> tuple[str, list[Any]]:
    """``NAME=LOW..HIGH``, or what ``-D`` means for other commands: a name and its values."""
    match = re.fullmatch(r"\s*([^=]*?)\s*=\s*(\d{1,9})\s*\.\.\s*(\d{1,9})\s*", text)
    if match is None:
        name, value = constant(text)
        return name, [value]
    low, high = int(match[2]), int(match[3])
    if not match[1].isidentifier() or not low < high < low + _MOST_SIZES:
        message = f"expected NAME=LOW..HIGH with 2 to {_MOST_SIZES} values, found {text!r}"
        raise argparse.ArgumentTypeError(message)
    return match[1], [*range(low, high + 1)]


# ---------------------------------------------------------------- check


def run_check(arguments: argparse.Namespace) -> Exit:
    """Load, check, print."""
    from burnside.regular import report

    def answer() -> Report:
        system = _load(arguments.system, arguments)
        if arguments.pattern is None:
            return report.check_library(system, depth=arguments.depth)
        return report.check_pattern(system, arguments.pattern)

    result = _within_limits(answer)
    _show(result, arguments)
    return _exit(result)


# ---------------------------------------------------------------- find


def run_find(arguments: argparse.Namespace) -> Exit:
    """Load, search, print; or load and detect at every size, propose, print."""
    synthesis = ("mode", "count", "free", "dot")
    family = ("domain", "form", "before", "after")
    for name in synthesis if arguments.constants else family:
        if getattr(arguments, name):
            option = "system" if name == "form" else name
            return _usage(f"--{option} does not go with -D" if arguments.constants else f"--{option} needs -D")
    return _find_in_family(arguments) if arguments.constants else _find_in_system(arguments)


def _usage(message: str) -> Exit:
    print(f"burnside: {message}", file=sys.stderr)
    return Exit.USAGE


def _find_in_system(arguments: argparse.Namespace) -> Exit:
    from burnside.regular import report
    from burnside.regular.describe import write_dot

    diagrams: list[str] = []

    def answer() -> Report:
        system = _load(arguments.system, arguments, help="a model needs sizes, such as -D N=3..6")
        options = report.FindOptions(arguments.mode or "auto", arguments.count or 1, arguments.free)
        with _progress(quiet=_is_quiet(arguments)) as listener:
            result, patterns = report.find(system, options, listener=listener)
        diagrams.extend(write_dot(found.relation, system.alphabet) for found in patterns[:1])
        return result

    result = _within_limits(answer)
    _show(result, arguments)
    if arguments.dot is not None and diagrams and not write_file(arguments.dot, diagrams):
        return Exit.USAGE
    return _exit(result)


def _find_in_family(arguments: argparse.Namespace) -> Exit:
    from burnside import patterns

    sizes = patterns.instances(arguments.constants)
    if not 2 <= len(sizes) <= _MOST_SIZES:
        return _usage(f"-D has to give one constant 2 to {_MOST_SIZES} values, such as -D N=3..6")
    members: list[Member] = []

    def detected(show: Callable[[str], None]) -> Iterator[Member]:
        for size, values in sizes.items():
            show(f"detecting the symmetries for {size}")
            members.append(patterns.detect_member(arguments.system, size, values, arguments.printer.warn))
            yield members[-1]

    def answer() -> Report:
        form = _regular_form(arguments)
        with _status("detecting", quiet=_is_quiet(arguments)) as show:
            found = detected(show)
            return patterns.family(found, form, depth=arguments.depth, domain=arguments.domain)[0]

    result = _within_limits(answer)
    _show(result, arguments)
    return _exit(result) if all(member.is_validated for member in members) else Exit.BUG


def _regular_form(arguments: argparse.Namespace) -> RegularForm | None:
    from burnside.regular.family import Words
    from burnside.regular.family_report import RegularForm

    if arguments.form is None:
        return None
    words = Words(arguments.before or 0, arguments.after or 0)
    return RegularForm(str(arguments.form), _load(arguments.form, arguments), words)


# ---------------------------------------------------------------- image


def run_image(arguments: argparse.Namespace) -> Exit:
    """Load, map, explore the image, print."""
    explored: list[Study] = []

    def answer() -> Report:
        from burnside import patterns  # which takes time and memory, too

        options = SearchOptions(deadline=arguments.limits.deadline, memory=arguments.memory)
        result, studies = patterns.image(_load(arguments.system, arguments), arguments.pattern, options)
        explored.extend(studies)
        return result

    result = _within_limits(answer)
    _show(result, arguments)
    for study in explored if arguments.dump is not None else ():
        write_files(arguments.dump, study.dump(study.members()))
    return _exit(result)


# ---------------------------------------------------------------- shared


def _load(path: Path, arguments: argparse.Namespace, *, help: str = "") -> System:
    """The system; what there is to say about it goes to the printer."""
    from burnside.patterns import load_regular

    return load_regular(path, arguments.printer.warn, help=help)


def _within_limits(answer: Callable[[], Report]) -> Report:
    """The answer, or that a limit was reached before there was one; loading counts too."""
    from burnside.regular.report import Report

    try:
        return answer()
    except LimitReached as limit:
        return Report(
            {"stopped": limit.limit, "phase": limit.phase}, (f"{limit}; there is no answer yet",), partial=True
        )


def _show(result: Report, arguments: argparse.Namespace) -> None:
    arguments.printer.show(PatternAnswer(result.content, result.lines, arguments.printer.diagnostics))


def _exit(result: Report) -> Exit:
    if not result.holds:
        return Exit.VIOLATED
    return Exit.LIMIT if result.partial else Exit.DONE


def _is_quiet(arguments: argparse.Namespace) -> bool:
    return arguments.quiet or not arguments.printer.is_for_people


@contextmanager
def _status(first: str, *, quiet: bool) -> Iterator[Callable[[str], None]]:
    """A line on standard error that can be changed, on terminals only."""
    if quiet or not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.status import Status

    with Status(first, console=Console(stderr=True)) as status:
        yield lambda text: status.update(text)


@contextmanager
def _progress(*, quiet: bool) -> Iterator[Listener]:
    """A listener that shows the search."""
    with _status("searching", quiet=quiet) as show:
        yield lambda figures: show(_describe(figures))


def _describe(figures: Progress) -> str:
    why = f" · refuted: {figures.refuted_by}" if figures.refuted_by else ""
    return f"{figures.states} states · {figures.iterations:,} candidates · {figures.seconds:.0f} s{why}"
