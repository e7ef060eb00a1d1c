"""Who knows whom: what a permutation of rebecs has to keep, read off the declarations and the initial state."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import final

from burnside.frontends.front_end import LoadOptions
from burnside.frontends.rebeca.load import compiled, read_world
from burnside.frontends.rebeca.start import Start
from burnside.frontends.rebeca.world import World, null_as
from burnside.ir.nodes import Domain, Value, Variable
from burnside.ir.topology import Actor, Topology
from burnside.source import Diagnostics, Source


def load_topology(source: Source, constants: Mapping[str, Value], options: LoadOptions) -> Topology | None:
    """The rebecs of ``main``, or None if the text is wrong or has several initial states."""
    diagnostics = Diagnostics()
    world = read_world(source, constants, options, diagnostics)
    compiler = None if world is None else compiled(world, diagnostics)
    if world is None or compiler is None:
        return None
    variables, initially = Start(world, compiler, diagnostics).construct(())
    if diagnostics.has_errors or initially:
        return None
    places = {number: position for position, number in enumerate(world.order)}
    return Topology(tuple(_Looking(world, variables, places).actor(number) for number in world.order))


@final
class _Looking:
    """Sorts what is known of a rebec into plain values and references."""

    def __init__(self, world: World, variables: Sequence[Variable], places: Mapping[int, int]) -> None:
        self._world = world
        self._variables = variables
        self._places = places

    def actor(self, number: int) -> Actor:
        """One rebec: its class, its plain values, and the rebecs it refers to, always in the same order."""
        rebec = self._world.rebecs[number]
        plain: list[int | str] = [rebec.kind.name]
        references = [self._place(null_as(self._world, k), self._world.size) for k in rebec.known]
        for variable in self._own(rebec.kind.name):
            for value in self._values(variable, number):
                if variable.domain.index:
                    references.append(self._place(value, variable.domain.high))
                else:
                    plain.append(value)
            if variable.is_sequence:
                plain.append("end")
        return Actor(rebec.name, rebec.kind.name, tuple(plain), tuple(references))

    def _own(self, kind: str) -> Iterator[Variable]:
        for variable in self._variables:
            if variable.name.startswith((f"{kind}.", f"{kind}:")):
                yield variable

    @staticmethod
    def _values(variable: Variable, number: int) -> Iterator[int]:
        ids: Domain = variable.dimensions[0]
        each = variable.elements // ids.size
        start = (number - ids.low) * each
        for first in variable.initial[start : start + each]:
            yield from first if isinstance(first, tuple) else (first or 0,)

    def _place(self, value: int, nobody: int) -> int | None:
        return None if value == nobody else self._places.get(value)
