"""Searches for infinite runs under the sanitisers, in a process of their own."""

from __future__ import annotations

from pathlib import Path

import pytest
from runtime_models import run_sanitised

SCRIPT = """
import sys
from pathlib import Path

from burnside.decide import runs
from support.live_claims import check

runs.is_installed = lambda: False  # Spot itself does not run under these sanitisers
for seed in range(int(sys.argv[2]), int(sys.argv[3])):
    check(seed, Path(sys.argv[1]), tuple(sys.argv[4:]))
"""


@pytest.mark.parametrize("seed", [3000, *(pytest.param(k, marks=pytest.mark.slow) for k in range(3001, 3006))])
def test_searches_for_runs_are_clean(seed: int, tmp_path: Path) -> None:
    """Address and undefined-behaviour sanitisers find nothing, reduced or not; each seed has its kind of fairness."""
    run_sanitised(SCRIPT, str(tmp_path), str(seed), str(seed + 1))


@pytest.mark.slow
def test_many_searches_for_runs_are_clean(tmp_path: Path) -> None:
    """The same for a hundred more."""
    run_sanitised(SCRIPT, str(tmp_path), "3006", "3110")
