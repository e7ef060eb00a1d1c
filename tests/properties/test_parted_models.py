"""Random models with records, sets, optional values, bags, unions, procedures and ids are what they are flattened."""

from __future__ import annotations

import pytest
from tests.support.flattened import figures, task_of
from tests.support.parted_models import parted_model

from support.strategies import reachable_states

MOST = 3_000


def compare(seed: int) -> int:
    """States, transitions and the group of both forms; the reference semantics sees as many states as native code."""
    parted, flat = parted_model(seed)
    seen = reachable_states(task_of(parted).model, most=MOST)
    if seen is None:
        return 0
    found = figures(parted)

    assert found == figures(flat), f"seed {seed}\n{parted}\n{flat}"
    assert found.states == len(seen), f"seed {seed}\n{parted}"
    return 1


@pytest.mark.parametrize("first", [0, *(pytest.param(k, marks=pytest.mark.slow) for k in range(30, 3_000, 30))])
def test_models_with_parts_are_what_they_are_flattened(first: int) -> None:
    """Printed, each is read back as itself: `task_of` makes sure of that."""
    assert sum(map(compare, range(first, first + 30))) > 15
