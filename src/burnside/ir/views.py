"""States in the words of those who wrote a model: every variable as it is declared, and what a step changes of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain, product
from typing import Final, final

from burnside.ir.cells import Cells, State, cells_per_element, element_name, shown_name
from burnside.ir.nodes import Domain, Model, Variable
from burnside.ir.spelling import (
    Spelling,
    element_text,
    elements_of,
    record_text,
    repeated,
    spelled_parts,
    tag_of,
    unmistakable,
)
from burnside.ir.wholes import Collection, Fields, Form, Items, Single, Whole, collections_in, tags_in, variables_of
from burnside.values import dataclass, replace

_LONGEST_PAIR: Final = 60  # characters before and after a step, beyond which what has many parts shows the difference


@final
@dataclass(frozen=True)
class Place:
    """A variable as it is declared, or one element of it if it is an array."""

    views: Views
    whole: Whole
    number: int
    indices: tuple[int, ...]

    @property
    def name(self) -> str:
        """The user's name for it: ``fork[2]``."""
        places = zip(self.whole.dimensions, self.indices, strict=True)
        return shown_name(self.whole.name) + "".join(f"[{d.text(i)}]" for d, i in places)

    def text(self, state: State) -> str:
        """Its value in a state."""
        return self._in(state).text(self.whole.form)

    def change(self, old: State, new: State) -> str:
        """What is different in two states, with its name; nothing if it is the same."""
        found = _change(self.whole.form, self._in(old), self._in(new))
        return f"{self.name}{found[0]}: {found[1]}" if found else ""

    def _in(self, state: State) -> _Reading:
        return _Reading(self.views.cells, state, self.whole.elements, self.number)


@final
@dataclass(frozen=True)
class Views:
    """How the states of a model are shown."""

    model: Model

    @cached_property
    def cells(self) -> Cells:
        """The cells that are read."""
        return Cells(self.model)

    @cached_property
    def wholes(self) -> tuple[Whole, ...]:
        """What is declared, in that order. Where only some of its variables are in the model, these stand alone."""
        by_first: dict[str, Whole] = {}
        behind: set[str] = set()
        for whole in self.model.wholes:
            first, *others = variables_of(whole.form)
            if {first, *others} <= self.cells.variables.keys():
                by_first[first] = whole
                behind.update(others)
        variables = (v for v in self.model.variables if v.name not in behind)
        return tuple(by_first.get(v.name) or _alone(v) for v in variables)

    def places(self, whole: Whole) -> Iterator[Place]:
        """The elements of a variable, row by row."""
        for number, indices in enumerate(product(*(d.values() for d in whole.dimensions))):
            yield Place(self, whole, number, indices)

    def changes(self, old: State, new: State) -> list[str]:
        """What a step changes, a text for each variable or element of an array."""
        different = {self._owners[k] for k, (a, b) in enumerate(zip(old, new, strict=True)) if a != b}
        return [text for number in sorted(different) if (text := self._places[number].change(old, new))]

    def size(self, name: str, indices: Sequence[int]) -> str | None:
        """What a variable says, if it is the number of values in a bag: ``len(net)``."""
        is_size = any(collection.size == name for collection in self._collections.values())
        return f"len({_without_end(self.cells.variables[name], 1, indices)})" if is_size else None

    def is_bag(self, name: str) -> bool:
        """Whether the values of a variable say how often a bag holds what."""
        return name in self._collections and bool(self._collections[name].size)

    def membership(self, name: str, indices: Sequence[int]) -> str | None:
        """What an element of a variable says, if that is whether a set or bag has a value: ``2 in votes[0]``."""
        found = self._collections.get(name)
        if found is None:
            return None
        variable, inner = self.cells.variables[name], len(found.parts)
        element = element_text(found.element, spelled_parts(found, indices[-inner:]))
        return f"{element} in {_without_end(variable, inner, indices)}"

    @cached_property
    def _collections(self) -> Mapping[str, Collection]:
        return {c.variable: c for whole in self.wholes for c in collections_in(whole.form)}

    @cached_property
    def _places(self) -> Sequence[Place]:
        return [*chain.from_iterable(map(self.places, self.wholes))]

    @cached_property
    def _owners(self) -> Sequence[int]:
        """For each cell, the number of the place that it is part of."""
        owners = [0] * len(self.cells)
        before = 0
        for whole in self.wholes:
            for name in variables_of(whole.form):
                start, width = _block(self.cells, name, whole.elements)
                for cell in range(width * whole.elements):
                    owners[start + cell] = before + cell // width
            before += whole.elements
        return owners


def tags_of(model: Model) -> Iterator[Domain]:
    """The domains whose values are the variants of a union."""
    cells = Cells(model)
    for whole in Views(model).wholes:
        domains = {v: cells.variables[v].domain for v in variables_of(whole.form)}
        yield from (domains[tag] for tag in tags_in(whole.form))
        for found in collections_in(whole.form):
            inner = dict(found.parts)
            yield from (inner[tag] for tag in tags_in(found.element))


def _without_end(variable: Variable, parts: int, indices: Sequence[int]) -> str:
    """The name of what an element of a variable is part of, by leaving out the last parts of its own name."""
    return element_name(replace(variable, shown=variable.shown[:-parts]), indices)


def _alone(variable: Variable) -> Whole:
    single = Single(variable.name)
    return Whole(variable.name, variable.dimensions, Items(single) if variable.is_sequence else single)


def _block(cells: Cells, name: str, elements: int) -> tuple[int, int]:
    """Where the cells of a variable begin, and how many belong to each element of what it is part of."""
    variable = cells.variables[name]
    return cells.starts[name], variable.elements // elements * cells_per_element(variable)


# ---------------------------------------------------------------- values


@final
class _Reading:
    """The values of one place in one state."""

    def __init__(self, cells: Cells, state: State, elements: int, number: int) -> None:
        self._cells = cells
        self._state = state
        self._elements = elements
        self._number = number

    def values(self, name: str, slot: int | None) -> State:
        """The values of a variable, one for each of its own elements; of a sequence, what they have in a slot."""
        start, width = _block(self._cells, name, self._elements)
        first = start + self._number * width
        if slot is None:
            return self._state[first : first + width]
        return self._state[first + 1 + slot : first + width : cells_per_element(self._cells.variables[name])]

    def text(self, form: Form, slot: int | None = None) -> str:
        """A value as it is shown."""
        match form:
            case Single(name=name):
                return self._cells.variables[name].domain.text(self.values(name, slot)[0])
            case Fields():
                return record_text(form, lambda inner: self._field(inner, slot), lambda name: self._spelled(name, slot))
            case Collection():
                return f"{{{', '.join(repeated(self.counts(form, slot)))}}}"
            case Items():
                return f"[{', '.join(self.items(form))}]"

    def _field(self, form: Form, slot: int | None) -> str:
        text = self.text(form, slot)
        return unmistakable(text) if isinstance(form, Single) else text

    def variant(self, form: Fields) -> int:
        """Which variant of a union the value is."""
        return self._spelled(tag_of(form), None)[1]

    def counts(self, form: Collection, slot: int | None = None) -> Counter[str]:
        """The elements of a set or bag, and how often each is there."""
        found: Counter[str] = Counter()
        for element, count in zip(elements_of(form), self.values(form.variable, slot), strict=True):
            if count:
                found[element_text(form.element, spelled_parts(form, element))] += count
        return found

    def items(self, form: Items) -> list[str]:
        """The items of a sequence, from the front."""
        length = self.values(next(variables_of(form)), None)[0]
        return [self.text(form.item, slot) for slot in range(length)]

    def _spelled(self, name: str, slot: int | None) -> Spelling:
        return self._cells.variables[name].domain, self.values(name, slot)[0]


# ---------------------------------------------------------------- changes


def _change(form: Form, old: _Reading, new: _Reading) -> tuple[str, str] | None:
    """What is different in two values: the part that it is, and the change; None if they are equal."""
    if isinstance(form, Fields) and (not form.variants or old.variant(form) == new.variant(form)):
        inner = [(name, _change(part, old, new)) for name, part in form.fields]
        changed = [(f"{unmistakable(name)}{found[0]}", found[1]) for name, found in inner if found]
        if len(changed) <= 1:
            return next(((f".{name}", text) for name, text in changed), None)
        return "", f"{{{', '.join(f'{name}: {text}' for name, text in changed)}}}"
    before, after = old.text(form), new.text(form)
    if before == after:
        return None
    is_long = len(before) + len(after) > _LONGEST_PAIR
    return "", (_difference(form, old, new) if is_long else "") or f"{before} → {after}"


def _difference(form: Form, old: _Reading, new: _Reading) -> str:
    """What something with many parts gains and loses; nothing if that does not say it all."""
    match form:
        case Collection():
            one, other = old.counts(form), new.counts(form)
            if not other:
                return "becomes {}"
            return _gains_and_losses([*repeated(other - one)], [*repeated(one - other)])
        case Items():
            was, now = old.items(form), new.items(form)
            if not now:
                return "becomes []"
            gone = next(k for k in range(len(was) + 1) if was[k:] == now[: len(was) - k])
            is_moved = gone < len(was) or not was
            return _gains_and_losses(now[len(was) - gone :], was[:gone]) if is_moved else ""
        case _:
            return ""


def _gains_and_losses(gained: Sequence[str], lost: Sequence[str]) -> str:
    words = (("loses", lost), ("gains", gained))
    return ", ".join(f"{word} {' and '.join(texts)}" for word, texts in words if texts)
