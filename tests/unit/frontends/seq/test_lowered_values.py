"""Models that try to break how values with parts are written out, each beside a successor function written by hand:
places that are handed over twice, values that change while they are assigned, loops over what they change.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest
from tests.support.flattened import figures, task_of
from tests.unit.frontends.seq.test_written_successors import State, Steps, walk

from support.strategies import reachable_states

MODELS: dict[str, tuple[str, State, Steps]] = {}


def add(name: str, text: str, first: State, steps: Steps) -> None:
    """A model with its initial state and what can follow a state."""
    MODELS[name] = (text, first, steps)


def replaced(parts: State, at: int, part: object) -> State:
    """A tuple with another part."""
    return (*parts[:at], part, *parts[at + 1 :])


# A set is handed over by value while the original changes; a set that is assigned from itself; a loop over a set that
# the loop changes.

SETS = """
process P = 0 .. 2;
var g: set of P; var h: set of P; var n: 0 .. 3;
procedure turn(s: set of P, i: P) {
  clear(g);
  for j in s where j != i { insert(g, (j + 1) % 3); }
  if i in s { insert(h, i); }
  n := card(s);
}
rule one(i: P) do { turn(g, i); }
rule two(i: P) do { let t = g; insert(g, i); if i in t { g := t minus { i }; } n := card(t); }
rule three do { turn(g union h, 0); h := { i in P where (i + 1) % 3 in h }; }
rule four(i: P) do { for j in g minus h { remove(g, (j + 1) % 3); insert(h, j); } }
"""


def set_steps(state: State) -> Iterator[State]:
    g, h, _ = state

    def turned(s: frozenset[int], i: int) -> State:
        return frozenset((j + 1) % 3 for j in s if j != i), h | {i} if i in s else h, len(s)

    for i in range(3):
        yield turned(g, i)
        yield g - {i} if i in g else g | {i}, h, len(g)
        left, seen = set(g), set(h)
        for j in range(3):
            if j in left and j not in seen:
                left.discard((j + 1) % 3)
                seen.add(j)
        yield frozenset(left), frozenset(seen), state[2]
    after, others, count = turned(g | h, 0)
    yield after, frozenset(i for i in range(3) if (i + 1) % 3 in others), count


add("sets that change on the way", SETS, (frozenset(), frozenset(), 0), set_steps)


# Elements of an array of records with sets, found by an index that is a field of what is assigned.

RECORDS = """
process P = 0 .. 2;
record R { k: P, s: set of P }
var r[i: P]: R = R { k: i, s: {} };
rule joined(i, j: P) do { r[i].s := r[j].s union { i }; }
rule turned(i: P) do { r[i].s := { j in P where i in r[j].s }; }
rule followed(i: P) do { r[r[i].k] := R { k: (r[i].k + 1) % 3, s: r[r[i].k].s minus { i } }; }
"""


def record_steps(state: State) -> Iterator[State]:
    s, k = state
    for i in range(3):
        yield from ((replaced(s, i, s[j] | {i}), k) for j in range(3))
        yield replaced(s, i, frozenset(j for j in range(3) if i in s[j])), k
        at = k[i]
        yield replaced(s, at, s[at] - {i}), replaced(k, at, (k[i] + 1) % 3)


add("records found by their own fields", RECORDS, ((frozenset(),) * 3, (0, 1, 2)), record_steps)


# Equal records in a bag, in a loop that takes out and sends.

BAGS = """
process P = 0 .. 1;
domain V = { a, b };
record M { to: P, v: V }
var net: bag of M max 3; var n: 0 .. 3;
procedure back(m: M) { send M { to: 1 - m.to, v: m.v } to net; }
rule put(m: M) when !full(net) do { send m to net; }
rule all(i: P) do {
  var c: 0 .. 3 := 0;
  for m in net where m.to == i { remove(net, m); c := c + 1; if !full(net) { back(m); } }
  n := c;
}
rule one receive any m in net do {
  if m in net { remove(net, m); n := card(net); }
  else { n := len(net); send M { to: m.to, v: if m.v == a then b else a } to net; }
}
"""


def bag_steps(state: State) -> Iterator[State]:
    net, n = state
    messages = [*product((0, 1), "ab")]
    for message in messages:
        if len(net) < 3:
            yield tuple(sorted((*net, message))), n
    for i in (0, 1):
        left, count = list(net), 0
        for to, v in messages:
            if to == i and (to, v) in left:
                left.remove((to, v))
                count += 1
                if len(left) < 3:
                    left.append((1 - to, v))
        yield tuple(sorted(left)), count
    for message in sorted(set(net)):
        left = list(net)
        left.remove(message)
        if message in left:
            left.remove(message)
            yield tuple(sorted(left)), len(set(left))
        else:
            to, v = message
            yield tuple(sorted([*left, (to, "b" if v == "a" else "a")])), len(left)


add("equal messages", BAGS, ((), 0), bag_steps)


# Records in records: a record from its own parts, exchanged, kept in a local while it changes.

NESTED = """
process P = 0 .. 1;
record I { k: P, b: bool }
record O { one, two: I }
var o[i: P]: O = O { one: I { k: i, b: true }, two: I { k: 1 - i, b: false } };
rule swapped(i: P) do { o[i] := O { one: o[i].two, two: o[i].one }; }
rule given(i: P) do { o[o[i].one.k].two := o[i].one; }
rule taken(i: P) do { o[i].one := o[o[i].one.k].two; }
rule exchanged(i, j: P) do { let x = o[i]; o[i] := o[j]; o[j] := x; }
rule kept(i: P) do { let x = o[i].one; o[i].one.k := 1 - o[i].one.k; o[i].two := x; }
"""


def nested_steps(o: State) -> Iterator[State]:
    for i in (0, 1):
        one, two = o[i]
        yield replaced(o, i, (two, one))
        yield replaced(o, one[0], (o[one[0]][0], one))
        yield replaced(o, i, (o[one[0]][1], two))
        yield from (replaced(replaced(o, i, o[j]), j, o[i]) for j in (0, 1))
        yield replaced(o, i, ((1 - one[0], one[1]), one))


add("records from their own parts", NESTED, (((0, True), (1, False)), ((1, True), (0, False))), nested_steps)


# Definitions whose bound names are those of their callers; a union that changes inside its own case.

NAMES = """
process P = 0 .. 2;
union U { S, A { f: P }, B { f, g: P } }
var a[P]: 0 .. 2; var u: U;
def like(i: P) = exists j in P where j != i: a[j] == a[i];
def others(i: P) = count j in P where j != i: like(j);
rule up(j: P) when exists i in P where i != j: like(i) do { a[j] := (a[j] + 1) % 3; }
rule down(j: P) when let i = others(j): i == 2 do { a[j] := (a[j] + 2) % 3; }
rule change(j: P) do {
  match u {
    case A { u := B { g: j, f: u.f }; assert u.g == j && u is B; }
    case B { let k = u.f; u := A { f: u.g }; a[k] := a[u.f]; if k == j { u := S; } }
    case S { u := A { f: j }; }
  }
}
"""


def name_steps(state: State) -> Iterator[State]:
    a, u = state
    like = [any(a[j] == a[i] for j in range(3) if j != i) for i in range(3)]
    for j in range(3):
        others = sum(like[i] for i in range(3) if i != j)
        if others:
            yield replaced(a, j, (a[j] + 1) % 3), u
        if others == 2:
            yield replaced(a, j, (a[j] + 2) % 3), u
        match u:
            case ("A", f):
                yield a, ("B", f, j)
            case ("B", f, g):
                yield replaced(a, f, a[g]), ("S",) if f == j else ("A", g)
            case _:
                yield a, ("A", j)


add("names and cases", NAMES, ((0, 0, 0), ("S",)), name_steps)


# A sequence of records that grows while it is looked at, and whose items are handed over by reference.

SEQUENCES = """
process P = 0 .. 1;
record J { by: P, v: 0 .. 1 }
var q: seq[3] of J;
procedure swap(ref a: J, ref b: J) { let t = a; a := b; b := t; }
procedure copy(ref r: seq[3] of J, k: 0 .. 1) {
  if k < len(r) && !full(r) { push(r, J { by: 1 - r[k].by, v: r[k].v }); }
}
rule put(i: P, x: 0 .. 1) when !full(q) do { push(q, J { v: x, by: i }); }
rule double do { for k in 0 .. 1 { copy(q, k); } }
rule get when !empty(q) do { pop(q); }
rule same when len(q) >= 2 do { q[0] := q[1]; q[1] := q[0]; }
rule turn when len(q) >= 2 do { swap(q[0], q[1]); }
rule rotate when len(q) >= 2 do { let h = head(q); pop(q); push(q, h); q[0] := q[len(q) - 1]; }
rule last when !empty(q) do { let h = head(q); pop(q); if !empty(q) && head(q) == h { push(q, h); } }
"""


def sequence_steps(q: State) -> Iterator[State]:
    for item in product((0, 1), (0, 1)):
        if len(q) < 3:
            yield (*q, item)
    longer = list(q)
    for k in (0, 1):
        if k < len(longer) < 3:
            longer.append((1 - longer[k][0], longer[k][1]))
    yield tuple(longer)
    if len(q) >= 2:
        yield (q[1], q[1], *q[2:])
        yield (q[1], q[0], *q[2:])
        yield (q[0], *q[2:], q[0])
    if q:
        yield q[1:]
        yield (*q[1:], q[0]) if q[1:] and q[1] == q[0] else q[1:]


add("sequences that grow", SEQUENCES, (), sequence_steps)


# Sets of unions, a part of the processes, a bag of optional values.

UNIONS = """
process P = 0 .. 2;
domain Q = 1 .. 2 of P;
domain V = { a, b };
union U { Stop, Ask { from: P }, Tell { to: P, v: V } }
var s: set of U; var bag1: bag of V? max 2; var last: P?;
rule ask(i: Q) do { insert(s, Ask { from: i }); }
rule answer(m: U) when m in s do {
  remove(s, m);
  match m {
    case Ask { insert(s, Tell { to: (ord(m.from) + 1) % 3, v: a }); last := m.from; }
    case Tell { s := { x in s where !(x is Tell && x.to == m.to) }; last := m.to; }
    case Stop { last := none; }
  }
}
rule stop when card(s) == 2 do { s := s union { Stop }; }
rule put(y: V?) when !full(bag1) do { send y to bag1; }
rule get receive any y in bag1 do { if y == none { last := 0; } }
"""


def union_steps(state: State) -> Iterator[State]:
    s, bag, last = state
    for i in (1, 2):
        yield s | {("ask", i)}, bag, last
    for message in s:
        left = s - {message}
        match message:
            case ("ask", i):
                yield left | {("tell", (i + 1) % 3, "a")}, bag, i
            case ("tell", i, _):
                yield frozenset(m for m in left if m[:2] != ("tell", i)), bag, i
            case _:
                yield left, bag, None
    if len(s) == 2:
        yield s | {("stop",)}, bag, last
    for y in ("a", "b", "none"):
        if len(bag) < 2:
            yield s, tuple(sorted((*bag, y))), last
    for y in set(bag):
        left = list(bag)
        left.remove(y)
        yield s, tuple(left), 0 if y == "none" else last


add("sets of unions", UNIONS, (frozenset(), (), None), union_steps)


# Extremes, choices and sums over sets of numbers that do not begin with 0, and over sets of records.

NUMBERS = """
process P = 0 .. 1;
domain K = 2 .. 4;
record R { k: K, i: P }
var s: set of K; var r: set of R; var n: 0 .. 2;
rule flip(k: K) do { if k in s { remove(s, k); } else { insert(s, k); } }
rule span when s != {} do { n := (max k in s: k) - (min k in s: k); }
rule drop when s != {} do {
  let least = choose k in s where true;
  n := min(2, count k in s where k != least: true);
  s := s minus { least };
}
rule pair(i: P, k: K) when k in s do { insert(r, R { k: k, i: i }); }
rule both when exists x, y in r where x.k == y.k: x.i != y.i do {
  let top = max x in r where (exists y in r: y.k == x.k && y.i != x.i): x.k;
  n := (max x in r: x.k) - 2;
  r := { x in r where x.k != top };
}
rule all when r != {} && forall x in r: x.k in s do { s := { k in K where exists x in r: x.k == k }; clear(r); }
"""


def number_steps(state: State) -> Iterator[State]:
    s, r, n = state
    for k in (2, 3, 4):
        yield s ^ {k}, r, n
    if s:
        yield s, r, max(s) - min(s)
        yield s - {min(s)}, r, min(2, len(s) - 1)
    yield from ((s, r | {(k, i)}, n) for k in s for i in (0, 1))
    double = [k for k, i in r if (k, 1 - i) in r]
    if double:
        yield s, frozenset(x for x in r if x[0] != max(double)), max(k for k, _ in r) - 2
    if r and all(k in s for k, _ in r):
        yield frozenset(k for k, _ in r), frozenset(), n


add("numbers in sets", NUMBERS, (frozenset(), frozenset(), 0), number_steps)


# Procedures that hand on references; a value that is the field of what is handed over; one place twice.

REFERENCES = """
process P = 0 .. 1;
record C { n: 0 .. 2, at: P }
var cell[i: P]: C = C { n: ord(i), at: i };
procedure bump(ref n: 0 .. 2, by: 0 .. 2) { n := (n + by) % 3; }
procedure twice(ref ce: C, d: 0 .. 2) { bump(ce.n, d); bump(ce.n, d); }
procedure link(ref n: 0 .. 2, ref at: P) { at := 1 - at; bump(n, 1); }
procedure move(ref from: C, ref to: C) { let n = from.n; from := to; to.n := (n + to.n) % 3; }
rule double(i: P) do { twice(cell[i], cell[i].n); }
rule follow(i: P) do { link(cell[cell[i].at].n, cell[i].at); }
rule moved(i, k: P) do { move(cell[i], cell[k]); }
"""


def reference_steps(cell: State) -> Iterator[State]:
    for i in (0, 1):
        n, at = cell[i]
        yield replaced(cell, i, (3 * n % 3, at))
        turned = replaced(cell, i, (n, 1 - at))
        yield replaced(turned, at, ((turned[at][0] + 1) % 3, turned[at][1]))
        for k in (0, 1):
            moved = replaced(cell, i, cell[k])
            yield replaced(moved, k, ((n + moved[k][0]) % 3, moved[k][1]))


add("references that are handed on", REFERENCES, ((0, 0), (1, 1)), reference_steps)


# A bag that is asked about while a value is taken out of it; choices among what is in it, with ties; optional labels.

BAG = """
process P = 0 .. 1;
domain K = { ask, yes };
record M { k: K?, to: P }
var net: bag of M max 2 duplicating; var got[P]: K?; var last: K?;
rule put(i: P, k: K?) when !full(net) do { send M { k: k, to: i } to net; }
rule take(i: P) receive any m in net where m.to == i && len(net) > 1 do {
  got[i] := m.k;
  if m in net { send M { k: none, to: 1 - i } to net; }
}
rule first when exists m in net where m.to == 0: true do {
  let m = choose m in net where m.to == 0;
  remove(net, m);
  last := m.k;
}
rule furthest when !empty(net) do {
  let m = choose m in net where (forall o in net where o != m: ord(o.to) <= ord(m.to));
  last := if card(net) == 1 then m.k else none;
  clear(net);
}
"""

_KS = ("ask", "yes", None)


def _bag(*values: object) -> State:
    return tuple(sorted(values, key=_in_order))


def _in_order(value: object) -> tuple[int, int]:
    assert isinstance(value, tuple)
    return _KS.index(value[0]), value[1]


def _without(net: State, value: object) -> State:
    at = net.index(value)
    return (*net[:at], *net[at + 1 :])


def network_steps(state: State) -> Iterator[State]:
    net, got, last = state
    if len(net) < 2:
        yield from ((_bag(*net, value), got, last) for value in (*set(net), *product(_KS, (0, 1))))
    for value in set(net) if len(net) > 1 else ():
        k, to = value
        left = _without(net, value)
        yield _bag(*left, (None, 1 - to)) if value in left else left, replaced(got, to, k), last
    near = [value for value in net if value[1] == 0]
    if near:
        least = min(near, key=_in_order)
        yield _without(net, least), got, least[0]
    if net:
        far = min((value for value in net if value[1] == max(to for _, to in net)), key=_in_order)
        yield (), got, far[0] if len(set(net)) == 1 else None


add("a bag that is asked about", BAG, ((), (None, None), None), network_steps)


# Matches in matches, of a place and of a value that was that place.

MATCHES = """
process P = 0 .. 1;
domain K = { red, green };
union U { A { x: P }, B { x: P, y: K }, C }
var u: U; var v: U; var n: 0 .. 3;
procedure step(ref a: U, b: U) {
  match a {
    case A {
      let x = a.x;
      match b {
        case A, C { a := b; n := (n + 1) % 4; }
        case B { a := B { x: x, y: b.y }; if b.x == x { a := C; } }
      }
    }
    case B {
      let y = a.y;
      match b {
        case A { a := B { x: b.x, y: green }; }
        else { let z = red; a := if b is B && b.y == z then A { x: a.x } else C; }
      }
      if y == green { n := 0; }
    }
    case C { a := A { x: 1 }; if b is A { a := B { x: b.x, y: red }; } }
  }
}
rule one do { step(u, v); }
rule two do { step(v, u); }
rule same do { step(u, u); }
rule other(w: U) when n == 3 do { step(v, w); n := 2; }
"""


def matched(a: State, b: State, n: int) -> tuple[State, int]:
    match a, b:
        case ("A", _), ("A", _) | ("C",):
            return b, (n + 1) % 4
        case ("A", x), ("B", other, y):
            return (("C",) if other == x else ("B", x, y)), n
        case ("B", _, y), ("A", x):
            return ("B", x, 1), 0 if y else n
        case ("B", x, y), _:
            return (("A", x) if b[0] == "B" and not b[2] else ("C",)), 0 if y else n
        case _:
            return (("B", b[1], 0) if b[0] == "A" else ("A", 1)), n


def match_steps(state: State) -> Iterator[State]:
    u, v, n = state
    after, count = matched(u, v, n)
    yield after, v, count
    after, count = matched(v, u, n)
    yield u, after, count
    after, count = matched(u, u, n)
    yield after, v, count
    every = (*(("A", x) for x in (0, 1)), *(("B", x, y) for x in (0, 1) for y in (0, 1)), ("C",))
    yield from ((u, matched(v, w, n)[0], 2) for w in every if n == 3)


add("matches in matches", MATCHES, (("A", 0), ("A", 0), 0), match_steps)


@pytest.mark.parametrize("name", MODELS)
def test_states_and_steps_are_those_of_a_successor_function(name: str) -> None:
    """By native code, and by the reference semantics."""
    text, first, steps = MODELS[name]
    wanted = walk([first], steps)

    assert figures(text)[:2] == wanted
    reached = reachable_states(task_of(text).model)
    assert reached is not None
    assert len(reached) == wanted[0]
