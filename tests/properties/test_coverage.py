"""Coverage: what never happens is what the reference semantics never does, with and without symmetry."""

from __future__ import annotations

import pytest

from burnside.claims.task import Task
from burnside.decide.modes import Mode
from burnside.explore.native.passes import MOST_VALUES
from burnside.ir.cells import Cells, State, cells_per_element
from burnside.ir.nodes import Model
from burnside.ir.semantics import Step, successors
from burnside.results.coverage import Coverage
from burnside.study import Study
from support.strategies import reachable_states, seeded_model
from support.thorough import some
from support.tiny_models import tiny_model


def never(model: Model, states: set[State]) -> tuple[list[str], list[tuple[str, tuple[int, ...] | None]]]:
    """Rules that never fire and values that never occur, by looking at every state."""
    fired = {o.rule.name for s in states for o in successors(model, s) if isinstance(o, Step)}
    rules = [r.name for r in model.rules if r.name not in fired]
    starts = Cells(model).starts
    values: list[tuple[str, tuple[int, ...] | None]] = []
    for v in model.variables:
        width = cells_per_element(v)
        places = [starts[v.name] + k for k in range(v.elements * width) if not v.is_sequence or k % width]
        seen = {s[c] for s in states for c in places}
        is_small = v.domain.size < MOST_VALUES
        values.append((v.name, tuple(x for x in v.domain.values() if x not in seen) if is_small else None))
    return rules, values


def found(coverage: Coverage | None) -> tuple[list[str], list[tuple[str, tuple[int, ...] | None]]]:
    """The same from a coverage."""
    assert coverage is not None
    return list(coverage.never_fired), [(v.variable.name, v.never) for v in coverage.variables]


@pytest.mark.parametrize("seed", some(range(28)))
def test_coverage_is_that_of_all_reachable_states(seed):
    """Also where only representatives are explored: rules and values that they do not show are found elsewhere."""
    model = tiny_model(seed)
    states = reachable_states(model)
    assert states is not None
    if not states:
        return
    for mode in (Mode.NONE, Mode.UNIQUE):
        _, coverage = Study(Task(model)).count_covering(mode)
        assert found(coverage) == never(model, states), mode


@pytest.mark.parametrize("seed", some(range(16)))
def test_sequences_and_large_models_are_covered(seed):
    """Items of sequences count as values, empty slots do not."""
    model = seeded_model(seed, most_states=200)
    report, coverage = Study(Task(model)).count_covering()
    states = reachable_states(model)
    if report.fault is not None or not states:
        return
    assert found(coverage) == never(model, states)
