"""Random CSP# texts: figures, verdicts and runs are those of an interpreter that shares no code with the package."""

from __future__ import annotations

from collections import Counter

import pytest

from process_algebra.figures import compare

# What should come up, however few texts there are.
COMMON = (
    *("local", "macro with local", "array", "variable out of its range within a step", "handshake", "buffer"),
    *("truth as argument of both types", "number as argument of both types", "argument that reads variables"),
)


@pytest.mark.parametrize(
    ("first", "many"), [(0, 4), (4, 4), *(pytest.param(k, 20, marks=pytest.mark.slow) for k in (8, 28, 48))]
)
def test_random_texts_get_the_right_answers(first: int, many: int) -> None:
    """In every mode, under every kind of fairness."""
    seen: Counter[str] = Counter()

    complaints = [compare(seed, seen) for seed in range(first, first + many)]

    assert not any(complaints), "\n\n".join(filter(None, complaints))
    assert seen["texts"] >= 0.7 * many


@pytest.mark.slow
@pytest.mark.parametrize("first", range(1_000, 6_000, 250))
def test_many_random_texts_get_the_right_answers(first: int) -> None:
    """The same for five thousand, and everything comes up."""
    seen: Counter[str] = Counter()

    complaints = [compare(seed, seen) for seed in range(first, first + 250)]

    assert not any(complaints), "\n\n".join(filter(None, complaints))
    assert not [name for name in COMMON if not seen[name]]
