"""Fair and accepting cycles in a graph whose edges rename processes: the rule of ``runtime/fair.h``, in Python.

In a quotient, an edge leads to the representative of a successor, and the symmetry that takes the successor there
renames the processes. Who forgets that confuses processes: a cycle of the quotient may come back to the same state
with process 1 in the place of process 0. So every process is followed through the renamings [EmersonSistla97]: a
*thread* is a node and a process, and an edge takes the thread ``(n, i)`` to ``(m, π(i))``. Within a strongly connected
set of nodes the threads fall into classes, each strongly connected itself, because renamings are bijections. A run that
takes every edge of the set again and again takes each of its processes through all of one class.

* weak: every process is infinitely often disabled or executed. Every class needs a thread that is.
* strong: a process that is infinitely often enabled is infinitely often executed. A class with an enabled thread needs
  an executed one; if it has none, the nodes where such a thread is enabled cannot be visited for ever, and the rest is
  searched again [EmersonLei87].

Without symmetry every renaming is the identity, and there is one class for every process.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias, final

from burnside.claims.kinds import Fairness
from burnside.ltl.components import strong_components


@final
@dataclass(frozen=True, slots=True)
class Edge:
    """A step to ``target`` that belongs to the acceptance sets ``marks``, taken by ``process`` (None: by nobody).

    ``renaming[i]`` is what process ``i`` is called in the target; empty if nobody is renamed.
    """

    target: int
    marks: frozenset[int] = frozenset()
    process: int | None = None
    renaming: tuple[int, ...] = ()

    def renamed(self, process: int) -> int:
        """What a process is called afterwards."""
        return self.renaming[process] if self.renaming else process


@final
@dataclass(frozen=True)
class Graph:
    """Nodes by number, their edges, and the processes that could act there; runs must visit ``sets`` sets of edges."""

    edges: Sequence[Sequence[Edge]]
    enabled: Sequence[frozenset[int]]
    processes: int
    sets: int


Thread: TypeAlias = tuple[int, int]  # node, process


@final
@dataclass(frozen=True)
class FairSet:
    """Nodes that a fair and accepting run can visit for ever, all of them."""

    nodes: frozenset[int]


def find_fair_set(graph: Graph, fairness: Fairness) -> FairSet | None:
    """Some fair and accepting set of nodes, if there is one. Every node counts as reachable."""
    waiting = [frozenset(range(len(graph.edges)))]
    while waiting:
        for nodes in _components(graph, waiting.pop()):
            if not _is_accepting(graph, nodes):
                continue
            unfair = _unfair_nodes(graph, nodes, fairness)
            if not unfair:
                return FairSet(nodes)
            if fairness is Fairness.STRONG:
                waiting.append(nodes - unfair)
    return None


def _components(graph: Graph, nodes: frozenset[int]) -> Iterable[frozenset[int]]:
    """The strongly connected components of a part of a graph."""
    order = sorted(nodes)
    number = {node: k for k, node in enumerate(order)}
    inside = [[number[e.target] for e in graph.edges[node] if e.target in nodes] for node in order]
    return (frozenset(order[k] for k in component) for component in strong_components(inside))


def _is_accepting(graph: Graph, nodes: frozenset[int]) -> bool:
    """Whether a run can stay in a component for ever, and see edges of every set there."""
    inside = [e for node in nodes for e in graph.edges[node] if e.target in nodes]
    marks = frozenset[int]().union(*(e.marks for e in inside))
    return bool(inside) and len(marks) == graph.sets


def _unfair_nodes(graph: Graph, nodes: frozenset[int], fairness: Fairness) -> frozenset[int]:
    """Nodes that a fair run within a component cannot visit for ever; none if the whole component is fair."""
    if fairness is Fairness.NONE:
        return frozenset()
    executed = {
        (node, e.process) for node in nodes for e in graph.edges[node] if e.target in nodes and e.process is not None
    }
    unfair: set[int] = set()
    for members in thread_classes(graph, nodes):
        if any(thread in executed for thread in members):
            continue
        enabled = {node for node, process in members if process in graph.enabled[node]}
        is_disabled = any(process not in graph.enabled[node] for node, process in members)
        if enabled if fairness is Fairness.STRONG else not is_disabled:
            unfair |= enabled
    return frozenset(unfair)


def thread_classes(graph: Graph, nodes: frozenset[int]) -> list[list[Thread]]:
    """The threads of a strongly connected set of nodes, those together that lead to each other."""
    parent: dict[Thread, Thread] = {(node, i): (node, i) for node in nodes for i in range(graph.processes)}

    def root(thread: Thread) -> Thread:
        while parent[thread] != thread:
            parent[thread] = thread = parent[parent[thread]]
        return thread

    for node in nodes:
        for edge in graph.edges[node]:
            if edge.target in nodes:
                for i in range(graph.processes):
                    parent[root((node, i))] = root((edge.target, edge.renamed(i)))
    classes: dict[Thread, list[Thread]] = {}
    for thread in parent:
        classes.setdefault(root(thread), []).append(thread)
    return list(classes.values())
