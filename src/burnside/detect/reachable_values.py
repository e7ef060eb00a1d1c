"""Which values each cell can take: a non-relational fix point from the initial values.

A row of a relation waits for one value that it reads and that no cell has had yet; only when this one turns up is the
row looked at again, and a term when a cell that it reads has got a value, and so is a transition whose relations cannot
hold together yet. (Sweeping over all transitions until nothing
changes takes as many rounds as a value needs to travel through the model.)
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import final

from burnside.detect.constrain import Constraints
from burnside.detect.joint import can_hold_together
from burnside.detect.pieces import CutTransition, Values
from burnside.detect.relations import Numbers, Relation, Row
from burnside.detect.terms import Term

_MOST_VALUES = 4096


def reachable_values(
    constraints: Constraints, cuts: Sequence[CutTransition], full: Values
) -> tuple[dict[int, Numbers], list[CutTransition]]:
    """A superset of the values each small cell takes in reachable states, and the transitions that can fire on them."""
    seen = {c: set(constraints.initial_values[c]).intersection(values) for c, values in full.of_cell.items()}
    for cell in constraints.opaque_cells & full.of_cell.keys():
        seen[cell].update(full.of_cell[cell])
    steps = [t for t in cuts if not t.faults]
    found = _FixPoint(steps, seen, full)
    found.reach()
    never = {id(t) for number, t in enumerate(steps) if number not in found.firing}
    never |= {id(t) for t in cuts if t.faults and not can_hold_together(t.relations, seen)}
    return {c: tuple(sorted(values)) for c, values in seen.items()}, [t for t in cuts if id(t) not in never]


@final
class _FixPoint:
    """What was seen so far, and what is known of relations, by identity: transitions share their parts."""

    def __init__(self, transitions: Sequence[CutTransition], seen: Mapping[int, set[int]], full: Values) -> None:
        self._seen = seen
        self._bounds = {cell: (values[0], values[-1]) for cell, values in full.of_cell.items()}
        self._waiting = dict.fromkeys(range(len(transitions)))
        self._transitions = transitions
        self.firing: set[int] = set()  # transitions that can fire
        self._blocked: set[int] = set()  # and those that could not when they were looked at first
        self._written: dict[int, dict[int, set[int]]] = {}  # by relation with a row that can happen: not yet seen
        self._rows_waiting: defaultdict[tuple[int, int], list[tuple[Relation, Row]]] = defaultdict(list)
        self._transitions_with: defaultdict[int, list[int]] = defaultdict(list)
        self._transitions_reading: defaultdict[int, list[int]] = defaultdict(list)
        relations: dict[int, Relation] = {}
        for number, transition in enumerate(transitions):
            for relation in transition.relations:
                relations[id(relation)] = relation
                self._transitions_with[id(relation)].append(number)
            for cell in {cell for _, term in transition.updates for cell in term.cells()}:
                self._transitions_reading[cell].append(number)
        for relation in relations.values():
            self._look_at(relation, relation.rows)

    def reach(self) -> None:
        """Add all values that can be written."""
        while self._waiting:
            number, _ = self._waiting.popitem()
            if not self._can_fire(number):
                continue
            for cell, values in self._results(self._transitions[number]):
                fresh = values - self._seen[cell]
                self._seen[cell].update(fresh)
                for value in sorted(fresh):
                    self._notice(cell, value)
                if fresh:
                    self._waiting.update(dict.fromkeys(self._transitions_reading[cell]))

    def _can_fire(self, number: int) -> bool:
        """Whether relations hold for values seen so far, one by one and together: the more is seen, the more do."""
        relations = self._transitions[number].relations
        if number in self.firing or not all(id(relation) in self._written for relation in relations):
            return number in self.firing
        if can_hold_together(relations, self._seen):
            self.firing.add(number)
            return True
        if number not in self._blocked:
            self._blocked.add(number)
            for cell in frozenset().union(*(relation.scope() for relation in relations)):
                self._transitions_reading[cell].append(number)
        return False

    def _notice(self, cell: int, value: int) -> None:
        together: dict[int, tuple[Relation, list[Row]]] = {}
        for relation, row in self._rows_waiting.pop((cell, value), ()):
            together.setdefault(id(relation), (relation, []))[1].append(row)
        for relation, rows in together.values():
            if self._look_at(relation, rows):
                self._waiting.update(dict.fromkeys(self._transitions_with[id(relation)]))

    def _look_at(self, relation: Relation, rows: Sequence[Row]) -> bool:
        """Note what rows write of which all values were seen, and what the others wait for; whether that is news."""
        reads = [(k, c.cell, self._seen[c.cell]) for k, c in enumerate(relation.columns) if not c.is_next]
        writes = [(k, c.cell) for k, c in enumerate(relation.columns) if c.is_next and c.cell in self._seen]
        written = self._written.get(id(relation))
        is_news = written is None
        if written is not None:
            rows = self._news(rows, writes, written)
        can_happen: list[Row] = []
        blocked: dict[Row, tuple[int, int]] = {}
        for row in rows:
            for k, cell, seen in reads:
                if row[k] not in seen:
                    blocked[row] = cell, row[k]
                    break
            else:
                can_happen.append(row)
        if can_happen:
            written = self._written.setdefault(id(relation), {})
            for k, cell in writes:
                values = self._inside(cell, {row[k] for row in can_happen}) - self._seen[cell]
                written.setdefault(cell, set()).update(values)
                is_news = is_news or bool(values)
        for row in blocked if written is None else self._news(blocked, writes, written):
            self._rows_waiting[blocked[row]].append((relation, row))
        return is_news and bool(can_happen)

    def _news(
        self, rows: Iterable[Row], writes: Sequence[tuple[int, int]], written: Mapping[int, set[int]]
    ) -> list[Row]:
        """Rows that write something new: a relation that can happen is of interest for nothing else."""
        old = [(k, self._seen[cell], written.get(cell, ())) for k, cell in writes]
        found: list[Row] = []
        for row in rows:
            for k, seen, noted in old:
                if row[k] not in seen and row[k] not in noted:
                    found.append(row)
                    break
        return found

    def _results(self, transition: CutTransition) -> list[tuple[int, set[int]]]:
        """Cells and values that a transition can write, given those seen so far, but for what was written before."""
        results: list[tuple[int, set[int]]] = []
        for relation in transition.relations:
            results += self._written[id(relation)].items()
            self._written[id(relation)] = {}
        if not transition.updates:
            return results
        terms = WideValues(self._seen)
        return results + [(c, self._result(c, t, terms)) for c, t in transition.updates if c in self._seen]

    def _inside(self, cell: int, values: set[int]) -> set[int]:
        """Values outside the domain cannot be written: that is a fault, which has its own transition."""
        least, most = self._bounds[cell]
        return {value for value in values if least <= value <= most}

    def _result(self, cell: int, term: Term, terms: WideValues) -> set[int]:
        """What a term that is too wide for a table can give to a cell."""
        values = terms.of(term)
        if values is None:
            least, most = self._bounds[cell]
            return set(range(max(least, term.low), min(most, term.high) + 1))
        return self._inside(cell, set(values))


@final
class WideValues:
    """The values that terms can have if cells have those seen so far.

    The more is seen, the more is found: otherwise values could be missed. What terms share is computed once: written
    out as trees, nested choices double with each level.
    """

    def __init__(self, seen: Mapping[int, set[int]]) -> None:
        self._seen = seen
        self._known: dict[int, Sequence[int] | None] = {}

    def of(self, term: Term) -> Sequence[int] | None:
        """A superset of the values of a term, sorted; None if there are too many."""
        if term.number not in self._known:
            self._known[term.number] = self._compute(term)
        return self._known[term.number]

    def _compute(self, term: Term) -> Sequence[int] | None:
        match term.operator:
            case "cell" if term.value in self._seen:
                return sorted(self._seen[term.value])
            case "ite" | "max" | "min":
                sides = [self.of(side) for side in term.args[term.operator == "ite" :]]
                known = [side for side in sides if side is not None]
                return _chosen(term.operator, known) if len(known) == len(sides) else _interval(term)
            case "sum":
                return self._sums(term)
            case "%" if term.args[1].is_constant and term.args[1].value:
                values = self.of(term.args[0])
                return _interval(term) if values is None else sorted({v % term.args[1].value for v in values})
            case _:
                return _interval(term)

    def _sums(self, term: Term) -> Sequence[int] | None:
        total = {term.value}
        for coefficient, argument in zip(term.coefficients, term.args, strict=True):
            values = self.of(argument)
            if values is None or len(total) * len(values) > _MOST_VALUES:
                return _interval(term)
            total = {before + coefficient * value for before in total for value in values}
        return sorted(total)


def _interval(term: Term) -> Sequence[int] | None:
    return range(term.low, term.high + 1) if term.high - term.low < _MOST_VALUES else None


def _chosen(operator: str, sides: Sequence[Sequence[int]]) -> Sequence[int]:
    """One of the sides; an extreme is beyond what each of them is at least."""
    values = {value for side in sides for value in side}
    if operator == "max":
        least = max(side[0] for side in sides)
        values = {value for value in values if value >= least}
    if operator == "min":
        most = min(side[-1] for side in sides)
        values = {value for value in values if value <= most}
    return sorted(values)
