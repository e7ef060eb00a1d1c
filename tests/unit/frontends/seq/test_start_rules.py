"""Start rules of texts: what they make, what is wrong with them, and where they are looked at."""

from __future__ import annotations

import pytest
from tests.support.flattened import problems, task_of

from burnside.detect.run import Symmetries
from burnside.explore.walk import begin_walk
from burnside.frontends.seq import load
from burnside.ir.initial import first_values, initial, initial_fits, started
from burnside.ir.printer import print_model
from burnside.ir.semantics import Fault, FaultRaised
from burnside.lint.run import warnings_about
from burnside.reduce.slicing.cone import Needs
from burnside.reduce.slicing.cut import slice_model
from burnside.reduce.slicing.self_test import confirm_slice
from burnside.report.explanation import explanation_lines
from burnside.report.text import fault_at_first
from burnside.source import Source
from burnside.study import Study

OWNERS = """\
process P = 0 .. 2;
var owner: P?;
var at[P]: 0 .. 3;
start one(i: P) do { owner := i; at[i] := 1; }
rule go(i: P) when owner == i && at[i] < 3 do { at[i] := at[i] + 1; }
rule give(i, j: P) when owner == i && i != j do { owner := j; }
"""


def test_each_instance_makes_a_state_and_equal_ones_are_one() -> None:
    text = "var x: 0 .. 3; var y: 0 .. 1 = *; start s(k: 0 .. 3) when k + y != 2 do { x := k / 2; y := 0; }"
    model = task_of(text).model
    assert [*initial(model)] == [(0, 0), (1, 0)]
    assert first_values(model) == ((0, 1), (0,))
    assert initial_fits(model, (1, 0))
    assert not initial_fits(model, (1, 1))


def test_they_are_run_on_what_is_left_of_the_values_that_variables_begin_with() -> None:
    text = "var x: 0 .. 3 = *; initially x > 1; start same do { } start less do { x := x - 1; }"
    assert [*initial(task_of(text).model)] == [(1,), (2,), (3,)]


def test_without_a_true_guard_there_is_no_initial_state() -> None:
    model = task_of("var x: 0 .. 3 = *; start s when x < 0 do { }").model
    assert [*initial(model)] == []
    assert first_values(model) == (range(4),)


def test_a_fault_names_the_rule_and_its_arguments() -> None:
    model = task_of("var x: 0 .. 3; start s(k: 0 .. 1) do { x := 1 / k; }").model
    for _ in range(2):  # what is remembered is a fault as well
        with pytest.raises(FaultRaised, match="division by zero") as raised:
            started(model)
        fault = raised.value.start
        assert fault is not None
        assert fault_at_first(fault) == "in start rule 's(0)'"
    assert isinstance(begin_walk(model, (), 0), Fault)


def test_start_is_a_name_elsewhere() -> None:
    task = task_of("var start: 0 .. 3; start start do { start := 2; } rule start when start == 2 do { start := 1; }")
    assert [*initial(task.model)] == [(2,)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("var x: 0 .. 3; start s do { y := 1; }", "BUR201"),
        ("var x: 0 .. 3; start s do { x := true; }", "BUR203"),
        ("var x: 0 .. 3; start s do { } start s do { }", "BUR202"),
        ("var x: 0 .. 3; start do { }", "BUR102"),
        ("var x: 0 .. 3; start s as e do { }", "BUR102"),
        ("var a[0 .. 20]: 0 .. 3 = *; start s do { a[0] := 1; }", "BUR502"),
        ("var x: 0 .. 3; start s(i, j, k: 0 .. 99) do { }", "BUR502"),
        ("process P = 0 .. 1; process Q = 0 .. 1; var x: P; start s(q: Q) do { x := q; }", "BUR221"),
    ],
)
def test_what_is_wrong_is_said(text: str, expected: str) -> None:
    assert expected in str(problems(text))


def test_a_start_rule_reads_back() -> None:
    model = task_of(OWNERS).model
    (again,) = load(Source("again.seq", print_model(model)), {}).tasks
    assert again.model == model
    assert again.model.starts


def test_start_rules_that_are_alike_cost_no_symmetry() -> None:
    assert Symmetries(task_of(OWNERS).model).keeping(()).symmetry.group.order == 6
    free = OWNERS.replace("at[i] := 1;", "for j in P { if j != i { at[j] := 2; } }")
    assert Symmetries(task_of(free).model).keeping(()).symmetry.group.order == 6


def test_the_last_round_of_a_loop_counts_by_what_it_makes() -> None:
    """The loop writes everybody in turn, and only the last one stays: a process is singled out, and it shows."""
    last = OWNERS.replace("start one(i: P) do { owner := i; at[i] := 1; }", "start s do { for i in P { owner := i; } }")
    assert Symmetries(task_of(last).model).keeping(()).symmetry.group.order == 2


def test_what_singles_somebody_out_is_named() -> None:
    text = OWNERS.replace("start one(i: P) do { owner := i; at[i] := 1; }", "start one do { owner := P.1; }")
    explanation = Study(task_of(text)).symmetries(explained=True).explanation
    assert explanation is not None
    assert any("initial value at 4:" in line for line in explanation_lines(explanation))


def test_slices_cut_start_rules_like_others() -> None:
    text = f"{OWNERS}var seen: P; start two(i: P) do {{ seen := i; }} rule r(i: P) do {{ seen := i; }}\n"
    model = task_of(text).model
    cut = slice_model(model, Needs())
    assert cut is not None
    assert cut.left_out == ("seen",)
    assert {cut.project(state) for state in initial(model)} == set(initial(cut.model))
    assert {cut.first_above(state) for state in initial(cut.model)} <= set(initial(model))
    confirm_slice(cut, 1)


def test_a_variable_that_start_rules_write_may_begin_as_anything() -> None:
    text = "var x: 0 .. 3; start s(k: 0 .. 3) do { x := k; } rule r when x == 3 do { x := 0; } invariant p: x != 2;"
    assert not [w for w in warnings_about([task_of(text)]) if w.code == "BUR703"]
