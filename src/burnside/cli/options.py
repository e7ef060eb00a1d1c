"""Options that several commands share, and their values."""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, assert_never

from burnside.claims.kinds import Fairness
from burnside.decide.modes import Mode, unsuitable
from burnside.explore.native.run import SearchOptions
from burnside.frontends.kit.constants import Given
from burnside.frontends.kit.options import FileOption, NumberOption, Option, WordOption
from burnside.frontends.loading import all_options
from burnside.ir.nodes import Value
from burnside.report.renderers import formats_of
from burnside.results.answers import Kind
from burnside.results.exploration import Store
from burnside.source.codes import CODES

_COVERING = ("text", "json")  # formats that show what an exploration covers
_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


def add_model_options(parser: argparse.ArgumentParser) -> None:
    """The model and its constants."""
    parser.add_argument("model", type=Path, metavar="MODEL", help="a model; its suffix names the language")
    parser.add_argument(
        "-D",
        dest="constants",
        metavar="NAME=VALUE",
        type=constant,
        action="append",
        default=[],
        help="set a constant of the model: an integer, true or false, a label, or a list such as [2,2,3]",
    )
    parser.add_argument(
        "--allow",
        metavar="CODE",
        type=warning_code,
        action="append",
        default=[],
        help="do not warn about this, such as BUR701 (may be repeated)",
    )
    parser.add_argument("--no-warnings", dest="warnings", action="store_false", help="do not warn about anything")
    languages = parser.add_argument_group("models in some languages")
    for option in all_options():
        _add_option(languages, option)


def _add_option(group: argparse._ArgumentGroup, option: Option) -> None:
    """An option that a language declares."""
    match option:
        case WordOption(words=words):
            group.add_argument(option.flag, dest=option.name, choices=words, help=option.help)
        case NumberOption():
            read = number_reader(option.least, option.most)
            group.add_argument(option.flag, dest=option.name, type=read, metavar="N", help=option.help)
        case FileOption():
            group.add_argument(option.flag, dest=option.name, type=Path, metavar="FILE", help=option.help)
        case _:
            assert_never(option)


def add_property_option(parser: argparse.ArgumentParser, help: str) -> None:
    """Which properties a command is about."""
    parser.add_argument("--property", dest="properties", metavar="P", action="append", default=[], help=help)


def add_fairness_option(parser: argparse.ArgumentParser) -> None:
    """What is assumed of infinite runs."""
    parser.add_argument(
        "--fairness",
        choices=[f.value for f in Fairness],
        help="assume this of infinite runs, whatever the model says: every process (or event) that is enabled without "
        "a break (weak) or again and again (strong) is executed again and again; or every step is taken that is "
        "possible again and again (global)",
    )


def add_search_options(parser: argparse.ArgumentParser, *kinds: Kind, symmetry: str) -> None:
    """How to explore, within which limits, for which kinds of answers; ``symmetry`` is the default mode."""
    parser.add_argument(
        "--symmetry",
        choices=[mode.value for mode in Mode],
        default=symmetry,
        help="use symmetry when it pays (auto), never (none), with one representative per orbit (unique), with "
        "several found by local search (multi), or of processes that are only nearly alike (adaptive); "
        f"default: {symmetry}",
    )
    parser.add_argument("--search", choices=("bfs", "dfs"), default="bfs", help="bfs gives shortest traces (default)")
    add_threads_option(parser)
    add_limit_options(parser)
    add_store_options(parser)
    parser.add_argument(
        "--fingerprint",
        type=fingerprint,
        metavar="BITS",
        help="of wider states, keep only so many bits (from 64 to 128) in the compact store: what is said then is "
        "probable, and the report says how probable",
    )
    add_testing_options(parser)
    parser.add_argument("--dump", type=Path, metavar="DIR", help="write the values between the stages to DIR")
    add_output_options(parser, *kinds)


def add_threads_option(parser: argparse.ArgumentParser) -> None:
    """``--threads``."""
    parser.add_argument("--threads", type=positive, default=1, metavar="N", help="worker threads (default 1)")


def add_testing_options(parser: argparse.ArgumentParser) -> None:
    """How much of a search is tested."""
    parser.add_argument(
        "--self-test",
        action="store_true",
        help="test the compiled search on every state by the reference semantics, instead of on a sample",
    )
    parser.add_argument(
        "--verify",
        action="store_true",
        help="after a search with symmetry search without it, too, and compare",
    )


def add_slicing_option(parser: argparse.ArgumentParser, *, default: str | None, usual: str) -> None:
    """``--slice``: ``usual`` says what happens without it."""
    parser.add_argument(
        "--slice",
        choices=("on", "off"),
        default=default,
        help=f"leave out variables that no rule and no property that is asked for depends on; {usual}",
    )


def add_coverage_option(parser: argparse.ArgumentParser) -> None:
    """``--coverage``."""
    parser.add_argument(
        "--coverage", action="store_true", help="say which rules never fire, and which values no variable takes"
    )


def refuse_unshown_coverage(form: str) -> None:
    """Raise `ModelError` for a format that would not show what is covered."""
    if form not in _COVERING:
        raise unsuitable(f"'{form}' does not show what is covered", "leave out --coverage, or print text or json")


def refuse_partial_coverage(arguments: argparse.Namespace) -> None:
    """Raise `ModelError` if what is covered is asked of states without some variables."""
    if arguments.slice == "on":
        raise unsuitable("what is covered is said of all variables", "leave out --coverage or --slice")


def add_store_options(parser: argparse.ArgumentParser, default: Store | None = Store.AUTO) -> None:
    """How states are kept."""
    parser.add_argument(
        "--store",
        choices=[store.value for store in Store],
        default=None if default is None else default.value,
        help="keep states with an index each, compactly in a few bytes, likewise and in files where memory ends, or "
        "with indices first and compactly then (auto, the default)",
    )
    parser.add_argument("--disk", type=size, metavar="SIZE", help="disk to use for what does not fit in memory")
    parser.add_argument(
        "--scratch", type=Path, metavar="DIR", help="directory for that (default: where large temporary files go)"
    )


def add_checkpoint_option(parser: argparse.ArgumentParser) -> None:
    """``--checkpoint``."""
    parser.add_argument(
        "--checkpoint",
        type=Path,
        metavar="DIR",
        help="keep what is found in DIR, a new directory, level by level: 'burnside resume DIR' goes on from there",
    )
    parser.set_defaults(resumed=None)


def add_limit_options(parser: argparse.ArgumentParser) -> None:
    """How much time and memory a command may take."""
    parser.add_argument("--memory", type=size, metavar="SIZE", help="memory to use, such as 500M or 4G")
    parser.add_argument("--time", type=seconds, metavar="SECONDS", help="stop after so many seconds")


def add_output_options(parser: argparse.ArgumentParser, *kinds: Kind) -> None:
    """What is printed: answers of some kinds, and progress."""
    add_format_options(parser, *formats_of(*kinds))
    add_quiet_option(parser)


def add_format_options(parser: argparse.ArgumentParser, *formats: str) -> None:
    """In which format an answer is printed."""
    known = tuple(dict.fromkeys(("text", *formats)))
    listed = f"{', '.join(known[:-1])} or {known[-1]}"
    parser.add_argument(
        "--format", choices=known, default="text", metavar="FORMAT", help=f"print {listed} (default: text)"
    )
    parser.add_argument(
        "--json", dest="format", action="store_const", const="json", help="print one JSON object: --format json"
    )


def add_quiet_option(parser: argparse.ArgumentParser) -> None:
    """``--quiet``."""
    parser.add_argument("--quiet", action="store_true", help="show no progress")


def add_diagnostics_option(parser: argparse.ArgumentParser) -> None:
    """How a command that writes a file says so, and what is wrong with a model."""
    known = formats_of(Kind.WRITTEN)
    parser.add_argument(
        "--diagnostics",
        dest="printed",
        choices=known,
        default="text",
        metavar="FORMAT",
        help=f"print what was written and what is wrong as {', '.join(known[:-1])} or {known[-1]} (default: text)",
    )


def search_options(arguments: argparse.Namespace) -> SearchOptions:
    """The options of a search from parsed arguments."""
    return SearchOptions(
        threads=arguments.threads,
        memory=arguments.memory,
        deadline=arguments.limits.deadline,
        depth_first=arguments.search == "dfs",
        store=Store(arguments.store),
        fingerprint=arguments.fingerprint,
        disk=arguments.disk,
        scratch=arguments.scratch,
        self_test=arguments.self_test,
        verify=arguments.verify,
        slices=arguments.slice == "on",
        keeps_symmetries=True,
    )


def fairness_of(arguments: argparse.Namespace) -> Fairness | None:
    """What is assumed of infinite runs, if anything is said about it."""
    return Fairness(arguments.fairness) if arguments.fairness else None


def constant(text: str) -> tuple[str, Given]:
    """``NAME=VALUE`` with an integer, a truth value, a label or a list of integers (or of lists) as value."""
    import json  # nothing else that is needed to begin with does

    name, equals, value = text.partition("=")
    if not equals or not name.strip().isidentifier():
        raise argparse.ArgumentTypeError(f"expected NAME=VALUE, found {text!r}")
    if value.strip().isidentifier() and value.strip() not in ("true", "false"):
        return name.strip(), value.strip()
    try:
        parsed = json.loads(value)
        return name.strip(), parsed if isinstance(parsed, bool) else _value(parsed)
    except (ValueError, RecursionError) as error:
        message = (
            f"the value of {name} must be an integer, true, false, a label or a list such as [2,2,3], found {value!r}"
        )
        raise argparse.ArgumentTypeError(message) from error


def _value(parsed: Any) -> Value:
    if isinstance(parsed, list):
        return tuple(_value(p) for p in parsed)
    if isinstance(parsed, int) and not isinstance(parsed, bool):
        return parsed
    raise ValueError(parsed)


def warning_code(text: str) -> str:
    """A code that a diagnostic can have."""
    if text.upper() not in CODES:
        raise argparse.ArgumentTypeError(f"expected a code such as BUR701, found {text!r}")
    return text.upper()


def positive(text: str) -> int:
    """A whole number of at least one, and no more threads than make sense."""
    most = 4 * (os.cpu_count() or 1)
    if not text.isdigit() or not 1 <= int(text) <= most:
        raise argparse.ArgumentTypeError(f"expected a number from 1 to {most}, found {text!r}")
    return int(text)


def whole(text: str) -> int:
    """A whole number of at least one."""
    if not text.isdecimal() or len(text) > 15 or int(text) < 1:
        raise argparse.ArgumentTypeError(f"expected a positive number, found {text!r}")
    return int(text)


def number_reader(least: int, most: int) -> Callable[[str], int]:
    """What reads a number between two others."""

    def read(text: str) -> int:
        if not text.isdigit() or len(text) > 6 or not least <= int(text) <= most:
            raise argparse.ArgumentTypeError(f"expected a number from {least} to {most}, found {text!r}")
        return int(text)

    return read


def size(text: str) -> int:
    """A number of bytes with an optional unit; so few that no search could begin are a forgotten unit."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([KMGT]?)i?B?", text.strip(), re.IGNORECASE)
    found = int(float(match[1]) * _UNITS[match[2].upper()]) if match else 0
    if found < 64 * _UNITS["K"]:
        raise argparse.ArgumentTypeError(f"expected a size such as 500M or 4G, at least 64K, found {text!r}")
    return found


def fingerprint(text: str) -> int:
    """A number of bits that few fingerprints share."""
    if not (text.isdecimal() and 64 <= int(text) <= 128):
        raise argparse.ArgumentTypeError(f"expected a number of bits from 64 to 128, found {text!r}")
    return int(text)


def seconds(text: str) -> float:
    """A positive number of seconds."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 < value < 1e9:
        raise argparse.ArgumentTypeError(f"expected a number of seconds, found {text!r}")
    return value
