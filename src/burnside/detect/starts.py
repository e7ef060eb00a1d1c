"""Initial values as sites: those that name processes or values, and those that are not the same for all processes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from operator import attrgetter
from typing import final

from burnside.detect.site import MOST_ENTRIES, Kind, Site, Start, places
from burnside.detect.sort_inference import Owner
from burnside.detect.vocabulary import Vocabulary
from burnside.ir.cells import Cells, cells_per_element, unextended
from burnside.ir.initial import first_values_of
from burnside.ir.nodes import Model, Variable
from burnside.ir.renaming import Sort
from burnside.ir.uses import variables_written
from burnside.ir.walk import blocks, statements
from burnside.source import Span


@final
class Starts:
    """Finds the initial values of a model that could single out somebody."""

    def __init__(self, model: Model, cells: Cells, vocabulary: Vocabulary) -> None:
        self._model = model
        self._cells = cells
        self._vocabulary = vocabulary
        self._sorts = vocabulary.sorts
        self._written = _written_at(model)

    def sites(self, used: set[str]) -> Iterator[Start]:
        """Initial values that name processes or values, or that are not the same for all processes.

        What is written in one place is one site, though several variables begin with it.
        """
        together: dict[Site, list[Start]] = {}
        for start in self._starts(used):
            about = start.site if start.site.value is not None else replace(start.site, owner=_SOMEBODY, text="")
            together.setdefault(about, []).append(start)
        for several in together.values():
            yield several[0] if len(several) == 1 else _one_start(several)

    def _starts(self, used: set[str]) -> Iterator[Start]:
        for variable in self._model.variables:
            sort = self._vocabulary.held_by(variable)
            if variable.name not in used or (variable.span is None and not variable.initial_spans):
                continue
            about = self._indexed_by_processes(variable)
            if about is not None and len(set(self._initial(variable))) > 1:
                yield self._different(variable, about)
            elif sort is not None and sort in self._vocabulary.ids:
                yield from self._naming(variable, sort)

    def _naming(self, variable: Variable, sort: Sort) -> Iterator[Start]:
        """One site for each value that some elements begin with."""
        first, width = self._cells.starts[variable.name], cells_per_element(variable)
        given = [v[0] if len(v) == 1 else None for v in first_values_of(self._model, variable)]
        ids = self._vocabulary.ids[sort]
        instead = [v for v in ids.values() if v in unextended(variable.domain)]
        for value in [v for v in dict.fromkeys(given) if v is not None and v in instead]:
            held = [c for c, v in enumerate(given) if v == value and not (width > 1 and c % width == 0)]
            if held:
                at = self._initial_places(variable, [c // width for c in held])
                site = Site(
                    Kind.INITIAL, sort, Owner("variable", variable.name), at, variable.domain.text(value), value
                )
                yield Start(site, tuple(first + c for c in held), (value,) * len(held), (instead,) * len(held))

    def _different(self, variable: Variable, sort: Sort) -> Start:
        """One site for all elements, where they do not all begin with the same; those that stand out are its places."""
        at = self._initial_places(variable, _standing_out(self._cells, variable, self._initial(variable)))
        site = Site(Kind.INITIAL, sort, Owner("variable", variable.name), at, variable.name)
        first, width = self._cells.starts[variable.name], cells_per_element(variable)
        given = {first + c: v[0] for c, v in enumerate(first_values_of(self._model, variable)) if len(v) == 1}
        free: list[set[int]] = [set() for _ in range(width)]  # what some element begins with in the same place
        for c, values in enumerate(first_values_of(self._model, variable)):
            free[c % width] |= set(values)
        held = self._vocabulary.held_by(variable)
        if held is not None and held in self._vocabulary.ids and variable.domain.size <= MOST_ENTRIES:
            for others in free[width > 1 :]:  # the length of a sequence comes first
                others |= set(unextended(variable.domain))
        instead = tuple(sorted(free[(cell - first) % width]) for cell in given)
        return Start(site, tuple(given), tuple(given.values()), instead)

    def _initial(self, variable: Variable) -> Sequence[object]:
        """What each element begins with: as declared, or by the values of its cells."""
        if variable.name not in self._written:
            return variable.initial
        width, values = cells_per_element(variable), first_values_of(self._model, variable)
        elements = (values[k : k + width] for k in range(0, len(values), width))
        return [e[0][0] if width == len(e[0]) == 1 else tuple(map(tuple, e)) for e in elements]

    def _initial_places(self, variable: Variable, elements: Sequence[int]) -> tuple[Span, ...]:
        """Where the initial values of some elements are written; where the variable is declared if nowhere."""
        spans = variable.initial_spans
        if variable.name in self._written:
            return places(self._written[variable.name])
        if not spans:
            return places([variable.span])
        return places(spans[e] if len(spans) > 1 else spans[0] for e in elements)

    def _indexed_by_processes(self, variable: Variable) -> Sort | None:
        for k, dimension in enumerate(variable.dimensions):
            sort = self._sorts.of_domain(dimension) or self._sorts.sort(("dimension", variable.name, k))
            if self._vocabulary.is_id(sort):
                return sort
        return None


_SOMEBODY = Owner("variable")


def _one_start(several: Sequence[Start]) -> Start:
    """Initial values that are given in one place."""
    cells, values, instead = (
        tuple(item for start in several for item in items(start))
        for items in (attrgetter("cells"), attrgetter("values"), attrgetter("instead"))
    )
    return Start(replace(several[0].site, owner=_SOMEBODY, text=""), cells, values, instead)


def _standing_out(cells: Cells, variable: Variable, initial: Sequence[object]) -> list[int]:
    """The elements that do not begin as most do: with one value, or each with its own index."""
    unusual = _unusual(initial)
    if len(variable.dimensions) != 1:
        return unusual
    indices = [element.indices[0] for element in cells.elements_of(variable)]
    own = [_with_own(value, index) for value, index in zip(initial, indices, strict=True)]
    return min(_unusual(own), unusual, key=len) or [*range(len(indices))]


def _unusual(values: Sequence[object]) -> list[int]:
    common = Counter(values).most_common(1)[0][0]
    return [k for k, value in enumerate(values) if value != common]


def _with_own(value: object, index: int) -> object:
    """An initial value with a sign in the places of an index."""
    if isinstance(value, tuple):
        return tuple("own" if item == index else item for item in value)
    return "own" if value == index else value


def _written_at(model: Model) -> dict[str, list[Span | None]]:
    """Where start rules write variables."""
    found: dict[str, list[Span | None]] = {}
    for start in model.starts:
        for statement in statements(start.body):
            for name in () if any(blocks(statement)) else variables_written((statement,)):
                found.setdefault(name, []).append(statement.span)
    return found
