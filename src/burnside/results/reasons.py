"""Why a state decides a claim: which parts of a condition are true or false there, and what rules wait for."""

from __future__ import annotations

from typing import final

from burnside.values import dataclass


@final
@dataclass(frozen=True, slots=True)
class Part:
    """A part of a condition as its author wrote it, whether it is true, and what it looks at: names and values."""

    text: str
    holds: bool
    values: tuple[tuple[str, str], ...] = ()


@final
@dataclass(frozen=True, slots=True)
class Waiting:
    """An instance of a rule that cannot fire, and the parts of its guard that are in the way."""

    rule: str
    parts: tuple[Part, ...]


@final
@dataclass(frozen=True, slots=True)
class Reasons:
    """Of a condition: the values of quantified names that make it what it is, and its parts for these. Of a deadlock:
    rules that wait, those first that lack least, and how many others do.
    """

    witness: tuple[tuple[str, str], ...] = ()
    parts: tuple[Part, ...] = ()
    waiting: tuple[Waiting, ...] = ()
    others: int = 0
