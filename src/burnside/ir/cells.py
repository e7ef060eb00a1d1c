"""States as flat tuples of integers, and what each position means.

A state has one *cell* per scalar variable and array element, in order of declaration, row by row. An
element that is a sequence of capacity ``k`` has ``1 + k`` cells: its length, then its slots. A slot behind the
last item is *empty*: it holds one value below the domain of items. So equal sequences are equal cells, and
an empty slot is never mistaken for an item: renaming the items of a sequence renames cells value by value.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import product
from typing import TypeAlias, final

from burnside.ir.nodes import Domain, Expr, Model, Variable
from burnside.ir.shown import shown_value
from burnside.values import dataclass, replace

State: TypeAlias = tuple[int, ...]


@final
@dataclass(frozen=True, slots=True)
class Element:
    """A variable, or one element of an array, and where its cells begin."""

    variable: Variable
    indices: tuple[int, ...]
    start: int

    @property
    def name(self) -> str:
        """The user's name for it: ``fork[2]``."""
        return element_name(self.variable, self.indices)

    def cells(self, state: State) -> State:
        """What a state says about it."""
        return state[self.start : self.start + cells_per_element(self.variable)]

    def text(self, state: State) -> str:
        """Its value in the user's words."""
        first, *items = self.cells(state)
        text = self.variable.domain.text
        return "[" + ", ".join(map(text, items[:first])) + "]" if self.variable.is_sequence else text(first)


@final
@dataclass(frozen=True, slots=True)
class Cell:
    """One position of a state. ``slot`` is None for a scalar, -1 for a length, else the item's position."""

    variable: Variable
    indices: tuple[int, ...]
    slot: int | None
    domain: Domain

    @property
    def name(self) -> str:
        """The user's name for the cell: ``fork[2]``, ``len(q)``, ``q[0]``."""
        if self.slot is None:
            return self.element_name
        if self.slot < 0:
            return f"len({self.element_name})"
        if self.variable.shown:
            return element_name(self.variable, self.indices, self.slot)
        return f"{self.element_name}[{self.slot}]"

    @property
    def element_name(self) -> str:
        """The user's name for the element that the cell is part of."""
        return element_name(self.variable, self.indices)

    @property
    def sequence_name(self) -> str:
        """The user's name for the sequence that the cell is part of, which may be one of records."""
        shown = self.variable.shown
        whole = replace(self.variable, shown=shown[: shown.index(-1)]) if -1 in shown else self.variable
        return element_name(whole, self.indices)


@final
@dataclass(frozen=True)
class Cells:
    """The cells of a model: positions of variables, and the domain of every position."""

    model: Model

    @cached_property
    def variables(self) -> Mapping[str, Variable]:
        """Variables by name."""
        return {v.name: v for v in self.model.variables}

    @cached_property
    def starts(self) -> Mapping[str, int]:
        """The first cell of every variable."""
        starts, position = {}, 0
        for variable in self.model.variables:
            starts[variable.name] = position
            position += variable.elements * cells_per_element(variable)
        return starts

    @cached_property
    def _places(self) -> Mapping[str, tuple[int, int]]:
        return {name: (start, cells_per_element(self.variables[name])) for name, start in self.starts.items()}

    @cached_property
    def all(self) -> tuple[Cell, ...]:
        """Every cell in order."""
        return tuple(cell for v in self.model.variables for cell in _cells_of(v))

    def __len__(self) -> int:
        return sum(v.elements * cells_per_element(v) for v in self.model.variables)

    def position(self, variable: Variable, indices: Sequence[int]) -> int | None:
        """The first cell of an element, or None if an index lies outside its dimension."""
        element = 0
        for dimension, index in zip(variable.dimensions, indices, strict=True):
            low, high = dimension.low, dimension.high  # nothing is asked more often
            if not low <= index <= high:
                return None
            element = element * (high - low + 1) + (index - low)
        start, width = self._places[variable.name]
        return start + element * width

    @cached_property
    def elements(self) -> tuple[Element, ...]:
        """Every element, in order of declaration."""
        return tuple(e for v in self.model.variables for e in self.elements_of(v))

    def elements_of(self, variable: Variable) -> Iterator[Element]:
        """The elements of a variable, row by row."""
        start, width = self.starts[variable.name], cells_per_element(variable)
        for number, indices in enumerate(_index_tuples(variable)):
            yield Element(variable, indices, start + number * width)

    def describe(self, state: State) -> dict[str, str]:
        """Every element of a state with its value in the user's words, in order of declaration."""
        return {element.name: element.text(state) for element in self.elements}


def shown_name(name: str) -> str:
    """How reports write a name: in backquotes, as in a text, if it could be taken for part of another.

    >>> [shown_name(name) for name in ("fork", "fork[2]")]
    ['fork', '`fork[2]`']
    """
    return f"`{name}`" if {"[", "("} & set(name) else name


def element_name(variable: Variable, indices: Sequence[int], slot: int | None = None) -> str:
    """The user's name for an element of a variable, or for an item of it if its form says where the slot stands."""
    places = [f"[{d.text(i)}]" for d, i in zip(variable.dimensions, indices, strict=True)]
    if not variable.shown:
        return shown_name(variable.name) + "".join(places)
    item = "" if slot is None else f"[{slot}]"
    first, *rest = variable.shown
    return shown_name(str(first)) + "".join(p if isinstance(p, str) else item if p < 0 else places[p] for p in rest)


def name_before(variable: Variable, place: int = -1) -> str:
    """The user's name for what a dimension of a variable is an index of; by default, for the sequence that it is, which
    may be one of records.
    """
    if place not in variable.shown:
        return variable.name
    return "".join(part for part in variable.shown[: variable.shown.index(place)] if isinstance(part, str))


def index_outside(cells: Cells, variable: Variable, indices: Sequence[Expr], numbers: Sequence[int]) -> str:
    """Which index of an element that a variable does not have is wrong."""
    at, domain = next((k, d) for k, d in enumerate(variable.dimensions) if numbers[k] not in d)
    shown = shown_value(cells.variables, indices[at], numbers[at])
    return f"index {shown} of '{name_before(variable, at)}' is outside {domain.low}..{domain.high}"


def item_text(cells: Cells, variable: Variable, expr: Expr, value: int) -> str:
    """A value for a sequence, as reports show it; of a record, the part that is known first."""
    text = shown_value(cells.variables, expr, value)
    places = variable.shown
    field = "".join(map(str, places[places.index(-1) + 1 :])) if -1 in places else ""
    return f"{{{field.removeprefix('.')}: {text}, …}}" if field else text


def cells_per_element(variable: Variable) -> int:
    """How many cells one element of a variable takes."""
    return 1 if variable.capacity is None else 1 + variable.capacity


def process_ids(domain: Domain) -> range:
    """The values of a domain that are process ids: those without a label, or all of an enumeration."""
    if not domain.index:
        return range(0)
    return unextended(domain)


def unextended(domain: Domain) -> range:
    """The values of a domain without the labels that extend another one; all of an enumeration that extends none."""
    labelled = domain.added if domain.is_enumeration else len(domain.labels)
    return range(domain.low, domain.high + 1 - labelled)


def empty_slot(variable: Variable) -> int:
    """What a slot without an item holds."""
    return variable.domain.low - 1


def initial_values(variable: Variable) -> Iterator[Sequence[int]]:
    """For each cell of a variable, the values it may have initially."""
    for value in variable.initial:
        if isinstance(value, tuple):
            padding = (variable.capacity or 0) - len(value)
            yield from ((v,) for v in (len(value), *value, *[empty_slot(variable)] * padding))
        else:
            yield variable.domain.values() if value is None else (value,)


def slot_domain(variable: Variable) -> Domain:
    """The domain of a slot: the items and, below them, empty."""
    return Domain("", empty_slot(variable), variable.domain.high)


def length_domain(capacity: int) -> Domain:
    """The domain of a sequence's length."""
    return Domain("", 0, capacity)


def _index_tuples(variable: Variable) -> Iterator[tuple[int, ...]]:
    return product(*(d.values() for d in variable.dimensions))


def _cells_of(variable: Variable) -> Iterator[Cell]:
    for indices in _index_tuples(variable):
        if variable.capacity is None:
            yield Cell(variable, indices, None, variable.domain)
            continue
        yield Cell(variable, indices, -1, length_domain(variable.capacity))
        for slot in range(variable.capacity):
            yield Cell(variable, indices, slot, slot_domain(variable))
