"""Assertions get the verdicts that the definitions give them, with traces of the user's events."""

from __future__ import annotations

import pytest

from burnside.explore.native.run import SearchOptions
from burnside.frontends.cspsharp import load
from burnside.frontends.cspsharp.read.declarations import Atom, Formula
from burnside.frontends.cspsharp.read.parse import parse
from burnside.frontends.kit.options import Options
from burnside.limits import Deadline
from burnside.report.json import check_object
from burnside.report.text import check_text
from burnside.results.findings import CheckReport, Finding, Verdict
from burnside.source import Diagnostics, ModelError, Source, render
from burnside.study import Studies

HANDSHAKE = "channel c 0; A = c!1 -> A; B = c?x -> b.x -> B; P = A ||| B; "

# Processes, an assertion, whether it holds.
CLAIMS = [
    ("P = a -> P;", "P deadlockfree", True),
    ("P = a -> Stop;", "P deadlockfree", False),
    ("P = a -> Skip;", "P deadlockfree", True),
    ("P = a -> Skip ||| b -> Stop;", "P deadlockfree", False),
    # A successful end is an end; so is a deadlock.
    ("P = a -> Skip;", "P nonterminating", False),
    ("P = a -> P;", "P nonterminating", True),
    ("P = a -> Stop;", "P nonterminating", False),
    ("P = a -> (b -> P [] c -> Skip);", "P nonterminating", False),
    ("P = a -> (b -> P [] c -> Stop); Q = P ||| d -> Skip;", "Q nonterminating", False),
    ("A = a -> A; P = A ||| d -> Skip;", "P nonterminating", True),
    ("var x:{0..3}; P = [x < 3] a{x++;} -> P;", "P reaches x == 3", True),
    ("var x:{0..3}; P = [x < 2] a{x++;} -> P;", "P reaches x == 3", False),
    # Traces.
    ("P = a -> b -> P; Q = a -> Q [] b -> Q;", "P refines Q", True),
    ("P = a -> b -> P; Q = a -> a -> Q;", "P refines Q", False),
    ("P = a -> tau -> b -> P; Q = a -> b -> Q;", "P refines Q", True),
    ("P = a -> b -> P; Q = a -> tau -> b -> Q;", "P refines Q", True),
    ("P = a -> b -> P; Q = (a -> b -> Q) <> (a -> c -> Q);", "P refines Q", True),
    ("P = a -> Skip; Q = a -> Stop;", "P refines Q", False),
    ("P = a -> Stop; Q = a -> Skip;", "P refines Q", True),
    ("A = a -> c -> A; B = c -> b -> B; P = A || B; Q = a -> c -> b -> Q;", "P refines Q", False),
    ("P = (a -> c -> b -> P) \\ {c}; Q = a -> b -> Q;", "P refines Q", True),
    ("var x:{0..1}; P = a{x = 1;} -> [x == 0] b -> P; Q = a -> Stop;", "P refines Q", True),
    ("P = || i:{0..1}@C(i); C(i) = a.i -> b -> C(i); Q = a.0 -> a.1 -> b -> Q;", "P refines Q", False),
    # Specifications with variables, programs, channels and arguments that depend on the state.
    ("var x:{0..1}; P = a -> P; Q = a{x = 1;} -> Q;", "P refines Q", True),
    ("var x:{0..1}; P = a.x -> b{x = 1;} -> P; Q = a.0 -> b -> Q;", "P refines Q", False),
    ("var x:{0..1}; P = a.x -> b{x = 1;} -> P; Q = a.0 -> b -> R; R = a.1 -> b -> R;", "P refines Q", True),
    ("channel c 1; P = c!1 -> c?x -> P; Q = c!1 -> c?1 -> Q [] c!2 -> Stop;", "P refines Q", True),
    (HANDSHAKE + "Q = A ||| c?1 -> b.1 -> Stop;", "P refines Q", False),
    (HANDSHAKE + "Q = A ||| D; D = c?1 -> b.1 -> D;", "P refines Q", True),
    # The end has no name, whatever events are called.
    ("P = terminate -> Stop; Q = Skip;", "P refines Q", False),
    ("P = Skip; Q = terminate -> Stop;", "P refines Q", False),
    # An argument is compared by value: the name that a report gives a value does not matter.
    ("var o:{0..2} = 2; P(i) = a{o = i;} -> Stop; S = (||| i:{0..1}@P(i)) ||| b.o -> Stop; "
     "Q = a -> Q [] ([] j:{0..2}@b.j -> Q);", "S refines Q", True),
    # Failures: what may be refused.
    ("P = a -> Stop; Q = a -> Stop [] b -> Stop;", "P refines<F> Q", False),
    ("P = a -> Stop; Q = a -> Stop <> b -> Stop;", "P refines<F> Q", True),
    ("P = a -> Stop <> b -> Stop; Q = a -> Stop [] b -> Stop;", "P refines<F> Q", False),
    ("P = a -> Stop <> b -> Stop; Q = a -> Stop [] b -> Stop;", "P refines Q", True),
    ("P = Stop; Q = a -> Stop;", "P refines<F> Q", False),
    ("P = Stop; Q = a -> Stop <> Stop;", "P refines<F> Q", True),
    ("P = tau -> a -> P; Q = a -> Q;", "P refines<F> Q", True),
    ("P = a -> P; Q = a -> Q [] tau -> a -> Q;", "P refines<F> Q", True),
    # What can end may end by itself, and then refuses the rest.
    ("P = a -> Stop [] Skip; Q = a -> Stop <> Skip;", "P refines<F> Q", True),
    ("P = Skip; Q = a -> Stop [] Skip;", "P refines<F> Q", True),
    ("P = a -> Stop; Q = a -> Stop [] Skip;", "P refines<F> Q", False),
    # A process that never waits has no failures; it diverges.
    ("P = (b -> P) \\ {b}; Q = a -> Q;", "P refines<F> Q", True),
    ("P = (b -> P) \\ {b}; Q = a -> Q;", "P refines<FD> Q", False),
    ("P = Stop; Q = (b -> Q) \\ {b};", "P refines<F> Q", False),
    ("P = c -> P; Q = (b -> Q) \\ {b};", "P refines<FD> Q", True),
    ("P = a -> c -> P; Q = a -> R; R = (b -> R) \\ {b};", "P refines<FD> Q", True),
    ("P = c -> P; Q = a -> R; R = (b -> R) \\ {b};", "P refines<FD> Q", False),
    ("P = a -> P; Q = a -> Q;", "P refines<FD> Q", True),
    # Divergence.
    ("P = a -> P;", "P divergencefree", True),
    ("P = a -> tau -> P;", "P divergencefree", True),
    ("P = a -> R; R = (b -> R) \\ {b};", "P divergencefree", False),
    ("var x:{0..2}; P = tau{x = (x + 1) % 3;} -> P;", "P divergencefree", False),
    ("var x:{0..2}; P = [x < 2] tau{x = x + 1;} -> P [] a -> P;", "P divergencefree", True),
    ("P = (a -> b -> P) \\ {a}; Q = P \\ {b};", "Q divergencefree", False),
    # Determinism.
    ("P = a -> Stop [] a -> Skip;", "P deterministic", False),
    ("P = a -> P [] b -> P;", "P deterministic", True),
    ("P = a -> P <> b -> P;", "P deterministic", False),
    ("P = a -> P <> a -> P;", "P deterministic", True),
    ("P = a -> Stop ||| a -> Stop;", "P deterministic", True),
    ("P = a -> Stop [] tau -> b -> Stop;", "P deterministic", False),
    ("P = a -> Stop [] Skip;", "P deterministic", False),
    ("P = a -> R; R = (b -> R) \\ {b};", "P deterministic", False),
    ("var x:{0..1} = *; P = [x == 0] a -> Stop [] [x == 1] b -> Stop;", "P deterministic", False),
]  # fmt: skip


def check(text: str, *, names: tuple[str, ...] = (), options: SearchOptions | None = None) -> tuple[CheckReport, ...]:
    """The reports on a text that has nothing to warn of."""
    tasks, diagnostics, _ = load(Source("model.csp", text), {})
    assert tasks and not list(diagnostics), "\n".join(map(render, diagnostics))
    return Studies.of(tasks, options).check(names)


def only_claim(text: str) -> Finding:
    """The report on the only claim of a text."""
    ((finding,),) = (report.findings for report in check(text))
    return finding


@pytest.mark.parametrize(("text", "assertion", "expected"), CLAIMS, ids=[f"{c[1]} in {c[0]}" for c in CLAIMS])
def test_an_assertion_gets_its_verdict(text: str, assertion: str, expected: bool) -> None:
    """One claim, one verdict."""
    claim = only_claim(f"{text}\n#assert {assertion};\n")

    assert claim.verdict is (Verdict.HOLDS if expected else Verdict.VIOLATED)


# Processes, an assertion, the events of its trace, the steps before the loop, the beginning of the reason.
RUNS = [
    ("P = a -> b -> P; Q = a -> a -> Q;", "P refines Q", "a b", None, "'Q' cannot do 'b'"),
    ("P = a -> Skip; Q = a -> Stop;", "P refines Q", "a terminate", None, "'Q' cannot do '✓'"),
    ("P = a -> tau -> b -> Stop; Q = a -> (b -> Q [] c -> Q);", "P refines<F> Q", "a tau", None, "it may refuse every"),
    ("P = a -> R; R = tau -> tau -> R;", "P divergencefree", "a tau", 1, "from then on"),
    ("P = tau -> a -> R; R = tau -> S; S = tau -> tau -> S;", "P divergencefree", "tau a tau", 2, "from then on"),
    ("P = a -> (b -> Stop <> c -> Stop);", "P deterministic", "a tau", None, "'c' may be refused"),
    # Two steps between the same states: the trace has the one that matters.
    ("P = tau -> Stop [] a -> Stop; Q = tau -> Stop;", "P refines Q", "a", None, "'Q' cannot do 'a'"),
]


@pytest.mark.parametrize(("text", "assertion", "events", "loop", "reason"), RUNS)
def test_a_violation_is_shown(text: str, assertion: str, events: str, loop: int | None, reason: str) -> None:
    """By a shortest run, which has been replayed, and in words."""
    claim = only_claim(f"{text}\n#assert {assertion};\n")

    assert claim.trace is not None
    assert " ".join(step.event for step in claim.trace.steps) == events
    assert claim.loop == loop
    assert claim.reason.startswith(reason)


def test_nondeterminism_is_shown_by_two_runs() -> None:
    """One in which the event is refused, one with the same visible events in which it happens."""
    claim = only_claim("P = a -> (b -> Stop <> c -> Stop);\n#assert P deterministic;\n")

    assert claim.trace is not None and claim.contrast is not None
    assert [s.event for s in claim.trace.steps] == ["a", "tau"]
    assert [s.event for s in claim.contrast.steps] == ["a", "tau", "c"]


# ---------------------------------------------------------------- extreme values

UP = "var x:{-50..5000}; P = [x < 4000] up{x = x + 7;} -> P [] [x > -30] down{x = x - 10;} -> P;\n"


@pytest.mark.parametrize(
    ("assertion", "value"),
    [
        ("x > 100 with min(x)", 101),
        ("x > 100 with max(x)", 4006),
        ("x < 100 with max(0 - x)", 39),
        ("x % 7 == 3 with min(x * x)", 9),
        ("x >= -50 with min(x)", -39),
        ("x == 12 with max(3)", 3),
    ],
)
def test_extreme_values_are_found(assertion: str, value: int) -> None:
    """Among thousands of values, by a few explorations."""
    claim = only_claim(f"{UP}#assert P reaches {assertion};\n")

    assert (claim.verdict, claim.value) == (Verdict.HOLDS, value)


def test_an_extreme_value_of_what_is_not_reached_is_none() -> None:
    claim = only_claim(f"{UP}#assert P reaches x == 4500 with min(x);\n")

    assert (claim.verdict, claim.value, claim.trace) == (Verdict.VIOLATED, None, None)


def test_an_extreme_value_is_a_number() -> None:
    _, diagnostics, _ = load(
        Source("m.csp", "var b = true;\nP = a{b = false;} -> P;\n#assert P reaches b with min(b);"), {}
    )

    assert [d.code for d in diagnostics] == ["BUR203"]


# ---------------------------------------------------------------- several processes

SEVERAL = """\
P = a -> P;
Q = a -> b -> Stop;
#assert P deadlockfree;
#assert Q deadlockfree;
#assert P refines Q;
#assert Q refines P;
#assert Q divergencefree;
"""


def test_every_process_is_checked() -> None:
    """Claims in the order of the text, the processes in that of their first claims."""
    reports = check(SEVERAL)

    found = [(r.full_name(c), c.verdict.value) for r in reports for c in r.findings]
    assert found == [
        ("P.deadlockfree", "holds"),
        ("P.refines_Q", "violated"),
        ("Q.deadlockfree", "violated"),
        ("Q.refines_P", "violated"),
        ("Q.divergencefree", "holds"),
    ]
    assert [p["name"] for p in check_object(reports)["properties"]] == [name for name, _ in found]
    assert [p["states"] for p in check_object(reports)["processes"]] == [1, 3]
    assert "process P\n" in check_text(reports) and "process Q\n" in check_text(reports)


@pytest.mark.parametrize(
    ("name", "chosen"),
    [
        ("deadlockfree", ["P.deadlockfree", "Q.deadlockfree"]),
        ("Q.deadlockfree", ["Q.deadlockfree"]),
        ("refines_Q", ["P.refines_Q"]),
    ],
)
def test_a_name_selects_claims(name: str, chosen: list[str]) -> None:
    """About all processes, or about one."""
    reports = check(SEVERAL, names=(name,))

    assert [r.full_name(c) for r in reports for c in r.findings] == chosen


def test_an_unknown_name_is_refused() -> None:
    with pytest.raises(ModelError, match=r"there is no property 'R\.deadlockfree'"):
        check(SEVERAL, names=("R.deadlockfree",))


def test_other_commands_take_the_first_process() -> None:
    """And say so."""
    (task,), diagnostics, _ = load(Source("model.csp", SEVERAL), {}, Options({}, only_first=True))

    assert [claim.name for claim in task.claims] == ["deadlockfree"]
    assert [(d.code, d.message) for d in diagnostics] == [
        ("BUR216", "the model is that of 'P', the process of the first assertion")
    ]


# ---------------------------------------------------------------- faults and limits


def test_a_fault_leaves_claims_about_events_open() -> None:
    """It is shown with the run that leads to it."""
    (report,) = check("var x:{0..2}; P = a{x = x + 1;} -> P; Q = a -> Q;\n#assert P refines Q;\n")

    assert [c.verdict for c in report.findings] == [Verdict.UNKNOWN]
    assert report.count.fault is not None and report.count.fault.fault is not None
    assert [s.event for s in report.count.fault.steps] == ["a", "a"]


def test_a_fault_of_the_specification_is_named() -> None:
    claim = only_claim("var x:{0..1}; P = a -> P; Q = a{x = x + 1;} -> Q;\n#assert P refines Q;\n")

    assert claim.verdict is Verdict.UNKNOWN
    assert claim.reason.startswith("'Q' faults after a: ")
    assert claim.fault is not None


def test_a_fault_in_an_extreme_value_is_shown() -> None:
    """Also if other claims were decided before."""
    text = (
        "var x:{0..3}; P = [x < 3] a{x++;} -> P;\n#assert P deadlockfree;\n#assert P reaches x >= 0 with max(6 / x);\n"
    )
    (report,) = check(text)

    assert [c.verdict for c in report.findings] == [Verdict.VIOLATED, Verdict.UNKNOWN]
    assert report.count.fault is not None and report.count.fault.fault is not None
    assert report.count.fault.fault.kind == "division"


LARGE = "var a[20]:{0..1}; P(i) = t.i{a[i] = 1 - a[i];} -> P(i); S = ||| i:{0..19}@P(i);\n"


@pytest.mark.parametrize(
    ("options", "stop"),
    [
        (SearchOptions(deadline=Deadline.after(0.2)), "time"),
        (SearchOptions(memory=1 << 20), "memory"),
        (SearchOptions(states=500), "states"),
    ],
)
@pytest.mark.parametrize("claim", ["deterministic", "divergencefree", "refines<FD> S"])
def test_limits_end_the_search_politely(claim: str, options: SearchOptions, stop: str) -> None:
    """The verdict is unknown and the figures are partial."""
    (report,) = check(f"{LARGE}#assert S {claim};\n", options=options)

    assert [c.verdict for c in report.findings] == [Verdict.UNKNOWN]
    assert report.count.exploration.stop.value == stop


def test_an_extreme_value_is_open_after_a_limit() -> None:
    (report,) = check(f"{UP}#assert P reaches x > 0 with max(x);\n", options=SearchOptions(states=20))

    assert [(c.verdict, c.value) for c in report.findings] == [(Verdict.UNKNOWN, None)]


# ---------------------------------------------------------------- temporal logic


def shown(formula: Formula) -> str:
    """A formula with all its parentheses."""
    if isinstance(formula, Atom):
        arguments = "".join(f".{getattr(a, 'value', None) or getattr(a, 'name', 0)}" for a in formula.arguments)
        indices = "".join(f"[{getattr(i, 'value', None) or getattr(i, 'name', 0)}]" for i in formula.indices)
        return formula.name + indices + arguments
    parts = [shown(o) for o in formula.operands]
    return f"{formula.operator}{parts[0]}" if len(parts) == 1 else f"({f' {formula.operator} '.join(parts)})"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[]<> a", "[]<>a"),
        ("[](a -> <> b)", "[](a -> <>b)"),
        ("a U b R c", "(a U (b R c))"),
        ("!a && b || c", "((!a && b) || c)"),
        ("a -> b -> c", "(a -> (b -> c))"),
        ("a <-> b -> c", "(a <-> (b -> c))"),
        ("X X a U b", "(XXa U b)"),
        ("a xor b && c", "(a xor (b && c))"),
        ("[] get.1.2", "[]get.1.2"),
        ('<> "c!1.x"', "<>c!.1.x"),
        ('[] (goal -> "c?3")', "[](goal -> c?.3)"),
        ("[] true", "[]true"),
        # Other spellings; what stands alone is an event.
        ("G F a", "[]<>a"),
        ("G (F a -> X G b)", "[](<>a -> X[]b)"),
        ("a V b", "(a R b)"),
        ("[] F && G", "([]F && G)"),
        ('<> "c[1]!2"', "<>c![1].2"),
        ('<> "c[k].2"', "<>c[k].2"),
    ],
)
def test_a_formula_is_kept(text: str, expected: str) -> None:
    """As a value of the syntax, for those who will check it."""
    diagnostics = Diagnostics()
    (assertion,) = parse(Source("model.csp", f"P = a -> P;\n#assert P |= {text};\n"), diagnostics).assertions

    assert not list(diagnostics)
    assert assertion.formula is not None
    assert shown(assertion.formula) == expected
