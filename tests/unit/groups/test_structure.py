"""Structures of the groups of Table I, in the actions in which detection finds them."""

from __future__ import annotations

from dataclasses import replace

import group_examples as examples
import pytest

from burnside.groups import PermGroup, Work, describe, group_order
from burnside.groups.families import symmetric
from burnside.groups.names import Named
from burnside.groups.perm import from_cycles

TABLE_I = {
    "token circulation 3": (examples.token_circulation(3), 6, "C6"),
    "token circulation 4": (examples.token_circulation(4), 8, "C4 × C2"),
    "token circulation 5": (examples.token_circulation(5), 10, "C10"),
    "reader-writer": (examples.symmetric(2), 2, "C2"),
    "peterson 9": (examples.symmetric(9, literals=20, ids=8), 362880, "S9"),
    "peterson 12": (examples.symmetric(12, literals=20, ids=8), 479001600, "S12"),
    "allocator 2-2-3": (examples.allocator([2, 2, 3]), 24, "S3 × C2^2"),
    "allocator 3-3-4": (examples.allocator([3, 3, 4]), 864, "S4 × S3^2"),
    "three-tier 3-3-2": (examples.three_tier([3, 3, 2]), 144, "(S3 wr S2) × C2"),
    "three-tier 3-3-3": (examples.three_tier([3, 3, 3]), 1296, "S3 wr S3"),
    "three-tier 4-4-3": (examples.three_tier([4, 4, 3]), 6912, "(S4 wr S2) × S3"),
    "hypercube 3": (examples.hypercube(3), 48, "C2 wr S3"),
    "hypercube 4": (examples.hypercube(4), 384, "C2 wr S4"),
    "hypercube 5": (examples.hypercube(5), 3840, "C2 wr S5"),
    "hypercube 6": (examples.hypercube(6), 46080, "C2 wr S6"),
    "philosophers 10": (examples.rotations(10, 7), 10, "C10"),
    "philosophers 20": (examples.rotations(20, 7), 20, "C20"),
    "scheduler": (PermGroup(49, ()), 1, "1"),
    "two-hop 3": (examples.two_hop(3), 72, "S3^2 × C2"),
    "two-hop 4": (examples.two_hop(4), 576, "(D6 wr S2) × C2"),
    "two-hop 9": (examples.two_hop(9), 216, "D9 × S3 × C2"),
    "leader election 15": (examples.symmetric(15, literals=2, ids=0), 1307674368000, "S15"),
    "heap 11": (examples.heap_tree(11), 16, "D4 × C2"),
    "heap 15": (examples.heap_tree(15), 128, "C2 wr S2 wr S2"),
    "heap 19": (examples.heap_tree(19), 128, "D4^2 × C2"),
    "golfers 3-3-4": (examples.golfers(9, 4, 3), 11287019520, "S9 × (S3 wr S4)"),
}

OTHERS = {
    "ordered pairs": (examples.ordered_pairs(6), 720, "S6"),
    "unordered pairs": (examples.unordered_pairs(7), 5040, "S7"),
    "unordered pairs of 12": (examples.unordered_pairs(12), 479001600, "S12"),
    "six pairs": (examples.unordered_pairs(4), 24, "S4"),
    "S5 on six points": (
        PermGroup(
            6, (from_cycles(6, (0, 1, 2, 3, 4)), from_cycles(6, (0, 5), (1, 4)), from_cycles(6, (1, 2, 4, 3))), 120
        ),
        120,
        "S5",
    ),
    "ring with reflections": (examples.dihedral_colours(12), 288, "D12 × S3 × C2"),
    "six processes in a ring": (
        PermGroup(6, (from_cycles(6, range(6)), from_cycles(6, (1, 5), (2, 4))), 12),
        12,
        "D6",
    ),
    "alternating": (PermGroup(5, (from_cycles(5, range(5)), from_cycles(5, (0, 1, 2))), 60), 60, "A5"),
    "wreath": (examples.wreath(4, 3, literals=2), 82944, "S4 wr S3"),
    "servers with two kinds of clients": (examples.two_kinds(3, 4, 2), 41472, "(S4 × S3) wr S2"),
}

KNOWN = TABLE_I | OTHERS


@pytest.mark.parametrize(("group", "order", "text"), KNOWN.values(), ids=KNOWN)
def test_structure_is_recognised(group: PermGroup, order: int, text: str) -> None:
    """From the generators as built."""
    assert group.order == order == group_order(replace(group, order=None))
    assert describe(group) == text


@pytest.mark.parametrize(("group", "order", "text"), KNOWN.values(), ids=KNOWN)
def test_structure_does_not_depend_on_generators_or_numbering(group: PermGroup, order: int, text: str) -> None:
    """Points renumbered, generators mixed; also without being told the order."""
    for seed in (1, 2):
        mixed = examples.disguised(group, seed)

        assert describe(mixed) == text
        assert mixed.order == order
    if order < 100_000:
        assert describe(replace(examples.disguised(group, seed=3), order=None)) == text


def test_two_hop_colouring_of_an_even_ring_has_no_name() -> None:
    """For n = 12 the group is C2 x H where H is S3^2 extended by D12, whose odd rotations exchange the two S3.

    H is no direct product and no wreath product; for n = 4 it is one, since D4 is C2 wr S2.
    """
    assert describe(examples.two_hop(12)) is None


def unnamed(*generators: tuple[int, ...]) -> PermGroup:
    return PermGroup(len(generators[0]), generators)


@pytest.mark.parametrize(
    ("group", "order"),
    [
        (unnamed(from_cycles(5, range(5)), from_cycles(5, (1, 2, 4, 3))), 20),
        (unnamed(from_cycles(7, range(7)), from_cycles(7, (1, 2, 4), (3, 6, 5))), 21),
        (unnamed(from_cycles(8, (0, 1, 2, 3), (4, 5, 6, 7)), from_cycles(8, (0, 4, 2, 6), (1, 7, 3, 5))), 8),
        (unnamed(from_cycles(6, (0, 1, 2)), from_cycles(6, (3, 4, 5)), from_cycles(6, (0, 1), (3, 4))), 18),
    ],
    ids=["affine 5:4", "affine 7:3", "quaternions", "S3 and S3 of the same sign"],
)
def test_what_has_no_name_gets_none(group: PermGroup, order: int) -> None:
    """Orders alone would suggest D10, C7 x C3, D4 and S3 x C3; none of it is true."""
    assert group_order(group) == order
    assert describe(group) is None


def test_reflections_are_no_swaps() -> None:
    """D12 has the order of S4 and six conjugate reflections, but they do not commute as swaps should."""
    d12 = PermGroup(12, (from_cycles(12, range(12)), tuple(-i % 12 for i in range(12))), 24)

    assert symmetric(d12, Work(1_000_000)) is None
    assert symmetric(examples.unordered_pairs(4), Work(1_000_000)) == Named("S", 4)


def test_beyond_the_limit_nothing_is_said() -> None:
    """The limit counts work, so the answer is the same on every machine."""
    group = examples.two_hop(9)

    assert describe(group, limit=20_000) is None
    assert describe(group) == "D9 × S3 × C2"


def test_a_wrong_order_is_an_error() -> None:
    """Names rest on the order, so it is checked: A6 is not S6, and S6 is not A6."""
    a6 = PermGroup(6, (from_cycles(6, (0, 1, 2)), from_cycles(6, (1, 2, 3, 4, 5))), 720)
    s6 = PermGroup(6, (from_cycles(6, (0, 1)), from_cycles(6, range(6))), 360)
    for group in (a6, s6):
        with pytest.raises(ValueError, match="the order of the group is"):
            describe(group)
