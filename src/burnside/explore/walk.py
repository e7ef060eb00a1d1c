"""A walk through the states of a model, step by step, by the reference semantics."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import islice
from random import Random
from typing import Final, final

from burnside.claims.kinds import StateClaim, is_about_stuttering
from burnside.claims.members import Member, is_decided_in
from burnside.explore.replay import find_fault, step_taken
from burnside.ir.cells import Cells, State
from burnside.ir.initial import initial
from burnside.ir.nodes import Model
from burnside.ir.semantics import Fault, FaultRaised, Step, is_still, is_terminal, successors
from burnside.results.trace import Trace, TraceStep
from burnside.values import dataclass, field

# Initial states that a walk chooses from: a model may have very many.
MOST_INITIAL: Final = 1_000


@final
@dataclass(frozen=True, slots=True)
class Position:
    """What is known of the state in which a walk stands.

    ``violated`` are the claims that this state violates, ``reached`` those that ask for such a state. ``fault`` is
    what cannot be evaluated here; steps of other rules can still be taken.
    """

    state: State
    choices: tuple[TraceStep, ...]
    fault: Fault | None
    is_end: bool
    violated: tuple[str, ...]
    reached: tuple[str, ...]

    @property
    def is_stuck(self) -> bool:
        """Whether nothing can happen here."""
        return not self.choices and self.fault is None

    @property
    def is_final(self) -> bool:
        """Whether a walk makes no sense beyond: at a fault, a violation or a dead end."""
        return self.fault is not None or self.is_stuck or bool(self.violated)


@final
@dataclass
class Walk:
    """A run that grows and shrinks at its end; the same seed takes the same way."""

    model: Model
    claims: Sequence[Member[StateClaim]]
    random: Random
    positions: list[Position] = field(default_factory=list)
    steps: list[TraceStep] = field(default_factory=list)

    @property
    def here(self) -> Position:
        """Where the walk stands."""
        return self.positions[-1]

    @property
    def trace(self) -> Trace:
        """The run so far, with the fault in its last state."""
        return Trace(self.positions[0].state, tuple(self.steps), self.here.fault)

    def initial_states(self) -> list[State]:
        """The first initial states of the model; raises `FaultRaised` if a condition on them cannot be evaluated."""
        return list(islice(initial(self.model), MOST_INITIAL))

    def begin(self, state: State) -> None:
        """Start again in an initial state."""
        self.positions, self.steps = [self._position(state)], []

    def take(self, choice: TraceStep) -> None:
        """Take one of the steps that are possible here."""
        self.steps.append(choice)
        self.positions.append(self._position(choice.state))

    def take_any(self) -> bool:
        """Take a random step; False if there is none."""
        if not self.here.choices:
            return False
        self.take(self.random.choice(self.here.choices))
        return True

    def go(self, steps: int) -> None:
        """Take random steps, until the walk has so many or should end."""
        while len(self.steps) < steps and not self.here.is_final:
            self.take_any()

    def undo(self) -> bool:
        """Take the last step back; False at the beginning."""
        if not self.steps:
            return False
        self.steps.pop()
        self.positions.pop()
        return True

    def _position(self, state: State) -> Position:
        cells = Cells(self.model)
        outcomes = list(successors(self.model, state))
        choices = tuple(step_taken(cells, state, o) for o in outcomes if isinstance(o, Step))
        fault = find_fault(self.model, state, self.claims)
        if fault is not None:
            return Position(state, choices, fault, False, (), ())
        is_end = not outcomes and is_terminal(self.model, state)
        is_deadlock = not outcomes and not is_end
        may_stand = any(is_about_stuttering(m.claim) for m in self.claims) and is_still(state, outcomes)
        stands = is_deadlock or (may_stand and not is_terminal(self.model, state))
        of = partial(is_decided_in, cells, state=state, is_deadlock=is_deadlock, is_still=stands)
        found = [m for m in self.claims if of(member=m)]
        violated = tuple(m.name for m in found if not m.claim.is_existential)
        reached = tuple(m.name for m in found if m.claim.is_existential)
        return Position(state, choices, None, is_end, violated, reached)


def begin_walk(model: Model, claims: Sequence[Member[StateClaim]], seed: int) -> Walk | Fault:
    """A walk in a random initial state; a fault if a condition on initial states, or a start rule, has one."""
    walk = Walk(model, claims, Random(seed))
    try:
        states = walk.initial_states()
    except FaultRaised as fault:
        return fault.start or Fault(fault.kind, fault.message, fault.span)
    if states:
        walk.begin(walk.random.choice(states))
    return walk
