"""Values that are checked by domains: ``leader as Phil``."""

from __future__ import annotations

import pytest
from tests.support.flattened import problems, task_of

from burnside.ir.initial import initial
from burnside.ir.intervals import Bounds
from burnside.ir.nodes import Assign, Bound, Checked, Const, Domain, Read, Unary
from burnside.ir.printer import print_expr
from burnside.ir.semantics import Fault, Step, successors

DECLARATIONS = """\
process P = 0 .. 2;
domain Place = { idle, busy };
domain Level = 1 .. 2;
record R { who: P?, place: Place? }
var w: P?;
var a[P]: Place?;
var q: seq[2] of P? = [1, none];
var r: R;
var x: 0 .. 9;
var at[P]: Place;
"""


def outcome(statements: str) -> Step | Fault:
    """What comes of a rule in the first state."""
    model = task_of(f"{DECLARATIONS} rule go do {{ {statements} }}").model
    (found,) = successors(model, next(iter(initial(model))))
    return found


@pytest.mark.parametrize(
    ("statements", "message"),
    [
        ("at[w as P] := busy;", "'w' is read while it is none"),
        ("at[0] := a[2] as Place;", "'a[2]' is read while it is none"),
        ("at[q[1] as P] := busy;", "'q[1]' is read while it is none"),
        ("at[r.who as P] := busy;", "'r.who' is read while it is none"),
        ("at[0] := r.place as Place;", "'r.place' is read while it is none"),
        ("var v: P? := w; at[v as P] := busy;", "'v' is read while it is none"),
        ("x := x as Level;", "value 0 of 'x' is outside 1..2"),
        ("x := (x + 5) as (0 .. 3);", "value 5 is outside 0..3"),
        ("x := ord(w as P) / 0;", "'w' is read while it is none"),
        ("if (w as P) == 0 { }", "'w' is read while it is none"),
        ("for i in P where i == (w as P) { }", "'w' is read while it is none"),
    ],
)
def test_what_is_outside_is_a_fault(statements: str, message: str) -> None:
    found = outcome(statements)
    assert isinstance(found, Fault)
    assert (found.kind, found.message) == ("domain", message)


@pytest.mark.parametrize(
    "statements",
    [
        "at[q[0] as P] := busy;",
        "x := (x + 2) as Level;",
        "if false && (w as P) == 0 { }",
        "x := if w == none then 1 else ord(w as P);",
        "w := 1; at[w as P] := busy;",
        "x := -x as (0 .. 0);",
        "w := w as (P?);",
    ],
)
def test_what_is_inside_is_itself(statements: str) -> None:
    assert isinstance(outcome(statements), Step)


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("at[w as Q] := busy;", "BUR201"),
        ("at[w as 0 .. 2] := busy;", "BUR102"),
        ("at[0] := x as Place;", "BUR203"),
        ("x := w as Place;", "BUR203"),
        ("if (x == 1) as bool { }", "BUR203"),
        ("x := r as R;", "BUR203"),
        ("x := w as P;", "BUR221"),
        ("at[(x as R)] := busy;", "BUR203"),
        ("x := x as;", "BUR102"),
        ("x := x as (0 .. 9;", "BUR102"),
    ],
)
def test_what_is_wrong_is_said(statement: str, expected: str) -> None:
    assert expected in str(problems(f"{DECLARATIONS} rule go do {{ {statement} }}"))


def test_it_binds_tightest() -> None:
    model = task_of(f"{DECLARATIONS} rule go do {{ x := -x as (0 .. 3); }}").model
    (statement,) = model.rules[0].body
    assert isinstance(statement, Assign)
    assert isinstance(statement.value, Unary)
    assert isinstance(statement.value.operand, Checked)


def test_signs_in_front_are_printed_so_that_they_read_back() -> None:
    small = Domain("", 0, 3)
    checked = Checked(Bound("i", small), small)
    assert print_expr(Unary("-", checked)) == "-i as (0 .. 3)"
    assert print_expr(Checked(Unary("-", Bound("i", small)), small)) == "(-i) as (0 .. 3)"
    assert print_expr(Unary("-", Checked(Const(5), small))) == "-(5 as (0 .. 3))"
    assert print_expr(Checked(Const(-5), small)) == "-5 as (0 .. 3)"
    assert print_expr(Checked(checked, small)) == "i as (0 .. 3) as (0 .. 3)"


def test_bounds_are_those_of_the_domain_unless_the_value_fits_anyway() -> None:
    model = task_of(DECLARATIONS).model
    bounds = Bounds({v.name: v for v in model.variables}, {})
    assert bounds.of(Checked(Read("x"), Domain("", 2, 12))) == (2, 12)
    assert bounds.of(Checked(Read("x"), Domain("", -2, 12))) == (0, 9)
