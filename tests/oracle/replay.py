"""Traces of the tool, followed step by step."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .interpreter import State, Step
from .runs import Move
from .space import Space


class Mismatch(Exception):
    """A trace is no run."""


def replay(space: Space, trace: Mapping[str, Any]) -> State:
    """The last state of a run."""
    state = _first(space, trace)
    for k, shown in enumerate(trace["steps"]):
        state = _candidates(space, state, shown, k)[0].target
    return state


def replay_round(space: Space, trace: Mapping[str, Any]) -> tuple[list[Move], list[list[Move]]]:
    """A run that goes on for ever: its moves before the loop, and for each step of the loop the moves it may be."""
    state = _first(space, trace)
    moves: list[list[Move]] = []
    for k, shown in enumerate(trace["steps"]):
        candidates = _candidates(space, state, shown, k)
        moves.append([(state, step) for step in candidates])
        state = candidates[0].target
    back = trace["loop"]
    if back == len(moves):
        if space.steps[state]:
            raise Mismatch("ends where it could go on")
        return [m[0] for m in moves], [[(state, None)]]
    if state != moves[back][0][0]:
        raise Mismatch("the loop does not close")
    return [m[0] for m in moves[:back]], moves[back:]


def _first(space: Space, trace: Mapping[str, Any]) -> State:
    for state in space.initial:
        if space.described(state) == trace["initial"]:
            return state
    raise Mismatch("begins in no initial state")


def _candidates(space: Space, state: State, shown: Mapping[str, Any], number: int) -> list[Step]:
    """The steps that look like one of a trace; all lead to the same state."""
    before = space.described(state)
    found = []
    for step in space.steps[state]:
        if step.rule.name == shown["rule"] and step.event.spelled == shown["event"]:
            after = space.described(step.target)
            changes = {name: [before[name], after[name]] for name in after if before[name] != after[name]}
            if changes == shown["changes"]:
                found.append(step)
    if not found:
        raise Mismatch(f"step {number + 1}, {shown['event']}, is none of the model")
    return found
