"""The ``.seq`` language: what a text means, shown as the model printed back."""

import time

import pytest

from burnside.claims.kinds import Invariant
from burnside.claims.printer import print_task
from burnside.claims.task import Task
from burnside.frontends.seq import load
from burnside.ir.nodes import BOOL, Bound, Const, Constant, Domain, Item, Model, Parameter, Quantified, Value, Variable
from burnside.source import Source, render

DECLARATIONS = """\
const N = 3;
const T = [4, 5];
process Id = 0 .. N-1;
domain Colour = { red, green };
domain Owner = Id + { nobody };
var x: 0..9;
var b: bool;
var c: bool;
var at[Id]: Colour;
var q: seq[2] of Id;
"""


def task_of(text: str, constants: dict[str, Value] | None = None) -> Task:
    """The task of a text that is known to be right."""
    tasks, diagnostics, _ = load(Source("test.seq", text), constants or {})
    assert tasks, "\n".join(map(render, diagnostics))
    return tasks[0]


def model_of(text: str, constants: dict[str, Value] | None = None) -> Model:
    """Its model."""
    return task_of(text, constants).model


def printed(text: str) -> str:
    """What is left of a text behind the common declarations, printed back."""
    whole, common = print_task(task_of(DECLARATIONS + text)), print_task(task_of(DECLARATIONS))
    assert whole.startswith(common)
    return whole.removeprefix(common).strip()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1 + 2 * 3 - 4 == x", "1 + 2 * 3 - 4 == x"),
        ("(1 + 2) * (3 - 4) == x", "(1 + 2) * (3 - 4) == x"),
        ("x - (2 - 1) == (x - 2) - 1", "x - (2 - 1) == x - 2 - 1"),
        ("-x + -1 - -(1) == - 2", "-x + -1 - -(1) == -2"),
        ("x & 1 | 2 ^ 3 == 4", "x & 1 | 2 ^ 3 == 4"),
        ("(x | 1) & 2 == 0", "(x | 1) & 2 == 0"),
        ("!x == 1 && b", "!x == 1 && b"),
        ("!(b && c) || !b && !c", "!(b && c) || !b && !c"),
        ("b == (!c)", "b == !c"),
        ("(!b) == c", "(!b) == c"),
        ("b => c => b", "b => c => b"),
        ("(b => c) => b", "(b => c) => b"),
        ("b <=> c || b", "b <=> c || b"),
        ("(b || c) && (b || c || b)", "(b || c) && (b || c || b)"),
        ("b && (c && b)", "b && (c && b)"),
        ("min(x, 2, 3) == max(x, 1)", "min(min(x, 2), 3) == max(x, 1)"),
        ("if b then c else x == 1", "if b then c else x == 1"),
        ("(if b then 1 else 2) + 1 == x", "(if b then 1 else 2) + 1 == x"),
        ("forall i, j in Id: at[i] == at[j]", "forall i in Id, j in Id: at[i] == at[j]"),
        ("b && (forall i in Id: at[i] == red)", "b && forall i in Id: at[i] == red"),
        ("(forall i in Id: at[i] == red) && b", "(forall i in Id: at[i] == red) && b"),
        ("b && (c => exists k in 0..2: x == k) && b", "b && (c => exists k in 0 .. 2: x == k) && b"),
        ("(count i, j in Id: at[i] == at[j]) == 3", "(sum i in Id: count j in Id: at[i] == at[j]) == 3"),
        ("(sum k in 0..len(T)-1: T[k]) == x", "(sum k in 0 .. 1: T[k]) == x"),
        ("len(q) > 0 && head(q) == 1 && q[1] == 2", "len(q) > 0 && q[0] == 1 && q[1] == 2"),
        ("empty(q) || full(q)", "len(q) == 0 || len(q) == 2"),
        ("exists o in Owner: o == nobody && o == N", "exists o in Owner: o == nobody && o == 3"),
        ("at[0] == Colour.green", "at[0] == green"),
        ("forall x_2 in bool: x_2", "forall x_2 in bool: x_2"),
    ],
)
def test_an_expression_binds_as_documented(text: str, expected: str) -> None:
    """Printing uses as few parentheses as the grammar allows, so it shows how a text was read."""
    assert printed(f"invariant p: {text};") == f"invariant p: {expected};"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x := x + 1;", "x := x + 1;"),
        ("at[0] := red; q[0] := 2;", "at[0] := red;\n  q[0] := 2;"),
        ("push(q, 1); pop(q); clear(q);", "push(q, 1);\n  pop(q);\n  clear(q);"),
        ("let y = x + 1; x := y;", "var y: 1 .. 10 := x + 1;\n  x := y;"),
        ("let y = head(q); at[y] := red;", "var y: Id := q[0];\n  at[y] := red;"),
        ("let y = b && c; b := y;", "var y: bool := b && c;\n  b := y;"),
        ("let y = at[0]; at[1] := y;", "var y: Colour := at[0];\n  at[1] := y;"),
        ("var y: 0..3 := 1; y := 2; x := y;", "var y: 0 .. 3 := 1;\n  y := 2;\n  x := y;"),
        ("var y: Colour; at[0] := y;", "var y: Colour := red;\n  at[0] := y;"),
        ("for k in Id { at[k] := red; }", "for k in Id {\n    at[k] := red;\n  }"),
        ("while x > 0 limit N { x := x - 1; }", "while x > 0 limit 3 {\n    x := x - 1;\n  }"),
        ("if b { x := 1; };", "if b {\n    x := 1;\n  }"),
        (
            "if b { x := 1; } else if c { x := 2; } else { x := 3; }",
            "if b {\n    x := 1;\n  } else if c {\n    x := 2;\n  } else {\n    x := 3;\n  }",
        ),
        ("assert b;", "assert b;"),
        (r'assert b, "say \"no\"\n";', r'assert b, "say \"no\"\n";'),
    ],
)
def test_a_statement_means_what_it_says(text: str, expected: str) -> None:
    assert printed(f"rule r do {{ {text} }}") == f"rule r do {{\n  {expected}\n}}"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("rule r do { }", "rule r do { }"),
        ("rule r(i: Id, j: Id) as e(j, i) when b do { }", "rule r(i: Id, j: Id) as e(j, i) when b do { }"),
        ("rule r(i, j: Id) as r(i, j) when true do { }", "rule r(i: Id, j: Id) do { }"),
        ("rule r as tick do { }", "rule r as tick do { }"),
        ("invariant p(i: Id): at[i] == red;", "invariant p(i: Id): at[i] == red;"),
        ("reachable p: b; deadlockfree d;", "reachable p: b;\ndeadlockfree d;"),
        ("terminal: b;", "terminal: b;"),
        ("initially b => c;", "initially b => c;"),
        ("rule `rule` when `b` do { }", "rule `rule` when b do { }"),
    ],
)
def test_a_declaration_is_read_and_printed(text: str, expected: str) -> None:
    assert printed(text) == expected


@pytest.mark.parametrize(
    ("declaration", "initial"),
    [
        ("var v: 2..5;", (2,)),
        ("var v: bool = true;", (1,)),
        ("var v: Colour = green;", (1,)),
        ("var v: Owner = nobody;", (3,)),
        ("var v: 0..3 = *;", (None,)),
        ("var v[Id]: 0..3 = 2;", (2, 2, 2)),
        ("var v[Id]: 0..3 = [1, *, 3];", (1, None, 3)),
        ("var v[0..1]: 4..5 = T;", (4, 5)),
        ("var v[i: Id]: Owner = i;", (0, 1, 2)),
        ("var v[i: Id][j: 0..1]: 0..9 = ord(i) * 2 + j;", (0, 1, 2, 3, 4, 5)),
        ("var v[Id][0..1]: 0..9 = [[1, 2], [3, 4], [5, 6]];", (1, 2, 3, 4, 5, 6)),
        ("var v[Id][0..1]: 0..9 = [1, 2, 3, 4, 5, 6];", (1, 2, 3, 4, 5, 6)),
        ("var v[i: Id]: Colour = if i == 0 then green else red;", (1, 0, 0)),
        ("var v: seq[2] of Id;", ((),)),
        ("var v: seq[2] of Id = [2, 1];", ((2, 1),)),
        ("var v[0..1]: seq[2] of Id = [];", ((), ())),
        ("var v[0..1]: seq[2] of Id = [2, 1];", ((2, 1), (2, 1))),
        ("var v[0..1]: seq[2] of Id = [[], [1]];", ((), (1,))),
    ],
)
def test_initial_values_are_spread_row_by_row(declaration: str, initial: tuple[object, ...]) -> None:
    assert model_of(DECLARATIONS + declaration).variables[-1].initial == initial


def test_domains_know_their_process_ids() -> None:
    """Named ranges keep their name, extended ranges keep the process domain they extend."""
    text = """
    process Phil = 0 .. 2;
    process Node = { a, b };
    domain Owner = Phil + { nobody };
    domain Some = 1 .. 2 of Phil;
    domain Level = 0 .. 2;
    """
    assert model_of(text).domains == (
        Domain("Phil", 0, 2, (), "Phil"),
        Domain("Node", 0, 1, ("a", "b"), "Node"),
        Domain("Owner", 0, 3, ("nobody",), "Phil"),
        Domain("Some", 1, 2, (), "Phil"),
        Domain("Level", 0, 2),
    )


def test_constants_can_be_given_and_others_follow() -> None:
    text = "const N = 2; const M = N * N; const L = [1, 2]; const S = sum i in 0..len(L)-1: L[i]; var x: 0..M;"

    model = model_of(text, {"N": 3, "L": (5, 6, 7)})

    assert model.constants == (Constant("N", 3), Constant("M", 9), Constant("L", (5, 6, 7)), Constant("S", 18))
    assert model.variables == (Variable("x", (), Domain("", 0, 9), None, (0,)),)


def test_a_definition_cannot_capture_names_of_its_arguments() -> None:
    """``k`` in the definition and ``k`` in the argument stay different names."""
    text = """
    process Id = 0 .. 2;
    var level[Id]: 0 .. 3;
    def lowest(i: Id) = forall k in Id: level[i] <= level[k];
    rule r(k: Id) when lowest(k) do { }
    invariant p: lowest(count k in Id: level[k] == 0);
    """
    text = print_task(task_of(text))

    assert "rule r(k: Id) when forall k_2 in Id: level[k] <= level[k_2] do { }" in text
    assert "invariant p: forall k_2 in Id: level[count k in Id: level[k] == 0] <= level[k_2];" in text


def test_labels_shared_by_extensions_of_one_range_need_no_domain() -> None:
    text = "process P = 0..1; domain A = P + { none }; domain B = P + { none }; var a: A = none; var b: B = none;"

    assert [v.initial for v in model_of(text).variables] == [(2,), (2,)]


def test_arrays_of_sequences_are_read_item_by_item() -> None:
    (claim,) = task_of("var ch[0..1]: seq[2] of bool; invariant p: exists i in 0..1: ch[i][0];").claims

    item = Item("ch", (Bound("i", Domain("", 0, 1)),), Const(0))
    assert isinstance(claim, Invariant)
    assert claim.condition == Quantified("exists", "i", Domain("", 0, 1), item)


def test_parameters_may_range_over_truth_values() -> None:
    assert model_of("var x: bool; rule set(v: bool) do { x := v; }").rules[0].parameters == (Parameter("v", BOOL),)


def test_a_model_needs_no_rules() -> None:
    assert model_of("var x: bool;").rules == ()
    assert model_of("terminal: false;") == Model("", (), (), (), ())


@pytest.mark.parametrize("text", ["", " ;\n", "// nothing yet\n"])
def test_a_text_that_declares_nothing_is_refused(text: str) -> None:
    tasks, diagnostics, _ = load(Source("test.seq", text), {})

    assert not tasks
    assert [(d.code, d.message) for d in diagnostics] == [("BUR216", "the model declares nothing")]


@pytest.mark.parametrize("width", [149, 5_000])
def test_a_wide_conjunction_is_one_node(width: int) -> None:
    """Width is no depth: chains of ``&&`` may be as long as one likes."""
    (claim,) = task_of("var x: 0..3; invariant p: " + " && ".join(["x < 4"] * width) + ";").claims

    assert len(claim.condition.operands) == width  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "nested",
    [
        lambda n: "(" * n + "x" + ")" * n + " == 0",
        lambda n: "-" * (n - 1) + "x == 0",
        lambda n: "!" * (n - 1) + "b",
        lambda n: " + ".join(["x"] * (n - 1)) + " == 0",
        lambda n: "min(1, " * (n - 2) + "x" + ")" * (n - 2) + " == 0",
        lambda n: "".join(f"forall i{k} in 0..0: " for k in range(n - 1)) + "b",
        lambda n: "if b then b else " * (n - 1) + "b",
        lambda n: "b => " * (n - 1) + "b",
        lambda n: "a[" * (n - 2) + "x" + "]" * (n - 2) + " == 0",
    ],
)
def test_the_deepest_expressions_pass_and_deeper_ones_are_refused(nested) -> None:  # type: ignore[no-untyped-def]
    """No stage may run out of stack: up to the limit everything works, beyond it there is BUR104."""
    text = "var x: 0..3; var b: bool; var a[0..3]: 0..3; invariant p: {};"

    task = task_of(text.format(nested(140)))
    assert task_of(print_task(task)) == task

    tasks, diagnostics, _ = load(Source("test.seq", text.format(nested(1_000))), {})
    assert not tasks
    assert {d.code for d in diagnostics} == {"BUR104"}


def test_a_hundred_thousand_lines_are_read_in_seconds() -> None:
    """A fifth of that here: long models cost time in proportion to their length."""
    rules = "".join(
        f"rule r{i}(i: Id)\n  when at[i] == red && x > 0\ndo {{\n  at[i] := green;\n}}\n" for i in range(4_000)
    )
    start = time.process_time()
    model = model_of(DECLARATIONS + rules)

    assert len(model.rules) == 4_000
    assert time.process_time() - start < 10


def test_a_domain_may_be_called_like_anything() -> None:
    """An argument of an event that is any value is written ``_``; ``_.a`` is a label, and `` `_` `` a name."""
    text = "process {} = {{ a, b }}; var x: bool; rule r(i: {}) do {{ x := true; }}\n"
    labels = text.format("_", "_") + "ltl p: [] (event r(_.a) || event r(_));\n"
    names = text.format("P", "P") + "ltl q(`_`: P): <> event r(`_`);\n"
    for source in (labels, names):
        (task,) = load(Source("model.seq", source), {}).tasks
        assert load(Source("printed.seq", print_task(task)), {}).tasks == (task,)
        assert "`_`" in print_task(task)
