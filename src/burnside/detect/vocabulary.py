"""The names that a model speaks of: processes, and values of data that are copied and compared as names are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import final

from burnside.detect.sort_inference import InferredSorts
from burnside.ir.cells import unextended
from burnside.ir.initial import first_values_of
from burnside.ir.nodes import Domain, Model, Variable
from burnside.ir.renaming import Sort

MOST_VALUES = 64


@final
class Vocabulary:
    """The sorts of a model with their values: processes, and data whose values are names rather than numbers."""

    def __init__(self, model: Model, sorts: InferredSorts, occurring: Mapping[str, frozenset[int]]) -> None:
        self._model = model
        self.sorts = sorts
        self._occurring = occurring

    @cached_property
    def ids(self) -> Mapping[Sort, Domain]:
        """For each sort, a domain that has its values and no others."""
        found: dict[Sort, Domain] = {}
        for domain in self._domains():
            sort = self.sorts.of_domain(domain)
            if sort is not None and (sort.is_process or self._are_names(domain)):
                known = found.get(sort)
                if known is None or len(unextended(domain)) > known.size or domain.name == sort.name:
                    found[sort] = plain(domain, sort)
        return {s: d for s, d in found.items() if d.size > 1}

    def _domains(self) -> Iterator[Domain]:
        yield from self._model.domains
        for variable in self._model.variables:
            yield from (*variable.dimensions, variable.domain)

    def _are_names(self, domain: Domain) -> bool:
        """Whether the values of a domain of data are exchanged as names: one of them occurs, and is never written."""
        sort = self.sorts.of_domain(domain)
        if sort is None or self.sorts.is_interpreted(("domain", domain.name)) or domain.size > MOST_VALUES:
            return False
        written = {literal.value for literal in self.sorts.literals if self.sorts.sort(literal.key) == sort}
        for variable in self._model.variables:
            if self.held_by(variable) == sort:
                written |= {v[0] for v in first_values_of(self._model, variable) if len(v) == 1}
        occurring = {v for name, values in self._occurring.items() if self._holds(name, sort) for v in values}
        return bool(occurring & set(unextended(domain)) - written)

    def _holds(self, variable: str, sort: Sort) -> bool:
        return self.held_by(next(v for v in self._model.variables if v.name == variable)) == sort

    def held_by(self, variable: Variable) -> Sort | None:
        """The sort of the values of a variable."""
        key = ("variable", variable.name)
        return self.sorts.of_domain(variable.domain) or (None if variable.domain.name else self.sorts.sort(key))

    def is_id(self, sort: Sort | None) -> bool:
        """Whether the values of a sort are processes."""
        return sort is not None and sort.is_process and sort in self.ids

    def text(self, sort: Sort, value: int) -> str:
        """A name in the user's words."""
        return self.ids[sort].text(value)

    def declared(self, sort: Sort) -> Sequence[int]:
        """All names of a sort."""
        return self.ids[sort].values()

    def names(self, sort: Sort | None, value: int) -> bool:
        """Whether a number is a value of a sort."""
        return sort is not None and sort in self.ids and value in self.ids[sort]


def plain(domain: Domain, sort: Sort) -> Domain:
    """A domain without its extra labels, whose values are of a sort."""
    values = unextended(domain)
    labels = domain.labels[: len(values)] if domain.is_enumeration else ()
    name = "" if sort.is_process else sort.name
    return Domain(name, values[0], values[-1], labels, sort.name if sort.is_process else "", domain.names)
