"""States with very many images: their representatives are found, or the search ends as its limits say."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import burnside
from burnside.detect.run import detect
from burnside.explore.native import toolchain
from burnside.explore.native.run import SearchOptions, explore
from burnside.ir.nodes import Model
from burnside.limits import Deadline
from burnside.reduce.symmetry.plan import plan
from burnside.reduce.symmetry.reduction import SymmetryReduction
from burnside.results.exploration import Stop

GOLFERS = Path(__file__).parents[4] / "examples" / "zhang2013" / "social_golfer.seq"
SMALL_ROOM = ("-O1", "-DBURNSIDE_ROOM=4")  # room for images grows again and again


@pytest.fixture(scope="module")
def golfers() -> tuple[Model, SymmetryReduction]:
    """A group that no special method takes care of."""
    model = burnside.load(GOLFERS, G=2, S=3, W=3).model
    reduction = plan(detect(model, ()).symmetry)
    assert reduction is not None
    assert reduction.name == "stabiliser chain"
    return model, reduction


def test_representatives_are_found_among_many_images(golfers: tuple[Model, SymmetryReduction]) -> None:
    """However little room there is at first, the orbits cover all states (counted without symmetry)."""
    model, reduction = golfers

    options = SearchOptions(flags=SMALL_ROOM, deadline=Deadline.after(120))
    found = explore(model, reductions=(reduction,), options=options)

    assert found.stop is Stop.COMPLETE
    assert found.states == 2_980
    assert found.full_states == 65_632_447


def test_images_beyond_the_limit_of_memory_end_the_search(
    golfers: tuple[Model, SymmetryReduction], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The states alone would fit. That is a limit like any other, not a fault of the reduction."""
    model, reduction = golfers
    monkeypatch.setattr("burnside.limits._SMALLEST_MEMORY", 0)
    options = SearchOptions(flags=SMALL_ROOM, deadline=Deadline.after(120))
    enough = explore(model, reductions=(reduction,), options=options).bytes

    found = explore(model, reductions=(reduction,), options=replace(options, memory=enough + 1024))

    assert found.stop is Stop.MEMORY
    assert 0 < found.states < 2_980


@pytest.mark.parametrize("late", ["all", "none"])
def test_a_search_that_the_clock_ends_passes_its_self_test(
    late: str, golfers: tuple[Model, SymmetryReduction], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is not looked at because time is up was once taken for a value that cannot occur: exit code 70."""
    for header in toolchain.RUNTIME.glob("*.h"):
        text = header.read_text().replace("LATE = 1 << 8", "LATE = 1 << 30" if late == "all" else "LATE = 0")
        (tmp_path / header.name).write_text(text)
    monkeypatch.setattr(toolchain, "RUNTIME", tmp_path)
    model, reduction = golfers
    options = SearchOptions(flags=("-O0",))
    whole = explore(model, reductions=(reduction,), options=options)

    found = explore(
        model, reductions=(reduction,), options=replace(options, deadline=Deadline.after(whole.seconds / 4))
    )

    assert found.stop is Stop.TIME
    assert 0 < found.states < whole.states
    assert found.self_test is not None
    assert found.self_test.failed == 0
