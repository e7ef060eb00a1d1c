"""The graph of explored states: states, steps, and what is true where."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, partial
from typing import final

from burnside.claims.kinds import StateClaim
from burnside.claims.members import Member
from burnside.ir.cells import Cells, State
from burnside.ir.nodes import Model
from burnside.results.events import Events
from burnside.results.exploration import Exploration
from burnside.results.reductions import SymmetryUsed
from burnside.values import dataclass


@final
@dataclass(frozen=True, slots=True)
class Edge:
    """A step: states by number, the rule instance by number."""

    source: int
    instance: int
    target: int


@final
@dataclass(frozen=True, slots=True)
class StateGraph:
    """States in the order in which a breadth-first search finds them, initial ones first, and all steps between them.

    On a quotient the states are representatives: a step leads from a representative to the representative of what it
    reaches, and ``orbits`` are the sizes of their orbits (all 1 without symmetry, 0 for more than 64 bits).
    """

    initial: int
    claims: int
    orbits: array[int]
    _unpack: Callable[[Sequence[int]], State]
    _width: int  # words of a state
    _words: array[int]
    _first: array[int]  # of its edges, for each state, and behind the last
    _labels: array[int]
    _targets: array[int]
    _sought: bytes

    def __len__(self) -> int:
        return len(self._first) - 1

    @property
    def edge_count(self) -> int:
        """How many steps there are."""
        return len(self._targets)

    def state(self, number: int) -> State:
        """The values of a state."""
        return self._unpack(self._words[number * self._width : (number + 1) * self._width])

    def steps(self, number: int) -> Iterator[Edge]:
        """The steps from a state, in the order of rules and parameters."""
        for k in range(self._first[number], self._first[number + 1]):
            yield Edge(number, self._labels[k], self._targets[k])

    def edges(self) -> Iterator[Edge]:
        """All steps, by their first state."""
        for number in range(len(self)):
            yield from self.steps(number)

    def is_stuck(self, number: int) -> bool:
        """Whether nothing can happen in a state."""
        return self._first[number] == self._first[number + 1]

    def is_sought(self, number: int, claim: int) -> bool:
        """Whether a state decides a claim: it violates an invariant, is to be reached, or is a deadlock."""
        return bool(self._sought[number * (self.claims + 1) + claim])


@final
@dataclass(frozen=True)
class GraphReport:
    """A graph of states with the claims whose truth is known in each, and the symmetry it was reduced by.

    ``has_sizes`` says whether the sizes of orbits are exact; in very large groups they are not counted.
    """

    model: Model
    graph: StateGraph
    members: tuple[Member[StateClaim], ...]
    symmetry: SymmetryUsed
    has_sizes: bool = False

    @property
    def is_quotient(self) -> bool:
        """Whether states stand for orbits."""
        return self.symmetry.mode != "none"

    @cached_property
    def events(self) -> Events:
        """The events of rule instances."""
        return Events(self.model)

    @cached_property
    def cells(self) -> Cells:
        """How states are described."""
        return Cells(self.model)

    def holds(self, number: int, claim: int) -> bool:
        """Whether what a claim is about is true in a state: an invariant, a state to be reached, no deadlock."""
        return self.graph.is_sought(number, claim) is self.members[claim].claim.is_existential

    def holding(self, number: int) -> Iterator[str]:
        """The names of the claims that are true in a state."""
        return (member.name for k, member in enumerate(self.members) if self.holds(number, k))

    def labelled_steps(self, number: int) -> Iterator[tuple[Edge, str]]:
        """The steps from a state with their events."""
        state = partial(self.graph.state, number)
        return ((edge, self.events.text(edge.instance, state)) for edge in self.graph.steps(number))

    def violated(self, number: int) -> Iterator[str]:
        """The names of the claims about what every state holds that are false in a state."""
        claims = enumerate(member.claim for member in self.members)
        of_states = (k for k, c in claims if not c.is_existential and not c.is_about_deadlock)
        return (self.members[k].name for k in of_states if not self.holds(number, k))


@final
@dataclass(frozen=True)
class Explored:
    """How an exploration ended, and the graph that it found if it was complete."""

    exploration: Exploration
    graph: GraphReport | None
