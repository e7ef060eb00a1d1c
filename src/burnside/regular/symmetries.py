"""Which process symmetries of the library a system has, and the groups they generate for every length."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import final

from burnside.regular.describe import rotated_positions
from burnside.regular.lettermaps import letter_maps
from burnside.regular.library import REFLECTION, ROTATION, TRANSPOSITION, Permutation, library
from burnside.regular.process import Breach, breach
from burnside.regular.system import System
from burnside.values import dataclass


@final
@dataclass(frozen=True, slots=True)
class Group:
    """A parameterised symmetry group: a name, its generators, and what it is in words."""

    name: str
    generators: tuple[str, ...]
    description: str


@final
@dataclass(frozen=True, slots=True)
class Symmetries:
    """The answers for the whole library.

    ``breaches`` has an entry for every permutation, None where it is a symmetry; ``relabelled`` are those that
    hold only together with a permutation of the letters.
    """

    breaches: Mapping[Permutation, Breach | None]
    relabelled: tuple[Permutation, ...]
    groups: tuple[Group, ...]

    @property
    def holding(self) -> tuple[Permutation, ...]:
        """The permutations that are symmetries without any change of letters."""
        return tuple(p for p, found in self.breaches.items() if found is None)


def find_symmetries(system: System, *, depth: int = 3) -> Symmetries:
    """Try the library on a system, with letter permutations where the plain permutation fails."""
    breaches = {p: breach(system, p) for p in library(depth)}
    relabelled = [
        Permutation(p.kind, p.place, letters)
        for letters in letter_maps(system)
        for p in (Permutation("identity"), *(p for p, found in breaches.items() if found is not None))
        if breach(system, Permutation(p.kind, p.place, letters)) is None
    ]
    holding = [p for p, found in breaches.items() if found is None]
    return Symmetries(breaches, tuple(relabelled), tuple(groups_of(holding, relabelled)))


def groups_of(holding: Iterable[Permutation], relabelled: Iterable[Permutation] = ()) -> list[Group]:
    """The largest groups of the library that these symmetries generate, full before cyclic before dihedral.

    Rotations with a reflection that holds only with letters exchanged are ``dihedral+letters``.
    """
    names = {p.name for p in holding}
    places = sorted({p.place for p in holding if p.kind != REFLECTION}, key=lambda i: (abs(i), -i))
    full = [i for i in places if f"{ROTATION}@{i}" in names and f"{TRANSPOSITION}@{i}" in names]
    turning = [i for i in places if f"{ROTATION}@{i}" in names]
    groups: list[Group] = []
    if full:
        groups.append(_full(full[0]))
    if turning and (not full or abs(turning[0]) < abs(full[0])):
        mirrored = turning[0] == 1 and REFLECTION in names
        groups.append(_dihedral() if mirrored else _cyclic(turning[0]))
        if turning[0] == 1 and not mirrored and any(p.kind == REFLECTION for p in relabelled):
            groups[-1] = _dihedral_with_letters()
    if REFLECTION in names and 1 not in full and 1 not in turning:
        groups.append(Group("reflection", (REFLECTION,), "reflection of all positions"))
    return groups


def _at(name: str, place: int) -> str:
    return name if place == 1 else f"{name}@{place}"


def _full(place: int) -> Group:
    generators = (f"{TRANSPOSITION}@{place}", f"{ROTATION}@{place}")
    return Group(_at("full", place), generators, f"all permutations of {rotated_positions(place)}")


def _cyclic(place: int) -> Group:
    return Group(_at("rotation", place), (f"{ROTATION}@{place}",), f"rotations of {rotated_positions(place)}")


def _dihedral() -> Group:
    return Group("dihedral", (f"{ROTATION}@1", REFLECTION), "rotations and reflections of positions 1..n")


def _dihedral_with_letters() -> Group:
    described = "rotations of positions 1..n, and reflections with letters exchanged"
    return Group("dihedral+letters", (f"{ROTATION}@1", REFLECTION), described)
