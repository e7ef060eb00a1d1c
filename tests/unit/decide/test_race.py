"""The race between the search without symmetry and that of the quotient."""

from __future__ import annotations

import sys

import pytest

from burnside.decide.background import is_large
from burnside.decide.modes import Mode
from burnside.explore.native.run import FEW_STATES, Progress
from burnside.frontends.loading import load
from burnside.resources import resource_directory
from burnside.study import Study


@pytest.mark.parametrize(
    ("states", "waiting", "widest", "expected"),
    [
        (FEW_STATES - 1, 9_000, 9_000, False),
        (FEW_STATES, 9_000, 9_000, True),  # the widest level so far: there will be more
        (FEW_STATES, 8_000, 9_000, False),  # the end is near
        (2 * FEW_STATES, 8_000, 9_000, True),  # or it is not
        (FEW_STATES, 0, 9_000, True),  # explored again by optimised code, which has to be compiled first
    ],
)
def test_symmetries_are_sought_when_a_search_is_large(states, waiting, widest, expected):
    """A search whose levels shrink is waited for a little longer."""
    assert is_large(Progress(states, 0, 0, waiting, 0, 0.0), widest) is expected


@pytest.mark.parametrize(("size", "is_small"), [(4, True), (10, False)])
def test_a_race_leaves_everything_as_it_was(size, is_small):
    """Threads of other work get the turns that they are used to, and the reason fits the number of states."""
    turn = sys.getswitchinterval()
    example = resource_directory("examples") / "zhang2013" / "dining_philosophers.seq"
    report = Study(load(example, {"N": size})).count(Mode.AUTO)

    assert sys.getswitchinterval() == turn
    assert ("fewer than" in report.symmetry.reason) is is_small
