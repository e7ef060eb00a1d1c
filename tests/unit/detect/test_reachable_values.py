"""Values that cells can take: none that occurs is missing, and what terms share is looked at once."""

from __future__ import annotations

from contextlib import suppress

import pytest
from test_directed import load

from burnside.detect.constrain import constrain
from burnside.detect.encode import Prepared
from burnside.ir.nodes import Model
from support.brute_force import TooManyStates, state_graph
from support.folded_models import folded_model
from support.tiny_models import tiny_model


def missing(model: Model) -> list[tuple[int, int]]:
    """Cells with values that occur and are said not to."""
    pruned = Prepared(constrain(model)).pruned
    occurring = {(c, value) for state in state_graph(model, 300).states for c, value in enumerate(state)}
    known = {c: pruned.taken(c) for c, _ in occurring}
    return sorted((c, value) for c, value in occurring if (taken := known[c]) is not None and value not in taken)


@pytest.mark.parametrize("many", [60, pytest.param(1_000, marks=pytest.mark.slow)])
def test_no_value_that_occurs_is_missing(many: int) -> None:
    """By looking at all states; some values are left out, or there would be nothing to be wrong about."""
    dropped = 0
    for seed in range(many):
        for model in (tiny_model(seed), folded_model(seed)[1]):
            with suppress(TooManyStates):
                assert not missing(model), seed
                dropped += Prepared(constrain(model)).pruned.dropped
    assert dropped


def test_choices_that_are_nested_deeply_are_not_written_out(tmp_path):
    """Each round uses the value of the round before twice: as a tree, that would be a million terms."""
    text = """
        process P = 0 .. 19;
        var v[P]: 0 .. 5 = 2;
        rule r(i: P) do {
          var w: -100 .. 100 := v[i];
          for n in P { if v[n] == 2 { w := v[n] - w % 3; } else { w := (w + v[n]) % 5; } }
          v[i] := w % 4;
        }"""
    assert Prepared(constrain(load(text, tmp_path))).pruned.dropped == 20 * 2
