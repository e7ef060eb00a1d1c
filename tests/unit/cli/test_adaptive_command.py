"""``--symmetry adaptive`` and the plots of ``bench`` on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from burnside.cli.exits import Exit
from burnside.cli.main import main

EXAMPLES = Path(__file__).parents[3] / "examples" / "wahl2007"
READERS = EXAMPLES / "readers_writers.diagram"
CONTROLLER = EXAMPLES / "resource_controller.diagram"


def run(*arguments: object) -> int:
    """The exit code of a command."""
    return int(main([*map(str, arguments)]))


def test_count_says_how_states_are_annotated(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("count", READERS, "--symmetry", "adaptive") == Exit.DONE

    out = capsys.readouterr().out
    assert out.startswith("states       9\n")
    assert "adaptive: 4 edges, 2 partitions of 3 processes" in out


def test_the_mode_is_in_the_json_object(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("check", CONTROLLER, "-D", "SIZES=[9,9]", "--symmetry", "adaptive", "--json") == Exit.DONE

    found = json.loads(capsys.readouterr().out)
    assert found["states"] == 316
    assert found["symmetry"]["mode"] == "adaptive"


def test_a_violation_has_a_trace(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "forgetful.diagram"
    path.write_text(CONTROLLER.read_text().replace(" do { free := false; };", ";"))

    assert run("check", path, "--symmetry", "adaptive") == Exit.VIOLATED

    out = capsys.readouterr().out
    assert "'held_but_free' is violated after 3 steps:" in out


def write_partition(path: Path, partition: str) -> Path:
    """Readers and writers with a partition behind the edge that tells them apart."""
    edge = "(forall j in writers: at[j] != C)"
    path.write_text(READERS.read_text().replace(f"{edge};", f"{edge} partition {partition};"))
    return path


def test_a_wrong_partition_is_an_error_in_the_model(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write_partition(tmp_path / "wrong.diagram", "| 1..3 |")

    assert run("count", path, "--symmetry", "adaptive") == Exit.MODEL

    error = capsys.readouterr().err
    assert "error[BUR303]: 'read' tells 1 and 3 apart" in error
    assert "in the state with 1: " in error


def test_a_partition_that_is_too_fine_gives_a_note(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write_partition(tmp_path / "fine.diagram", "| 1 | 2 | 3 |")

    assert run("count", path, "--symmetry", "adaptive") == Exit.DONE

    captured = capsys.readouterr()
    assert "note[BUR304]: the partition of 'read' could be coarser: | 1, 2 | 3 |" in captured.err


def test_a_limit_ends_the_search(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("count", CONTROLLER, "-D", "SIZES=[40,40]", "--symmetry", "adaptive", "--memory", "100K")

    assert run(*arguments) == Exit.LIMIT

    assert "stopped at the memory limit" in capsys.readouterr().out


def test_a_search_that_fails_its_self_test_gives_no_verdict(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Partitions that are all too coarse: readers and writers are taken for one another."""
    monkeypatch.setattr("burnside.adaptive.cover.meet", lambda p, _: p)

    assert run("check", READERS, "--symmetry", "adaptive") == Exit.BUG

    captured = capsys.readouterr()
    assert captured.out == ""
    report = Path(captured.err.split()[-1]).read_text()
    assert "the adaptive search failed its self-test, and no verdict is given" in report


def test_figures_are_drawn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("bench", "wahl2007-fig4", "--plots", tmp_path / "plots") == Exit.DONE

    assert "NOT AS EXPECTED" not in capsys.readouterr().out
    assert (tmp_path / "plots" / "wahl2007-fig4.svg").read_text().startswith("<svg")


def test_a_fault_needs_no_confirmation(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "overflowing.seq"
    path.write_text("process P = 0 .. 2; var x[P]: 0 .. 2; rule r(i: P) do { x[i] := x[i] + 1; } deadlockfree d;")

    assert run("check", path, "--symmetry", "adaptive", "--verify") == Exit.MODEL
    assert "value 3 of 'x' is outside 0..2" in capsys.readouterr().out
