"""Who acts in a rule: what fairness is about."""

from pathlib import Path

import pytest

import burnside
from burnside.frontends.seq import load
from burnside.ir.processes import processes_of
from burnside.source import Source

TEXT = """
process P = 0 .. 1;
var x: 0 .. 9;
rule own(i: P) do { }
rule named by P(1) do { }
rule both(i: P) by P(i), P(1 - i) do { }
rule alone do { }
rule other by controller do { }
rule another by controller, numbered(3) do { }
rule nobody(i: P) by () do { }
"""

# A process that may only go on under fairness of the processes that its two rules name.
TURNS = """
var x: 0 .. 1;
var done: bool;
rule left {left} when !done do {{ x := 1 - x; }}
rule right {right} when !done do {{ done := true; }}
ltl ends under weak fairness: <> done;
"""


def test_a_process_is_one_however_a_rule_names_it() -> None:
    """By parameter or by name: process 1 of P is the same; a rule that says nothing is a process by itself."""
    tasks, _, _ = load(Source("test.seq", TEXT), {})

    found = processes_of(tasks[0].model)

    assert found.units == (
        ("process", "P", 0),
        ("process", "P", 1),
        ("rule", "alone"),
        ("actor", "controller"),
        ("process", "numbered", 3),
    )
    assert found.acting == ((0,), (1,), (1,), (0, 1), (1, 0), (2,), (3,), (3, 4), (), ())


@pytest.mark.parametrize(
    ("left", "right", "verdict"),
    [("", "", "holds"), ("by a", "by b", "holds"), ("by a", "by a", "violated"), ("by a", "by ()", "violated")],
)
def test_who_acts_decides_claims_under_fairness(left: str, right: str, verdict: str, tmp_path: Path) -> None:
    """Rules of one process may be chosen for ever; of two processes, both act in the end."""
    path = tmp_path / "turns.seq"
    path.write_text(TURNS.format(left=left, right=right))

    assert burnside.load(path).check().verdicts == {"ends": verdict}
