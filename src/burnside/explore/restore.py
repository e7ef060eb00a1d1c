"""Runs of a model without some of its variables as runs of the whole model.

Rules fire in the one as in the other, so the steps of a run are taken again, from an initial state that is the same but
for what was left out; every one of them must lead where it led before.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, final

from burnside.claims.kinds import StateClaim
from burnside.claims.members import Member
from burnside.explore.replay import ReplayError, find_fault, replay_fault, step_taken
from burnside.ir.cells import Cells, State
from burnside.ir.initial import initial_fits
from burnside.ir.nodes import Rule
from burnside.ir.semantics import Step, fire
from burnside.reduce.slicing.cut import Slice
from burnside.results.trace import Trace, TraceStep

MOST_STEPS: Final = 1_000  # of a run that comes back to where it was


@final
class Restoring:
    """Finds runs of the whole model for those of a slice."""

    def __init__(self, cut: Slice) -> None:
        self._cut = cut
        self._cells = Cells(cut.whole)
        self._rules: dict[str, list[Rule]] = {}
        for rule in cut.whole.rules:
            self._rules.setdefault(rule.name, []).append(rule)

    def trace(self, trace: Trace, members: Sequence[Member[StateClaim]] = ()) -> Trace:
        """The run, and the fault at its end if there is one: of a rule, or of one of some claims."""
        if trace.fault is not None and not trace.initial:
            return replay_fault(self._cut.whole, (), members)  # of an initial condition or a start rule
        first = self._first(trace)
        steps = self._taken(first, trace.steps)
        if trace.fault is None:
            return Trace(first, steps)
        fault = find_fault(self._cut.whole, steps[-1].state if steps else first, members)
        if fault is None:
            raise ReplayError("no fault in the state where one was reported")
        return Trace(first, steps, fault)

    def lasso(self, trace: Trace, loop: int) -> tuple[Trace, int] | None:
        """A run whose steps after the first so many repeat for ever: what is left out may need several rounds to be the
        same again. None if it needs too many.
        """
        first = self._first(trace)
        steps = [*self._taken(first, trace.steps)]
        if loop == len(trace.steps):  # the run ends
            return Trace(first, tuple(steps)), loop
        seen = {steps[loop - 1].state if loop else first: loop}
        while steps[-1].state not in seen:
            seen[steps[-1].state] = len(steps)
            if len(steps) > MOST_STEPS:
                return None
            steps += self._taken(steps[-1].state, trace.steps[loop:])
        return Trace(first, tuple(steps)), seen[steps[-1].state]

    def _first(self, trace: Trace) -> State:
        first = self._cut.first_above(trace.initial)
        if not initial_fits(self._cut.whole, first):
            raise ReplayError("the first state of a path is not initial")
        return first

    def _taken(self, state: State, steps: Sequence[TraceStep]) -> tuple[TraceStep, ...]:
        return tuple(self._walk(state, steps))

    def _walk(self, state: State, steps: Sequence[TraceStep]) -> Iterator[TraceStep]:
        for step in steps:
            taken = self._step(state, step)
            yield taken
            state = taken.state

    def _step(self, state: State, step: TraceStep) -> TraceStep:
        """The same step of the whole model. A step may have arguments behind those of the rule: values of its event."""
        for rule in self._rules[step.rule]:
            outcome = fire(self._cells, rule, step.arguments[: len(rule.parameters)], state)
            if isinstance(outcome, Step) and self._cut.project(outcome.state) == step.state:
                return step_taken(self._cells, state, outcome)
        raise ReplayError("a step of a run is not possible in the whole model")
