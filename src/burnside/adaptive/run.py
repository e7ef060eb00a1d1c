"""Adaptive exploration from end to end: processes, edges, search, runs."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Final, final

from burnside.adaptive.actions import actions_of, condition_action
from burnside.adaptive.distance import greatest_distance
from burnside.adaptive.edges import Edge, edges_of, infer_edge, undecided
from burnside.adaptive.effort import Effort, OutOfTime
from burnside.adaptive.initial import initial_states
from burnside.adaptive.lift import lift_path
from burnside.adaptive.partitions import text_of
from burnside.adaptive.search import Found, Search
from burnside.adaptive.selftest import Tested, test_search
from burnside.adaptive.view import View, view_of
from burnside.ir.cells import State
from burnside.ir.nodes import Expr, Model
from burnside.ir.semantics import FaultRaised
from burnside.limits import phase, without_collections
from burnside.source import Diagnostic, ModelError
from burnside.values import dataclass

__all__ = ["Diagram", "Goal", "OutOfTime", "Outcome", "bytes_of", "diagram_of", "explore", "search_of"]

BYTES_PER_STATE: Final = 1_200  # a generous estimate of what Python keeps for an annotated state …
BYTES_PER_CELL: Final = 32  # … and for each of its cells


@final
@dataclass(frozen=True)
class Goal:
    """A condition that is sought, with the values of its parameters; no condition asks for a deadlock."""

    name: str
    condition: Expr | None
    known: dict[str, int]


@final
@dataclass(frozen=True)
class Diagram:
    """A model ready for adaptive exploration, and remarks on partitions that were given."""

    view: View
    edges: tuple[Edge, ...]
    notes: tuple[Diagnostic, ...]
    seconds: float = 0.0  # of processor time that finding it took

    @property
    def kinds(self) -> int:
        """How many different partitions the edges have."""
        return len({edge.partition for edge in self.edges})

    def describe(self) -> list[str]:
        """Every edge with its actors and its partition."""
        name = self.view.name
        return [
            f"{edge.action.name}{' for ' + text_of((edge.actors,), name)[2:-2] if edge.actors else ''}: "
            f"{text_of(edge.partition, name)}"
            for edge in self.edges
        ]


@final
@dataclass(frozen=True)
class Outcome:
    """What the search found: figures, and a run for every goal that was reached; ``stop`` is a value of `Stop`."""

    stop: str
    states: int
    transitions: int
    deadlocks: int
    depth: int | None
    initial: int
    seconds: float
    bytes: int
    runs: tuple[tuple[State, ...] | None, ...]
    fault: tuple[State, ...] | None
    tested: Tested
    notes: tuple[Diagnostic, ...] = ()


@phase("inferring partitions")
def diagram_of(model: Model, is_over: Callable[[], bool] = lambda: False) -> Diagram:
    """The processes and edges of a model; raises `ModelError` if it has none, or if a given partition is wrong.

    ``is_over`` is asked now and then whether the user's time is over; then `OutOfTime` is raised.
    """
    began = time.thread_time()
    view = view_of(model, Effort(is_over))
    edges, notes = edges_of(view, actions_of(view))
    return Diagram(view, edges, notes, time.thread_time() - began)


def search_of(diagram: Diagram, goals: Sequence[Goal]) -> Search:
    """A search that has not begun."""
    view = diagram.view
    view.effort.renew()
    conditions = [None if g.condition is None else _condition(view, g.name, g.condition, g.known) for g in goals]
    return Search(view, diagram.edges, conditions, _condition(view, "terminal", view.model.terminal, {}))


def bytes_of(search: Search) -> int:
    """What the states of a search take, estimated."""
    return len(search.cover) * BYTES_PER_STATE + search.cover.cells * BYTES_PER_CELL


def _condition(view: View, name: str, condition: Expr, known: dict[str, int]) -> Edge:
    return infer_edge(view, condition_action(view, name, condition, known), ())


def explore(
    diagram: Diagram,
    goals: Sequence[Goal],
    stop: Callable[[Search], str | None] = lambda _: None,
    *,
    thorough: bool = False,
) -> Outcome:
    """Search for the goals; ``stop`` is asked now and then and names the limit that was reached.

    The search tests itself, thoroughly if asked; raises `SelfTestFailed`.
    """
    began, cpu = time.perf_counter(), time.thread_time()
    search = search_of(diagram, goals)
    reason: list[str] = []

    def limit(state: Search) -> bool:
        named = stop(state)
        reason.extend([named] if named else [])
        return bool(named)

    faulted: tuple[State, ...] | None = None
    ending = "complete"
    try:
        with without_collections():
            is_finished = search.run(initial_states(diagram.view), limit)
        if not is_finished:
            ending = reason[0]
        elif search.fault is not None:
            ending = "fault"
        elif goals and None not in search.found:
            ending = "decided"
    except KeyboardInterrupt:
        ending = "interrupt"
    except FaultRaised:
        ending, faulted = "fault", ()
    except RecursionError as error:
        message = "too many processes, or too many of their states, are told apart"
        raise ModelError([Diagnostic("BUR301", message)]) from error
    seconds = time.perf_counter() - began
    asked = [(goal.condition, goal.known) for goal in goals]
    tested = test_search(search, asked, diagram.seconds + time.thread_time() - cpu, thorough=thorough)
    if search.fault is not None:
        faulted = lift_path(search, search.fault)
    return _outcome(search, ending, seconds, faulted, tested)


def _outcome(search: Search, ending: str, seconds: float, fault: tuple[State, ...] | None, tested: Tested) -> Outcome:
    def lifted(found: Found | None) -> tuple[State, ...] | None:
        return None if found is None else lift_path(search, found)

    cover = search.cover
    return Outcome(
        stop=ending,
        states=len(cover) - len(cover.dropped),
        transitions=search.transitions,
        deadlocks=search.deadlocks,
        depth=greatest_distance(search),
        initial=sum(1 for k, o in enumerate(cover.origin) if o is None and k not in cover.dropped),
        seconds=seconds,
        bytes=bytes_of(search),
        runs=tuple(map(lifted, search.found)),
        fault=fault,
        tested=tested,
        notes=tuple(undecided(g for g in search.goals if g is not None)),
    )
