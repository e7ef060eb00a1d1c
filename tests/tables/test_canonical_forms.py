"""The table of canonical forms: the quick rows, states as they must be whichever method finds representatives."""

from __future__ import annotations

import pytest

from burnside.bench.strategies import measure
from burnside.bench.tables import Row, read_table

QUICK = [row for row in read_table("canonical-forms").rows if row.expected["full"] < 200_000]


@pytest.mark.parametrize("row", QUICK, ids=lambda row: f"{row.system} {row.size}")
def test_states_and_orbits_are_right(row: Row) -> None:
    """All states without symmetry, one per orbit by the method chosen and by the general one."""
    assert measure(row)["agrees"]
