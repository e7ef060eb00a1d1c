"""The library of parameterised permutations: one permutation of positions for every length of word.

``(πv)_i = v_{π⁻¹(i)}``: the letter at position ``i`` moves to position ``π(i)``, so the rotation
``(1 2 … n)`` moves every letter one place to the right. ``rotation@i`` and ``transposition@i`` leave the
positions before ``i`` alone; a negative ``i`` counts from the end of the word, so that ``transposition@-1``
swaps the last two letters. Words too short to be moved are fixed. A letter permutation may be composed in.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import final

from burnside.regular.alphabet import Pair, Word
from burnside.regular.automata import Nfa, nfa_of, reduce, relabel, reverse, unite
from burnside.regular.combine import concatenate, one_of, power
from burnside.regular.relations import Relation, converse
from burnside.values import dataclass

ROTATION, TRANSPOSITION, REFLECTION, IDENTITY = "rotation", "transposition", "reflection", "identity"
_NAME = re.compile(r"(rotation|transposition)@(-?[1-9][0-9]{0,2})|reflection|identity")


@final
@dataclass(frozen=True, slots=True)
class Permutation:
    """A parameterised permutation of positions, perhaps with a permutation of the letters."""

    kind: str
    place: int = 1
    letters: tuple[int, ...] = ()

    @property
    def name(self) -> str:
        """The stable name, as scripts see it (without the letters)."""
        return f"{self.kind}@{self.place}" if self.kind in (ROTATION, TRANSPOSITION) else self.kind

    @property
    def is_regular(self) -> bool:
        """Whether a finite transducer computes it: everything but the reflection."""
        return self.kind != REFLECTION

    def positions(self, length: int) -> tuple[int, ...]:
        """The permutation of one length in image form, from zero.

        >>> Permutation("rotation", 2).positions(4)
        (0, 2, 3, 1)
        >>> Permutation("transposition", -1).positions(4)
        (0, 1, 3, 2)
        """
        if self.kind == REFLECTION:
            return tuple(reversed(range(length)))
        images = list(range(length))
        first, last = self._moved(length)
        if self.kind != IDENTITY and first < last:
            images[first : last + 1] = [*range(first + 1, last + 1), first]
        return tuple(images)

    def _moved(self, length: int) -> tuple[int, int]:
        """The first and the last position that move."""
        if self.kind == ROTATION:
            return (self.place - 1, length - 1) if self.place > 0 else (0, length + self.place)
        first = self.place - 1 if self.place > 0 else length + self.place - 1
        return (first, first + 1) if first >= 0 and first + 1 < length else (0, 0)

    def image(self, word: Word) -> Word:
        """The word with its letters moved, and renamed if the permutation says so."""
        moved = list(word)
        for source, target in enumerate(self.positions(len(word))):
            moved[target] = self.letters[word[source]] if self.letters else word[source]
        return tuple(moved)

    def relation(self, size: int) -> Relation:
        """The transducer over an alphabet of this size. Needs: ``is_regular``."""
        plain = _relation(self.kind, self.place, size)
        letters = self.letters or tuple(range(size))
        return relabel(plain, lambda pair: (pair[0], letters[pair[1]]))


@cache
def _relation(kind: str, place: int, size: int) -> Relation:
    if place < 0:
        # Reading backwards turns a rotation around; its converse turns it back.
        return reduce(reverse(converse(_relation(kind, -place, size))))
    diagonal: Nfa[Pair] = one_of((a, a) for a in range(size))
    if kind == IDENTITY:
        return reduce(power(diagonal, 0, None))
    body = _rotation(size) if kind == ROTATION else _transposition(size)
    return reduce(unite([power(diagonal, 0, place - 1), concatenate(power(diagonal, place - 1, place - 1), body)]))


def _rotation(size: int) -> Nfa[Pair]:
    """Remember the first output, which the last input must equal, and the input read last."""

    def edges() -> Iterator[tuple[Pair | None, Pair, Pair | None]]:
        for a in range(size):
            for b in range(size):
                yield None, (a, b), (b, a)
                yield from (((b, a), (c, a), (b, c)) for c in range(size))

    return nfa_of(edges(), [None], [None, *((a, a) for a in range(size))])


def _transposition(size: int) -> Nfa[Pair]:
    """Swap the first two letters; a single letter stays."""
    start, end = (-1, -1), (-2, -2)

    def edges() -> Iterator[tuple[Pair, Pair, Pair]]:
        for a in range(size):
            yield end, (a, a), end
            for b in range(size):
                yield start, (a, b), (a, b)
                yield (a, b), (b, a), end

    return nfa_of(edges(), [start], [start, end, *((a, a) for a in range(size))])


def parse_permutation(name: str) -> Permutation | None:
    """The library permutation of this name, or None.

    >>> parse_permutation("rotation@-2")
    Permutation(kind='rotation', place=-2, letters=())
    """
    match = _NAME.fullmatch(name)
    if match is None:
        return None
    return Permutation(match[1], int(match[2])) if match[1] else Permutation(name)


def library(depth: int = 3) -> tuple[Permutation, ...]:
    """The permutations tried by default: rotations and transpositions up to ``depth`` from either end."""
    places = range(1, depth + 1)
    return (
        *(Permutation(ROTATION, i) for i in places),
        *(Permutation(TRANSPOSITION, i) for i in places),
        # rotation@-1 is rotation@1.
        *(Permutation(ROTATION, -i) for i in places if i > 1),
        *(Permutation(TRANSPOSITION, -i) for i in places),
        Permutation(REFLECTION),
    )
