"""Why processes are followed: two models on which forgetting the renamings gives wrong answers, one in each direction.

The shape is that of [EmersonSistla97]: an edge of the quotient leads to a representative in which the processes have
other names, and a loop that seems to treat process 1 unfairly treats nobody so, or the other way round.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from burnside.explore.native.live import Product, find_cycle
from burnside.explore.native.run import SearchOptions
from burnside.explore.result import Stop
from burnside.frontends.seq import load
from burnside.ir.cells import Cells
from burnside.ir.nodes import Model
from burnside.ir.processes import processes_of
from burnside.ir.temporal import Fairness, TemporalClaim
from burnside.live.observe import ground_atoms
from burnside.live.quotient import FamilySymmetry
from burnside.liveness import Answer, decide
from burnside.ltl.formula import negation
from burnside.ltl.translate import translate
from burnside.reduce.symmetry.action import action_following
from burnside.reduce.symmetry.plan import plan_action
from burnside.source import Source

EXAMPLES = Path(__file__).parents[3] / "examples" / "liveness"
CASES = {"passed_token": False, "switched_light": True}  # whether the claim holds


def read(name: str) -> Model:
    """The model of an example."""
    model, diagnostics = load(Source(name, (EXAMPLES / f"{name}.seq").read_text()), {})
    assert model is not None, [d.message for d in diagnostics]
    return model


def answer(model: Model, mode: str, cache: Path) -> Answer:
    """What is found about the only claim of a model."""
    (family,) = model.temporal
    options = SearchOptions(flags=("-O0",), cache=cache)
    (found,) = decide(model, family, [TemporalClaim(family)], mode, options, None)
    return found


@pytest.mark.parametrize("name", CASES)
def test_followed_processes_give_the_right_answer(name: str, tmp_path: Path) -> None:
    """With symmetry as without."""
    model, holds = read(name), CASES[name]

    plain, reduced = answer(model, "none", tmp_path), answer(model, "unique", tmp_path)

    assert reduced.symmetry.order == 2
    assert reduced.exploration.states < plain.exploration.states
    assert (plain.holds, reduced.holds) == (holds, holds)


@pytest.mark.parametrize("name", CASES)
def test_who_forgets_the_renamings_gets_the_wrong_answer(name: str, tmp_path: Path) -> None:
    """The same search on the same quotient, processes taken by their names."""
    model, holds = read(name), CASES[name]
    (family,) = model.temporal
    atoms, processes = ground_atoms(model, TemporalClaim(family)), processes_of(model)
    symmetry = FamilySymmetry(model, processes, [atoms]).detection.symmetry
    action = action_following(symmetry.literals, symmetry.group, len(Cells(model).all), ())
    forgetful = Product(
        model, translate(negation(family.formula)), atoms, Fairness.WEAK, processes, (plan_action(action),)
    )

    found = find_cycle(forgetful, options=SearchOptions(flags=("-O0",), cache=tmp_path))

    assert (found.exploration.stop is Stop.COMPLETE) is not holds
