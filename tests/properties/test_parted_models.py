"""Random models with records, sets, bags, unions, procedures, ids and so on are what they are flattened.

``python -m tests.support.parted_figures --many 3000`` gives figures.
"""

from __future__ import annotations

import pytest
from tests.support.parted_figures import compare


@pytest.mark.parametrize("first", [0, *(pytest.param(k, marks=pytest.mark.slow) for k in range(30, 3_000, 30))])
def test_models_with_parts_are_what_they_are_flattened(first: int) -> None:
    """Printed, each is read back as itself: `task_of` makes sure of that."""
    assert sum(map(compare, range(first, first + 30))) > 15
