"""A plain search over ``ir/semantics.py``: slow, short, and the judge of the native explorer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import final

from burnside.claims.kinds import StateClaim, is_about_stuttering
from burnside.claims.members import Member
from burnside.ir.cells import Cells, State
from burnside.ir.initial import initial
from burnside.ir.nodes import Model
from burnside.ir.semantics import Fault, FaultRaised, Step, evaluate, is_terminal, successors
from burnside.results.exploration import Exploration, Stop


def explore(model: Model, claims: Sequence[Member[StateClaim]] = ()) -> Exploration:
    """Breadth-first search by levels, until a fault or until every claim is decided.

    A level is always finished before the search stops, so the figures of an unfinished search are not
    comparable with those of other explorers; its verdicts and path lengths are. If a level decides the last claim, its
    faults do not matter; a claim that is decided is not evaluated on later levels.
    """
    search = _Search(model, claims)
    try:
        search.begin(initial(model))
    except FaultRaised:
        return search.result(Stop.FAULT, fault_path=())
    while True:
        if claims and None not in search.witnesses:
            return search.result(Stop.DECIDED)
        if search.faults:
            return search.result(Stop.FAULT, fault_path=search.path(search.faults[0]))
        if not search.level:
            return search.result(Stop.COMPLETE)
        search.expand_level()


@final
@dataclass(slots=True)
class _Search:
    model: Model
    claims: Sequence[Member[StateClaim]]
    parents: dict[State, State | None] = field(default_factory=dict)
    level: list[State] = field(default_factory=list)
    witnesses: list[State | None] = field(default_factory=list)
    faults: list[State] = field(default_factory=list)
    transitions: int = 0
    deadlocks: int = 0
    depth: int = -1
    initial: int = 0

    def begin(self, states: Iterator[State]) -> None:
        """Enter the initial states."""
        self.witnesses = [None] * len(self.claims)
        for state in states:
            self._enter(state, None)
        self.initial = len(self.parents)
        self._inspect_level()

    def expand_level(self) -> None:
        """Replace the level by the next one."""
        level, self.level = self.level, []
        self.depth += 1
        about_stuttering = [k for k, m in enumerate(self.claims) if is_about_stuttering(m.claim)]
        still_open = [k for k in about_stuttering if self.witnesses[k] is None]
        for state in level:
            outcomes = list(successors(self.model, state))
            if any(isinstance(o, Fault) for o in outcomes):
                self.faults.append(state)
                continue
            self.transitions += len(outcomes)
            for outcome in outcomes:
                assert not isinstance(outcome, Fault)
                self._enter(outcome.state, state)
            if not outcomes:
                self._note_stuck(state)
            elif all(isinstance(o, Step) and o.state == state for o in outcomes):
                self._note_still(state, still_open)
        self._inspect_level()

    def _enter(self, state: State, parent: State | None) -> None:
        if state not in self.parents:
            self.parents[state] = parent
            self.level.append(state)

    def _note_stuck(self, state: State) -> None:
        """A state without successors: a deadlock unless it is terminal."""
        try:
            if is_terminal(self.model, state):
                return
        except FaultRaised:
            self.faults.append(state)
            return
        self.deadlocks += 1
        for k, member in enumerate(self.claims):
            if member.claim.is_about_deadlock and self.witnesses[k] is None:
                self.witnesses[k] = state

    def _note_still(self, state: State, claims: Sequence[int]) -> None:
        """A state with successors, all of them itself: a deadlock up to stuttering unless it is terminal."""
        for k in claims:
            try:
                if not is_terminal(self.model, state) and self.witnesses[k] is None:
                    self.witnesses[k] = state
            except FaultRaised:
                self.faults.append(state)

    def _inspect_level(self) -> None:
        """Look for witnesses of open claims among the new states."""
        cells = Cells(self.model)
        for k, member in enumerate(self.claims):
            if member.claim.is_about_deadlock or self.witnesses[k] is not None:
                continue
            for state in self.level:
                try:
                    if evaluate(cells, member.claim.sought, state, member.values) and self.witnesses[k] is None:
                        self.witnesses[k] = state
                except FaultRaised:
                    self.faults.append(state)

    def path(self, state: State) -> tuple[State, ...]:
        """The states from an initial one to ``state``."""
        path: list[State] = []
        at: State | None = state
        while at is not None:
            path.append(at)
            at = self.parents[at]
        return tuple(reversed(path))

    def result(self, stop: Stop, fault_path: tuple[State, ...] | None = None) -> Exploration:
        """The figures so far."""
        return Exploration(
            stop=stop,
            states=len(self.parents),
            transitions=self.transitions,
            deadlocks=self.deadlocks,
            depth=max(0, self.depth),
            initial=self.initial,
            witnesses=tuple(None if w is None else self.path(w) for w in self.witnesses),
            fault_path=fault_path,
            engine="reference",
        )
