"""Texts that once got a wrong answer, or none: what is a value and what is a name, what holds within a step, limits."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import burnside
from burnside.cli.main import main
from burnside.frontends.cspsharp import load
from burnside.frontends.loading import load as load_file
from burnside.results.findings import CheckReport, EventsFinding, RunsFinding, Verdict
from burnside.source import ModelError, Source, render
from burnside.study import Studies


def check(text: str) -> tuple[CheckReport, ...]:
    """What ``burnside check`` finds out, a report for each process."""
    tasks, diagnostics, _ = load(Source("model.csp", text), {})
    assert tasks, "\n".join(map(render, diagnostics))
    return Studies.of(tasks).check()


def verdicts(text: str) -> list[bool]:
    """Whether the claims of a text hold, in order of its processes."""
    return [claim.verdict is Verdict.HOLDS for report in check(text) for claim in report.findings]


def complaints(text: str) -> list[tuple[str, str]]:
    """The errors of a text."""
    _, diagnostics, _ = load(Source("model.csp", text), {})
    return [(d.code, d.message) for d in diagnostics]


# ---------------------------------------------------------------- ranges


# A text about variables without a range, and how many states it has.
WITHIN_A_STEP = [
    # The variable is 1 or 2 between steps, and 4 within one.
    ("var x = 1; P = a{x = x*2; if (x > 3) { x = 1; }} -> P;", 2),
    ("var x = 1; P = a{x = x*2; x = x - 3*(x/3);} -> P;", 2),
    ("var a[2]; P = e{a[0] = a[0]*2 + 1; a[1] = a[0]; a[0] = 0; a[1] = a[1]%2;} -> P;", 2),
    ("var x = 1; P = e{while (x < 20) { x = x*3; } x = x%5;} -> P;", 3),
    # A bound that is declared is one within steps too, and the other is found.
    ("var x:{..9} = 1; P = a{x = x*2; if (x > 3) { x = -1 - x; x = 1; }} -> P;", 2),
]


@pytest.mark.parametrize(("text", "states"), WITHIN_A_STEP)
def test_a_range_that_is_found_holds_within_programs(text: str, states: int) -> None:
    """No value that a program passes through is a fault."""
    (report,) = check(f"{text}\n#assert P deadlockfree;\n")

    assert report.count.fault is None
    assert report.count.exploration.states == states


LARGE = "var x:{0..100000} = 100000; var y = 0;"


@pytest.mark.parametrize(
    "text",
    [
        "P = a{x = 100000; if (x * x > 3000000000) { y = 5; }} -> Stop;",
        "channel h 0; P = (a{x = 100000;} -> h!(x * x / 2000000000) -> Stop) ||| (h?v{y = v;} -> Stop);",
        "channel q 1; P = a{x = 100000;} -> q!(x * x / 2000000000) -> q?v{y = v;} -> Stop;",
        "P = a{x = 100000;} -> Q(x * x / 2000000000); Q(i) = b{y = i;} -> Stop;",
    ],
    ids=["condition", "rendezvous", "buffer", "argument"],
)
def test_part_of_an_expression_may_be_larger_than_any_variable(text: str) -> None:
    """What follows from it is neither left out nor a fault."""
    (report,) = check(f"{LARGE} {text}\n#define five (y == 5);\n#assert P reaches five;\n")

    assert report.count.fault is None
    assert report.findings[0].verdict is Verdict.HOLDS


def test_a_declared_bound_is_a_fault_within_programs() -> None:
    """Unlike a bound that is found."""
    (report,) = check("var x:{..3} = 1; P = a{x = x*2; if (x > 3) { x = 1; }} -> P;\n#assert P deadlockfree;\n")

    assert report.count.fault is not None


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("var x = 1; P = a{x = x*2;} -> P;", "it gets values such as 2,147,483,648"),
        ("var x = 0; var y; P = a{y = (y + 1) % 5000; x = x + 1; x = x % 5000 + y - y;} -> P;", "states, too many"),
        (
            "var x; var y:{0..99}; P = a{y = (y + 1)%100; x = 0; while (x < 9000) { x = 2*x + 1 - x; } x = 0;} -> P;",
            "programs do too much",
        ),
    ],
)
def test_it_is_said_why_no_range_is_found(text: str, reason: str) -> None:
    """A limit is named."""
    ((code, message),) = complaints(text)

    assert code == "BUR215"
    assert reason in message


def test_many_transitions_are_not_walked_through() -> None:
    """A process of few states may have very many residual terms; the walk is bounded in these too."""
    steps = " ".join(f"P{k} = e.{k} -> ([] i:{{0..59}}@f.i{{x = x*2; x = x - x/2*2;}} -> P{k + 1});" for k in range(90))
    ((code, message),) = complaints(f"var x = 1; {steps} P90 = Stop;\n#assert P0 deadlockfree;\n")

    assert code == "BUR215"
    assert message.endswith("the process has 5,490 transitions, too many to try them all")


def test_a_local_that_leaves_its_room_is_a_fault() -> None:
    """Not a mistake of the text, and nothing that goes unnoticed."""
    (report,) = check("var x; P = a{var t = 100000*100000; x = t % 3;} -> P;\n#assert P deadlockfree;\n")

    assert report.count.fault is not None


def test_a_recursion_may_be_ended_by_parameters() -> None:
    """What parameters rule out is not called."""
    for body in ("[i > 0] P(i - 1) [] a.i -> P(i)", "ifa (i > 0) {P(i - 1)} else {a.i -> P(i)}"):
        assert verdicts(f"P(i) = {body};\n#assert P(5) deadlockfree;\n") == [True]


# ---------------------------------------------------------------- truth values and numbers


def test_true_is_not_one() -> None:
    """Processes with ``true`` and with 1 as argument are two."""
    number, truth = "Q(x) = [x == 1] a -> Q(x);", "R(x) = [!x] a -> R(x);"
    claims = "#assert Q(1) deadlockfree; #assert Q(0) deadlockfree; #assert R(true) deadlockfree; "
    assert verdicts(f"{number} {truth} {claims}") == [True, False, False]


@pytest.mark.parametrize(
    "text",
    [
        "S(x) = e -> [x == x] a -> Stop; P = S(1) ||| S(true);",
        "S(x) = e -> a -> Stop; T(x) = S(x); P = T(true) ||| T(1) ||| T(0) ||| T(false);",
    ],
)
def test_arguments_of_both_types_make_different_components(text: str) -> None:
    """Each component has a control variable of its own."""
    parts = text.count("|||") + 1

    (report,) = check(f"{text}\n#assert P deadlockfree;\n")

    assert report.count.exploration.depth == 2 * parts


@pytest.mark.parametrize(
    "text",
    [
        "channel c 0; P = c!1 -> c!true -> Skip ||| c?x -> c?y -> Skip;",
        "channel c 2; P = c!1 -> c!true -> Skip ||| c?x -> c?y -> Skip;",
        "channel c 0; S(b) = c!b -> Skip; P = S(true) ||| S(1) ||| c?true -> c?1 -> Skip;",
        "channel c 1; S(b) = c!b -> Skip; P = S(true) ||| S(1) ||| c?x -> c?y -> Skip;",
        "channel c 0; var b = true; P = c!b -> Skip ||| c?1 -> a{b = false;} -> Skip;",
        "P = e.1 -> Stop || e.true -> Stop;",
        "var b = true; P = e.b -> a{b = false;} -> Stop || e.1 -> Stop;",
        "P = e.1 -> Stop \\ {e.true};",
        "#alphabet P {e.true}; P = e.1 -> Stop; S = P || P;",
        "P = e.1 -> P; Q = e.true -> Q;\n#assert P refines Q;",
        "P = e.1 -> P;\n#assert P |= []<> e.true;",
        'channel c 1; P = c!1 -> c?x -> P;\n#assert P |= []<> "c!true";',
    ],
)
def test_an_event_or_message_has_arguments_of_one_type(text: str) -> None:
    """``e.true`` and ``e.1`` in one text are refused: labels are compared by value."""
    assert [code for code, _ in complaints(text)] == ["BUR203"]


def test_definitions_can_be_given_as_truth_values(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """``-D flag=false`` replaces ``#define flag true``; other languages have no such constants."""
    path = tmp_path / "model.csp"
    path.write_text("#define flag true;\n#define N 3;\nP = [flag] a.N -> P;\n#assert P deadlockfree;\n")
    other = tmp_path / "model.seq"
    other.write_text("const N = 3\nvar x: 0..N = 0\n")

    assert main(["check", str(path)]) == 0
    assert main(["check", str(path), "-D", "flag=false"]) == 1
    assert main(["check", str(path), "-D", "flag=0"]) == 3
    assert main(["check", str(path), "-D", "N=true"]) == 3
    assert main(["count", str(other), "-D", "N=true"]) == 3
    assert capsys.readouterr().err.count("error[BUR211]") == 3
    (report,) = burnside.load(path, flag=False).check().reports
    assert report.findings[0].verdict is Verdict.VIOLATED


# ---------------------------------------------------------------- names


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("#define f(p) {var t = p; x = t;}; P = a{var t = 1; call(f, 2); x = t;} -> Stop;", 1),
        ("#define f(p) {var t = p; x = t;}; P = a{var t = 1; call(f, t + 1);} -> Stop;", 2),
        ("#define f(p) {var t = 3; x = p;}; P = a{var t = 2; call(f, t);} -> Stop;", 2),
        ("#define f(p) {var t = p; x = 0; var p = 1; x = t + p;}; P = a{call(f, x + 1);} -> Stop;", 2),
        ("P = a{var at_P = 2; x = at_P;} -> Stop;", 2),
        ("P = a{var P = 2; x = P;} -> Stop;", 2),
        ("channel c 1; P = a{var c = 2; x = c;} -> c!1 -> Stop;", 2),
        ("P = a{var t = 1; {var t = 3; x = t;} x = t;} -> Stop;", 1),
        ("P = a{var t = 1; if (t == 1) {var t = t + 1; x = t;} } -> Stop;", 2),
        ("P(i) = a{var i = i + 1; x = i;} -> Stop;\n#assert P(1) deadlockfree;", 2),
    ],
)
def test_locals_may_have_any_name(text: str, value: int) -> None:
    """Of a caller's local, of a control variable, of a channel: each local is itself."""
    claim = "" if "#assert" in text else "#assert P deadlockfree;\n"
    (report,) = check(f"var x:{{0..9}}; {text}\n{claim}")
    (result,) = report.findings

    assert result.trace is not None
    assert [c.after for c in result.trace.steps[0].changes if c.name == "x"] == [str(value)]


def test_the_end_is_no_event_of_the_text() -> None:
    """A user's event ``terminate`` and the end are two events, in formulas and in refinement."""
    processes = "P = terminate -> P; Q = a -> Skip; R = terminate -> Skip; "
    claims = [
        ("P |= []<> terminate", True),
        ("P |= <> terminate_", False),
        ("Q |= <> terminate", False),
        ("Q |= <> terminate_", True),
        ("R |= [](terminate -> X terminate_)", True),
        ("R |= []!(terminate && terminate_)", True),
        ("R refines Q", False),
        ("(b -> Skip) refines (b -> terminate -> Stop)", False),
        ("(b -> terminate -> Stop) refines (b -> Skip)", False),
    ]
    for claim, holds in claims:
        assert verdicts(f"{processes}\n#assert {claim};\n") == [holds], claim


def test_the_end_is_no_deadlock_in_figures() -> None:
    """A search for claims about events counts as the others do."""
    (report,) = check("P = a -> Skip [] b -> Stop;\n#assert P divergencefree;\n")

    assert report.count.exploration.deadlocks == 1


# ---------------------------------------------------------------- shortest runs


@pytest.mark.parametrize(
    ("text", "length"),
    [
        # A bad state at the same distance comes before a bad step.
        ("P = a -> x -> Stop [] b -> Stop; Q = a -> Stop [] b -> c -> Stop;\n#assert P refines<F> Q;", 1),
        ("P = a -> x -> Stop [] b -> c -> Stop; Q = a -> Stop [] b -> c -> c -> Stop;\n#assert P refines<F> Q;", 2),
        ("P = a -> x -> Stop [] b -> D; D = tau -> D; Q = a -> Stop [] b -> Stop;\n#assert P refines<FD> Q;", 1),
    ],
)
def test_a_refinement_is_refuted_by_a_shortest_run(text: str, length: int) -> None:
    """The loop of a divergence is not counted."""
    (report,) = check(text)
    (claim,) = report.findings

    assert claim.trace is not None
    loop = claim.loop if isinstance(claim, RunsFinding | EventsFinding) else None
    assert (len(claim.trace.steps) if loop is None else loop) == length


# ---------------------------------------------------------------- limits


def doubled(levels: int) -> str:
    """Processes each of which does the one before twice."""
    return " ".join(["P0 = e -> Skip;", *(f"P{k} = P{k - 1}; P{k - 1};" for k in range(1, levels + 1))])


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        (f"{doubled(16)}", "BUR214", "'P16' has more than 10,000 control points"),
        (f"{doubled(40)}", "BUR214", "'P40' is nested more than 60 levels deep"),
        ("P = Q; Q = R; R = P [] a -> P;", "BUR209", "'R' calls itself before doing anything"),
        (
            "P(i) = Q(i + 1); Q(i) = P(i);\n#assert P(0) deadlockfree;",
            "BUR214",
            "'P' is nested more than 60 levels deep",
        ),
        ("var x:{0..4294967295} = *; P = a{x = 1;} -> P;", "BUR206", "'x' can start with any of 4,294,967,296 values"),
        (
            "var x:{0..1}; #define a0 x == 0; "
            + "".join(f"#define a{k} a{k - 1} && a{k - 1}; " for k in range(1, 40))
            + "P = [a39] e{x = 1;} -> P;",
            "BUR104",
            "'a13' stands for more than 20,000 parts",
        ),
        (
            "var x:{0..1}; #define f0() {x = 1;}; "
            + "".join(f"#define f{k}() {{f{k - 1}; f{k - 1};}}; " for k in range(1, 30))
            + "P = e{f29;} -> P;",
            "BUR104",
            "'f12' stands for more than 20,000 parts",
        ),
    ],
)
def test_a_limit_is_named(text: str, code: str, message: str) -> None:
    """Quickly, and nothing is said that is not so."""
    assert (code, message) in complaints(text)


def test_a_large_declared_range_needs_no_search() -> None:
    """A range that is declared is not looked for, however large it is."""
    text = "var a[9]:{0..2147483648}; P(i) = e.i{a[i] = 1 - a[i];} -> P(i); S = ||| i:{0..8}@P(i);"
    (task,), _, _ = load(Source("model.csp", text), {})

    assert {v.domain.high for v in task.model.variables} == {2147483648}


# ---------------------------------------------------------------- channels


def test_the_parts_of_a_message_see_one_state() -> None:
    """The second one is computed before the first one is in the buffer."""
    text = """channel c 2; channel d[2] 2; var seen = 9;
    P = c!call(ccount, c).call(ccount, c) -> c?x.y{seen = y;} -> Stop;
    #define none (seen == 0); #assert P reaches none;
    Q = d[0]!1.1 -> d[1]!2.2 -> d[call(ccount, d[1])]?x.y{seen = x + y;} -> Stop;
    #define four (seen == 4); #assert Q reaches four;"""

    assert verdicts(text) == [True, True]


@pytest.mark.parametrize("declared", ["var x:{0..3} = 3;", "var x = 3;"])
@pytest.mark.parametrize("capacity", [0, 1])
def test_a_channel_that_is_not_there_is_a_fault(declared: str, capacity: int) -> None:
    """Whether it would be a rendezvous or have a buffer."""
    text = f"""{declared} channel c[2] {capacity};
    P = (c[x]!1 -> Stop) ||| (c[x]?v{{x = x - 1;}} -> Stop);
    #assert P deadlockfree;"""
    (report,) = check(text)

    assert report.count.fault is not None


def test_an_index_of_a_rendezvous_that_fits_is_no_fault() -> None:
    text = """var x = 0; channel c[2] 0;
    P = c[x]!1{x = 1 - x;} -> P; Q = [] i:{0..1}@(c[i]?1 -> Q); S = P ||| Q;
    #assert S deadlockfree; #assert S |= [] ("c[0]!1" -> X "c[1]!1");"""

    assert verdicts(text) == [True, True]


def test_channels_that_nobody_uses_can_be_asked() -> None:
    """One of them is used only where an input leads to, in another process."""
    text = """channel q 1; channel k[2] 1; channel n 1;
    P = [call(cempty, q) && call(ccount, k[1]) == 0 && !call(cfull, n)] a -> P;
    Q = q!true -> q?x -> k[0]!3 -> Q;
    #assert P |= []<> a; #assert Q deadlockfree; #assert R deadlockfree;
    R = [call(cpeek, n) == 0] a -> Skip;"""
    *answers, last = check(text)

    assert [c.verdict is Verdict.HOLDS for report in answers for c in report.findings] == [True, False]
    assert last.count.fault is not None
    assert "holds 0 items" in last.count.fault.fault.message


# ---------------------------------------------------------------- what is written


@pytest.mark.parametrize("end", ["", ";"])
@pytest.mark.parametrize("second", ["x == 1", "(x) == 1", "!(x != 1)", "b", "call(one, x)", "m[x] == 4 && -x < 0"])
def test_branches_of_a_case_may_end_with_a_semicolon(end: str, second: str) -> None:
    """It is a sequence only if a process follows."""
    text = f"""var x:{{0..2}} = 1; var b = true; var m = [3, 4]; #define one(i) (i == 1);
    A = a -> Skip; B = (b1{{x = 1; b = true;}} -> Skip); (b2 -> Skip);
    P = case {{ x == 0: A(){end} {second}: B; A(){end} default: Stop{end} }};
    #assert P |= <> a; #assert P |= <> b2; #assert P deadlockfree;"""

    assert verdicts(text) == [True, True, True]


def test_a_macro_that_only_performs_another_is_a_program() -> None:
    text = """var x:{0..5}; #define f(i) {x = i;}; #define g() {call(f, 3)}; #define h {k}; #define k {x = 4;};
    P = a{call(g)} -> b{h} -> Stop;
    #define three (x == 3); #define four (x == 4); #assert P reaches three; #assert P reaches four;"""

    assert verdicts(text) == [True, True]


def test_a_local_of_a_macro_may_hide_its_parameter() -> None:
    """What the macro writes after it has used the argument for the last time does not matter."""
    text = """var x = 1; var y:{0..9};
    #define f(i) {var t = i; x = 5; if (t > 3) {var i = 3; y = i;} else {{var i = 4; y = i + t;}}};
    P = a{call(f, x + 1)} -> Stop;
    #define six (y == 6); #assert P reaches six;"""

    assert verdicts(text) == [True]


# ---------------------------------------------------------------- included files


def include(tmp_path: Path, name: str) -> str:
    """What is said if a model includes a file."""
    path = tmp_path / "models" / "model.csp"
    path.write_text(f'#include "{name}";\nP = a -> P;\n')
    with pytest.raises(ModelError) as raised:
        load_file(path)
    shown = "\n".join(map(render, raised.value.diagnostics))
    assert "secret" not in shown
    return shown


def test_only_files_of_the_folder_are_included(tmp_path: Path) -> None:
    """Whatever the name and the links say; no line of another file is quoted."""
    folder = tmp_path / "models"
    (folder / "inner").mkdir(parents=True)
    for place in (tmp_path, folder / "inner"):
        (place / "other.csp").write_text("secret = = ;\n")
    (folder / "link.csp").symlink_to(tmp_path / "other.csp")
    (folder / "circle.csp").symlink_to(folder / "circle.csp")
    os.mkfifo(folder / "fifo")
    (folder / "large.csp").write_text("//" + "x" * (5 << 20))

    for name in (str(tmp_path / "other.csp"), "../other.csp", "link.csp", "inner/other.csp", "/dev/zero"):
        assert "it is not in the folder of the model" in include(tmp_path, name)
    assert "it is not a regular file" in include(tmp_path, "fifo")
    assert "larger than 4 MB" in include(tmp_path, "large.csp")
    assert "error[BUR106]" in include(tmp_path, "circle.csp")
    assert "error[BUR106]" in include(tmp_path, "inner")
    assert "'../models/model.csp' includes itself" in include(tmp_path, "../models/model.csp")


def test_included_files_are_counted(tmp_path: Path) -> None:
    """Thirty files, each of which includes the next one twice."""
    (tmp_path / "models").mkdir()
    for k in range(30):
        (tmp_path / "models" / f"f{k}.csp").write_text(f'#include "f{k + 1}.csp";\n' * 2)
    (tmp_path / "models" / "f30.csp").write_text("")

    assert "more than 100 files are included" in include(tmp_path, "f0.csp")
