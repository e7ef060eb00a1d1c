"""Letters, words and pairs of letters.

Letters are numbers from zero; names exist only where something is read or shown. ``PAD`` fills the shorter
word of a pair of unequal length, and only at its end.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias, final

from burnside.values import dataclass

Letter: TypeAlias = int
Word: TypeAlias = tuple[int, ...]
Pair: TypeAlias = tuple[int, int]

PAD: Letter = -1


@final
@dataclass(frozen=True, slots=True)
class Alphabet:
    """The named letters of a system, in the order of their declaration."""

    names: tuple[str, ...]

    @property
    def size(self) -> int:
        """How many letters there are."""
        return len(self.names)

    @property
    def letters(self) -> range:
        """All letters."""
        return range(len(self.names))

    @property
    def diagonal(self) -> tuple[Pair, ...]:
        """The pairs ``a/a``: a process that does nothing."""
        return tuple((a, a) for a in self.letters)

    @property
    def pairs(self) -> tuple[Pair, ...]:
        """All pairs without padding."""
        return tuple((a, b) for a in self.letters for b in self.letters)

    def show(self, letter: Letter) -> str:
        """The name of a letter; padding is ``_``."""
        return "_" if letter == PAD else self.names[letter]

    def text(self, word: Iterable[Letter]) -> str:
        """A word as a person reads it; the empty word is ``()``.

        >>> Alphabet(("idle", "busy")).text((0, 1, 1))
        'idle busy busy'
        """
        return " ".join(self.show(a) for a in word if a != PAD) or "()"

    def show_pair(self, pair: Pair) -> str:
        """A pair as it is written in a file: ``a/b``."""
        return f"{self.show(pair[0])}/{self.show(pair[1])}"


def convolve(left: Word, right: Word) -> tuple[Pair, ...]:
    """The two words as one word of pairs, the shorter one padded at its end.

    >>> convolve((0, 1), (1,))
    ((0, 1), (1, -1))
    """
    size = max(len(left), len(right))
    padded = (word + (PAD,) * (size - len(word)) for word in (left, right))
    return tuple(zip(*padded, strict=True))


def tracks(columns: Iterable[tuple[Letter, ...]], count: int) -> tuple[Word, ...]:
    """The words that columns of letters spell, without their padding: the converse of `convolve`."""
    rows = list(columns)
    return tuple(tuple(column[i] for column in rows if column[i] != PAD) for i in range(count))
