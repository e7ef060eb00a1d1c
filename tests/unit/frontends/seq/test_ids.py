"""Ids of processes: what mixes them up with numbers or other ids is refused, and nothing else is."""

import pytest
from tests.support.flattened import figures, problems, task_of

from burnside.claims.printer import print_task
from burnside.frontends.seq import load
from burnside.source import Source

DECLARATIONS = """\
const NEXT = [1, 2, 0];
process A = 0 .. 2;
process B = 0 .. 2;
domain Maybe = A + { nobody };
domain Some = 1 .. 2 of A;
record R { a: A, n: 0 .. 2 }
var x[A]: 0 .. 3;
var y[B]: A;
var o: Maybe = nobody;
var q: seq[2] of A;
var s[B]: set of A;
var r: R;
def next(i: A) = (i + 1) % 3;
def same(i: A) = i;
procedure put(i: A, ref n: 0 .. 3) { n := ord(i); }
"""


@pytest.mark.parametrize(
    "text",
    [
        "rule go(a: A) when x[a] == 0 && a == 0 && a != 2 && y[0] == a && o == a && o == nobody do { }",
        "rule go(a: A, b: B) do { y[b] := a; o := a; push(q, a); insert(s[b], a); r := R { a: a, n: ord(b) }; }",
        "rule go(a: A) do { y[0] := next(a); o := (ord(a) + 1) % 3; x[next(a)] := 1; x[NEXT[a]] := NEXT[a]; }",
        "rule go(a: A, t: Some) when NEXT[a] == a && a == t && same(a) == t && ord(t) < ord(a) do { x[t] := ord(a); }",
        "rule go(a: A, b: B) when ord(a) == ord(b) && (if x[a] == 0 then a else nobody) == o do { put(a, x[a]); }",
        "invariant i: forall a in A, b in B: a in s[b] && o in s[b] && (choose c in A where c != a) != a;",
        "invariant i: (max a in A where x[a] > 0: ord(a)) >= (sum b in B: ord(b)) && a_is(0); def a_is(a: A) = a == 0;",
        "ltl l: [] forall a in A: (o == a => <> o == nobody);",
        "rule go(a: A) by A(a) do { let b = a; var c: A := b; let n = ord(c); for d in A { x[d] := n; } }",
        "rule go(a: A) when a in { 0 .. 1 } && a in Some do { }",
        "rule go(a: A) when y[0] == next(a) && y[1] == (a - 1) % 3 do { o := 2 - a; }",
        "rule go(a: A) when next(next(a)) == (x[0] + a) % 3 do { }",
        "rule go(a: A) do { let b = (a + 3 - 1) % 3; y[0] := if b == a then next(b) else 2 - b; }",
        "process C = 1 .. 4; var z[C]: C = 1; rule go(c: C) when c % 4 + 1 == z[c] do { z[5 - c] := (c + 2) % 4 + 1; }",
        "rule go(b: B) by A(ord(b)) do { clear(q); push(q, next(0)); }",
    ],
)
def test_ids_are_used_as_ids(text: str) -> None:
    """And what is printed is read back: `task_of` makes sure of that."""
    if "a_is" in text:
        text = " ".join(reversed(text.split("; ", 1))) + ";"
    task_of(f"{DECLARATIONS} {text}")


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("rule go(b: B) when x[b] == 0 do { }", "b", "expected an id of 'A', found an id of 'B'"),
        ("rule go(a: A) when y[a] == 0 do { }", "a", "expected an id of 'B', found an id of 'A'"),
        ("rule go(a: A) when a + 1 == 1 do { }", "a", "expected a number, found an id of 'A'"),
        ("rule go(a: A) do { } ltl l(b: B): [] !event go(b + 1);", "b", "expected a number, found an id of 'B'"),
        ("rule go(a: A) when -a == 1 do { }", "a", "expected a number, found an id of 'A'"),
        ("rule go when o < 1 do { }", "o", "expected a number, found an id of 'A'"),
        ("rule go(a: A) when min(a, 1) == 1 do { }", "a", "expected a number, found an id of 'A'"),
        ("rule go(a: A) when q[a] == 0 do { }", "a", "expected a number, found an id of 'A'"),
        ("rule go(a: A, b: B) when a == b do { }", "b", "expected an id of 'A', found an id of 'B'"),
        ("rule go(a: A) when x[a] == a do { }", "a", "expected a number, found an id of 'A'"),
        ("rule go(a: A) do { x[a] := a; }", "a", "expected a number, found an id of 'A'"),
        ("rule go(b: B) do { o := b; }", "b", "expected an id of 'A', found an id of 'B'"),
        ("rule go(b: B) do { push(q, b); }", "b", "expected an id of 'A', found an id of 'B'"),
        ("rule go(b: B) do { insert(s[b], b); }", "b", "expected an id of 'A', found an id of 'B'"),
        ("rule go(b: B) do { x[0] := next(b); }", "b", "expected an id of 'A', found an id of 'B'"),
        ("rule go(b: B) do { put(b, x[0]); }", "b", "expected an id of 'A', found an id of 'B'"),
        ("rule go(b: B) do { y[b] := same(next(b)); }", "b", "expected an id of 'A', found an id of 'B'"),
        ("rule go(a: A) when y[same(a)] == a do { }", "same(a)", "expected an id of 'B', found an id of 'A'"),
        ("rule go when y[next(0)] == 0 do { }", "next(0)", "expected an id of 'B', found an id of 'A'"),
        ("rule go(a: A, b: B) when (b + 1) % 3 == a do { }", "a", "expected an id of 'B', found an id of 'A'"),
        ("rule go(a: A) when (a + 1) % 2 == 0 do { }", "a", "expected a number, found an id of 'A'"),
        ("rule go(a: A) when 3 - a == 0 do { }", "a", "expected a number, found an id of 'A'"),
        ("rule go(a: A) when (2 * a) % 3 == 0 do { }", "a", "expected a number, found an id of 'A'"),
        ("rule go when (o + 1) % 3 == 0 do { }", "o", "expected a number, found an id of 'A'"),
        ("rule go(a: A) do { x[a] := 2 - a; }", "2 - a", "expected a number, found an id of 'A'"),
        (
            "var l[A]: seq[1] of B; rule go(b: B) do { push(l[b], b); }",
            "b",
            "expected an id of 'A', found an id of 'B'",
        ),
        ("var l[A]: seq[1] of B; rule go(b: B) do { pop(l[b]); }", "b", "expected an id of 'A', found an id of 'B'"),
        ("rule go(b: B) by A(b) do { }", "b", "expected an id of 'A', found an id of 'B'"),
        ("rule go(a: A) do { } ltl l(b: B): [] !event go(b);", "b", "expected an id of 'A', found an id of 'B'"),
        ("var v[i: A]: B = i;", "i", "expected an id of 'B', found an id of 'A'"),
        ("rule go(b: B) do { r.a := b; }", "b", "expected an id of 'A', found an id of 'B'"),
        ("rule go(a: A) do { r := R { a: a, n: a }; }", "a", "expected a number, found an id of 'A'"),
        ("rule go(a: A) do { var n: 0 .. 3 := a; x[0] := n; }", "a", "expected a number, found an id of 'A'"),
        ("invariant p: (sum a in A: a) == 3;", "a", "expected a number, found an id of 'A'"),
        ("invariant p: (max a in A: a) == 3;", None, "expected a number, found an id of 'A'"),
        ("initially o > 1;", "o", "expected a number, found an id of 'A'"),
        (
            "def bad(a: A) = a * 2; rule go(a: A) when bad(a) == bad(0) do { }",
            "a",
            "expected a number, found an id of 'A'",
        ),
        ("procedure bad(a: A) { x[0] := a; } rule go(a: A) do { bad(a); bad(a); }", "a", None),
        ("var v[i: A]: 0 .. 9 = i + 1;", "i", "expected a number, found an id of 'A'"),
    ],
)
def test_what_mixes_ids_up_is_refused_once(text: str, place: str | None, message: str | None) -> None:
    _, diagnostics, _ = load(Source("test.seq", DECLARATIONS + text), {})

    assert [d.code for d in diagnostics] == ["BUR221"]
    (found,) = diagnostics
    assert message is None or found.message == message
    if place is not None:
        assert found.span is not None and found.span.text == place
        assert found.notes[0].message == f"if its number is meant, write ord({place})"


@pytest.mark.parametrize(
    ("text", "remedy"),
    [
        ("rule go(i, j: A) when i < j do { }", "ord(i) < ord(j)"),
        ("rule go(i, j: A) when x[max(i, j)] == 0 do { }", "max(ord(i), ord(j))"),
        ("rule go(i, j: A) when (i + j) % 3 == 0 do { }", "ord(i) + ord(j)"),
        ("rule go(a: A, b: B) when a <= b do { }", "ord(a) <= ord(b)"),
        (
            "def least(i: A) = sum j in A: if j < i then 1 else 0; rule go(j: A) when least(j) == 0 do { }",
            "ord(j) < ord(i)",
        ),
    ],
)
def test_two_ids_that_are_taken_for_numbers_are_one_mistake(text: str, remedy: str) -> None:
    _, (found,), _ = load(Source("test.seq", DECLARATIONS + text), {})

    assert found.code == "BUR221" and found.message.startswith("expected numbers, found ids of 'A'")
    assert found.notes[0].message == f"if their numbers are meant, write {remedy}"


@pytest.mark.parametrize(("constants", "problems"), [({}, []), ({"N": 4}, ["BUR221"])])
def test_a_ring_is_as_large_as_its_domain(constants: dict[str, int], problems: list[str]) -> None:
    """With another size, the text means something else than it says."""
    text = "const N = 3; process P = 0 .. N-1; var t: P; rule go(i: P) when t == i do { t := (i + 1) % 3; }"
    _, diagnostics, _ = load(Source("test.seq", text), constants)

    assert [d.code for d in diagnostics] == problems


def test_ord_is_only_in_texts() -> None:
    text = "process P = 0 .. 2; var t: P = *; rule go(i: P) when t == i do { t := (2 * ord(i) + 1) % 3; }"
    printed = print_task(task_of(text))

    assert "t := (2 * ord(i) + 1) % 3;" in printed
    ring = text.replace("2 * ord(i)", "ord(i)")
    assert "t := (i + 1) % 3;" in print_task(task_of(ring))
    text = ring
    assert figures(text) == (3, 3, 3)


def test_a_function_of_that_name_can_be_defined() -> None:
    """Texts that have their own mean what they meant."""
    assert figures("var x: 0 .. 3; def ord(k: 0 .. 3) = k + 1; rule go when x < 3 do { x := ord(x); }")[:2] == (4, 3)


def test_the_trial_of_mixed_ids_is_told() -> None:
    text = """const N = 3;
    process A = 0 .. N-1;
    process B = 0 .. N-1;
    domain Term = 0 .. 2;
    var x[A]: Term;
    var y[B][Term]: bool;
    rule go(a: A, b: B) when x[b] == 0 do { x[a] := 1; y[1][b] := true; }
    invariant ok: x[0] <= 1;
    """
    assert problems(text) == [
        ("BUR221", "expected an id of 'A', found an id of 'B'"),
        ("BUR221", "expected a number, found an id of 'B'"),
    ]


def test_rings_in_rings_are_read_in_no_time() -> None:
    """Whether a part is an id is asked of every part in several ways, each of which asks of its parts."""
    nested = "i"
    for _ in range(60):
        nested = f"({nested} + 1) % 4"
    text = f"process P = 0 .. 3; var t: P = *; rule go(i: P) when t == i do {{ t := {nested}; }}"

    assert figures(text)[:2] == (4, 4)


def test_a_name_for_ids_of_several_domains_is_a_number() -> None:
    """Nobody has said what it is."""
    text = """process P = 0 .. 2; domain O = P + { nobody }; var own: O = nobody; var x[P]: bool;
    rule go(n: P) when !x[n] do { let i = if x[0] then own else n; own := n; x[n] := i != 3; }"""

    assert task_of(text)


def test_definitions_of_ids_nest() -> None:
    """What is an id by its form needs no mark."""
    levels = "".join(f"def d{k + 1}(i: P) = (d{k}(i) + 1) % 4; " for k in range(45))

    assert task_of(f"process P = 0 .. 3; var t: P = *; def d0(i: P) = i; {levels} rule go do {{ t := d45(t); }}")
