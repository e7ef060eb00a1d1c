"""Small models that try to break unions, records and ids, each beside a successor function that is written by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeAlias

import pytest
from tests.support.flattened import figures, problems, task_of

State: TypeAlias = tuple[Any, ...]
Steps: TypeAlias = Callable[[State], Iterator[State]]


def walk(first: Iterable[State], steps: Steps) -> tuple[int, int]:
    """How many states there are, and how many steps."""
    seen = set(first)
    pending, count = list(seen), 0
    while pending:
        for after in steps(pending.pop()):
            count += 1
            if after not in seen:
                seen.add(after)
                pending.append(after)
    return len(seen), count


# A union in every element of an array, whose variants share a field; ids of a record are indices.

ARRAY = """
process P = 0 .. 2;
union U { Idle, Wait { on: P }, Both { on: P, more: P } }
var u[P]: U;
rule wait(i, j: P) when i != j && u[i] is Idle do { u[i] := Wait { on: j }; }
rule more(i: P) when u[i] is Wait do { u[i] := Both { more: i, on: u[i].on }; }
rule free(i: P) when u[i].on != none && !(u[u[i].on] is Idle) do { u[u[i].on] := Idle; }
"""


def array_steps(state: State) -> Iterator[State]:
    for i in range(3):
        for j in range(3):
            if i != j and state[i] == ("idle",):
                yield (*state[:i], ("wait", j), *state[i + 1 :])
        if state[i][0] == "wait":
            yield (*state[:i], ("both", state[i][1], i), *state[i + 1 :])
        if state[i] != ("idle",) and state[state[i][1]] != ("idle",):
            k = state[i][1]
            yield (*state[:k], ("idle",), *state[k + 1 :])


# A bag of a union: what is equal is one message twice.

BAG = """
process P = 0 .. 1;
domain V = { red, green };
union Msg { Ping { to: P }, Data { to: P, v: V }, Stop }
var net: bag of Msg max 2;
var got[P]: V?;
rule ping(i: P) when !full(net) do { send Ping { to: i } to net; }
rule stop when !full(net) do { send Stop to net; }
rule take(x: V) receive any m in net do {
  match m { case Ping { send Data { v: x, to: m.to } to net; } case Stop { } case Data { got[m.to] := m.v; } }
}
"""


def bag_steps(state: State) -> Iterator[State]:
    net, got = state
    if len(net) < 2:
        for i in range(2):
            yield tuple(sorted((*net, ("ping", i)))), got
        yield tuple(sorted((*net, ("stop",)))), got
    for message in sorted(set(net)):
        rest = list(net)
        rest.remove(message)
        for v in ("red", "green"):
            if message[0] == "ping":
                yield tuple(sorted((*rest, ("data", message[1], v)))), got
            elif message[0] == "stop":
                yield tuple(rest), got
            else:
                yield tuple(rest), tuple(message[2] if k == message[1] else g for k, g in enumerate(got))


# A sequence of a union, with the names of variants and fields taken from words of the language.

WORDS = """
process process_ = 0 .. 1;
union union { case { is, match: process_ }, record }
var q: seq[2] of union;
var set: process_;
rule send(to: process_) when !full(q) do { push(q, case { is: to, match: 1 - to }); }
rule any when !full(q) do { push(q, record); }
rule receive when !empty(q) do {
  let m = head(q); pop(q);
  match m { case case { set := m.match; } case record { set := (set + 1) % 2; } }
}
"""


def words_steps(state: State) -> Iterator[State]:
    q, last = state
    if len(q) < 2:
        for to in range(2):
            yield (*q, ("case", to, 1 - to)), last
        yield (*q, ("record",)), last
    if q:
        yield q[1:], q[0][2] if q[0][0] == "case" else 1 - last


# Nested records with ids of two processes, parameters that hide nothing, a definition that gives an id.

NESTED = """
const N = 2;
process A = 0 .. N-1;
process B = 1 .. 3;
record In { b: B, a: A }
record Out { in_: In, ok: bool }
var o[A]: Out = Out { in_: In { b: 1, a: 0 }, ok: false };
def after(b: B) = b % 3 + 1;
def other(a: A) = N - 1 - a;
rule turn(a: A) when !o[a].ok do { o[a].in_.b := after(o[a].in_.b); o[o[a].in_.a].ok := true; }
rule back(a: A, b: B) when o[a].in_.b == b && o[a].ok do { o[a] := Out { ok: false, in_: In { a: other(a), b: b } }; }
"""


def nested_steps(state: State) -> Iterator[State]:
    for a in range(2):
        b, to, ok = state[a]
        if not ok:
            new = [*state]
            new[a] = (b % 3 + 1, to, ok)
            new[to] = (*new[to][:2], True)
            yield tuple(new)
        else:
            yield tuple((b, 1 - a, False) if k == a else s for k, s in enumerate(state))


# Sets of a record, optional ids in a union, a match on what it changes itself.

MATCH = """
process P = 0 .. 1;
union U { One { p: P }, Two { p: P }, Three }
var u: U = Three;
var s: set of P;
rule step(i: P) when !(u is Two) || i in s do {
  match u {
    case Three { u := One { p: i }; }
    case One { u := Two { p: u.p }; insert(s, i); }
    case Two { remove(s, i); u := if i == u.p then Three else One { p: i }; }
  }
}
"""


def match_steps(state: State) -> Iterator[State]:
    (tag, p), s = state
    for i in range(2):
        if tag == "three":
            yield ("one", i), s
        elif tag == "one":
            yield ("two", p), s | {i}
        elif i in s:
            yield (("three", None) if i == p else ("one", i)), s - {i}


# A procedure that takes a union by reference, called with an element that its own indices depend on.

REFERENCE = """
process P = 0 .. 2;
union U { Nil, Link { next: P } }
var u[P]: U;
var at: P;
procedure link(ref one: U, to: P) { match one { case Nil { one := Link { next: to }; } case Link { one := Nil; } } }
rule go(i: P) do { link(u[at], i); at := i; }
rule follow when u[at] is Link do { at := u[at].next; link(u[at], (at + 1) % 3); }
"""


def reference_steps(state: State) -> Iterator[State]:
    u, at = state

    def linked(k: int, to: int) -> tuple[int | None, ...]:
        return tuple((to if x is None else None) if j == k else x for j, x in enumerate(u))

    for i in range(3):
        yield linked(at, i), i
    if u[at] is not None:
        yield linked(u[at], (u[at] + 1) % 3), u[at]


# Parameters, quantifiers, loops and sets over a union have its values, and no other combinations of fields.

VALUES = """
process P = 0 .. 1;
union U { A { p: P }, B { q: P, b: bool, o: P? }, C }
record R { u: U, on: bool }
var r: R;
var s: set of U;
var n: 0 .. 31;
rule set(m: U) when n == 0 && !r.on do { r.u := m; }
rule both(v: R) when n == 0 && v.on && (exists m in U: m == r.u) do { r := v; }
rule add when n < 15 do { for m in U { n := n + 1; } assert (count m in U: true) == 15; }
rule put(m: U) when n == 15 && r.on && card(s) < 1 do { insert(s, m); }
"""


def values_steps(state: State) -> Iterator[State]:
    every = [("a", p) for p in range(2)] + [("c",)]
    every += [("b", q, b, o) for q in range(2) for b in (False, True) for o in (0, 1, None)]
    (u, on), s, n = state
    if n == 0:
        yield from (((m, on), s, n) for m in every if not on)
        yield from (((m, True), s, n) for m in every)
    if n < 15:
        yield (u, on), s, n + 15
    if n == 15 and on and not s:
        yield from (((u, on), frozenset({m}), n) for m in every)


# Constants from the outside change the processes; names of locals, parameters and fields are the same.

NAMES = """
const N = 3;
process P = 0 .. N-1;
record p { x: P, p_: P? }
union x_ { y { x: P }, z }
var a[P]: p;
var b: x_;
def x(i: P) = (i + 1) % N;
rule go(y_: P) when a[y_].x == y_ do { let z_ = x(y_); a[z_].x := a[y_].x; a[y_].p_ := z_; b := y { x: x(x(y_)) }; }
rule no(y_: P) when b is y && b.x == y_ do { a[y_].x := y_; a[y_].p_ := none; b := z; }
"""


def names_steps(state: State) -> Iterator[State]:
    a, b = state
    for i in range(3):
        if a[i][0] == i:
            j, new = (i + 1) % 3, list(a)
            new[j] = (i, new[j][1])
            new[i] = (new[i][0], j)
            yield tuple(new), (i + 2) % 3
        if b == i:
            yield tuple((i, None) if k == i else c for k, c in enumerate(a)), None


# A union inside a record inside a sequence, read and written item by item.

ITEMS = """
process P = 0 .. 1;
union U { Free, Held { by: P } }
record Slot { u: U, n: 0 .. 1 }
var q: seq[2] of Slot;
rule add(i: P) when !full(q) do { push(q, Slot { n: ord(i), u: Held { by: i } }); }
rule free when !empty(q) && q[0].u is Held do { q[0].u := Free; }
rule drop when !empty(q) && head(q).u == Free do { pop(q); }
rule swap(i: P) when len(q) == 2 && q[1].u.by == 1 - i do { let x = q[0]; q[0] := q[1]; q[1] := x; }
"""


def items_steps(q: State) -> Iterator[State]:
    for i in range(2):
        if len(q) < 2:
            yield (*q, (i, i))
        elif q[1][0] == 1 - i:
            yield q[1], q[0]
    if q and q[0][0] is not None:
        yield (None, q[0][1]), *q[1:]
    if q and q[0][0] is None:
        yield q[1:]


# Optional ids as indices under a guard, a quantifier over a set of ids, a definition that gives an optional id.

CHAIN = """
process P = 0 .. 2;
var up[P]: P?;
var s: set of P;
def above(i: P) = if up[i] == none then none else up[up[i]];
rule hang(i, j: P) when i != j && up[i] == none && above(j) == none do { up[i] := j; insert(s, j); }
rule cut(i: P) when i in s && (forall j in s: j == i || up[j] != none) do { up[i] := none; remove(s, i); }
"""


def chain_steps(state: State) -> Iterator[State]:
    up, s = state
    for i in range(3):
        for j in range(3):
            if i != j and up[i] is None and (up[j] is None or up[up[j]] is None):
                yield (*up[:i], j, *up[i + 1 :]), s | {j}
        if i in s and all(j == i or up[j] is not None for j in s):
            yield (*up[:i], None, *up[i + 1 :]), s - {i}


CASES: dict[str, tuple[str, list[State], Steps]] = {
    "array": (ARRAY, [(("idle",),) * 3], array_steps),
    "bag": (BAG, [((), (None, None))], bag_steps),
    "words": (WORDS, [((), 0)], words_steps),
    "nested": (NESTED, [((1, 0, False),) * 2], nested_steps),
    "values": (VALUES, [((("a", 0), False), frozenset(), 0)], values_steps),
    "names": (NAMES, [(((0, None),) * 3, 0)], names_steps),
    "items": (ITEMS, [()], items_steps),
    "chain": (CHAIN, [((None,) * 3, frozenset())], chain_steps),
    "match": (MATCH, [(("three", None), frozenset())], match_steps),
    "reference": (REFERENCE, [((None,) * 3, 0)], reference_steps),
}


@pytest.mark.parametrize("name", CASES)
def test_states_and_steps_are_those_of_a_successor_function(name: str) -> None:
    """And what is printed is read back: `figures` makes sure of that."""
    text, first, steps = CASES[name]

    assert figures(text)[:2] == walk(first, steps)


def test_the_number_of_processes_can_be_given() -> None:
    """A ring has the size of its domain whatever that is."""
    assert len(task_of(NAMES, {"N": 5}).model.variables[0].initial) == 5


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("process P = 0 .. 1; union U { A { p: P }, P }", "BUR202"),
        ("process P = 0 .. 1; union U { U }", "BUR202"),
        ("union U { A { tag: bool }, B }", "BUR202"),
        ("union U { A { } , B } var u: U; rule r do { match u { case A { } case B { } case A { } } }", "BUR202"),
        ("union U { A } union W { B } var u: U; rule r do { match u { case A { } case B { } } }", "BUR203"),
        ("union U { A } union W { B } var u: U; rule r when u is B do { }", "BUR203"),
        ("union U { A } var u: U; rule r do { u := 0; }", "BUR203"),
        ("union U { A, B { b: bool } } var u: U = *;", "BUR901"),
        ("union U { A, B { b: bool } } var u[0 .. 1]: U = [A, *];", "BUR901"),
        ("union U { A, B { b: bool } } var s: set of U = *;", "BUR901"),
        ("union U { A, B { b: bool } } var u: U; invariant i(m: U): u == m;", "BUR901"),
        ("union U { A, B } var u: U; rule r when u < A do { }", "BUR203"),
        (
            "process P = 0 .. 1; process Q = 0 .. 1; union U { A { p: P } } rule r(q: Q) when A { p: q } is A do { }",
            "BUR221",
        ),
        (
            "process P = 0 .. 1; process Q = 0 .. 1; union U { A { p: P } } var u: U; var x[Q]: bool;"
            "rule r when x[u.p] do { }",
            "BUR221",
        ),
    ],
)
def test_a_mistake_about_unions_is_one_message(text: str, code: str) -> None:
    assert [found for found, _ in problems(text)] == [code]
