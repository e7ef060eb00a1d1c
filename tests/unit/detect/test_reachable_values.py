"""Values that cells can take: none that occurs is missing, and what terms share is looked at once."""

from __future__ import annotations

from contextlib import suppress

import pytest
from test_directed import load

from burnside.detect.constrain import constrain
from burnside.detect.encode import Prepared
from burnside.ir.nodes import Model
from burnside.ir.semantics import Fault, successors
from support.brute_force import StateGraph, TooManyStates, state_graph
from support.folded_models import folded_model
from support.tiny_models import tiny_model


def missing(model: Model) -> list[tuple[int, int]] | set[str]:
    """Cells with values that occur and are said not to; else rules that fire, or fault, and are said never to."""
    pruned = Prepared(constrain(model)).pruned
    graph = state_graph(model, 300)
    occurring = {(c, value) for state in graph.states for c, value in enumerate(state)}
    known = {c: pruned.taken(c) for c, _ in occurring}
    values = sorted((c, value) for c, value in occurring if (taken := known[c]) is not None and value not in taken)
    return values or _firing(model, graph) - {t.rule for t in pruned.transitions}


def _firing(model: Model, graph: StateGraph) -> set[str]:
    """The rules that change something in some state, or fault. (A step that changes nothing needs no transition.)"""
    found = set()
    for state in graph.states:
        for outcome in successors(model, state):
            if outcome.rule is not None and (isinstance(outcome, Fault) or outcome.state != state):
                found.add(outcome.rule.name)
    return found


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
