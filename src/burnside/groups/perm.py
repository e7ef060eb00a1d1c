"""Permutations in image form, with the right action of GAP.

This is the one place that states the convention. A permutation of ``0..n-1`` is a plain tuple: ``g[i]`` is the
image of the point ``i``, written ``i^g``. Products are read from left to right: ``compose(g, h)`` is first ``g``,
then ``h``, so ``i^(g*h) = (i^g)^h``. The conjugate ``g^h`` is ``h^-1 * g * h``: the cycles of ``g`` with every point
replaced by its image under ``h``.

Functions do not check their arguments, since they are the innermost loop of everything else; `is_permutation` does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import compress
from math import lcm
from operator import itemgetter, ne

Perm = tuple[int, ...]


def is_permutation(images: Sequence[int]) -> bool:
    """Whether ``images`` lists each of ``0..n-1`` exactly once."""
    n = len(images)
    return n == 0 or (min(images) == 0 and max(images) == n - 1 and len(set(images)) == n)


def identity(degree: int) -> Perm:
    """The permutation that moves nothing."""
    return tuple(range(degree))


def is_identity(g: Perm) -> bool:
    """Whether ``g`` moves nothing."""
    return all(i == image for i, image in enumerate(g))


def apply(point: int, g: Perm) -> int:
    """The image ``point^g``."""
    return g[point]


def compose(g: Perm, h: Perm) -> Perm:
    """The product ``g * h``: first ``g``, then ``h``.

    >>> compose((1, 0, 2), (0, 2, 1))
    (2, 0, 1)
    """
    # itemgetter runs in C: half the time of a comprehension. With fewer than two items it returns no tuple.
    return itemgetter(*g)(h) if len(g) > 1 else g


def inverse(g: Perm) -> Perm:
    """The permutation ``g^-1`` that takes every image back to its point."""
    images = [0] * len(g)
    for point, image in enumerate(g):
        images[image] = point
    return tuple(images)


def power(g: Perm, exponent: int) -> Perm:
    """The power ``g^exponent``; the exponent may be negative or far larger than the order."""
    images = list(g)
    for cycle in cycles(g):
        shift = exponent % len(cycle)
        for k, point in enumerate(cycle):
            images[point] = cycle[(k + shift) % len(cycle)]
    return tuple(images)


def conjugate(g: Perm, h: Perm) -> Perm:
    """The conjugate ``h^-1 * g * h``.

    >>> cycle_text(conjugate((1, 0, 2, 3), (2, 3, 0, 1)))
    '(2 3)'
    """
    images = [0] * len(g)
    for point, image in enumerate(g):
        images[h[point]] = h[image]
    return tuple(images)


def commutes(g: Perm, h: Perm) -> bool:
    """Whether ``g * h = h * g``."""
    return compose(g, h) == compose(h, g)


def support(g: Perm) -> tuple[int, ...]:
    """The points that ``g`` moves, in order."""
    return tuple(compress(range(len(g)), map(ne, g, range(len(g)))))


def cycles(g: Perm) -> tuple[tuple[int, ...], ...]:
    """The cycles of length two and more, each from its least point, in the order of these points.

    >>> cycles((2, 1, 3, 0))
    ((0, 2, 3),)
    """
    found = []
    seen = bytearray(len(g))
    for start in support(g):
        if seen[start]:
            continue
        cycle, image = [start], g[start]
        while image != start:
            seen[image] = 1
            cycle.append(image)
            image = g[image]
        found.append(tuple(cycle))
    return tuple(found)


def order(g: Perm) -> int:
    """The least positive exponent whose power is the identity."""
    return lcm(*{len(cycle) for cycle in cycles(g)})


def from_cycles(degree: int, *parts: Iterable[int]) -> Perm:
    """The product of the given disjoint cycles.

    >>> from_cycles(4, (0, 2, 3))
    (2, 1, 3, 0)
    """
    images = list(range(degree))
    disjoint = [tuple(part) for part in parts]
    points = [point for cycle in disjoint for point in cycle]
    if len(set(points)) < len(points):
        raise ValueError("a point occurs twice")
    for cycle in disjoint:
        for point, image in zip(cycle, cycle[1:] + cycle[:1], strict=True):
            images[point] = image
    return tuple(images)


def cycle_text(g: Perm, names: Sequence[str] | None = None) -> str:
    """The cycles as text, ``()`` for the identity; points by number or by name.

    >>> cycle_text((1, 0, 2, 4, 3))
    '(0 1)(3 4)'
    """
    show: Callable[[int], str] = str if names is None else names.__getitem__
    return "".join(f"({' '.join(map(show, cycle))})" for cycle in cycles(g)) or "()"
