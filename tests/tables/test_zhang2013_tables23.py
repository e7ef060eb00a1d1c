"""Tables II and III of Zhang et al. 2013: the quick rows, states as they must be."""

from __future__ import annotations

import pytest

from burnside.bench.reduction import measure
from burnside.bench.tables import Row, read_table

QUICK = [row for row in read_table("zhang2013-table3").rows if row.expected["full"] < 1_000_000]


@pytest.mark.parametrize("row", QUICK, ids=lambda row: f"{row.system} {row.size}")
def test_states_and_orbits_are_right(row: Row) -> None:
    """Without reduction all states, with it one per orbit, and the whole space is known from the orbits."""
    found = measure(row, ("none", "unique", "multi"))

    assert found["none"]["states"] == row.expected["full"]
    assert found["unique"]["states"] == row.expected["orbits"]
    assert found["unique"]["full_states"] == row.expected["full"]
    assert row.expected["orbits"] <= found["multi"]["states"] <= row.expected["full"]
