"""Leave out what only inflates a group: constants, and values no transition can produce.

A non-relational fix point from the initial values finds a set of values per cell that contains every
reachable one. (Dropping the values that no guard and no initial state *mentions*, as the paper suggests,
would be wrong: an update can produce one of them.)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias, final

import numpy as np

from burnside.detect.constrain import Constraints
from burnside.detect.pieces import Allowed, CutTransition, Values, all_values, cut, restrict
from burnside.detect.relations import Column, Relation, Rows
from burnside.detect.terms import Term

Seen: TypeAlias = np.ndarray[tuple[int], np.dtype[np.bool_]]
_MOST_VALUES = 4096


@final
@dataclass(frozen=True)
class Pruned:
    """The transitions that can fire, on the values that can occur.

    ``values`` has an entry for every cell that keeps literals, ``fixed_values`` one for every ``constant`` cell;
    ``dropped`` counts the values left out.
    """

    transitions: tuple[CutTransition, ...]
    values: Values
    constant: frozenset[int]
    large: frozenset[int]
    dropped: int
    fixed_values: Mapping[int, Rows]

    def constant_value(self, cell: int) -> Rows:
        """The one value of a constant cell."""
        return self.fixed_values[cell]


def prune(constraints: Constraints) -> Pruned:
    """Restrict the constraints to what can happen."""
    full = all_values(constraints)
    cuts = [cut(t, full) for t in constraints.transitions]
    reached = _reachable_values(constraints, cuts, full)
    constant = frozenset(c for c, values in reached.items() if len(values) == 1)
    allowed = {c: Allowed(full.arrays[c], values) for c, values in reached.items()}
    live = _restrict_all(cuts, allowed, constant)
    large = frozenset(range(len(constraints.cells.all))) - full.arrays.keys()
    kept = {c: v for c, v in reached.items() if c not in constant}
    dropped = sum(len(full.arrays[c]) - len(v) for c, v in reached.items())
    fixed = {c: v for c, v in reached.items() if c in constant}
    return Pruned(tuple(live), Values(kept), constant, large, dropped, fixed)


def _reachable_values(constraints: Constraints, cuts: Sequence[CutTransition], full: Values) -> dict[int, Rows]:
    """A superset of the values each small cell takes in reachable states."""
    seen = {c: np.isin(full.arrays[c], np.asarray(constraints.initial_values[c])) for c in full.arrays}
    for cell in constraints.opaque_cells & full.arrays.keys():
        seen[cell][:] = True
    low = {c: int(full.arrays[c][0]) for c in full.arrays}
    waiting = [t for t in cuts if not t.faults]
    changed = True
    while changed:
        changed = False
        for transition in waiting:
            produced = _produced(transition, seen, low)
            for column, values in produced:
                if column.cell in seen and not seen[column.cell][values - low[column.cell]].all():
                    seen[column.cell][values - low[column.cell]] = True
                    changed = True
    return {c: full.arrays[c][seen[c]] for c in seen}


def _produced(transition: CutTransition, seen: Mapping[int, Seen], low: Mapping[int, int]) -> list[tuple[Column, Rows]]:
    """Values a transition can write, given the values seen so far; nothing if it cannot fire."""
    produced: list[tuple[Column, Rows]] = []
    for relation in transition.relations:
        rows = relation.rows
        for k, column in enumerate(relation.columns):
            if not column.is_next:
                rows = rows[seen[column.cell][rows[:, k] - low[column.cell]]]
        if len(rows) == 0:
            return []
        for k, column in enumerate(relation.columns):
            if column.is_next and column.cell in seen:
                produced.append((column, _inside(rows[:, k], low[column.cell], len(seen[column.cell]))))
    for cell, term in transition.updates:
        if cell in seen:
            produced.append((Column(cell, True), _written(term, (low[cell], len(seen[cell])), seen, low)))
    return produced


def _inside(values: Rows, low: int, size: int) -> Rows:
    """Values outside the domain cannot be written: that is a fault, which has its own transition."""
    return values[(values >= low) & (values < low + size)]


def _written(term: Term, domain: tuple[int, int], seen: Mapping[int, Seen], low: Mapping[int, int]) -> Rows:
    """What a term that is too wide for a table can give to a cell with so many values from a least one."""
    least, size = domain
    values = wide_values(term, seen, low)
    if values is None:
        return np.arange(max(least, term.low), min(least + size - 1, term.high) + 1, dtype=np.int64)
    return _inside(values, least, size)


def wide_values(term: Term, seen: Mapping[int, Seen], low: Mapping[int, int]) -> Rows | None:
    """A superset of the values of a term, sorted, if cells have the values seen so far; None if there are too many.

    The more is seen, the more is found: otherwise values could be missed.
    """
    match term.operator:
        case "cell" if term.value in seen:
            return np.nonzero(seen[term.value])[0] + low[term.value]
        case "ite" | "max" | "min":
            sides = [wide_values(side, seen, low) for side in term.args[term.operator == "ite" :]]
            known = [side for side in sides if side is not None]
            return _chosen(term.operator, known) if len(known) == len(sides) else _interval(term)
        case "sum":
            return _sums(term, seen, low)
        case "%" if term.args[1].is_constant:
            values = wide_values(term.args[0], seen, low)
            return _interval(term) if values is None else np.unique(values % term.args[1].value)
        case _:
            return _interval(term)


def _interval(term: Term) -> Rows | None:
    return np.arange(term.low, term.high + 1, dtype=np.int64) if term.high - term.low < _MOST_VALUES else None


def _chosen(operator: str, sides: Sequence[Rows]) -> Rows | None:
    """One of the sides; an extreme is beyond what each of them is at least."""
    values = np.unique(np.concatenate(sides))
    if operator == "max":
        values = values[values >= max(side[0] for side in sides)]
    if operator == "min":
        values = values[values <= min(side[-1] for side in sides)]
    return values


def _sums(term: Term, seen: Mapping[int, Seen], low: Mapping[int, int]) -> Rows | None:
    total = np.asarray([term.value], dtype=np.int64)
    for coefficient, argument in zip(term.coefficients, term.args, strict=True):
        values = wide_values(argument, seen, low)
        if values is None or len(total) * len(values) > _MOST_VALUES:
            return _interval(term)
        total = np.unique(total[:, None] + coefficient * values[None, :])
    return total


def _restrict_all(
    cuts: Sequence[CutTransition], allowed: Mapping[int, Allowed], constant: frozenset[int]
) -> list[CutTransition]:
    live = []
    known: dict[int, Relation] = {}  # by identity: transitions share their parts
    for transition in cuts:
        for r in transition.relations:
            if id(r) not in known:
                known[id(r)] = restrict(r, allowed, constant)
        relations = [known[id(r)] for r in transition.relations]
        if any(r.is_empty for r in relations):
            continue
        updates = tuple((c, t) for c, t in transition.updates if c not in constant)
        kept = tuple(r for r in relations if r.columns)
        live.append(replace(transition, relations=kept, updates=updates))
    return live
