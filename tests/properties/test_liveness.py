"""Claims about infinite runs: the answers with and without symmetry, against the explicit product."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from support.live_claims import check


@pytest.mark.parametrize(("start", "stop"), [(0, 14), pytest.param(14, 200, marks=pytest.mark.slow)])
def test_the_quotient_has_the_verdicts_of_the_model(start: int, stop: int, cache: Path) -> None:
    """With a formula each, under every kind of fairness; both verdicts, and quotients, come up often."""
    met = Counter(feature for seed in range(start, stop) for feature in check(seed, cache))
    often = (stop - start) // 5

    assert sum(n for feature, n in met.items() if feature.startswith("none holds")) > often, met
    assert sum(n for feature, n in met.items() if feature.startswith("none violated")) > often, met
    assert sum(n for feature, n in met.items() if "reduced" in feature) > often, met
    assert met["carried"] > 0, met


@pytest.mark.slow
@pytest.mark.parametrize("start", range(200, 2200, 200))
def test_the_quotient_has_the_verdicts_of_the_model_at_length(start: int, cache: Path) -> None:
    """On 2,000 more."""
    for seed in range(start, start + 200):
        check(seed, cache)
