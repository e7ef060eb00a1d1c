"""Keys: states as numbers in mixed radix, which the compact store keeps.

How they are computed, ``runtime/keys.h`` says; here is planned in which steps. Of states whose keys are long, it may
keep fingerprints.
"""

from __future__ import annotations

import os
from array import array
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import Final, NamedTuple, final

from burnside.ctext import c_mask
from burnside.ir.packing import WORD, Layout
from burnside.values import dataclass

_MOST_JOINS: Final = 16  # of a word: beyond that it takes longer to save bits than to read them


class Lane(NamedTuple):
    """Bits side by side that hold numbers below ``values``."""

    width: int
    values: int

    @property
    def is_full(self) -> bool:
        """Whether all values of its bits occur, so that it is joined already to what is above it."""
        return self.values == 1 << self.width

    def below(self, other: Lane) -> Lane:
        """The lane made of this one and the next one above it."""
        return Lane(self.width + other.width, self.values * other.values)


@final
@dataclass(frozen=True, slots=True)
class Join:
    """Lanes of ``shift`` bits become one with those above them, whose bits are in ``mask``, shifted down to them."""

    shift: int
    mask: int
    factor: int


@final
@dataclass(frozen=True, slots=True)
class Digit:
    """A word as a part of a number of the key: which one, and what it is multiplied by."""

    of: int
    weight: int


@final
@dataclass(frozen=True, slots=True)
class Keys:
    """How the states of a layout become keys: the joins of each word, and what numbers they make."""

    joins: tuple[tuple[Join, ...], ...]
    digits: tuple[Digit, ...]
    bits: tuple[int, ...]

    def settings(self) -> dict[str, object]:
        """Those of ``runtime/config.h``; none if keys are the states themselves."""
        if not any(self.joins) and len(self.bits) == len(self.digits):
            return {}
        ends = accumulate(len(joins) for joins in self.joins)
        joins = [f"{{{c_mask(j.mask)}, {c_mask(j.factor)}, {j.shift}}}" for joins in self.joins for j in joins]
        return {
            "KEYED": 1,
            "KEY_WORDS": len(self.bits),
            "KEY_BITS": _braces(self.bits),
            "JOINS": _braces(joins or ["{0}"]),
            "JOINS_END": _braces(ends),
            "DIGITS": _braces(f"{{{c_mask(d.weight)}, {d.of}}}" for d in self.digits),
        }


@final
@dataclass(frozen=True, slots=True)
class Fingerprints:
    """What stands for states in the place of keys that are wider: ``runtime/fingerprints.h``."""

    bits: tuple[int, ...]

    @staticmethod
    def shorter_than(keys: Keys, bits: int | None) -> Fingerprints | None:
        """Fingerprints of so many bits, unless keys are as short."""
        if bits is None or sum(keys.bits) <= bits:
            return None
        whole, rest = divmod(bits, WORD)
        return Fingerprints((WORD,) * whole + (rest,) * (rest > 0))

    def settings(self) -> dict[str, object]:
        """Those of ``runtime/config.h``."""
        return {"FINGERPRINTS": 1, "KEY_WORDS": len(self.bits), "KEY_BITS": _braces(self.bits)}

    def coefficients(self, words: int) -> array[int]:
        """Random numbers for a search among states of so many words."""
        return array("Q", os.urandom(16 * len(self.bits) * (words + 1)))


def _braces(items: Iterable[object]) -> str:
    return f"{{{', '.join(map(str, items))}}}"


def keys_of(layout: Layout) -> Keys:
    """The keys of the states of a layout, which are the states themselves where nothing is saved."""
    joined = [_joins(lanes, bits) for lanes, bits in zip(_lanes(layout), layout.bits, strict=True)]
    numbers: list[int] = []  # by word of the key: how many values it has
    digits: list[Digit] = []
    for _, values in joined:
        of = next((k for k, n in enumerate(numbers) if n * values <= 1 << WORD), len(numbers))
        if of == len(numbers):
            numbers.append(1)
        digits.append(Digit(of, numbers[of]))
        numbers[of] *= values
    return Keys(tuple(joins for joins, _ in joined), tuple(digits), tuple((n - 1).bit_length() for n in numbers))


def _lanes(layout: Layout) -> list[list[Lane]]:
    """The cells of each word, from the lowest."""
    found: list[list[tuple[int, Lane]]] = [[] for _ in layout.bits]
    for field, cell in zip(layout.fields, layout.cells.all, strict=True):
        if field.width:
            found[field.word].append((field.shift, Lane(field.width, cell.domain.size)))
    if layout.extra.width:
        found[layout.extra.word].append((layout.extra.shift, Lane(layout.extra.width, 1 << layout.extra.width)))
    return [[lane for _, lane in sorted(lanes)] for lanes in found]


def _joins(lanes: Sequence[Lane], bits: int) -> tuple[tuple[Join, ...], int]:
    """The joins that make one number of a word, and how many values it has; none if that saves no bit."""
    joins: list[Join] = []
    lanes = _without_full(lanes)
    while len(lanes) > 1 and len(joins) <= _MOST_JOINS:
        join, lanes = _join(lanes, _most_frequent(lanes))
        joins.append(join)
        lanes = _without_full(lanes)
    values = lanes[0].values if lanes else 1
    if joins and (len(lanes) > 1 or len(joins) > _MOST_JOINS or (values - 1).bit_length() == bits):
        return (), 1 << bits
    return tuple(joins), values


def _without_full(lanes: Sequence[Lane]) -> list[Lane]:
    """Full lanes and those above them are one already."""
    left: list[Lane] = []
    for lane in lanes:
        left.append(left.pop().below(lane) if left and left[-1].is_full else lane)
    return left


def _most_frequent(lanes: Sequence[Lane]) -> Lane:
    """The kind of lane of which most can be joined at once; of several, the narrowest."""
    counts: Counter[Lane] = Counter()
    for kind in set(lanes[:-1]):
        counts[kind] = sum(is_lower for is_lower in _lower(lanes, kind))
    return min(counts, key=lambda kind: (-counts[kind], kind))


def _lower(lanes: Sequence[Lane], kind: Lane) -> list[bool]:
    """Which lanes are the lower ones of pairs to be joined."""
    lower: list[bool] = []
    for lane in lanes[:-1]:
        lower.append(lane == kind and not (lower and lower[-1]))
    return [*lower, False]


def _join(lanes: Sequence[Lane], kind: Lane) -> tuple[Join, list[Lane]]:
    """Join every lane of some kind with the one above it, unless that one is joined already."""
    mask = at = 0
    left: list[Lane] = []
    is_upper = False
    for lane, is_lower in zip(lanes, _lower(lanes, kind), strict=True):
        if is_upper:
            mask |= ((1 << lane.width) - 1) << (at - kind.width)
            left.append(left.pop().below(lane))
        else:
            left.append(lane)
        at += lane.width
        is_upper = is_lower
    return Join(kind.width, mask, (1 << kind.width) - kind.values), left
