"""Runs that show that a net is not bounded: a marking, and a larger one that is reached from it [KarpMiller69]."""

from __future__ import annotations

from typing import Final, TypeAlias, final

from burnside.frontends.pnml.net import Net, Transition
from burnside.values import dataclass

_MOST_MARKINGS: Final = 20_000
_MOST_NUMBERS: Final = 5_000_000  # in all markings
_MOST_WORK: Final = 20_000_000  # transitions tried and numbers compared

_Marking: TypeAlias = tuple[int, ...]


@final
@dataclass(frozen=True, slots=True)
class Covering:
    """``before`` leads to a marking, ``again`` from there to a larger one, in which ``place`` has more tokens."""

    before: tuple[int, ...]
    again: tuple[int, ...]
    place: int


def covering_run(net: Net) -> Covering | None:
    """A run that covers itself, if one is found among the first markings: breadth first, so a short one."""
    first = net.marking
    parents: dict[_Marking, tuple[_Marking, int] | None] = {first: None}
    most = min(_MOST_MARKINGS, _MOST_NUMBERS // max(len(first), 1))
    level, work = [first], 0
    while level:
        following: list[_Marking] = []
        for marking in level:
            work += len(net.transitions)
            for number, transition in enumerate(net.transitions):
                reached = _fired(marking, transition)
                if reached is None or reached in parents:
                    continue
                parents[reached] = marking, number
                found, steps = _covered(reached, parents)
                if found is not None:
                    return _run(found, reached, parents)
                work += steps * len(first)
                following.append(reached)
                if len(parents) >= most:
                    return None
            if work > _MOST_WORK:
                return None
        level = following
    return None


def _fired(marking: _Marking, transition: Transition) -> _Marking | None:
    if any(marking[place] < weight for place, weight in transition.takes):
        return None
    changed = list(marking)
    for place, by in transition.effect:
        changed[place] += by
    return tuple(changed)


def _covered(marking: _Marking, parents: dict[_Marking, tuple[_Marking, int] | None]) -> tuple[_Marking | None, int]:
    """An ancestor that is smaller, and how many were looked at."""
    steps, step = 0, parents[marking]
    while step is not None:
        steps += 1
        ancestor = step[0]
        if all(old <= new for old, new in zip(ancestor, marking, strict=True)):
            return ancestor, steps
        step = parents[ancestor]
    return None, steps


def _run(smaller: _Marking, larger: _Marking, parents: dict[_Marking, tuple[_Marking, int] | None]) -> Covering:
    place = next(p for p, (old, new) in enumerate(zip(smaller, larger, strict=True)) if old < new)
    before = _path(smaller, parents)
    return Covering(before, _path(larger, parents)[len(before) :], place)


def _path(marking: _Marking, parents: dict[_Marking, tuple[_Marking, int] | None]) -> tuple[int, ...]:
    """The transitions by which a marking was found."""
    path: list[int] = []
    while (step := parents[marking]) is not None:
        marking, transition = step
        path.append(transition)
    return tuple(reversed(path))
