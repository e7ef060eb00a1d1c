"""Optional values: a domain and one label more, which no symmetry takes for one of the others."""

import pytest
from tests.support.flattened import figures, problems, task_of

from burnside.frontends.seq import load
from burnside.source import Source


def test_any_domain_can_be_optional() -> None:
    text = """
    process P = 0 .. 2;
    process Node = { a, b };
    domain V = { x, y };
    var p: P?;
    var node: Node?;
    var v: V?;
    var n: (1 .. 3)?;
    var w: V + { lost, torn };
    """
    model = task_of(text).model

    assert [v.domain.text(v.initial[0]) for v in model.variables if isinstance(v.initial[0], int)] == [
        *("none", "none", "none", "none", "x")
    ]
    assert [d.name for d in model.domains] == ["P", "Node", "V", "P?", "Node?", "V?", "1 .. 3?", "V + { lost, torn }"]


def test_none_is_that_of_the_domain_where_it_stands() -> None:
    text = """
    process P = 0 .. 2;
    domain V = { x, y };
    record R { who: P?, what: V? }
    var r: R;
    var q: seq[2] of V? = [x, none];
    var s: set of P? = { none };
    def is_free(p: P?) = p == none;
    rule set(i: P, v: V) when r.who == none && r.what == none && is_free(r.who) do { r := R { who: i, what: v }; }
    rule free when r.what != none do { r := R { who: none, what: none }; }
    rule push do { clear(q); push(q, none); let old = r.what; if old == none { r.what := y; } else { r.what := none; } }
    rule choose do { r.what := if r.what == x then none else r.what; }
    invariant there: none in s && r.who in { none, 0, 1, 2 };
    """
    assert figures(text).states > 1


def test_an_optional_enumeration_takes_values_of_the_enumeration() -> None:
    text = """
    domain V = { x, y };
    domain Maybe = V + { none };
    var have: Maybe = none;
    var last: V;
    rule get(v: V) when have == none do { have := v; }
    rule lose when have != none do { last := have; have := none; }
    """
    flat = """
    domain V = 0 .. 1;
    domain Maybe = V + { none };
    var have: Maybe = none;
    var last: V;
    rule get(v: V) when have == none do { have := v; }
    rule lose when have != none do { last := have; have := none; }
    """
    assert figures(text)[:2] == figures(flat)[:2]


@pytest.mark.parametrize("optional", ["V?", "V + { none }"])
def test_values_stay_exchangeable(optional: str) -> None:
    """A message without data holds none, so that no value is singled out."""
    text = f"""
    process P = 0 .. 2;
    domain V = {{ x, y, z }};
    record Msg {{ to: P, what: {optional} }}
    var net: seq[2] of Msg;
    var got[P]: V = *;
    initially forall i, j in P: got[i] == got[j];
    rule send(i, j: P) when !full(net) do {{ push(net, Msg {{ to: i, what: got[j] }}); }}
    rule ping(i: P) when !full(net) do {{ push(net, Msg {{ to: i, what: none }}); }}
    rule change(i: P, v: V) do {{ got[i] := v; }}
    rule take when !empty(net) do {{
      let m = head(net);
      if m.what != none {{ got[m.to] := m.what; }}
      pop(net);
    }}
    """
    assert figures(text).order == 36


def test_optional_processes_are_still_processes() -> None:
    """The ids of an optional process are those of the process, also if it is an enumeration."""
    text = """
    process Node = { a, b, c };
    var owner: Node?;
    rule take(n: Node) when owner == none do { owner := n; }
    rule leave when owner != none do { owner := none; }
    """
    assert figures(text) == (4, 6, 6)


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        ("var none: bool; var p: P?;", "BUR202", "'none' is already a variable"),
        ("var p: P?; var v: V?; invariant i: none == none;", "BUR213", "'none' is a label of several domains"),
        ("var p: P?; var v: V?; rule r do { v := p; }", "BUR203", "expected a value of 'V', found a number"),
        ("var v: V?; invariant i: v == 1;", "BUR203", "expected a value of 'V', found a number"),
        ("var v: bool + { x };", "BUR901", "truth values cannot be extended"),
    ],
)
def test_a_mistake_is_one_message(text: str, code: str, message: str) -> None:
    assert problems("process P = 0 .. 2; domain V = { x, y };" + text) == [(code, message)]


def test_none_is_in_no_set_of_values_whatever_else_is_optional() -> None:
    """It was taken for the least value of the set, as soon as two domains had such a label."""
    text = """
    process P = 0 .. 1;
    domain V = { a, b };
    domain D = 1 .. 2;
    var w: V?; var u: P?; var d: D?;
    var s: set of V = V; var t: set of D = D; var p: set of P = P;
    rule never when none in s || none in t || none in p do { w := a; u := 0; d := 1; }
    rule always when none not in s && !(none in t) && w not in s && d not in t && u not in p do { s := {}; }
    """
    assert figures(text)[:2] == (2, 2)


def test_a_choice_is_of_the_domain_where_it_stands() -> None:
    text = """
    process P = 0 .. 1;
    domain V = { a, b };
    record R { v: V?, p: P? }
    var w: V?; var p: P?; var r: R;
    def nothing = none;
    def either(c: bool) = if c then none else none;
    def other(i: P) = if p == i then none else i;
    procedure give(ref s: R, v: V?, i: P?) { s.v := v; s.p := i; }
    rule one when p == nothing do { w := either(true); r := R { v: a, p: if w == a then none else 1 }; p := 1; }
    rule two(i: P) when p != other(i) do { give(r, if p == i then none else b, either(true)); w := a; }
    rule three(i: P) when (if p == i then none else b) in { none, a } do {
      let z = if r.p == none then w else if p == i then none else b;
      w := z; p := if z == V?.none then P?.none else 0;
    }
    """
    flat = """
    process P = 0 .. 1;
    domain V = { a, b };
    domain MV = V + { nov };
    domain MP = P + { nop };
    var w: MV = nov; var p: MP = nop; var rv: MV = nov; var rp: MP = nop;
    rule one when p == nop do { w := nov; rv := a; rp := 1; p := 1; }
    rule two(i: P) do { rv := if p == i then nov else b; rp := nop; w := a; }
    rule three(i: P) when p == i do {
      if rp != nop { w := nov; }
      if w == nov { p := nop; } else { p := 0; }
    }
    """
    assert figures(text)[:2] == figures(flat)[:2]


@pytest.mark.parametrize(
    "text", ["var w: P??;", "domain M = P?; var w: M?;", "domain W = V + { a };", "var w: V + { a };"]
)
def test_a_label_stands_once_in_a_domain(text: str) -> None:
    """Two labels of one name were taken for one or the other."""
    found = problems(f"process P = 0 .. 1; domain V = {{ a }}; {text}")

    assert [code for code, _ in found] == ["BUR202"]
    assert found[0][1].endswith("already")


@pytest.mark.parametrize(
    ("text", "remedy"),
    [
        ("domain V = { a }; process P = 0 .. 1; var v: V?; var p: P?;", "write 'V?.none' or 'P?.none'"),
        (
            "domain V = { a }; var v: V?; var p: 0 .. 3?;",
            "write 'V?.none', or give the domain a name, as in 'domain Some = …;', and write 'Some.none'",
        ),
    ],
)
def test_a_label_of_several_domains_is_told_how_to_be_written(text: str, remedy: str) -> None:
    _, diagnostics, _ = load(Source("test.seq", f"{text} rule r when none == none do {{ v := none; }}"), {})

    assert [(d.code, d.notes[0].message) for d in diagnostics] == [("BUR213", remedy)]
