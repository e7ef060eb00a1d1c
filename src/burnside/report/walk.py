"""Walks through a model as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from burnside.explore.walk import Position, Walk
from burnside.report.json import fault_object, trace_object
from burnside.report.text import fault_place, state_by_variable, trace_lines
from burnside.source import printable


def walk_text(walk: Walk, seed: int) -> str:
    """What a random walk prints: the run, and how it ended."""
    return "\n".join([f"seed         {seed}", *trace_lines(walk.model, walk.trace), *how_it_ends(walk)])


def walk_object(walk: Walk, seed: int) -> dict[str, Any]:
    """The object that ``burnside simulate --json`` prints."""
    here = walk.here
    return {
        "seed": seed,
        "steps": len(walk.steps),
        "ended": ended(here),
        "violated": list(here.violated),
        "reached": list(here.reached),
        "trace": trace_object(walk.model, walk.trace),
        "fault": fault_object(walk.model, walk.trace),
    }


def ended(here: Position) -> str:
    """Why a walk cannot or should not go on, in one word."""
    if here.fault is not None:
        return "fault"
    if here.is_stuck:
        return "end" if here.is_end else "deadlock"
    return "violation" if here.violated else "steps"


def how_it_ends(walk: Walk) -> Iterator[str]:
    """What there is to say about the state in which a walk stands."""
    here = walk.here
    after = f"after {len(walk.steps)} step{'' if len(walk.steps) == 1 else 's'}"
    if here.fault is not None:
        yield f"the model faults {fault_place(here.fault)} {after}: {printable(here.fault.message)}"
    elif here.is_stuck:
        yield f"no rule can fire {after}: {'an end that the model allows' if here.is_end else 'a deadlock'}"
    for name in here.violated:
        yield f"'{printable(name)}' is violated here"
    for name in here.reached:
        yield f"'{printable(name)}' is reached here"


# ---------------------------------------------------------------- step by step


def state_lines(walk: Walk) -> Iterator[str]:
    """The state in which a walk stands, by variable."""
    yield f"after {len(walk.steps)} steps" if walk.steps else "initial state"
    for name, value in state_by_variable(walk.model, walk.here.state):
        yield f"    {printable(name)} = {printable(value)}"
    yield from how_it_ends(walk)
