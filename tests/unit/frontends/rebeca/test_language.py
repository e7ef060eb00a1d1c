"""What a text means, construct by construct, and what is said about texts that are wrong."""

from __future__ import annotations

import pytest

from burnside.claims.task import Task
from burnside.frontends.kit.options import Options
from burnside.frontends.rebeca import load
from burnside.ir.cells import Cells
from burnside.ir.initial import initial
from burnside.ir.nodes import Model
from burnside.ir.semantics import Fault, Step, successors
from burnside.source import Source, render
from support.reference import explore


def model_of(text: str) -> Model:
    """The model of a text that is right."""
    tasks, diagnostics, _ = load(Source("model", text), {})
    assert tasks, "\n".join(map(render, diagnostics))
    return tasks[0].model


def after(body: str, fields: str = "int x; int y; boolean b; int[3] a;", more: str = "") -> dict[str, str]:
    """The variables after one message server with this body."""
    text = (
        f"reactiveclass A(3) {{ statevars {{ {fields} }} msgsrv initial() {{ {body} }} {more} }} main {{ A r():(); }}"
    )
    model = model_of(text)
    (state,) = initial(model)
    (outcome,) = successors(model, state)
    assert isinstance(outcome, Step), outcome
    shown = Cells(model).describe(outcome.state)
    return {name.removeprefix("A.").removesuffix("[r]"): value for name, value in shown.items()}


def test_a_counter_that_hides_a_constant_counts_by_itself() -> None:
    """``i += i`` doubles the counter, whatever the environment calls ``i``."""
    text = """env int i = 1;
    reactiveclass A(3) { statevars { int n; } msgsrv initial() { for (int i = 1; i < 9; i += i) { n++; } } }
    main { A r():(); }"""
    model = model_of(text)
    (state,) = initial(model)
    (outcome,) = successors(model, state)

    assert isinstance(outcome, Step)
    assert Cells(model).describe(outcome.state)["A.n[r]"] == "4"


@pytest.mark.parametrize(
    ("body", "name", "value"),
    [
        ("x = 7 / 2 - -7 / 2;", "x", "6"),
        ("y = -7; x = y % 3;", "x", "-1"),
        ("y = -7; x = y / 2;", "x", "-3"),
        ("x = 1 << 4 | 3;", "x", "19"),
        ("y = -5; x = y >> 1;", "x", "-3"),
        ("x = ~5;", "x", "-6"),
        ("y = 200; x = (byte)y;", "x", "-56"),
        ("x = 3; y = x++ + x;", "y", "7"),
        ("x = 3; y = ++x + x--;", "y", "8"),
        ("x = y = 4;", "x", "4"),
        ("b = true ^ true; x = b ? 1 : 2;", "x", "2"),
        ("for (int i = 0; i < 5; i++) { if (i == 3) { break; } x += i; }", "x", "3"),
        ("for (int i = 0; i < 5; i++) { if (i == 3) { continue; } x += i; }", "x", "7"),
        ("for (int i = 0; i < 50; i++) { x += 1; }", "x", "50"),
        ("for (int i = 1; i < 9; i += i) { x += i; }", "x", "15"),
        ("for (int i = 0; i + i < 9; i++) { x += 1; }", "x", "5"),
        ("for (int i = 8; i > i / 2; i -= i / 2) { x = x + i; if (x > 30) break; }", "x", "31"),
        ("while (x < 10) { x = x + 3; }", "x", "12"),
        ("do { x++; } while (x < 0);", "x", "1"),
        ("switch (2) { case 1: x = 1; case 2: x = 2; case 3: y = 3; break; default: y = 9; }", "y", "3"),
        ("switch (7) { case 1: x = 1; default: x = 5; }", "x", "5"),
        ("x = 1; if (x == 1) { return; } x = 2;", "x", "1"),
        ("int[2] l = {4, 5}; y = 1; l[y] = 6; x = l[0] * 10 + l[y];", "x", "46"),
        ("x = 2; x = f(x) + x;", "x", "10"),
        ("if (b && g()) { y = 1; }", "x", "0"),
        ("if (b || g()) { y = 1; }", "x", "1"),
        ("x = pow(2, 5);", "x", "32"),
        ("{ int z = 3; x = z; } { int z = 4; y = z; }", "y", "4"),
    ],
)
def test_expressions_and_statements(body, name, value):
    more = "int f(int n) { x = n * 3; return n + 2; } boolean g() { x = 1; return true; }"

    assert after(body, more=more)[name] == value


def test_arrays_of_rebecs_state():
    found = after("a[1] = 5; a[a[1] - 3] += 2;")

    assert [found[f"a[r][{k}]"] for k in range(3)] == ["0", "5", "2"]


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("x = 1 / y;", "division"),
        ("y = 3; a[y] = 1;", "index"),
        ('assertion(x == 1, "no");', "assertion"),
        ("self.initial(); self.initial(); self.initial(); self.initial();", "overflow"),
        ("while (true) { x = 1; }", "loop"),
        ("r = null; r.initial();", "assertion"),
    ],
)
def test_faults_are_outcomes(body, kind):
    fields = "int x; int y; A r; int[3] a;"
    model = model_of(
        f"reactiveclass A(3) {{ statevars {{ {fields} }} msgsrv initial() {{ {body} }} }} main {{ A r():(); }}"
    )
    (state,) = initial(model)
    (outcome,) = successors(model, state)

    assert isinstance(outcome, Fault)
    assert outcome.kind == kind


def test_inheritance_interfaces_and_dispatch():
    """A message goes to the server of the receiver's own class."""
    text = """
interface Talker { msgsrv talk(); }
abstract reactiveclass Animal implements Talker (2) {
  statevars { int sound; }
  abstract msgsrv talk();
  msgsrv rest() { sound = 0; }
}
reactiveclass Dog extends Animal (2) { msgsrv talk() { sound = 1; } }
reactiveclass Cat extends Animal (2) { msgsrv talk() { sound = 2; } }
reactiveclass Boss(2) { knownrebecs { Animal a; Talker b; } msgsrv initial() { a.talk(); b.talk(); } }
main { Dog d():(); Cat c():(); Boss boss(d, c):(); }
"""
    model = model_of(text)
    states = [s for s in _reachable(model) if not any(_queues(model, s))]

    assert [(Cells(model).describe(s)["Dog.sound[d]"], Cells(model).describe(s)["Cat.sound[c]"]) for s in states] == [
        ("1", "2")
    ]


def _reachable(model: Model) -> list[tuple[int, ...]]:
    seen = dict.fromkeys(initial(model))
    waiting = list(seen)
    while waiting:
        for outcome in successors(model, waiting.pop()):
            assert isinstance(outcome, Step)
            if outcome.state not in seen:
                seen[outcome.state] = None
                waiting.append(outcome.state)
    return list(seen)


def _queues(model: Model, state: tuple[int, ...]) -> list[str]:
    return [v for name, v in Cells(model).describe(state).items() if ":queue" in name and v != "[]"]


def test_environment_variables_are_set_from_outside():
    text = "env int N = 2; reactiveclass A(2) { statevars { int x; } A() { x = N; } msgsrv m() { } } main { A a():(); }"
    tasks, _, _ = load(Source("model", text), {"N": 9})
    assert tasks
    model = tasks[0].model
    (state,) = initial(model)

    assert Cells(model).describe(state)["A.x[a]"] == "9"


# ---------------------------------------------------------------- properties

TWO = """
reactiveclass A(2) { statevars { boolean b; int[2] a; } msgsrv initial() { b = true; } }
main { A x():(); A y():(); }
"""


def with_properties(text: str, properties: str) -> tuple[tuple[Task, ...], list[str]]:
    """The task and the codes of what there is to say."""
    source = Source("model.property", properties)
    tasks, diagnostics, _ = load(Source("model", text), {}, Options({"property_file": source}))
    return tasks, [d.code for d in diagnostics]


def test_assertions_are_invariants():
    file = "property { define { p = x.b && y.b; } Assertion { never: !p; first: x.a[1] == 0; } }"
    (task,), codes = with_properties(TWO, file)

    assert codes == []
    assert [(claim.name, claim.word) for claim in task.claims] == [
        ("never", "invariant"),
        ("first", "invariant"),
        ("deadlockfree", "deadlockfree"),
    ]
    assert explore(task.model).states == 4


@pytest.mark.parametrize(
    ("properties", "code"),
    [
        ("property { Assertion { p: z.b; } }", "BUR201"),
        ("property { Assertion { p: x.c; } }", "BUR201"),
        ("property { Assertion { p: x.a; } }", "BUR204"),
        ("property { Assertion { p: G(x.b); } }", "BUR203"),
        ("property { define { p = q; q = p; } Assertion { r: p; } }", "BUR209"),
        ("property { Assertion { p: x.b; p: y.b; } }", "BUR202"),
        ("property { CTL { p: x.b; } }", "BUR901"),
        ("property { Assertion { p: x.b } }", "BUR102"),
        ("props { }", "BUR102"),
    ],
)
def test_wrong_property_files_are_explained(properties, code):
    tasks, codes = with_properties(TWO, properties)

    assert not tasks
    assert code in codes


# ---------------------------------------------------------------- diagnostics


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("reactiveclass A(2) { msgsrv m() { x = 1; } } main { A a():(); }", "BUR201"),
        ("reactiveclass A(2) { msgsrv m() { self.n(); } } main { A a():(); }", "BUR201"),
        ("reactiveclass A(2) { msgsrv m() { m(); } } main { A a():(); }", "BUR201"),
        ("reactiveclass A(2) { msgsrv m() { } msgsrv m() { } } main { A a():(); }", "BUR202"),
        ("reactiveclass A(2) { statevars { int x; } msgsrv m() { x = true; } } main { A a():(); }", "BUR203"),
        ("reactiveclass A(2) { msgsrv m() { if (1) { } } } main { A a():(); }", "BUR203"),
        ("reactiveclass A(2) { msgsrv m(int x) { self.m(); } } main { A a():(); }", "BUR204"),
        ("reactiveclass A(2) { knownrebecs { A k; } msgsrv m() { } } main { A a():(); }", "BUR204"),
        ("reactiveclass A(0) { msgsrv m() { } } main { A a():(); }", "BUR205"),
        ("reactiveclass A(2) { statevars { int[0] x; } msgsrv m() { } } main { A a():(); }", "BUR205"),
        ("reactiveclass A(2) { statevars { byte x = 300; } msgsrv m() { } } main { A a():(); }", "BUR206"),
        ("reactiveclass A(2) { msgsrv initial(int n) { } } main { A a():(b + 1); }", "BUR201"),
        ("reactiveclass A extends A (2) { msgsrv m() { } } main { A a():(); }", "BUR209"),
        ("reactiveclass A(2) { int f() { return f(); } msgsrv m() { } } main { A a():(); }", "BUR209"),
        ("reactiveclass A(2) { knownrebecs { A k; } msgsrv m() { k = self; } } main { A a(a):(); }", "BUR210"),
        ("env int N = 1; reactiveclass A(2) { msgsrv m() { N = 2; } } main { A a():(); }", "BUR210"),
        ("reactiveclass A(2) { msgsrv m() { } }", "BUR216"),
        ("reactiveclass A(2) { msgsrv m() { self.m() after(3); } } main { A a():(); }", "BUR901"),
        ("reactiveclass A(2) { msgsrv m() { delay(3); } } main { A a():(); }", "BUR901"),
        ("@Priority(1) reactiveclass A(2) { msgsrv m() { } } main { A a():(); }", "BUR901"),
        ("reactiveclass A(2) { msgsrv m() { int x; while (x < ?(1, 2)) { x++; } } } main { A a():(); }", "BUR901"),
        ("reactiveclass A(2) { A() { A b; b = new A():(); } msgsrv m() { } } main { A a():(); }", "BUR214"),
        ("abstract reactiveclass A(2) { msgsrv m() { } } main { A a():(); }", "BUR203"),
    ],
)
def test_wrong_texts_are_explained_where_they_are_wrong(text, code):
    tasks, diagnostics, _ = load(Source("model.rebeca", text), {})

    assert not tasks
    assert code in [d.code for d in diagnostics]


def test_a_diagnostic_shows_the_place_and_the_remedy():
    text = (
        "reactiveclass A(2) {\n  statevars { int count; }\n  msgsrv initial() { cuont = 1; }\n}\nmain { A a():(); }\n"
    )
    _, diagnostics, _ = load(Source("model.rebeca", text), {})
    (found,) = diagnostics

    assert render(found).splitlines() == [
        "error[BUR201]: 'cuont' is not known here",
        " --> model.rebeca:3:22",
        "  |",
        "3 |   msgsrv initial() { cuont = 1; }",
        "  |                      ^^^^^",
        "  = help: did you mean 'count'?",
    ]


TEXT = """
reactiveclass A(3) {
  statevars { int x; }
  msgsrv initial() { if (x == 1) { x = 0; } else { x = 1; } self.go(); }
  msgsrv go() { while (x < 1) { x = x + 1; } }
}
main { A r():(); }
"""


def remedies(text: str, properties: str = "") -> list[str]:
    """What there is to help with a text and its properties."""
    file = Source("model.property", properties) if properties else None
    tasks, diagnostics, _ = load(Source("model", text), {}, Options({"property_file": file}))
    assert not tasks
    return [note.message for diagnostic in diagnostics for note in diagnostic.notes]


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("msgsrv", "msgserv"),
        ("statevars", "statevar"),
        ("reactiveclass", "reactiveClass"),
        ("main", "Main"),
        ("if", "iff"),
        ("else", "esle"),
        ("while", "whlie"),
        ("self", "slef"),
    ],
)
def test_a_misspelt_keyword_is_suggested(right: str, wrong: str) -> None:
    assert f"did you mean '{right}'?" in remedies(TEXT.replace(right, wrong))


@pytest.mark.parametrize(
    ("formula", "remedy"),
    [
        ("[]<>(r.x == 1)", "as in G(F(…))"),
        ("G(<>(r.x == 1))", "as in G(F(…))"),
        ("G F (r.x == 1)", "written like calls"),
        ("GF(r.x == 1)", "write G(F(…))"),
        ("(r.x == 0) U (r.x == 1)", "written like calls"),
        ("G(r.x == 1 => r.x == 1)", "write '->' for implication"),
    ],
)
def test_formulas_of_other_languages_are_helped(formula: str, remedy: str) -> None:
    (found,) = remedies(TEXT, f"property {{ LTL {{ f: {formula}; }} }}")

    assert remedy in found


def test_a_file_of_properties_may_begin_with_a_byte_order_mark() -> None:
    file = Source("model.property", "\ufeffproperty { LTL { f: F(r.x == 1); } }")

    tasks, diagnostics, _ = load(Source("model", TEXT), {}, Options({"property_file": file}))

    assert tasks, "\n".join(map(render, diagnostics))
