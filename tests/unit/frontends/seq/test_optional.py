"""Optional values: a domain and one label more, which no symmetry takes for one of the others."""

import pytest
from tests.support.flattened import figures, problems, task_of


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
