"""Weights of places that make all reachable markings equally heavy, by elimination: quick where there are such.

What transitions do spans a space of vectors; a *flow* is orthogonal to all of them [Murata89]. With the space in
reduced echelon form there is a flow for each place that is no pivot. Most nets are made of parts through which a number
of tokens moves, and flows without negative weights then are these parts.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import gcd
from typing import Final, TypeAlias, final

from burnside.frontends.pnml.net import Net

_MOST_WORK: Final = 4_000_000  # numbers changed

_Vector: TypeAlias = dict[int, int]


def flows(net: Net) -> Iterator[tuple[int, ...]]:
    """Flows without negative weights, as far as elimination leads to such; none if it takes long."""
    space = _Space()
    for effect in {transition.effect: None for transition in net.transitions}:
        if not space.add(dict(effect)):
            return
    for place in range(len(net.places)):
        weights = space.flow(place, len(net.places))
        if weights is not None:
            yield weights


@final
class _Space:
    """A space of vectors of whole numbers. Each vector of its basis has a place of its own, its pivot."""

    def __init__(self) -> None:
        self._basis: dict[int, _Vector] = {}
        self._holders: dict[int, set[int]] = {}  # the pivots of the vectors that have a place which is no pivot
        self._left = _MOST_WORK

    def add(self, vector: _Vector) -> bool:
        """Make the space one that has a vector, too; false if that takes long."""
        for place in [*vector]:
            if place in self._basis:
                self._subtract(vector, place)
        if not vector:
            return self._left > 0
        # Of those that least has to be changed for.
        pivot = min(vector, key=lambda place: (len(self._holders.get(place, ())), place))
        self._basis[pivot] = vector
        for holder in self._holders.pop(pivot, ()):
            other = self._basis[holder]
            before = other.keys() - {pivot}
            self._subtract(other, pivot)
            for place in before - other.keys():
                self._holders[place].discard(holder)
            for place in other.keys() - before - {holder}:
                self._holders.setdefault(place, set()).add(holder)
        for place in vector:
            if place != pivot:
                self._holders.setdefault(place, set()).add(pivot)
        return self._left > 0

    def _subtract(self, vector: _Vector, pivot: int) -> None:
        """Add such a multiple of a vector of the basis that another one has nothing at its pivot any more."""
        other = self._basis[pivot]
        self._left -= len(other) + len(vector)
        common = gcd(vector[pivot], other[pivot])
        factor, times = other[pivot] // common, vector[pivot] // common
        for place in vector:
            vector[place] *= factor
        for place, by in other.items():
            vector[place] = vector.get(place, 0) - times * by
        for place in [place for place in other if not vector[place]]:
            del vector[place]
        common = gcd(*vector.values())
        for place in vector if common > 1 else ():
            vector[place] //= common

    def flow(self, place: int, places: int) -> tuple[int, ...] | None:
        """The flow of a place that is no pivot, if it has no negative weight."""
        if place in self._basis:
            return None
        pivots = {p: (-self._basis[p][place], self._basis[p][p]) for p in self._holders.get(place, ())}
        if any(up * down < 0 for up, down in pivots.values()):
            return None
        scale = 1
        for up, down in pivots.values():
            part = abs(down) // gcd(up, down)
            scale = scale * part // gcd(scale, part)
        weights = [0] * places
        weights[place] = scale
        for pivot, (up, down) in pivots.items():
            weights[pivot] = scale * up // down
        return tuple(weights)
