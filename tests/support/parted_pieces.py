"""What random models with parts are put together from: pairs of texts, with parts and flattened by hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import TypeAlias

from burnside.frontends.kit.constants import Given


@dataclass(frozen=True)
class Both:
    """A piece of text with parts, the same flattened, and the condition under which it cannot fail."""

    parted: str
    flat: str
    needs: tuple[str, str] | None = None


Piece: TypeAlias = Callable[[Random], Both]


@dataclass(frozen=True)
class Feature:
    """What a kind of type or construct adds to a model.

    Conditions and statements are about the parameters ``i, j: P`` and ``x: V`` of a rule. Whole rules have ``{N}``
    where their number belongs; constants are given to the text with parts.
    """

    declared: Both
    conditions: tuple[Piece, ...]
    statements: tuple[Piece, ...]
    rules: tuple[Piece, ...] = ()
    constants: Mapping[str, Given] = field(default_factory=dict)


Maker: TypeAlias = Callable[[Random], Feature]


def same(text: str) -> Both:
    """What is written in the same way in both texts."""
    return Both(text, text)


def id_in(random: Random) -> str:
    """An id of ``P``."""
    return random.choice(("i", "i", "j", "(i + 1) % N", "N - 1 - j"))


def value_in(random: Random) -> str:
    """A value of ``V``."""
    return random.choice(("x", "x", "v0"))
