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
from burnside.reduce.action import action_following
from burnside.reduce.plan import plan_action
from burnside.source import Source

# Whoever has the token may pass it on; whoever has not may look. Both are always able to act. If nobody ever looks, the
# token goes to and fro, and both act again and again. On the quotient it seems to be process 0 all the time.
TOKEN = """
process P = 0 .. 1;
var token: P = *;
rule pass(i: P) when token == i do { token := 1 - i; }
rule look(i: P) when token != i do { }
ltl looked under weak fairness: <> event look(_);
"""

# One process may switch the light, the other may look; who is who stays as it is. Swapping the processes is a symmetry
# only together with switching the light: so each time it is switched, the two seem to change places.
LIGHT = """
process P = 0 .. 1;
var switcher[P]: bool = *;
var light: bool = *;
initially switcher[0] != switcher[1] && light == switcher[1];
rule switch(i: P) when switcher[i] do { light := !light; }
rule look(i: P) when !switcher[i] do { }
ltl looked under weak fairness: <> event look(_);
"""

CASES = {"token": (TOKEN, False), "light": (LIGHT, True)}


def read(text: str) -> Model:
    """The model of a text without errors."""
    model, diagnostics = load(Source("test.seq", text), {})
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
    text, holds = CASES[name]
    model = read(text)

    plain, reduced = answer(model, "none", tmp_path), answer(model, "unique", tmp_path)

    assert reduced.symmetry.order == 2
    assert reduced.exploration.states < plain.exploration.states
    assert (plain.holds, reduced.holds) == (holds, holds)


@pytest.mark.parametrize("name", CASES)
def test_who_forgets_the_renamings_gets_the_wrong_answer(name: str, tmp_path: Path) -> None:
    """The same search on the same quotient, processes taken by their names."""
    text, holds = CASES[name]
    model = read(text)
    (family,) = model.temporal
    atoms, processes = ground_atoms(model, TemporalClaim(family)), processes_of(model)
    symmetry = FamilySymmetry(model, processes, [atoms]).detection.symmetry
    action = action_following(symmetry.literals, symmetry.group, len(Cells(model).all), ())
    forgetful = Product(
        model, translate(negation(family.formula)), atoms, Fairness.WEAK, processes, plan_action(action)
    )

    found = find_cycle(forgetful, options=SearchOptions(flags=("-O0",), cache=tmp_path))

    assert (found.exploration.stop is Stop.COMPLETE) is not holds
