"""Canonical forms on random actions, judged by brute force: one stored state for each orbit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from random import Random

from burnside.explore.native.run import SearchOptions, explore
from burnside.reduce.symmetry.images import AllImages
from burnside.reduce.symmetry.plan import EXACT, plan_action
from burnside.reduce.symmetry.reduction import SymmetryReduction
from burnside.reduce.symmetry.refinement import Refinement
from burnside.reduce.symmetry.strategy import Strategy
from burnside.results.exploration import Stop
from support.literal_actions import Disguised, disguise, random_shape

# So that each is used, and several one after the other.
IMAGES: tuple[type[Strategy], ...] = (AllImages,)
LEFT_OUT = (*((*IMAGES, *EXACT[:k]) for k in range(3)), *(EXACT[:k] for k in range(len(EXACT))))
BEFORE_REFINEMENT = (*IMAGES, *EXACT[: EXACT.index(Refinement)])


def orbits(action: Disguised) -> int:
    """The number of orbits of states, by union-find."""
    parent = {state: state for state in action.states()}

    def root(state: tuple[int, ...]) -> tuple[int, ...]:
        while parent[state] != state:
            parent[state] = state = parent[parent[state]]
        return state

    for state in parent:
        for move in action.moves:
            parent[root(state)] = root(action.image(move, state))
    return sum(root(state) == state for state in parent)


def plans(action: Disguised, left_out: Iterable[Sequence[type[Strategy]]]) -> Iterator[SymmetryReduction]:
    """What is planned without some strategies; each plan once."""
    seen = set()
    for without in left_out:
        reduction = plan_action(action.action, without=without)
        assert reduction is not None
        steps = tuple(map(type, reduction.steps))
        if steps not in seen:
            seen.add(steps)
            yield reduction


def judge(action: Disguised, left_out: Iterable[Sequence[type[Strategy]]], cache: Path, seed: object) -> set[type]:
    """Compare what is planned without some strategies with brute force; those that were used."""
    expected = orbits(action)
    total = sum(1 for _ in action.states())
    used: set[type] = set()
    for reduction in plans(action, left_out):
        found = explore(action.model, reductions=(reduction,), options=SearchOptions(flags=("-O0",), cache=cache))
        assert found.stop is Stop.COMPLETE
        assert (found.states, found.full_states) == (expected, total), (seed, reduction.name)
        used |= set(map(type, reduction.steps))
    return used


def judge_kind(kind: str, seed: int, cache: Path) -> set[type]:
    """The same for a random action of some kind."""
    random = Random(f"{kind} {seed}")
    action = disguise(random, random_shape(random, kind))
    return judge(action, ((), BEFORE_REFINEMENT, LEFT_OUT[seed % len(LEFT_OUT)]), cache, (kind, seed))
