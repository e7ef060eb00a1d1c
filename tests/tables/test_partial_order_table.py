"""The table of partial order: verdicts are the same in every way, and states are no more than they have to be."""

from __future__ import annotations

import pytest

from burnside.bench import partial_order
from burnside.bench.partial_order import WAYS, measure, text_lines
from burnside.bench.tables import Row, read_table

ROWS = [
    pytest.param(row, marks=pytest.mark.slow if row.slow else (), id=row.name)
    for row in read_table("partial-order").rows
]


@pytest.mark.parametrize("row", ROWS)
def test_states_and_verdicts_are_as_expected(row: Row, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(partial_order, "_RUNS", 1)
    found = measure(row)

    assert found["agrees"], found
    assert found["both"]["states"] <= found["orbits"]["states"] <= found["full"]["states"]


def test_too_many_states_are_shown() -> None:
    """A row that is not as expected says so, others do not."""
    figures = {"states": 1_000, "search": 0.1, "seconds": 0.5}
    row = {"system": "ring", "size": "N=2", "property": "all", **dict.fromkeys(WAYS, figures), "factor": 1.0}

    _, right, wrong = text_lines([row | {"agrees": True}, row | {"agrees": False}])

    assert right.split() == ["ring", "N=2", "all", *["1,000"] * 4, "1.0x", *["0.500"] * 4]
    assert wrong == f"{right}  NOT AS EXPECTED"


def test_more_states_than_expected_are_not_right(monkeypatch: pytest.MonkeyPatch) -> None:
    """With partial order there may be fewer, without it the number is what it is."""
    monkeypatch.setattr(partial_order, "_RUNS", 1)
    row = next(row for row in read_table("partial-order").rows if row.expected["full"] < 1_000)

    for name, changed, agrees in (("orders", 1, True), ("orders", -1, False), ("full", 1, False)):
        found = measure(
            Row(row.system, row.example, row.constants, row.expected | {name: row.expected[name] + changed})
        )
        assert found["agrees"] == agrees, name
