"""Permutations and permutation groups. Knows no states, models or graphs, and imports nothing else of Burnside."""

from burnside.groups.blocks import block_systems, minimal_blocks
from burnside.groups.chain import (
    StabiliserChain,
    group_order,
    pointwise_stabiliser,
    stabiliser_chain,
    uniform_elements,
    with_order,
)
from burnside.groups.faithful import equivariant_map, faithful_points
from burnside.groups.families import integer_root
from burnside.groups.group import PermGroup, disjoint_parts, orbit, orbits
from burnside.groups.perm import Perm
from burnside.groups.structure import describe, recognise
from burnside.groups.work import OutOfWork, Work

__all__ = [
    "OutOfWork",
    "Perm",
    "PermGroup",
    "StabiliserChain",
    "Work",
    "block_systems",
    "describe",
    "disjoint_parts",
    "equivariant_map",
    "faithful_points",
    "group_order",
    "integer_root",
    "minimal_blocks",
    "orbit",
    "orbits",
    "pointwise_stabiliser",
    "recognise",
    "stabiliser_chain",
    "uniform_elements",
    "with_order",
]
