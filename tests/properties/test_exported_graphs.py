"""Exported graphs: all steps and no others, and a quotient that is bisimilar to the whole."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from burnside.claims.kinds import Claim, DeadlockFree, Invariant, Reachable
from burnside.claims.task import Task
from burnside.frontends.loading import load
from burnside.ir.initial import initial
from burnside.ir.nodes import Binary, Bound, Const, Event, Parameter, Read
from burnside.ir.semantics import Step, successors
from burnside.report.graph import aut_lines, json_lines
from burnside.results.trace import spell_event
from burnside.study import Study
from support.labelled_graphs import LabelledGraph, are_bisimilar, read_aut
from support.strategies import seeded_model
from support.tiny_models import tiny_condition, tiny_model

EXAMPLES = Path(__file__).parents[2] / "examples"

SYMMETRIC = [
    ("zhang2013/dining_philosophers.seq", {"N": 4}),
    ("zhang2013/token_circulation.seq", {"N": 3}),
    ("zhang2013/peterson.seq", {"N": 3}),
    ("zhang2013/leader_complete.seq", {"N": 3}),
    ("zhang2013/reader_writer.csp", {"N": 3}),
    ("classics/filter_lock.seq", {"N": 3}),
    ("classics/two_phase_commit.seq", {"N": 3}),
    ("wahl2007/readers_writers.diagram", {}),
    ("jaghoori2005/dining_philosophers.rebeca", {}),
]


def exported(task: Task, symmetry: str) -> LabelledGraph:
    """The graph as another tool would read it, properties as loops."""
    study = Study(task)
    members = study.state_members()
    report = study.graph(members, study.quotient(members) if symmetry == "unique" else None).graph
    assert report is not None
    return read_aut("".join(aut_lines(report, loops=True)))


@pytest.mark.parametrize(("name", "constants"), SYMMETRIC, ids=[name for name, _ in SYMMETRIC])
def test_the_quotient_of_an_example_is_bisimilar_to_the_whole(name, constants):
    """With respect to the properties, and to events without arguments."""
    task = load(EXAMPLES / name, constants)
    full, quotient = exported(task, "none"), exported(task, "unique")

    assert are_bisimilar(full, quotient)
    assert len(quotient.steps) < len(full.steps)


def with_claims(seed: int) -> Task:
    """A tiny model with properties, some of them families that symmetries exchange."""
    random = Random(seed)
    model = tiny_model(seed)
    variable = model.variables[0]
    claims: list[Claim] = [Invariant("some", tiny_condition(random, model))]
    if variable.dimensions and variable.domain.low == 0:
        who = Parameter("who", variable.dimensions[0])
        is_zero = Binary("==", Read(variable.name, (Bound("who", who.domain),)), Const(0))
        claims.append(Reachable("family", is_zero, (who,)))
    if random.random() < 0.5:
        claims.append(DeadlockFree("progress"))
    return Task(model, tuple(claims))


@pytest.mark.parametrize("first", [0, pytest.param(20, marks=pytest.mark.slow)])
def test_quotients_of_random_models_are_bisimilar_to_the_whole(first):
    """Whatever the model."""
    smaller = 0
    for seed in range(first, first + 20):
        task = with_claims(seed)
        full, quotient = exported(task, "none"), exported(task, "unique")
        assert are_bisimilar(full, quotient), seed
        smaller += len(quotient.steps) < len(full.steps)
    assert smaller > 2


def test_bisimilarity_tells_graphs_apart():
    """The judge itself: a mark, an event or a dead end makes a difference."""
    loop = LabelledGraph({0}, {0: [("a", 0)]}, {0: []})
    path = LabelledGraph({0}, {0: [("a(1)", 1)], 1: [("a(2)", 0)]}, {0: [], 1: []})
    stuck = LabelledGraph({0}, {0: [("a", 1)], 1: []}, {0: [], 1: []})
    marked = LabelledGraph({0}, {0: [("a", 1)], 1: [("a", 0)]}, {0: [], 1: ["m"]})

    assert are_bisimilar(loop, path)
    assert not are_bisimilar(loop, path, erase=str)
    assert not are_bisimilar(loop, stuck)
    assert not are_bisimilar(loop, marked)


@pytest.mark.parametrize("seed", range(16))
def test_the_whole_graph_is_that_of_the_reference_semantics(seed):
    """Same states, same steps, same events; what depends on the state, too."""
    model = seeded_model(seed, most_states=300)
    report = Study(Task(model)).graph(()).graph
    if report is None:  # the model faults
        return
    graph = report.graph
    states = [graph.state(k) for k in range(len(graph))]

    assert set(states[: graph.initial]) == set(initial(model))
    assert len(set(states)) == len(states)
    for number, state in enumerate(states):
        expected = [
            (spell_event(o.event), o.rule.name, o.state) for o in successors(model, state) if isinstance(o, Step)
        ]
        steps = [
            (event, report.events.instances[edge.instance].rule.name, states[edge.target])
            for edge, event in report.labelled_steps(number)
        ]
        assert steps == expected


def test_the_same_model_gives_the_same_bytes():
    """Nothing in an export depends on the run."""
    studies = [Study(load(EXAMPLES / "zhang2013" / "dining_philosophers.seq", {"N": 4})) for _ in range(2)]
    reports = [s.graph(s.state_members(), s.quotient(s.state_members())).graph for s in studies]

    assert len({"".join(json_lines(r)) for r in reports if r}) == 1
    assert len({"".join(aut_lines(r)) for r in reports if r}) == 1


def test_names_with_quotes_and_backslashes_survive():
    """A label is one token whatever the model calls its events."""
    model = tiny_model(2)
    name = 'say "a\\b"\n'
    model = replace(model, rules=tuple(replace(r, event=Event(name)) for r in model.rules))
    graph = exported(Task(model), "none")

    assert {label for steps in graph.steps.values() for label, _ in steps} == {name}
