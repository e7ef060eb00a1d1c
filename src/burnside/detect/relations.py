"""Small relations between literals, as tables.

A *column* is a cell, old or next. A relation is a set of rows, one value per column.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import compress, product
from math import prod
from operator import add, itemgetter
from typing import NamedTuple, TypeAlias, final

from burnside.detect.masks import Evaluation, column_of, digits, runs
from burnside.detect.terms import Term
from burnside.values import dataclass

Row: TypeAlias = tuple[int, ...]
Rows: TypeAlias = tuple[Row, ...]
Numbers: TypeAlias = tuple[int, ...]  # values of a cell, sorted

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

    def select(self, kept: Sequence[int]) -> Relation:
        """The projection to some columns."""
        columns = tuple(self.columns[k] for k in kept)
        return Relation(columns, distinct(self.rows if len(kept) == len(self.columns) else projected(self.rows, kept)))


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


def projected(rows: Iterable[Row], kept: Sequence[int]) -> Iterable[Row]:
    """Some columns of rows."""
    if len(kept) > 1:
        return map(itemgetter(*kept), rows)
    return ((row[kept[0]],) for row in rows) if kept else (() for _ in rows)


def distinct(rows: Iterable[Row]) -> Rows:
    """Rows without repetition, sorted."""
    return tuple(sorted(set(rows)))
