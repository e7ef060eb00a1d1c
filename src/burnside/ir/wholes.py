"""What variables are together, as their author wrote them: a record, a set, a bag, a sequence of records.

The model has single values only; a front end that writes out values with parts says here which variables they are, so
that reports show ``m = {kind: ask, from: 2}`` instead of two variables. Nothing but reports depends on it. Names of
variables say nothing by themselves: what a variable is for is said here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, zip_longest
from math import prod
from typing import TYPE_CHECKING, TypeAlias, final

from burnside.values import dataclass

if TYPE_CHECKING:
    from burnside.ir.nodes import Domain, Expr


@final
@dataclass(frozen=True, slots=True)
class Single:
    """One value: that of a variable or, in the elements of a collection, of one of its dimensions."""

    name: str


@final
@dataclass(frozen=True, slots=True)
class Fields:
    """A record. Of a union, the first field is the number of a variant, and ``variants`` the fields that each has."""

    fields: tuple[tuple[str, Form], ...]
    variants: tuple[tuple[str, ...], ...] = ()


@final
@dataclass(frozen=True, slots=True)
class Collection:
    """A set or bag: how often each element is in it, over the last dimensions of a variable, one for each of ``parts``.

    The parts are those of an element, each with its name and domain. ``size`` is the variable that says how many
    elements a bag has.
    """

    variable: str
    element: Form
    parts: tuple[tuple[str, Domain], ...]
    size: str = ""


@final
@dataclass(frozen=True, slots=True)
class Items:
    """A sequence of what is in the same slot of several sequences of one length."""

    item: Form


Form: TypeAlias = Single | Fields | Collection | Items


@final
@dataclass(frozen=True, slots=True)
class Whole:
    """A variable as it is declared, or an array of such values."""

    name: str
    dimensions: tuple[Domain, ...]
    form: Form

    @property
    def elements(self) -> int:
        """How many elements the array has (1 without dimensions)."""
        return prod(dimension.size for dimension in self.dimensions)


@final
@dataclass(frozen=True, slots=True)
class Argument:
    """A parameter of a rule or claim, or an argument of an event, as it is written: what ``names`` are together.

    Those of a set are the names of its elements, in brackets behind the set's own: ``s[0]``, ``s[1]``.
    """

    names: tuple[str, ...]
    form: Form


@final
@dataclass(frozen=True, slots=True)
class Subject:
    """What a statement is about, for the words of its fault: values, and which are together; ``said`` is around them.

    Nothing else depends on it: it is no part of what a statement reads.
    """

    values: tuple[Expr, ...]
    written: tuple[Argument | None, ...]
    said: tuple[str, ...] = ()

    def words(self, texts: Sequence[str]) -> str:
        """What there is to say, with texts for the values that are together."""
        return "".join(chain.from_iterable(zip_longest(self.said, texts, fillvalue="")))


def widths_of(written: Sequence[Argument | None]) -> tuple[int, ...]:
    """How many single values each argument has; ``written`` says of a value which one begins with it."""
    found: list[int] = []
    while (at := sum(found)) < len(written):
        argument = written[at]
        found.append(1 if argument is None else len(argument.names))
    return tuple(found)


# ---------------------------------------------------------------- which variables


def variables_of(form: Form) -> Iterator[str]:
    """The variables that a value is made of."""
    match form:
        case Single(name=name):
            yield name
        case Fields(fields=fields):
            for _, inner in fields:
                yield from variables_of(inner)
        case Collection(variable=variable, size=size):
            yield from (variable, size) if size else (variable,)
        case Items(item=item):
            yield from variables_of(item)


def collections_in(form: Form) -> Iterator[Collection]:
    """The sets and bags that a value has."""
    match form:
        case Single():
            return
        case Fields(fields=fields):
            for _, inner in fields:
                yield from collections_in(inner)
        case Collection():
            yield form
        case Items(item=item):
            yield from collections_in(item)


def tags_in(form: Form) -> Iterator[str]:
    """The names of the parts that say which variant of a union a value is; of sets and bags, those of elements do."""
    match form:
        case Fields(fields=fields, variants=variants):
            if variants:
                yield from variables_of(fields[0][1])
            for _, inner in fields:
                yield from tags_in(inner)
        case Items(item=item):
            yield from tags_in(item)
        case Single() | Collection():
            return


def fields_apart(whole: Whole) -> Iterator[Whole]:
    """The fields of a record, as variables of their own; what is not a record stays as it is, and so do unions."""
    if not isinstance(whole.form, Fields) or whole.form.variants:
        yield whole
        return
    for name, inner in whole.form.fields:
        yield from fields_apart(Whole(f"{whole.name}.{name}", whole.dimensions, inner))
