"""What the symmetries of one instance do to process ids: the view of a group that words of processes share.

A symmetry permutes literals (cell = value). A literal names ids of a process domain, as indices of its cell and as
its value, in this order. A symmetry *acts* on the domain if every literal names as many ids as its image, and all ids
move by one permutation. Then products act by the products of the permutations, so the action of a group is known
from its generators. Where some generators do not act, products of them may; those that only rename ids are looked for
among the permutations of the library.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import final

from burnside.detect.literals import Literals
from burnside.detect.naming import name_generators
from burnside.detect.symmetry import Symmetry
from burnside.groups import OutOfWork, Perm, PermGroup, Work, group_order, stabiliser_chain, with_order
from burnside.groups.perm import is_permutation
from burnside.ir.cells import process_ids
from burnside.ir.nodes import Domain, Model
from burnside.regular.library import library
from burnside.values import dataclass

_DEEPEST = 9  # as deep as anybody can ask for
_MOST_WORK = 100_000_000  # images of points: a few seconds


@final
@dataclass(frozen=True)
class ProcessAction:
    """What the generators of a group of symmetries do to the ids of a domain, which are numbered in order.

    ``images`` has a permutation of ids for every generator, or None if the generator does not act on them.
    ``without`` describes those generators; then ``group`` may be too small, although ``renamings``, permutations of
    ids that are symmetries by themselves, belong to it as well.
    """

    domain: str
    ids: tuple[str, ...]
    images: tuple[Perm | None, ...]
    without: tuple[str, ...] = ()
    renamings: tuple[Perm, ...] = ()

    @cached_property
    def group(self) -> PermGroup:
        """The induced group, its order known."""
        acting = (image for image in self.images if image is not None)
        return with_order(PermGroup(len(self.ids), (*acting, *self.renamings)))

    @property
    def order(self) -> int:
        """How many permutations of ids there are."""
        return group_order(self.group)


def process_actions(symmetry: Symmetry) -> dict[str, ProcessAction]:
    """The action on every process domain that some literal speaks of."""
    domains = process_domains(symmetry.literals.cells.model)
    places = {domain: Places(symmetry.literals, domain) for domain in domains}
    return {domain.index: _action(symmetry, domain, places[domain]) for domain in domains if places[domain].is_named}


def _action(symmetry: Symmetry, domain: Domain, places: Places) -> ProcessAction:
    generators = symmetry.group.generators
    images = tuple(places.action(g) for g in generators)
    torn = [g for g, image in zip(generators, images, strict=True) if image is None]
    return ProcessAction(
        domain.index,
        tuple(map(domain.text, places.ids)),
        images,
        tuple(g.description for g in name_generators(symmetry.literals, torn)),
        tuple(_renamings(symmetry, places)) if torn else (),
    )


def _renamings(symmetry: Symmetry, places: Places) -> Iterator[Perm]:
    """The permutations of ids of the library that are symmetries without anything else changing.

    None if that takes too long to decide; the group is too small without them at worst.
    """
    try:
        chain = stabiliser_chain(symmetry.group, work=Work(_MOST_WORK))
    except OutOfWork:
        return
    for positions in dict.fromkeys(p.positions(len(places.ids)) for p in library(_DEEPEST)):
        renaming = places.renaming(positions)
        if renaming is not None and renaming in chain:
            yield positions


def process_domains(model: Model) -> list[Domain]:
    """The process domains of a model, in order of declaration, as far as dimensions or values speak of them."""
    declared = [d for d in model.domains if d.index and d.index == d.name]
    used = [d for v in model.variables for d in (*v.dimensions, v.domain) if d.index]
    by_name: dict[str, Domain] = {}
    for domain in (*declared, *used):
        by_name.setdefault(domain.index, domain)
    return [d for name, d in by_name.items() if any(name == other.index for other in used)]


@final
class Places:
    """Where the literals of a model name ids of one domain."""

    def __init__(self, literals: Literals, domain: Domain) -> None:
        self.ids = process_ids(domain)
        self._literals = literals
        self._domain = domain.index
        self._named = [tuple(self._named_by(point)) for point in range(len(literals.points))]

    @property
    def is_named(self) -> bool:
        """Whether any literal names an id."""
        return any(self._named)

    def _named_by(self, point: int) -> Iterator[tuple[int, int]]:
        """The ids that a literal names, each with the place where it does; the value has place -1."""
        cell, value = self._literals.points[point]
        place = self._literals.cells.all[cell]
        for k, (dimension, index) in enumerate(zip(place.variable.dimensions, place.indices, strict=True)):
            if dimension.index == self._domain:
                yield k, index
        if place.variable.domain.index == self._domain and place.slot != -1:
            if value is None:  # a large cell moves as a whole: every value stays what it is
                yield from ((-1 - i, i) for i in process_ids(place.variable.domain))
            elif value in process_ids(place.variable.domain):
                yield -1, value

    def action(self, perm: Perm) -> Perm | None:
        """The permutation of ids that a permutation of literals induces, or None if it does not act."""
        images: dict[int, int] = {}
        for point, image in enumerate(perm):
            old, new = self._named[point], self._named[image]
            if len(old) != len(new):
                return None
            for (_, i), (_, j) in zip(old, new, strict=True):
                if images.setdefault(i, j) != j:
                    return None
        return self._numbered(images)

    def renaming(self, positions: Perm) -> Perm | None:
        """The permutation of literals that only renames ids, or None if some literal has no image."""
        renamed = {i: self.ids[k] for i, k in zip(self.ids, positions, strict=True)}
        images = [self._renamed(point, renamed) for point in range(len(self._named))]
        numbers = tuple(number for number in images if number is not None)
        return numbers if len(numbers) == len(images) and is_permutation(numbers) else None

    def _renamed(self, point: int, renamed: Mapping[int, int]) -> int | None:
        """The literal with its ids renamed, if there is one."""
        cell, value = self._literals.points[point]
        place = self._literals.cells.all[cell]
        named = dict(self._named[point])
        indices = [renamed.get(i, i) if k in named else i for k, i in enumerate(place.indices)]
        start = self._literals.cells.position(place.variable, indices)
        if start is None or (value is None and any(k < 0 for k in named)):
            return None  # a large cell cannot have its values renamed
        target = start if place.slot is None else start + 1 + place.slot
        return self._literals.numbers.get((target, renamed.get(named[-1], value) if -1 in named else value))

    def _numbered(self, images: dict[int, int]) -> Perm | None:
        """The map as a permutation of all ids, those that nothing names fixed."""
        whole = [images.get(i, i) for i in self.ids]
        if sorted(whole) != list(self.ids) or not images.keys() <= set(self.ids):
            return None
        return tuple(self.ids.index(i) for i in whole)
