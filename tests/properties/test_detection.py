"""Detected symmetries against brute force over all states of random models."""

from __future__ import annotations

from collections import Counter

import pytest

from burnside.detect.run import detect
from support.brute_force import is_automorphism, order_on_states, state_graph, true_order
from support.tiny_models import tiny_model


def compare(seeds: range) -> Counter[str]:
    """Check every model; count those with symmetry, and those where detection found all of it."""
    figures: Counter[str] = Counter()
    for seed in seeds:
        model = tiny_model(seed)
        graph = state_graph(model)
        found = detect(model)
        literals = found.symmetry.literals
        assert not found.rejected, seed
        for generator in found.symmetry.group.generators:
            assert is_automorphism(graph, literals, generator), seed
        order = order_on_states(graph, literals, found.symmetry.group.generators)
        true = true_order(graph)
        assert true % order == 0, seed
        figures["models"] += 1
        figures["symmetric"] += true > 1
        figures["complete"] += true > 1 and order == true
    return figures


@pytest.mark.parametrize(("start", "many"), [(0, 100), pytest.param(100, 400, marks=pytest.mark.slow)])
def test_detected_groups_are_subgroups_of_the_true_ones(start: int, many: int) -> None:
    """No generator is wrong on random models, and nearly all symmetry is found."""
    figures = compare(range(start, start + many))

    assert figures["symmetric"] > 0.3 * many
    assert figures["complete"] / figures["symmetric"] > 0.95


@pytest.mark.slow
@pytest.mark.parametrize("start", range(500, 5000, 500))
def test_detected_groups_are_subgroups_of_the_true_ones_at_length(start: int) -> None:
    """The same on 4,500 more models."""
    figures = compare(range(start, start + 500))

    assert figures["complete"] / figures["symmetric"] > 0.95
