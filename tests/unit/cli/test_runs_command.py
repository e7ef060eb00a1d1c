"""Claims about infinite runs on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import burnside
from burnside.cli.exits import Exit
from burnside.cli.main import main

MUTEX = """\
const N = 3;
process P = 0 .. N-1;
domain Place = { idle, waiting, critical };
var at[P]: Place = idle;
rule ask(i: P) when at[i] == idle do { at[i] := waiting; }
rule enter(i: P) when at[i] == waiting && forall j in P: at[j] != critical do { at[i] := critical; }
rule leave(i: P) when at[i] == critical do { at[i] := idle; }
invariant mutex: (count i in P: at[i] == critical) <= 1;
ltl served(i: P): [] (at[i] == waiting => <> at[i] == critical);
ltl somebody under weak fairness: []<> event enter(_);
"""

COUNTER = """\
var x: 0 .. 99999999;
rule up when x < 90000000 do { x := x + 1; }
ltl done: <> x == 99999999;
"""

FAULTY = """\
var x: 0 .. 3;
var a[0 .. 2]: bool;
rule up when x < 3 do { x := x + 1; }
ltl odd: []<> a[x];
"""


def run(*arguments: object) -> int:
    """The exit code of a command line."""
    return main([str(a) for a in arguments])


@pytest.fixture
def mutex(tmp_path: Path) -> Path:
    """The path of a model of mutual exclusion."""
    path = tmp_path / "mutex.seq"
    path.write_text(MUTEX)
    return path


def test_a_violated_claim_shows_a_stem_and_a_loop(mutex: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In the user's names; the other members of the family follow by symmetry."""
    assert run("check", mutex, "--symmetry", "unique") == Exit.VIOLATED
    out = capsys.readouterr().out

    assert "served(0)  violated\n" in out
    assert "served(2)  violated, by symmetry with served(0)\n" in out
    assert "somebody   holds under weak fairness\n" in out
    assert "mutex      holds\n" in out
    assert "here begins the loop\n" in out
    assert out.count("is violated by a run of") == 1


def test_fairness_can_be_given(mutex: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Strong fairness serves everybody, weak fairness does not."""
    assert run("check", mutex, "--property", "served", "--fairness", "strong") == Exit.DONE
    assert "holds under strong fairness" in capsys.readouterr().out
    assert run("check", mutex, "--property", "served(1)", "--fairness", "weak") == Exit.VIOLATED
    assert "'served(1)' is violated by a fair run" in capsys.readouterr().out


@pytest.mark.parametrize("symmetry", ["none", "unique", "multi", "auto"])
def test_every_mode_has_the_same_verdicts(mutex: Path, symmetry: str, capsys: pytest.CaptureFixture[str]) -> None:
    """With figures of its own for every search."""
    for fairness, verdict in (("none", "violated"), ("weak", "violated"), ("strong", "holds")):
        run("check", mutex, "--property", "served", "--fairness", fairness, "--symmetry", symmetry, "--json")
        found = json.loads(capsys.readouterr().out)["properties"]

        assert [p["verdict"] for p in found] == [verdict] * 3
        assert all(p["fairness"] == fairness and p["states"] > 0 for p in found)
        assert all((p["trace"] is None) == (verdict == "holds") for p in found)


def test_traces_say_where_the_loop_begins(mutex: Path, tmp_path: Path) -> None:
    """In the file of traces as in the report."""
    traces = tmp_path / "traces.json"

    assert run("check", mutex, "--property", "served", "--trace", traces, "--quiet") == Exit.VIOLATED
    found = json.loads(traces.read_text())

    assert set(found) == {"served(0)", "served(1)", "served(2)"}
    assert all(0 <= t["loop"] < len(t["steps"]) for t in found.values())


def test_limits_leave_a_claim_unknown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Of time and of memory."""
    path = tmp_path / "counter.seq"
    path.write_text(COUNTER)

    for limit in (("--time", "0.2"), ("--memory", "20M")):
        assert run("check", path, *limit) == Exit.LIMIT
        assert "unknown" in capsys.readouterr().out


def test_a_fault_in_a_formula_is_shown_where_it_happens(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As a shortest way there, with the place in the text."""
    path = tmp_path / "faulty.seq"
    path.write_text(FAULTY)

    assert run("check", path) == Exit.MODEL
    out, err = capsys.readouterr()
    assert "the model faults in a property after 3 steps" in out
    assert "faulty.seq:4" in err


def test_runs_are_not_checked_adaptively(mutex: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """That is said, not ignored."""
    assert run("check", mutex, "--property", "served", "--symmetry", "adaptive") == Exit.MODEL
    assert "BUR902" in capsys.readouterr().err


def test_fairness_is_for_runs_only(mutex: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Asked for where it has no meaning, it is refused."""
    assert run("check", mutex, "--property", "mutex", "--fairness", "weak") == Exit.MODEL
    assert "BUR902" in capsys.readouterr().err


def test_symmetries_that_keep_a_formula_can_be_seen(mutex: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Those that keep its conditions; events are looked at by check only."""
    assert run("detect", mutex, "--property", "served(0)", "--json") == Exit.DONE
    assert json.loads(capsys.readouterr().out)["order"] == 2
    assert run("detect", mutex, "--property", "somebody") == Exit.MODEL
    assert "speaks of events" in capsys.readouterr().err


def test_automata_can_be_dumped(mutex: Path, tmp_path: Path) -> None:
    """In the Hanoi format, one for each formula."""
    run("check", mutex, "--dump", tmp_path / "dump", "--quiet")

    assert (tmp_path / "dump" / "violations_2.hoa").read_text().startswith("HOA: v1\n")


def test_the_python_interface_has_them_too(mutex: Path) -> None:
    """Verdicts and traces by name."""
    found = burnside.load(mutex).check("served", fairness="weak")

    assert set(found.verdicts.values()) == {"violated"}
    assert len(found.traces) == 3
