"""Traces: runs of the original model, checked step by step against its meaning before they are shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import final

from burnside.explore.claims import Claim
from burnside.ir.cells import Cells, State
from burnside.ir.nodes import Model, PropertyKind
from burnside.ir.semantics import Fault, FaultRaised, Step, evaluate, initial_fits, is_terminal, successors
from burnside.ir.simplify import bind


class ReplayError(Exception):
    """A path of the explorer is no run of the model: a bug in Burnside."""


@final
@dataclass(frozen=True, slots=True)
class Change:
    """One element of the state (a cell, or a whole sequence) that a step changed, in the user's words."""

    name: str
    before: str
    after: str


@final
@dataclass(frozen=True, slots=True)
class TraceStep:
    """One step: what an observer saw, which rule it was, what changed, and the state after it."""

    event: str
    rule: str
    changes: tuple[Change, ...]
    state: State


@final
@dataclass(frozen=True, slots=True)
class Trace:
    """A run: an initial state and steps. ``fault`` says what goes wrong in the last state, if anything."""

    initial: State
    steps: tuple[TraceStep, ...]
    fault: Fault | None = None


def replay(model: Model, path: Sequence[State]) -> Trace:
    """The run of the model that visits the states of a path, found by the reference semantics."""
    cells = Cells(model)
    if not initial_fits(model, path[0]):
        raise ReplayError("the first state of a path is not initial")
    steps = [_step_between(cells, old, new) for old, new in pairwise(path)]
    return Trace(path[0], tuple(steps))


def replay_witness(model: Model, path: Sequence[State], claim: Claim) -> Trace:
    """The run that decides a claim: its last state does, by the reference semantics."""
    trace = replay(model, path)
    if not decides(model, claim, path[-1]):
        raise ReplayError(f"a run that is said to decide '{claim.name}' ends in a state that does not")
    return trace


def decides(model: Model, claim: Claim, state: State) -> bool:
    """Whether a state violates what a claim says of all states, or is one that it asks for."""
    if claim.family.kind is PropertyKind.DEADLOCK_FREE:
        return not any(True for _ in successors(model, state)) and not is_terminal(model, state)
    return bool(evaluate(Cells(model), claim.sought, state, bind(claim.family.parameters, claim.arguments)))


def replay_fault(model: Model, path: Sequence[State], claims: Sequence[Claim]) -> Trace:
    """The run to a state in which something faults, with the fault as the reference semantics reports it."""
    trace = replay(model, path)
    fault = find_fault(model, path[-1], claims)
    if fault is None:
        raise ReplayError("no fault in the state where one was reported")
    return Trace(trace.initial, trace.steps, fault)


def find_fault(model: Model, state: State, claims: Sequence[Claim]) -> Fault | None:
    """The first rule instance or claim that cannot be evaluated in a state."""
    stuck = True
    for outcome in successors(model, state):
        stuck = False
        if isinstance(outcome, Fault):
            return outcome
    cells = Cells(model)
    try:
        for claim in claims:
            if claim.family.kind is not PropertyKind.DEADLOCK_FREE:
                evaluate(cells, claim.sought, state, bind(claim.family.parameters, claim.arguments))
        if stuck:
            evaluate(cells, model.terminal, state)
    except FaultRaised as fault:
        return Fault(fault.kind, fault.message, fault.span)
    return None


def _step_between(cells: Cells, old: State, new: State) -> TraceStep:
    for outcome in successors(cells.model, old):
        if isinstance(outcome, Step) and outcome.state == new:
            return TraceStep(spell_event(outcome.event), outcome.rule.name, changes_between(cells, old, new), new)
    raise ReplayError("two neighbours of a path are not joined by a transition")


def spell_event(event: tuple[str, ...]) -> str:
    """An event with its arguments, as traces show it."""
    name, *arguments = event
    return f"{name}({', '.join(arguments)})" if arguments else name


def changes_between(cells: Cells, old: State, new: State) -> tuple[Change, ...]:
    """What is different in two states."""
    before, after = cells.describe(old), cells.describe(new)
    return tuple(Change(name, before[name], after[name]) for name in after if before[name] != after[name])
