"""Constraints → coloured graph: an automorphism of the graph is a symmetry of the model.

Vertices: one per cell, two per literal (old and next, tied to each other and to the cell), one per distinct
condition (equal conditions are one vertex, whoever uses them), one per ground transition coloured with its
event, one for the initial states and one per requirement. A vertex's colour is its kind together with its
height, so edges need no direction. See docs/theory/detection.md for why this is sound where the published
construction is not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import final

import numpy as np

from burnside.detect.constrain import Constraints, Requirement
from burnside.detect.merge import merge_transitions
from burnside.detect.pieces import CutTransition, Piece, join, restrict
from burnside.detect.prune import Pruned, prune
from burnside.detect.relations import Column, NormalForms, Relation, Rows, Tree, tabulate
from burnside.detect.terms import Term, bits
from burnside.detect.twins import twin_ranks
from burnside.graph.coloured import Colour, ColouredGraph, Kind
from burnside.ir.cells import process_ids

_AND: Kind = ("and",)
_OR: Kind = ("or",)
_NOR: Kind = ("nor",)


@final
@dataclass(frozen=True)
class Encoding:
    """The graph, and which of its vertices are cells (small ones), literals before and after a step, large cells, and
    requirements (None if always the same).
    """

    graph: ColouredGraph
    cells: Mapping[int, int]
    literals: Mapping[tuple[int, int], int]
    next_literals: Mapping[tuple[int, int], int]
    large: Mapping[int, int]
    requirements: tuple[int | None, ...]
    pruned: Pruned
    opaque_terms: int
    twins: int


def encode(constraints: Constraints, *, processes_only: bool = False) -> Encoding:
    """The coloured graph of some constraints; on wish values that are no process ids must stay as they are."""
    return _Encoder(constraints, processes_only=processes_only).encode()


@final
class Vertices:
    """Grows a graph; a vertex with children is found again by its kind and children."""

    def __init__(self) -> None:
        self.kinds: list[Kind] = []
        self.children: list[frozenset[int]] = []
        self.heights: list[int] = []
        self._known: dict[tuple[Kind, frozenset[int]], int] = {}

    def leaf(self, kind: Kind) -> int:
        """A new vertex without children."""
        return self._add(kind, frozenset())

    def node(self, kind: Kind, children: Iterable[int]) -> int:
        """The vertex of this kind with exactly these children."""
        key = (kind, frozenset(children))
        vertex = self._known.get(key)
        if vertex is None:
            vertex = self._known[key] = self._add(*key)
        return vertex

    def _add(self, kind: Kind, children: frozenset[int]) -> int:
        self.kinds.append(kind)
        self.children.append(children)
        self.heights.append(1 + max((self.heights[c] for c in children), default=-1))
        return len(self.kinds) - 1

    # ------------------------------------------------------------ truth values: a vertex, True or False

    def conjunction(self, parts: Iterable[int | bool]) -> int | bool:
        """All of them; nested conjunctions are opened."""
        kept: set[int] = set()
        for part in parts:
            if part is False:
                return False
            if part is not True:
                kept |= self.children[part] if self.kinds[part] == _AND else {part}
        if not kept:
            return True
        return kept.pop() if len(kept) == 1 else self.node(_AND, kept)

    def disjunction(self, parts: Iterable[int | bool], *, negated: bool = False) -> int | bool:
        """Any of them, or none of them if ``negated``."""
        kept: set[int] = set()
        for part in parts:
            if part is True:
                return not negated
            if part is not False:
                kept |= self.children[part] if self.kinds[part] == _OR else {part}
        if not kept:
            return negated
        if len(kept) == 1 and not negated:
            return kept.pop()
        return self.node(_NOR if negated else _OR, kept)

    def negation(self, part: int | bool) -> int | bool:
        """Not that; a double negation disappears."""
        if isinstance(part, bool):
            return not part
        if self.kinds[part] == _NOR:
            return self.disjunction(self.children[part])
        return self.disjunction((part,), negated=True)


@final
class _Encoder:
    def __init__(self, constraints: Constraints, *, processes_only: bool) -> None:
        self._constraints = constraints
        self._processes_only = processes_only
        self._terms = constraints.terms
        self._pruned = prune(constraints)
        self._values = self._pruned.values
        self._twins = twin_ranks(constraints)
        self._forms = NormalForms()
        self._vertices = Vertices()
        self._old: dict[tuple[int, int], int] = {}
        self._next: dict[tuple[int, int], int] = {}
        self._cells: dict[int, int] = {}
        self._large: dict[int, int] = {}
        self._large_next: dict[int, int] = {}
        self._conditions: dict[int, int | bool] = {}
        self._opaque_terms = 0

    def encode(self) -> Encoding:
        """Literals first, then everything that refers to them."""
        self._add_literals()
        if self._processes_only:
            self._add_processes()
        for transition in merge_transitions(self._pruned.transitions, self._values, self._pruned.constant):
            self._add_transition(transition)
        self._add_initial()
        requirements = tuple(self._requirement(r) for r in self._constraints.requirements)
        self._fix_opaque_cells()
        twins = sum(cell in self._cells for cell in self._twins)
        return Encoding(
            graph=self._graph(),
            cells=self._cells,
            literals=self._old,
            next_literals=self._next,
            large=self._large,
            requirements=requirements,
            pruned=self._pruned,
            opaque_terms=self._opaque_terms,
            twins=twins,
        )

    def _requirement(self, requirement: Requirement) -> int | None:
        condition = self._condition(requirement.condition)
        if isinstance(condition, bool):
            return None
        return self._vertices.node(("requirement", requirement.family), (condition,))

    # ------------------------------------------------------------ cells and literals

    def _add_literals(self) -> None:
        for cell, values in sorted(self._values.arrays.items()):
            # Cells that always hold the same value are told apart: exchanging them would change no state.
            self._cells[cell] = self._vertices.leaf(("cell", self._twins.get(cell, 0)))
            for value in values.tolist():
                self._old[cell, value] = self._vertices.leaf(self._literal_kind(cell, value))
                self._next[cell, value] = self._vertices.leaf(("next",))
        for cell in sorted(self._pruned.large):
            domain = self._constraints.cells.all[cell].domain
            self._large[cell] = self._vertices.leaf(("large cell", domain.low, domain.high))
            self._large_next[cell] = self._vertices.leaf(("large next",))

    def _add_processes(self) -> None:
        """One vertex per process id, tied to the cells it indexes and the literals that hold it."""
        ids: dict[tuple[str, int], int] = {}

        def process(domain: str, number: int) -> int:
            if (domain, number) not in ids:
                ids[domain, number] = self._vertices.leaf(("process", domain))
            return ids[domain, number]

        for cell, vertex in (*self._cells.items(), *self._large.items()):
            place = self._constraints.cells.all[cell]
            for k, (dimension, index) in enumerate(zip(place.variable.dimensions, place.indices, strict=True)):
                if dimension.index:
                    self._vertices.node(("index", k), (process(dimension.index, index), vertex))
        for (cell, value), vertex in self._old.items():
            place = self._constraints.cells.all[cell]
            domain = place.variable.domain
            if place.slot != -1 and value in process_ids(domain):
                self._vertices.node(("id",), (process(domain.index, value), vertex))

    def _literal_kind(self, cell: int, value: int) -> Kind:
        place = self._constraints.cells.all[cell]
        if not self._processes_only or (place.slot != -1 and value in process_ids(place.variable.domain)):
            return ("old",)
        return ("old", value)

    def _fix_opaque_cells(self) -> None:
        """What a rule touches that could not be written out must stay where it is."""
        for cell in sorted(self._constraints.opaque_cells):
            for value in self._values.arrays.get(cell, np.zeros(0, dtype=np.int64)).tolist():
                self._vertices.node(("fixed", cell, value), (self._old[cell, value],))
            if cell in self._large:
                self._vertices.node(("fixed", cell), (self._large[cell],))

    def _graph(self) -> ColouredGraph:
        edges = [*self._ties()]
        for vertex, children in enumerate(self._vertices.children):
            edges += [(vertex, child) for child in sorted(children)]
        return ColouredGraph(self._colours(), tuple(edges), self._labels())

    def _ties(self) -> Iterator[tuple[int, int]]:
        """Literals belong to their cell, and an old literal to its next copy: both sides move together."""
        for (cell, value), vertex in self._old.items():
            yield self._cells[cell], vertex
            yield vertex, self._next[cell, value]
        for cell, vertex in self._large.items():
            yield vertex, self._large_next[cell]

    def _colours(self) -> tuple[Colour, ...]:
        """Kind and height: a vertex cannot be exchanged with one above or below it."""
        return tuple(zip(self._vertices.kinds, self._vertices.heights, strict=True))

    def _labels(self) -> tuple[str, ...]:
        names = [c.name for c in self._constraints.cells.all]
        labels = [*map(_kind_text, self._vertices.kinds)]
        for cell, vertex in (*self._cells.items(), *self._large.items()):
            labels[vertex] = names[cell]
        for (cell, value), vertex in self._old.items():
            labels[vertex] = f"{names[cell]} = {value}"
        for (cell, value), vertex in self._next.items():
            labels[vertex] = f"{names[cell]}' = {value}"
        return tuple(labels)

    # ------------------------------------------------------------ transitions and initial states

    def _add_transition(self, transition: CutTransition) -> None:
        parts = [self._relation(r) for r in transition.relations]
        parts += [self._condition(c) for c in transition.conditions]
        parts += [self._wide_update(cell, term) for cell, term in transition.updates]
        together = self._vertices.conjunction(parts)
        if together is False:
            return
        kind = self._transition_kind(transition)
        if together is True:
            self._vertices.node(kind, ())
        elif self._vertices.kinds[together] == _AND:
            self._vertices.node(kind, self._vertices.children[together])
        else:
            self._vertices.node(kind, (together,))

    def _transition_kind(self, transition: CutTransition) -> Kind:
        return ("fault" if transition.faults else "event", transition.event)

    def _add_initial(self) -> None:
        pieces = []
        for cell, values in sorted(self._values.arrays.items()):
            allowed = self._constraints.initial_values[cell]
            if not set(values.tolist()) <= set(allowed):
                cell_term = self._terms.cell(cell)
                equal = (self._terms.equal(cell_term, self._terms.constant(v)) for v in allowed)
                pieces.append(self._terms.disjunction(equal))
        large = [self._large_initial(cell) for cell in sorted(self._large)]
        together = self._terms.conjunction((*pieces, *self._constraints.initial_conditions))
        condition = self._vertices.conjunction((self._condition(together), *large))
        if not isinstance(condition, bool):
            self._vertices.node(("initial",), (condition,))

    def _large_initial(self, cell: int) -> int | bool:
        values = self._constraints.initial_values[cell]
        return True if len(values) > 1 else self._vertices.node(("value", values[0]), (self._large[cell],))

    def _relation(self, relation: Relation) -> int | bool:
        return self._tree(self._forms.of(relation, self._values.arrays), relation.columns)

    def _tree(self, tree: Tree, columns: tuple[Column, ...]) -> int | bool:
        match tree.kind:
            case "true" | "false":
                return tree.kind == "true"
            case "lit":
                return self._literal(columns[tree.column], tree.value)
            case "and":
                return self._vertices.conjunction(self._tree(p, columns) for p in tree.parts)
            case _:
                parts = (self._tree(p, columns) for p in tree.parts)
                return self._vertices.disjunction(parts, negated=tree.kind == "nor")

    def _literal(self, column: Column, value: int) -> int:
        return (self._next if column.is_next else self._old)[column.cell, value]

    def _wide_update(self, cell: int, term: Term) -> int | bool:
        """The next value of a cell from a term too wide for a table: value by value."""
        if cell in self._large:
            arguments = (self._vertices.node(("to",), (self._large_next[cell],)), self._number(term))
            return self._vertices.node(("assign",), arguments)
        parts = []
        for value in self._values.arrays[cell].tolist():
            condition = self._condition(self._terms.equal(term, self._terms.constant(value)))
            parts.append(self._vertices.conjunction((condition, self._next[cell, value])))
        return self._vertices.disjunction(parts)

    # ------------------------------------------------------------ conditions

    def _condition(self, term: Term) -> int | bool:
        known = self._conditions.get(term.number)
        if known is None:
            known = self._conditions[term.number] = self._compute_condition(term)
        return known

    def _compute_condition(self, term: Term) -> int | bool:
        if term.is_constant:
            return bool(term.value)
        if self._is_small(term.support):
            return self._small(term)
        match term.operator:
            case "and":
                return self._vertices.conjunction(self._joined(term))
            case "or":
                return self._vertices.disjunction(self._joined(term))
            case "not":
                return self._vertices.negation(self._condition(term.args[0]))
            case "eq" | "le":
                return self._comparison(term)
            case "cell":  # a large cell is no truth value, so this is a large number used as one: cannot happen
                raise AssertionError("a truth value in a large cell")
            case _:
                return self._number(term)

    def _is_small(self, support: int) -> bool:
        return self._values.is_small(sum(1 << c for c in bits(support) if c not in self._pruned.constant))

    def _small(self, *conditions: Term) -> int | bool:
        support = 0
        for condition in conditions:
            support |= condition.support
        cells = bits(support)
        values = {c: self._array(c) for c in cells}
        relation = restrict(tabulate(conditions, (), cells, values), {}, self._pruned.constant)
        return not relation.is_empty if not relation.columns else self._relation(relation)

    def _array(self, cell: int) -> Rows:
        """The values of a cell, kept or constant."""
        if cell in self._values.arrays:
            return self._values.arrays[cell]
        return self._pruned.constant_value(cell)

    def _joined(self, term: Term) -> Iterable[int | bool]:
        """The operands of a wide AND or OR; those that share cells are judged together where a table can hold them."""
        small, wide = join([Piece(a, a.support) for a in term.args], self._values)
        for group in small:
            terms = [p.term for p in group]
            combined = self._terms.conjunction(terms) if term.operator == "and" else self._terms.disjunction(terms)
            yield self._condition(combined)
        for piece in wide:
            yield self._condition(piece.term)

    def _comparison(self, term: Term) -> int | bool:
        """A wide comparison of a sum with a number, as a threshold over weighted conditions."""
        inner = term.args[0]
        summands = [(1, inner)] if inner.operator != "sum" else list(zip(inner.coefficients, inner.args, strict=True))
        bound = term.value - (inner.value if inner.operator == "sum" else 0)
        weights: dict[int, int] = {}
        numbers: dict[int, int] = {}  # coefficients, added up: two spellings of one number are one vertex
        for coefficient, summand in summands:
            if not self._is_small(summand.support) and summand.operator not in ("and", "or", "not", "eq", "le"):
                number = self._number(summand)
                numbers[number] = numbers.get(number, 0) + coefficient
                continue
            for value, condition in self._cases(summand):
                if condition is True:
                    bound -= coefficient * value
                elif condition is not False:
                    weights[condition] = weights.get(condition, 0) + coefficient * value
        return self._threshold(term.operator, bound, weights, self._multiples(numbers))

    def _multiples(self, numbers: Mapping[int, int]) -> list[int]:
        return [self._vertices.node(("times", c), (number,)) for number, c in numbers.items() if c]

    def _cases(self, term: Term) -> Iterable[tuple[int, int | bool]]:
        """A number as values with the conditions under which it has them; the least value is the base."""
        if (term.low, term.high) == (0, 1):
            return [(1, self._condition(term))]
        cells = bits(term.support)
        rows = tabulate((), ((-1, term),), cells, {c: self._array(c) for c in cells}).rows
        values = np.unique(rows[:, -1]).tolist()
        cases: list[tuple[int, int | bool]] = [(values[0], True)]
        for value in values[1:]:
            relation = Relation(tuple(Column(c) for c in cells), rows[rows[:, -1] == value][:, :-1])
            restricted = restrict(relation, {}, self._pruned.constant)
            condition = self._relation(restricted) if restricted.columns else True
            cases.append((value - values[0], condition))
        return cases

    def _threshold(self, operator: str, bound: int, weights: Mapping[int, int], numbers: list[int]) -> int | bool:
        by_weight: dict[int, set[int]] = {}
        for condition, weight in weights.items():
            if weight:
                by_weight.setdefault(weight, set()).add(condition)
        low = sum(w * len(c) for w, c in by_weight.items() if w < 0)
        high = sum(w * len(c) for w, c in by_weight.items() if w > 0)
        if not numbers:
            if bound < low or (operator == "eq" and bound > high):
                return False
            if operator == "le" and bound >= high:
                return True
            if len(by_weight) == 1 and set(by_weight) == {1}:
                return self._count(operator, bound, by_weight[1])
        parts = [self._vertices.node(("weight", w), conditions) for w, conditions in by_weight.items()]
        return self._vertices.node((operator, bound), (*parts, *numbers))

    def _count(self, operator: str, bound: int, conditions: set[int]) -> int | bool:
        """How many of some conditions hold: all and none have their usual names."""
        if bound == 0:
            return self._vertices.disjunction(conditions, negated=True)
        if operator == "le" and bound == len(conditions) - 1:
            return self._vertices.negation(self._vertices.conjunction(conditions))
        if operator == "eq" and bound == len(conditions):
            return self._vertices.conjunction(conditions)
        return self._vertices.node(("count", operator, bound), conditions)

    # ------------------------------------------------------------ numbers, by structure

    def _number(self, term: Term) -> int:
        """A number that fits no table, as it was written: sound, but other spellings of it are other vertices."""
        self._opaque_terms += 1
        vertices = self._vertices
        if term.is_constant:
            return vertices.node(("number", term.value), ())
        if term.operator == "cell" and term.value in self._large:
            return self._large[term.value]
        if (term.low, term.high) == (0, 1) and term.operator in ("and", "or", "not", "eq", "le"):
            condition = self._condition(term)
            return vertices.node(("number", int(condition)), ()) if isinstance(condition, bool) else condition
        if self._is_small(term.support):
            cases = [(v, c) for v, c in self._cases(term) if c is not False]
            parts = [vertices.node(("weight", v), () if isinstance(c, bool) else (c,)) for v, c in cases]
            return vertices.node(("value",), parts)
        if term.operator == "sum":
            numbers: dict[int, int] = {}
            for coefficient, argument in zip(term.coefficients, term.args, strict=True):
                number = self._number(argument)
                numbers[number] = numbers.get(number, 0) + coefficient
            return vertices.node(("sum", term.value), self._multiples(numbers))
        arguments = [vertices.node(("argument", k), (self._number(a),)) for k, a in enumerate(term.args)]
        return vertices.node(("operator", term.operator), arguments)


def _kind_text(kind: Kind) -> str:
    return " ".join(map(str, kind))
