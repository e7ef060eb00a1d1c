"""What the CSP# front end says about wrong models; many of them are in ``tests/corpus/wrong``."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import CodeType, FrameType

import pytest

import burnside.frontends.cspsharp
from burnside.frontends.cspsharp import load
from burnside.source import Source, render

MODELS = sorted((Path(__file__).parents[3] / "corpus" / "wrong").glob("*.csp"))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"M": 3}, "the model has no constant 'M'"),
        ({"N": (1, 2)}, "'N' is a number, not a list"),
    ],
)
def test_constants_of_the_command_line_must_fit(given: dict[str, object], message: str) -> None:
    _, diagnostics, _ = load(Source("model.csp", "#define N 2;\nP = a -> P;\n"), given)  # type: ignore[arg-type]

    assert [(d.code, d.message) for d in diagnostics] == [("BUR211", message)]


TOO_WIDE = "var x = 200; P = a{x = x + 1;} -> P;"


def test_a_first_value_must_fit_the_bits_of_numbers() -> None:
    _, diagnostics, _ = load(Source("model.csp", TOO_WIDE), {"int_bits": 8})

    assert [(d.code, d.message) for d in diagnostics] == [
        ("BUR206", "'x' begins with a value that has no place in 8 bits")
    ]


def test_deep_nesting_is_refused() -> None:
    _, diagnostics, _ = load(Source("model.csp", "P = " + "(" * 500 + "Stop" + ")" * 500 + ";"), {})

    assert [d.code for d in diagnostics] == ["BUR104"]


@pytest.mark.parametrize(
    "text",
    [
        "P = a -> (P; b -> Skip);",
        "P = a -> (P ||| b -> Skip);",
        "P = a -> (P || b -> Skip);",
        "P = a -> b -> (P interrupt (c -> P));",
        "channel c 0; P = c!1 -> P ||| c?1 -> b -> Stop;",
        "channel c 0; P = c!1 -> P || c?1 -> b -> Stop;",
        "var x:{0..1}; P = a -> ([x == 0] (P ||| c{x = 1;} -> Stop));",
        "P(i) = a.i -> P(i + 1); Q = P(0);",
    ],
)
def test_growth_is_reported(text: str) -> None:
    """A process that never stops growing was sometimes an internal error: Python's own stack ended first."""
    _, diagnostics, _ = load(Source("model.csp", text), {})

    assert [d.code for d in diagnostics] == ["BUR214"]
    assert re.search("more than (60 levels|10,000 control points)", next(iter(diagnostics)).message)


def test_bits_replace_a_missing_range() -> None:
    """``-D int_bits=3`` gives unranged variables three bits; leaving them is a fault, not a wrap."""
    (task,), diagnostics, _ = load(Source("model.csp", "var x = 0;\nP = up{x = x + 1;} -> P;\n"), {"int_bits": 3})

    assert not list(diagnostics)
    assert [(v.domain.low, v.domain.high) for v in task.model.variables] == [(0, 3)]


def test_a_file_can_include_another(tmp_path: Path) -> None:
    """Its declarations count as if they stood there; a file that includes itself is refused."""
    (tmp_path / "parts.csp").write_text("#define N 2;\nP(i) = a.i -> P(i);\n")
    (tmp_path / "circle.csp").write_text('#include "circle.csp";\n')
    name = str(tmp_path / "model.csp")

    (task,), diagnostics, _ = load(Source(name, '#include "parts.csp";\nS = ||| i:{0..N-1}@P(i);\n'), {})
    _, complaints, _ = load(Source(name, '#include "circle.csp";\nS = a -> S;\n'), {})

    assert not list(diagnostics)
    assert [r.name for r in task.model.rules] == ["a_0", "a_1"]
    assert [d.code for d in complaints] == ["BUR209"]


# Messages that are told by their beginning alone.
MESSAGES = [
    ("var a[20000]; P = e -> P;", "BUR205", "'a' has 20,000 elements"),
    ("var x = *; P = e -> P;", "BUR206", "'x' can start with any value only if it has a range"),
    ("var a = []; P = e -> P;", "BUR205", "'a' has no elements"),
    ("var a = [1, true]; P = e -> P;", "BUR203", "'a' mixes numbers and truth values"),
    ("var a = [1(20000)]; P = e -> P;", "BUR205", "this stands for 20,000 elements"),
    ("var x:{0..2000000} = *; P = e -> P;", "BUR206", "'x' can start with any of 2,000,001 values"),
    ("P = e.1 -> e.true -> P;", "BUR203", "'e' has a truth value where it has a number in another place"),
    (
        "#define a0 1; " + "".join(f"#define a{k + 1} a{k} + a{k}; " for k in range(20)) + "P = e -> P;",
        "BUR104",
        "'a14' stands for more than 20,000 parts",
    ),
    ("P = tau.1 -> P;", "BUR204", "'tau' takes no arguments"),
    ("channel c 1; P = c?x.x -> P;", "BUR202", "an input binds one name twice"),
    ("channel c 1; P = c!1.2 -> c?x -> P;", "BUR204", "messages of 'c' have 2 parts elsewhere, 1 here"),
    (
        "var x:{0..99}; var y:{0..99}; P(i, j) = a{x = 1; y = 1;} -> P(x, y); Q = P(x, y);",
        "BUR205",
        "'P' may be called with 10,000 choices of arguments",
    ),
    (
        "P(i) = a.i -> P(i + 1); Q = P(0) || a.0 -> Stop;",
        "BUR214",
        "the alphabet of this process needs more than 20,000 calls",
    ),
    ("P = [1 +] a -> P;", "BUR102", "expected an expression"),
    ("P = a{x + 1;} -> P;", "BUR102", "expected an assignment"),
    ("var a[true]; P = e -> P;", "BUR203", "the size of 'a' must be a number"),
    ("P = ||| i:{0..200}; j:{0..200}@a -> Skip;", "BUR205", "this stands for 40,401 instances"),
    ("P = ||| i:{0..20000}@a -> Skip;", "BUR205", "this stands for 20,001 instances"),
    ("#define f(i) {i + 1}; P = [f == 1] a -> P;", "BUR203", "'f' is a macro"),
    (
        "#define d0 1; " + "".join(f"#define d{k + 1} d{k} + 1; " for k in range(45)) + "P = a.d45 -> P;",
        "BUR104",
        "definitions are nested more than 40 levels deep",
    ),
    ("P = a.(1 / 0) -> P;", "BUR207", "this has no value: "),
    ("P = a.(4000000000 * 4000000000) -> P;", "BUR105", "this number is too large"),
    ("var x:{0..1}; #define f {x = 1;}; P = [call(f)] a -> P;", "BUR203", "macro 'f' is a program, not an expression"),
    ("P = [call(f)] a -> P;", "BUR201", "there is no macro 'f'"),
    ("#define f(i) {i > 1}; P = [call(f)] a -> P;", "BUR204", "'f' takes 1 arguments, found 0"),
    ("channel c[2] 1; P = c!1 -> P;", "BUR204", "'c' takes 1 index, found 0"),
    ("channel c[2] 1; P = c[2]!1 -> P;", "BUR205", "index 2 of 'c' is outside 0..1"),
    ("channel c 1; P = [call(cfull, 1)] a -> P;", "BUR204", "'cfull' takes one channel"),
    ("channel c 0; P = [call(cpeek, c) == 1] a -> P;", "BUR203", "'c' holds no messages"),
    ("#define f(i) {i > 1}; P = a{call(f, 1);} -> P;", "BUR203", "macro 'f' is an expression, not a program"),
    ("#define f {call(f);}; P = a{call(f);} -> P;", "BUR209", "'f' refers to itself"),
    (
        "var x:{0..99}; var y:{0..99}; channel c 1; P = a{x = 1; y = 1;} -> c!x.y -> P;",
        "BUR205",
        "channel 'c' may carry 10,000 messages",
    ),
    ("= a -> P;", "BUR102", "expected a declaration"),
    ("#pragma x; P = a -> P;", "BUR102", "there is no directive '#pragma'"),
    ("#alphabet Q {a}; P = a -> P;", "BUR201", "there is no process 'Q'"),
    ("P(i, i) = a -> P(i, i); Q = P(1, 2);", "BUR202", "'P' has two parameters of one name"),
    ("P = a -> P; #assert P |= " + " <-> ".join("aaaaaaaaa") + ";", "BUR502", "this formula is too large"),
    (
        "P = [] i:{0..69}@a.i -> P; #assert P |= " + " || ".join(f"<> a.{i}" for i in range(70)) + ";",
        "BUR502",
        "this formula is about 70 conditions and events, more than 64",
    ),
]


@pytest.mark.parametrize(("text", "code", "message"), MESSAGES, ids=[row[2] for row in MESSAGES])
def test_a_mistake_is_named(text: str, code: str, message: str) -> None:
    """One mistake, one error."""
    tasks, diagnostics, _ = load(Source("model.csp", text), {})

    assert not tasks
    assert [d.code for d in diagnostics] == [code], "\n".join(map(render, diagnostics))
    assert next(iter(diagnostics)).message.startswith(message)


# ---------------------------------------------------------------- nothing without an example

FRONT_END = Path(burnside.frontends.cspsharp.__file__).parent
REPORTING = ("error", "stop", "warning", "unsupported", "fail")


def places() -> dict[tuple[str, int], str]:
    """Where the front end reports something: file and line, and what is said there."""
    found: dict[tuple[str, int], str] = {}
    for module in sorted(FRONT_END.rglob("*.py")):
        for node in ast.walk(ast.parse(module.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in REPORTING:
                found[str(module), node.lineno] = ast.unparse(node)
    return found


@pytest.mark.slow
def test_every_diagnostic_has_an_example(tmp_path: Path) -> None:
    """Every place that reports something is reached by a wrong text of the corpus or of this file."""
    (tmp_path / "circle.csp").write_text('#include "circle.csp";\n')
    texts = [p.read_text() for p in MODELS] + [text for text, _, _ in MESSAGES]
    texts += [f"P = terminate -> Skip; #assert P |= {formula};" for formula in ("<> terminate", "[] 1", "[] x == 1")]
    several = "P = a -> P; Q = b -> Q; #assert P deadlockfree; #assert Q deadlockfree;"
    every = places()
    missing = dict(every)

    @cache
    def reports(code: CodeType) -> bool:
        return any((code.co_filename, line) in every for _, _, line in code.co_lines())

    def note(frame: FrameType, event: str, _: object) -> Callable[..., object] | None:
        if event == "line":
            missing.pop((frame.f_code.co_filename, frame.f_lineno), None)
        return note if reports(frame.f_code) else None

    before = sys.gettrace()
    sys.settrace(note)
    try:
        for text in [*texts, '#include "circle.csp"; P = a -> P;']:
            load(Source(str(tmp_path / "model.csp"), text), {})
        load(Source("model.csp", several), {})
        for given in ({"M": 3}, {"N": (1, 2)}):
            load(Source("model.csp", "#define N 2;\nP = a -> P;\n"), given)  # type: ignore[arg-type]
        load(Source("model.csp", TOO_WIDE), {"int_bits": 8})
    finally:
        sys.settrace(before)

    assert not missing


@pytest.mark.parametrize("condition", ["(x < 3)", "x == 3", "!(x + 1 > 3)", "(a && x[0] == 1)", "(0 < x)"])
def test_a_condition_in_a_formula_needs_a_name(condition: str) -> None:
    """It is said how it gets one."""
    _, diagnostics, _ = load(Source("model.csp", f"var x = 0; P = a -> P;\n#assert P |= [] {condition};"), {})

    (diagnostic,) = diagnostics
    assert diagnostic.code == "BUR102"
    assert "'#define'" in diagnostic.notes[0].message


def test_an_included_file_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    """It is read like the first one."""
    (tmp_path / "part.csp").write_text("P = a -> P;", encoding="utf-8-sig")

    tasks, diagnostics, _ = load(Source(str(tmp_path / "model.csp"), '#include "part.csp";'), {})

    assert tasks, list(diagnostics)
