"""Names of processes and of values, tied to the cells they index and to the literals that hold them.

A symmetry of a graph with ties is a renaming: what it does to a name it does wherever the name stands. Detection
does without ties, since symmetries need not be renamings; explanations speak of names.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple, final

from burnside.detect.vocabulary import Vocabulary
from burnside.ir.cells import Cells, unextended
from burnside.ir.nodes import Domain
from burnside.ir.renaming import Sort
from burnside.values import dataclass


class Name(NamedTuple):
    """A process or a value, as a member of its sort."""

    sort: Sort
    number: int


@final
@dataclass(frozen=True)
class Ties:
    """Which names cells and literals belong to."""

    cells: Cells
    vocabulary: Vocabulary

    @cached_property
    def names(self) -> Sequence[Name]:
        """All names, in order."""
        return [Name(sort, number) for sort, ids in self.vocabulary.ids.items() for number in ids.values()]

    def of_cell(self, cell: int) -> Iterator[tuple[int, Name]]:
        """The names that index a cell, each with its position."""
        place = self.cells.all[cell]
        for k, (dimension, index) in enumerate(zip(place.variable.dimensions, place.indices, strict=True)):
            name = self._name(dimension, index)
            if name is not None:
                yield k, name

    def of_literal(self, cell: int, value: int) -> Name | None:
        """The name that a literal holds."""
        place = self.cells.all[cell]
        return None if place.slot == -1 else self._name(place.variable.domain, value)

    def _name(self, domain: Domain, value: int) -> Name | None:
        sort = self.vocabulary.sorts.of_domain(domain)
        if sort is None or value not in unextended(domain) or not self.vocabulary.names(sort, value):
            return None
        return Name(sort, value)
