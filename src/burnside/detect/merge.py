"""Unite ground transitions that are one thing in pieces.

``set(i, v)`` for every value ``v`` is one relation "x becomes anything", however it was written. Transitions with
the same event over the same few cells are united into one relation; if all transitions of an event fit one
small table, they all are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from burnside.detect.pieces import MOST_ROWS, CutTransition, Values, restrict
from burnside.detect.relations import Column, Relation, Row, Rows, distinct, projected

_MOST_UNITED_ROWS = 512


def merge_transitions(
    transitions: Sequence[CutTransition], values: Values, constant: frozenset[int]
) -> Iterator[CutTransition]:
    """The transitions, those that belong together as one."""

    def key(t: CutTransition) -> tuple[str, bool, bool]:
        return t.event, t.faults, t.is_small

    for (_, _, is_small), group in groupby(sorted(transitions, key=key), key=key):
        members = list(group)
        if not is_small:
            yield from members
        elif _fits(frozenset().union(*(t.scope() for t in members)), values):
            yield from _unite(members, values, constant)
        else:
            scopes: dict[frozenset[int], list[CutTransition]] = {}
            for member in members:
                scopes.setdefault(member.scope(), []).append(member)
            for scope, parts in scopes.items():
                yield from _unite(parts, values, constant) if _fits(scope, values) else parts


def _fits(scope: frozenset[int], values: Values) -> bool:
    size = 1
    for cell in scope:
        size *= len(values.of_cell[cell])
    return size <= MOST_ROWS


def _unite(members: Sequence[CutTransition], values: Values, constant: frozenset[int]) -> Iterable[CutTransition]:
    if len(members) == 1:
        return members
    scope = sorted(frozenset().union(*(m.scope() for m in members)))
    rows = distinct(row for m in members for row in _full_rows(m, scope, values))
    if len(rows) > _MOST_UNITED_ROWS:
        return members
    columns = (*(Column(c) for c in scope), *(Column(c, True) for c in scope))
    relation = restrict(Relation(columns, rows), {}, constant)
    united = (relation,) if relation.columns else ()
    return [CutTransition(members[0].event, members[0].faults, united, members[0].rule)]


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
