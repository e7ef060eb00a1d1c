"""Formulas under ``LTL`` as temporal claims of the model."""

from __future__ import annotations

from pathlib import Path

import pytest

from burnside.claims.kinds import Fairness, InfiniteRuns
from burnside.claims.task import Task
from burnside.frontends.kit.options import Options
from burnside.frontends.loading import load as load_file
from burnside.frontends.rebeca import load as load_rebeca
from burnside.ir.nodes import Const, Logic, Read, Unary
from burnside.ir.processes import processes_of
from burnside.source import Source

EXAMPLES = Path(__file__).parents[4] / "examples" / "jaghoori2005"
TWO = """
reactiveclass A(2) { statevars { boolean b; boolean c; } msgsrv initial() { b = true; } }
main { A x():(); A y():(); }
"""
X_B = Read("A.b", (Const(0),))
Y_B = Read("A.b", (Const(1),))


def load(properties: str) -> tuple[tuple[Task, ...], list[str]]:
    """The task of two rebecs with a property file, and the codes of what there is to say."""
    options = Options({"property_file": Source("model.property", properties)})
    tasks, diagnostics, _ = load_rebeca(Source("model", TWO), {}, options)
    return tasks, [d.code for d in diagnostics]


def claim(formula: str, definitions: str = "") -> InfiniteRuns:
    """A single formula as a claim."""
    tasks, codes = load(f"property {{ define {{ {definitions} }} LTL {{ p: {formula}; }} }}")
    assert tasks, codes
    (found,) = (claim for claim in tasks[0].claims if isinstance(claim, InfiniteRuns))
    return found


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        ("G(x.b)", "[] x.b"),
        ("F(x.b)", "<> x.b"),
        ("X(x.b)", "X x.b"),
        ("U(x.b, y.b)", "x.b U y.b"),
        ("R(x.b, y.b)", "x.b R y.b"),
        ("W(x.b, y.b)", "y.b R (x.b || y.b)"),
        ("G(F(x.b))", "[] (<> x.b)"),
        ("!G(x.b)", "<> !x.b"),
        ("G(x.b) && F(y.b)", "(<> y.b) && ([] x.b)"),
        ("G(x.b) || F(y.b)", "(<> y.b) || ([] x.b)"),
        ("G(x.b -> F(y.b))", "[] (!x.b || (<> y.b))"),
        ("X(x.b) -> X(y.b) -> X(x.c)", "X !x.b || X !y.b || X x.c"),
        ("G(true)", "true"),
        ("x.b", "x.b"),
    ],
)
def test_operators(formula, expected):
    """Temporal operators are functions; an implication groups from the right."""
    assert str(claim(formula).formula) == expected


def test_largest_parts_without_time_are_atoms_named_as_written():
    found = claim("G((x.b &&\n  !y.b) -> F(!x.b))")

    assert dict(found.atoms) == {"(x.b && !y.b)": Logic("&&", (X_B, Unary("!", Y_B))), "!x.b": Unary("!", X_B)}
    assert found.text == "G((x.b &&\n  !y.b) -> F(!x.b))"
    assert found.name == "p"
    assert found.span is not None
    assert found.span.text == "p"


def test_definitions_are_atoms_or_stand_for_formulas():
    found = claim("G(often -> both)", "both = x.b && y.b; often = F(both);")

    assert str(found.formula) == "[] (([] !both) || both)"
    assert [name for name, _ in found.atoms] == ["both"]


def test_rebecs_go_on_if_they_can():
    """Weak fairness of rebecs: a rebec is executed again and again, or has no message again and again."""
    assert claim("F(x.b)").fairness is Fairness.WEAK


@pytest.mark.parametrize(
    ("properties", "code"),
    [
        ("property { LTL { p: G(x.b, y.b); } }", "BUR204"),
        ("property { LTL { p: U(x.b); } }", "BUR204"),
        ("property { LTL { p: H(x.b); } }", "BUR203"),
        ("property { LTL { p: G(x.d); } }", "BUR201"),
        ("property { LTL { p: G(1); } }", "BUR203"),
        ("property { LTL { p: G(x.b) == F(y.b); } }", "BUR203"),
        ("property { LTL { p: G(x.b = y.b); } }", "BUR210"),
        ("property { Assertion { p: G(x.b); } }", "BUR203"),
        ("property { define { q = F(x.b); } Assertion { p: q; } }", "BUR203"),
        ("property { define { q = F(r); r = G(q); } LTL { p: q; } }", "BUR209"),
        ("property { define { q = x.b; q = y.b; } LTL { p: q; } }", "BUR202"),
        ("property { Assertion { p: x.b; } LTL { p: F(x.b); } }", "BUR202"),
    ],
)
def test_wrong_formulas_are_explained(properties, code):
    tasks, codes = load(properties)

    assert not tasks
    assert code in codes


@pytest.mark.parametrize("first", ["x.b", "F(x.b)"])
def test_definitions_that_double_at_every_level_are_refused(first):
    doubling = " ".join(f"d{k + 1} = d{k} && d{k};" for k in range(40))
    tasks, codes = load(f"property {{ define {{ d0 = {first}; {doubling} }} LTL {{ p: G(d40); }} }}")

    assert not tasks
    assert codes == ["BUR502"]


@pytest.mark.parametrize(
    ("example", "claims"),
    [("dining_philosophers", {"nobodyStarves": 3}), ("leader_election", {"elected": 1})],
)
def test_examples_have_claims_about_runs(example, claims):
    task = load_file(EXAMPLES / f"{example}.rebeca", {})

    assert {c.name: len(c.atoms) for c in task.claims if isinstance(c, InfiniteRuns)} == claims


@pytest.mark.parametrize(("example", "rebecs"), [("dining_philosophers", 6), ("workers", 4)])
def test_the_rebec_that_takes_the_message_acts(example, rebecs):
    """Fairness is about rebecs, created ones among them; every rule instance is a step of exactly one."""
    found = processes_of(load_file(EXAMPLES / f"{example}.rebeca", {}).model)

    assert found.units == tuple(("process", "Rebec", k) for k in range(rebecs))
    assert {len(acting) for acting in found.acting} == {1}
