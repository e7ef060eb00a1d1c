"""Warnings: what is said about a text, and what is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from burnside.cli.main import main
from burnside.frontends.loading import ModelFile
from burnside.frontends.seq import load
from burnside.lint.run import warnings_about
from burnside.source import Source

EXAMPLES = Path(__file__).parents[3] / "examples"
COUNTING = "var x: 0..3;\nrule up when x < 3 do { x := x + 1; }\n"
SOME = "process P = 0..2;\nvar c[P]: bool;\nrule s(i: P) do { c[i] := !c[i]; }\n"
TWO = "domain D = { a, b };\n"


def said(text: str) -> list[tuple[int, str]]:
    """Lines and codes of what is said about a text."""
    tasks = load(Source("model.seq", text), {}).tasks
    assert tasks, "the text is wrong"
    return [(w.span.source.position(w.span.start)[0] if w.span else 0, w.code) for w in warnings_about(tasks)]


WARNED = {
    "written and never read": COUNTING + "var d: 0..3;\nrule w do { d := x; }\n",
    "neither": COUNTING + "var d: 0..3;\n",
    "read by itself": COUNTING + "var d: 0..3;\nrule w do { d := (d + 1) % 4; }\nreachable top: x == 3;\n",
    "never written": COUNTING + "var d: 0..3 = 2;\nrule w when d == x do { x := 0; }\n",
    "out of range": COUNTING + "rule w when x > 3 do { x := 0; }\n",
    "never taken": "var x: 0..3;\nrule up when x < 2 do { x := x + 1; }\nrule w when x == 3 do { x := 0; }\n",
    "a contradiction": COUNTING + "rule w when x > 1 && x < 1 do { x := 0; }\n",
    "always true": COUNTING + "rule w when x >= 0 && x < 2 do { x := 0; }\n",
    "an invariant": COUNTING + "invariant low: x <= 3;\n",
    "an invariant of all": "process P = 0..1;\n" + COUNTING + "invariant low: forall i in P: x >= 0 || x == ord(i);\n",
    "a condition to be reached": COUNTING + "reachable high: x == 4;\n",
    "a label": TWO + "var x: D = a;\nrule w when x == a do { x := a; }\n",
    "a label that is added": "domain A = { a, b };\ndomain B = A + { c, d };\nvar x: A = a;\nvar y: B = c;\n"
    "rule w when y == c do { x := b; y := x; }\n",
    "one of some processes": SOME + "rule w when c[1] do { c[1] := false; }\n",
    "one of some processes in a claim": SOME + "invariant never: !c[0];\n",
    "one of some processes by a parameter": SOME + "rule w(i: P) when i == 2 do { c[i] := false; }\n",
    "out of range beside a constant": "const N = 2;\n" + COUNTING + "rule w when x > 3 && x != N do { x := 0; }\n",
    "a variant": COUNTING + "union M { Ask, Stop }\nvar m: M;\nrule w when m is Ask do { m := Ask; }\n",
}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("written and never read", (3, "BUR701")),
        ("neither", (3, "BUR701")),
        ("read by itself", (3, "BUR701")),
        ("never written", (3, "BUR702")),
        ("out of range", (3, "BUR703")),
        ("never taken", (3, "BUR703")),
        ("out of range beside a constant", (4, "BUR703")),
        ("a contradiction", (3, "BUR703")),
        ("always true", (3, "BUR704")),
        ("an invariant", (3, "BUR705")),
        ("an invariant of all", (4, "BUR705")),
        ("a condition to be reached", (3, "BUR705")),
        ("a label", (1, "BUR706")),
        ("a label that is added", (2, "BUR706")),
        ("a variant", (3, "BUR706")),
        ("one of some processes", (4, "BUR707")),
        ("one of some processes in a claim", (4, "BUR707")),
        ("one of some processes by a parameter", (4, "BUR707")),
    ],
)
def test_what_is_probably_not_meant_is_said(name: str, expected: tuple[int, str]) -> None:
    """Where it is, and nothing else."""
    assert said(WARNED[name]) == [expected]


FINE = {
    "labels that come with those of another domain": "domain A = { a, b };\ndomain B = A + { c };\nvar x: A = a;\n"
    "var y: B = c;\nrule w when y == c do { x := b; y := x; }\n",
    "read by a property": COUNTING + "var d: 0..3;\nrule w do { d := x; }\ninvariant i: d < 3;\n",
    "read by a formula": COUNTING + "var d: bool;\nrule w do { d := !d; }\nltl f: [] <> d;\n",
    "shown in an event": COUNTING + "var d: 0..3;\nrule w as e(d) do { d := x; }\n",
    "counted where nothing is asked": "var d: 0..3;\nrule w do { d := (d + 1) % 4; }\n",
    "any value for ever": COUNTING + "var d: 0..3 = *;\nrule w when d == x do { x := 0; }\n",
    "switched by a constant": "const BUG = 0;\n" + COUNTING + "rule w when BUG == 1 do { x := 0; }\n",
    "compared with a constant": "const N = 3;\n" + COUNTING + "rule w when x <= N do { x := 0; }\n",
    "a definition with a constant": "const N = 3;\n" + COUNTING + "def big = x > N;\nrule w when big do { x := 0; }\n",
    "a constant among others": "const B = false;\n" + COUNTING + "rule w when B && x == 3 do { x := 0; }\n",
    "a constant chooses": "const B = false;\n" + COUNTING + "rule w when if B then x == 3 else x > 3 do { x := 0; }\n",
    "a constant that a rule asks": "const B = false;\nvar x: 0..3;\n"
    "rule u when x < 1 do { if B { x := 3; } else { x := 1; } }\n"
    "rule w when x == 3 do { x := 0; }\n",
    "an entry of a list": "const L = [1, 2];\n"
    + COUNTING
    + "rule w(i: 0..1) when L[i] > 2 && L[0] > 5 do { x := 0; }\n",
    "as large as a constant": "const N = 3;\nvar x: 0..N;\nrule up when x < N do { x := x + 1; }\n"
    "rule v when x <= 3 do { x := 0; }\nrule w when x > 5 do { x := 0; }\n"
    "invariant low: x <= 3;\nreachable high: x > 3;\n",
    "a domain as large as a constant": "const N = 3;\ndomain D = 0..N-1;\nvar x: D?;\n"
    "rule up when x != none do { x := 0; }\n"
    "rule w when x == none || ord(x) <= 2 do { x := 2; }\n",
    "two of one process": "const N = 1;\nprocess P = 0..N-1;\nvar c[P]: bool;\n"
    "rule w(i, j: P) when i != j do { c[i] := !c[j]; }\nrule v when (count i in P: c[i]) > 1 do { c[0] := false; }\n",
    "a constant at first": "const BUG = 0;\nvar b: 0..1 = BUG;\n"
    + COUNTING
    + "rule w when b == 1 do { x := 0; b := 0; }\n",
    "a label at first": "domain M = { a, b };\nconst MODE: M = a;\nvar m: M = MODE;\n"
    + COUNTING
    + "rule w when m == b do { x := 0; m := a; }\n",
    "room by a constant": "const N = 2;\nvar q: seq[N] of bool;\nrule s when len(q) < 3 do { push(q, true); }\n"
    "rule t when len(q) > 2 do { pop(q); }\n",
    "claimed of a constant": "const N = 3;\n" + COUNTING + "invariant low: x <= N;\n",
    "labels by a parameter": TWO + "var x: D = a;\nrule w(y: D) when x == a do { x := y; }\n",
    "labels by an index": TWO + "var x[D]: 0..1;\nrule w when x[a] == 0 do { x[a] := 1; }\n",
    "labels by any value": TWO + "var x: D = *;\nrule w when x == a do { x := a; }\n",
    "one of a ring": SOME + "rule w(i: P) when c[0] && c[(i + 1) % 3] do { c[0] := false; }\n",
    "one who begins": SOME + "var t: P = 0;\nrule w(i: P) when t == i || c[0] do { t := i; }\n",
    "one with a name": "const CHIEF = 1;\n" + SOME + "rule w when c[CHIEF] do { c[CHIEF] := false; }\n",
    "nobody": SOME + "var o: P?;\nrule w(i: P) when o == none do { o := i; }\n",
    "each of two": "process P = 0..1;\nvar c[P]: bool;\nrule s(i: P) when !c[0] || !c[1] do { c[i] := !c[i]; }\n",
    "in an order": SOME + "rule w(i: P) when c[0] && ord(i) > 1 do { c[i] := false; }\n",
    "a part of the processes": SOME + "domain Q = 1 .. 2 of P;\nrule w(i: Q) when c[0] do { c[i] := false; }\n",
    "a queue": "var q: seq[2] of 0..3;\nrule w when !full(q) do { push(q, 3); }\nrule r when q[0] > 2 do { pop(q); }\n",
}


@pytest.mark.parametrize("text", FINE.values(), ids=FINE)
def test_what_may_be_meant_is_not_said(text: str) -> None:
    """A warning must be true, and constants may be others in the next run."""
    assert said(text) == []


def test_a_line_allows_what_is_on_it_or_below() -> None:
    """By code, or everything; a comment behind something else is not about the next line."""
    first, second = COUNTING + "var d: 0..3;", "\nvar e: 0..3;\n"

    assert said(first + " // burnside: allow BUR701" + second) == [(4, "BUR701")]
    assert said(first + "\n  // burnside: allow BUR702, BUR701" + second) == [(3, "BUR701")]
    assert said(first + "\n// burnside: allow all" + second) == [(3, "BUR701")]
    assert said(first + " // burnside: allow BUR702" + second) == [(3, "BUR701"), (4, "BUR701")]


def test_the_command_line_allows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One code, or all; warnings do not change the exit code, and stand in every format."""
    path = tmp_path / "model.seq"
    path.write_text(COUNTING + "var d: 0..3;\nvar e: 0..3 = 2;\nrule w when e <= x do { x := 0; }\n")

    assert main(["check", str(path)]) == 0
    assert {"BUR701", "BUR702"} <= set(capsys.readouterr().err.replace("[", " ").replace("]", " ").split())
    assert main(["check", str(path), "--allow", "BUR701", "--format", "github"]) == 0
    shown = capsys.readouterr()
    assert "::warning" in shown.out
    assert "BUR702" in shown.out
    assert "BUR701" not in shown.out + shown.err
    assert main(["check", str(path), "--no-warnings"]) == 0
    assert not capsys.readouterr().err
    assert main(["check", str(path), "--json"]) == 0
    assert '"severity": "warning"' in capsys.readouterr().out


def test_examples_have_nothing_to_warn_about() -> None:
    """None of those that are shipped."""
    found = {path: warnings_about(ModelFile(path).tasks()) for path in sorted(EXAMPLES.rglob("*.seq"))}

    assert len(found) > 40
    assert not any(found.values()), [str(w.span) for warnings in found.values() for w in warnings]


RECORD = """
process P = 0 .. 1;
record R { a, b: P, seen: set of P }
var r: R;
var s[P]: R;
var n: 0 .. 1;
rule w(i: P) when r.seen == {} do { r.a := i; r.b := i; s[i].a := i; s[i].b := i; insert(s[i].seen, i); n := 1 - n; }
invariant small: n < 1;
"""


def test_parts_of_one_variable_share_a_warning() -> None:
    """All of them are the variable; some are named one after the other."""
    tasks, _, _ = load(Source("record.seq", RECORD), {})

    assert [(w.code, w.message) for w in warnings_about(tasks)] == [
        ("BUR701", "'r.a' and 'r.b' are written and never read"),
        ("BUR702", "no rule changes 'r.seen'"),
        ("BUR701", "'s' is written and never read"),
    ]
