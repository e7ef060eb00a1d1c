"""Bags: how often every value is in them, and how many values there are."""

import pytest
from tests.support.flattened import figures, problems, task_of

from burnside.ir.initial import initial
from burnside.ir.semantics import Fault, successors

DECLARATIONS = """\
process P = 0 .. 1;
domain K = { ask, yes };
record Msg { kind: K, to: P }
var net: bag of Msg max 2;
var n: 0 .. 3;
"""

FLAT = """\
process P = 0 .. 1;
domain K = { ask, yes };
var net[K][P]: 0 .. 2;
var size: 0 .. 2;
"""


def test_what_is_sent_is_received_in_any_order() -> None:
    text = """
    process P = 0 .. 1;
    domain K = { ask, yes };
    record Msg { kind: K, to: P }
    var net: bag of Msg max 2;
    rule ask(i: P) when !full(net) do { send Msg { kind: ask, to: i } to net; }
    rule answer(i: P) receive any m in net where m.kind == ask && m.to == i do {
      send Msg { kind: yes, to: 1 - i } to net;
    }
    rule done receive m in net where m.kind == yes do { }
    invariant few: len(net) <= 2 && card({ m in net where m.kind == ask }) <= 2;
    """
    flat = f"""
    {FLAT}
    rule ask(i: P) when size < 2 do {{ net[ask][i] := net[ask][i] + 1; size := size + 1; }}
    rule answer(i: P, k: K, j: P) when net[k][j] > 0 && k == ask && j == i do {{
      net[k][j] := net[k][j] - 1; net[yes][1 - i] := net[yes][1 - i] + 1;
    }}
    rule done(k: K, j: P) when net[k][j] > 0 && k == yes do {{ net[k][j] := net[k][j] - 1; size := size - 1; }}
    """
    assert figures(text) == figures(flat)


def test_a_network_loses_and_duplicates() -> None:
    text = """
    process P = 0 .. 1;
    domain K = { ask, yes };
    record Msg { kind: K, to: P }
    var net[P]: bag of Msg max 2 lossy duplicating;
    rule put(i: P, m: Msg) when empty(net[i]) do { send m to net[i]; }
    """
    flat = """
    process P = 0 .. 1;
    domain K = { ask, yes };
    var net[P][K][P]: 0 .. 2;
    var size[P]: 0 .. 2;
    rule put(i: P, k: K, j: P) when size[i] == 0 do { net[i][k][j] := net[i][k][j] + 1; size[i] := size[i] + 1; }
    rule lose(i: P, k: K, j: P) when net[i][k][j] > 0 do { net[i][k][j] := net[i][k][j] - 1; size[i] := size[i] - 1; }
    rule again(i: P, k: K, j: P) when net[i][k][j] > 0 && size[i] < 2 do {
      net[i][k][j] := net[i][k][j] + 1; size[i] := size[i] + 1;
    }
    """
    assert figures(text) == figures(flat)
    assert [r.name for r in task_of(text).model.rules] == ["net.lose", "net.duplicate", "put"]


def test_processes_and_data_stay_exchangeable() -> None:
    text = """
    process P = 0 .. 2;
    domain V = { red, green, blue };
    record Msg { from, to: P, what: V? }
    var net: bag of Msg max 2;
    var got[P]: V?;
    rule send(i, j: P, v: V) when i != j && !full(net) do { send Msg { from: i, to: j, what: v } to net; }
    rule ping(i, j: P) when i != j && !full(net) do { send Msg { from: i, to: j, what: none } to net; }
    rule take(i: P) receive m in net where m.to == i do { got[i] := m.what; }
    """
    flat = """
    process P = 0 .. 2;
    domain V = 0 .. 2;
    domain Maybe = V + { none };
    var net[P][P][Maybe]: 0 .. 2;
    var size: 0 .. 2;
    var got[P]: Maybe = none;
    rule send(i, j: P, v: Maybe) when i != j && size < 2 do { net[i][j][v] := net[i][j][v] + 1; size := size + 1; }
    rule take(i: P, j: P, v: Maybe) when net[j][i][v] > 0 do {
      net[j][i][v] := net[j][i][v] - 1;
      size := size - 1;
      got[i] := v;
    }
    """
    assert figures(text) == figures(flat)


def test_statements_and_questions_about_bags() -> None:
    text = (
        DECLARATIONS
        + """
    rule go when n == 0 do {
      let m = Msg { kind: ask, to: 1 };
      send m to net; insert(net, m);
      assert full(net) && len(net) == 2 && card(net) == 1 && m in net && !Msg { kind: yes, to: 1 } in net;
      remove(net, m);
      assert len(net) == 1 && m in net && (forall x in net: x == m) && net != {};
      clear(net);
      assert empty(net) && net == {};
      n := 1;
    }
    """
    )
    assert figures(text)[:2] == (2, 1)


@pytest.mark.parametrize("statement", ["send m to net; send m to net; send m to net;", "remove(net, m);"])
def test_too_many_and_too_few_are_faults(statement: str) -> None:
    model = task_of(f"{DECLARATIONS} rule go(m: Msg) do {{ {statement} }}").model

    assert all(isinstance(outcome, Fault) for state in initial(model) for outcome in successors(model, state))


def test_words_about_bags_can_be_names() -> None:
    text = """
    var send: 0 .. 1; var receive: bool; var to: bool; var bag: bool; var lossy: bool; var any: bool;
    rule receive when send == 0 do { send := 1; }
    """
    assert figures(text)[:2] == (2, 1)


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        ("var b: bag of Msg;", "BUR102", "expected 'max', found ';'"),
        ("var b: bag of Msg max 0;", "BUR205", "a bag cannot hold 0 values"),
        ("var b: bag of bag of Msg max 1 max 1;", "BUR901", "a set cannot hold sets, bags or sequences"),
        ("var b: bag of Msg max 1 = { Msg { kind: ask, to: 0 } };", "BUR901", "a bag begins empty"),
        ("rule r do { send 1 to net; }", "BUR203", "expected a record 'Msg', found a number"),
        ("rule r do { send 1 to n; }", "BUR203", "'n' is not a bag"),
        ("rule r do { send 1; }", "BUR102", "expected 'to' and the name of a bag, found ';'"),
        ("rule r receive m in n do { }", "BUR203", "'n' is not a bag"),
        ("rule r receive m in post do { }", "BUR201", "'post' is not known here"),
        ("rule r receive m do { }", "BUR102", "expected 'in', found 'do'"),
        ("rule r do { net := {}; }", "BUR210", "'net' is a bag"),
        ("rule r do { push(net, 1); }", "BUR203", "'net' is not a sequence"),
        ("rule r when head(net) == 1 do { }", "BUR203", "'net' is not a sequence"),
        ("rule r(b: bag of Msg max 1) do { }", "BUR205", "this holds a sequence or a bag"),
    ],
)
def test_a_mistake_is_one_message(text: str, code: str, message: str) -> None:
    assert problems(DECLARATIONS + text) == [(code, message)]
