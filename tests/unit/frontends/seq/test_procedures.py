"""Procedures, blocks of rules and constants of any type."""

import pytest
from tests.support.flattened import figures, problems, task_of

from burnside.claims.printer import print_task

DECLARATIONS = """\
process P = 0 .. 2;
domain C = { red, green };
record R { n: 0 .. 3, c: C }
var x: 0 .. 3;
var a[P]: 0 .. 3;
var at[P]: P;
var r[P]: R;
var q: seq[2] of R;
var k: seq[2] of 0 .. 3;
var s[P]: set of P;
record R2 { ids: set of P, n: 0 .. 3 }
var r2[P]: R2;
record T { n, m: 0 .. 3 }
var t[P]: T;
"""


def body(procedures: str, text: str) -> list[str]:
    """The statements of a rule as they are in the model."""
    printed = print_task(task_of(f"{DECLARATIONS} {procedures} rule r(i: P) do {{ {text} }}")).replace("`", "")
    return [line.strip() for line in printed.split("rule r(i: P) do {")[1].splitlines()][1:-1]


@pytest.mark.parametrize(
    ("procedure", "call", "expected"),
    [
        ("p() { x := 1; }", "p();", ["x := 1;"]),
        ("p(d: 0..3) { x := d; }", "p(2);", ["x := 2;"]),
        ("p(d: 0..3) { x := 1; a[0] := d; }", "p(x);", ["var d: 0 .. 3 := x;", "x := 1;", "a[0] := d;"]),
        ("p(j: P) { a[j] := 1; }", "p(i);", ["a[i] := 1;"]),
        ("p(ref y: 0..3) { y := y + 1; }", "p(a[i]);", ["a[i] := a[i] + 1;"]),
        (
            "p(ref y: 0..3) { at[0] := 1; y := 2; }",
            "p(a[at[0]]);",
            ["var at_2: P := at[0];", "at[0] := 1;", "a[at_2] := 2;"],
        ),
        ("p(ref y: R2) { insert(y.ids, 1); y.n := card(y.ids); }", "p(r2[i]);", None),
        ("p(ref y: 0..3) { y := 2; }", "p(k[1]);", ["k[1] := 2;"]),
        ("p(ref y: 0..3) { y := 2; }", "var z: 0..3; p(z); x := z;", None),
        ("p(ref y: R) { y.n := 1; }", "p(r[i]);", ["r.n[i] := 1;"]),
        ("p(ref y: R, z: R) { y := z; }", "p(r[i], r[0]);", None),
        (
            "p(ref y: T) { y := T { n: y.m, m: y.n }; }",  # a local had the name of what stands for the reference
            "p(t[i]);",
            [
                "if true {",
                "var y.n: 0 .. 3 := t.m[i];",
                "var y.m: 0 .. 3 := t.n[i];",
                "t.n[i] := y.n;",
                "t.m[i] := y.m;",
                "}",
            ],
        ),
        ("p(ref y: set of P, j: P) { insert(y, j); }", "p(s[i], i);", ["s[i][i] := true;"]),
        ("p(ref y: set of P) { if 0 in y { y := {}; } }", "p(s[0]);", None),
        ("p(ref y: seq[2] of R, z: R) { if !full(y) { push(y, z); } else { pop(y); } }", "p(q, r[i]);", None),
        ("p(ref y: seq[2] of 0..3) { push(y, len(y)); }", "p(k);", ["push(k, len(k));"]),
        ("p(i_2: P) { for j in P { if exists l in P: l == j { a[j] := 1; } } }", "for j in P { p(j); }", None),
        ("p(w: set of P) { for j in w { a[j] := 1; } }", "p(s[i] union { i });", None),
    ],
)
def test_a_call_is_the_body_with_its_arguments(procedure: str, call: str, expected: list[str] | None) -> None:
    found = body(f"procedure {procedure}", call)

    assert expected is None or found[1:-1] == expected


def test_procedures_call_those_before_them() -> None:
    text = """
    process P = 0 .. 2;
    var a[P]: 0 .. 3;
    procedure add(ref y: 0 .. 3, d: 0 .. 3) { let all = y + d; y := if all > 3 then 3 else all; }
    procedure twice(ref y: 0 .. 3) { add(y, 1); add(y, 1); }
    rule go(i: P) when a[i] < 3 do { twice(a[i]); }
    rule one(i: P) when a[i] < 3 do { let all = 1; add(a[i], all); }
    """
    flat = """
    process P = 0 .. 2;
    var a[P]: 0 .. 3;
    rule go(i: P) when a[i] < 3 do { a[i] := min(a[i] + 2, 3); }
    rule one(i: P) when a[i] < 3 do { a[i] := a[i] + 1; }
    """
    assert figures(text) == figures(flat)


def test_references_to_one_place_see_each_other() -> None:
    text = """
    var x: 0 .. 3;
    procedure both(ref y: 0 .. 3, ref z: 0 .. 3) { y := 1; z := z + 1; }
    rule go when x == 0 do { both(x, x); assert x == 2; }
    """
    assert figures(text)[:2] == (2, 1)


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        ("procedure p() { p(); }", "BUR209", "the definition of 'p' uses itself"),
        ("procedure p() { q2(); } procedure q2() { p(); }", "BUR201", "'q2' is declared further down"),
        ("procedure p(ref y: 0..3) { y := y == 1; }", "BUR203", "expected a number, found a truth value"),
        ("procedure p(y: 0..3) { y := 1; }", "BUR210", "'y' is a parameter and keeps its value"),
        ("procedure p(y: 0..3) { } rule r1 do { p(); }", "BUR204", "'p' takes 1 argument, found 0"),
        ("procedure p(y: 0..3) { } rule r1 do { p(1, 2); }", "BUR204", "'p' takes 1 argument, found 2"),
        ("procedure p(y: 0..3) { } rule r1 do { p(red); }", "BUR203", "expected a number, found a value of 'C'"),
        ("procedure p(y: R) { } rule r1 do { p(x); }", "BUR203", "expected a record 'R', found a number"),
        ("procedure p(ref y: 0..3) { } rule r1 do { p(1); }", "BUR102", None),
        ("procedure p(ref y: 0..3) { } rule r1 do { let z = 1; p(z); }", "BUR210", None),
        ("procedure p(ref y: 0..3) { } rule r1(z: 0..3) do { p(z); }", "BUR210", None),
        ("procedure p(ref y: 0..3) { } rule r1 do { p(r[0].c); }", "BUR203", "expected a number, found a value of 'C'"),
        ("procedure p(ref y: 0..2) { } rule r1 do { p(x); }", "BUR203", "this is a number of another size"),
        ("procedure p(ref y: 0..3) { } rule r1 do { p(red); }", "BUR210", "'red' cannot be handed over by reference"),
        ("procedure p(ref y: 0..3) { } invariant i: p(x) == 1;", "BUR203", "'p' cannot be called"),
        ("procedure p(ref y: set of P) { } rule r1 do { var z: set of P; p(z); }", "BUR901", None),
        ("procedure x() { }", "BUR202", "'x' is already a variable"),
        ("procedure p(y: seq[1] of P) { }", "BUR205", "this holds a sequence or a bag"),
        ("rule r1 do { nowhere(x); }", "BUR201", "'nowhere' is not known here"),
    ],
)
def test_a_mistake_is_one_message(text: str, code: str, message: str | None) -> None:
    found = problems(DECLARATIONS + text)

    assert [c for c, _ in found] == [code]
    assert message is None or found[0][1] == message


def test_procedures_that_double_are_bounded_before_memory_is_taken() -> None:
    levels = "".join(f"procedure p{k + 1}() {{ p{k}(); p{k}(); }}\n" for k in range(40))

    found = problems(f"var x: 0..3; procedure p0() {{ x := 1; }}\n{levels}")

    assert found[0] == ("BUR104", "procedures expand this to more than 100,000 parts")


def test_procedures_that_nest_are_bounded() -> None:
    levels = "".join(f"procedure p{k + 1}() {{ if x > {k} {{ p{k}(); }} }}\n" for k in range(200))

    found = problems(f"var x: 0..300; procedure p0() {{ x := 1; }}\n{levels}")

    assert found[0][0] == "BUR104"


def test_a_block_of_rules_shares_parameters_and_a_guard() -> None:
    text = """
    process P = 0 .. 2;
    domain At = { idle, busy };
    var at[P]: At;
    var up[P]: bool = true;
    ruleset (i: P) when up[i] {
      rule start when at[i] == idle do { at[i] := busy; }
      rule hand(j: P) when at[i] == busy && j != i do { at[i] := idle; at[j] := busy; }
      ruleset when at[i] == busy { rule stop do { at[i] := idle; } }
      rule crash do { up[i] := false; }
    }
    """
    flat = """
    process P = 0 .. 2;
    domain At = { idle, busy };
    var at[P]: At;
    var up[P]: bool = true;
    rule start(i: P) when up[i] && at[i] == idle do { at[i] := busy; }
    rule hand(i: P, j: P) when up[i] && at[i] == busy && j != i do { at[i] := idle; at[j] := busy; }
    rule stop(i: P) when up[i] && at[i] == busy do { at[i] := idle; }
    rule crash(i: P) when up[i] do { up[i] := false; }
    """
    assert print_task(task_of(text)) == print_task(task_of(flat))


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        ("ruleset (i: P) { var y: bool; }", "BUR102", "expected a rule, found 'var'"),
        ("ruleset (i: P) { rule a do { x := y; } rule b do { x := 1; } }", "BUR201", "'y' is not known here"),
        ("ruleset (i: P) { rule a(i: P) do { } }", "BUR202", "'i' is already a parameter"),
        ("ruleset (i: P) { rule a when i do { } }", "BUR203", "expected a truth value, found a number"),
        ("ruleset (i: P) { rule a do { }\ninvariant p: true;", "BUR102", "expected '}', found 'invariant'"),
    ],
)
def test_a_mistake_in_a_block_is_one_message(text: str, code: str, message: str) -> None:
    assert problems(DECLARATIONS + text) == [(code, message)]


def test_constants_are_truth_values_and_labels() -> None:
    text = """
    domain C = { red, green };
    const FLAG = false;
    const BOTH = FLAG || 1 < 2;
    const FIRST = red;
    var x: C = FIRST;
    rule go when !FLAG && BOTH && x == FIRST do { x := if FLAG then red else green; }
    """
    assert figures(text)[:2] == (2, 1)
    assert task_of(text, {"FLAG": True}).model.rules[0].guard != task_of(text).model.rules[0].guard


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (1, "constant 'FLAG' is a truth value, but was given a number"),
        ((1,), "constant 'FLAG' is a truth value, but was given a list"),
    ],
)
def test_a_flag_is_given_as_a_truth_value(value: int | tuple[int, ...], message: str) -> None:
    from burnside.frontends.seq import load
    from burnside.source import Source

    _, diagnostics, _ = load(Source("test.seq", "const FLAG = true; var x: bool = FLAG;"), {"FLAG": value})

    assert [d.message for d in diagnostics] == [message]
