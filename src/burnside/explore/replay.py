"""Replaying: what an explorer found is checked step by step against the meaning of the model before it is shown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TypeAlias, final

from burnside.claims.kinds import StateClaim, is_about_stuttering
from burnside.claims.members import Member, is_decided_in
from burnside.ir.cells import Cells, State
from burnside.ir.initial import initial, initial_fits
from burnside.ir.instances import valuations
from burnside.ir.nodes import Model, Rule
from burnside.ir.semantics import Fault, FaultRaised, Step, evaluate, fire, is_still, is_terminal, successors
from burnside.results.trace import Trace, TraceStep, changes_between, spell_event
from burnside.values import dataclass

Named: TypeAlias = tuple[str, tuple[int, ...]]  # a rule instance: a rule by name, and arguments


class ReplayError(Exception):
    """A path of the explorer is no run of the model: a bug in Burnside."""


@final
@dataclass(slots=True)
class Patience:
    """What may be tried to find out whether a guessed path is a run: so many rule instances, likely ones first."""

    left: int
    likely: Sequence[Named]

    def spend(self) -> None:
        """Try one more."""
        self.left -= 1
        if self.left < 0:
            raise ReplayError("a guess takes too long")


def replay(model: Model, path: Sequence[State], patience: Patience | None = None) -> Trace:
    """The run of the model that visits the states of a path, found by the reference semantics."""
    cells = Cells(model)
    if not initial_fits(model, path[0]):
        raise ReplayError("the first state of a path is not initial")
    likely: Sequence[Named | None] = patience.likely if patience else [None] * (len(path) - 1)
    pairs = zip(pairwise(path), likely, strict=True)
    return Trace(path[0], tuple(_step_between(cells, old, new, first, patience) for (old, new), first in pairs))


def replay_witness(
    model: Model, path: Sequence[State], member: Member[StateClaim], patience: Patience | None = None
) -> Trace:
    """The run that decides a claim: its last state does, by the reference semantics."""
    trace = replay(model, path, patience)
    if not decides(model, member, path[-1]):
        raise ReplayError(f"a run that is said to decide '{member.name}' ends in a state that does not")
    return trace


def decides(model: Model, member: Member[StateClaim], state: State) -> bool:
    """Whether a state violates what a claim says of all states, or is one that it asks for."""
    outcomes = [*successors(model, state)] if member.claim.is_about_deadlock else []
    stands = member.claim.is_about_deadlock and is_still(state, outcomes) and not is_terminal(model, state)
    return is_decided_in(Cells(model), member, state, is_deadlock=stands and not outcomes, is_still=stands)


def replay_fault(model: Model, path: Sequence[State], members: Sequence[Member[StateClaim]]) -> Trace:
    """The run to a state in which something faults, with the fault as the reference semantics reports it; without a
    state if it is a condition on initial states.
    """
    if not path:
        return _initial_fault(model)
    trace = replay(model, path)
    fault = find_fault(model, path[-1], members)
    if fault is None:
        raise ReplayError("no fault in the state where one was reported")
    return Trace(trace.initial, trace.steps, fault)


def _initial_fault(model: Model) -> Trace:
    try:
        for _ in initial(model):
            pass
    except FaultRaised as fault:
        return Trace((), (), fault.start or Fault(fault.kind, fault.message, fault.span))
    raise ReplayError("no fault among the initial states")


def find_fault(model: Model, state: State, members: Sequence[Member[StateClaim]]) -> Fault | None:
    """The first rule instance or claim that cannot be evaluated in a state."""
    outcomes = []
    for outcome in successors(model, state):
        if isinstance(outcome, Fault):
            return outcome
        outcomes.append(outcome)
    may_end = not outcomes or (is_still(state, outcomes) and any(is_about_stuttering(m.claim) for m in members))
    cells = Cells(model)
    try:
        for member in members:
            evaluate(cells, member.claim.sought, state, member.values)
        if may_end:
            evaluate(cells, model.terminal, state)
    except FaultRaised as fault:
        return Fault(fault.kind, fault.message, fault.span)
    return None


def _step_between(cells: Cells, old: State, new: State, likely: Named | None, patience: Patience | None) -> TraceStep:
    for rule, arguments in _instances(cells.model, likely):
        if patience is not None:
            patience.spend()
        outcome = fire(cells, rule, arguments, old)
        if isinstance(outcome, Step) and outcome.state == new:
            return step_taken(cells, old, outcome)
    raise ReplayError("two neighbours of a path are not joined by a transition")


def _instances(model: Model, likely: Named | None) -> Iterator[tuple[Rule, tuple[int, ...]]]:
    """All rule instances, a likely one first if it is one, and those of its rule before others."""
    name, arguments = likely or ("", ())
    rules = sorted(model.rules, key=lambda rule: rule.name != name)
    if likely is not None and all(a in p.domain for p, a in zip(rules[0].parameters, arguments, strict=True)):
        yield rules[0], arguments
    for rule in rules:
        yield from ((rule, values) for values in valuations(rule.parameters))


def step_taken(cells: Cells, old: State, taken: Step) -> TraceStep:
    """A transition from a state as a step of a trace."""
    changes = changes_between(cells, old, taken.state)
    event = taken.rule.event.shown or spell_event(taken.event)
    return TraceStep(event, taken.rule.name, changes, taken.state, old, taken.arguments)
