"""Symmetries of actors: against all permutations, on known families, and on the systems of the paper."""

from __future__ import annotations

import random
from math import factorial
from pathlib import Path
from time import process_time

import pytest

from actors.topologies import compare_with_all_permutations, random_topology, ring, star
from burnside.actors.symmetry import find_symmetries
from burnside.frontends.rebeca import load
from burnside.ir.topology import Actor, Topology
from burnside.source import Source

EXAMPLES = Path(__file__).parents[3] / "examples" / "jaghoori2005"


@pytest.mark.parametrize("first", range(0, 50, 10))
def test_random_topologies_have_all_symmetries_that_brute_force_finds(first):
    for seed in range(first, first + 10):
        compare_with_all_permutations(random_topology(seed))


@pytest.mark.slow
def test_many_random_topologies_have_all_symmetries_that_brute_force_finds():
    for seed in range(1_000, 1_500):
        compare_with_all_permutations(random_topology(seed))


@pytest.mark.parametrize("size", [1, 2, 3, 10, 40])
def test_a_ring_rotates_and_the_leaves_of_a_star_are_exchanged(size):
    assert find_symmetries(ring(size)).order == size
    assert find_symmetries(star(size + 1)).order == factorial(size)


@pytest.mark.slow
@pytest.mark.parametrize("family", [ring, star])
def test_time_grows_like_a_polynomial(family):
    """A thousand actors take seconds; ten times as many take at most a hundred times as long, and some for noise."""
    seconds = []
    for size in (100, 1_000):
        start = process_time()
        find_symmetries(family(size))
        seconds.append(process_time() - start)

    assert seconds[1] < 30
    assert seconds[1] < 300 * seconds[0]


def test_many_equal_parts_are_exchanged():
    """Rings of three, numbered at random: whoever repairs a wrong guess far from where it is wrong does not end."""
    count, chance = 100, random.Random(0)
    numbers = chance.sample(range(3 * count), 3 * count)
    successors = {numbers[i]: numbers[i - i % 3 + (i + 1) % 3] for i in range(3 * count)}
    topology = Topology(tuple(Actor(f"n{i}", "Node", (), (successors[i],)) for i in range(3 * count)))

    assert find_symmetries(topology).order == 3**count * factorial(count)


def test_references_are_followed_backwards():
    """Two actors that know nobody differ if one is known twice: the printed algorithm takes them for equal."""
    topology = Topology((Actor("a", "A", (), ()), Actor("b", "A", (), ()), Actor("c", "C", (), (0, 0))))

    assert find_symmetries(topology).orbits == [["a"], ["b"], ["c"]]


def test_maps_are_one_to_one():
    """One knows two others, one knows the same one twice."""
    topology = Topology(
        (Actor("x", "X", (), (2, 3)), Actor("y", "X", (), (2, 2)), Actor("p", "P", (), ()), Actor("q", "P", (), ()))
    )

    assert find_symmetries(topology).order == 1


def test_graphs_can_be_written_with_actors():
    """Actors that know two others are edges: here those of two squares, one of them crossed."""
    edges = [(0, 1), (1, 2), (2, 3), (3, 0)]
    nodes = [Actor(f"n{i}", "N", (), ()) for i in range(4)]
    both = [Actor(f"e{i}{j}", "E", (), pair) for i, j in edges for pair in ((i, j), (j, i))]

    assert find_symmetries(Topology((*nodes, *both))).order == 8


def topology_of(text: str) -> Topology:
    """The actors of a text."""
    found = load(Source("model", text), {}).topology
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("name", "order", "orbits"),
    [
        ("load_balancer_static", 1, [1] * 11),
        ("load_balancer_dynamic", 72, [6, 2, 1, 1, 1]),
        ("load_balancer_small", 8, [4, 2, 1, 1]),
        ("dining_philosophers", 3, [3, 3]),
        ("leader_election", 1, [1, 1, 1]),
        ("workers", 1, [1]),
    ],
)
def test_systems_of_the_paper(name, order, orbits):
    """Definitions 3 and 4 and the initial state; the static balancer has no symmetry at all."""
    found = find_symmetries(topology_of((EXAMPLES / f"{name}.rebeca").read_text()))

    assert found.order == order
    assert [len(orbit) for orbit in found.orbits] == orbits


def test_constructors_count_with_what_they_send():
    """Two constructors send to a third rebec: the order of its queue tells the senders apart."""
    text = """
reactiveclass A(2) { knownrebecs { B b; } A() { %s } msgsrv m() { } }
reactiveclass B(2) { msgsrv hello() { } }
main { A x(b):(); A y(b):(); B b():(); }
"""
    assert find_symmetries(topology_of(text % "b.hello();")).order == 1
    assert find_symmetries(topology_of(text % "")).order == 2


def test_arguments_that_are_rebecs_move_with_them():
    text = """
reactiveclass A(2) { statevars { A other; } msgsrv initial(A o) { other = o; } }
main { A x():(y); A y():(x); A z():(z); }
"""
    assert find_symmetries(topology_of(text)).orbits == [["x", "y"], ["z"]]


def test_rebecs_that_constructors_created_are_actors():
    """Without them, whoever has one would look like whoever has none."""
    text = """
reactiveclass A(2) { statevars { W w; } A(boolean makes) { if (makes) { w = new W():(); } } msgsrv m() { } }
reactiveclass W(2) { statevars { } msgsrv m() { } }
main { A x():(true); A y():(true); A z():(false); }
"""
    assert find_symmetries(topology_of(text)).orbits == [["x", "y"], ["z"], ["W#1", "W#2"]]
