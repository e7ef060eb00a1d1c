"""Permutations: the convention, and every function against sympy."""

from __future__ import annotations

import shutil
import subprocess
from random import Random

import pytest
from sympy.combinatorics import Permutation

from burnside.groups import perm


def shuffled(n: int, seed: int) -> perm.Perm:
    images = list(range(n))
    Random(seed).shuffle(images)
    return tuple(images)


PAIRS = [(shuffled(n, 2 * k), shuffled(n, 2 * k + 1)) for n in (1, 2, 3, 7, 30) for k in range(5)]


def test_products_act_from_the_right() -> None:
    """First g, then h: 0 goes to 1 by g = (0 1), then to 2 by h = (1 2)."""
    g, h = (1, 0, 2), (0, 2, 1)

    assert perm.apply(0, perm.compose(g, h)) == 2 == perm.apply(perm.apply(0, g), h)
    assert perm.cycle_text(perm.compose(g, h)) == "(0 2 1)"


@pytest.mark.parametrize(("g", "h"), PAIRS)
def test_every_function_agrees_with_sympy(g: perm.Perm, h: perm.Perm) -> None:
    """Products, inverses, powers, conjugates, orders and cycles are those of sympy."""
    a, b = Permutation(list(g)), Permutation(list(h))

    assert perm.compose(g, h) == tuple((a * b).array_form)
    assert perm.inverse(g) == tuple((a**-1).array_form)
    assert perm.conjugate(g, h) == tuple((a ^ b).array_form)
    assert perm.order(g) == a.order()
    assert perm.support(g) == tuple(sorted(a.support()))
    assert [list(c) for c in perm.cycles(g)] == a.cyclic_form
    assert perm.commutes(g, h) == (a * b == b * a)
    assert perm.is_identity(g) == a.is_Identity
    for k in (-7, -1, 0, 1, 2, 12345):
        assert perm.power(g, k) == tuple((a**k).array_form)


def test_the_convention_is_that_of_gap() -> None:
    """GAP computes the same product; its points count from 1."""
    gap = shutil.which("gap")
    if gap is None:
        pytest.skip("gap is not installed")
    script = "Print(ListPerm((1,2)*(2,3), 3), (1,2)^(2,3));"
    done = subprocess.run([gap, "-q", "-A"], input=script, capture_output=True, text=True, check=True, timeout=60)

    assert done.stdout.replace(" ", "").strip() == "[3,1,2](1,3)"
    assert perm.compose((1, 0, 2), (0, 2, 1)) == (2, 0, 1)
    assert perm.conjugate((1, 0, 2), (0, 2, 1)) == (2, 1, 0)


def test_cycles_make_the_permutation_again() -> None:
    """`from_cycles` undoes `cycles`, and refuses what is no permutation."""
    for g, _ in PAIRS:
        assert perm.from_cycles(len(g), *perm.cycles(g)) == g
    for bad in ([(0, 1), (1, 2)], [(0, 0)]):
        with pytest.raises(ValueError, match="point"):
            perm.from_cycles(3, *bad)


def test_cycles_are_shown_by_number_or_by_name() -> None:
    """The identity is ``()``."""
    assert perm.cycle_text((0, 1)) == "()"
    assert perm.cycle_text((1, 0, 2), ["x", "y", "z"]) == "(x y)"


@pytest.mark.parametrize("images", [(0, 0), (1,), (-1, 0), (0, 2)])
def test_what_is_no_permutation_is_refused(images: tuple[int, ...]) -> None:
    """Repeated, missing and negative images are noticed."""
    assert not perm.is_permutation(images)


def test_no_points_at_all() -> None:
    """The empty permutation is one."""
    assert perm.is_permutation(())
    assert perm.compose((), ()) == () == perm.inverse(())
    assert perm.order(()) == 1
