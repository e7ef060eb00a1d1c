"""Partial order for claims about infinite runs: when it is used, and what is said about it."""

from __future__ import annotations

from pathlib import Path

import pytest

import burnside
from burnside.decide import runs
from burnside.explore.native import run as native
from burnside.reduce.partial_order.cycles import Cycles
from burnside.reduce.reduction import SelfTestError

EXAMPLES = Path(__file__).parents[3] / "examples"
LEFT_HANDED = EXAMPLES / "liveness" / "left_handed_philosopher.seq"

# The hand goes round for ever, and puts off what nobody forbids.
CLOCK = """
var hand: 0 .. 1 = 0;
var done: bool = false;
rule tick when hand == 0 do { hand := 1; }
rule tock when hand == 1 do { hand := 0; }
rule finish when !done do { done := true; }
ltl never_done: [] !done;
ltl soon: X !done;
ltl ticks: [] <> event tick;
ltl fair under weak fairness: <> done;
"""

# One process goes round, others count and overflow.
OVERFLOW = """
var hand: 0 .. 1 = 0;
var x: 0 .. 3 = 0;
var y: 0 .. 3 = 0;
rule turn do { hand := 1 - hand; }
rule up do { x := x + 1; }
rule aside when y < 3 do { y := y + 1; }
ltl still: [] hand == 0;
"""


def checked(path: Path, *names: str, **how: object) -> dict[str, object]:
    """The object of the only property."""
    given = {"N": how.pop("N")} if "N" in how else {}
    found = burnside.load(path, **given).check(*names, **how).as_dict()  # type: ignore[arg-type]
    (one,) = found["properties"]
    return dict(one)


@pytest.fixture
def clock(tmp_path: Path) -> Path:
    path = tmp_path / "clock.seq"
    path.write_text(CLOCK)
    return path


@pytest.mark.parametrize("symmetry", ["none", "auto", "unique"])
def test_fewer_states_are_left(symmetry: str) -> None:
    """And the report says so."""
    some = checked(LEFT_HANDED, "somebody_eats", N=6, symmetry=symmetry, partial_order="on")
    every = checked(LEFT_HANDED, "somebody_eats", N=6, symmetry=symmetry, partial_order="off")

    assert some["verdict"] == every["verdict"] == "holds"
    assert some["states"] * 2 < every["states"]  # type: ignore[operator]
    assert some["partial_order"] == {"used": True, "reason": some["partial_order"]["reason"]}  # type: ignore[index]
    assert every["partial_order"] is None


@pytest.mark.parametrize(
    ("name", "reason"), [("soon", "a formula with X"), ("ticks", "a formula with events"), ("fair", "fairness")]
)
@pytest.mark.parametrize("symmetry", ["none", "auto", "unique"])
def test_what_does_not_allow_it_is_told(name: str, reason: str, symmetry: str, clock: Path) -> None:
    found = burnside.load(clock).check(name, symmetry=symmetry, partial_order="on")
    (one,) = found.as_dict()["properties"]

    assert not one["partial_order"]["used"]
    assert one["partial_order"]["reason"].startswith(reason)
    assert f"partial order not used: {reason}" in str(found)


def test_nothing_is_put_off_for_ever(clock: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A clock that goes round; without the steps that break its cycle, the search misses the end, and is confirmed by
    none that takes all steps.
    """
    assert checked(clock, "never_done", symmetry="none", partial_order="on")["verdict"] == "violated"

    monkeypatch.setattr(Cycles, "breakers", lambda *_: 0)
    monkeypatch.setattr("burnside.reduce.partial_order.runs.visible", lambda *_: 0)
    with pytest.raises(SelfTestError, match="without reductions finds something else"):
        checked(clock, "never_done", symmetry="none", partial_order="on")


@pytest.mark.parametrize(("few", "tried", "is_used"), [(5, 20_000, True), (5, 20, False), (100_000, 20_000, False)])
def test_of_itself_it_is_used_if_it_leaves_few_of_many(
    few: int, tried: int, is_used: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(native, "FEW_STATES", few)
    monkeypatch.setattr(runs, "_TRIED", tried)
    found = burnside.load(LEFT_HANDED, N=5).check("somebody_eats", symmetry="none")
    (one,) = found.as_dict()["properties"]

    assert one["verdict"] == "holds"
    assert one["partial_order"]["used"] == is_used
    assert ("partial order" in str(found)) == is_used


def test_a_fault_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of itself nothing is taken for violated where something may fault: with all steps the fault may be found."""
    path = tmp_path / "overflow.seq"
    path.write_text(OVERFLOW)
    monkeypatch.setattr(native, "FEW_STATES", 1)
    one = checked(path, "still", symmetry="none")
    every = checked(path, "still", symmetry="none", partial_order="off")

    assert one["verdict"] == every["verdict"]
    assert not one.get("partial_order") or not one["partial_order"]["used"]  # type: ignore[index]
