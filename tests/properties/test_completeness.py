"""How much of the symmetry of random models with folds and large cells is found, against brute force."""

from __future__ import annotations

import pytest

from support.completeness import figures


@pytest.mark.parametrize(
    "start", [0, *(pytest.param(k, marks=pytest.mark.slow) for k in (125, 250, 375, *range(500, 5000, 500)))]
)
def test_nearly_all_symmetry_is_found(start: int) -> None:
    """No generator is wrong, and hardly any group is smaller than the right one."""
    counted = figures(range(start, start + (125 if start < 500 else 500)))

    assert counted["all", "symmetric"] > 0.5 * counted["all", "models"]
    assert counted["all", "whole"] >= 0.97 * counted["all", "symmetric"]
