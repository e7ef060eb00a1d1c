"""Extremes, choices and ``let``: written out while a text is read."""

import pytest
from tests.support.flattened import figures, problems, task_of

from burnside.claims.printer import print_task

DECLARATIONS = """\
process P = 0 .. 2;
domain C = { red, green };
record R { n: 0 .. 3, c: C }
var x: 0 .. 3;
var a[P]: 0 .. 3;
var c[P]: C;
var r[P]: R;
var s: set of P;
"""


def condition(text: str) -> str:
    """A condition as it is in the model."""
    printed = print_task(task_of(f"{DECLARATIONS} rule go(i: P) when {text} do {{ }}")).replace("`", "")
    return printed.split("rule go(i: P) when ")[1].removesuffix(" do { }\n")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(max j in P: a[j]) == x", "max(max(a[0], a[1]), a[2]) == x"),
        ("(min j in 1 .. 2: a[j] + 1) == x", "min(a[1] + 1, a[2] + 1) == x"),
        ("(max j in P where j != 1: a[j]) == x", "max(a[0], a[2]) == x"),
        ("(let y = x + 1: y * y) == 4", "(x + 1) * (x + 1) == 4"),
        ("let y = x, z = y + 1: z == y", "x + 1 == x"),
        ("let m = r[i]: m.n == x && m.c == red", "r.n[i] == x && r.c[i] == red"),
        ("let t = s union { i }: 0 in t", None),
        ("(choose j in P where a[j] == x) == i", None),
        ("(choose j in P where a[j] == x: c[j]) == red", None),
        ("(choose j in s) == i", None),
        ("(choose m in R where m.n == 2).c == red", None),
        ("(sum j in P where j != i: a[j]) == 1", "(sum j in P: if j != i then a[j] else 0) == 1"),
        ("forall j, k in P where j != k: a[j] != a[k]", "forall j in P, k in P: j != k => a[j] != a[k]"),
    ],
)
def test_an_expression_is_written_out(text: str, expected: str | None) -> None:
    found = condition(text)

    assert expected is None or found == expected


def test_an_extreme_leaves_out_what_does_not_fit() -> None:
    text = """
    process P = 0 .. 2;
    var a[P]: 0 .. 3 = [1, 3, 2];
    var most: 0 .. 3;
    var who: P;
    rule look when most == 0 do {
      most := max i in P where a[i] < 3: a[i];
      assert most == 2;
      who := choose i in P where a[i] == most;
      assert who == 2 && (min i in P: a[i]) == 1 && (choose i in P where a[i] > 1: a[i]) == 3;
    }
    """
    assert figures(text)[:2] == (2, 1)


@pytest.mark.parametrize("expression", ["max i in P where a[i] > 3: a[i]", "choose i in P where a[i] > 3"])
def test_an_extreme_of_nothing_is_a_fault(expression: str) -> None:
    from burnside.ir.initial import initial
    from burnside.ir.semantics import Fault, successors

    model = task_of(f"process P = 0 .. 2; var a[P]: 0 .. 3; var x: 0 .. 3; rule go do {{ x := {expression}; }}").model

    assert all(isinstance(outcome, Fault) for state in initial(model) for outcome in successors(model, state))


def test_a_maximum_over_processes_costs_no_symmetry() -> None:
    """As of a ticket lock: the next number is one more than all others."""
    text = """
    process P = 0 .. 3;
    var number[P]: 0 .. 6;
    rule choose(i: P) when number[i] == 0 && (max j in P: number[j]) < 6 do { number[i] := 1 + max j in P: number[j]; }
    rule leave(i: P) when number[i] > 0 do { number[i] := 0; }
    """
    assert figures(text).order == 24


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        ("invariant p: max j in P: a[j];", "BUR203", "expected a truth value, found a number"),
        ("invariant p: (max j in P: c[j]) == red;", "BUR203", "expected a number, found a value of 'C'"),
        ("invariant p: (max j in P) == 1;", "BUR102", "expected ':', found ')'"),
        ("invariant p: (choose j, k in P where j != k) == 1;", "BUR102", None),
        ("invariant p: let y = x == 1;", "BUR102", None),
        ("invariant p: (max j in 0 .. 100000000: j) == 1;", "BUR104", None),
    ],
)
def test_a_mistake_is_one_message(text: str, code: str, message: str | None) -> None:
    found = problems(DECLARATIONS + text)

    assert [c for c, _ in found] == [code]
    assert message is None or found[0][1] == message
