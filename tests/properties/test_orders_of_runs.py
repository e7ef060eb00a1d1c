"""Claims about infinite runs with some orders of steps only, against the explicit product of all."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from support.orders_of_runs import check, compare


@pytest.mark.parametrize(("start", "stop"), [(0, 200), pytest.param(200, 2_200, marks=pytest.mark.slow)])
def test_any_stubborn_sets_keep_the_verdict(start: int, stop: int) -> None:
    """Without compiled code; sets are chosen at random, and faults are found."""
    met = Counter(compare(seed) for seed in range(start, stop))

    assert met["holds fewer"] * 20 > stop - start, met
    assert met["violated fewer"] * 20 > stop - start, met
    assert met["fault"] * 100 > stop - start, met


@pytest.mark.parametrize(("start", "stop"), [(24, 40), pytest.param(40, 448, marks=pytest.mark.slow)])
def test_the_search_has_the_verdicts_of_all_orders(start: int, stop: int, cache: Path) -> None:
    """On the model and on its quotient, and every set of the search is tested."""
    met = sum((check(seed, cache) for seed in range(start, stop)), Counter[str]())

    assert met["holds states some"] * 20 > stop - start, met
    assert met["violated states some"] * 20 > stop - start, met
    assert sum(n for feature, n in met.items() if "orbits some" in feature), met
