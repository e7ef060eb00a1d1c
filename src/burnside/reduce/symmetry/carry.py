"""Verdicts carried over between claims that symmetries exchange.

On the quotient, a violation of ``safe(2)`` may show up as one of ``safe(0)`` at the representative: the symmetry that
leads to the representative has exchanged the two. So a witness of one member of an orbit of claims is, renamed,
a witness of every member.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from burnside.detect.literals import Literals
from burnside.groups import Perm
from burnside.groups.perm import compose, identity, inverse
from burnside.ir.cells import State

Path = tuple[State, ...]


def carry_over(
    witnesses: Sequence[Path | None], exchanges: Mapping[Perm, tuple[int, ...]], literals: Literals
) -> tuple[Path | None, ...]:
    """Witnesses for all claims of an orbit from the shortest witness of any: all are equally far from the start."""
    found: list[Path | None] = list(witnesses)
    known = sorted((len(path), claim) for claim, path in enumerate(witnesses) if path is not None)
    settled: set[int] = set()
    for length, start in known:
        if start in settled:
            continue
        for claim, element in elements_from(start, exchanges, len(literals.points)).items():
            settled.add(claim)
            own, best = found[claim], found[start]
            assert best is not None
            if own is None or len(own) > length:
                found[claim] = tuple(literals.apply(element, state) for state in best)
    return tuple(found)


def elements_from(claim: int, exchanges: Mapping[Perm, tuple[int, ...]], degree: int) -> dict[int, Perm]:
    """The claims of an orbit, each with an element that makes a claim that one."""
    return orbit_with_elements(claim, lambda other: _neighbours(other, exchanges), degree)


def orbits_of(claims: int, exchanges: Mapping[Perm, tuple[int, ...]]) -> tuple[int, ...]:
    """For every claim the first one of its orbit."""
    first = [*range(claims)]

    def root(claim: int) -> int:
        while first[claim] != claim:
            claim = first[claim]
        return claim

    for becomes in exchanges.values():
        for claim in range(claims):
            one, other = sorted((root(claim), root(becomes[claim])))
            first[other] = one
    return tuple(map(root, range(claims)))


def orbit_with_elements(
    start: int, neighbours: Callable[[int], Iterable[tuple[int, Perm]]], degree: int
) -> dict[int, Perm]:
    """The claims that a claim becomes, each with an element that makes it so; ``neighbours`` says it of one step."""
    reached = {start: identity(degree)}
    queue = [start]
    for claim in queue:  # grows while it is walked
        for target, element in neighbours(claim):
            if target not in reached:
                reached[target] = compose(reached[claim], element)
                queue.append(target)
    return reached


def _neighbours(claim: int, exchanges: Mapping[Perm, tuple[int, ...]]) -> Iterator[tuple[int, Perm]]:
    for generator, becomes in exchanges.items():
        yield becomes[claim], generator
        yield from ((k, inverse(generator)) for k, target in enumerate(becomes) if target == claim)
