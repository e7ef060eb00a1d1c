"""Which values each cell can take: a non-relational fix point from the initial values.

A relation is looked at again only when a cell has got a value that stands in its rows, and a term when a cell that it
reads has got one. (Sweeping over all transitions until nothing changes takes as many rounds as a value needs to travel
through the model.)
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import TypeAlias, final

import numpy as np

from burnside.detect.constrain import Constraints
from burnside.detect.pieces import CutTransition, Values
from burnside.detect.relations import Relation, Rows
from burnside.detect.terms import Term

Seen: TypeAlias = np.ndarray[tuple[int], np.dtype[np.bool_]]
_Written: TypeAlias = list[tuple[int, set[int]]]
_MOST_VALUES = 4096


def reachable_values(constraints: Constraints, cuts: Sequence[CutTransition], full: Values) -> dict[int, Rows]:
    """A superset of the values each small cell takes in reachable states."""
    seen = {c: np.isin(full.arrays[c], np.asarray(constraints.initial_values[c])) for c in full.arrays}
    for cell in constraints.opaque_cells & full.arrays.keys():
        seen[cell][:] = True
    low = {c: int(full.arrays[c][0]) for c in full.arrays}
    _FixPoint([t for t in cuts if not t.faults], seen, low).reach()
    return {c: full.arrays[c][seen[c]] for c in seen}


@final
class _FixPoint:
    """What was seen so far, and what is known of relations, by identity: transitions share their parts."""

    def __init__(self, transitions: Sequence[CutTransition], seen: Mapping[int, Seen], low: Mapping[int, int]) -> None:
        self._seen, self._low = seen, low
        self._waiting = dict.fromkeys(range(len(transitions)))
        self._transitions = transitions
        self._known: dict[int, _Written | None] = {}
        self._exhausted: set[int] = set()  # relations that have given all values they can ever give
        self._relations_with: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
        self._transitions_with: defaultdict[int, list[int]] = defaultdict(list)
        self._transitions_reading: defaultdict[int, list[int]] = defaultdict(list)
        relations: dict[int, Relation] = {}
        for number, transition in enumerate(transitions):
            for relation in transition.relations:
                relations[id(relation)] = relation
                self._transitions_with[id(relation)].append(number)
            for cell in {cell for _, term in transition.updates for cell in term.cells()}:
                self._transitions_reading[cell].append(number)
        for name, relation in relations.items():
            for k, column in enumerate(relation.columns):
                for value in () if column.is_next else set(relation.rows[:, k].tolist()):
                    self._relations_with[column.cell, value].append(name)

    def reach(self) -> None:
        """Add all values that can be written."""
        while self._waiting:
            number, _ = self._waiting.popitem()
            for cell, values in self._written(self._transitions[number]):
                seen, low = self._seen[cell], self._low[cell]
                fresh = [value for value in values if not seen[value - low]]
                for value in fresh:
                    seen[value - low] = True
                    self._notice(cell, value)
                if fresh:
                    self._waiting.update(dict.fromkeys(self._transitions_reading[cell]))

    def _notice(self, cell: int, value: int) -> None:
        for relation in self._relations_with[cell, value]:
            if relation not in self._exhausted:
                self._known.pop(relation, None)
                self._waiting.update(dict.fromkeys(self._transitions_with[relation]))

    def _written(self, transition: CutTransition) -> _Written:
        """Cells and values a transition can write, given the values seen so far; nothing if it cannot fire.

        What was written before is left out.
        """
        for relation in transition.relations:
            if id(relation) not in self._known:
                self._known[id(relation)] = self._produced(relation)
            if self._known[id(relation)] is None:
                return []
        produced: _Written = []
        for relation in transition.relations:
            produced += self._known[id(relation)] or ()
            self._known[id(relation)] = []
        if not transition.updates:
            return produced
        terms = WideValues(self._seen, self._low)
        return produced + [(c, self._result(c, t, terms)) for c, t in transition.updates if c in self._seen]

    def _produced(self, relation: Relation) -> _Written | None:
        """The next values in the rows that agree with what was seen; None if no row does."""
        rows = relation.rows
        for k, column in enumerate(relation.columns):
            if not column.is_next:
                rows = rows[self._seen[column.cell][rows[:, k] - self._low[column.cell]]]
        if len(rows) == 0:
            return None
        columns = [(k, c.cell) for k, c in enumerate(relation.columns) if c.is_next and c.cell in self._seen]
        written = [set(rows[:, k].tolist()) for k, _ in columns]
        if len(rows) == len(relation.rows) or written == [set(relation.rows[:, k].tolist()) for k, _ in columns]:
            self._exhausted.add(id(relation))
        return [(cell, self._inside(cell, values)) for (_, cell), values in zip(columns, written, strict=True)]

    def _inside(self, cell: int, values: set[int]) -> set[int]:
        """Values outside the domain cannot be written: that is a fault, which has its own transition."""
        least = self._low[cell]
        beyond = least + len(self._seen[cell])
        return {value for value in values if least <= value < beyond}

    def _result(self, cell: int, term: Term, terms: WideValues) -> set[int]:
        """What a term that is too wide for a table can give to a cell."""
        values = terms.of(term)
        if values is None:
            least, most = self._low[cell], self._low[cell] + len(self._seen[cell]) - 1
            return set(range(max(least, term.low), min(most, term.high) + 1))
        return self._inside(cell, set(values.tolist()))


@final
class WideValues:
    """The values that terms can have if cells have those seen so far.

    The more is seen, the more is found: otherwise values could be missed. What terms share is computed once: written
    out as trees, nested choices double with each level.
    """

    def __init__(self, seen: Mapping[int, Seen], low: Mapping[int, int]) -> None:
        self._seen, self._low = seen, low
        self._known: dict[int, Rows | None] = {}

    def of(self, term: Term) -> Rows | None:
        """A superset of the values of a term, sorted; None if there are too many."""
        if term.number not in self._known:
            self._known[term.number] = self._compute(term)
        return self._known[term.number]

    def _compute(self, term: Term) -> Rows | None:
        match term.operator:
            case "cell" if term.value in self._seen:
                return np.nonzero(self._seen[term.value])[0] + self._low[term.value]
            case "ite" | "max" | "min":
                sides = [self.of(side) for side in term.args[term.operator == "ite" :]]
                known = [side for side in sides if side is not None]
                return _chosen(term.operator, known) if len(known) == len(sides) else _interval(term)
            case "sum":
                return self._sums(term)
            case "%" if term.args[1].is_constant:
                values = self.of(term.args[0])
                return _interval(term) if values is None else np.unique(values % term.args[1].value)
            case _:
                return _interval(term)

    def _sums(self, term: Term) -> Rows | None:
        total = np.asarray([term.value], dtype=np.int64)
        for coefficient, argument in zip(term.coefficients, term.args, strict=True):
            values = self.of(argument)
            if values is None or len(total) * len(values) > _MOST_VALUES:
                return _interval(term)
            total = np.unique(total[:, None] + coefficient * values[None, :])
        return total


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
