"""Annotated states over finer partitions: the local states of a cell spread over its parts in all ways that matter."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final, TypeAlias, final

from burnside.adaptive.cover import Multisets, Partitions, Spread
from burnside.adaptive.partitions import Partition
from burnside.adaptive.profiles import Profile
from burnside.adaptive.unwind import Limits, distributions, limits_of

_NO_BOUND: Final = 1 << 30

Bound: TypeAlias = Callable[[int, int], int]  # the most processes of a cell that may be in a local state


def required_bound(profile: Profile, base: tuple[int, ...], cell: int, local: int) -> Bound:
    """Nobody may be in a local state that a required question forbids, but for the process that acts."""
    forbids = profile.forbids

    def bound(part: int, state: int) -> int:
        if forbids(base[part], state):
            return int(part == cell and state == local)
        return _NO_BOUND

    return bound


def unbounded(_part: int, _state: int) -> int:
    """No bound at all."""
    return _NO_BOUND


@final
class Spreading:
    """Spreads annotated states over finer partitions; ``watch`` is called now and then, and may raise."""

    def __init__(self, partitions: Partitions, multisets: Multisets, watch: Callable[[], None]) -> None:
        self._partitions = partitions
        self._multisets = multisets
        self._watch = watch
        self._limits: dict[tuple[Bound, tuple[int, ...], tuple[int, ...], int], Limits] = {}

    def unwound(
        self,
        refined: int,
        parts: tuple[tuple[int, ...], ...],
        spread: Spread,
        bound: Bound = unbounded,
        cell: int = -1,
        local: int = -1,
    ) -> Iterator[Spread]:
        """The annotated states over a finer partition that together stand for the same states.

        With a bound only those within it; with a cell that acts, only those with someone in ``local`` there.
        """
        cells = self._partitions.all[refined]
        if len(cells) == len(parts):  # nothing is split
            yield spread
            return
        result = [0] * len(cells)
        split: list[tuple[tuple[int, ...], int, int]] = []
        for inside, multiset in zip(parts, spread, strict=True):
            if len(inside) > 1:
                split.append((inside, multiset, inside.index(cell) if cell in inside else -1))
            elif all(count <= bound(inside[0], state) for state, count in self._multisets.counts[multiset]):
                result[inside[0]] = multiset
            else:
                return
        yield from self._spread_all(split, 0, cells, bound, local, result)

    def _spread_all(
        self,
        split: Sequence[tuple[tuple[int, ...], int, int]],
        first: int,
        cells: Partition,
        bound: Bound,
        local: int,
        result: list[int],
    ) -> Iterator[Spread]:
        """Every choice for the cells that are split, from the first one of ``split`` on."""
        if first == len(split):
            yield tuple(result)
            return
        inside, multiset, acting = split[first]
        for numbers in self._spread_out(inside, cells, multiset, bound, acting, local):
            for k, number in zip(inside, numbers, strict=True):
                result[k] = number
            yield from self._spread_all(split, first + 1, cells, bound, local, result)

    def _spread_out(
        self, inside: tuple[int, ...], cells: Partition, multiset: int, bound: Bound, acting: int, local: int
    ) -> Iterator[Spread]:
        """How a multiset can be spread over the parts of its cell; the acting part has someone in ``local``."""
        counts = self._multisets.counts[multiset]
        sizes = tuple([cells[k].bit_count() for k in inside])
        key = (bound, inside, sizes, self._multisets.occurring[multiset])
        limits = self._limits.get(key)
        if limits is None:
            most = [[min(size, bound(k, v)) for v, _ in counts] for k, size in zip(inside, sizes, strict=True)]
            limits = self._limits[key] = limits_of(most)
        number = self._multisets.number
        for found in distributions(counts, sizes, limits):
            self._watch()
            if acting < 0 or any(state == local for state, _ in found[acting]):
                yield tuple(map(number, found))
