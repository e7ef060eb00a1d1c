"""Topologies of actors: families of known groups, random ones, and the judge of what is found."""

from __future__ import annotations

import random
from itertools import permutations

from burnside.actors.symmetry import find_symmetries
from burnside.groups import group_order
from burnside.groups.group import PermGroup
from burnside.ir.topology import Actor, Topology


def ring(size: int) -> Topology:
    """Everybody knows the next one."""
    return Topology(tuple(Actor(f"n{i}", "Node", (), ((i + 1) % size,)) for i in range(size)))


def star(size: int) -> Topology:
    """All but one know that one."""
    centre = Actor("centre", "Centre", (), ())
    return Topology((centre, *(Actor(f"leaf{i}", "Leaf", (), (0,)) for i in range(size - 1))))


def random_topology(seed: int) -> Topology:
    """A few actors of one or two classes that know one another at random."""
    chance = random.Random(seed)
    size, classes = chance.randint(2, 6), chance.randint(1, 2)
    kinds = sorted("AB"[chance.randrange(classes)] for _ in range(size))
    known = {kind: chance.randint(0, 2) for kind in "AB"}
    others = [None, *list(range(size)) * 3]
    return Topology(
        tuple(
            Actor(
                f"a{i}", kind, (chance.choice([0, 0, 0, 1]),), tuple(chance.choice(others) for _ in range(known[kind]))
            )
            for i, kind in enumerate(kinds)
        )
    )


def compare_with_all_permutations(topology: Topology) -> None:
    """The group is exactly the set of permutations that keep everything."""
    kept = [p for p in permutations(range(len(topology.actors))) if topology.is_kept_by(p)]
    found = find_symmetries(topology)

    assert found.order == len(kept)
    assert set(found.group.generators) <= set(kept)
    assert group_order(PermGroup(len(topology.actors), found.group.generators)) == len(kept)
