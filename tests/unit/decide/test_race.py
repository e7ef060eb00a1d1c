"""The race between the search without symmetry and that of the quotient."""

from __future__ import annotations

import sys
import time
from threading import Event

import pytest

from burnside.decide.background import MANY, Background, size_of
from burnside.decide.modes import Mode
from burnside.explore.native.run import Progress
from burnside.frontends.loading import load
from burnside.resources import resource_directory
from burnside.results.exploration import Exploration, Stop
from burnside.study import Study


@pytest.mark.parametrize(
    ("states", "waiting", "widest", "expected"),
    [
        (MANY - 1, 9_000, 9_000, False),
        (MANY, 9_000, 9_000, True),  # the widest level so far: there will be more
        (MANY, 8_000, 9_000, False),  # the end is near
        (2 * MANY, 8_000, 9_000, True),  # or it is not
        (MANY, MANY, 9_000, True),  # explored again by optimised code, which has to be compiled first
    ],
)
def test_symmetries_are_sought_when_a_search_is_large(states, waiting, widest, expected):
    """A search whose levels shrink is waited for a little longer."""
    assert (size_of(Progress(states, 0, 0, waiting, 0, 0.0), widest) >= MANY) is expected


@pytest.mark.parametrize(("size", "is_small"), [(4, True), (10, False)])
def test_a_race_leaves_everything_as_it_was(size, is_small):
    """Threads of other work get the turns that they are used to, and the reason fits the number of states."""
    turn = sys.getswitchinterval()
    example = resource_directory("examples") / "zhang2013" / "dining_philosophers.seq"
    report = Study(load(example, {"N": size})).count(Mode.AUTO)

    assert sys.getswitchinterval() == turn
    assert ("fewer than" in report.symmetry.reason) is is_small


def test_a_search_at_its_end_is_not_large_any_more():
    """Nothing is waiting; there is no use in symmetries then."""
    assert size_of(Progress(10 * MANY, 0, 7, 0, 0, 0.0), 100) < MANY


def test_who_is_at_its_end_is_waited_for_once():
    """While it tests what it found; who waits has little patience."""
    going, ended = Event(), Event()

    def search(_, is_beaten):
        is_beaten(Progress(2 * MANY, 0, 7, 100, 0, 0.1))
        going.wait()
        is_beaten(Progress(2 * MANY, 0, 7, 0, 0, 0.2))
        ended.set()
        time.sleep(0.02)
        return Exploration(Stop.COMPLETE, 2 * MANY, 0, 0, 7, 1)

    background = Background(search)
    background.start()
    assert background.has_many_states(MANY)
    background.let_end()
    assert not background.is_done
    going.set()
    ended.wait()
    background.let_end()

    assert background.is_done
