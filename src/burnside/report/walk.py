"""Walks through a model as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from json import dumps

from burnside.explore.walk import Position, Walk
from burnside.report.json import fault_object, trace_object
from burnside.report.places import remarks_object
from burnside.report.shapes import CutShort, WalkObject
from burnside.report.states import state_by_variable
from burnside.report.text import fault_place, trace_lines
from burnside.results.answers import WalkAnswer
from burnside.source import printable


def text(answer: WalkAnswer) -> str:
    """What a random walk prints: the run, and how it ended."""
    walk = answer.walk
    if not walk.positions:
        return "the model has no initial state"
    return "\n".join([f"seed         {answer.seed}", *trace_lines(walk.model, walk.trace), *how_it_ends(walk)])


def json(answer: WalkAnswer) -> str:
    """What ``burnside simulate --json`` prints."""
    return dumps(walk_object(answer))


def walk_object(answer: WalkAnswer) -> WalkObject:
    """The object for a walk."""
    walk = answer.walk
    here = walk.here if walk.positions else None
    result: WalkObject = {
        "seed": answer.seed,
        "steps": len(walk.steps),
        "ended": ended(here) if here else "empty",
        "violated": list(here.violated) if here else [],
        "reached": list(here.reached) if here else [],
        "trace": trace_object(walk.model, walk.trace) if here else None,
        "fault": fault_object(walk.model, walk.trace) if here else None,
        **_stopped(answer),
        **remarks_object(answer),
    }
    return result


def _stopped(answer: WalkAnswer) -> CutShort:
    return {} if answer.stopped is None else {"stopped": answer.stopped}


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
