"""``burnside bench``."""

from __future__ import annotations

import argparse
import json
import sys
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from burnside import __version__
from burnside.cli.exits import Exit

if TYPE_CHECKING:
    from burnside.bench.tables import Table

_EXAMPLES = """\
examples:
  burnside bench zhang2013-table1
  burnside bench --quick
  burnside bench --json > tables.json
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
    parser.add_argument("tables", metavar="TABLE", nargs="*", help="tables to run (default: all)")
    parser.add_argument("--quick", action="store_true", help="leave out the rows that take long")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--quiet", action="store_true", help="show no progress")
    parser.add_argument("--plots", type=Path, metavar="DIR", help="draw what is a figure in its paper as SVG in DIR")
    parser.set_defaults(run=run_bench)


def run_bench(arguments: argparse.Namespace) -> Exit:
    """Run the tables one after the other."""
    from burnside.bench import RUNNERS
    from burnside.bench.machine import machine
    from burnside.bench.tables import read_table

    unknown = [name for name in arguments.tables if name not in RUNNERS]
    if unknown:
        print(f"burnside: no table '{unknown[0]}'; there are {', '.join(sorted(RUNNERS))}", file=sys.stderr)
        return Exit.USAGE
    results: dict[str, Any] = {"version": __version__, "machine": machine(), "tables": {}}
    for name in arguments.tables or sorted(RUNNERS):
        table, runner = read_table(name), RUNNERS[name]
        table = table.quick() if arguments.quick else table
        rows: list[dict[str, Any]] = []
        with _watched(table, rows, quiet=arguments.quiet):
            measured = _kept(runner.run_rows(table), rows)
            if arguments.json:
                results["tables"][name] = list(measured)
            else:
                _show(table.title, runner.text_lines(measured))
        if arguments.plots and hasattr(runner, "draw") and (drawing := runner.draw(table, rows)):
            try:
                arguments.plots.mkdir(parents=True, exist_ok=True)
                (arguments.plots / f"{name}.svg").write_text(drawing)
            except OSError as error:
                print(f"burnside: cannot write to '{arguments.plots}': {error.strerror}", file=sys.stderr)
                return Exit.USAGE
    if arguments.json:
        print(json.dumps(results))
    return Exit.DONE


def _show(title: str, lines: Iterable[str]) -> None:
    print(title)
    for line in lines:
        print(line, flush=True)
    print()


def _kept(rows: Iterable[dict[str, Any]], kept: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The rows, one after the other as they are measured; they are kept for a plot."""
    for row in rows:
        kept.append(row)
        yield row


@contextmanager
def _watched(table: Table, done: Sequence[object], *, quiet: bool) -> Iterator[None]:
    """Say on a terminal which row is being measured, for how long."""
    if quiet or not sys.stderr.isatty():
        yield
        return
    from rich.console import Console
    from rich.status import Status

    began = time.perf_counter()
    is_over = threading.Event()

    def watch(status: Status) -> None:
        while not is_over.wait(0.5):
            row = table.rows[min(len(done), len(table.rows) - 1)]
            place = f"row {len(done) + 1} of {len(table.rows)}: {row.system} {row.size}"
            status.update(f"{table.name} · {place} · {time.perf_counter() - began:.0f} s")

    with Status(table.name, console=Console(stderr=True)) as status:
        watcher = threading.Thread(target=watch, args=(status,), daemon=True)
        watcher.start()
        try:
            yield
        finally:
            is_over.set()
            watcher.join()
