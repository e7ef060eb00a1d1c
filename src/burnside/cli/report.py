"""``burnside report``."""

from __future__ import annotations

import argparse
import json
import shlex
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from burnside import __version__, pipeline, statespace
from burnside.cli.check import exit_of_check
from burnside.cli.exits import Exit
from burnside.cli.files import can_write, write_file
from burnside.cli.loading import load_tasks, reading
from burnside.cli.options import add_fairness_option, add_limit_options, add_model_options, add_property_option
from burnside.cli.progress import progress
from burnside.explore.native.run import SearchOptions, Watcher
from burnside.explore.questions import Questions
from burnside.ir.temporal import Fairness
from burnside.quotient import Reduced
from burnside.report.titles import verdicts_title
from burnside.report.values import CheckReport

if TYPE_CHECKING:
    from burnside.ir.nodes import Model
    from burnside.report.html.values import Explored, Page, Part
    from burnside.source import Source, Span

_EXAMPLES = """\
examples:
  burnside report examples/zhang2013/dining_philosophers.seq -D N=5 -o dining.html
  burnside report examples/liveness/semaphore.seq --fairness weak -o semaphore.html
  burnside report examples/jaghoori2005/load_balancer_small.rebeca --times -o balancer.html
"""


def add_report(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """``burnside report MODEL -o FILE``: all about a model on one page."""
    parser = commands.add_parser(
        "report",
        help="write one page with verdicts, traces, symmetries and pictures",
        description=(
            "Check a model and write an HTML page that needs nothing else: the verdicts with runs to step through, the "
            "symmetries in words and pictures, the states beside their orbits, what symmetry saves, and the commands "
            "that give all this again. Exit codes are those of 'burnside check'."
        ),
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_model_options(parser)
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="FILE", help="an .html file")
    _add_questions(parser)
    add_limit_options(parser)
    parser.add_argument("--times", action="store_true", help="show measured times and memory; the bytes then differ")
    parser.add_argument("--quiet", action="store_true", help="show no progress")
    parser.set_defaults(run=run_report)


def _add_questions(parser: argparse.ArgumentParser) -> None:
    add_property_option(parser, "check only this property (may be repeated)")
    add_fairness_option(parser)
    # Not ``auto``: that is a race, and which search wins depends on the machine.
    parser.add_argument(
        "--symmetry",
        choices=("auto", "none", "unique", "multi", "adaptive"),
        default="unique",
        help="how properties are decided; default: unique, one representative per orbit",
    )


def run_report(arguments: argparse.Namespace) -> Exit:
    """Load, check, compare, write."""
    if arguments.output.suffix.lower() not in (".html", ".htm"):
        print("burnside: a report is an .html file", file=sys.stderr)
        return Exit.USAGE
    if not can_write(arguments.output):
        return Exit.USAGE
    from burnside.report.html.page import page_text

    tasks = load_tasks(arguments)
    asked = pipeline.select_questions(tasks, arguments.properties)
    with progress(quiet=arguments.quiet) as watch:
        reports = pipeline.check_tasks(
            tasks,
            properties=arguments.properties,
            symmetry=arguments.symmetry,
            fairness=Fairness(arguments.fairness) if arguments.fairness else None,
            options=SearchOptions(memory=arguments.memory, seconds=arguments.limits.seconds_left),
            watch=watch,
        )
        parts = [_part(*pair, arguments, watch) for pair in zip(asked, reports, strict=True)]
    if not write_file(arguments.output, [page_text(_page(arguments, parts))]):
        return Exit.USAGE
    print(f"{arguments.output}: {verdicts_title(reports)}")
    return exit_of_check(reports)


def _page(arguments: argparse.Namespace, parts: Sequence[Part]) -> Page:
    from burnside.report.html.values import Page

    return Page(
        title=arguments.model.name,
        sources=tuple(_sources(arguments, parts)),
        asked=tuple(_asked(arguments)),
        parts=tuple(parts),
        commands=tuple(_commands(arguments)),
        version=__version__,
        has_times=arguments.times,
    )


def _sources(arguments: argparse.Namespace, parts: Sequence[Part]) -> Iterator[Source]:
    """The text of the model, and those that its properties come from if they have files of their own."""
    text = pipeline.read_source(arguments.model)
    models = [part.check.count.model for part in parts]
    spans = [span for model in models for span in _spans(model) if span]
    yield text
    yield from {span.source.name: span.source for span in spans if span.source.name != text.name}.values()


def _spans(model: Model) -> Iterator[Span | None]:
    yield from (asked.span for asked in model.properties)
    yield from (asked.span for asked in model.temporal)


def _asked(arguments: argparse.Namespace) -> Iterator[tuple[str, str]]:
    """What was asked, in words."""
    yield "Properties", ", ".join(arguments.properties) or "all"
    if arguments.fairness:
        yield "Fairness", f"{Fairness(arguments.fairness)}, whatever the model says"
    yield "Symmetry", _MODES[arguments.symmetry]
    limits = [f"{arguments.time:g} seconds"] if arguments.time else []
    limits += [f"{arguments.memory:,} bytes for states"] if arguments.memory else []
    if limits:
        yield "Limits", ", ".join(limits)


_MODES = {
    "unique": "one representative of every orbit is explored",
    "multi": "representatives are found by local search",
    "none": "not used",
    "auto": "used if it pays",
    "adaptive": "adaptive, for processes that are nearly alike",
}


# ---------------------------------------------------------------- symmetries and states


def _part(asked: Questions, report: CheckReport, arguments: argparse.Namespace, watch: Watcher | None) -> Part:
    """One process with the symmetries that keep what was asked of it, and its states."""
    from burnside.report.html.symmetries import detect_report
    from burnside.report.html.values import MOST_DOTS, MOST_STATES, Part

    reduced = Reduced(asked.task.model, asked.claims)
    quotient = _explored(asked, reduced, arguments, watch)
    detection = detect_report(asked.task.model, reduced.detection)
    actors = pipeline.actor_symmetries(arguments.model, dict(arguments.constants), reading(arguments), detection)
    if reduced.reduction is None:
        return Part(report, detection, quotient, actors=actors)
    is_large = quotient.graph is None or (quotient.exploration.full_states or 0) > MOST_STATES
    whole = None if is_large else _explored(asked, None, arguments, watch)
    is_drawn = quotient.graph is not None and len(quotient.graph.graph) <= MOST_DOTS
    orbit_of = statespace.Orbits(reduced, quotient.graph).number if quotient.graph and is_drawn else None
    return Part(report, detection, quotient, whole, orbit_of, actors)


def _explored(
    asked: Questions, reduced: Reduced | None, arguments: argparse.Namespace, watch: Watcher | None
) -> Explored:
    from burnside.report.html.values import MOST_STATES, Explored

    options = SearchOptions(memory=arguments.memory, seconds=arguments.limits.seconds_left, states=MOST_STATES)
    found = statespace.graph(asked.task.model, asked.claims, reduced=reduced, options=options, watch=watch)
    return Explored(found.exploration, found.report)


# ---------------------------------------------------------------- again


def _commands(arguments: argparse.Namespace) -> Iterator[tuple[str, str]]:
    """The commands that give the page and its parts again."""
    model = [str(arguments.model), *_model_words(arguments)]
    asked = [word for name in arguments.properties for word in ("--property", name)]
    search = [*asked, *_search_words(arguments)]
    times = ["--times"] if arguments.times else []
    mode = ["--symmetry", arguments.symmetry]
    yield "This page", _command("report", *model, *mode, *search, *times, "-o", arguments.output.name)
    yield "The verdicts in a terminal", _command("check", *model, *mode, *search)
    yield "The symmetries", _command("detect", *model, *asked, "--explain")


def _command(*words: str) -> str:
    return shlex.join(["burnside", *words])


def _model_words(arguments: argparse.Namespace) -> Iterator[str]:
    for name, value in arguments.constants:
        yield from ("-D", f"{name}={json.dumps(value, separators=(',', ':'))}")
    given = {
        "--properties": arguments.property_file,
        "--queue-semantics": arguments.queue_semantics,
        "--max-rebecs": arguments.max_rebecs,
    }
    for option, value in given.items():
        if value is not None:
            yield from (option, str(value))


def _search_words(arguments: argparse.Namespace) -> Iterator[str]:
    if arguments.fairness:
        yield from ("--fairness", arguments.fairness)
    if arguments.memory:
        yield from ("--memory", str(arguments.memory))
    if arguments.time:
        yield from ("--time", f"{arguments.time:g}")
