"""What is left out of a model, and what is not: models that were written to have too much left out."""

from __future__ import annotations

from pathlib import Path

import pytest

import burnside
from burnside.decide.slices import needs_of
from burnside.ir.cells import Cells
from burnside.ir.printer import print_model
from burnside.ir.semantics import fire
from burnside.reduce.reduction import SelfTestError
from burnside.reduce.slicing.cut import Slice, slice_model
from burnside.reduce.slicing.self_test import confirm_slice
from burnside.values import replace

LIVE = "var x: 0 .. 3 = 0;\n"
CLAIM = "invariant small: x < 4;\n"
STEP = "x := (x + 1) % 4;"


@pytest.fixture
def cut(tmp_path: Path):
    """The slice of a text for what it asks."""

    def sliced(text: str) -> Slice | None:
        path = tmp_path / "model.seq"
        path.write_text(text)
        (task,) = burnside.load(path).tasks
        return slice_model(task.model, needs_of(task.claims, None))

    return sliced


LEFT_OUT = {
    "written and never read": ("var d: 0 .. 3 = 0;", "d := x;", "d"),
    "read by itself": ("var d: 0 .. 3 = 0;", "d := (d + 1) % 4;", "d"),
    "read by another one": ("var d: 0 .. 3 = 0; var e: 0 .. 3 = 0;", "d := x; e := d;", "d e"),
    "limited by a condition": ("var d: 0 .. 3 = 0;", "if d < 3 { d := d + 1; }", "d"),
    "limited by min": ("var d: 0 .. 3 = 0;", "d := min(d + 1, 3);", "d"),
    "in an index": ("var d: 0 .. 1 = 0; var a[0 .. 1]: bool = false;", "d := 1 - d; a[d] := true;", "d a"),
    "in a condition around others": (
        "var d: bool = false; var e: bool = false;",
        "if d { e := true; } d := !d;",
        "d e",
    ),
    "through a local": ("var d: 0 .. 3 = 0; var e: 0 .. 3 = 0;", "let w = d; e := w; d := x;", "d e"),
    "in a sum": (
        "var a[0 .. 1]: bool = false; var n: 0 .. 2 = 0;",
        "a[0] := true; n := count k in 0 .. 1: a[k];",
        "a n",
    ),
    "of any value at first": ("var d: 0 .. 3 = *;", "", "d"),
    "a queue that is never too full": ("var q: seq[2] of 0 .. 3;", "if !full(q) { push(q, x); }", "q"),
    "a queue that is never too empty": ("var q: seq[2] of 0 .. 3;", "if !empty(q) { pop(q); }", "q"),
    "checked where it is written": ("var d: 0 .. 1 = 0;", "d := x;", "d"),
    "never reached": ("var d: 0 .. 1 = 0;", "if x > 3 { d := d + 1; }", "d"),
}


@pytest.mark.parametrize(("declared", "body", "names"), LEFT_OUT.values(), ids=LEFT_OUT)
def test_what_nothing_depends_on_is_left_out(declared: str, body: str, names: str, cut) -> None:
    """Whatever else writes to it."""
    found = cut(f"{LIVE}{declared}\nrule r do {{ {STEP} {body} }}\n{CLAIM}")

    assert found is not None
    assert found.left_out == tuple(names.split())
    confirm_slice(found, 1.0)


NEEDED = {
    "leaves its domain": ("var d: 0 .. 3 = 0;", f"rule r do {{ {STEP} d := d + 1; }}"),
    "leaves its domain in the end": (
        "var d: 0 .. 3 = 0;",
        f"rule r do {{ {STEP} if d < 3 {{ d := d + 1; d := d + 1; }} }}",
    ),
    "leaves its domain in a loop": (
        "var d: 0 .. 3 = 0;",
        f"rule r do {{ {STEP} if d < 3 {{ for k in 0 .. 1 {{ d := d + 1; }} }} }}",
    ),
    "is tested as another element": (
        "var d: 0 .. 1 = 0; var a[0 .. 1]: 0 .. 1 = 0;",
        f"rule r do {{ {STEP} if a[d] < 1 {{ d := 1 - d; a[d] := a[d] + 1; }} }}",
    ),
    "is an index that is wrong": (
        "var d: 0 .. 2 = 0; var a[0 .. 1]: bool = false;",
        f"rule r do {{ {STEP} d := (d + 1) % 3; a[d] := true; }}",
    ),
    "is a divisor": ("var d: 0 .. 2 = 2; var e: 0 .. 6;", f"rule r do {{ {STEP} d := (d + 2) % 3; e := 6 / d; }}"),
    "is in a guard": ("var d: bool = false;", f"rule r when d do {{ {STEP} d := !d; }}"),
    "decides a branch": ("var d: bool = false;", f"rule r do {{ if d {{ {STEP} }} d := !d; }}"),
    "decides how often": (
        "var d: 0 .. 2 = 0;",
        f"rule r do {{ {STEP} d := 2; while d > 0 limit 1 {{ d := d - 1; }} }}",
    ),
    "is asserted": ("var d: bool = false;", f"rule r do {{ {STEP} d := !d; assert !d; }}"),
    "is a full queue": ("var d: seq[2] of 0 .. 3;", f"rule r do {{ {STEP} push(d, x); }}"),
    "is filled twice": (
        "var d: seq[2] of 0 .. 3;",
        f"rule r do {{ {STEP} if len(d) < 2 {{ push(d, x); push(d, x); }} }}",
    ),
    "is an empty queue": ("var d: seq[2] of 0 .. 3;", f"rule r do {{ {STEP} pop(d); }}"),
    "has an item": ("var d: seq[2] of 0 .. 3;", f"rule r do {{ {STEP} d[0] := x; }}"),
    "is related at first": ("var d: 0 .. 3 = *;", f"initially d == x;\nrule r do {{ {STEP} d := 0; }}"),
    "decides what is terminal": ("var d: bool = false;", f"rule r when x < 3 do {{ {STEP} d := !d; }}\nterminal: d;"),
    "is seen in an event that may fault": ("var d: 0 .. 1 = 1;", f"rule r as e(1 / d) do {{ {STEP} d := 1 - d; }}"),
    "is seen in an event that is asked for": (
        "var d: 0 .. 1 = 1;",
        f"rule r as e(d) do {{ {STEP} d := 1 - d; }}\nltl seen: [] (event e(1) => X event e(0));",
    ),
    "is in a formula": ("var d: bool = false;", f"rule r do {{ {STEP} d := !d; }}\nltl again: [] <> d;"),
    "is in a local that does not fit": (
        "var d: 0 .. 3 = 0; var e: 0 .. 3 = 0;",
        f"rule r do {{ {STEP} d := (d + 1) % 4; var w: 0 .. 2 := d; e := w; }}",
    ),
}


@pytest.mark.parametrize(("declared", "rest"), NEEDED.values(), ids=NEEDED)
def test_what_could_make_a_difference_is_kept(declared: str, rest: str, cut) -> None:
    """The variable ``d`` of each of these models."""
    found = cut(f"{LIVE}{declared}\n{rest}\n{CLAIM}")

    assert found is None or "d" not in found.left_out


def test_a_value_that_may_not_fit_is_checked_where_it_was_written(cut) -> None:
    """The variable goes, the fault stays."""
    found = cut(f"{LIVE}var d: 0 .. 2 = 0;\nrule r do {{ {STEP} d := x; }}\n{CLAIM}")

    assert "assert 0 <= x && x <= 2;" in print_model(found.model)
    confirm_slice(found, 1.0)


def test_a_condition_that_may_fault_is_evaluated_where_it_decides_nothing(cut) -> None:
    """The branch is gone, and its division by zero is not."""
    found = cut(f"{LIVE}var d: bool = false;\nrule r do {{ {STEP} if 6 / x > 2 {{ d := !d; }} }}\n{CLAIM}")

    assert found.left_out == ("d",)
    assert "if " not in print_model(found.model)
    assert fire(Cells(found.model), found.model.rules[0], (), (3,)).kind == "division"
    confirm_slice(found, 1.0)


def test_arguments_of_events_go_with_what_they_read(cut) -> None:
    """Unless a formula asks for events."""
    found = cut(f"{LIVE}var d: 0 .. 1 = 1;\nrule r as e(x, d) do {{ {STEP} d := 1 - d; }}\n{CLAIM}")

    assert len(found.model.rules[0].event.arguments) == 1


def test_a_state_has_something_in_it(cut) -> None:
    """Of variables that nothing at all depends on one is kept."""
    found = cut("var d: bool = false; var e: bool = false;\nrule r do { d := !d; e := d; }\ndeadlockfree ends;")

    assert len(found.model.variables) == 1


def test_the_self_test_notices_what_should_not_have_been_left_out(cut) -> None:
    """Here a guard that was not there before."""
    found = cut(f"{LIVE}var d: 0 .. 3 = 0;\nrule r when x < 3 do {{ {STEP} d := x; }}\n{CLAIM}")
    wrong = replace(found.model.rules[0], body=())

    with pytest.raises(SelfTestError):
        confirm_slice(replace(found, model=replace(found.model, rules=(wrong,))), 1.0)
