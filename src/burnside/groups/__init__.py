"""Permutations and permutation groups. Knows no states, models or graphs, and imports nothing else of Burnside."""

from burnside.groups.chain import (
    StabiliserChain,
    group_order,
    pointwise_stabiliser,
    stabiliser_chain,
    uniform_elements,
    with_order,
)
from burnside.groups.faithful import equivariant_map, faithful_points
from burnside.groups.group import PermGroup, orbit, orbits, random_elements
from burnside.groups.perm import Perm
from burnside.groups.work import OutOfWork, Work

__all__ = [
    "OutOfWork",
    "Perm",
    "PermGroup",
    "StabiliserChain",
    "Work",
    "equivariant_map",
    "faithful_points",
    "group_order",
    "orbit",
    "orbits",
    "pointwise_stabiliser",
    "random_elements",
    "stabiliser_chain",
    "uniform_elements",
    "with_order",
]
