"""Claims about infinite runs: the answers with and without symmetry, against the explicit product."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from live_claims import check


@pytest.mark.parametrize("start", range(0, 200, 50))
def test_the_quotient_has_the_verdicts_of_the_model(start: int, tmp_path: Path) -> None:
    """On 200 models with a formula each, under every kind of fairness."""
    met = Counter(feature for seed in range(start, start + 50) for feature in check(seed, tmp_path))

    assert sum(n for feature, n in met.items() if feature.startswith("none holds")) > 15, met
    assert sum(n for feature, n in met.items() if feature.startswith("none violated")) > 15, met
    assert sum(n for feature, n in met.items() if "reduced" in feature) > 5, met
    assert met["carried"] > 0, met


@pytest.mark.slow
@pytest.mark.parametrize("start", range(200, 2200, 200))
def test_the_quotient_has_the_verdicts_of_the_model_at_length(start: int, tmp_path: Path) -> None:
    """On 2,000 more."""
    for seed in range(start, start + 200):
        check(seed, tmp_path)
