"""Random models in which some cells always hold the same value: symmetric matrices, and variables that are copies."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from .generator import Context, ModelWriter
from .language import BOOL, Domain, Tree, Variable, numbers
from .naming import Namer


class TwinWriter(ModelWriter):
    """The first variable is a matrix whose rows are its columns, or an array of which the second variable is a copy.

    Whatever changes a cell changes its twin; either of them is read.
    """

    def __init__(self, random: Random, namer: Namer) -> None:
        super().__init__(random, namer)
        self.nearly = False
        self._is_matrix = self.often(0.7)
        self._twins: dict[str, str] = {}

    def _variable(self, number: int) -> Variable:
        if number == 0:
            p = self.process
            domain = self.random.choice((BOOL, BOOL, numbers(0, 2)))
            dimensions: tuple[Domain, ...] = (p, p) if self._is_matrix else (p,)
            start = (self._constant(domain),) * len(p) ** len(dimensions)
            variable = Variable(self.namer.global_name("v0"), dimensions, domain, None, start)
            self._twins[variable.name] = variable.name
            return variable
        if number == 1 and not self._is_matrix:
            first = self.variables[0]
            variable = Variable(self.namer.global_name("v1"), first.dimensions, first.domain, None, first.initial)
            self._twins = {first.name: variable.name, variable.name: first.name}
            return variable
        return super()._variable(number)

    def _change(self, context: Context, variable: Variable | None = None) -> Iterator[Tree]:
        variable = variable or self.random.choice(self.variables)
        indices = self._indices(variable, context) if variable.name in self._twins else None
        if indices is None:
            yield from super()._change(context, variable)
            return
        yield ("set", variable.name, indices, self.value(variable.domain, context))
        yield ("set", self._twins[variable.name], indices[::-1], ("var", variable.name, indices))
