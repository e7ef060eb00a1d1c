"""How far away the furthest state is.

The depth at which an annotated state is stored may be greater than the distance of every state that it stands for: if
nearer ones stand for them, some for these and some for those. So from the deepest level on, a state is sought that no
nearer annotated state stands for. A piece of an annotated state, spread over the meet with the partition of another
one, lies wholly inside that one or wholly outside.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias, final

from burnside.adaptive.cover import Spread
from burnside.adaptive.search import Search
from burnside.values import dataclass

MOST_PIECES: Final = 20_000

Piece: TypeAlias = tuple[int, Spread]  # a partition by number, and counts over it


class _TooMany(Exception):
    """There are too many pieces to look at."""


def greatest_distance(search: Search) -> int | None:
    """The greatest distance of a state that was found, or None if that would take too long to say."""
    finder = _NewStates(search)
    cover = search.cover
    try:
        for number in reversed(range(len(cover))):  # states are numbered by level
            if cover.depth[number] == 0 or (number not in cover.dropped and finder.has_new(number)):
                return cover.depth[number]
    except _TooMany:
        return None
    return 0


@final
@dataclass
class _NewStates:
    search: Search
    left: int = MOST_PIECES

    def has_new(self, number: int) -> bool:
        """Whether an annotated state stands for a state that no nearer one stands for."""
        cover = self.search.cover
        alike = cover.alike(cover.shared[number], cover.total[number])
        nearer = [(cover.partition[k], cover.spread[k]) for k in alike if cover.depth[k] < cover.depth[number]]
        return self._is_outside((cover.partition[number], cover.spread[number]), nearer)

    def _is_outside(self, piece: Piece, others: Sequence[Piece]) -> bool:
        """Whether some part of a piece is outside all others."""
        self.left -= 1
        if self.left < 0:
            raise _TooMany
        if not others:
            return True
        (partition, spread), (other, inside), rest = piece, others[0], others[1:]
        partitions = self.search.partitions
        refined, parts = partitions.meet(partition, other)
        return any(
            self._is_outside((refined, part), rest)
            for part in self.search.spreading.unwound(refined, parts, spread)
            if partitions.project(other, refined, part) != inside
        )
