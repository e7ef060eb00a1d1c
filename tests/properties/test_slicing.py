"""Slicing: a model without what nothing depends on does what the whole model does, and answers are the same."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

import burnside
from actors.arithmetic import random_computation
from actors.generator import random_model as random_rebecs
from burnside.claims.kinds import Claim
from burnside.claims.task import Task
from burnside.decide.slices import needs_of
from burnside.frontends.rebeca import load as load_rebeca
from burnside.ir.cells import Cells, State
from burnside.ir.initial import initial
from burnside.ir.instances import valuations
from burnside.ir.semantics import FaultRaised, Step, evaluate, fire
from burnside.reduce.slicing.cut import Slice, slice_model
from burnside.source import Source
from oracle.dead import model_with_dead
from oracle.figures import compare_slices
from oracle.language import text_of

MOST_STATES = 1_000


@pytest.mark.parametrize("start", [0, *(pytest.param(k, marks=pytest.mark.slow) for k in range(10_000, 20_000, 250))])
def test_a_slice_is_the_model_without_some_cells(start: int, tmp_path: Path) -> None:
    """Rule by rule, in every reachable state of the whole model: what fires, what faults, and what comes next."""
    found: Counter[str] = Counter()
    for seed in range(start, start + (25 if start < 10_000 else 250)):
        model, added = model_with_dead(seed)
        path = tmp_path / "model.seq"
        path.write_text(text_of(model))
        for task in burnside.load(path).tasks:
            for cut in slices_of(task):
                compare(cut, seed)
                found["slices"] += 1
        found += added

    assert found["slices"] > 15
    assert len(found) > 20


@pytest.mark.parametrize("start", [0, *(pytest.param(k, marks=pytest.mark.slow) for k in range(1_000, 3_000, 100))])
def test_a_slice_of_actors_is_the_model_without_some_cells(start: int) -> None:
    """Variables of actors that compute, which nobody asks about; their arithmetic faults where it did."""
    slices = 0
    for seed in range(start, start + (12 if start == 0 else 100)):
        for text in (random_computation(seed), random_rebecs(seed)):
            for task in load_rebeca(Source("model.rebeca", text), {}).tasks:
                for cut in slices_of(task):
                    compare(cut, seed)
                    slices += 1

    assert slices > 5


def slices_of(task: Task) -> list[Slice]:
    """What is left for all claims together, for each of them, and for none."""
    asked: list[tuple[Claim, ...]] = [task.claims, *((claim,) for claim in task.claims), ()]
    found = (slice_model(task.model, needs_of(claims, None)) for claims in asked)
    return [cut for cut in found if cut is not None]


def ends(cells: Cells, state: State) -> int | None:
    """Whether a state is terminal; None if that cannot be said."""
    try:
        return evaluate(cells, cells.model.terminal, state)
    except FaultRaised:
        return None


def compare(cut: Slice, seed: int) -> None:
    """Explore the whole model, and look at the slice on the way."""
    try:
        states: dict[State, None] = dict.fromkeys(initial(cut.whole))
    except FaultRaised:
        with pytest.raises(FaultRaised):
            list(initial(cut.model))
        return
    assert {cut.project(state) for state in states} == {*initial(cut.model)}, seed
    assert not states or all(cut.first_above(cut.project(s)) in states for s in states), seed
    whole, part = Cells(cut.whole), Cells(cut.model)
    pending = [*states]
    while pending and len(states) < MOST_STATES:
        state = pending.pop()
        assert ends(whole, state) == ends(part, cut.project(state)), (seed, state)
        for rule, same in zip(cut.whole.rules, cut.model.rules, strict=True):
            for arguments in valuations(rule.parameters):
                one = fire(whole, rule, arguments, state)
                other = fire(part, same, arguments, cut.project(state))
                assert type(one) is type(other), (seed, rule.name, arguments, state)
                if isinstance(one, Step) and isinstance(other, Step):
                    assert cut.project(one.state) == other.state, (seed, rule.name, arguments, state)
                    if one.state not in states:
                        states[one.state] = None
                        pending.append(one.state)


@pytest.mark.parametrize("start", [0, *(pytest.param(k, marks=pytest.mark.slow) for k in range(20, 2_000, 20))])
def test_answers_without_some_variables_are_those_of_the_interpreter(start: int) -> None:
    """Verdicts, lengths of traces, and traces, which have all variables; with and without other reductions."""
    found: Counter[str] = Counter()
    for seed in range(start, start + (20 if start else 15)):
        _, result = compare_slices(seed)
        assert not result.differences, (seed, *map(str, result.differences))
        found += result.compared

    assert found["sliced, with fewer states"] > 2
