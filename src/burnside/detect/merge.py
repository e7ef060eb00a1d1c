"""Unite ground transitions that are one thing in pieces.

``set(i, v)`` for every value ``v`` is one relation "x becomes anything", however it was written. Transitions with
the same event over the same few cells are united into one relation; if all transitions of an event fit one
small table, they all are.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import final

from burnside.detect.pieces import MOST_ROWS, CutTransition, Values
from burnside.detect.relations import Column, Numbers, Relation, Row, Rows, distinct, projected
from burnside.detect.restriction import Restriction

_MOST_UNITED_ROWS = 512


def merge_transitions(
    transitions: Sequence[CutTransition], values: Values, constants: Restriction
) -> Iterator[CutTransition]:
    """The transitions, those that belong together as one."""
    union = _Union(values, constants)

    def key(t: CutTransition) -> tuple[str, bool, bool]:
        return t.event, t.faults, t.is_small

    for (_, _, is_small), group in groupby(sorted(transitions, key=key), key=key):
        members = list(group)
        if not is_small:
            yield from members
            continue
        scopes: dict[frozenset[int], list[CutTransition]] = {}
        for member in members:
            scopes.setdefault(member.scope(), []).append(member)
        if union.fits(frozenset().union(*scopes)):
            yield from union.of(members, frozenset().union(*scopes))
        else:
            for scope, parts in scopes.items():
                yield from union.of(parts, scope) if union.fits(scope) else parts


@final
class _Union:
    """Unites transitions of one event; what is the same about other cells that are alike is done once."""

    def __init__(self, values: Values, constants: Restriction) -> None:
        self._values = values
        self._constants = constants
        kinds: dict[Numbers, int] = {}
        self._kinds = {cell: kinds.setdefault(some, len(kinds)) for cell, some in values.of_cell.items()}
        self._known: dict[Hashable, tuple[Sequence[CutTransition], Rows | None]] = {}

    def fits(self, scope: frozenset[int]) -> bool:
        """Whether a table can hold these cells."""
        size = 1
        for cell in scope:
            size *= len(self._values.of_cell[cell])
        return size <= MOST_ROWS

    def of(self, members: Sequence[CutTransition], cells: frozenset[int]) -> Iterable[CutTransition]:
        """One transition for all members, which are about these cells, or the members if it would be too large."""
        if len(members) == 1:
            return members
        scope = sorted(cells)
        key = self._outline(members, scope)
        if key not in self._known:
            full = distinct(row for m in members for row in _full_rows(m, scope, self._values))
            self._known[key] = members, full if len(full) <= _MOST_UNITED_ROWS else None  # so that ids stay unique
        rows = self._known[key][1]
        if rows is None:
            return members
        relation = self._constants.of(Relation((*map(Column, scope), *[Column(c, True) for c in scope]), rows))
        united = (relation,) if relation.columns else ()
        return [CutTransition(members[0].event, members[0].faults, united, members[0].rule)]

    def _outline(self, members: Sequence[CutTransition], scope: Sequence[int]) -> Hashable:
        """What the members do, with places instead of cells."""
        place = {cell: k for k, cell in enumerate(scope)}
        relations = ([(id(r.rows), *[(place[c], n) for c, n in r.columns]) for r in m.relations] for m in members)
        return tuple([self._kinds[cell] for cell in scope]), *map(tuple, relations)


def _full_rows(transition: CutTransition, scope: Sequence[int], values: Values) -> Iterable[Row]:
    """A transition as old and next values of every cell of a scope; cells it does not write keep their value."""
    olds = {(c, False) for r in transition.relations for c in (col.cell for col in r.columns if not col.is_next)}
    free = [c for c in scope if (c, False) not in olds]
    tables: list[tuple[list[tuple[int, bool]], Rows]] = [([(c, False)], tuple(zip(values.of_cell[c]))) for c in free]
    tables += [([(c.cell, c.is_next) for c in r.columns], r.rows) for r in transition.relations]
    names, rows = _product(tables)
    at = {name: k for k, name in enumerate(names)}
    picked = [at[c, False] for c in scope] + [at.get((c, True), at[c, False]) for c in scope]
    return projected(rows, picked)


def _product(tables: Sequence[tuple[list[tuple[int, bool]], Rows]]) -> tuple[list[tuple[int, bool]], list[Row]]:
    """The join of tables on the columns they share."""
    names: list[tuple[int, bool]] = []
    rows: list[Row] = [()]
    for columns, table in tables:
        shared = [k for k, name in enumerate(columns) if name in names]
        new = [k for k, name in enumerate(columns) if name not in names]
        fitting: dict[Row, list[Row]] = {}
        for key, rest in zip(projected(table, shared), projected(table, new), strict=True):
            fitting.setdefault(key, []).append(rest)
        keys = projected(rows, [names.index(columns[k]) for k in shared])
        rows = [row + rest for row, key in zip(rows, keys, strict=True) for rest in fitting.get(key, ())]
        names += [columns[k] for k in new]
    return names, rows
