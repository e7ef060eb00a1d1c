"""Why processes are followed: two models on which forgetting the renamings gives wrong answers, one in each direction.

The shape is that of [EmersonSistla97]: an edge of the quotient leads to a representative in which the processes have
other names, and a loop that seems to treat process 1 unfairly treats nobody so, or the other way round.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from burnside.claims.kinds import Fairness, InfiniteRuns
from burnside.claims.members import Member
from burnside.decide import runs
from burnside.decide.modes import Mode
from burnside.decide.runs import Decided, decide_members
from burnside.decide.workbench import Workbench
from burnside.detect.run import Symmetries
from burnside.explore.native.live import Product, find_cycle
from burnside.explore.native.run import SearchOptions
from burnside.frontends.seq import load
from burnside.ir.cells import Cells
from burnside.ir.nodes import Model
from burnside.ir.processes import processes_of
from burnside.live.observe import ground_atoms
from burnside.live.quotient import FamilySymmetry
from burnside.ltl.formula import negation
from burnside.ltl.translate import translate
from burnside.reduce.reduction import SelfTestError
from burnside.reduce.symmetry.action import action_following
from burnside.reduce.symmetry.plan import plan_action
from burnside.results.exploration import Stop
from burnside.source import Source

EXAMPLES = Path(__file__).parents[3] / "examples" / "liveness"
CASES = {"passed_token": False, "switched_light": True}  # whether the claim holds


def read(name: str) -> tuple[Model, InfiniteRuns]:
    """The model of an example, and its only claim."""
    (task,), _, _ = load(Source(name, (EXAMPLES / f"{name}.seq").read_text()), {})
    (claim,) = task.claims
    assert isinstance(claim, InfiniteRuns)
    return task.model, claim


def found(model: Model, claim: InfiniteRuns, mode: Mode, cache: Path) -> Decided:
    """What is found about a claim."""
    options = SearchOptions(flags=("-O0",), cache=cache)
    return decide_members(Workbench(model, options), claim, [Member(claim)], mode)[0]


@pytest.mark.parametrize("name", CASES)
def test_followed_processes_give_the_right_answer(name: str, tmp_path: Path) -> None:
    """With symmetry as without."""
    (model, claim), holds = read(name), CASES[name]

    plain, reduced = (found(model, claim, mode, tmp_path) for mode in (Mode.NONE, Mode.UNIQUE))

    assert reduced.symmetry.order == 2
    assert reduced.exploration.states < plain.exploration.states
    assert (plain.holds, reduced.holds) == (holds, holds)


@pytest.mark.parametrize("name", CASES)
def test_who_forgets_the_renamings_gets_the_wrong_answer(name: str, tmp_path: Path) -> None:
    """The same search on the same quotient, processes taken by their names."""
    (model, claim), holds = read(name), CASES[name]
    atoms, processes = ground_atoms(model, Member(claim)), processes_of(model)
    symmetry = FamilySymmetry(model, processes, [atoms], Symmetries).detection.symmetry
    action = action_following(symmetry.literals, symmetry.group, len(Cells(model).all), ())
    reduction = plan_action(action)
    assert reduction is not None
    forgetful = Product(model, translate(negation(claim.formula)), atoms, Fairness.WEAK, processes, (reduction,))

    search = find_cycle(forgetful, options=SearchOptions(flags=("-O0",), cache=tmp_path))

    assert (search.exploration.stop is Stop.COMPLETE) is not holds


def test_what_holds_on_a_small_quotient_is_confirmed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The search without symmetry is asked, too; if it finds a run that violates the claim, there is no verdict."""
    name = next(name for name, holds in CASES.items() if holds)
    model, claim = read(name)
    assert found(model, claim, Mode.UNIQUE, tmp_path).exploration.is_verified

    plain = runs._Decider._searched
    monkeypatch.setattr(runs._Decider, "_searched", lambda *asked: replace(plain(*asked), holds=False))
    with pytest.raises(SelfTestError):
        found(model, claim, Mode.UNIQUE, tmp_path)


def test_too_many_events_are_not_followed(tmp_path: Path) -> None:
    """Each value of an event's argument is a unit of fairness: writing out the rules of thousands took a minute."""
    text = """process P = 0 .. 1; var x: 0 .. 4999; var at[P]: bool;
    rule step(i: P) as e(x) do { at[i] := !at[i]; x := (x + 1) % 3; }
    ltl moving under strong fairness of events: [] <> event e(1);"""
    (task,), _, _ = load(Source("many.seq", text), {})
    (claim,) = task.claims
    assert isinstance(claim, InfiniteRuns)
    reduced = found(task.model, claim, Mode.UNIQUE, tmp_path)

    assert reduced.holds
    assert reduced.symmetry.reason == "fairness is about more than 1,000 processes or events, too many to follow"
