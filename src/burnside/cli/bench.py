"""``burnside bench``."""

from __future__ import annotations

import argparse
import json
import platform
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from burnside import __version__
from burnside.cli.exits import Exit

_EXAMPLES = """\
examples:
  burnside bench zhang2013-table1
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
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--plots", type=Path, metavar="DIR", help="draw what is a figure in its paper as SVG in DIR")
    parser.set_defaults(run=run_bench)


def run_bench(arguments: argparse.Namespace) -> Exit:
    """Run the tables one after the other."""
    from burnside.bench import RUNNERS
    from burnside.bench.tables import read_table

    unknown = [name for name in arguments.tables if name not in RUNNERS]
    if unknown:
        print(f"burnside: no table '{unknown[0]}'; there are {', '.join(sorted(RUNNERS))}", file=sys.stderr)
        return Exit.USAGE
    results: dict[str, Any] = {"version": __version__, "machine": _machine(), "tables": {}}
    for name in arguments.tables or sorted(RUNNERS):
        table, runner = read_table(name), RUNNERS[name]
        rows: list[dict[str, Any]] = []
        measured = _kept(runner.run_rows(table), rows)
        if arguments.json:
            results["tables"][name] = list(measured)
        else:
            print(table.title)
            for line in runner.text_lines(measured):
                print(line, flush=True)
            print()
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


def _kept(rows: Iterable[dict[str, Any]], kept: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The rows, one after the other as they are measured; they are kept for a plot."""
    for row in rows:
        kept.append(row)
        yield row


def _machine() -> dict[str, str]:
    return {"system": platform.platform(), "machine": platform.machine(), "python": platform.python_version()}
