"""Few points that still tell all elements of a group apart.

A symmetry of a model moves many literals in step: whatever permutes the processes permutes each of their variables.
If some map from one orbit onto another commutes with the group, an element that fixes the first orbit pointwise fixes
the second as well, so the second orbit can be left out of every computation that only needs a faithful action.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from burnside.groups.group import PermGroup
from burnside.groups.perm import Perm, cycles
from burnside.groups.work import Work

_PROBES = 8  # generators, and as many random elements, that tell points apart before a map is tried
_TRIALS = 64  # maps tried for one pair of orbits; keeping an orbit too many is never wrong


def faithful_points(group: PermGroup, *, work: Work | None = None) -> tuple[int, ...]:
    """A sorted union of orbits on which only the identity acts trivially: large orbits first, dependent ones left out.

    Needs no stabiliser chain, and finds no dependence that takes more than one orbit to explain.
    """
    orbits = sorted((o for o in group.orbits if len(o) > 1), key=lambda o: (-len(o), o))
    probes = [*group.generators[:_PROBES], *islice(group.randoms(1), _PROBES)] if len(orbits) > 1 else []
    lengths = [cycle_lengths(g) for g in probes]
    kept: list[Sequence[int]] = []
    for orbit in orbits:
        if not any(_determines(one, orbit, group.generators, lengths, work) for one in kept):
            kept.append(orbit)
    return tuple(sorted(point for orbit in kept for point in orbit))


def equivariant_map(
    source: int, target: int, generators: Sequence[Perm], work: Work | None = None
) -> dict[int, int] | None:
    """The map from the orbit of ``source`` to that of ``target`` that commutes with the group and takes one to the
    other, if there is one: ``source^g -> target^g``.
    """
    images = {source: target}
    queue = [source]
    for p in queue:
        q = images[p]
        if work:
            work.spend(len(generators))
        for g in generators:
            known = images.setdefault(g[p], g[q])
            if known != g[q]:
                return None
            if len(images) > len(queue):
                queue.append(g[p])
    return images


def cycle_lengths(g: Perm) -> list[int]:
    """For every point the length of its cycle."""
    lengths = [1] * len(g)
    for cycle in cycles(g):
        for point in cycle:
            lengths[point] = len(cycle)
    return lengths


def _determines(
    one: Sequence[int], other: Sequence[int], generators: Sequence[Perm], lengths: list[list[int]], work: Work | None
) -> bool:
    """Whether some map from the orbit ``one`` onto the orbit ``other`` commutes with the group."""
    if len(one) % len(other):
        return False
    source = one[0]
    trials = 0
    for target in other:
        # A power of g that fixes the source must fix the target, which most wrong targets fail at once.
        if any(row[source] % row[target] for row in lengths):
            continue
        if equivariant_map(source, target, generators, work) is not None:
            return True
        trials += 1
        if trials == _TRIALS:
            return False
    return False
