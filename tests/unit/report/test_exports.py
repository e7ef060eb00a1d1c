"""Exported graphs whose names mean something to the format, and files that are whole or not there."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from burnside.cli.exits import Exit
from burnside.cli.main import main
from burnside.report import graph
from support.labelled_graphs import read_aut

EVENT = 'go "there" \\ (and, back)'
PROPERTY = "never ] all [ of them"
ODD = f"""\
process Id = 0 .. 2;
var `a"b`[Id]: 0..1 = 0;
rule `{EVENT}`(i: Id) when `a"b`[i] == 0 do {{ `a"b`[i] := 1; }}
invariant `{PROPERTY}`: exists i in Id: `a"b`[i] == 0;
"""


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """A model with names that need quotes."""
    path = tmp_path / "odd.seq"
    path.write_text(ODD)
    return path


@pytest.mark.parametrize(("mode", "states", "steps"), [("none", 8, 12), ("unique", 4, 6)])
def test_labels_are_read_back_as_they_are(model: Path, tmp_path: Path, mode: str, states: int, steps: int) -> None:
    """By a reader that accepts nothing but the format: all states, and one of every orbit."""
    path = tmp_path / "odd.aut"
    assert main(["export", str(model), "--symmetry", mode, "--loops", "-o", str(path)]) == Exit.DONE
    found = read_aut(path.read_text())

    assert len(found.steps) == states
    labels = [label for some in found.steps.values() for label, _ in some]
    assert len(labels) == steps
    assert {label.rpartition("(")[0] for label in labels} == {EVENT}
    assert [marks for marks in found.marks.values() if marks] == [[PROPERTY]] * (states - 1)


def test_json_lines_count_what_they_have(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The head says how many states and transitions follow; orbits cover all states."""
    assert main(["export", str(model), "--symmetry", "unique", "--format", "jsonl", "-o", "-"]) == Exit.DONE
    head, *entries = map(json.loads, capsys.readouterr().out.splitlines())
    states = [entry for entry in entries if entry["kind"] == "state"]

    assert (head["states"], head["transitions"]) == (len(states), len(entries) - len(states)) == (4, 6)
    assert sum(state["orbit"] for state in states) == 8
    assert states[0]["values"] == {'a"b[0]': "0", 'a"b[1]': "0", 'a"b[2]': "0"}


@pytest.mark.parametrize("error", [KeyboardInterrupt(), OSError(28, "No space left on device")])
def test_nothing_is_left_of_a_file_that_is_not_finished(
    model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    """Neither half of it nor the file beside it; one that was there before stays as it was."""
    path = tmp_path / "graph.aut"
    path.write_text("before")

    def lines(*_: Any, **__: Any) -> Iterator[str]:
        yield "des (0, 1, 1)\n"
        raise error

    monkeypatch.setattr(graph, "aut_lines", lines)

    assert main(["export", str(model), "-o", str(path)]) in (Exit.USAGE, Exit.LIMIT)
    assert path.read_text() == "before"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["graph.aut", "odd.seq"]
