"""Who knows whom: what a permutation of rebecs has to keep, read off the declarations and the initial state."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import final

from burnside.frontends.rebeca.names.world import World, null_as
from burnside.frontends.rebeca.translate.shape import Shape
from burnside.ir.nodes import Domain, Variable
from burnside.ir.topology import Actor, ActorClass, Topology


def topology_of(world: World, shape: Shape, variables: Sequence[Variable]) -> Topology:
    """The rebecs of the initial state."""
    classes = {kind.name: kind for kind in shape.actors()}
    ids = (*world.order, *_created(world, classes, variables))
    own = {name: {part.variable.name for part in shape.parts(name)} for name in world.ids}
    looking = _Looking(world, variables, own, {number: position for position, number in enumerate(ids)})
    return Topology(tuple(looking.actor(number) for number in ids), ids)


def _created(world: World, classes: Mapping[str, ActorClass], variables: Sequence[Variable]) -> Iterator[int]:
    """The rebecs that constructors have created."""
    initial = {v.name: v.initial for v in variables}
    for name, pool in world.pools.items():
        exists = classes[name].exists
        yield from (i for i in pool if exists is not None and initial[exists][i - world.ids[name][0]])


@final
class _Looking:
    """Sorts what is known of a rebec into plain values and references."""

    def __init__(
        self, world: World, variables: Sequence[Variable], own: Mapping[str, set[str]], places: Mapping[int, int]
    ) -> None:
        self._world = world
        self._own = {name: [v for v in variables if v.name in names] for name, names in own.items()}
        self._places = places

    def actor(self, number: int) -> Actor:
        """One rebec: its class, its plain values, and the rebecs it refers to, always in the same order."""
        kind = next(name for name, ids in self._world.ids.items() if number in ids)
        plain: list[int | str] = [kind]
        references = [self._place(known, self._world.size) for known in self._known(kind, number)]
        for variable in self._own[kind]:
            for value in self._values(variable, number):
                if variable.domain.index:
                    references.append(self._place(value, variable.domain.high))
                else:
                    plain.append(value)
            if variable.is_sequence:
                plain.append("end")
        return Actor(self._world.names[number], kind, tuple(plain), tuple(references))

    def _known(self, kind: str, number: int) -> Iterator[int]:
        """Known rebecs; where rebecs are created, they are variables."""
        if kind not in self._world.pools:
            yield from (null_as(self._world, k) for k in self._world.rebecs[number].known)

    @staticmethod
    def _values(variable: Variable, number: int) -> Iterator[int]:
        ids: Domain = variable.dimensions[0]
        each = variable.elements // ids.size
        start = (number - ids.low) * each
        for first in variable.initial[start : start + each]:
            yield from first if isinstance(first, tuple) else (first or 0,)

    def _place(self, value: int, nobody: int) -> int | None:
        return None if value == nobody else self._places.get(value)
