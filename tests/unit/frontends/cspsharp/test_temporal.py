"""``|=`` becomes a claim about runs: a formula, what its atoms mean, and who acts in every rule."""

from __future__ import annotations

from pathlib import Path

import pytest

from burnside.claims.kinds import EventTest, Fairness, InfiniteRuns
from burnside.frontends.cspsharp import load
from burnside.frontends.kit.options import Options
from burnside.ir.nodes import BOOL, Binary, Const, Model, Read
from burnside.ir.processes import processes_of
from burnside.source import Severity, Source, render
from process_algebra.transitions import actor_names

EXAMPLES = Path(__file__).parents[4] / "examples" / "zhang2013"


def model_of(text: str) -> Model:
    """The model of a text without mistakes."""
    tasks, diagnostics, _ = load(Source("model.csp", text), {})
    assert tasks, "\n".join(map(render, diagnostics))
    return tasks[0].model


def claims_of(text: str) -> tuple[InfiniteRuns, ...]:
    """The claims about runs of a text that has nothing to warn of."""
    tasks, diagnostics, _ = load(Source("model.csp", text), {})
    assert not list(diagnostics), "\n".join(map(render, diagnostics))
    return tuple(claim for task in tasks for claim in task.claims if isinstance(claim, InfiniteRuns))


def claim_of(declarations: str, formula: str) -> InfiniteRuns:
    """The only claim, about ``P``."""
    (claim,) = claims_of(f"{declarations}\n#assert P |= {formula};\n")
    return claim


# ---------------------------------------------------------------- formulas


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("a", "a"),
        ("!a", "!a"),
        ("[] a", "[] a"),
        ("<> a", "<> a"),
        ("X a", "X a"),
        ("a U b", "a U b"),
        ("a R b", "a R b"),
        ("a && b", "a && b"),
        ("a || b", "a || b"),
        ("a -> b", "!a || b"),
        ("a <-> b", "(!a && !b) || (a && b)"),
        ("a xor b", "(!a && b) || (!b && a)"),
        ("[]<> a", "[] (<> a)"),
        ("G (a -> F b)", "[] (!a || (<> b))"),
        ("!(a U b)", "!a R !b"),
        ("a U (b && true)", "a U b"),
        ("[] (a || false)", "[] a"),
        ("[] true", "true"),
        ("a || !a", "true"),
    ],
)
def test_a_formula_is_translated(written: str, expected: str) -> None:
    """Operator by operator; negation ends at the atoms."""
    claim = claim_of("P = a -> b -> P;", written)

    assert str(claim.formula) == expected
    assert {name for name, _ in claim.atoms} == claim.formula.atoms
    assert claim.fairness is Fairness.NONE


def test_a_claim_keeps_its_text() -> None:
    """With all parentheses, on one line."""
    claim = claim_of("P = a -> b -> P;", "(a ->\n   <> b) U (b)")

    assert claim.text == "(a -> <> b) U (b)"
    assert claim.span is not None
    assert claim.span.text.startswith("#assert P |=")


@pytest.mark.parametrize(
    ("formulas", "names"),
    [
        (["[]<> eat.0"], ["satisfies_always_eventually_eat_0"]),
        (["[](a -> <> b)"], ["satisfies_always_a_implies_eventually_b"]),
        (["[] !a", "[] !(a)"], ["satisfies_always_not_a", "satisfies_always_not_a_2"]),
        (["a U b R (a xor b) && X a && <> b"], ["satisfies_formula"]),
    ],
)
def test_a_claim_is_called_after_its_formula(formulas: list[str], names: list[str]) -> None:
    """Like other assertions; what would be long is just a formula."""
    text = "P = a -> b -> eat.0 -> P;\n" + "".join(f"#assert P |= {f};\n" for f in formulas)

    assert [claim.name for claim in claims_of(text)] == names


def test_claims_belong_to_the_process_they_are_about() -> None:
    tasks, _, _ = load(Source("m.csp", "P = a -> P; Q = b -> Q;\n#assert P |= <> a;\n#assert Q |= <> b;\n"), {})

    assert [(t.process, [c.text for c in t.claims]) for t in tasks] == [("P", ["<> a"]), ("Q", ["<> b"])]


def test_other_commands_see_the_claims_of_the_first_process() -> None:
    (task,), _, _ = load(Source("m.csp", "P = a -> P;\n#assert P |= <> a;\n"), {}, Options({}, only_first=True))

    assert [c.text for c in task.claims] == ["<> a"]


# ---------------------------------------------------------------- atoms

CHANNELS = """\
#define one 1;
channel c 0; channel d 2; channel many[2] 1; channel pair 0;
var x:{0..2};
A = c!1 -> up{x = 2 - x;} -> d!x.true -> many[1]!one -> pair!1.2 -> A;
B = c?y -> d?z.b -> many[1]?w -> pair?u.v -> B;
P = A ||| B;
"""


@pytest.mark.parametrize(
    ("declarations", "written", "name", "event", "values"),
    [
        ("P = eat -> P;", "eat", "eat", "eat", ()),
        ("P = eat.0 -> P;", "eat.0", "eat.0", "eat", (0,)),
        # With and without arguments: two events.
        ("P = eat -> eat.0 -> P;", "eat", "eat", "eat", ()),
        ("P = get.1.2 -> P;", "get.1.(1 + 1)", "get.1.2", "get", (1, 2)),
        ("#define N 3; P = eat.3 -> P;", "eat.N", "eat.3", "eat", (3,)),
        ("P = a.(-1) -> P;", "a.(-1)", "a.-1", "a", (-1,)),
        ("P = a.true -> P;", "a.true", "a.true", "a", (1,)),
        # An argument that depends on the state may have any value.
        ("var x:{0..3}; P = a.x -> up{x = 3 - x;} -> P;", "a.2", "a.2", "a", (2,)),
        ("var x:{0..3}; P = up.1{x = 3 - x;} -> P;", "up.1", "up.1", "up", (1,)),
        ("P = tau -> a -> P;", "tau", "tau", "tau", ()),
        ("P = a -> Skip;", "terminate", "terminate", "terminate", ()),
        # Channels: a buffer has two events, a rendezvous one.
        (CHANNELS, '"d!2.true"', "d!2.true", "d!", (2, 1)),
        (CHANNELS, '"d?0.true"', "d?0.true", "d?", (0, 1)),
        (CHANNELS, '"many[1]!one"', "many[1]!1", "many!", (1, 1)),
        (CHANNELS, '"many[one]?1"', "many[1]?1", "many?", (1, 1)),
        (CHANNELS, '"c!1"', "c.1", "c", (1,)),
        (CHANNELS, '"c?one"', "c.1", "c", (1,)),
        (CHANNELS, "c.1", "c.1", "c", (1,)),
        (CHANNELS, '"pair!1.2"', "pair.1.2", "pair", (1, 2)),
    ],
)
def test_an_atom_is_an_event(declarations: str, written: str, name: str, event: str, values: tuple[int, ...]) -> None:
    """The one with exactly these arguments, as rules name it."""
    claim = claim_of(declarations, f"<> {written}")

    ((found, test),) = claim.atoms
    assert found == name
    assert isinstance(test, EventTest)
    assert test.name == event
    assert test.arguments is not None
    assert [a.value for a in test.arguments if isinstance(a, Const)] == list(values)
    rules = model_of(declarations + "#assert P deadlockfree;").rules
    assert any((r.event.name, len(r.event.arguments)) == (event, len(values)) for r in rules)


def test_an_atom_is_a_condition() -> None:
    """By the name that ``#define`` gives it, even if an event has the same."""
    claim = claim_of("var x:{0..1}; #define high x == 1; P = high{x = 1 - x;} -> P;", "[]<> high")

    assert claim.atoms == (("high", Binary("==", Read("x"), Const(1))),)


def test_a_condition_may_be_about_channels_and_truths() -> None:
    text = "channel c 1; var b = true; #define full call(cfull, c); #define off !b;"
    claim = claim_of(f"{text} P = c!1 -> c?x -> t{{b = !b;}} -> P;", "[](full -> <> off)")

    assert sorted(name for name, _ in claim.atoms) == ["full", "off"]


@pytest.mark.parametrize(("bound", "expected"), [(1, "true"), (5, "false")])
def test_a_condition_without_variables_is_its_value(bound: int, expected: str) -> None:
    claim = claim_of(f"#define N 3; #define large N > {bound}; P = a -> P;", "[] large")

    assert (str(claim.formula), claim.atoms) == (expected, ())


def test_an_atom_is_used_once() -> None:
    """However it is spelt."""
    claim = claim_of("#define N 1; P = eat.1 -> P;", "[] (eat.1 -> <> eat.N) && <> eat.(2 - 1)")

    assert [name for name, _ in claim.atoms] == ["eat.1"]


@pytest.mark.parametrize(
    ("declarations", "atom"),
    [
        ("P = Q \\ {a}; Q = a -> b -> Q;", "a"),
        ("#define N 2; P = ||| i:{0..N-1}@Q(i); Q(i) = a.i -> Q(i);", "a.2"),
        ("P = b -> P; Q = a -> Q;", "a"),
        ("P = [false] a -> P [] b -> P;", "a"),
        ("P = b -> P;", "terminate"),
        ("channel c 1; P = c!1 -> c?x -> P;", '"c?2"'),
    ],
)
def test_an_event_that_never_happens_is_false(declarations: str, atom: str) -> None:
    """And worth a warning: the claim would say nothing."""
    tasks, diagnostics, _ = load(Source("m.csp", f"{declarations}\n#assert P |= <> {atom};\n"), {})

    assert [(d.code, d.severity) for d in diagnostics] == [("BUR201", Severity.WARNING)]
    assert [str(c.formula) for c in tasks[0].claims] == ["false"]


def test_an_event_of_a_process_in_the_assertion_is_known() -> None:
    (claim,) = claims_of("P = a -> P;\n#assert (b -> P) |= <> b;\n")

    assert [name for name, _ in claim.atoms] == ["b"]


@pytest.mark.parametrize(("name", "suggestion"), [("aet.0", "did you mean 'eat'?"), ("hihg", "did you mean 'high'?")])
def test_an_unknown_atom_gets_a_suggestion(name: str, suggestion: str) -> None:
    text = f"var x:{{0..1}}; #define high x == 1; P = eat.0{{x = 1;}} -> P;\n#assert P |= <> {name};\n"
    _, diagnostics, _ = load(Source("m.csp", text), {})

    ((code, shown),) = [(d.code, render(d)) for d in diagnostics]
    assert code == "BUR201"
    assert suggestion in shown


@pytest.mark.parametrize(
    "formula", [" <-> ".join("ab" * 20), " xor ".join("ab" * 20), " || ".join(f"<> a.{k}" for k in range(70))]
)
def test_a_formula_that_is_too_large_is_refused(formula: str) -> None:
    """At once: equivalences double what they join."""
    definitions = "P = ([] k:{0..99}@a.k -> P) [] a -> P [] b -> P;"
    tasks, diagnostics, _ = load(Source("m.csp", f"{definitions}\n#assert P |= {formula};\n"), {})

    assert not tasks
    assert [d.code for d in diagnostics] == ["BUR502"]


# ---------------------------------------------------------------- who acts


def actors_of(text: str) -> dict[str, list[str]]:
    """The names of those who act, by rule."""
    model = model_of(text)
    found = processes_of(model)
    names = actor_names(found)
    return {r.name: [names[k] for k in acting] for r, acting in zip(model.rules, found.acting, strict=True)}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # Alone, by name or without one.
        ("P = a -> P;", {"a": ["P"]}),
        ("#assert (a -> Stop) deadlockfree;", {"a": ["process"]}),
        # Interleaved: everyone for himself, even with equal events.
        ("P = a -> P; Q = a -> Q; S = P ||| Q;", {"a": ["P"], "a_2": ["Q"]}),
        # A barrier has all whose alphabets hold the event; what is not shared is done alone.
        ("P = a -> b -> P; Q = c -> b -> Q; S = P || Q;", {"a": ["P"], "c": ["Q"], "b": ["P", "Q"]}),
        (
            "P(i) = a.i -> b -> P(i); S = || i:{0..2}@P(i);",
            {"a_0": ["P 0"], "a_1": ["P 1"], "a_2": ["P 2"], "b": ["P 0", "P 1", "P 2"]},
        ),
        # A rendezvous has two, a buffer one at a time.
        ("channel c 0; A = c!1 -> A; B = c?x -> B; S = A ||| B;", {"c_1": ["A", "B"]}),
        ("channel c 1; A = c!1 -> A; B = c?x -> B; S = A ||| B;", {"c!_1": ["A"], "c?_1": ["B"]}),
        # Steps without a visible event.
        ("var x:{0..1}; P = {x = 1;} -> P; Q = if (x == 1) {b -> Q}; S = P ||| Q;", None),
        # The end is that of all.
        ("P = a -> Skip; Q = Skip; S = P ||| Q;", {"a": ["P"], "terminate": ["P", "Q"]}),
        # Hiding changes the event, not who does it.
        ("P = a -> P; Q = a -> b -> Q; S = (P || Q) \\ {a};", {"b": ["Q"], "tau": ["P", "Q"]}),
        # Families: by the argument that tells members apart, by number if they are equal, by all arguments.
        ("P(i, j) = a.i -> P(i, j); S = ||| i:{3,4}@P(i, 7);", {"a_3": ["P 3"], "a_4": ["P 4"]}),
        ("P = a -> P; S = |||{2}@P;", {"a": ["P 0"], "a_2": ["P 1"]}),
        (
            "P(i, j) = a.i.j -> P(i, j); S = ||| i:{0..1}; j:{0..1}@P(i, j);",
            {"a_0_0": ["P(0, 0)"], "a_0_1": ["P(0, 1)"], "a_1_0": ["P(1, 0)"], "a_1_1": ["P(1, 1)"]},
        ),
        ("P(i) = a.i -> P(i); S = P(0) ||| P(5);", {"a_0": ["P(0)"], "a_5": ["P(5)"]}),
        # What runs side by side inside a component is told apart by its place.
        (
            "P(i) = a.i -> P(i); S = start -> (P(0) ||| P(1));",
            {"start": ["S"], "a_0": ["part 0 of S"], "a_1": ["part 1 of S"]},
        ),
        (
            "P = a -> P; Q = b -> Q; S(i) = start.i -> (P ||| (Q || Q)); T = ||| i:{0..1}@S(i);",
            {
                "start_0": ["S 0"],
                "a": ["part 0 of S 0"],
                "b": ["part 1.0 of S 0", "part 1.1 of S 0"],
                "start_1": ["S 1"],
                "a_2": ["part 0 of S 1"],
                "b_2": ["part 1.0 of S 1", "part 1.1 of S 1"],
            },
        ),
        # Equal steps are one: whoever could do it takes part.
        ("P = a -> P; S = start -> (P ||| P);", {"start": ["S"], "a": ["part 0 of S", "part 1 of S"]}),
        ("S = (a -> Skip ||| b -> Skip); c -> S;", None),
    ],
)
def test_a_rule_says_who_acts(text: str, expected: dict[str, list[str]] | None) -> None:
    """Every component, or part of one, that takes part in the step."""
    found = actors_of(text)

    if expected is not None:
        assert found == expected
    assert all(found.values())


def test_a_test_is_a_step_of_its_component() -> None:
    text = "var x:{0..1}; P = {x = 1;} -> P; Q = if (x == 1) {b -> Q}; S = P ||| Q;"

    assert {name for names in actors_of(text).values() for name in names} == {"P", "Q"}
    assert [names for rule, names in actors_of(text).items() if rule.startswith("b")] == [["Q"]]


def test_parts_keep_their_names_in_the_next_round() -> None:
    """A composition that comes again has the same parts."""
    found = actors_of("S = (a -> Skip ||| b -> Skip); c -> S;")

    assert {tuple(names) for rule, names in found.items() if rule.startswith("a")} == {("part 0 of S",)}
    assert {tuple(names) for rule, names in found.items() if rule.startswith("b")} == {("part 1 of S",)}
    assert found["c"] == ["S"]


def test_the_philosophers_and_the_forks_act() -> None:
    """A fork takes part when it is taken and put back, not when someone eats."""
    tasks, _, _ = load(Source("dining", (EXAMPLES / "dining_philosophers.csp").read_text()), {"N": 3})
    assert tasks
    model = tasks[0].model
    found = processes_of(model)
    names = actor_names(found)
    by_event = {
        (r.event.name, *(a.value for a in r.event.arguments if isinstance(a, Const))): {names[k] for k in acting}
        for r, acting in zip(model.rules, found.acting, strict=True)
    }

    assert set(names) == {f"{kind} {k}" for kind in ("Phil", "Fork") for k in range(3)}
    assert by_event["get", 0, 1] == {"Phil 0", "Fork 1"}
    assert by_event["get", 2, 2] == {"Phil 2", "Fork 2"}
    assert by_event["eat", 1] == {"Phil 1"}


def test_alternatives_of_a_crowded_event_do_not_mix_who_acts() -> None:
    """Where there are very many ways to meet, steps from different control points are joined into one rule."""
    text = "P(i) = b -> a.i -> b -> b -> P(i); S = || i:{0..6}@P(i);"
    everybody = [f"P {k}" for k in range(7)]

    found = actors_of(text)

    assert {tuple(names) for rule, names in found.items() if rule.startswith("b")} == {tuple(everybody)}


def test_truth_values_of_events_have_their_type() -> None:
    claim = claim_of("P = a.true -> P;", "<> a.true")

    assert claim.atoms == (("a.true", EventTest("a", (Const(1, BOOL),))),)
