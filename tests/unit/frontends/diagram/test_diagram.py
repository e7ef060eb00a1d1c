"""The ``.diagram`` language: models it gives, and what it says about wrong texts."""

from __future__ import annotations

import pytest

from burnside.claims.printer import print_task
from burnside.frontends.diagram import load
from burnside.ir.nodes import Value
from burnside.source import Source

HEAD = "process P = 1 .. 3; local at = { N, T, C };\n"


def codes(text: str, **constants: Value) -> list[str]:
    """The codes of the diagnostics of a text, in order."""
    tasks, diagnostics, _ = load(Source("test.diagram", text), constants)
    assert (not tasks) == diagnostics.has_errors
    return [d.code for d in diagnostics.sorted()]


def printed(text: str, **constants: Value) -> str:
    """The model of a text, as ``.seq``."""
    tasks, diagnostics, _ = load(Source("test.diagram", text), constants)
    assert tasks, [d.message for d in diagnostics]
    return print_task(tasks[0])


def test_an_edge_becomes_a_rule() -> None:
    """The guard asks for the source, the process moves after the shared variables have changed."""
    text = HEAD + "shared free: bool = true;\nedge go(i): N -> T when free do { free := false; };"

    assert "rule go(i: P) when at[i] == N && free do {\n  free := false;\n  at[i] := T;\n}" in printed(text)


def test_classes_become_a_table_and_follow_the_constant() -> None:
    text = "const S = [1, 2]; process P = 1 .. sum(S); classes level = S; local at = { N, T };\n"
    text += "edge go(i): N -> T when forall j: level(j) < level(i) => at[j] == T;"

    assert "const level = [1, 2, 2];" in printed(text)
    assert "const level = [1, 1, 2, 3];" in printed(text, S=(2, 1, 1))


def test_initial_states_may_differ_and_may_be_open() -> None:
    text = HEAD + "shared x: 0 .. 2 = *; initial 2: T; initial 3: *;"

    assert "var at[P]: at_state = [N, T, *];" in printed(text)
    assert "var x: 0 .. 2 = *;" in printed(text)


def test_errors_become_invariants() -> None:
    text = HEAD + "edge go(i): N -> T; error bad: exists i: at[i] == C && i in 2 .. 3;"

    assert "invariant bad: !exists i in P: at[i] == C && (ord(i) >= 2 && ord(i) <= 3);" in printed(text)


def test_the_class_of_a_process_may_be_the_end_of_a_range() -> None:
    text = HEAD + "classes level = [1, 2]; error bad: exists i: at[i] == C && i in level(1) .. level(3);"

    assert "invariant bad: !exists i in P: at[i] == C && (ord(i) >= 1 && ord(i) <= 2);" in printed(text)


WRONG = {
    "an unexpected character": (HEAD + "edge go(i): N -> T; #", ["BUR101"]),
    "no declaration": ("egde go(i): N -> T;", ["BUR102"]),
    "a missing semicolon": (HEAD + "edge go(i): N -> T\nedge back(i): T -> N;", ["BUR102"]),
    "comparisons that chain": (HEAD + "error e: 1 < 2 < 3;", ["BUR102"]),
    "deep nesting": (HEAD + f"error e: {'(' * 300}true{')' * 300};", ["BUR104"]),
    "a large number": ("const N = 9999999999999999999999;", ["BUR105"]),
    "an unknown name": (HEAD + "error e: fre;", ["BUR201"]),
    "an unknown local state": (HEAD + "edge go(i): N -> X;", ["BUR201"]),
    "processes that come too late": ("class writers = 1 .. 2; process P = 1 .. 3;", ["BUR201"]),
    "a name twice": (HEAD + "shared at: bool;", ["BUR202"]),
    "a hidden name": (HEAD + "const i = 1; edge go(i): N -> T;", ["BUR202"]),
    "a name that hides later": (HEAD + "edge go(i): N -> T; const i = 1;", ["BUR202"]),
    "a label twice": ("process P = 1 .. 2; local at = { N, N };", ["BUR202"]),
    "an edge twice": (HEAD + "edge go(i): N -> T; edge go(i): T -> N;", ["BUR202"]),
    "a wrong type": (HEAD + "error e: exists i: at[i] == 1;", ["BUR203"]),
    "a number as a condition": (HEAD + "edge go(i): N -> T when 1;", ["BUR203"]),
    "a class as a value": (HEAD + "class w = 1 .. 2; error e: w == 1;", ["BUR203"]),
    "a strange process": (HEAD + "class w = 2 .. 4;", ["BUR203"]),
    "no index": (HEAD + "error e: at == N;", ["BUR204"]),
    "an index too many": (HEAD + "shared x: bool; error e: x[1];", ["BUR204"]),
    "an empty range": ("process P = 3 .. 1;", ["BUR205"]),
    "too many processes": ("process P = 1 .. 1000000;", ["BUR205"]),
    "no labels": ("process P = 1 .. 2; local at = { };", ["BUR205"]),
    "an initial value outside": (HEAD + "shared x: 0 .. 2 = 3;", ["BUR206"]),
    "an initial value of another kind": (HEAD + "shared x: bool = N;", ["BUR206"]),
    "two initial states": (HEAD + "initial 1: T; initial 1 .. 2: C;", ["BUR206"]),
    "a size that is not constant": (HEAD + "shared x: 0 .. 2; class w = 1 .. x;", ["BUR207"]),
    "an index outside a list": ("const S = [1]; process P = 1 .. S[1];", ["BUR207"]),
    "a process without a class": (HEAD + "classes level = [1, 2]; error e: 1 in level(9);", ["BUR207"]),
    "a local state that is assigned": (HEAD + "edge go(i): N -> T do { at := T; };", ["BUR210"]),
    "a partition with a gap": (HEAD + "edge go(i): N -> T partition | 1 | 3 |;", ["BUR219"]),
    "a partition that overlaps": (HEAD + "edge go(i): N -> T partition | 1..2 | 2..3 |;", ["BUR219"]),
    "classes of the wrong size": (HEAD + "classes level = [1, 1];", ["BUR219"]),
    "no local states": ("process P = 1 .. 2;", ["BUR219"]),
    "nothing at all": ("", ["BUR219"]),
    "two kinds of processes": ("process P = 1 .. 2; process Q = 1 .. 2;", ["BUR901"]),
    "two sets of local states": (HEAD + "local also = { X };", ["BUR901"]),
    "several errors": (HEAD + "error a: x; error b: y;\nedge go(i): N -> Z;", ["BUR201", "BUR201", "BUR201"]),
}


@pytest.mark.parametrize("mistake", WRONG)
def test_mistakes_have_their_codes(mistake: str) -> None:
    text, expected = WRONG[mistake]

    assert codes(text) == expected


def test_constants_that_are_given_must_fit() -> None:
    text = "const SIZE = 3; " + HEAD.replace("3", "SIZE")

    assert codes(text, SIZE=2) == []
    assert codes(text, SIZE=(1, 2)) == ["BUR211"]
    assert codes(text, M=2) == ["BUR211"]
