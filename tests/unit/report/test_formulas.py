"""What a page says that a property says: what its author wrote, never something else."""

from __future__ import annotations

from pathlib import Path

import pytest

from burnside.frontends.loading import load
from burnside.report.html.verdicts import formula_of

EXAMPLES = Path(__file__).parents[3] / "examples"
HEAD = """\
process P = 0 .. 3;
var a[P]: 0..2 = 0;
def ones = count i in P: a[i] == 1;
def is_one(i: P) = a[i] == 1;
rule up(i: P) when a[i] == 0 do { a[i] := 1; }
"""


def formulas(path: Path) -> dict[str, str]:
    """What is said about each property of states of a model."""
    return {claim.name: formula_of(claim) for claim in load(path).claims}


def formula(tmp_path: Path, condition: str) -> str:
    """What is said about one invariant."""
    path = tmp_path / "model.seq"
    path.write_text(f"{HEAD}invariant asked: {condition};\n")
    return formulas(path)["asked"]


@pytest.mark.parametrize(
    "condition",
    [
        "(count i in P: a[i] == 1) <= 1",
        "exists i in 1 .. 2: a[i] == 1",
        "((a[0] + a[1]) * 2) == (a[2])",
        "forall i in P: is_one(i) => (exists j in P: (i != j))",
        "!(a[0] == 1)",
    ],
)
def test_a_condition_is_shown_as_it_is_written(condition: str, tmp_path: Path) -> None:
    """With all its brackets; a part of a domain was once shown as the whole domain."""
    assert formula(tmp_path, condition) == condition


@pytest.mark.parametrize(
    ("condition", "shown"),
    [
        ("ones <= 1", "(count i in 0 .. 3 of P: a[i] == 1) <= 1"),
        ("is_one(2)", "a[2] == 1"),
        ("a[0] == 1 // a remark\n  || a[1] == 1", "a[0] == 1 || a[1] == 1"),
        ("a[0] == 1\n    || a[1] == 1", "a[0] == 1 || a[1] == 1"),
    ],
)
def test_what_is_not_written_in_one_piece_is_printed(condition: str, shown: str, tmp_path: Path) -> None:
    """Definitions are filled in: their text alone would say something else."""
    assert formula(tmp_path, condition) == shown


def test_errors_of_diagrams_are_what_is_never_so() -> None:
    """The property is the negation, which the text does not have."""
    found = formulas(EXAMPLES / "wahl2007" / "readers_writers.diagram")

    assert found["two_writers"] == "!((count j in writers: at[j] == C) >= 2)"
    assert found["reading_while_writing"] == (
        "!((exists i in writers: at[i] == C) && (exists i in 1 .. READERS: at[i] == C))"
    )


def test_the_negation_of_a_negation_is_not_the_negation(tmp_path: Path) -> None:
    """An error that is written with a sign of its own."""
    path = tmp_path / "one.diagram"
    text = (EXAMPLES / "wahl2007" / "readers_writers.diagram").read_text()
    path.write_text(text.partition("error")[0] + "error gone: !(exists i: at[i] == N);\n")

    assert formulas(path)["gone"] in ("!(!(exists i: at[i] == N))", "(exists i: at[i] == N)", "exists i: at[i] == N")


def test_what_would_be_too_long_is_the_declaration() -> None:
    """The condition of CSP# assertions is unfolded."""
    found = formulas(EXAMPLES / "zhang2013" / "leader_ring.csp")

    assert found["reaches_elected"] == "#assert System() reaches elected"
