"""Local arrays of texts: written out element by element, with the meaning of an array."""

from __future__ import annotations

import pytest
from tests.support.flattened import problems, task_of

from burnside.frontends.kit.arrays import LocalArray
from burnside.ir.cells import State
from burnside.ir.initial import initial
from burnside.ir.nodes import BOOL, Bound, Const, Domain
from burnside.ir.printer import print_expr
from burnside.ir.semantics import Fault, Step, successors

DECLARATIONS = """\
process P = 0 .. 2;
process Q = 0 .. 2;
domain Kind = { low, mid, high };
domain More = Kind + { none_at_all };
record R { a: P }
var x: 0 .. 9 = 3;
var k: More = mid;
var p: P = 1;
var b: bool = true;
"""


def outcome(statements: str) -> State | str:
    """The values of x, k, p and b after some statements, or what is wrong with them."""
    model = task_of(f"{DECLARATIONS} rule go do {{ {statements} }}").model
    (found,) = successors(model, next(iter(initial(model))))
    return found.message if isinstance(found, Fault) else found.state


@pytest.mark.parametrize(
    ("statements", "x"),
    [
        ("var t[P]: 0 .. 3 := 2; x := t[p];", 2),
        ("var t[P]: 0 .. 3; t[p] := 3; x := 10 * t[0] + t[1];", 3),
        ("var t[P]: 0 .. 3; t[p] := 3; x := t[0] + 2 * t[1] + t[2];", 6),
        ("var t[1 .. 4]: 0 .. 9; for i in 1 .. 4 { t[i] := i * i % 7; } x := t[x] + t[4];", 4),
        ("var t[Kind]: 0 .. 3; t[k as Kind] := 1; t[high] := 3; x := t[low] + t[mid] + t[high];", 4),
        ("var t[bool]: 0 .. 3; t[b] := 2; x := t[x < 5] - t[false];", 2),
        ("var t[P][bool]: 0 .. 3; t[p][x == 3] := 1; x := count i in P, c in bool: t[i][c] == 1;", 1),
        ("var t[5 .. 5]: 0 .. 3 := 1; t[x + 2] := 2; x := t[5];", 2),
        ("var t[P]: P; for i in P { t[i] := 2 - i; } x := ord(t[t[0]]);", 0),
        ("var t, u[P], v: 0 .. 3 := 1; u[p] := 2; x := t + u[0] + u[1] + v;", 5),
        ("var t[P]: 0 .. 3; { } ", None),
        ("var t[P]: 0 .. 3 := 1; if b { var u[P]: 0 .. 3 := 2; t[p] := u[p]; } x := t[1] + t[2];", 3),
        ("var t[P]: 0 .. 3; var i: P := p; while t[i] < 2 limit 5 { t[i] := t[i] + 1; } x := t[1];", 2),
        ("var t[P]: 0 .. 3 := 1; let y = t[p]; t[p] := 2; x := y;", 1),
    ],
)
def test_it_has_the_values_of_an_array(statements: str, x: int | None) -> None:
    if x is None:
        assert "BUR102" in str(problems(f"{DECLARATIONS} rule go do {{ {statements} }}"))
        return
    found = outcome(statements)
    assert not isinstance(found, str), found
    assert found[0] == x


@pytest.mark.parametrize(
    ("statements", "message"),
    [
        ("var t[P]: 0 .. 3; x := t[x];", "value 3 of 'x' is outside 0..2"),
        ("var t[P]: 0 .. 3; t[x] := 1;", "value 3 of 'index of t' is outside 0..2"),
        ("var t[P]: 0 .. 3; t[p] := x + 1;", "value 4 of 't[…]' is outside 0..3"),
        ("var t[P]: 0 .. 3; t[1] := x + 1;", "value 4 of 't[1]' is outside 0..3"),
        ("var t[P]: 0 .. 3; t[x + 5] := 1 / 0;", "value 8 of 'index of t' is outside 0..2"),
        ("var t[P]: 0 .. 3 := x + 1;", "value 4 of 't[0]' is outside 0..3"),
        ("var t[5 .. 5]: 0 .. 3; x := t[x];", "value 3 of 'x' is outside 5..5"),
        ("var t[Kind]: 0 .. 3; k := none_at_all; x := t[k];", "'k' is read while it is none_at_all"),
        ("var t[P]: P?; x := ord(t[p] as P);", "'t[1]' is read while it is none"),
        ("var t[P]: 0 .. 3; x := t[7];", "value 7 is outside 0..2"),
    ],
)
def test_what_is_outside_is_a_fault(statements: str, message: str) -> None:
    assert outcome(statements) == message


@pytest.mark.parametrize(
    ("statements", "expected"),
    [
        ("var t[P]: 0 .. 3; x := t;", "BUR204"),
        ("var t[P]: 0 .. 3; t := 1;", "BUR204"),
        ("var t[P]: 0 .. 3; x := t[0][0];", "BUR204"),
        ("var t[P]: 0 .. 3; x := t[low];", "BUR203"),
        ("var t[Kind]: 0 .. 3; x := t[x];", "BUR203"),
        ("var t[P]: 0 .. 3; t[0] := true;", "BUR203"),
        ("var t[P]: R;", "BUR901"),
        ("var t[P]: set of P;", "BUR901"),
        ("var t[0 .. 999]: bool;", "BUR502"),
        ("var t[0 .. 999999][0 .. 999999]: bool;", "BUR502"),
        ("var t[0 .. 255]: 0 .. 255; x := t[t[t[x]]];", "BUR502"),
        ("var t[P]: 0 .. 3; call(t[0]);", "BUR901"),
        ("var t[P]: 0 .. 3; var t: bool;", "BUR202"),
        ("var x[P]: 0 .. 3;", "BUR202"),
        ("var t[Q]: 0 .. 3; x := t[p];", "BUR221"),
        ("var t[Q]: 0 .. 3; t[p] := 1;", "BUR221"),
        ("var t[Nobody]: 0 .. 3;", "BUR201"),
        ("let t[P] = 3;", "BUR102"),
    ],
)
def test_what_is_wrong_is_said(statements: str, expected: str) -> None:
    text = f"{DECLARATIONS} procedure call(ref r: 0 .. 3) {{ r := 1; }} rule go do {{ {statements} }}"
    found = problems(text)
    assert expected in str(found)
    assert len(found) <= 2


def test_procedures_and_start_rules_have_them_as_well() -> None:
    text = f"""{DECLARATIONS}
    procedure tally(n: 0 .. 3) {{ var t[P]: 0 .. 3 := n; t[p] := 0; x := t[0] + t[1] + t[2]; }}
    start s(n: 0 .. 2) do {{ var t[P]: 0 .. 3; t[p] := n; tally(t[1]); }}
    rule r do {{ var t[P]: 0 .. 3; tally(2); tally(1); }}
    """
    model = task_of(text).model
    assert [state[0] for state in initial(model)] == [0, 2, 4]
    (step,) = successors(model, next(iter(initial(model))))
    assert isinstance(step, Step)
    assert step.state[0] == 2


def test_an_access_is_decided_by_halves() -> None:
    array = LocalArray("t", (Domain("", 0, 3),), BOOL)
    index = Bound("i", Domain("", 0, 3))
    assert print_expr(array.read([index], None)) == (
        "if i <= 1 then if i <= 0 then `t[0]` else `t[1]` else if i <= 2 then `t[2]` else `t[3]`"
    )
    assert array.read([Const(2)], None) == array.element((2,))
    assert array.cost([index]) == 8
