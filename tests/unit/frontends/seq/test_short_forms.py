"""Short forms and advice: several names in one declaration, ``not in``, cases of several variants, labels by ``-D``."""

from __future__ import annotations

import pytest
from tests.support.flattened import figures, problems, task_of

from burnside.ir.initial import initial
from burnside.ir.semantics import Fault, successors
from burnside.lint.run import warnings_about

DECLARATIONS = """\
process P = 0 .. 2;
domain Kind = { ask, nack };
record R { a: Kind, b: 0 .. 3 }
union M { Ask { from: P }, Answer { to: P, what: Kind }, Stop }
"""


@pytest.mark.parametrize(
    ("short", "long"),
    [
        ("var x, y: 0 .. 3 = 2;", "var x: 0 .. 3 = 2; var y: 0 .. 3 = 2;"),
        ("var x, y, z: R;", "var x: R; var y: R; var z: R;"),
        ("var x, y: set of P = { 1 };", "var x: set of P = { 1 }; var y: set of P = { 1 };"),
        ("var x, y: seq[2] of R;", "var x: seq[2] of R; var y: seq[2] of R;"),
        ("var x, y: bag of R max 2 lossy;", "var x: bag of R max 2 lossy; var y: bag of R max 2 lossy;"),
        ("var x, y: M = Stop;", "var x: M = Stop; var y: M = Stop;"),
        ("var x, y: P = *;", "var x: P = *; var y: P = *;"),
        (
            "var x[P], y[P][Kind], z: bool = true;",
            "var x[P]: bool = true; var y[P][Kind]: bool = true; var z: bool = true;",
        ),
        ("var x[P], y: seq[2] of R;", "var x[P]: seq[2] of R; var y: seq[2] of R;"),
    ],
)
def test_several_names_have_one_type_and_initial_value(short: str, long: str) -> None:
    assert task_of(DECLARATIONS + short).model == task_of(DECLARATIONS + long).model


def test_locals_may_be_declared_together() -> None:
    rule = "var a: 0 .. 3; var r: R; rule g do {{ {} x := x + 1; s.b := x; a := y; r := s; }}"
    short = rule.format("var x, y: 0 .. 2 := a; var r1, s: R := r;")
    long = rule.format("var x: 0 .. 2 := a; var y: 0 .. 2 := a; var r1: R := r; var s: R := r;")

    assert figures(DECLARATIONS + short) == figures(DECLARATIONS + long)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("var x, x: bool;", "BUR202"),
        ("var x: bool; rule r do { var y, y: bool; }", "BUR202"),
        ("var x, P: bool;", "BUR202"),
        ("var x[i: P], y[P]: P = i; rule r do { x[0] := y[0]; }", "BUR102"),
        ("var x, y: Unknown; rule r do { x := y; }", "BUR201"),
        ("var x, y: 0 .. 3 = 4; rule r do { x := y; }", "BUR206"),
    ],
)
def test_what_is_wrong_with_several_names_is_said(text: str, code: str) -> None:
    found = problems(DECLARATIONS + text)

    assert {found_code for found_code, _ in found} == {code}


def test_not_in_is_the_negation_of_in() -> None:
    rules = "rule r(i: P) when {} do {{ insert(s, i); }} rule t when {} do {{ clear(s); }}"
    short = rules.format("i not in s && 1 not in s minus { i }", "0 not in { i in P where i not in s }")
    long = rules.format("!(i in s) && !(1 in s minus { i })", "!(0 in { i in P where !(i in s) })")
    text = DECLARATIONS + "var s: set of P;"

    assert task_of(text + short).model == task_of(text + long).model


def test_not_is_still_no_operator_and_may_be_a_name() -> None:
    assert problems("var x: bool; rule r when not x do { x := true; }")[0][0] == "BUR102"
    assert task_of("var not: bool; rule r when !not do { not := true; }")


def test_a_case_may_have_several_variants() -> None:
    rules = "rule r do {{ match m {{ {} }} }} rule s when m is Stop do {{ m := Answer {{ to: 1, what: ask }}; }}"
    several = rules.format("case Ask, Answer { m := Stop; } case Stop { m := Ask { from: 1 }; }")
    apart = rules.format("case Ask { m := Stop; } case Answer { m := Stop; } case Stop { m := Ask { from: 1 }; }")
    text = DECLARATIONS + "var m: M;"

    assert figures(text + several) == figures(text + apart)


def test_variants_of_one_case_are_counted() -> None:
    text = DECLARATIONS + "var m: M; rule r do { match m { case Ask, Ask { } case Stop { } } }"

    assert problems(text) == [("BUR202", "there are two cases for 'Ask'")]


@pytest.mark.parametrize("body", ["case Ask { x := 1; } case Answer { x := 2; } case Stop { x := 3; }"])
def test_a_variant_that_only_a_case_names_is_never_made(body: str) -> None:
    """The last of all cases needs no condition, so that nothing of it is left in the model."""
    task = task_of(f"{DECLARATIONS} var m: M; var x: 0 .. 3; rule r do {{ match m {{ {body} }} }}")
    said = [w.message for w in warnings_about([task]) if w.code == "BUR706"]

    assert "no value is ever 'Stop'" in said
    assert not [message for message in said if "nothing uses" in message and "Stop" in message]


@pytest.mark.parametrize(
    ("declared", "given", "value"),
    [
        ("const K = ask;", {"K": "nack"}, 1),
        ("const K: Kind = ask;", {"K": "nack"}, 1),
        ("const K: Kind = ask;", {}, 0),
        ("const K: Kind? = none;", {}, 2),
        ("const K: Kind? = none;", {"K": "ask"}, 0),
        ("const K: 0 .. 4 = 3;", {"K": 4}, 4),
        ("const K: bool = true;", {"K": False}, 0),
        ("const K: P? = none;", {"K": "none"}, 3),
    ],
)
def test_constants_may_have_a_domain_and_be_given_as_labels(declared: str, given: dict, value: int) -> None:
    model = task_of(DECLARATIONS + declared, given).model

    assert [c.value for c in model.constants if c.name == "K"] == [value]


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("x := max i in s: i;", "a maximum of nothing: no value is left to take"),
        ("x := min i in s where i > 1: i;", "a minimum of nothing: no value is left to take"),
        ("x := choose i in s;", "a choice from nothing: no value is left to take"),
        ("x := choose i in 0 .. 3 where i > 7;", "a choice from nothing: no value is left to take"),
        ("x := 1 / x;", "division by zero"),
    ],
)
def test_an_extreme_of_nothing_is_called_so(statement: str, message: str) -> None:
    model = task_of(f"var s: set of 0 .. 3; var x: 0 .. 3; rule r do {{ {statement} }}").model
    (outcome,) = successors(model, next(iter(initial(model))))

    assert isinstance(outcome, Fault)
    assert outcome.message == message
