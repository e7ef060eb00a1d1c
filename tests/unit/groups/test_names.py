"""How structures are written."""

from __future__ import annotations

import pytest

from burnside.groups.names import (
    TRIVIAL,
    Named,
    Structure,
    Wreath,
    direct_product,
    invariant_factors,
    prime_powers,
    structure_order,
    structure_text,
)

C2, C3, C4, C5 = (Named("C", n) for n in (2, 3, 4, 5))
S2, S3, S4, D6, D9 = Named("S", 2), Named("S", 3), Named("S", 4), Named("D", 6), Named("D", 9)


@pytest.mark.parametrize(
    ("structure", "text", "order"),
    [
        (TRIVIAL, "1", 1),
        (D9, "D9", 18),
        (Named("A", 5), "A5", 60),
        (direct_product([]), "1", 1),
        (direct_product([C2, S3, D9]), "D9 × S3 × C2", 216),
        (direct_product([C2, C2, S3]), "S3 × C2^2", 24),
        (direct_product([C2, C5]), "C10", 10),
        (direct_product([C2, C4, C3]), "C12 × C2", 24),
        (direct_product([D6, S3]), "S3^2 × C2", 72),
        (direct_product([Named("D", 18), C3]), "D9 × C6", 108),
        (direct_product([C2, Wreath(S3, S2)]), "(S3 wr S2) × C2", 144),
        (direct_product([Wreath(S3, S2), Wreath(S3, S2)]), "(S3 wr S2)^2", 5184),
        (direct_product([S3, direct_product([C2, S4])]), "S4 × S3 × C2", 288),
        (Wreath(Wreath(C2, S2), S2), "C2 wr S2 wr S2", 128),
        (Wreath(direct_product([S3, C2]), Named("C", 4)), "(S3 × C2) wr C4", 12**4 * 4),
    ],
)
def test_structures_have_one_text_and_one_order(structure: Structure, text: str, order: int) -> None:
    """Largest factors first, equal ones as powers, cyclic ones joined; D9 has order 18."""
    assert structure_text(structure) == text
    assert structure_order(structure) == order


def test_invariant_factors_divide_each_other() -> None:
    """C2 x C4 x C6 x C9 is C36 x C6 x C2."""
    assert invariant_factors([2, 4, 6, 9]) == [36, 6, 2]
    assert invariant_factors([1]) == []


def test_prime_powers() -> None:
    """The product of the powers is the number."""
    assert prime_powers(1) == []
    assert prime_powers(2 * 2 * 3 * 97) == [(2, 4), (3, 3), (97, 97)]
