"""The tree of a regular expression over letters or pairs of letters, as written.

Sequences, unions and repetitions are flat or bounded in depth by the parser, so walks may recurse.
"""

from __future__ import annotations

from typing import TypeAlias, final

from burnside.source import Span
from burnside.values import dataclass


@final
@dataclass(frozen=True, slots=True)
class Side:
    """One side of a symbol: named letters, ``any`` letter (``names`` is None), or padding ``_`` (no names)."""

    names: tuple[tuple[str, Span], ...] | None
    span: Span
    quoted: bool = False


@final
@dataclass(frozen=True, slots=True)
class Single:
    """A letter, a set of letters, or the name of a definition: which one is decided by name lookup."""

    side: Side
    span: Span


@final
@dataclass(frozen=True, slots=True)
class Couple:
    """A pair ``left/right``."""

    left: Side
    right: Side
    span: Span


@final
@dataclass(frozen=True, slots=True)
class Sequence:
    """Expressions one after the other; none is the empty word."""

    parts: tuple[Expr, ...]
    span: Span


@final
@dataclass(frozen=True, slots=True)
class Union:
    """Any of several expressions."""

    parts: tuple[Expr, ...]
    span: Span


@final
@dataclass(frozen=True, slots=True)
class Meet:
    """The first expression, cut down by the others: ``&`` keeps, ``-`` removes."""

    first: Expr
    rest: tuple[tuple[str, Expr], ...]
    span: Span


@final
@dataclass(frozen=True, slots=True)
class Repeat:
    """Between ``least`` and ``most`` times; None is any number."""

    body: Expr
    least: int
    most: int | None
    span: Span


@final
@dataclass(frozen=True, slots=True)
class Call:
    """``pairs(V, W)``, ``same(V)``, ``inverse(R)``, ``compose(R, R)``."""

    name: str
    arguments: tuple[Expr, ...]
    span: Span


@final
@dataclass(frozen=True, slots=True)
class Known:
    """A library permutation such as ``rotation@2``."""

    name: str
    place: int
    span: Span


Expr: TypeAlias = Single | Couple | Sequence | Union | Meet | Repeat | Call | Known
