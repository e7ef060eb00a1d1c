"""Labelled systems do what ``ir/semantics.py`` says, although they remember and sort what rules do."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given

from burnside.frontends.loading import load
from burnside.ir.cells import Cells, State
from burnside.ir.instances import bind
from burnside.ir.nodes import FALSE, Model
from burnside.ir.semantics import Fault, evaluate, successors
from burnside.refine.steps import Label
from burnside.refine.system import Budget, FaultFound, InitialFault, LabelledSystem
from support.strategies import models, seeded_model
from support.thorough import examples

EXAMPLES = Path(__file__).parents[2] / "examples"
SMALL = ["dining_philosophers", "peterson_sequence", "milner_scheduler", "leader_ring", "token_circulation"]


def steps_of(model: Model, state: State) -> list[tuple[Label, State]] | None:
    """Labels and next states by the reference; None if a rule faults."""
    cells = Cells(model)
    found: list[tuple[Label, State]] = []
    for outcome in successors(model, state):
        if isinstance(outcome, Fault):
            return None
        names = bind(outcome.rule.parameters, outcome.arguments)
        event = outcome.rule.event
        label = (event.name, tuple(evaluate(cells, a, state, names) for a in event.arguments))
        found.append((label, outcome.state))
    return found


def check(model: Model, most: int = 300) -> int:
    """Every state that is found has the steps of the reference; how many there are.

    What leads to a terminal state would be an end, whatever its event.
    """
    model = replace(model, terminal=FALSE)
    try:
        system = LabelledSystem(model, Budget())
    except InitialFault:
        return 0
    number = 0
    while number < min(most, len(system.states)):
        expected = steps_of(model, system.states[number])
        if expected is None:
            with pytest.raises(FaultFound):
                system.edges(number)
        else:
            edges = [(label, system.states[target]) for label, target in system.edges(number)]
            assert edges == list(dict.fromkeys(expected))
        number += 1
    return number


@given(models(most_states=200))
@examples(80)
def test_edges_are_those_of_the_reference(model: Model) -> None:
    """The same labels and states in the same order, each once; faults where it has faults."""
    check(model)


@pytest.mark.parametrize("name", SMALL)
def test_edges_of_examples_are_those_of_the_reference(name: str) -> None:
    """Ground rules with simple guards, which are sorted by what they ask first."""
    assert check(load(EXAMPLES / "zhang2013" / f"{name}.csp", {"N": 3}).model) > 20


@pytest.mark.slow
def test_edges_of_many_models_are_those_of_the_reference() -> None:
    """The same for more of them."""
    assert sum(check(seeded_model(seed)) for seed in range(300)) > 5_000
