"""Texts that were once understood wrongly: the interpreter says what they mean, or a diagnostic why not."""

from __future__ import annotations

import pytest

from actors.agreement import Outcome, Setting, compare
from burnside.frontends.kit.options import Options
from burnside.frontends.rebeca import load
from burnside.source import Source


def single(fields: str, body: str, more: str = "") -> str:
    """One rebec whose first message has a body."""
    servers = f"msgsrv initial() {{ {body} }} {more}"
    return f"reactiveclass A(3) {{ statevars {{ {fields} }} {servers} }} main {{ A r():(); }}"


END, FAULT = Outcome.TO_THE_END, Outcome.FAULT


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        # A state variable hides an environment variable, arrays too: the environment was read.
        ("env int a = 1; " + single("int[2] a;", "a[1] = 5; assertion(a[1] == 5);"), END),
        ("env int[2] a = {7, 8}; " + single("int[2] a;", "a[1] = 5; assertion(a[1] == 5);"), END),
        # '&' and '|' compute both sides: faults of the right one got lost.
        (single("boolean b; int x;", "b = b & (1 / x == 0);"), FAULT),
        (single("boolean b; int x;", "b = true; b |= 1 / x == 0;"), FAULT),
        (single("boolean b; boolean c;", "b = b | !c; c = b & !c;"), END),
        # 'x is not 0' was left out as implied by 'x is 3' behind the division that needs it.
        (
            single(
                "int x; int y;",
                "x = ?(0, 3, 5); self.m();",
                "msgsrv m() { if (x == 0) { y = 1; } else { if (10 / x > 2) { if (x == 3) { y = 2; } } } }",
            ),
            END,
        ),
        # Locals that nothing reads were left out, with the fault of a value that does not fit.
        (single("int x;", "byte v = 300;"), FAULT),
        (single("int x;", "self.m(200);", "msgsrv m(int p) { byte v = p; }"), FAULT),
        # Parameters of two types share a column of the queue, and fillers widen it.
        (single("int x;", "self.m(200);", "msgsrv m(byte p) { } msgsrv n(int q) { self.n(300); }"), FAULT),
        (single("byte x;", "x = 127; self.m(x + 1);", "msgsrv m(byte p) { } msgsrv n() { }"), FAULT),
        (single("int x;", "self.m(100); self.n(300);", "msgsrv m(byte p) { x = p; } msgsrv n(int q) { x = q; }"), END),
        # What is known of an element holds until its index changes, too: ranges were too small.
        (single("int[2] a; int n; int x;", "a[1] = 9; n = ?(0, 1); if (a[n] < 3) { n = 1; x = a[n]; }"), END),
        (single("int[2] a; int x;", "int i = ?(0, 1); a[1] = 9; if (a[i] < 3) { i = 1; x = a[i]; }"), END),
        # Growing ranges of locals end at the limits of their types.
        (single("int x;", "byte v = 0; while (v < 200) { v = v + 1; }"), FAULT),
        (single("int x;", "byte v = 0; boolean b = true; while (b) { v = v + 1; b = v != 500; }"), FAULT),
        # The counter of a short loop was written out beyond its type.
        (single("int x;", "for (byte i = 126; i < 130; i++) { x += 1; }"), FAULT),
        (single("int x;", "for (byte i = 125; i < 127; i++) { x += i; }"), END),
        # Alternatives that are equal in the end are one, also if they do not look equal.
        (single("int x;", "byte z = 2; x = ?(z, 2, 1);"), END),
        (single("int x;", "byte w = 0; byte z = 0; while (w < 2) { w += 1; z = z + 1; } x = ?(z, 2, 1);"), END),
        # The first values of a local array are computed one after the other.
        (single("int x;", "int[2] a = {x, x++}; assertion(a[0] == 0 && a[1] == 0 && x == 1);"), END),
        # Negative numbers: division towards zero, the sign of a remainder is that of the left side.
        (single("int x; int y;", "x = ?(-7, 7); y = ?(-2, 2); assertion(x / y * y + x % y == x); x = x % y;"), END),
    ],
)
def test_texts_mean_what_the_interpreter_says(text, outcome):
    assert compare(text, "text", Setting()) is outcome


CREATION = """
reactiveclass Owner(3) {
  statevars { byte budget = 2; }
  msgsrv initial() { if (budget > 0) { budget--; new Item():(); self.initial(); } }
}
"""


@pytest.mark.parametrize(
    "item",
    [
        # Conditions on a rebec that is being created were asked of rebecs that exist already, or of none.
        "reactiveclass Item(2) { statevars { byte x = 1; } Item() { if (x < 3) { x++; } } msgsrv m() { } }",
        "reactiveclass Item(2) { statevars { byte d = 5; } Item() { if (10 / d > 1) { d = 0; } self.m(); } "
        "msgsrv m() { d = 0; } }",
        "reactiveclass Item(2) { statevars { Item i; } Item() { if (i == null) { self.m(); } } "
        "msgsrv m() { i = self; } }",
    ],
)
def test_conditions_on_a_rebec_that_is_being_created(item):
    text = CREATION + item + "main { Owner o():(); }"

    assert compare(text, "text", Setting(created=2)) is END
    assert compare(text, "text", Setting(created=1)) is FAULT  # a limit


def test_constructors_create_rebecs_before_the_start():
    """They take the first places; that they could take others gave several initial states, or was refused."""
    text = """
reactiveclass Owner(2) { statevars { Item mine; } Owner() { mine = new Item(self):(); } msgsrv done() { mine = null; } }
reactiveclass Item(2) { knownrebecs { Owner o; } msgsrv initial() { o.done(); } }
main { Owner a():(); Owner b():(); }
"""
    assert compare(text, "text", Setting(created=2)) is END


def test_messages_that_nobody_sends_do_not_cost_symmetry():
    """Their programs had no ranges; unrolling such a loop was more than detection allows, and took all symmetry."""
    item = """
reactiveclass Item(2) {
  statevars { byte x; }
  msgsrv initial() { }
  msgsrv never(byte p) { byte w = 0; while (w < 2) { w += 1; } x = p; }
}
"""
    assert compare(CREATION + item + "main { Owner o():(); }", "text", Setting(created=2)) is END


@pytest.mark.parametrize(
    ("text", "code"),
    [
        # A message to a class whose message server has other parameters vanished.
        (
            "reactiveclass P(2) { msgsrv talk() { } } reactiveclass D extends P (2) { msgsrv talk(int x) { } } "
            "reactiveclass B(2) { knownrebecs { P a; } msgsrv initial() { a.talk(); } } main { D d():(); B b(d):(); }",
            "BUR203",
        ),
        # A sender of the class that was not looked at had no such message server, it was said.
        (
            "reactiveclass A(2) { knownrebecs { S s; } msgsrv initial() { s.ask(); } msgsrv reply(byte x) { } } "
            "reactiveclass B(2) { knownrebecs { S s; } msgsrv initial() { s.ask(); } msgsrv reply(int x) { } } "
            "reactiveclass S(2) { msgsrv ask() { sender.reply(5); } } main { A a(s):(); B b(s):(); S s():(); }",
            "BUR203",
        ),
        # Classes cannot name the rebecs of 'main', of whatever class these are.
        (
            "reactiveclass P(2) { msgsrv m() { } } "
            "reactiveclass Q(2) { statevars { P f = q; } msgsrv initial() { f.m(); } } main { P p():(); Q q():(); }",
            "BUR201",
        ),
        ("reactiveclass A(2) { msgsrv m() { } } reactiveclass B extends A, A (2) { } main { B b():(); }", "BUR203"),
        ("reactiveclass A(2) { msgsrv m() { } } interface I extends A { } main { A a():(); }", "BUR203"),
        ("env int N = 2147483647 + 1; reactiveclass A(2) { msgsrv m() { } } main { A a():(); }", "BUR206"),
        ("reactiveclass A(2) { statevars { int x; } msgsrv m() { x = pow(-64, 63); } } main { A a():(); }", "BUR105"),
    ],
)
def test_texts_are_refused_where_their_meaning_would_be_another_one(text, code):
    tasks, diagnostics, _ = load(Source("text", text), {}, Options({}))

    assert not tasks
    assert code in [d.code for d in diagnostics]


def test_that_no_rebec_may_be_created_is_said():
    text = "reactiveclass A(2) { msgsrv initial() { new A():(); } } main { A a():(); }"
    tasks, diagnostics, _ = load(Source("text", text), {}, Options({"max_rebecs": 0}))

    assert not tasks
    assert [d.code for d in diagnostics] == ["BUR205"]
