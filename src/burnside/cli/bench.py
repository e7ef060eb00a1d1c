"""``burnside bench``."""

from __future__ import annotations

import argparse
import sys
import textwrap
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any, TextIO, final

from burnside import __version__
from burnside.cli.exits import Exit
from burnside.cli.files import can_write, write_file
from burnside.cli.options import add_format_options, add_limit_options, add_quiet_option
from burnside.cli.printer import Printer
from burnside.limits import LimitReached
from burnside.report.renderers import formats_of, render
from burnside.results.answers import Kind, TablesAnswer

if TYPE_CHECKING:
    from burnside.bench.suite import Suite
    from burnside.bench.tables import Table

_EXAMPLES = """\
examples:
  burnside bench zhang2013-table1
  burnside bench --quick
  burnside bench -o tables.json
  burnside bench wahl2007-fig3 wahl2007-fig4 --plots plots
"""


def add_bench(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """``burnside bench``: the published tables, paper beside measured."""
    parser = commands.add_parser(
        "bench",
        help="run the published tables again",
        description="Run the published tables: the paper's figures beside those measured here.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_options(parser)
    add_limit_options(parser)
    parser.add_argument("--plots", type=Path, metavar="DIR", help="draw what is a figure in its paper as SVG in DIR")
    parser.set_defaults(run=run_bench)


def add_options(parser: argparse.ArgumentParser) -> None:
    """What can be asked of any suite of tables."""
    parser.add_argument("tables", metavar="TABLE", nargs="*", help="tables to run (default: all)")
    parser.add_argument("--quick", action="store_true", help="leave out the rows that take long, and name them")
    add_format_options(parser, *formats_of(Kind.TABLES))
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="also write the JSON object to FILE")
    add_quiet_option(parser)


def run_bench(arguments: argparse.Namespace) -> Exit:
    """Run the published tables."""
    from burnside.bench import PUBLISHED

    return run_suite(PUBLISHED, arguments)


def run_suite(suite: Suite, arguments: argparse.Namespace) -> Exit:
    """Run tables one after the other, as `add_options` has it; ``plots`` is a directory where it can be asked for."""
    unknown = [name for name in arguments.tables if name not in suite.runners]
    if unknown:
        print(f"burnside: no table '{unknown[0]}'; there are {', '.join(suite.runners)}", file=sys.stderr)
        return Exit.USAGE
    plots: Path | None = getattr(arguments, "plots", None)
    asked = dict.fromkeys(arguments.tables or suite.runners)
    if not _can_draw(plots, asked) or not can_write(arguments.output):
        return Exit.USAGE
    measuring = _Measuring(suite, arguments)
    is_drawn = measuring.run(asked, plots)
    answer = measuring.answer
    printer = Printer.of(arguments)
    if not printer.is_for_people:
        printer.show(answer)
    if arguments.output is not None and not write_file(arguments.output, [str(render(answer, "json")), "\n"]):
        return Exit.USAGE
    wrong = _wrong_rows(answer)
    if wrong:
        message = f"this is a bug in Burnside {__version__}: not as expected: {'; '.join(wrong)}"
        print(f"burnside: {message}", file=sys.stderr)
        return Exit.BUG
    if answer.stopped:
        return Exit.LIMIT
    return Exit.DONE if is_drawn else Exit.USAGE


def _wrong_rows(answer: TablesAnswer) -> list[str]:
    """Verdicts, orders and counts have to be right, whatever the times."""
    rows = ((name, row) for name, rows in answer.tables.items() for row in rows)
    return [f"{name}: {row['system']} {row['size']}" for name, row in rows if not row["agrees"]]


@final
class _Measuring:
    """Tables as they are measured."""

    def __init__(self, suite: Suite, arguments: argparse.Namespace) -> None:
        self._suite = suite
        self._arguments = arguments
        self._machine = suite.machine()
        self._tables: dict[str, list[dict[str, Any]]] = {}
        self._left_out: dict[str, list[str]] = {}
        self._stopped: str | None = None

    @property
    def answer(self) -> TablesAnswer:
        """What was measured so far."""
        return TablesAnswer(__version__, self._machine, self._tables, self._left_out, self._stopped)

    def run(self, names: Iterable[str], plots: Path | None) -> bool:
        """Measure tables, up to a limit; False if a plot cannot be written."""
        try:
            for name in names:
                whole = self._suite.table(name)
                table = whole.quick() if self._arguments.quick else whole
                self._left_out[name] = [row.name for row in whole.rows if row not in table.rows]
                rows = self._tables[name] = []
                self._run_table(table, rows)
                if plots is not None and not _draw(self._suite, table, rows, plots):
                    return False
        except LimitReached as limit:
            self._stopped = limit.limit
            print(f"burnside: stopped at the {limit.limit} limit; the tables are partial", file=sys.stderr)
        return True

    def _run_table(self, table: Table, rows: list[dict[str, Any]]) -> None:
        """Measure the rows of a table; as text they are printed as they come."""
        runner, left_out = self._suite.runners[table.name], self._left_out[table.name]
        with _watched(table, rows, quiet=self._arguments.quiet) as line:
            measured = _kept(runner.run_rows(table), rows)
            if self._arguments.format != "text":
                list(measured)
                return
            print(table.title)
            for text in runner.text_lines(measured):
                with line.hidden():
                    print(text, flush=True)
        for remark in self._suite.remarks(table, rows):
            print(textwrap.fill(remark, 118, initial_indent="* ", subsequent_indent="  "))
        if left_out:
            print(textwrap.fill(f"left out: {'; '.join(left_out)}", 118, subsequent_indent="  "))
        print(flush=True)


def _kept(rows: Iterable[dict[str, Any]], kept: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The rows, one after the other as they are measured; they are kept for what comes after the table."""
    for row in rows:
        kept.append(row)
        yield row


# ---------------------------------------------------------------- files


def _can_draw(plots: Path | None, tables: Iterable[str]) -> bool:
    """Look before anything is measured whether plots can be written, and make their directory."""
    if plots is None:
        return True
    try:
        plots.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        print(f"burnside: cannot write to '{plots}': {error.strerror}", file=sys.stderr)
        return False
    return can_write(*(_plot(plots, name) for name in tables))


def _plot(plots: Path, table: str) -> Path:
    return plots / f"{table}.svg"


def _draw(suite: Suite, table: Table, rows: Sequence[dict[str, Any]], plots: Path) -> bool:
    runner = suite.runners[table.name]
    drawing = runner.draw(table, rows) if hasattr(runner, "draw") else None
    return drawing is None or write_file(_plot(plots, table.name), [drawing])


# ---------------------------------------------------------------- progress


@final
class ProgressLine:
    """One line at the end of a terminal that is written again and again; nothing where nobody would see it."""

    def __init__(self, stream: TextIO | None) -> None:
        self._stream = stream
        self._lock = threading.Lock()
        self._is_shown = False

    def show(self, text: str) -> None:
        """Write the line, cut to the width of the terminal."""
        with self._lock:
            if self._stream is not None:
                self._stream.write(f"\r{text[: get_terminal_size().columns - 1]}\x1b[K")
                self._stream.flush()
                self._is_shown = True

    @contextmanager
    def hidden(self) -> Iterator[None]:
        """Take the line away while something else is printed."""
        with self._lock:
            if self._stream is not None and self._is_shown:
                self._stream.write("\r\x1b[K")
                self._stream.flush()
                self._is_shown = False
            yield


@contextmanager
def _watched(table: Table, done: Sequence[object], *, quiet: bool) -> Iterator[ProgressLine]:
    """Say on a terminal which row is being measured, for how long."""
    line = ProgressLine(None if quiet or not sys.stderr.isatty() else sys.stderr)
    is_over = threading.Event()

    def watch() -> None:
        began = since = time.perf_counter()
        number = 0
        while not is_over.wait(0.5):
            now = time.perf_counter()
            if number != len(done):
                number, since = len(done), now
            line.show(describe_progress(table, number, row_seconds=now - since, seconds=now - began))

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield line
    finally:
        is_over.set()
        watcher.join()
        with line.hidden():
            pass


def describe_progress(table: Table, done: int, *, row_seconds: float, seconds: float) -> str:
    """Which row of a table is being measured, and how long it and the table have taken."""
    if done >= len(table.rows):
        return f"{table.name} · done · {seconds:.0f} s"
    place = f"row {done + 1} of {len(table.rows)}: {table.rows[done].name} · {row_seconds:.0f} s"
    return f"{table.name} · {place} · table {seconds:.0f} s"
