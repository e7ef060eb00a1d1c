"""Theorem 6 of Wahl 2007 on random models: what is represented is what is reachable, at the same depth.

And all that is printed, compared with an interpreter that shares nothing with the tool.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import pytest

from burnside.adaptive.actions import actions_of
from burnside.adaptive.edges import infer_edge
from burnside.adaptive.initial import initial_states
from burnside.adaptive.partitions import members
from burnside.adaptive.run import diagram_of, search_of
from burnside.adaptive.view import view_of
from burnside.ir.instances import instances_of_rule
from burnside.ir.nodes import Event, Model, Rule
from burnside.ir.simplify import Simplifier
from burnside.source import ModelError
from oracle.language import Model as Written
from oracle.space import Space
from support import busy_processes
from support.annotated import Annotated, compare, loaded
from support.nearly_symmetric import random_model


def check(first: int, number: int, make: Callable[[int], tuple[Written, Space]] = random_model) -> Counter[str]:
    """Compare everything that is printed about random models; what was compared."""
    compared: Counter[str] = Counter()
    for seed in range(first, first + number):
        model, space = make(seed)
        flaws, figures = compare(model, space)
        assert not flaws, f"seed {seed}: {flaws}"
        compared += figures
    return compared


@pytest.mark.parametrize(
    ("first", "many"), [(0, 12), *(pytest.param(k, 100, marks=pytest.mark.slow) for k in range(0, 500, 100))]
)
def test_everything_printed_is_right(first: int, many: int) -> None:
    compared = check(first, many)

    assert compared["depth"] >= 0.8 * many
    assert compared["verdict"] >= 2 * many
    assert compared["refused BUR302"] + compared["refused BUR301"] <= 0.12 * many


@pytest.mark.parametrize("many", [12, pytest.param(60, marks=pytest.mark.slow)])
def test_everything_printed_is_right_of_processes_that_do_more(many: int) -> None:
    """Locals, loops, sequences; ids that are calculated with, or stand in tables."""
    compared = check(0, many, busy_processes.random_model)

    assert compared["depth"] >= 0.6 * many
    assert compared["verdict"] >= 2 * many


@pytest.mark.slow
@pytest.mark.parametrize("first", range(60, 1_060, 250))
def test_everything_printed_is_right_of_many_processes_that_do_more(first: int) -> None:
    compared = check(first, 250, busy_processes.random_model)

    assert compared["depth"] >= 150
    assert compared["length of the run to a fault"] >= 5


@pytest.mark.slow
@pytest.mark.parametrize("first", range(500, 5_000, 500))
def test_everything_printed_is_right_in_many_models(first: int) -> None:
    compared = check(first, 500)

    assert compared["depth"] >= 400
    assert compared["length of the run to a fault"] >= 5


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
        is_one = not any(p.domain.index != view.domain.name for p in rule.parameters)
        rules.append(replace(rule, partition=tuple(cells)) if cells and is_one else rule)
    return replace(model, rules=tuple(rules))


def written_out(model: Model) -> Model:
    """The model with a rule of its own for every process, as some front ends give it."""
    rules = (
        Rule(f"{g.rule.name} {k}", (), g.guard, Event(g.rule.name, g.event), g.body)
        for rule in model.rules
        for k, g in enumerate(Simplifier(model, unroll=0).ground(instances_of_rule(rule)))
    )
    return replace(model, rules=tuple(rules))


def searched(space: Space, model: Model) -> Annotated:
    """A complete search."""
    search = search_of(diagram_of(model), [])
    assert search.run(initial_states(search.view), lambda _: False)
    return Annotated(space, search)


@pytest.mark.parametrize(("first", "many"), [(0, 15), pytest.param(15, 100, marks=pytest.mark.slow)])
def test_given_partitions_and_rules_written_out_mean_the_same(first: int, many: int) -> None:
    """Partitions that are right but fine, and rules that differ in nothing but the process they are for."""
    joined = explored = 0
    for seed in range(first, first + many):
        model, space = random_model(seed)
        if space.faults or space.initially_faults:
            continue
        try:
            assert not list(searched(space, with_partitions(loaded(model).model, random.Random(seed))).flaws())
        except ModelError:
            continue
        found = searched(space, written_out(loaded(model).model))
        assert not list(found.flaws())
        joined += any(edge.action.actor for edge in found.search.edges)
        explored += 1

    assert explored >= 0.7 * many
    assert joined >= 0.4 * many
