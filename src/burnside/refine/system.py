"""The labelled transition system of a model, found as it is asked for.

States have numbers. The events of a model are its labels, by name and by the values of their arguments, so that two
models can be compared whatever they call those values. Symmetry is not used: it would exchange labels.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, TypeAlias, final

from burnside.ir.cells import Cells, State
from burnside.ir.dispatch import Dispatch
from burnside.ir.initial import initial
from burnside.ir.nodes import Model
from burnside.ir.semantics import Fault, FaultRaised
from burnside.limits import NEVER, Deadline
from burnside.refine.steps import TAU, TICK, Label, RememberingInstance, is_end, remembering_instances
from burnside.results.exploration import Stop
from burnside.results.trace import Trace

Edge: TypeAlias = tuple[Label, int]

# What a state, an edge and a pair of a product cost in memory, roughly.
_STATE_BYTES: Final = 400
_EDGE_BYTES: Final = 150
_CELL_BYTES: Final = 8
PAIR_BYTES: Final = 300


class LimitReached(Exception):
    """A limit of time, memory or states ended a search."""

    def __init__(self, stop: Stop) -> None:
        super().__init__(stop.value)
        self.stop = stop


class FaultFound(Exception):
    """A system has a state in which a rule cannot be evaluated; ``system`` and ``state`` say where."""

    def __init__(self, system: LabelledSystem, state: int) -> None:
        super().__init__("a rule cannot be evaluated")
        self.system = system
        self.state = state


class InitialFault(Exception):
    """The condition on initial states of a model cannot be evaluated."""

    def __init__(self, model: Model, fault: Fault) -> None:
        super().__init__("an initial condition cannot be evaluated")
        self.model = model
        self.trace = Trace((), (), fault)


@final
class Budget:
    """Limits that several searches share; None is no limit."""

    def __init__(self, deadline: Deadline = NEVER, *, memory: int | None = None, states: int | None = None) -> None:
        self._deadline = deadline
        self._memory = memory
        self._states = states
        self.bytes = 0

    def charge(self, size: int) -> None:
        """Note that memory is used; ends the search if there is no more, or no more time."""
        self.bytes += size
        if self._memory is not None and self.bytes > self._memory:
            raise LimitReached(Stop.MEMORY)
        if self._deadline.is_over():
            raise LimitReached(Stop.TIME)

    def check_states(self, number: int) -> None:
        """End the search if a system has more states than are allowed."""
        if self._states is not None and number > self._states:
            raise LimitReached(Stop.STATES)


@final
class LabelledSystem:
    """States by number and their edges; both grow as they are asked for."""

    def __init__(self, model: Model, budget: Budget) -> None:
        self.model = model
        self.cells = Cells(model)
        self.states: list[State] = []
        self._budget = budget
        self._numbers: dict[State, int] = {}
        self._edges: dict[int, tuple[Edge, ...]] = {}
        self._instances: Dispatch[RememberingInstance] = Dispatch(
            self.cells, remembering_instances(self.cells), lambda i: i.instance.rule.guard
        )
        try:
            self.initial: tuple[int, ...] = tuple(dict.fromkeys(map(self._number, initial(model))))
        except FaultRaised as fault:
            raise InitialFault(model, Fault(fault.kind, fault.message, fault.span)) from fault

    @property
    def expanded(self) -> int:
        """How many states have known edges."""
        return len(self._edges)

    @property
    def transitions(self) -> int:
        """How many edges are known."""
        return sum(map(len, self._edges.values()))

    @property
    def dead_ends(self) -> int:
        """How many states are known to have no edge, those after a successful end left out."""
        stuck = (self.states[number] for number, edges in self._edges.items() if not edges)
        return sum(not is_end(self.cells, state) for state in stuck)

    @property
    def depth(self) -> int:
        """The greatest distance from an initial state along known edges."""
        depth, seen, level = 0, set(self.initial), list(self.initial)
        while level := [*dict.fromkeys(t for s in level for _, t in self.known_edges(s) if t not in seen)]:
            seen.update(level)
            depth += 1
        return depth

    def known_edges(self, number: int) -> tuple[Edge, ...]:
        """The edges of a state as far as they have been asked for."""
        return self._edges.get(number, ())

    def edges(self, number: int) -> tuple[Edge, ...]:
        """What can happen in a state, in a fixed order and each thing once."""
        known = self._edges.get(number)
        if known is None:
            known = tuple(dict.fromkeys(self._find_edges(number)))
            self._budget.charge(_EDGE_BYTES * len(known))
            self._edges[number] = known
        return known

    def silent(self, number: int) -> list[int]:
        """The states that a tau leads to."""
        return [target for label, target in self.edges(number) if label == TAU]

    # ------------------------------------------------------------ finding them

    def _number(self, state: State) -> int:
        number = self._numbers.get(state)
        if number is None:
            number = self._numbers[state] = len(self.states)
            self.states.append(state)
            self._budget.charge(_STATE_BYTES + _CELL_BYTES * len(state))
            self._budget.check_states(len(self.states))
        return number

    def _find_edges(self, number: int) -> Iterator[Edge]:
        state = self.states[number]
        for instance in self._instances.candidates(state):
            outcome = instance.outcome(self.cells, state)
            if isinstance(outcome, Fault):
                raise FaultFound(self, number)
            if outcome is not None:
                label, after = outcome
                yield TICK if is_end(self.cells, after) else label, self._number(after)


def text_of(label: Label) -> str:
    """A label in the user's words, as in a trace; the end has the sign of the literature."""
    name, arguments = label
    if label == TICK:
        return "✓"
    return f"{name}({', '.join(map(str, arguments))})" if arguments else name
