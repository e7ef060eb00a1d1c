"""Self-tests of whole searches by their compiled parts: what single states do not show is noticed, too."""

from __future__ import annotations

from pathlib import Path

import pytest

from burnside.decide.modes import Mode
from burnside.explore.native import toolchain
from burnside.explore.native.run import SearchOptions
from burnside.frontends.seq import load
from burnside.reduce.reduction import SelfTestError
from burnside.reduce.symmetry.self_test import RepresentativeTest
from burnside.source import Source
from burnside.study import Study
from support.runtime import broken_runtime

JUMPS = """
    var x: 0 .. 20;
    rule step when x < 20 do { x := x + 1; }
    rule jump when x <= 15 do { x := x + 5; }
"""
TWICE = """
    var x: 0 .. 20;
    rule one when x < 20 do { x := x + 1; }
    rule other when x < 20 do { x := x + 1; }
"""
COUNTERS = """
    process P = 0 .. 3;
    var x[P]: 0 .. 3;
    rule up(i: P) when x[i] < 3 do { x[i] := x[i] + 1; }
"""
COUNTED = "uint32_t count = (uint32_t)((end - out) / WORDS);"


def count(text: str, mode: Mode, folder: Path) -> object:
    (task,) = load(Source("model.seq", text), {}).tasks
    return Study(task, SearchOptions(flags=("-O0",), cache=folder / "cache")).count(mode)


@pytest.mark.parametrize(
    ("model", "said"),
    [(JUMPS, "found later than a step leads to it"), (TWICE, "more or fewer transitions than were counted")],
)
def test_steps_that_are_lost_where_others_lead_to_the_same_states(
    model: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every state is stored with its successors; depth, or the number of transitions, is wrong."""
    lost = f"{COUNTED} if (count > 1) count--;"
    monkeypatch.setattr(toolchain, "RUNTIME", broken_runtime(tmp_path, "worker.h", COUNTED, lost))

    with pytest.raises(SelfTestError, match=said):
        count(model, Mode.NONE, tmp_path)


def test_an_orbit_that_is_stored_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Random elements of the group move stored states, also those that no sample has."""
    monkeypatch.setattr(RepresentativeTest, "stored_as", lambda self, state, **_: self._probe.represent(state)[0])
    old, new = "for (int i = 1; i < count; i++) {", "for (int i = 1; i < count - 1; i++) {"
    monkeypatch.setattr(toolchain, "RUNTIME", broken_runtime(tmp_path, "sort.h", old, new))

    with pytest.raises(SelfTestError, match="a representative changes under a symmetry"):
        count(COUNTERS, Mode.UNIQUE, tmp_path)


def test_orbits_that_are_counted_wrongly(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All states are found, and said to stand for too many; no orbit of the sample is looked at here."""
    monkeypatch.setattr(RepresentativeTest, "stored_as", lambda self, state, **_: self._probe.represent(state)[0])
    old = "count_t orbit_size(count_t fixing) {"
    new = f"{old} if (fixing > 4) fixing = 4;"
    monkeypatch.setattr(toolchain, "RUNTIME", broken_runtime(tmp_path, "symmetry.h", old, new))

    with pytest.raises(SelfTestError, match="an orbit has another size than it is counted with"):
        count(COUNTERS, Mode.UNIQUE, tmp_path)


@pytest.mark.parametrize("mode", [Mode.NONE, Mode.UNIQUE, Mode.MULTI])
@pytest.mark.parametrize("model", [JUMPS, COUNTERS])
def test_nothing_is_noticed_where_nothing_is_wrong(model: str, mode: Mode, tmp_path: Path) -> None:
    """The same models with the runtime as it is."""
    count(model, mode, tmp_path)
