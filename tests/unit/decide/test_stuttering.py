"""Deadlock up to stuttering: what leads back to itself, on the quotient as well, and what is not used for it."""

from __future__ import annotations

import pytest
from tests.support.flattened import problems, task_of

from burnside.claims.kinds import DeadlockFree
from burnside.decide.modes import Mode
from burnside.explore.native.run import SearchOptions
from burnside.explore.orders import Orders
from burnside.lint.run import warnings_about
from burnside.results.exploration import Store
from burnside.results.findings import Verdict
from burnside.source import ModelError
from burnside.study import Study

RING = """\
process P = 0 .. 3;
var owner: P;
var at[P]: 0 .. 1;
start one(i: P) do { owner := i; }
rule go(i: P) when at[i] == 0 do { at[i] := 1; }
rule wait(i: P) when owner == i do { at[i] := at[i]; }
"""
PASS = "rule pass(i, j: P) when owner == i && i != j do { owner := j; }\n"
CLAIM = "deadlockfree progress up to stuttering;"


def verdict(text: str, mode: Mode = Mode.NONE, **options: object) -> tuple[Verdict, int | None]:
    """What is found about the only claim, and after how many steps."""
    study = Study(task_of(text), SearchOptions(**options))  # type: ignore[arg-type]
    (finding,) = study.check(mode=mode).findings
    return finding.verdict, finding.trace and len(finding.trace.steps)


@pytest.mark.parametrize("mode", [Mode.NONE, Mode.UNIQUE, Mode.MULTI])
@pytest.mark.parametrize("store", [Store.INDEX, Store.COMPACT])
def test_what_leads_back_to_itself_is_no_progress(mode: Mode, store: Store) -> None:
    if mode is Mode.MULTI and store is Store.COMPACT:
        pytest.skip("a store without indices takes unique representatives")
    assert verdict(RING + CLAIM, mode, store=store) == (Verdict.VIOLATED, 4)
    assert verdict(RING + PASS + CLAIM, mode, store=store) == (Verdict.HOLDS, None)


def test_a_step_inside_an_orbit_is_progress() -> None:
    """There is one orbit, and all steps lead from it to itself."""
    text = "process P = 0 .. 3; var o: P; start s(i: P) do { o := i; } rule r(i: P) when i != o do { o := i; }"
    study = Study(task_of(text + CLAIM))
    report = study.check(mode=Mode.UNIQUE)
    assert report.count.exploration.states == 1
    assert report.findings[0].verdict is Verdict.HOLDS
    assert verdict(text.replace("i != o", "i == o") + CLAIM, Mode.UNIQUE) == (Verdict.VIOLATED, 0)


def test_a_state_without_steps_is_one_and_a_terminal_one_is_none() -> None:
    text = "var x: 0 .. 2; rule up when x < 2 do { x := x + 1; }"
    assert verdict(text + CLAIM) == (Verdict.VIOLATED, 2)
    assert verdict(f"{text} terminal: x == 2; {CLAIM}") == (Verdict.HOLDS, None)
    still = text.replace("x < 2 do { x := x + 1; }", "true do { x := min(x + 1, 2); }")
    assert verdict(still + CLAIM) == (Verdict.VIOLATED, 2)
    assert verdict(f"{still} terminal: x == 2; {CLAIM}") == (Verdict.HOLDS, None)


def test_whether_it_may_end_is_asked_where_nothing_changes() -> None:
    text = "var x: 0 .. 2; rule up do { x := min(x + 1, 2); } terminal: 1 / (2 - x) == 1;"
    assert verdict(f"{text} deadlockfree plain;") == (Verdict.HOLDS, None)
    study = Study(task_of(text + CLAIM))
    report = study.check()
    assert report.findings[0].verdict is Verdict.UNKNOWN
    assert report.count.fault is not None


def test_a_fault_is_no_deadlock() -> None:
    text = "var x: 0 .. 2; rule stay do { } rule bad when x == 0 do { x := 1 / x; }"
    assert verdict(text + CLAIM) == (Verdict.UNKNOWN, None)


def test_all_steps_and_all_variables_are_looked_at() -> None:
    text = "var x: 0 .. 2; var log: 0 .. 1; rule up when x < 2 do { x := x + 1; } rule note do { log := 1 - log; }"
    report = Study(task_of(text + CLAIM), SearchOptions(partial_order=Orders.ON, slices=True)).check(mode=Mode.NONE)
    assert report.findings[0].verdict is Verdict.HOLDS
    assert report.count.slicing is not None
    assert not report.count.slicing.is_used
    assert report.count.partial_order is not None
    assert not report.count.partial_order.is_used
    assert not [w for w in warnings_about([task_of(text + CLAIM)]) if "log" in w.message]


def test_the_adaptive_search_refuses_it() -> None:
    with pytest.raises(ModelError, match="up to stuttering is not checked adaptively"):
        verdict(RING + CLAIM, Mode.ADAPTIVE)


@pytest.mark.parametrize("end", ["up;", "up to;", "up stuttering;", "down to stuttering;"])
def test_the_words_are_said_in_full(end: str) -> None:
    assert "BUR102" in str(problems(f"var x: 0 .. 1; rule r do {{ x := 1 - x; }} deadlockfree d {end}"))


def test_it_reads_back() -> None:
    (claim,) = task_of(RING + CLAIM).claims  # which compares with what is printed
    assert isinstance(claim, DeadlockFree)
    assert claim.up_to_stuttering
    assert claim != DeadlockFree("progress")
