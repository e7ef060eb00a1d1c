"""What other languages write is one mistake, and one message, which says how it is written here."""

import pytest

from burnside.frontends.seq import load
from burnside.source import Source

DECLARATIONS = """\
process P = 0 .. 2;
domain V = { red, green };
record M { kind: V, from, to: P }
union U { Ask { from: P }, Stop }
var x: 0 .. 3; var p: P; var a[P]: 0 .. 3; var m: M; var s: set of P; var net: bag of M max 2; var q: seq[2] of M;
var u: U;
procedure work(ref y: 0 .. 3) { y := 1; }
"""


@pytest.mark.parametrize(
    ("text", "remedy"),
    [
        ("init z = 1;", "a variable begins as its declaration says"),
        ("struct R { a: int }\nvar r: R; rule one do { r.a := 1; }", "write 'record Msg"),
        ("type R = record a: 0..3; b: bool; end;\nvar r: R;", "write 'record Msg"),
        ("typedef R { byte a; byte b }", "write 'record Msg"),
        ("enum E { one, two }\nvar e: E; rule r when e == one do { e := two; }", "labels are declared with 'domain"),
        ("mtype = { one, two };", "labels are declared with 'domain"),
        ("chan c = [2] of { byte };", "a channel is a variable"),
        ("VARIABLES y, z\nrule r when y == 1 do { z := 1; }", "'var x: 0..3;'"),
        ("const K : 3;", "declarations take '='"),
        ("CONSTANT K", "'const N = 3;'"),
        ("action r do { }", "a step is a rule"),
        ("function f(y: 0..3) { return y; }\nrule r when f(x) == 1 do { }", "'def f(x: D) = e;' gives a value"),
        ("assert x == 0;", "properties are 'invariant"),
        ("EXTENDS Naturals\nvar y: bool;", "a text is one model"),
        ("active proctype A() { x = 1; do :: x = 2 od }", "what they do are rules"),
        ("ruleset (i: P) { rule r do { } } endruleset;", "blocks stand in braces"),
        ("var y: int; rule r do { y := 1; }", "a range such as 0..9"),
        ("var y: BOOLEAN;", "of the type 'bool'"),
        ("var y: array P of bool;", "indices stand behind the name"),
        ("var y: map[P] of bool;", "indices stand behind the name"),
        ("var y: set[P];", "a set is written 'set of D'"),
        ("var y: set<P>;", "a set is written 'set of D'"),
        ("var y: queue of P;", "'seq[3] of D'"),
        ("var y: bag[2] of M;", "'bag of Msg max 3'"),
        ("var y: string;", "there are no texts"),
        ("procedure f(y: ref P) { }", "'ref' stands in front of the name"),
        ("procedure f(var y: P) { y := 1; }", "written 'ref x: D'"),
        ("rule r do { return; }", "a procedure gives nothing back"),
        ("rule r do { skip; x := 1; }", "a block without statements"),
        ("rule r do { switch x { case 1 { x := 2; } } x := 1; }", "'match u"),
        ("rule r do { call work(x); }", "called by its name"),
        ("rule r do { x := work(x); }", "called as a statement"),
        ("rule r do { add(s, p); }", "'insert(s, e);' changes a set"),
        ("rule r do { s += p; }", "'insert(s, e);' changes a set"),
        ("rule r do { s.insert(p); x := 1; }", "'insert(s, e);' changes a set"),
        ("rule r do { m := pop(q); x := 1; }", "'x := head(q); pop(q);'"),
        ("rule r do { receive any n in net; }", "a rule begins with it"),
        ("rule r when receive n in net do { }", "a rule begins with it"),
        ("rule r do { m := { kind: red, from: 0, to: 1 }; x := 1; }", "write the name of its type in front"),
        ("rule r do { m := M(red, 0, 1); }", "M { kind: …, from: …, to: … }"),
        ("rule r do { u := Ask(0); }", "Ask { from: … }"),
        ("rule r do { s := { i in P: i != p }; x := 1; }", "{ i in P where c }"),
        ("rule r when s == { i in P | i != p } do { x := 1; }", "{ i in P where c }"),
        ("rule r when s + s == s do { }", "of sets, write 'union'"),
        ("rule r when s <= s do { }", "of sets, write 'subset'"),
        ("rule r when s.contains(p) do { }", "write 'e in s'"),
        ("rule r when s.size == 1 do { }", "'card(s)' is the size of a set"),
        ("rule r when size(s) == 1 do { }", "'card(s)' is the size of a set"),
        ("rule r when |s| == 1 do { }", "'card(s)' is the size of a set"),
        ("rule r when s == empty do { }", "'{}' is the empty set"),
        ("rule r when u.from == null do { }", "what is absent is 'none'"),
        ("rule r when all i in P: a[i] == 1 do { }", "write 'forall i in P: c'"),
        (r"rule r when \A i \in P : a[i] = 1 do { }", "write 'forall i in P: c'"),
        (r"rule r when x == 1 /\ p \in s do { }", None),
        ("rule r when p ∈ s ∪ s do { }", None),
        ("rule r do { x' := 1; }", "a rule assigns the new value"),
        ("rule r when x == 1 -> { x := 2; }", None),
        ("ltl f: always x == 0;", "'[] f' is always"),
    ],
)
def test_a_word_of_another_language_is_one_mistake(text: str, remedy: str | None) -> None:
    _, diagnostics, _ = load(Source("test.seq", DECLARATIONS + text), {})

    shown = [(d.message, [note.message for note in d.notes]) for d in diagnostics]
    if remedy is None:
        assert {d.code for d in diagnostics} == {"BUR102"}, shown
        return
    assert len(shown) == 1, shown
    assert remedy in shown[0][1][0]


def test_what_follows_a_foreign_declaration_is_read() -> None:
    """Its names are not said to be unknown, and mistakes behind it are still found."""
    text = "enum E { one, two }\nvar e: E;\nvar y: 0 .. 3;\nrule r when e == one do { y := two; y := green; }\n"

    _, diagnostics, _ = load(Source("test.seq", f"domain C = {{ green }};\n{text}invariant i: y == z;\n"), {})

    assert [d.message for d in diagnostics.sorted()] == [
        "expected a declaration, found 'enum'",
        "'z' is not known here",
    ]
