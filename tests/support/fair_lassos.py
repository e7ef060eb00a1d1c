"""A run that shows a fair set: a way to it, and a cycle within it that is fair by itself.

The cycle sees an edge of every acceptance set and takes every process through what makes its class fair. Up to renaming
it closes after one round. Repeated as often as its renaming needs to become the identity, it closes exactly.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias, final

from burnside.claims.kinds import Fairness
from support.fair_sets import Edge, FairSet, Graph, Thread, thread_classes

Step: TypeAlias = tuple[int, Edge]  # a node and an edge that leaves it


@final
@dataclass(frozen=True, slots=True)
class Lasso:
    """The steps of the stem and of the loop; the loop is not empty, and ends where it began, names of processes
    included.
    """

    stem: tuple[Step, ...]
    loop: tuple[Step, ...]


def lasso_through(graph: Graph, fair: FairSet, initial: Iterable[int], fairness: Fairness) -> Lasso:
    """A lasso from an initial node into a fair set."""
    stem = _shortest(graph, [*initial], fair.nodes.__contains__, None)
    start = stem[-1][1].target if stem else next(n for n in initial if n in fair.nodes)
    round_trip = _Tour(graph, fair.nodes, start).steps(fairness)
    return Lasso(tuple(stem), tuple(_closed(graph, round_trip)))


def _shortest(
    graph: Graph, starts: Sequence[int], is_goal: Callable[[int], bool], within: frozenset[int] | None
) -> list[Step]:
    """The steps of a shortest way from one of some nodes to a goal; none if a start is one."""
    before: dict[int, Step | None] = dict.fromkeys(starts)
    queue = deque(starts)
    while queue:
        node = queue.popleft()
        if is_goal(node):
            return _way_back(before, node)
        for edge in graph.edges[node]:
            if edge.target not in before and (within is None or edge.target in within):
                before[edge.target] = (node, edge)
                queue.append(edge.target)
    raise ValueError("there is no way")


def _way_back(before: dict[int, Step | None], node: int) -> list[Step]:
    steps: list[Step] = []
    while (step := before[node]) is not None:
        steps.append(step)
        node = step[0]
    return steps[::-1]


@final
class _Tour:
    """One round through a fair set, grown piece by piece."""

    def __init__(self, graph: Graph, nodes: frozenset[int], start: int) -> None:
        self._graph = graph
        self._nodes = nodes
        self._start = start
        self._here = start
        self._names = tuple(range(graph.processes))  # what the processes of the start are called here
        self._steps: list[Step] = []

    def steps(self, fairness: Fairness) -> list[Step]:
        """See every acceptance set, be fair to every process, come back."""
        for mark in range(self._graph.sets):
            if not any(mark in edge.marks for _, edge in self._steps):
                self._take(next(step for step in self._inside() if mark in step[1].marks))
        if fairness is not Fairness.NONE:
            for process in range(self._graph.processes):
                self._be_fair_to(process, fairness)
        if not self._steps:
            self._take(next(self._inside()))
        self._walk(_shortest(self._graph, [self._here], self._start.__eq__, self._nodes))
        return self._steps

    def _inside(self) -> Iterator[Step]:
        """All steps within the set."""
        return ((n, e) for n in sorted(self._nodes) for e in self._graph.edges[n] if e.target in self._nodes)

    def _walk(self, steps: Iterable[Step]) -> None:
        for node, edge in steps:
            self._steps.append((node, edge))
            self._names = tuple(edge.renamed(i) for i in self._names)
            self._here = edge.target

    def _take(self, step: Step) -> None:
        self._walk(_shortest(self._graph, [self._here], step[0].__eq__, self._nodes))
        self._walk([step])

    def _be_fair_to(self, process: int, fairness: Fairness) -> None:
        """Follow a process to where it acts or, if that is enough, where it cannot; nothing if it never could act."""
        members = next(c for c in self._classes if (self._start, process) in c)
        can_act = any(i in self._graph.enabled[n] for n, i in members)
        acts = any(e.process == i for n, i in members for e in self._graph.edges[n] if e.target in self._nodes)
        if not can_act or (fairness is Fairness.STRONG and not acts):
            return
        thread = (self._here, self._names[process])
        way = self._thread_way(thread, lambda t: self._shows_fairness(t, fairness))
        self._walk(way)
        name = self._names[process]
        if fairness is Fairness.STRONG or name in self._graph.enabled[self._here]:
            edges = self._graph.edges[self._here]
            self._walk([(self._here, next(e for e in edges if e.process == name and e.target in self._nodes))])

    @property
    def _classes(self) -> list[set[Thread]]:
        return [set(c) for c in thread_classes(self._graph, self._nodes)]

    def _shows_fairness(self, thread: Thread, fairness: Fairness) -> bool:
        node, process = thread
        acts = any(e.process == process and e.target in self._nodes for e in self._graph.edges[node])
        return acts or (fairness is not Fairness.STRONG and process not in self._graph.enabled[node])

    def _thread_way(self, start: Thread, is_goal: Callable[[Thread], bool]) -> list[Step]:
        """The steps that take a thread to a goal."""
        before: dict[Thread, tuple[Thread, Step] | None] = {start: None}
        queue = deque([start])
        while queue:
            thread = queue.popleft()
            if is_goal(thread):
                steps: list[Step] = []
                while (link := before[thread]) is not None:
                    thread = link[0]
                    steps.append(link[1])
                return steps[::-1]
            node, process = thread
            for edge in self._graph.edges[node]:
                after = (edge.target, edge.renamed(process))
                if edge.target in self._nodes and after not in before:
                    before[after] = (thread, (node, edge))
                    queue.append(after)
        raise ValueError("the set is not fair")


def _closed(graph: Graph, round_trip: Sequence[Step]) -> list[Step]:
    """The round as often as it takes until every process has its own name again."""
    identity = tuple(range(graph.processes))
    names, steps = identity, list[Step]()
    while not steps or names != identity:
        steps += round_trip
        for _, edge in round_trip:
            names = tuple(edge.renamed(i) for i in names)
    return steps
