"""Random Petri nets beside a judge that shares no code with what reads and explores them."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from burnside.decide.modes import Mode
from burnside.frontends.pnml import load
from burnside.source import Source
from burnside.study import Study
from nets.judge import Judged, pnml, random_net
from support.thorough import some

FEW = 25


def study_of(net: Judged, chance: random.Random) -> Study:
    """The net, read from its text."""
    loaded = load(Source("random.pnml", pnml(net, chance)), {})
    assert loaded.tasks, [d.message for d in loaded.diagnostics]
    return Study(loaded.tasks[0])


@pytest.mark.parametrize("block", some(range(4)))
def test_sizes_are_those_of_the_judge(block: int) -> None:
    """States, transitions and deadlocks; with symmetry, orbits stand for as many states."""
    met: Counter[str] = Counter()
    for seed in range(block * FEW, (block + 1) * FEW):
        chance = random.Random(f"net {seed}")
        net = random_net(chance)
        study = study_of(net, chance)

        plain = study.count(Mode.NONE).exploration
        quotient = study.count(Mode.UNIQUE)

        assert (plain.states, plain.transitions, plain.deadlocks) == (len(net.after), net.arcs, net.deadlocks), seed
        assert (quotient.exploration.full_states or quotient.exploration.states) == len(net.after), seed
        met["symmetric"] += quotient.symmetry.order > 1
        met["smaller"] += quotient.exploration.states < len(net.after)
        met["deadlock"] += net.deadlocks > 0
    assert min(met[what] for what in ("symmetric", "smaller", "deadlock")) > FEW / 10


def test_bounds_are_never_too_small() -> None:
    """What a place holds in some reachable marking is in its range, which is proved for all of these nets."""
    tight = 0
    for seed in range(200):
        chance = random.Random(f"bounds {seed}")
        net = random_net(chance)
        model = load(Source("random.pnml", pnml(net, chance)), {}).tasks[0].model
        for variable in model.variables:
            number = int(variable.name.removeprefix("p"))
            most = max(marking[number] for marking in net.after)

            assert most <= variable.domain.high < 100, (seed, variable.name)
            tight += most == variable.domain.high
    assert tight > 300
