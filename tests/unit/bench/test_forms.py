"""What representatives cost beside sorting."""

from __future__ import annotations

from pathlib import Path

from burnside.bench import forms
from burnside.bench.forms import cost
from burnside.detect.run import detect
from burnside.explore.native.run import SearchOptions
from burnside.frontends.loading import load
from burnside.ir.cells import Cells
from burnside.ir.nodes import Model
from burnside.reduce.symmetry.plan import plan, plan_action
from burnside.reduce.symmetry.reduction import SymmetryReduction
from burnside.reduce.symmetry.sorting import Sorting

EXAMPLES = Path(__file__).parents[3] / "examples" / "classics"


def reduced(name: str, **constants: int) -> tuple[Model, SymmetryReduction]:
    """An example and its reduction."""
    model = load(EXAMPLES / name, constants).model
    reduction = plan(detect(model).symmetry)
    assert reduction is not None
    return model, reduction


def test_blocks_have_cells_of_the_same_domains() -> None:
    """Sorting takes them, and nothing is left to other methods."""
    model, reduction = reduced("vote.seq", N=4, TERMS=1)
    dealt = forms._dealt(model, reduction.action.positions, 4)
    sizes = [[Cells(model).all[cell].domain.size for cell in block] for block in dealt]

    assert len(dealt) == 4
    assert sizes[0]
    assert all(block == sizes[0] for block in sizes)
    sorting = plan_action(forms._arranging(model, dealt))
    assert sorting is not None
    assert sorting.action.order == 24
    assert [type(step) for step in sorting.steps] == [Sorting]


def test_both_are_measured(cache: Path) -> None:
    """How they compare is for a table to say: a clock is no judge of a test."""
    model, reduction = reduced("two_phase_commit.seq", N=5)
    found = cost(model, reduction, 5, SearchOptions(flags=("-O2",), cache=cache))

    assert found.microseconds > 0
    assert found.sorting > 0
