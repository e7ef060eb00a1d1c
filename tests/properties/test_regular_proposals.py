"""What is proposed from instances is true of these instances, by looking at all their states."""

from __future__ import annotations

import random
from itertools import product

import pytest

from burnside.claims.task import Task
from burnside.frontends.seq import load
from burnside.groups.perm import compose
from burnside.ir.initial import initial
from burnside.ir.semantics import Step, successors
from burnside.regular.family import Member, families, propose
from burnside.regular.induced import process_actions
from burnside.source import Source
from burnside.study import Study

SIZES = (2, 3, 4)
ALIKE = (
    ("x[i] == A", "x[i] == A && x[(i + 1) % N] == B", "x[i] == A && (forall j in P: x[j] == B || j == i)"),
    ("x[i] := 1 - x[i];", "x[i] := B;", "x[(i + 1) % N] := B;", "for j in P { x[j] := A; }"),
)
DIFFERENT = (
    ("i == 0 && x[i] == A", "i != 0 && x[i] == A", "i == N - 1 && x[i] == A", "x[0] == A && x[i] == B", "ord(i) < 2"),
    ("x[i] := 1 - x[i];", "x[N - 1 - i] := A;", "x[0] := B;"),
)


def random_model(rng):
    """A line, ring or star of processes with one bit each, perhaps with processes that differ from the others."""
    kinds = (ALIKE,) if rng.random() < 0.5 else (ALIKE, DIFFERENT)
    rules = []
    for k in range(rng.randint(1, 3)):
        guard, effect = map(rng.choice, rng.choice(kinds))
        rules.append(f"rule r{k}(i: P) as e{rng.randrange(2)} when {guard} do {{ {effect} }}")
        rules[-1] = rules[-1].replace("A", str(rng.randrange(2))).replace("B", str(rng.randrange(2)))
    start = rng.choice(("*", "0", "1"))
    return "\n".join([f"const N = 2; process P = 0 .. N-1; var x[P]: 0 .. 1 = {start};", *rules])


def graph_of(model):
    """The reachable states, those that are initial, and the steps, by the meaning of models."""
    starts = {*initial(model)}
    states, todo, steps = {*starts}, [*starts], set()
    for state in todo:
        for outcome in successors(model, state):
            assert isinstance(outcome, Step)
            steps.add((state, outcome.rule.event.name, outcome.state))
            if outcome.state not in states:
                states.add(outcome.state)
                todo.append(outcome.state)
    return states, starts, steps


def is_induced(graph, ids):
    """Whether some automorphism of the states moves bit ``i`` to ``ids[i]``, each bit perhaps inverted on the way."""
    states, starts, steps = graph
    for flips in product(range(2), repeat=len(ids)):
        image = {}
        for state in states:
            moved = [0] * len(ids)
            for i, j in enumerate(ids):
                moved[j] = state[i] ^ flips[i]
            image[state] = tuple(moved)
        if {image[s] for s in starts} == starts and {(image[v], e, image[w]) for v, e, w in steps} == steps:
            return True
    return False


def closure(degree, generators):
    found = {tuple(range(degree))}
    todo = [*found]
    for g in todo:
        fresh = {compose(g, h) for h in generators} - found
        found |= fresh
        todo += sorted(fresh)
    return found


def check(seed):
    """One random model at three sizes; the number of permutations proposed."""
    text = random_model(random.Random(seed))
    members, graphs = [], {}
    for size in SIZES:
        tasks, diagnostics, _ = load(Source("m.seq", text), {"N": size})
        assert tasks, [d.message for d in diagnostics]
        model = tasks[0].model
        found = Study(Task(model)).symmetries().detection
        members.append(Member(f"N={size}", found.symmetry.order, process_actions(found.symmetry)))
        graphs[size] = graph_of(model)
    proposed = 0
    for family in families(members)[0]:
        for size, action in zip(SIZES, family.actions, strict=True):
            inside = closure(size, action.group.generators)
            assert len(inside) == action.order, (seed, text)
            assert all(is_induced(graphs[size], ids) for ids in inside), (seed, text)
        proposals = propose(family)
        for trial in proposals.trials:
            if trial.is_consistent:
                proposed += 1
                assert all(is_induced(graphs[n], trial.permutation.positions(n)) for n in SIZES), (seed, text)
        for proposal in proposals.groups:
            for size, action, (own, induced) in zip(SIZES, family.actions, proposal.orders, strict=True):
                generated = closure(size, [p.positions(size) for p in proposal.permutations])
                inside = closure(size, action.group.generators)
                assert generated <= inside and (own, induced) == (len(generated), len(inside))
    return proposed


@pytest.mark.parametrize("block", range(4))
def test_proposals_are_symmetries_of_the_instances(block):
    """A hundred random models, three sizes each; many have something to propose."""
    assert sum(check(seed) > 0 for seed in range(25 * block, 25 * block + 25)) >= 5


@pytest.mark.slow
def test_proposals_are_symmetries_of_many_instances():
    """A thousand more."""
    for seed in range(100, 1100):
        check(seed)
