"""``burnside bench`` with tables that take no time: what is printed, written and refused, and the exit codes."""

from __future__ import annotations

import argparse
import io
import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from burnside.bench.complete import complete
from burnside.bench.differences import Figure
from burnside.bench.machine import first_line, machine
from burnside.bench.suite import Suite
from burnside.bench.tables import Table
from burnside.cli.bench import ProgressLine, add_options, describe_progress, run_suite
from burnside.cli.exits import Exit
from burnside.cli.main import main
from burnside.limits import LimitReached
from burnside.results.exploration import Exploration, Stop

ROWS = """\
title = "Rings"
notes = ["What is compared."]
differs = { seconds = "Another machine." }
[[row]]
system = "ring"
example = "ring.seq"
constants = { N = 3 }
states = 8
[[row]]
system = "ring"
example = "ring.seq"
constants = { N = 20 }
states = 9
slow = true
note = "large"
"""


def run_rows(table: Table) -> Iterator[dict[str, Any]]:
    """A runner that finds eight states in whatever it is given."""
    for row in table.rows:
        agrees = row.expected["states"] == 8
        yield {"system": row.system, "size": row.size, "states": 8, "agrees": agrees, "note": row.note or None}


def text_lines(rows: Iterable[dict[str, Any]]) -> Iterator[str]:
    """A line for a row."""
    yield "system  size  states"
    for row in rows:
        yield f"{row['system']}    {row['size']}   {row['states']}"


def figures(row: dict[str, Any]) -> Iterator[Figure]:
    """A paper that took longer."""
    yield Figure(row["size"], "seconds", 6.0, 2.0)


@pytest.fixture
def suite(tmp_path: Path) -> Suite:
    """One table with a quick row and a slow one, which is not as expected."""
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables" / "rings.toml").write_text(ROWS)
    runner = SimpleNamespace(run_rows=run_rows, text_lines=text_lines, figures=figures, draw=lambda *_: "<svg/>")
    return Suite({"rings": runner}, tmp_path / "tables", lambda: {"system": "none"})  # type: ignore[dict-item]


def run(suite: Suite, *arguments: str, plots: Path | None = None) -> Exit:
    """What a command with these arguments ends with."""
    parser = argparse.ArgumentParser()
    add_options(parser)
    asked = parser.parse_args(arguments)
    asked.plots = plots
    return run_suite(suite, asked)


def test_rows_remarks_and_what_was_left_out_are_printed(suite: Suite, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(suite, "--quick") == Exit.DONE

    captured = capsys.readouterr()
    assert captured.out.splitlines() == [
        "Rings",
        "system  size  states",
        "ring    N=3   8",
        "* What is compared.",
        "* seconds: less than in the paper in 1 of 1 cases, by a factor of 3.0. Another machine.",
        "left out: ring N=20",
        "",
    ]
    assert captured.err == ""


def test_a_wrong_row_is_a_bug_of_ours(suite: Suite, capsys: pytest.CaptureFixture[str]) -> None:
    """Everything is printed, the row is named, and the exit code says so."""
    assert run(suite) == Exit.BUG

    captured = capsys.readouterr()
    assert "* ring N=20: large" in captured.out
    assert "not as expected: rings: ring N=20" in captured.err


def test_one_json_object_has_everything(suite: Suite, capsys: pytest.CaptureFixture[str]) -> None:
    """Version, machine, rows, and which were left out."""
    assert run(suite, "rings", "rings", "--json", "--quick") == Exit.DONE

    found = json.loads(capsys.readouterr().out)
    assert set(found) == {"version", "machine", "tables", "left_out"}
    assert [row["size"] for row in found["tables"]["rings"]] == ["N=3"]
    assert found["left_out"] == {"rings": ["ring N=20"]}


def test_rows_up_to_a_limit_are_shown(suite: Suite, capsys: pytest.CaptureFixture[str]) -> None:
    """A partial report, and the exit code says so."""

    def run_until(table: Table) -> Iterator[dict[str, Any]]:
        yield next(run_rows(table))
        raise LimitReached("memory")

    suite.runners["rings"].run_rows = run_until  # type: ignore[attr-defined]
    assert run(suite, "--json") == Exit.LIMIT

    captured = capsys.readouterr()
    found = json.loads(captured.out)
    assert found["stopped"] == "memory"
    assert [row["size"] for row in found["tables"]["rings"]] == ["N=3"]
    assert captured.err == "burnside: stopped at the memory limit; the tables are partial\n"


@pytest.mark.parametrize(
    ("stop", "error"),
    [(Stop.TIME, LimitReached), (Stop.MEMORY, LimitReached), (Stop.INTERRUPT, KeyboardInterrupt)],
)
def test_a_search_that_did_not_end_is_no_row(stop: Stop, error: type[BaseException]) -> None:
    """Else its figures would be taken for wrong ones, and for a bug."""
    whole = Exploration(Stop.COMPLETE, 8, 24, 0, 3, 1)

    assert complete(whole) is whole
    with pytest.raises(error):
        complete(replace(whole, stop=stop))


def test_the_object_is_written_beside_the_text(
    suite: Suite, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "results.json"

    assert run(suite, "--quick", "-o", str(output), plots=tmp_path / "plots") == Exit.DONE

    assert capsys.readouterr().out.startswith("Rings\n")
    assert json.loads(output.read_text())["machine"] == {"system": "none"}
    assert (tmp_path / "plots" / "rings.svg").read_text() == "<svg/>"


def test_unknown_tables_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    """Before anything runs, with the names that there are."""
    assert main(["bench", "zhang2013-table9"]) == Exit.USAGE

    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("burnside: no table 'zhang2013-table9'; there are zhang2013-table1, ")


@pytest.mark.parametrize("wrong", ["missing/results.json", "tables"])
def test_what_cannot_be_written_is_refused_at_once(
    wrong: str, suite: Suite, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nobody waits for results that would be lost."""
    assert run(suite, "-o", str(tmp_path / wrong)) == Exit.USAGE

    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("burnside: cannot write '")


def test_plots_need_a_directory(suite: Suite, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("")

    assert run(suite, plots=tmp_path / "file") == Exit.USAGE

    assert "cannot write to" in capsys.readouterr().err


def test_progress_names_the_row_and_its_time(suite: Suite) -> None:
    table = suite.table("rings")

    assert describe_progress(table, 1, row_seconds=7.2, seconds=70) == (
        "rings · row 2 of 2: ring N=20 · 7 s · table 70 s"
    )
    assert describe_progress(table, 2, row_seconds=0, seconds=70) == "rings · done · 70 s"


def test_the_progress_line_gives_way_to_output() -> None:
    """It is taken away before something is printed, and nothing is written where there is no terminal."""
    terminal = io.StringIO()
    line = ProgressLine(terminal)

    line.show("row 1")
    with line.hidden():
        terminal.write("output\n")
    with line.hidden():
        pass
    ProgressLine(None).show("nobody sees this")

    assert terminal.getvalue() == "\rrow 1\x1b[K\r\x1b[Koutput\n"


def test_the_machine_is_recorded() -> None:
    """How busy it is as well; a command that is missing has no version."""
    assert {"system", "processor", "load", "python", "compiler"} <= machine().keys()
    assert first_line(["no such command"]) is None
