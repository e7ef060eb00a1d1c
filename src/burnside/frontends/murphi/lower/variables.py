"""The variables of a model: one for every part that has none, and how they are shown together."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from burnside.frontends.murphi.names.types import Array, Leaf, Record, Type, domain_of, extended, leaves, size_of
from burnside.frontends.murphi.read.syntax import Field
from burnside.ir.nodes import Domain, Variable
from burnside.ir.wholes import Fields, Form, Single, Whole


def count_cells(kind: Type) -> int:
    """How many single values a value has."""
    return sum(prod(map(size_of, leaf.dimensions)) for leaf in leaves(kind))


def variables_of(declared: Sequence[tuple[Field, Type]]) -> tuple[tuple[Variable, ...], tuple[Whole, ...]]:
    """The variables of the model, all of them undefined, and which of them are records together."""
    found: list[Variable] = []
    wholes: list[Whole] = []
    for field, kind in declared:
        name = field.name.text
        for leaf in leaves(kind):
            dimensions = tuple(map(domain_of, leaf.dimensions))
            domain = extended(leaf.type)
            count = prod(d.size for d in dimensions)
            shown = _shown(name, leaf) if leaf.path else ()
            initial = (domain.high,) * count
            found.append(Variable(name + leaf.suffix, dimensions, domain, None, initial, field.name.span, shown=shown))
        whole = _whole(name, kind)
        if whole is not None:
            wholes.append(whole)
    return tuple(found), tuple(wholes)


def _shown(name: str, leaf: Leaf) -> tuple[str | int, ...]:
    """How an element is written: ``p[0].got[1]``."""
    shown: list[str | int] = [name]
    count = 0
    for step in leaf.path:
        if isinstance(step, str):
            shown.append(f".{step}")
        else:
            shown.append(count)
            count += 1
    return tuple(shown)


def _whole(name: str, kind: Type) -> Whole | None:
    """A record, or an array of records, as one; arrays inside it are shown on their own."""
    dimensions: list[Domain] = []
    while isinstance(kind, Array):
        dimensions.append(domain_of(kind.index))
        kind = kind.element
    if not isinstance(kind, Record):
        return None
    form = _form(name, kind)
    return Whole(name, tuple(dimensions), form) if form.fields else None


def _form(name: str, kind: Record) -> Fields:
    fields: list[tuple[str, Form]] = []
    for field, inner in kind.fields:
        part = f"{name}.{field}"
        if isinstance(inner, Record):
            form = _form(part, inner)
            if form.fields:
                fields.append((field, form))
        elif not isinstance(inner, Array):
            fields.append((field, Single(part)))
    return Fields(tuple(fields))
