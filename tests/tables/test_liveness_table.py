"""The table of claims about infinite runs: verdicts and symmetries as they must be, without and with reduction."""

from __future__ import annotations

import pytest

from burnside.bench.liveness import measure, text_lines
from burnside.bench.tables import Row, read_table
from burnside.explore.native.run import SearchOptions

ROWS = [
    pytest.param(row, marks=pytest.mark.slow if row.slow else (), id=f"{row.system} {row.size}")
    for row in read_table("liveness").rows
]


@pytest.mark.parametrize("row", ROWS)
def test_the_verdict_is_right_with_and_without_symmetry(row: Row) -> None:
    """Both searches have the expected verdict, and the expected number of symmetries keeps the claim."""
    found = measure(row, SearchOptions())

    assert found["agrees"], found
    assert found["none"]["order"] == 1
    assert found["unique"]["states"] <= found["none"]["states"]


def test_a_wrong_verdict_is_shown() -> None:
    """A row that is not as expected says so, others do not."""
    plain = {"verdict": "holds", "states": 1_000, "seconds": 0.5, "order": 1}
    row = {
        "system": "mutex",
        "size": "N=2",
        "property": "served(0)",
        "formula": "[] <> x",
        "fairness": "weak",
        "factor": 4.0,
        "note": None,
        "none": plain,
        "unique": plain | {"states": 250, "order": 4},
    }

    _, right, wrong = text_lines([row | {"agrees": True}, row | {"agrees": False}])

    figures = "mutex N=2 served(0) weak holds 1,000 0.500 250 0.500 4 4.0x [] <> x"
    assert right.split() == figures.split()
    assert wrong == f"{right}  NOT AS EXPECTED"
