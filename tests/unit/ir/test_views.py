"""States as their authors declared them: records, sets, bags and unions in one piece, and what steps change of them."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest
from tests.support.flattened import task_of

from burnside.ir.initial import initial
from burnside.ir.nodes import Model
from burnside.ir.semantics import Fault, successors
from burnside.ir.views import Views
from burnside.ir.wholes import variables_of
from burnside.report.states import state_by_variable
from burnside.values import replace

DECLARATIONS = """\
process P = 0 .. 2;
domain Kind = { ask, grant };
record Ends { from, to: P }
record Msg { kind: Kind, ends: Ends }
union Req { Ask { from, to: P }, Answer { to: P, yes: bool }, Stop }
"""

EVERYTHING = f"""{DECLARATIONS}
record Box {{ pending: seq[2] of Msg, seen: set of Ends, last: Req }}
var net: bag of Msg max 3;
var requests[P]: bag of Req max 2;
var queue: seq[3] of Req;
var box[P]: Box;
var sets[P]: set of Req;
var m: Msg;
var leader: P?;
var rounds: seq[2] of set of P;
var grid[P][Kind]: set of P;
var `net.x`: 0 .. 3;
rule ask(i, j: P) when !full(net) && !full(requests[i]) && !full(queue) do {{
  send Msg {{ kind: grant, ends: Ends {{ from: i, to: j }} }} to net;
  send Ask {{ from: i, to: j }} to requests[i];
  push(queue, Answer {{ to: j, yes: true }});
  m.ends.to := j;
}}
rule keep(i, j: P, k: Kind) when !full(rounds) && !full(box[i].pending) do {{
  push(rounds, {{ i, j }});
  push(box[i].pending, m);
  insert(box[i].seen, m.ends);
  box[i].last := Answer {{ to: i, yes: false }};
  insert(sets[j], box[i].last);
  grid[i][k] := grid[i][k] union {{ j }};
  leader := i;
  `net.x` := (`net.x` + 1) % 4;
}}
rule take(i: P) receive any x in net where x.ends.to == i do {{ clear(queue); leader := none; m := x; }}
rule empty_all when full(rounds) do {{ clear(rounds); for i in P {{ clear(sets[i]); clear(box[i].pending); }} }}
"""


def model_of(text: str) -> Model:
    return task_of(text).model


def walk(model: Model, steps: int, seed: int) -> list[tuple[int, ...]]:
    random = Random(seed)
    states = [next(iter(initial(model)))]
    for _ in range(steps):
        taken = [step.state for step in successors(model, states[-1]) if not isinstance(step, Fault)]
        states.append(random.choice(taken))
    return states


def shown(text: str, steps: int = 0) -> dict[str, str]:
    """The state after the first so many steps, each the first that is possible."""
    model = model_of(text)
    state = next(iter(initial(model)))
    for _ in range(steps):
        outcome = next(iter(successors(model, state)))
        assert not isinstance(outcome, Fault)
        state = outcome.state
    return dict(state_by_variable(model, state))


@pytest.mark.parametrize(
    ("declared", "body", "expected"),
    [
        ("var m: Msg;", "m.ends := Ends { from: 1, to: 2 };", "{kind: ask, ends: {from: 1, to: 2}}"),
        ("var m: set of P;", "m := { 0, 2 };", "{0, 2}"),
        ("var m: set of P;", "", "{}"),
        ("var m: P?;", "", "none"),
        ("var m: Req;", "m := Answer { to: 1, yes: true };", "Answer {to: 1, yes: true}"),
        ("var m: Req;", "m := Stop;", "Stop"),
        ("var m: set of Req;", "insert(m, Stop); insert(m, Ask { from: 0, to: 1 });", "{Ask {from: 0, to: 1}, Stop}"),
        ("var m: bag of P max 3;", "send 1 to m; send 1 to m; send 0 to m;", "{0, 1 ×2}"),
        ("var m: bag of Ends max 2;", "send Ends { from: 0, to: 1 } to m;", "{{from: 0, to: 1}}"),
        ("var m: bag of Req max 2;", "send Stop to m; send Stop to m;", "{Stop ×2}"),
        ("var m: seq[2] of Ends;", "push(m, Ends { from: 1, to: 0 });", "[{from: 1, to: 0}]"),
        ("var m: seq[2] of set of P;", "push(m, { 1 }); push(m, {});", "[{1}, {}]"),
        ("var m[P]: set of P;", "insert(m[1], 2);", "[{}, {2}, {}]"),
        ("var m[P]: set of P;", "", "{} (all 3)"),
        ("var `if`: set of P; var m: 0 .. 1;", "insert(`if`, 0);", "0"),
        ("domain L = { `a, b`, c }; var m: set of L;", "m := L;", "{`a, b`, c}"),
        ("record S { `a: 1, b`: P } var m: S;", "", "{`a: 1, b`: 0}"),
        ("record S { a: set of P, if_: P? } var m: S;", "", "{a: {}, if_: none}"),
    ],
)  # fmt: skip
def test_values_are_shown_in_one_piece(declared: str, body: str, expected: str) -> None:
    assert shown(f"{DECLARATIONS} {declared} rule r do {{ {body} }}", steps=1)["m"] == expected


def test_long_arrays_of_records_are_shown_element_by_element() -> None:
    text = f"{DECLARATIONS} var box[P]: Msg; rule r do {{ box[1].kind := grant; }}"
    values = shown(text, steps=1)

    assert values["box[0]"] == "{kind: ask, ends: {from: 0, to: 0}}"
    assert values["box[1]"] == "{kind: grant, ends: {from: 0, to: 0}}"


@pytest.mark.parametrize(
    ("declared", "body", "expected"),
    [
        ("var m: Msg;", "m.ends.to := 2;", ["m.ends.to: 0 → 2"]),
        ("var m[P]: Msg;", "m[1].ends.to := 2; m[1].kind := grant;", ["m[1]: {kind: ask → grant, ends.to: 0 → 2}"]),
        ("var m: set of P;", "insert(m, 1);", ["m: {} → {1}"]),
        ("var m: Req;", "m := Ask { from: 0, to: 1 };", ["m.to: 0 → 1"]),
        ("var m: Req;", "m := Stop;", ["m: Ask {from: 0, to: 0} → Stop"]),
        ("var m: P?;", "m := 1;", ["m: none → 1"]),
        ("var m: seq[1] of P; var b: bool;", "push(m, 1); b := true;", ["m: [] → [1]", "b: false → true"]),
        ("var m: bag of P max 2;", "send 1 to m;", ["m: {} → {1}"]),
        ("var m: bag of P max 2;", "", []),
        ("record S { `a b`: P } var m: S;", "m.`a b` := 1;", ["m.`a b`: 0 → 1"]),
    ],
)
def test_steps_show_what_they_change(declared: str, body: str, expected: list[str]) -> None:
    model = model_of(f"{DECLARATIONS} {declared} rule r do {{ {body} }}")
    first = next(iter(initial(model)))
    step = next(iter(successors(model, first)))
    assert not isinstance(step, Fault)

    assert Views(model).changes(first, step.state) == expected


def test_long_values_show_what_they_gain_and_lose() -> None:
    text = f"""{DECLARATIONS}
    var b: bag of Msg max 3;
    var q: seq[3] of Msg;
    def one = Msg {{ kind: ask, ends: Ends {{ from: 0, to: 1 }} }};
    def other = Msg {{ kind: grant, ends: Ends {{ from: 2, to: 1 }} }};
    rule first when empty(q) do {{ send one to b; push(q, one); send one to b; push(q, one); }}
    rule second when len(q) == 2 && one in b && other not in b do {{
      remove(b, one); send other to b; pop(q); push(q, other);
    }}
    rule third when other in b do {{ clear(b); clear(q); }}
    """
    model = model_of(text)
    states = walk(model, 3, seed=0)
    one, other = "{kind: ask, ends: {from: 0, to: 1}}", "{kind: grant, ends: {from: 2, to: 1}}"
    pairs = [f"loses {one}, gains {other}"] * 2

    assert Views(model).changes(*states[:2]) == [f"b: {{}} → {{{one} ×2}}", f"q: gains {one} and {one}"]
    assert Views(model).changes(*states[2:]) == ["b: becomes {}", "q: becomes []"]
    assert Views(model).changes(*states[1:3]) == [f"{name}: {pair}" for name, pair in zip("bq", pairs, strict=True)]


@pytest.mark.parametrize("seed", range(4))
def test_steps_show_changes_exactly_where_states_differ(seed: int) -> None:
    """No change of a cell is lost, and nothing is said to change that is shown as it was."""
    model = model_of(EVERYTHING)
    views = Views(model)
    states = walk(model, 12, seed)
    for old, new in pairwise(states):
        places = [place for whole in views.wholes for place in views.places(whole)]
        different = [place.name for place in places if place.text(old) != place.text(new)]
        changes = views.changes(old, new)

        assert [any(c.startswith(name) for c in changes) for name in different] == [True] * len(different)
        assert len(changes) == len(different)
        assert bool(changes) == (old != new)


def test_every_variable_is_part_of_one_whole() -> None:
    model = model_of(EVERYTHING)
    found = [name for whole in Views(model).wholes for name in variables_of(whole.form)]

    assert sorted(found) == sorted(v.name for v in model.variables)
    assert [whole.name for whole in Views(model).wholes] == [
        "net", "requests", "queue", "box", "sets", "m", "leader", "rounds", "grid", "net.x",
    ]  # fmt: skip


def test_what_is_left_of_a_record_stands_alone() -> None:
    """Slices leave out variables: the others are shown by their own names."""
    model = model_of(f"{DECLARATIONS} var m: Msg; rule r do {{ m.kind := grant; }}")
    rest = replace(model, variables=model.variables[1:])

    assert [whole.name for whole in Views(rest).wholes] == ["m.ends.from", "m.ends.to"]
