"""Small relations between literals, as tables.

A *column* is a cell, old or next. A relation is a set of rows, one value per column.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeAlias, final

import numpy as np
import numpy.typing as npt

from burnside.detect.arrays import Evaluation
from burnside.detect.terms import Term
from burnside.values import dataclass

Rows: TypeAlias = npt.NDArray[np.int64]


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
        return len(self.rows) == 0

    def scope(self) -> frozenset[int]:
        """The cells it speaks of."""
        return frozenset(c.cell for c in self.columns)

    def select(self, kept: Sequence[int]) -> Relation:
        """The projection to some columns."""
        return Relation(tuple(self.columns[k] for k in kept), distinct(self.rows[:, list(kept)]))


def tabulate(
    conditions: Sequence[Term], updates: Sequence[tuple[int, Term]], cells: Sequence[int], values: Mapping[int, Rows]
) -> Relation:
    """All assignments of ``cells`` that satisfy the conditions, with the next values of the updated cells."""
    names = (*(Column(c) for c in cells), *(Column(c, True) for c, _ in updates))
    if not cells:
        return Relation(names, _single_row(conditions, updates))
    if len(cells) == 1 and not updates:
        return Relation(names, _values_where(conditions, cells[0], values[cells[0]]))
    shape = tuple(len(values[c]) for c in cells)
    grid = Evaluation({c: _axis(values[c], k, len(cells)) for k, c in enumerate(cells)})
    holds = np.ones(shape, dtype=bool)
    for condition in conditions:
        holds &= grid.truth(condition)
    found = np.nonzero(holds)
    columns = [values[c][found[k]] for k, c in enumerate(cells)]
    columns += [np.broadcast_to(grid.value(term), shape)[found] for _, term in updates]
    return Relation(names, np.stack(columns, axis=1))


def _values_where(conditions: Sequence[Term], cell: int, values: Rows) -> Rows:
    """The values of one cell that satisfy conditions, as rows."""
    line = Evaluation({cell: values})
    holds = np.ones(len(values), dtype=bool)
    for condition in conditions:
        holds &= line.truth(condition)
    return values[holds].reshape(-1, 1)


def _single_row(conditions: Sequence[Term], updates: Sequence[tuple[int, Term]]) -> Rows:
    """The table of terms that read nothing: one row, or none."""
    nothing = Evaluation({})
    row = np.asarray([[int(nothing.value(term)) for _, term in updates]], dtype=np.int64).reshape(1, len(updates))
    return row if all(bool(nothing.truth(c)) for c in conditions) else row[:0]


def _axis(values: Rows, axis: int, axes: int) -> Rows:
    shape = [1] * axes
    shape[axis] = len(values)
    return values.reshape(shape)


def distinct(rows: Rows) -> Rows:
    """Rows without repetition, sorted."""
    if rows.shape[1] == 0:
        return rows[:1]
    order = np.lexsort(rows.T[::-1])
    rows = rows[order]
    new = np.ones(len(rows), dtype=bool)
    new[1:] = (rows[1:] != rows[:-1]).any(axis=1)
    return rows[new]
