"""Infinite runs of a model, and whether they show what they are said to show."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import assert_never, final

from burnside.claims.events import atom_holds
from burnside.claims.kinds import Atom, Fairness
from burnside.ir.cells import Cells, State
from burnside.ir.initial import initial_fits
from burnside.ir.instances import Instance, instances_of
from burnside.ir.nodes import Model
from burnside.ir.processes import Processes
from burnside.ir.semantics import Outcome, Step, fire
from burnside.ltl.formula import Formula
from burnside.ltl.words import satisfies
from burnside.results.runs import Lasso, Moment

_FEW = 1_000  # states that are looked at one by one


class RunError(Exception):
    """What the explorer found is not a run, or does not show what it should: a bug in Burnside."""


@final
class RunSemantics:
    """What holds and what happens in runs of a model, by the reference semantics."""

    def __init__(self, model: Model, atoms: Mapping[str, Atom], processes: Processes | None) -> None:
        self._model = model
        self._atoms = atoms
        self._processes = processes
        self._cells = Cells(model)

    @cached_property
    def instances(self) -> tuple[Instance, ...]:
        """All rule instances, by number."""
        return tuple(instances_of(self._model))

    def fire(self, number: int, state: State) -> Outcome | None:
        """What a rule instance does in a state."""
        instance = self.instances[number]
        return fire(self._cells, instance.rule, instance.arguments, state)

    def after(self, moment: Moment) -> State:
        """The state that comes next."""
        if moment.instance is None:
            return moment.state
        outcome = self.fire(moment.instance, moment.state)
        if not isinstance(outcome, Step):
            raise RunError("a step of a run is not possible")
        return outcome.state

    def letter(self, moment: Moment) -> frozenset[str]:
        """The atoms that hold in a moment."""
        taken = None if moment.instance is None else self.instances[moment.instance]
        atoms = self._atoms.items()
        return frozenset(name for name, atom in atoms if atom_holds(self._cells, atom, moment.state, taken))

    def acting(self, moment: Moment) -> frozenset[int]:
        """The processes that act in a moment."""
        if moment.instance is None or self._processes is None:
            return frozenset()
        return frozenset(self._processes.acting[moment.instance])

    def enabled(self, state: State) -> frozenset[int]:
        """The processes that could act in a state."""
        assert self._processes is not None
        rows = enumerate(self._processes.acting)
        return frozenset(u for n, row in rows if isinstance(self.fire(n, state), Step) for u in row)

    def verify(self, lasso: Lasso, formula: Formula, fairness: Fairness) -> None:
        """Raise unless a lasso is a fair run of the model that satisfies a formula."""
        if not initial_fits(self._model, lasso.moments[0].state):
            raise RunError("a run does not begin in an initial state")
        for moment, following in lasso.steps():
            if self.after(moment) != following:
                raise RunError("two neighbours of a run are not joined by its step")
            if moment.instance is None and any(self.fire(n, following) for n in range(len(self.instances))):
                raise RunError("a run stays in a state that can be left")
        if not satisfies(formula, [self.letter(m) for m in lasso.moments], lasso.back):
            raise RunError("a run does not show a violation")
        loop = lasso.moments[lasso.back :]
        if not self._is_fair(loop, fairness):
            raise RunError("a run is not fair")

    def _is_fair(self, loop: tuple[Moment, ...], fairness: Fairness) -> bool:
        acting = frozenset[int]().union(*map(self.acting, loop))
        enabled = (self.enabled(moment.state) for moment in loop)
        match fairness:
            case Fairness.NONE:
                return True
            case Fairness.WEAK | Fairness.WEAK_EVENTS:
                return frozenset.intersection(*enabled) <= acting
            case Fairness.STRONG | Fairness.STRONG_EVENTS:
                return frozenset[int]().union(*enabled) <= acting
            case Fairness.GLOBAL:
                return self._is_closed(loop[0].state)
            case _:
                assert_never(fairness)

    def _is_closed(self, state: State) -> bool:
        """A globally fair run stays in states that can all be reached from one another; looked at if they are few."""
        before: dict[State, set[State]] = {state: set()}
        queue = [state]
        for here in queue:
            if len(queue) > _FEW:
                return True
            for number in range(len(self.instances)):
                outcome = self.fire(number, here)
                if isinstance(outcome, Step):
                    if outcome.state not in before:
                        queue.append(outcome.state)
                    before.setdefault(outcome.state, set()).add(here)
        back = {state}
        waiting = [state]
        while waiting:
            fresh = before[waiting.pop()] - back
            back |= fresh
            waiting += fresh
        return len(back) == len(before)
