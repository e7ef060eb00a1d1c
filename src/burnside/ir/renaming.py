"""Sorts of values, and states with the values of some sorts renamed.

A *sort* is what values are values of: a process domain, a named domain of data (with all domains that extend it), or
one variable. Renaming the values of a sort changes states where they index arrays and where they are held. Nothing
here says that a renaming is a symmetry.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum
from typing import Final, NamedTuple, TypeAlias, final

from burnside.ir.cells import Cell, Cells, State, process_ids, unextended
from burnside.ir.nodes import BOOL, Domain

Verbs: TypeAlias = tuple[str, str]

SAID: Final[Verbs] = ("swaps", "rotates")
ASKED: Final[Verbs] = ("exchange", "rotate")

_MOST_SHOWN = 6
MOST_OF_AN_ORBIT: Final = 32  # members that are listed before some are left out


class SortKind(Enum):
    """What the values of a sort are."""

    PROCESS = "process"
    DATA = "data"
    VARIABLE = "variable"

    __hash__ = object.__hash__  # that of an enumeration is slow, and nothing is looked up more often


class Sort(NamedTuple):
    """The ids of a process domain, the values of a named domain, or the values of one variable."""

    kind: SortKind
    name: str

    @property
    def is_process(self) -> bool:
        """Whether its values are ids of processes."""
        return self.kind is SortKind.PROCESS


SortMoves: TypeAlias = Mapping[Sort, Mapping[int, int]]


def sort_of(domain: Domain) -> Sort | None:
    """The sort of the values of a domain, if it has a name."""
    if domain.index:
        return Sort(SortKind.PROCESS, domain.index)
    # Truth values are everywhere: what is done to some of them says more about a variable.
    return Sort(SortKind.DATA, domain.base or domain.name) if domain.name and domain != BOOL else None


def sorted_values(domain: Domain) -> range:
    """The values of a domain that belong to its sort: not the labels that extend another domain."""
    if domain.index:
        return process_ids(domain)
    return unextended(domain) if domain.base else domain.values()


def renamed_value(domain: Domain, value: int, moves: SortMoves) -> int:
    """What a value of a domain becomes."""
    sort = sort_of(domain)
    images = moves.get(sort) if sort is not None else None
    return value if images is None or value not in sorted_values(domain) else images.get(value, value)


@final
class Renaming:
    """A renaming of the values of some sorts, as it acts on states."""

    def __init__(self, cells: Cells, moves: SortMoves) -> None:
        self.moves = moves
        self._cells = cells.all
        self._targets = [_target(cells, number, cell, moves) for number, cell in enumerate(cells.all)]

    def state(self, state: State) -> State | None:
        """The renamed state; None if a cell that holds it does not exist, or cannot hold its value."""
        image = [0] * len(state)
        for cell, target, value in zip(self._cells, self._targets, state, strict=True):
            new = value if cell.slot == -1 else renamed_value(cell.variable.domain, value, self.moves)
            if target is None or new not in self._cells[target].domain:
                return None
            image[target] = new
        return tuple(image)


def _target(cells: Cells, number: int, cell: Cell, moves: SortMoves) -> int | None:
    """Where a cell goes."""
    pairs = zip(cell.variable.dimensions, cell.indices, strict=True)
    start = cells.position(cell.variable, [renamed_value(d, i, moves) for d, i in pairs])
    own = cells.position(cell.variable, cell.indices)
    return None if start is None or own is None else number + start - own


# ---------------------------------------------------------------- in words


def describe_map(moved: Mapping[int, int], text: Callable[[int], str], verbs: Verbs = SAID) -> tuple[str, str] | None:
    """A verb and an object for a map that is (part of) a permutation; None for the identity.

    >>> describe_map({0: 1, 1: 0}, str)
    ('swaps', '0 and 1')
    >>> describe_map({0: 1, 1: 2, 2: 0}, str)
    ('rotates', '0→1→2')
    """
    chains = _chains(moved)
    if not chains:
        return None
    if all(len(c) == 2 for c in chains):
        return verbs[0], listed([f"{text(a)} and {text(b)}" for a, b in chains])
    return verbs[1], listed(["→".join(shortened([text(i) for i in c])) for c in chains])


def listed(parts: Sequence[str]) -> str:
    """Some texts with commas, not too many of them."""
    return ", ".join(shortened(parts))


def shortened(parts: Sequence[str], most: int = _MOST_SHOWN) -> list[str]:
    """The first few and the last of many."""
    return list(parts) if len(parts) <= most else [*parts[:3], "…", parts[-1]]


def orbits_text(orbits: Iterable[Sequence[str]], between: str) -> str:
    """Orbits as sets, of large ones the first few members and the last."""
    return between.join("{" + ", ".join(shortened(orbit, MOST_OF_AN_ORBIT)) + "}" for orbit in orbits)


def _chains(moved: Mapping[int, int]) -> list[list[int]]:
    """The cycles of a map, longer than one; a map that is not a permutation gives chains that end where it does."""
    left = {i: j for i, j in sorted(moved.items()) if i != j}
    chains = []
    while left:
        at = next(iter(left))
        chain = []
        while at in left:
            chain.append(at)
            at = left.pop(at)
        chains.append(chain if not chain or at == chain[0] else [*chain, at])
    return chains
