"""Small relations between literals, as tables.

A *column* is a cell, old or next. A relation is a set of rows, one value per column.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import cache
from itertools import compress, product, repeat
from math import prod
from operator import add, itemgetter
from typing import NamedTuple, TypeAlias, final

from burnside.detect.masks import Evaluation, column_of, digits, runs
from burnside.detect.terms import Term
from burnside.values import dataclass

Row: TypeAlias = tuple[int, ...]
Rows: TypeAlias = tuple[Row, ...]
Numbers: TypeAlias = tuple[int, ...]  # values of a cell, sorted

_ORDERED = ("ite", "/", "%")  # operators
_runs = cache(runs)  # tables are small, and of few shapes


class Column(NamedTuple):
    """A cell's old value, or its next one."""

    cell: int
    is_next: bool = False


@final
@dataclass(frozen=True)
class Relation:
    """Rows over columns; every row is there once."""

    columns: tuple[Column, ...]
    rows: Rows

    @property
    def is_empty(self) -> bool:
        """Whether nothing satisfies it."""
        return not self.rows

    def scope(self) -> frozenset[int]:
        """The cells it speaks of."""
        return frozenset(c.cell for c in self.columns)


def tabulate(
    conditions: Sequence[Term], updates: Sequence[tuple[int, Term]], cells: Sequence[int], values: Mapping[int, Numbers]
) -> Relation:
    """All assignments of ``cells`` that satisfy the conditions, with the next values of the updated cells."""
    names = (*(Column(c) for c in cells), *(Column(c, True) for c, _ in updates))
    domains = [values[c] for c in cells]
    many = prod(map(len, domains))
    columns = (dict(zip(d, masks, strict=True)) for d, masks in zip(domains, _runs(*map(len, domains)), strict=True))
    evaluation = Evaluation(dict(zip(cells, columns, strict=True)), many)
    holds = (1 << many) - 1
    for condition in conditions:
        holds &= evaluation.truth(condition)
    rows: Iterable[Row] = product(*domains)
    if updates:
        after = zip(*(column_of(evaluation.value(term), many) for _, term in updates), strict=True)
        rows = map(add, rows, after)
    return Relation(names, tuple(compress(rows, digits(holds, many))))


@final
class Tables:
    """Tables on given values of cells. Those of terms that differ in nothing but their cells have the same rows, as one
    object: they are made once.
    """

    def __init__(self, values: Mapping[int, Numbers]) -> None:
        self._values = values
        kinds: dict[Numbers, int] = {}
        self._kinds = {cell: kinds.setdefault(some, len(kinds)) for cell, some in values.items()}
        self._numbers: dict[Hashable, int] = {}  # of outlines
        self._outlines: dict[int, tuple[int, list[int]]] = {}
        self._rows: dict[Hashable, Rows] = {}

    def tabulate(
        self, conditions: Sequence[Term], updates: Sequence[tuple[int, Term]], cells: Sequence[int]
    ) -> Relation:
        """All assignments of ``cells`` that satisfy the conditions, with the next values of the updated cells."""
        place = {cell: k for k, cell in enumerate(cells)}
        kinds = tuple([self._kinds[cell] for cell in cells])
        required = sorted([self._placed(condition, place) for condition in conditions])
        key = (kinds, tuple(required), *[self._placed(term, place) for _, term in updates])
        rows = self._rows.get(key)
        if rows is None:
            rows = self._rows[key] = tabulate(conditions, updates, cells, self._values).rows
        return Relation((*map(Column, cells), *[Column(cell, True) for cell, _ in updates]), rows)

    def _placed(self, term: Term, place: Mapping[int, int]) -> tuple[int, ...]:
        """A term with places instead of cells."""
        outline, cells = self._outline(term)
        return outline, *[place[cell] for cell in cells]

    def _outline(self, term: Term) -> tuple[int, list[int]]:
        """What a term says of its cells, by number, with these in the order in which they are numbered."""
        known = self._outlines.get(term.number)
        if known is None:
            cells = term.cells()
            place = {cell: k for k, cell in enumerate(cells)}
            value = 0 if term.operator == "cell" else term.value
            placed = [self._placed(argument, place) for argument in term.args]
            parts = [*zip(term.coefficients or repeat(1), placed, strict=False)]
            if term.operator not in _ORDERED:
                parts.sort()
            key = (term.operator, value, *parts)
            known = self._outlines[term.number] = self._numbers.setdefault(key, len(self._numbers)), cells
        return known


def projected(rows: Iterable[Row], kept: Sequence[int]) -> Iterable[Row]:
    """Some columns of rows."""
    if len(kept) > 1:
        return map(itemgetter(*kept), rows)
    return ((row[kept[0]],) for row in rows) if kept else (() for _ in rows)


def distinct(rows: Iterable[Row]) -> Rows:
    """Rows without repetition, sorted."""
    return tuple(sorted(set(rows)))
