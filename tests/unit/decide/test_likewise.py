"""Members of families that one run decides, renamed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from burnside.claims.task import Task
from burnside.decide import likewise
from burnside.decide.likewise import closed
from burnside.decide.modes import Mode
from burnside.explore import replay
from burnside.explore.replay import replay_witness
from burnside.frontends.loading import load
from burnside.ir.semantics import fire
from burnside.results.findings import CheckReport, StateFinding, Verdict
from burnside.study import Study

COUNTERS = """
    const N = 6;
    process P = 0 .. N-1;
    var x[P]: 0..5;
    rule inc(i: P) when x[i] < 5 do { x[i] := x[i] + 1; }
    rule dec(i: P) when x[i] > 0 do { x[i] := x[i] - 1; }
    invariant low(i: P): x[i] < 5;
    reachable high(i: P): x[i] == 5;
    """


def task_of(text: str, folder: Path) -> Task:
    """What a text asks."""
    path = folder / "model.seq"
    path.write_text(text)
    return load(path)


def said(report: CheckReport) -> dict[str, str]:
    """Which run each member has: a number of steps, or which run it is renamed, and how."""
    found = {}
    for finding in report.findings:
        assert isinstance(finding, StateFinding)
        assert finding.trace is not None
        path = [finding.trace.initial, *(step.state for step in finding.trace.steps)]
        replay_witness(report.count.model, path, finding.member)
        like = finding.likewise
        steps = f"{len(finding.trace.steps)} steps"
        found[finding.member.name] = f"{like.renaming}, {like.member.name}" if like else steps
    return found


@pytest.mark.parametrize("mode", [*Mode])
def test_one_run_for_all_members(mode: Mode, tmp_path: Path) -> None:
    """On the quotient, members were once judged until each was hit: runs of 30, 25, 20, 15, 10 and 5 steps."""
    report = Study(task_of(COUNTERS, tmp_path)).check(mode=mode)

    assert all(f.trace is not None and len(f.trace.steps) == 5 for f in report.findings)
    assert said(report) == {
        "low(0)": "5 steps",
        **{f"low({k})": f"exchange P 0 and {k}, low(0)" for k in range(1, 6)},
        "high(0)": "5 steps",
        **{f"high({k})": f"exchange P 0 and {k}, high(0)" for k in range(1, 6)},
    }


def test_one_member_has_its_own_run(tmp_path: Path) -> None:
    """Asked alone, it is not compared with anything."""
    assert said(Study(task_of(COUNTERS, tmp_path)).check(["low(3)"])) == {"low(3)": "5 steps"}


def test_rings_are_rotated(tmp_path: Path) -> None:
    """Where exchanging two processes is not enough."""
    text = """
        process P = 0 .. 3;
        var token: P = *; var passed[P]: 0..2;
        rule pass(i: P) when token == i && passed[i] < 2 do { token := (i + 1) % 4; passed[i] := passed[i] + 1; }
        reachable twice(i: P): passed[i] == 2 && passed[(i + 1) % 4] == 2;
        """
    found = said(Study(task_of(text, tmp_path)).check())

    assert found["twice(0)"] == "6 steps"
    assert found["twice(2)"].startswith("rotate P ") or found["twice(2)"].startswith("exchange P 0 and 2, 1 and 3")


def test_data_and_several_parameters(tmp_path: Path) -> None:
    """Each parameter by its sort; what follows from the values of the parameters moves as little as possible."""
    text = """
        process P = 0 .. 2; domain Colour = { red, green, blue };
        var mine[P]: Colour = *; var yours[P]: Colour = red;
        rule give(i: P, j: P) when i != j do { yours[j] := mine[i]; }
        reachable given(i: P, c: Colour): yours[i] == c && mine[i] != c;
        """
    found = said(Study(task_of(text, tmp_path)).check())

    assert found["given(0, green)"] == "1 steps"
    assert found["given(1, green)"] == "exchange P 0 and 1, given(0, green)"
    assert found["given(0, blue)"] == "exchange the values green and blue of Colour, given(0, green)"
    assert found["given(2, blue)"].startswith("exchange P 0 and 2, exchange the values green and blue of Colour")


def test_members_that_differ_have_runs_of_their_own(tmp_path: Path) -> None:
    """Process 2 begins elsewhere; those that are alike are compared with one another."""
    text = COUNTERS.replace("var x[P]: 0..5;", "var x[P]: 0..5 = [0, 0, 3, 3, 0, 0];")
    found = said(Study(task_of(text, tmp_path)).check())

    assert found["low(2)"] == "2 steps"
    assert found["low(1)"] == "exchange P 0 and 1, low(0)"
    assert found["low(3)"] == "exchange P 2 and 3, low(2)"


def test_symmetries_of_the_quotient_are_tried_too(tmp_path: Path) -> None:
    """Exchanging two clients takes their servers along, which only detection knows."""
    text = """
        process Client = 0 .. 3; process Server = 0 .. 1;
        var asked[Client]: bool; var done[Client]: bool; var last[Server]: 0..1 = *;
        rule ask(c: Client) when !asked[c] do { asked[c] := true; last[ord(c) / 2] := ord(c) % 2; }
        rule answer(c: Client) when asked[c] && last[ord(c) / 2] == ord(c) % 2 do { done[c] := true; }
        invariant never(c: Client): !done[c];
        """
    task = task_of(text, tmp_path)
    found = said(Study(task).check(mode=Mode.UNIQUE))

    assert found["never(0)"] == "2 steps"
    assert all("never(0)" in words for name, words in found.items() if name != "never(0)")


def test_chains_become_cycles() -> None:
    """A map that is to be part of a permutation."""
    assert closed({0: 1}) == {0: 1, 1: 0}
    assert closed({0: 1, 1: 2}) == {0: 1, 1: 2, 2: 0}
    assert closed({3: 3}) == {}


def test_renamed_step_that_no_rule_instance_takes(tmp_path: Path) -> None:
    """The rule is for some processes only: renamed, its instance is none."""
    text = """
    process P = 0 .. 2;
    domain S = 0 .. 1 of P;
    var x[P]: bool;
    rule set(i: S) do { x[i] := true; }
    rule late when x[0] && x[1] do { x[2] := true; }
    invariant low(i: P): !x[i];
    """
    report = Study(task_of(text, tmp_path)).check(mode=Mode.NONE)

    assert said(report) == {"low(0)": "1 steps", "low(1)": "exchange P 0 and 1, low(0)", "low(2)": "3 steps"}


def test_wrong_guesses_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A renamed run that is none costs all rule instances; there can be a guess for every pair of members."""
    fired = 0

    def counting(*given: Any) -> Any:
        nonlocal fired
        fired += 1
        return fire(*given)

    text = """
    const N = 6;
    process P = 0 .. N-1;
    var x[P]: bool;
    var y[P]: bool;
    def mixed(i, j: 0 .. N-1) = (i * 7 + j * 5 + i * j) % N;
    rule set(i, j, k: P) when !(exists n in P: x[n]) && ord(i) < ord(j) && mixed(ord(i), ord(j)) == ord(k)
    do { x[i] := true; x[j] := true; y[k] := true; }
    invariant low(i, j: P): ord(i) >= ord(j) || !x[i] || !x[j];
    """
    monkeypatch.setattr(replay, "fire", counting)
    monkeypatch.setattr(likewise, "_MOST_TRIED", 500)
    report = Study(task_of(text, tmp_path)).check(mode=Mode.NONE)

    violated = sum(finding.verdict is Verdict.VIOLATED for finding in report.findings)
    assert violated == 15
    assert fired <= 500 + violated * 6**3
