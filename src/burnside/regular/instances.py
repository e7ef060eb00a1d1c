"""Single instances of a regular system, spelled out: the meaning everything else must agree with.

Plain enumeration, so only for small lengths: oracles in tests, and the symmetry groups of small instances
from which a search for a pattern can start.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import permutations
from typing import final

from burnside.regular.alphabet import Word, tracks
from burnside.regular.automata import words
from burnside.regular.system import System
from burnside.values import dataclass


@final
@dataclass(frozen=True, slots=True)
class Instance:
    """The configurations of one length, and the steps between them by action."""

    length: int
    configurations: frozenset[Word]
    steps: Mapping[str, frozenset[tuple[Word, Word]]]

    def is_symmetry(self, positions: tuple[int, ...]) -> bool:
        """Whether moving the letter at ``i`` to ``positions[i]`` maps configurations and steps onto themselves."""
        if any(move(word, positions) not in self.configurations for word in self.configurations):
            return False
        return all((move(v, positions), move(w, positions)) in steps for steps in self.steps.values() for v, w in steps)


def move(word: Word, positions: tuple[int, ...]) -> Word:
    """The word with the letter at ``i`` moved to ``positions[i]``.

    >>> move((7, 8, 9), (1, 2, 0))
    (9, 7, 8)
    """
    moved = list(word)
    for source, target in enumerate(positions):
        moved[target] = word[source]
    return tuple(moved)


def instance(system: System, length: int) -> Instance:
    """The instance of one length."""
    inside = frozenset(words(system.configurations, length))
    steps: dict[str, frozenset[tuple[Word, Word]]] = {}
    for action in system.actions:
        pairs = (tracks(columns, 2) for columns in words(action.relation, length))
        steps[action.name] = frozenset((v, w) for v, w in pairs if v in inside and w in inside)
    return Instance(length, inside, steps)


def position_symmetries(system: System, length: int) -> tuple[tuple[int, ...], ...]:
    """All permutations of positions that are symmetries of one instance, by trying all."""
    single = instance(system, length)
    return tuple(p for p in permutations(range(length)) if single.is_symmetry(p))


def instance_selectors(
    system: System, lengths: Iterable[int], *, moving: bool = False
) -> dict[int, tuple[tuple[int, ...], ...]]:
    """Per length, the permutations one of which a pattern must show there.

    The identity is among them, since a pattern may well leave small instances alone; ``moving`` leaves it out,
    which speeds a search up and loses such patterns.
    """
    groups = {n: position_symmetries(system, n) for n in lengths}
    return {n: tuple(p for p in group if not moving or p != tuple(range(n))) or group for n, group in groups.items()}
