"""``burnside check``."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from burnside.cli.checkpoints import keeping_by
from burnside.cli.exits import Exit
from burnside.cli.files import can_write, write_file, write_files
from burnside.cli.loading import load_all, model_file
from burnside.cli.options import (
    add_checkpoint_option,
    add_coverage_option,
    add_fairness_option,
    add_model_options,
    add_property_option,
    add_search_options,
    add_slicing_option,
    fairness_of,
    refuse_unshown_coverage,
    search_options,
)
from burnside.cli.outcomes import exit_of_check
from burnside.cli.progress import progress
from burnside.decide.modes import Mode, refuse_uncovering, unsuitable
from burnside.explore.orders import Orders
from burnside.report.renderers import formats_of
from burnside.results.answers import Answer, CheckAnswer, Kind
from burnside.results.coverage import Coverage
from burnside.results.findings import CheckReport
from burnside.results.remarks import remarks_on
from burnside.study import Studies
from burnside.values import replace

_EXAMPLES = """\
examples:
  burnside check examples/zhang2013/dining_philosophers.seq
  burnside check examples/classics/filter_lock.seq -D N=5 --property mutex
  burnside check examples/zhang2013/dining_philosophers.seq --trace deadlock.json
  burnside check examples/liveness/dining_philosophers.seq -D N=3 --property everybody_eats --fairness weak
  burnside check examples/zhang2013/peterson.seq -D N=3 --coverage
  burnside check examples/zhang2013/dining_philosophers.seq --format junit > verdicts.xml
"""


def add_check(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """``burnside check MODEL``: decide the properties of a model."""
    parser = commands.add_parser(
        "check",
        help="decide the properties of a model",
        description=(
            "Decide the properties of a model. A model that declares none is checked for "
            "freedom from deadlock. Exit code 0: all hold; 1: one is violated; 3: the model is wrong or "
            "faults; 4: a limit was reached."
        ),
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_model_options(parser)
    add_property_option(parser, "check only this property (may be repeated)")
    add_fairness_option(parser)
    add_search_options(parser, Kind.CHECK, Kind.PAGE, symmetry="auto")
    add_coverage_option(parser)
    add_slicing_option(parser, default=None, usual="default: on, off for a page, which shows all of the states")
    parser.add_argument(
        "--partial-order",
        choices=[orders.value for orders in Orders],
        default=Orders.AUTO.value,
        help="of steps that can be taken in any order, take some orders only: properties of states are decided with "
        "fewer states, but not always by shortest traces (default: auto, if there are many states and it is quicker)",
    )
    add_checkpoint_option(parser)
    parser.add_argument("--trace", type=Path, metavar="FILE", help="write the traces to FILE as JSON")
    parser.set_defaults(run=run_check)


def run_check(arguments: argparse.Namespace) -> Exit:
    """Load, explore, print."""
    if not can_write(arguments.trace):
        return Exit.USAGE
    tasks, slices = load_all(arguments), _slices(arguments)
    _refuse_kept_page(arguments)
    with (
        progress(quiet=arguments.quiet or not arguments.printer.is_for_people) as watch,
        keeping_by("check", arguments, tasks, slices=slices) as kept,
    ):
        options = replace(search_options(arguments), partial_order=_orders(arguments), slices=slices)
        options = replace(options, checkpoint=kept)
        studies = Studies.of(tasks, options, watch)
        mode = Mode(arguments.symmetry)
        if arguments.coverage:
            refuse_uncovering(mode, options)
            refuse_unshown_coverage(arguments.format)
        if arguments.dump:
            _dump(studies, arguments)
        reports, answer = _answer(studies, mode, arguments)
    arguments.printer.show(answer)
    if arguments.trace and not _write_traces(arguments.trace, reports):
        return Exit.USAGE
    return exit_of_check(reports)


def _refuse_kept_page(arguments: argparse.Namespace) -> None:
    if arguments.checkpoint is not None and arguments.format in formats_of(Kind.PAGE):
        raise unsuitable("a page is made of several searches", "leave out --checkpoint, or print another format")


def _orders(arguments: argparse.Namespace) -> Orders:
    """How partial order is used; a page says the same on every machine, and ``auto`` is a race."""
    orders = Orders(arguments.partial_order)
    return Orders.OFF if orders is Orders.AUTO and arguments.format in formats_of(Kind.PAGE) else orders


def _slices(arguments: argparse.Namespace) -> bool:
    """Whether variables are left out: unless told otherwise, where verdicts are all that is asked for."""
    return arguments.slice == "on" or (arguments.slice is None and arguments.format not in formats_of(Kind.PAGE))


def _answer(studies: Studies, mode: Mode, arguments: argparse.Namespace) -> tuple[tuple[CheckReport, ...], Answer]:
    """Verdicts, on a page with all that belongs to them if that is what is asked for."""
    printer, names, fairness = arguments.printer, tuple(arguments.properties), fairness_of(arguments)
    if arguments.format in formats_of(Kind.PAGE):
        from burnside.pages import PageRequest

        request = PageRequest(
            model_file(arguments), names, mode, fairness, seconds=arguments.time, memory=arguments.memory
        )
        reports, page = request.answer(studies)
        printer.note(remarks_on(*reports))
        return reports, page
    reports = studies.check(names, mode, fairness)
    covered = tuple(_coverages(studies, names, mode)) if arguments.coverage else None
    printer.note(remarks_on(*reports))
    return reports, CheckAnswer(str(arguments.model), reports, covered, printer.diagnostics)


def _dump(studies: Studies, arguments: argparse.Namespace) -> None:
    """Write the values between the stages, process by process."""
    for number, (study, members) in enumerate(studies.asked(arguments.properties), 1):
        directory = arguments.dump / _directory_name(number, study.task.process)
        write_files(directory, study.dump(members))


def _coverages(studies: Studies, names: Sequence[str], mode: Mode) -> Iterator[Coverage | None]:
    """What complete explorations of the processes that were checked cover.

    They are explored again: a check ends when all is decided, and may have seen a part only.
    """
    for study, _ in studies.asked(names):
        yield study.count_covering(mode)[1]


def _directory_name(number: int, process: str) -> str:
    """Where files about a process go if there are several; only letters, digits and underscores of a model's text get
    into a path.
    """
    return f"{number}_{re.sub(r'[^A-Za-z0-9]+', '_', process)[:40].strip('_')}" if process else ""


def _write_traces(path: Path, reports: Sequence[CheckReport]) -> bool:
    """The traces of all properties that have one, and of a fault, by name."""
    import json

    from burnside.report.json import traces_object

    return write_file(path, [json.dumps(traces_object(reports), indent=2), "\n"])
