"""Names of groups: cyclic, symmetric, alternating, dihedral, and their products and wreath products.

How they are written:

* ``C5`` is cyclic of order 5, ``S4`` symmetric and ``A4`` alternating on 4 points, ``D9`` dihedral of order **18**: the
  symmetries of a polygon with 9 sides. Small coincidences are written ``C2`` (not S2), ``S3`` (not D3), ``C3`` (not
  A3), ``C2^2`` (not D2); ``1`` is the trivial group.
* ``S3 wr S2`` is the wreath product, inner group first: two blocks of three points, order 6^2 * 2. The outer group acts
  on its natural points, so it keeps its natural name (``S2``), and iterated products need no brackets.
* Direct products are written largest order first, equal factors as powers: ``D9 × S3 × C2``, ``S3 × C2^2``. Cyclic
  factors are joined as far as possible (``C6`` rather than C3 × C2), every order dividing the one before; a
  dihedral factor ``D6`` of a product is written as the product ``S3 × C2`` that it is.
"""

from __future__ import annotations

from itertools import groupby
from math import factorial, prod
from typing import Literal, TypeAlias, final

from burnside.values import dataclass


@final
@dataclass(frozen=True, slots=True)
class Named:
    """One of the four families."""

    family: Literal["C", "S", "A", "D"]
    number: int


@final
@dataclass(frozen=True, slots=True)
class Product:
    """A direct product of at least two factors."""

    factors: tuple[Structure, ...]


@final
@dataclass(frozen=True, slots=True)
class Wreath:
    """``inner wr outer``; the outer group permutes ``outer.number`` copies of the inner one in its natural way."""

    inner: Structure
    outer: Named


Structure: TypeAlias = Named | Product | Wreath

TRIVIAL = Named("C", 1)


def structure_order(structure: Structure) -> int:
    """The order that the name stands for."""
    match structure:
        case Named("C", n):
            return n
        case Named("S", n):
            return factorial(n)
        case Named("A", n):
            return factorial(n) // 2
        case Named("D", n):
            return 2 * n
        case Product(factors):
            return prod(map(structure_order, factors))
        case Wreath(inner, outer):
            copies: int = structure_order(inner) ** outer.number
            return copies * structure_order(outer)
    raise AssertionError(structure)


def direct_product(factors: list[Structure]) -> Structure:
    """The product in normal form: flat, sorted, cyclic factors joined, decomposable dihedral factors split."""
    flat = [part for factor in factors for part in _parts(factor)]
    orders = [part.number for part in flat if isinstance(part, Named) and part.family == "C"]
    rest: list[Structure] = [part for part in flat if not (isinstance(part, Named) and part.family == "C")]
    rest += [Named("C", n) for n in invariant_factors(orders)]
    rest.sort(key=lambda part: (-structure_order(part), structure_text(part)))
    if len(rest) > 1:
        return Product(tuple(rest))
    return rest[0] if rest else TRIVIAL


def invariant_factors(orders: list[int]) -> list[int]:
    """Cyclic orders n1, n2, ... with each dividing the one before, for the same abelian group.

    >>> invariant_factors([2, 5, 4])
    [20, 2]
    """
    powers: dict[int, list[int]] = {}
    for n in orders:
        for p, power in prime_powers(n):
            powers.setdefault(p, []).append(power)
    columns = [sorted(column, reverse=True) for column in powers.values()]
    height = max(map(len, columns), default=0)
    return [prod(column[k] for column in columns if k < len(column)) for k in range(height)]


def prime_powers(n: int) -> list[tuple[int, int]]:
    """The primes that divide ``n``, each with its highest power; ``n`` must have no large prime factor.

    >>> prime_powers(360)
    [(2, 8), (3, 9), (5, 5)]
    """
    found = []
    p = 2
    while n > 1:
        if p * p > n:
            p = n
        power = 1
        while n % p == 0:
            n //= p
            power *= p
        if power > 1:
            found.append((p, power))
        p += 1
    return found


def structure_text(structure: Structure) -> str:
    """How a structure is printed; see the head of this module."""
    match structure:
        case Named("C", 1):
            return "1"
        case Named(family, n):
            return f"{family}{n}"
        case Wreath(inner, outer):
            text = _bracketed(inner) if isinstance(inner, Product) else structure_text(inner)
            return f"{text} wr {structure_text(outer)}"
        case Product(factors):
            return " × ".join(_power_text(part, len(list(run))) for part, run in groupby(factors))
    raise AssertionError(structure)


def factor_text(part: Structure) -> str:
    """A structure as one word, to be followed by an exponent or by what it acts upon."""
    return structure_text(part) if isinstance(part, Named) else _bracketed(part)


def _power_text(part: Structure, exponent: int) -> str:
    text = factor_text(part)
    return f"{text}^{exponent}" if exponent > 1 else text


def _bracketed(structure: Structure) -> str:
    return f"({structure_text(structure)})"


def _parts(factor: Structure) -> list[Structure]:
    """The factors of a factor."""
    match factor:
        case Product(factors):
            return [part for inner in factors for part in _parts(inner)]
        case Named("D", n) if n % 4 == 2 and n > 2:
            # D2m = Dm x C2 for odd m: the half turn is central and a smaller polygon avoids it.
            return [Named("S", 3) if n == 6 else Named("D", n // 2), Named("C", 2)]
    return [factor]
