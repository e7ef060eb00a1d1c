"""Relations on fewer values, without the columns of constants and without writes that change nothing."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Set
from typing import NamedTuple, final

from burnside.detect.relations import Relation, Row, Rows, distinct, projected


class Allowed(NamedTuple):
    """A set of values of one cell, and whether it is all of them."""

    values: frozenset[int]
    is_everything: bool


@final
class Restriction:
    """What relations become if some cells are constant, and others have some values only.

    Relations that have the same rows, as one object, and are about cells that are alike, become such relations again.
    """

    def __init__(self, constant: Set[int], allowed: Mapping[int, Allowed] | None = None) -> None:
        self._constant = constant
        self._allowed = allowed or {}
        numbers: dict[Allowed, int] = {}
        self._kinds = {cell: numbers.setdefault(some, len(numbers)) for cell, some in self._allowed.items()}
        self._known: dict[Hashable, tuple[list[int], Rows, Rows]] = {}

    def of(self, relation: Relation) -> Relation:
        """A relation, restricted."""
        columns = relation.columns
        olds = {cell: k for k, (cell, is_next) in enumerate(columns) if not is_next}
        kinds = [(self._kinds.get(c), c in self._constant, is_next, olds.get(c)) for c, is_next in columns]
        key = (id(relation.rows), *kinds)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = *self._restricted(relation, olds), relation.rows  # so that ids stay unique
        return Relation(tuple([columns[k] for k in known[0]]), known[1])

    def _restricted(self, relation: Relation, olds: Mapping[int, int]) -> tuple[list[int], Rows]:
        """The columns and the rows that are left."""
        rows: list[Row] = [*relation.rows]
        for k, (cell, is_next) in enumerate(relation.columns):
            some = self._allowed.get(cell)
            if some is not None and (is_next or not some.is_everything):
                rows = [row for row in rows if row[k] in some.values]
        kept = []
        for k, (cell, is_next) in enumerate(relation.columns):
            old = olds.get(cell) if is_next else None
            is_idle = old is not None and all(row[k] == row[old] for row in rows)
            if cell not in self._constant and not is_idle:
                kept.append(k)
        return kept, distinct(projected(rows, kept))
