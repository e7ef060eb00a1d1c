"""The comparison with other tools, without running them: rows, texts, losses; and commands as they are measured."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[3]
sys.path.append(str(ROOT))
from benchmarks.peers import PEERS, memory  # noqa: E402
from benchmarks.peers.run import main  # noqa: E402
from benchmarks.peers.states import check_depth, spin_limits  # noqa: E402
from benchmarks.peers.tools import ToolError, best, find, losses, ratio, run, versions, write_text  # noqa: E402

from burnside.bench.tables import Row, table_names  # noqa: E402
from burnside.cli.exits import Exit  # noqa: E402
from burnside.resources import resource_directory  # noqa: E402
from burnside.values import replace  # noqa: E402

TEXTS = {"states": ("pml", "m"), "memory": ("pml", "m"), "symmetry": ("m",), "orders": ("pml",), "runs": ("pml",)}


def test_every_table_is_run() -> None:
    assert table_names(PEERS.directory) == sorted(PEERS.runners)


@pytest.mark.parametrize("name", TEXTS)
def test_protocols_are_there_in_every_language(name: str, tmp_path: Path) -> None:
    """In the size of the row."""
    for row in PEERS.table(name).rows:
        assert (resource_directory("examples") / row.example).is_file()
        for suffix in TEXTS[name]:
            text = (tmp_path / write_text(row, suffix, tmp_path)).read_text()
            for constant, value in row.constants.items():
                assert re.findall(rf"(?:#define {constant}|\b{constant}:) (\d+)", text) == [str(value)]


@pytest.mark.parametrize("name", TEXTS)
def test_quick_rows_are_left(name: str) -> None:
    table = PEERS.table(name)

    assert 0 < len(table.quick().rows) < len(table.rows)


def test_losses_are_named() -> None:
    """A ratio below one is a loss, one near one is neither."""
    tools = {"burnside": {}, "spin": {"time": 4.0, "memory": 0.25}, "rumur": {"time": 1.05, "memory": None}}
    rows = [{"system": "ring", "size": "N=3", "tools": tools}]

    assert list(losses(rows, {"time": "searching", "memory": "memory"})) == [
        "Of 3 comparisons Burnside loses 1: memory, ring N=3: spin takes 0.25 times as much as Burnside.",
        "About even (within a tenth) are 1: searching, ring N=3: rumur takes 1.05 times as much.",
    ]


def test_all_tables_can_be_shown_without_the_other_tools() -> None:
    """Burnside alone, where nothing else is installed."""
    counted = {"states": 5, "cpu_seconds": 0.5, "rate": 10, "kept_bytes_per_state": 8.0, "peak_bytes": 1 << 20}
    whole = {"states": 5, "cpu_seconds": 0.5, "later_seconds": 0.3, "exploring_seconds": 0.1}
    claim = {"verdict": "holds", "model_states": 5, "product_states": 9, "search_seconds": 0.1, "whole_seconds": 0.5}
    deadlock = {"verdict": "holds", "states": 5, "search_seconds": 0.1, "whole_seconds": 0.5}
    row = {"system": "ring", "size": "N=3", "property": "served", "fairness": "weak", "agrees": False}

    for name, figures in (("states", counted), ("symmetry", whole), ("orders", deadlock), ("runs", claim)):
        runner = PEERS.runners[name]
        _, line = runner.text_lines([row | {"tools": {"burnside": figures}}])
        assert line.startswith("ring") and line.endswith("  NOT AS EXPECTED")
        assert "Of 0 comparisons Burnside loses none." in runner.remarks([row | {"tools": {"burnside": figures}}])


def test_what_is_out_of_memory_is_not_run_at_larger_sizes(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is shown once; the other tools go on."""
    sizes = {"ours": 10**9, "theirs": 2_000_000}

    def tool(name: str) -> Callable[[Row, Path], dict[str, Any]]:
        def count(row: Row, _: Path) -> dict[str, Any]:
            states = row.expected["full"] if row.expected["full"] <= sizes[name] else None
            return {"states": states, "cpu_seconds": 0.5, "peak_bytes": 1 << 20}

        return count

    monkeypatch.setattr(memory, "_tools", lambda: {name: tool(name) for name in sizes})
    table = PEERS.table("memory")
    rows = list(memory.run_rows(replace(table, rows=table.rows[:3])))

    assert [list(row["tools"]) for row in rows] == [["ours", "theirs"], ["ours", "theirs"], ["ours"]]
    assert all(row["agrees"] for row in rows)
    shown = list(memory.text_lines(rows))
    assert [line.split()[3:6] for line in shown if "theirs" in line] == [
        ["theirs", "1,684,801", "0.5"],
        ["theirs", "out", "of"],
    ]
    assert list(memory.remarks(rows)) == [
        "The largest number of states that was counted of the dining philosophers: ours 18,378,370, theirs 1,684,801."
    ]


def test_commands_are_measured(tmp_path: Path) -> None:
    """Output, processor time and memory."""
    done = run([sys.executable, "-c", "import time; print(len(bytes(50_000_000))); time.sleep(0.1)"], tmp_path)

    assert done.text == "50000000\n"
    assert done.cpu_seconds > 0
    assert done.peak_bytes is None or done.peak_bytes > 0


def test_a_tool_that_fails_is_an_error(tmp_path: Path) -> None:
    """Unless it may: checkers exit with a code of their own when a claim is violated."""
    failing = [sys.executable, "-c", "import sys; print('no'); sys.exit(3)"]

    assert run(failing, tmp_path, may_fail=True).text == "no\n"
    with pytest.raises(ToolError, match="no"):
        run(failing, tmp_path)
    with pytest.raises(ToolError, match="states"):
        find(r"(\d+) states", "none")


def test_the_best_run_counts() -> None:
    times = iter([3.0, 1.0, 2.0])

    assert best(lambda: next(times), lambda seconds: seconds) == 1.0
    assert (ratio(6.0, 2.0), ratio(None, 2.0)) == (3.0, None)


def test_versions_are_recorded_and_unknown_tables_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert set(versions()) == {"spin", "rumur", "gcc"}
    assert main(["everything"]) == Exit.USAGE
    assert "no table 'everything'; there are states, memory, symmetry, orders, runs" in capsys.readouterr().err


def test_spin_must_not_run_out_of_stack() -> None:
    """It would go on and miss states."""
    row = PEERS.table("states").rows[0]

    assert spin_limits(row) == ["-w18", "-m120000"]
    check_depth(row, "154450 states, stored")
    with pytest.raises(ToolError, match="dining philosophers N=10: Spin needs a larger depth"):
        check_depth(row, "error: max search depth too small")
