"""Constraints → coloured graph: an automorphism of the graph is a symmetry of the model.

Vertices: one per cell, two per literal (old and next, tied to each other and to the cell), one per distinct
condition (equal conditions are one vertex, whoever uses them), one per ground transition coloured with its
event, one for the initial states and one per requirement. A vertex's colour is its kind together with its
height, so edges need no direction. See docs/theory/detection.md for why this is sound where the published
construction is not.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, final

from burnside.detect.conditions import ConditionVertices
from burnside.detect.constrain import Constraints, Requirement
from burnside.detect.equal_cells import EqualCells, find_equal_cells
from burnside.detect.folds import UNORDERED
from burnside.detect.merge import merge_transitions
from burnside.detect.normal_form import NormalForms
from burnside.detect.numbers import OpaqueTerm
from burnside.detect.pieces import CutTransition
from burnside.detect.prune import Pruned, prune
from burnside.detect.terms import Term, TooLarge
from burnside.detect.vertices import AND, LiteralVertices, Vertices
from burnside.graph.coloured import Colour, ColouredGraph, Kind
from burnside.values import dataclass, replace

if TYPE_CHECKING:  # only explanations need them
    from burnside.detect.ties import Name, Ties

_ARITHMETIC = (*UNORDERED, "/", "%")
_FEW_VALUES = 32  # for which a condition each is written out


@final
@dataclass(frozen=True)
class Encoding:
    """The graph, and which of its vertices are cells (small ones), literals before and after a step, large cells, and
    requirements (None if always the same); and, if literals were tied to names, those of the names.
    """

    graph: ColouredGraph
    cells: Mapping[int, int]
    literals: Mapping[tuple[int, int], int]
    next_literals: Mapping[tuple[int, int], int]
    large: Mapping[int, int]
    requirements: tuple[int | None, ...]
    pruned: Pruned
    opaque_terms: tuple[OpaqueTerm, ...]
    names: Mapping[Name, int]


@final
class Prepared:
    """What the graph needs to know of a model and does not depend on what symmetries are asked to keep."""

    def __init__(self, constraints: Constraints, *, may_identify: bool = True) -> None:
        self.equal = find_equal_cells(constraints) if may_identify else EqualCells()
        try:
            identified = self.equal.identified(replace(constraints, requirements=()))
        except TooLarge:
            self.equal, identified = EqualCells(), constraints
        self.pruned = prune(identified, self.equal)
        self.forms = NormalForms(self.pruned.values.of_cell)

    @cached_property
    def transitions(self) -> list[CutTransition]:
        """Those that can fire; what belongs together is one."""
        return [*merge_transitions(self.pruned.transitions, self.pruned.values, self.pruned.without_constants)]


def encode(constraints: Constraints, ties: Ties | None = None, prepared: Prepared | None = None) -> Encoding:
    """The coloured graph of some constraints; with ``ties``, what belongs to one name moves together.

    Whoever asks for several that differ in their requirements alone can hand in what was ``prepared`` for another.
    """
    prepared = prepared or Prepared(constraints)
    try:
        identified = prepared.equal.identified(constraints)
    except TooLarge:  # a requirement
        prepared, identified = Prepared(constraints, may_identify=False), constraints
    return _Encoder(identified, ties, prepared).encode()


@final
class _Encoder:
    def __init__(self, constraints: Constraints, ties: Ties | None, prepared: Prepared) -> None:
        self._constraints = constraints
        self._names: dict[Name, int] = {}
        self._tied = ties
        self._terms = constraints.terms
        self._transitions = prepared.transitions
        self._pruned = prepared.pruned
        self._values = self._pruned.values
        self._equal = prepared.equal
        self._vertices = Vertices()
        self._literals = LiteralVertices()
        self._conditions = ConditionVertices(self._terms, self._pruned, prepared.forms, self._vertices, self._literals)

    def encode(self) -> Encoding:
        """LiteralVertices first, then everything that refers to them."""
        self._add_literals()
        if self._tied is not None:
            self._add_names(self._tied)
        for transition in self._transitions:
            self._conditions.numbers.rule = transition.rule
            self._add_transition(transition)
        self._conditions.numbers.rule = None
        self._add_initial()
        requirements = tuple(self._requirement(r) for r in self._constraints.requirements)
        self._fix_opaque_cells()
        return Encoding(
            graph=self._graph(),
            cells=self._literals.cells,
            literals=self._literals.old,
            next_literals=self._literals.next,
            large=self._literals.large,
            requirements=requirements,
            pruned=self._pruned,
            opaque_terms=tuple(self._conditions.numbers.opaque.values()),
            names=self._names,
        )

    def _requirement(self, requirement: Requirement) -> int | None:
        """One vertex for where a condition holds and where it cannot be evaluated: both are exchanged, or none."""
        kind: Kind = ("requirement", requirement.family)
        parts = []
        for name, term in (("holds", requirement.condition), ("faults", requirement.fault)):
            condition = self._conditions.condition(term)
            if isinstance(condition, bool):
                kind = (*kind, name, condition)
            else:
                parts.append(self._vertices.node((name,), (condition,)))
        return self._vertices.node(kind, parts) if parts else None

    # ------------------------------------------------------------ cells and literals

    def _add_literals(self) -> None:
        for cell, values in sorted(self._values.of_cell.items()):
            # A cell goes to one that stands for as many.
            self._literals.cells[cell] = self._vertices.leaf(("cell", len(self._equal.members(cell))))
            for value in values:
                self._literals.old[cell, value] = self._vertices.leaf(("old",))
                self._literals.next[cell, value] = self._vertices.leaf(("next",))
        for cell in sorted(self._pruned.large):
            domain = self._constraints.cells.all[cell].domain
            kind = ("large cell", domain.low, domain.high, len(self._equal.members(cell)))
            self._literals.large[cell] = self._vertices.leaf(kind)
            self._literals.large_next[cell] = self._vertices.leaf(("large next",))

    def _add_names(self, ties: Ties) -> None:
        """One vertex per name, tied to the cells it indexes and the literals that hold it."""
        for name in ties.names:
            self._names[name] = self._vertices.leaf(("name", name.sort))
        for cell, vertex in (*self._literals.cells.items(), *self._literals.large.items()):
            members = self._equal.members(cell)
            for member in members:
                place = vertex
                if len(members) > 1:
                    place = self._vertices.leaf(("member",))
                    self._vertices.node(("same",), (place, vertex))
                for k, name in ties.of_cell(member):
                    self._vertices.node(("index", k), (self._names[name], place))
        for (cell, value), vertex in self._literals.old.items():
            for member in self._equal.members(cell):
                held = ties.of_literal(member, value)
                if held is not None:
                    self._vertices.node(("holds",), (self._names[held], vertex))

    def _fix_opaque_cells(self) -> None:
        """What a rule touches that could not be written out must stay where it is."""
        for cell in sorted(self._constraints.opaque_cells):
            for value in self._values.of_cell.get(cell, ()):
                self._vertices.node(("fixed", cell, value), (self._literals.old[cell, value],))
            if cell in self._literals.large:
                self._vertices.node(("fixed", cell), (self._literals.large[cell],))

    def _graph(self) -> ColouredGraph:
        edges = [*self._ties()]
        for vertex, children in enumerate(self._vertices.children):
            edges += [(vertex, child) for child in sorted(children)]
        return ColouredGraph(self._colours(), tuple(edges), self._labels())

    def _ties(self) -> Iterator[tuple[int, int]]:
        """LiteralVertices belong to their cell, and an old literal to its next copy: both sides move together."""
        for (cell, value), vertex in self._literals.old.items():
            yield self._literals.cells[cell], vertex
            yield vertex, self._literals.next[cell, value]
        for cell, vertex in self._literals.large.items():
            yield vertex, self._literals.large_next[cell]

    def _colours(self) -> tuple[Colour, ...]:
        """Kind and height: a vertex cannot be exchanged with one above or below it."""
        return tuple(zip(self._vertices.kinds, self._vertices.heights, strict=True))

    def _labels(self) -> tuple[str, ...]:
        names = [c.name for c in self._constraints.cells.all]
        labels = [*map(_kind_text, self._vertices.kinds)]
        for cell, vertex in (*self._literals.cells.items(), *self._literals.large.items()):
            labels[vertex] = names[cell]
        for (cell, value), vertex in self._literals.old.items():
            labels[vertex] = f"{names[cell]} = {value}"
        for (cell, value), vertex in self._literals.next.items():
            labels[vertex] = f"{names[cell]}' = {value}"
        return tuple(labels)

    # ------------------------------------------------------------ transitions and initial states

    def _add_transition(self, transition: CutTransition) -> None:
        parts = [self._conditions.relation(r) for r in transition.relations]
        parts += [self._conditions.condition(c) for c in transition.conditions]
        parts += [self._wide_update(cell, term) for cell, term in transition.updates]
        together = self._vertices.conjunction(parts)
        if together is False:
            return
        kind = self._transition_kind(transition)
        if together is True:
            self._vertices.node(kind, ())
        elif self._vertices.kinds[together] == AND:
            self._vertices.node(kind, self._vertices.children[together])
        else:
            self._vertices.node(kind, (together,))

    def _transition_kind(self, transition: CutTransition) -> Kind:
        return ("fault" if transition.faults else "event", transition.event)

    def _add_initial(self) -> None:
        pieces = []
        for cell, values in sorted(self._values.of_cell.items()):
            allowed = self._constraints.initial_values[cell]
            if not set(values) <= set(allowed):
                cell_term = self._terms.cell(cell)
                equal = (self._terms.equal(cell_term, self._terms.constant(v)) for v in allowed)
                pieces.append(self._terms.disjunction(equal))
        large = [self._large_initial(cell) for cell in sorted(self._literals.large)]
        together = self._terms.conjunction((*pieces, *self._constraints.initial_conditions))
        condition = self._vertices.conjunction((self._conditions.condition(together), *large))
        if not isinstance(condition, bool):
            self._vertices.node(("initial",), (condition,))

    def _large_initial(self, cell: int) -> int | bool:
        values = self._constraints.initial_values[cell]
        return True if len(values) > 1 else self._vertices.node(("value", values[0]), (self._literals.large[cell],))

    def _wide_update(self, cell: int, term: Term) -> int | bool:
        """The next value of a cell from a term too wide for a table: value by value, or as one number."""
        if cell in self._literals.large or self._is_arithmetic(cell, term):
            return self._assignment(cell, term)
        values = self._values.of_cell[cell]
        try:
            tests = [self._terms.equal(term, self._terms.constant(value)) for value in values]
        except TooLarge:  # comparing the sides of nested choices makes them deeper than they were
            return self._assignment(cell, term)
        parts = zip(map(self._conditions.condition, tests), values, strict=True)
        return self._vertices.disjunction(
            self._vertices.conjunction((condition, self._literals.next[cell, value])) for condition, value in parts
        )

    def _assignment(self, cell: int, term: Term) -> int:
        target = self._conditions.numbers.next_number(cell, self._values.of_cell.get(cell, ()))
        number = self._conditions.numbers.number(term)
        return self._vertices.node(("assign",), (self._vertices.node(("to",), (target,)), number))

    def _is_arithmetic(self, cell: int, term: Term) -> bool:
        """Whether a condition for every value of a cell would say no more than one equation, at greater length."""
        if term.operator == "sum":
            return len(self._values.of_cell[cell]) > _FEW_VALUES or any(a.operator in _ARITHMETIC for a in term.args)
        return term.operator in _ARITHMETIC


def _kind_text(kind: Kind) -> str:
    return " ".join(map(str, kind))
