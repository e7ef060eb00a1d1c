"""Table I of Zhang et al. 2013: the groups, row by row; times are measured by the benchmark, not here."""

from __future__ import annotations

import pytest

from burnside.bench.detection import measure
from burnside.bench.tables import Row, read_table


@pytest.mark.parametrize("row", read_table("zhang2013-table1").rows, ids=lambda row: f"{row.system} {row.size}")
def test_the_order_of_the_group_is_right(row: Row) -> None:
    """Every generator is validated and the order is the one that is right for the system."""
    found = measure(row)

    assert found["validated"]
    assert found["order"] == row.expected["order"]
