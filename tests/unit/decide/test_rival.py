"""Partial order as a rival of the search that takes all steps."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest

import burnside
from burnside.claims.members import about_states
from burnside.decide import race, rival
from burnside.decide.background import Background, Pace
from burnside.decide.modes import Mode
from burnside.decide.rival import Rival
from burnside.decide.workbench import Workbench
from burnside.explore.native import run as native
from burnside.explore.native.run import Progress, SearchOptions, Within
from burnside.explore.orders import Orders
from burnside.frontends.loading import load
from burnside.results.exploration import Exploration, Stop
from burnside.study import Study

EXAMPLES = Path(__file__).parents[3] / "examples"
PHILOSOPHERS = EXAMPLES / "zhang2013" / "dining_philosophers.seq"
FILTER = EXAMPLES / "classics" / "filter_lock.seq"

# Taken by itself the rule that faults is independent of everything else.
FAULT = """
var x: 0 .. 3 = 0;
var y: 0 .. 9 = 0;
rule up do { x := x + 1; }
rule on when y < 9 do { y := y + 1; }
invariant small: y < 10;
"""


# A state that violates the first property and one in which it cannot be evaluated are equally far away.
FAULT_OF_A_PROPERTY = """
var x: 0 .. 4 = 0;
var w: 0 .. 2 = 0;
rule bad when w == 0 do { w := 1; }
rule worse when w == 0 do { w := 2; }
rule go when x < 4 do { x := x + 1; }
invariant safe: w == 0 || 1 / (w - 1) == 2;
invariant other: x < 4;
"""


def pace(*arrivals: tuple[int, int, float], within: tuple[Within, ...] = ()) -> Pace:
    """A search that came to these levels with so many states after so many seconds."""
    made = Pace()
    for depth, states, seconds in arrivals:
        made.note(Progress(states, 0, depth, 1, 0, seconds, within=within))
    return made


def quick_pace(path: Path, **given: int) -> Pace:
    """A search that came to all levels of a model at once."""
    seen = Pace()

    def note(progress: Progress) -> bool:
        seen.note(progress)
        return False

    found = native.explore(load(path, given).model, overtaken=note)
    return pace((0, 1, 0.0), (99, found.states, 0.0001), within=seen.within)


def rival_of(path: Path, names: tuple[str, ...], other: Pace, mode: Mode = Mode.NONE, **given: int) -> Rival:
    study = Study(load(path, given))
    members = about_states(study.members(names))
    bench = Workbench(study.model, SearchOptions(partial_order=Orders.AUTO))
    quotient = None if mode is Mode.NONE else bench.quotient(members)
    return Rival(bench, members, quotient, other)


# ---------------------------------------------------------------- the pace of a search


def test_a_search_that_begins_again_has_a_new_pace() -> None:
    """After optimising, levels are reached sooner than before."""
    seen = pace((0, 1, 0.0), (5, 100, 1.0), (0, 1, 0.1), (7, 300, 0.2))

    there = seen.arrival(5)
    assert there is not None and (there.depth, there.states) == (7, 300)
    assert seen.arrival(8) is None


# ---------------------------------------------------------------- the rival alone


@pytest.mark.parametrize("mode", [Mode.NONE, Mode.UNIQUE])
def test_few_states_are_an_answer(mode: Mode) -> None:
    """With and without symmetry, at the distance of the deadlock."""
    found = rival_of(PHILOSOPHERS, ("progress",), Pace(), mode, N=7)
    answer = found.wait()

    assert answer is not None and answer.stop is Stop.DECIDED
    assert answer.witnesses[0] is not None and len(answer.witnesses[0]) == 7 + 1
    assert found.is_ahead and found.used.is_used


def test_who_leaves_most_states_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """After a trial; or, if that was too quick to be seen on its way, soon after."""
    monkeypatch.setattr(rival, "_TRIED", 3_000)
    found = rival_of(FILTER, (), quick_pace(FILTER, N=5), N=5)

    assert found.wait() is None
    assert not found.is_ahead
    assert re.fullmatch(r"of ([\d,]+) transitions it takes \1", found.give_up().reason)


def test_who_takes_less_and_less_steps_is_not_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nearly all states of the first levels are left, and no time is saved there; very few are left in the end."""
    monkeypatch.setattr(rival, "_TRIED", 300)
    monkeypatch.setattr(rival, "_SOON", 0.0)
    monkeypatch.setattr(rival, "_LATE", 0.0)
    names = ("both_forks", "no_neighbours_eat")
    answer = rival_of(PHILOSOPHERS, names, quick_pace(PHILOSOPHERS, N=10), Mode.UNIQUE, N=10).wait()

    assert answer is not None and answer.stop is Stop.COMPLETE


@pytest.mark.parametrize(("seconds", "is_ahead"), [(100.0, True), (0.0001, False)])
def test_who_is_clearly_slower_is_given_up(seconds: float, is_ahead: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """The other search has been going for so long, and is on the same level."""
    monkeypatch.setattr(rival, "_TRIED", 30)
    monkeypatch.setattr(rival, "_SOON", 0.0)
    monkeypatch.setattr(rival, "_TOO_MANY", 2.0)
    found = rival_of(FILTER, (), pace((0, 1, 0.0), (99, 1_000_000, seconds)), N=5)
    answer = found.wait()

    assert found.is_ahead == is_ahead
    assert (answer is not None) == is_ahead
    if not is_ahead:
        assert found.give_up().reason == "taking all steps is quicker"


def test_what_nobody_needs_any_more_ends() -> None:
    found = rival_of(FILTER, (), Pace(), N=6)
    start = time.perf_counter()
    unused = found.give_up()

    assert time.perf_counter() - start < 10
    assert not unused.is_used and not found.is_ahead


@pytest.mark.parametrize("text", [FAULT, FAULT_OF_A_PROPERTY])
def test_a_fault_is_no_answer(text: str, tmp_path: Path) -> None:
    """Nor is anything that is decided where something may fault: with all steps, the fault may come first."""
    path = tmp_path / "fault.seq"
    path.write_text(text)
    found = rival_of(path, (), Pace())

    assert found.wait() is None
    assert "something may fault" in found.give_up().reason


# ---------------------------------------------------------------- the whole race


def slowly(overtaken: native.Overtaken) -> Exploration:
    """A search with very many states, which only ends when it is overtaken."""
    begun = time.perf_counter()
    while not overtaken(Progress(10 * native.FEW_STATES, 0, 1, 10**6, 0, time.perf_counter() - begun)):
        time.sleep(0.002)
    return Exploration(Stop.OVERTAKEN, 10 * native.FEW_STATES, 0, 0, 1, 1)


@pytest.mark.parametrize("mode", [Mode.NONE, Mode.UNIQUE, Mode.MULTI, Mode.AUTO])
@pytest.mark.parametrize("name", ["progress", "no_neighbours_eat"])
def test_the_rival_wins_against_a_slow_search(mode: Mode, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the first search is, its answer is not needed; the verdict is that of all states."""
    system = burnside.load(PHILOSOPHERS, N=6)
    right = system.check(name, symmetry="none", partial_order="off").as_dict()
    monkeypatch.setattr(race._Race, "_search_first", lambda _self, _watch, is_beaten: slowly(is_beaten))
    monkeypatch.setattr(race, "_SURE_TO_PAY", 10**9)
    found = system.check(name, symmetry=mode.value).as_dict()

    assert [p["verdict"] for p in found["properties"]] == [p["verdict"] for p in right["properties"]]
    if mode is not Mode.AUTO:  # there the quotient may be first
        assert found["partial_order"]["used"]
        assert found["states"] < right["states"]


def test_what_is_small_is_explored_in_all_orders() -> None:
    """The figures of small models are those without partial order, and nothing is said about it."""
    found = burnside.load(PHILOSOPHERS, N=6).check()
    plain = burnside.load(PHILOSOPHERS, N=6).check(partial_order="off")

    assert found.as_dict()["states"] == plain.as_dict()["states"]
    assert found.as_dict()["partial_order"]["reason"].startswith("fewer than")
    assert plain.as_dict()["partial_order"] is None
    assert "orders" not in str(found)


def test_a_search_that_fails_says_so() -> None:
    def fail(*_: object) -> Exploration:
        raise ValueError("nothing")

    background = Background(fail)
    background.start()

    with pytest.raises(ValueError, match="nothing"):
        background.wait()
