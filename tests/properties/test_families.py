"""Families of claims on random models, with and without symmetry."""

from __future__ import annotations

import pytest

from oracle.families import compare_many

EVERY = 50  # seeds from one test to the next: about half of the models have families


@pytest.mark.parametrize("start", [0, *(pytest.param(k * EVERY, marks=pytest.mark.slow) for k in range(1, 20))])
def test_runs_of_families_are_as_long_with_symmetry_as_without(start: int) -> None:
    """A quotient once judged members on representatives only, until each was hit: runs were thirty steps long instead
    of five.
    """
    wrong, compared = compare_many(start, 25, modes=("unique",))

    assert not wrong
    assert compared["unique: runs"] > 10
    assert compared["unique: runs that are others renamed"] > 0
