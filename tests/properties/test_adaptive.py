"""Theorem 6 of Wahl 2007 on random models: what is represented is what is reachable, at the same depth."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from burnside.adaptive.actions import actions_of
from burnside.adaptive.edges import infer_edge
from burnside.adaptive.initial import initial_states
from burnside.adaptive.partitions import members
from burnside.adaptive.run import Goal, diagram_of, explore, search_of
from burnside.adaptive.view import view_of
from burnside.explore import reference
from burnside.explore.claims import claims_of
from burnside.explore.result import Stop
from burnside.explore.trace import replay, replay_fault
from burnside.ir.nodes import Event, Model, PropertyKind, Rule
from burnside.ir.simplify import Simplifier
from burnside.source import ModelError
from nearly_symmetric import Writer, distances, represented


def with_partitions(model: Model, chance: random.Random) -> Model:
    """The model with a right partition for every rule: the coarsest, or a random refinement of it."""
    view = view_of(model)
    coarsest = {a.origin: infer_edge(view, a, a.actors).partition for a in actions_of(view)}
    rules = []
    for rule in model.rules:
        cells: list[tuple[int, ...]] = []
        for cell in coarsest.get(rule, ()):
            parts: dict[int, list[int]] = {}
            for process in members(cell):
                parts.setdefault(chance.choice([0, 0, 1]), []).append(view.ids[process])
            cells += map(tuple, parts.values())
        rules.append(replace(rule, partition=tuple(cells)) if cells else rule)
    return replace(model, rules=tuple(rules))


def written_out(model: Model) -> Model:
    """The model with a rule of its own for every process, as some front ends give it."""
    rules = (
        Rule(f"{g.rule.name} {k}", (), g.guard, Event(g.rule.name), g.body)
        for rule in model.rules
        for k, g in enumerate(Simplifier(model, unroll=0).ground(rule))
    )
    return replace(model, rules=tuple(rules))


def check(seed: int) -> bool:
    """One random model, with inferred partitions and with given ones; False if it has no adaptive exploration."""
    model = Writer(seed).model()
    claims = tuple(claims_of(model.properties))
    judge = reference.explore(model, claims)
    try:
        diagram = diagram_of(model)
    except ModelError:
        return False
    goals = [Goal(c.name, None if c.family.kind is PropertyKind.DEADLOCK_FREE else c.sought, {}) for c in claims]
    for variant in (diagram, diagram_of(with_partitions(model, random.Random(seed)))):
        found = explore(variant, goals)
        if judge.stop is Stop.FAULT:
            assert found.stop == "fault" or None not in found.runs
            continue
        for expected, run in zip(judge.witnesses, found.runs, strict=True):
            assert (expected is None) == (run is None)
            if expected is not None and run is not None:
                assert len(run) == len(expected)
                replay(model, run)
        search = search_of(variant, [])
        assert search.run(initial_states(search.view), lambda _: False)
        assert represented(search) == distances(model)
        if judge.stop is Stop.COMPLETE:
            assert (search.deadlocks > 0) == (judge.deadlocks > 0)
    if judge.stop is Stop.FAULT and found.fault:
        replay_fault(model, found.fault, claims)
    return True


@pytest.mark.parametrize("first", range(0, 500, 100))
def test_represented_states_are_the_reachable_ones_at_their_depth(first: int) -> None:
    explored = sum(check(seed) for seed in range(first, first + 100))

    assert explored >= 90


@pytest.mark.parametrize("first", range(0, 100, 50))
def test_rules_written_out_for_every_process_mean_the_same(first: int) -> None:
    """Rules that differ in nothing but the process they are for are joined, with all that follows from it."""
    joined = 0
    for seed in range(first, first + 50):
        model = Writer(seed).model()
        if reference.explore(model).stop is Stop.FAULT:
            continue
        diagram = diagram_of(written_out(model))
        search = search_of(diagram, [])
        assert search.run(initial_states(search.view), lambda _: False)
        assert represented(search) == distances(model)
        joined += any(edge.action.actor for edge in diagram.edges)

    assert joined >= 40


@pytest.mark.slow
@pytest.mark.parametrize("first", range(500, 6_000, 500))
def test_represented_states_are_the_reachable_ones_in_many_models(first: int) -> None:
    explored = sum(check(seed) for seed in range(first, first + 500))

    assert explored >= 450
