"""What the ``.seq`` front end says about wrong models; most of them are in ``tests/corpus/wrong``."""

import pytest

from burnside.frontends.seq import load
from burnside.ir.nodes import Value
from burnside.source import Source


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"M": 3}, "the model has no constant 'M'"),
        ({"x": 3}, "the model has no constant 'x'"),
        ({"N": (1, 2)}, "constant 'N' is a number, but was given a list"),
        ({"SIZES": 3}, "constant 'SIZES' is a list, but was given a number"),
        ({"SIZES": ((1,), (2,))}, "constant 'SIZES' is a list, but was given a list of lists"),
    ],
)
def test_a_given_constant_must_fit(given: dict[str, Value], message: str) -> None:
    text = "const N = 3; const SIZES = [1, 2]; var x: 0..N;"

    tasks, diagnostics, _ = load(Source("test.seq", text), given)

    assert not tasks
    assert [(d.code, d.message) for d in diagnostics] == [("BUR211", message)]


def test_a_missing_semicolon_is_shown_where_it_belongs() -> None:
    """The caret stands behind the last token, not at the start of the next line."""
    source = Source("test.seq", "var x: 0..3\n\n\nrule up when x < 3 do { x := x + 1; }\n")

    _, diagnostics, _ = load(source, {})

    assert [d.span and source.position(d.span.start) for d in diagnostics] == [(1, 12)]


def test_a_name_nearly_right_is_suggested() -> None:
    _, diagnostics, _ = load(Source("test.seq", "var fork: bool; rule r when frok do { }"), {})

    assert [note.message for d in diagnostics for note in d.notes] == ["did you mean 'fork'?"]


@pytest.mark.parametrize(
    ("text", "message", "remedy"),
    [
        ("invariant i: b -> x < 2;", "expected '=>', found '->'", "write '=>' for implication"),
        ("ltl f: [](b -> <> b);", "expected '=>', found '->'", "write '=>' for implication"),
        ("rule r when b and x < 2 and b do { }", "expected '&&', found 'and'", "'&&' is and"),
        ("ltl f: [](b or <> b);", "expected '||', found 'or'", "'||' is or"),
        ("invariant i: not b;", "expected '!', found 'not'", "'!' is not"),
        ("ltl f: not <> b;", "expected '!', found 'not'", "'!' is not"),
        ("ltl f: (G b);", "expected '[]', found 'G'", "'[]' is always"),
        ("rule r do { x++; }", "expected ':=', found '++'", "write 'x := x + 1'"),
        ("rule r do { x--; }", "expected ':=', found '--'", "write 'x := x - 1'"),
        ("rule r do { x += 1\n }", "expected ':=', found '+='", "write 'x := x + 1'"),
        ("rule r do { x -= x + 1; }", "expected ':=', found '-='", "write 'x := x - (x + 1)'"),
        ("var y: int;", "'int' is not known here", "a range such as 0..9"),
        ("var y: boolean;", "'boolean' is not known here", "of the type 'bool'"),
        ("var a[3]: bool;", "expected '..' between the ends of a range, found ']'", "a range has two ends"),
        ("invariant i: s == IDLE;", "'IDLE' is not known here", "did you mean 'idle'?"),
    ],
)
def test_a_slip_is_helped(text: str, message: str, remedy: str) -> None:
    """What users of other languages write: the remedy says how it is written here."""
    declared = "domain S = { idle, busy }; var x: 0..3; var s: S; var b: bool;\n"

    tasks, diagnostics, _ = load(Source("test.seq", declared + text), {})

    assert not tasks
    assert {d.message for d in diagnostics} == {message}
    assert all(remedy in d.notes[0].message for d in diagnostics)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("domain V = { a, b }\nvar v: V; rule r when v == a do { v := b; }", "expected ';' here"),
        ("domain V = { a, b } var v: V; rule r when v == a do { v := b; }", "expected ';' here"),
        ("domain V = { a, b }; var b: bool; rule r when b do { b := false; }", "'b' is already a label"),
        ("record R { p: None1, q: 0 .. 2 } var r: R; def f(x: R) = x.q; rule a when f(r) == 2 do { r.q := 1; }", None),
        ("union U { A { x: None1 }, B } var u: U; rule r when u is A do { u := B; u := A { x: 1 }; }", None),
        (
            "domain D = 0 .. None1; var a[D]: bool; def f(d: D) = a[d]; rule r(d: D) when f(d) do { a[d] := true; }",
            None,
        ),
    ],
)
def test_what_is_declared_wrongly_is_wrong_once(text: str, message: str | None) -> None:
    """A domain without its semicolon left its labels unknown; a record that could not be read had no fields."""
    _, diagnostics, _ = load(Source("test.seq", text), {})

    assert [d.message for d in diagnostics] == [message or "'None1' is not known here"]


def test_words_of_other_languages_can_be_names() -> None:
    declared = "var `!`: bool; var not: bool; var and: bool;"
    rule = "rule r when !not && and do { not := !(`!` || and); }"

    tasks, diagnostics, _ = load(Source("test.seq", f"{declared} {rule}"), {})

    assert tasks, list(diagnostics)
