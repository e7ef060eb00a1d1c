"""Letter permutations that could complete a permutation of positions to a symmetry.

Some rings are mirrored only if "left" and "right" are exchanged as well. Whatever happens to positions, a
symmetry with letter permutation θ maps words with so many letters ``a`` to words with as many letters θ(a).
So the number of steps of each small length in which a process shows ``a/b`` is the same for ``θ(a)/θ(b)``;
few letter permutations pass that test, and only those are tried.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import TypeVar

from burnside.regular.automata import Dfa, Ordered
from burnside.regular.system import System

S = TypeVar("S", bound=Ordered)
_LENGTHS = range(1, 6)
_MOST_TRIED = 5_000


def occurrences(dfa: Dfa[S], length: int) -> Counter[S]:
    """How often each symbol occurs in all accepted words of one length together."""
    ahead = [[int(q in dfa.accepting) for q in range(dfa.size)]]
    for _ in range(length):
        last = ahead[-1]
        ahead.append([sum(last[t] for t in row.values()) for row in dfa.rows])
    counts: Counter[S] = Counter()
    here = {0: 1}
    for position in range(length):
        after: Counter[int] = Counter()
        for state, ways in here.items():
            for symbol, target in dfa.rows[state].items():
                counts[symbol] += ways * ahead[length - position - 1][target]
                after[target] += ways
        here = dict(after)
    return counts


def letter_maps(system: System) -> list[tuple[int, ...]]:
    """The letter permutations other than the identity that agree with all counts.

    Fewer are returned for large alphabets, where each is costly to try; and the search for them is bounded.
    """
    size = system.alphabet.size
    tables = [occurrences(step, n) for step in system.steps.values() for n in _LENGTHS]
    spaces = [occurrences(system.configurations, n) for n in _LENGTHS]
    most = max(1, 600 // size**2)
    moving = (letters for letters in _consistent(size, tables, spaces) if letters != tuple(range(size)))
    return list(islice(moving, most))


def _consistent(
    size: int, tables: list[Counter[tuple[int, int]]], spaces: list[Counter[int]]
) -> Iterator[tuple[int, ...]]:
    """The letter permutations that keep all counts, least first, as far as the bound on partial ones reaches."""
    stack: list[tuple[int, ...]] = [()]
    for _ in range(_MOST_TRIED):
        if not stack:
            return
        letters = stack.pop()
        if len(letters) == size:
            yield letters
            continue
        longer = ((*letters, image) for image in reversed(range(size)) if image not in letters)
        stack += [extended for extended in longer if _agrees(len(letters), extended, tables, spaces)]


def _agrees(
    a: int, letters: tuple[int, ...], tables: list[Counter[tuple[int, int]]], spaces: list[Counter[int]]
) -> bool:
    """Whether the counts of the newest letter with itself and all earlier ones survive."""
    return all(table[a] == table[letters[a]] for table in spaces) and all(
        table[a, b] == table[letters[a], letters[b]] and table[b, a] == table[letters[b], letters[a]]
        for table in tables
        for b in range(a + 1)
    )
