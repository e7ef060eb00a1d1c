"""Runs of a labelled system as traces: each step is found again by the reference semantics before it is shown."""

from __future__ import annotations

from itertools import pairwise

from burnside.explore.replay import ReplayError, find_fault, step_taken
from burnside.ir.cells import Cells, State
from burnside.ir.initial import initial_fits
from burnside.ir.instances import bind
from burnside.ir.semantics import Step, evaluate, successors
from burnside.refine.search import Run
from burnside.refine.steps import TICK, Label, is_end
from burnside.refine.system import LabelledSystem
from burnside.results.trace import Trace, TraceStep


def replay_run(system: LabelledSystem, run: Run) -> Trace:
    """The trace of a run; the events of its steps are the labels."""
    states = [system.states[number] for number in run.states]
    if not initial_fits(system.model, states[0]):
        raise ReplayError("the first state of a run is not initial")
    if run.loop is not None:
        _step_between(system.cells, states[-1], states[run.loop], ("tau", ()))
    pairs = zip(pairwise(states), run.labels, strict=True)
    return Trace(states[0], tuple(_step_between(system.cells, old, new, label) for (old, new), label in pairs))


def replay_fault(system: LabelledSystem, state: int) -> Trace:
    """The trace to a state in which a rule cannot be evaluated, with the fault."""
    trace = replay_run(system, run_to(system, state))
    fault = find_fault(system.model, system.states[state], ())
    if fault is None:
        raise ReplayError("no fault in the state where one was reported")
    return Trace(trace.initial, trace.steps, fault)


def run_to(system: LabelledSystem, state: int) -> Run:
    """A shortest known run to a state that has been reached."""
    parents: dict[int, tuple[int, Label] | None] = dict.fromkeys(system.initial)
    pending = list(parents)
    for at in pending:  # grows while it is walked
        if at == state:
            break
        for label, target in system.known_edges(at):
            if target not in parents:
                parents[target] = (at, label)
                pending.append(target)
    states, labels = [state], list[Label]()
    while (parent := parents[states[-1]]) is not None:
        states.append(parent[0])
        labels.append(parent[1])
    return Run(tuple(reversed(states)), tuple(reversed(labels)))


def _step_between(cells: Cells, old: State, new: State, label: Label) -> TraceStep:
    for outcome in successors(cells.model, old):
        if isinstance(outcome, Step) and outcome.state == new and _has_label(cells, outcome, old, label):
            return step_taken(cells, old, outcome)
    raise ReplayError("two neighbours of a run are not joined by a transition with its label")


def _has_label(cells: Cells, step: Step, old: State, label: Label) -> bool:
    if label == TICK:
        return is_end(cells, step.state)
    names = bind(step.rule.parameters, step.arguments)
    event = step.rule.event
    return (event.name, tuple(evaluate(cells, a, old, names) for a in event.arguments)) == label
