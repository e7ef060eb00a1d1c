"""Simplification keeps the value of every expression, the effect of every program, and every fault."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given

from burnside.claims.members import about_states
from burnside.claims.task import Task
from burnside.ir.cells import Cells, State
from burnside.ir.instances import bind, instances_of, valuations
from burnside.ir.nodes import Event, Expr, Model, Rule
from burnside.ir.semantics import Fault, FaultRaised, Step, evaluate, fire, successors
from burnside.ir.simplify import Simplifier
from support.strategies import Pick, any_model, any_task, seeded_model, state_of, strategy
from support.thorough import examples

STATES = 6  # random states per model, reachable or not
UNROLL = (64, 1)  # all loops and quantifiers unrolled, and none


def value_or_fault(cells: Cells, expr: Expr, state: State, names: dict[str, int]) -> int | str:
    """The value of an expression, or the kind of its fault."""
    try:
        return evaluate(cells, expr, state, names)
    except FaultRaised as fault:
        return fault.kind


def effect(outcome: Step | Fault | None) -> State | str | None:
    """The next state, the kind of a fault, or None for a rule that is not enabled."""
    return outcome.kind if isinstance(outcome, Fault) else outcome and outcome.state


def assert_expressions_keep_values(task: Task, states: list[State]) -> None:
    """Guards, event arguments and claims, with their names known and unknown."""
    model = task.model
    cells = Cells(model)
    for unroll in UNROLL:
        simplifier = Simplifier(model, unroll=unroll)
        wholes = [(r.parameters, e) for r in model.rules for e in (r.guard, *r.event.arguments)]
        wholes += [(m.claim.parameters, m.claim.sought) for m in about_states(task.members)]
        wholes += [((), e) for e in (*model.initially, model.terminal)]
        for parameters, expr in wholes:
            general = simplifier.expr(expr)
            for arguments in valuations(parameters):
                names = bind(parameters, arguments)
                special = simplifier.expr(expr, names)
                for state in states:
                    wanted = value_or_fault(cells, expr, state, names)
                    assert value_or_fault(cells, general, state, names) == wanted
                    assert value_or_fault(cells, special, state, {}) == wanted
                    if isinstance(wanted, str):
                        assert simplifier.faults.possible(expr)
                        assert simplifier.faults.possible(special)


def assert_ground_rules_do_what_rules_do(model: Model, states: list[State]) -> None:
    """The ground instances of all rules, in order, have the outcomes of `successors`."""
    cells = Cells(model)
    for unroll in UNROLL:
        simplifier = Simplifier(model, unroll=unroll)
        grounded = list(simplifier.ground(instances_of(model)))
        for state in states:
            found = []
            for ground in grounded:
                rule = Rule(ground.rule.name, (), ground.guard, Event("", ground.event), ground.body)
                outcome = fire(cells, rule, (), state)
                if outcome is not None:
                    found.append((ground.rule.name, ground.arguments, effect(outcome)))
            wanted = [
                (outcome.rule.name if outcome.rule else "", outcome.arguments, effect(outcome))
                for outcome in successors(model, state)
            ]
            assert found == wanted


def random_states(model: Model, seed: int) -> list[State]:
    """States that fit the domains, with small and large values."""
    pick = Pick(Random(seed))
    return [state_of(pick, model) for _ in range(STATES)]


@pytest.mark.parametrize("batch", range(10))
def test_simplified_expressions_have_the_same_values_and_faults(batch):
    """``expr`` with and without known names agrees with ``evaluate``, and ``faults`` never says no to a fault."""
    for seed in range(batch * 15, (batch + 1) * 15):
        task = any_task(Pick(Random(seed)))
        assert_expressions_keep_values(task, random_states(task.model, seed))


@pytest.mark.parametrize("batch", range(10))
def test_ground_rules_have_the_outcomes_of_the_semantics(batch):
    """``ground`` and ``block`` agree with ``successors`` in every state: order, next states, kinds of faults."""
    for seed in range(batch * 15, (batch + 1) * 15):
        model = any_model(Pick(Random(seed)))
        assert_ground_rules_do_what_rules_do(model, random_states(model, seed))


@pytest.mark.slow
@examples(300)
@given(task=strategy(any_task))
def test_simplification_is_sound_on_models_that_shrink(task):
    """The same for models that Hypothesis chooses: a mistake is shown by a small model."""
    states = random_states(task.model, 0)
    assert_expressions_keep_values(task, states)
    assert_ground_rules_do_what_rules_do(task.model, states)


def test_the_same_seed_gives_the_same_model():
    """Random models can be reproduced from their seed alone."""
    assert seeded_model(3) == seeded_model(3)
