"""Random Petri nets beside a judge that shares no code with what reads and explores them."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable

import pytest

from nets import comparing
from nets.judge import pnml, random_net
from support.thorough import some


def met(compare: Callable[[int], Counter[str]], block: int, size: int) -> Counter[str]:
    """What a comparison meets in a block of seeds."""
    return sum((compare(seed) for seed in range(block * size, (block + 1) * size)), Counter[str]())


@pytest.mark.parametrize("block", some(range(4)))
def test_sizes_are_those_of_the_judge(block: int) -> None:
    """States, transitions and deadlocks; with symmetry, orbits stand for as many states."""
    found = met(comparing.sizes, block, 25)

    assert min(found[what] for what in ("symmetric", "smaller", "deadlock")) > 3


@pytest.mark.parametrize("block", some(range(4)))
def test_sizes_of_coloured_nets_are_those_of_the_judge(block: int) -> None:
    """Colours written out here are those written out there."""
    found = met(comparing.coloured_sizes, block, 25)

    assert min(found[what] for what in ("symmetric", "moving", "deadlock")) > 3


@pytest.mark.parametrize("block", some(range(8)))
def test_formulas_have_the_verdicts_of_the_judge(block: int) -> None:
    """Reachability and upper bounds, with and without symmetry and partial order, with variables left out or not."""
    found = met(comparing.verdicts, block, 10)

    assert min(found["True"], found["False"]) > 4


@pytest.mark.parametrize("block", some(range(8)))
def test_formulas_about_runs_have_the_verdicts_of_the_judge(block: int) -> None:
    """LTL, where runs that end stay where they are."""
    found = met(comparing.runs, block, 10)

    assert min(found["True"], found["False"], found["ends"]) > 2


def test_bounds_are_never_too_small() -> None:
    """What a place holds in some reachable marking is in its range, which is proved for all of these nets."""
    tight = 0
    for seed in range(200):
        chance = random.Random(f"bounds {seed}")
        net = random_net(chance)
        model = comparing.task_of(pnml(net, chance)).model
        for variable in model.variables:
            number = int(variable.name.removeprefix("p"))
            most = max(marking[number] for marking in net.after)

            assert most <= variable.domain.high < 100, (seed, variable.name)
            tight += most == variable.domain.high
    assert tight > 300
