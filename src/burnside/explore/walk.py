"""A walk through the states of a model, step by step, by the reference semantics."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice
from random import Random
from typing import Final, final

from burnside.explore.claims import Claim
from burnside.explore.trace import Trace, TraceStep, find_fault, step_taken
from burnside.ir.cells import Cells, State
from burnside.ir.nodes import Model, PropertyKind
from burnside.ir.semantics import Fault, FaultRaised, Step, evaluate, initial, is_terminal, successors
from burnside.ir.simplify import bind

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


@final
@dataclass
class Walk:
    """A run that grows and shrinks at its end; the same seed takes the same way."""

    model: Model
    claims: Sequence[Claim]
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
        found = [c for c in self.claims if self._is_sought(cells, c, state, is_stuck=not outcomes and not is_end)]
        asks = [c.family.kind is PropertyKind.REACHABLE for c in found]
        violated = tuple(c.name for c, asked in zip(found, asks, strict=True) if not asked)
        reached = tuple(c.name for c, asked in zip(found, asks, strict=True) if asked)
        return Position(state, choices, None, is_end, violated, reached)

    @staticmethod
    def _is_sought(cells: Cells, claim: Claim, state: State, *, is_stuck: bool) -> bool:
        if claim.family.kind is PropertyKind.DEADLOCK_FREE:
            return is_stuck
        return bool(evaluate(cells, claim.sought, state, bind(claim.family.parameters, claim.arguments)))


def begin_walk(model: Model, claims: Sequence[Claim], seed: int) -> Walk | Fault:
    """A walk in a random initial state; a fault if a condition on initial states cannot be evaluated."""
    walk = Walk(model, claims, Random(seed))
    try:
        states = walk.initial_states()
    except FaultRaised as fault:
        return Fault(fault.kind, fault.message, fault.span)
    if states:
        walk.begin(walk.random.choice(states))
    return walk
