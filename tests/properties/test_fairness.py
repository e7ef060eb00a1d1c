"""Fair cycles of graphs that rename processes, against all sets of nodes of the graph without renamings."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, permutations
from random import Random

import igraph
import pytest

from burnside.claims.kinds import Fairness
from support.fair_lassos import Lasso, lasso_through
from support.fair_sets import Edge, Graph, find_fair_set


def random_graph(random: Random, *, renaming: bool) -> Graph:
    """A few nodes, two or three processes, up to two acceptance sets."""
    nodes, processes, sets = random.randint(1, 4), random.choice((2, 2, 3)), random.choice((0, 1, 2))
    if renaming and processes == 3:
        nodes = min(nodes, 2)
    names = list(permutations(range(processes)))

    def edge() -> Edge:
        return Edge(
            random.randrange(nodes),
            frozenset(m for m in range(sets) if random.random() < 0.5),
            random.choice((None, *range(processes))),
            random.choice(names) if renaming else (),
        )

    rows = [[edge() for _ in range(random.randint(0, 3))] for _ in range(nodes)]
    enabled = [
        frozenset(e.process for e in row if e.process is not None)
        | frozenset(i for i in range(processes) if random.random() < 0.3)
        for row in rows
    ]
    return Graph(rows, enabled, processes, sets)


def unfolded(graph: Graph) -> Graph:
    """The same runs with every process under one name: nodes say what each is called."""
    names = list(permutations(range(graph.processes)))
    nodes = [(n, name) for n in range(len(graph.edges)) for name in names]
    number = {node: k for k, node in enumerate(nodes)}
    rows = []
    for n, name in nodes:
        row = []
        for e in graph.edges[n]:
            after = tuple(e.renamed(i) for i in name)
            row.append(Edge(number[e.target, after], e.marks, None if e.process is None else name.index(e.process)))
        rows.append(row)
    enabled = [frozenset(name.index(i) for i in graph.enabled[n]) for n, name in nodes]
    return Graph(rows, enabled, graph.processes, graph.sets)


def has_fair_set(graph: Graph, fairness: Fairness) -> bool:
    """By looking at every set of nodes."""
    every = range(len(graph.edges))
    return any(is_fair(graph, set(c), fairness) for k in every for c in combinations(every, k + 1))


def is_fair(graph: Graph, nodes: set[int], fairness: Fairness) -> bool:
    """Whether a run can visit exactly these nodes for ever, all of them, accepting and fairly."""
    inside = [(n, e) for n in nodes for e in graph.edges[n] if e.target in nodes]
    order = {n: k for k, n in enumerate(sorted(nodes))}
    shape = igraph.Graph(len(nodes), [(order[n], order[e.target]) for n, e in inside], directed=True)
    if not inside or not shape.is_connected(mode="strong"):
        return False
    if {m for _, e in inside for m in e.marks} != set(range(graph.sets)):
        return False
    for i in range(graph.processes):
        executed = any(e.process == i for _, e in inside)
        times = [i in graph.enabled[n] for n in nodes]
        if fairness is Fairness.WEAK and all(times) and not executed:
            return False
        if fairness is Fairness.STRONG and any(times) and not executed:
            return False
    return True


@pytest.mark.parametrize("fairness", (Fairness.NONE, Fairness.WEAK, Fairness.STRONG))
@pytest.mark.parametrize("renaming", [False, True])
def test_fair_sets_are_found_exactly_where_there_are_some(renaming: bool, fairness: Fairness) -> None:
    """On four hundred random graphs each; both answers occur."""
    answers: Counter[bool] = Counter()
    for seed in range(400):
        graph = random_graph(Random(seed), renaming=renaming)
        expected = has_fair_set(unfolded(graph) if renaming else graph, fairness)
        assert (find_fair_set(graph, fairness) is not None) == expected, seed
        answers[expected] += 1

    assert min(answers.values()) > 20


def test_forgetting_the_renaming_gives_the_wrong_answer() -> None:
    """Two processes take turns up to symmetry: each step is by process 0, which is then called 1.

    Both are executed for ever. Without the renaming, process 1 seems to starve.
    """
    tracked = Graph([[Edge(0, process=0, renaming=(1, 0))]], [frozenset({0, 1})], 2, 0)
    forgotten = Graph([[Edge(0, process=0)]], [frozenset({0, 1})], 2, 0)

    for fairness in (Fairness.WEAK, Fairness.STRONG):
        assert find_fair_set(tracked, fairness) is not None
        assert find_fair_set(forgotten, fairness) is None


def follow(graph: Graph, lasso: Lasso) -> tuple[set[int], list[tuple[tuple[int, ...], int, Edge]]]:
    """Walk a lasso step by step with every process under one name: the loop's steps, and where it began and ended."""
    names = tuple(range(graph.processes))
    node = lasso.stem[0][0] if lasso.stem else lasso.loop[0][0]
    walked = []
    begin = None
    for k, (source, edge) in enumerate((*lasso.stem, *lasso.loop)):
        assert source == node
        assert edge in graph.edges[node]
        if k == len(lasso.stem):
            begin = (node, names)
        if begin is not None:
            walked.append((names, node, edge))
        names = tuple(edge.renamed(i) for i in names)
        node = edge.target
    assert begin == (node, names)
    return {n for _, n, _ in walked}, walked


@pytest.mark.parametrize("fairness", (Fairness.NONE, Fairness.WEAK, Fairness.STRONG))
@pytest.mark.parametrize("renaming", [False, True])
def test_a_lasso_closes_and_is_fair(renaming: bool, fairness: Fairness) -> None:
    """Followed step by step: it comes back with every name in place, sees all sets, and treats all processes fairly."""
    found = 0
    for seed in range(400):
        graph = random_graph(Random(seed), renaming=renaming)
        fair = find_fair_set(graph, fairness)
        if fair is None or not fair.nodes:
            continue
        reach = {0}
        queue = [0]
        for node in queue:
            new = {e.target for e in graph.edges[node]} - reach
            reach |= new
            queue += sorted(new)
        if not fair.nodes & reach:
            continue
        found += 1
        _, loop = follow(graph, lasso_through(graph, fair, [0], fairness))
        assert {m for _, _, e in loop for m in e.marks} == set(range(graph.sets))
        for process in range(graph.processes):
            executed = any(e.process == names[process] for names, _, e in loop)
            enabled = [names[process] in graph.enabled[node] for names, node, _ in loop]
            assert fairness is not Fairness.WEAK or executed or not all(enabled), seed
            assert fairness is not Fairness.STRONG or executed or not any(enabled), seed

    assert found > 20
