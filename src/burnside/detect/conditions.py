"""Terms as vertices: conditions by tables where these can hold them, by structure where not.

Needs: the vertices of literals. Equal conditions are one vertex, whoever uses them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import final

from burnside.detect.normal_form import NormalForms, Tree
from burnside.detect.numbers import TRUTHS, NumberVertices
from burnside.detect.pieces import Piece, join
from burnside.detect.prune import Pruned
from burnside.detect.relations import Column, Relation
from burnside.detect.terms import Term, Terms, bits
from burnside.detect.vertices import LiteralVertices, Vertices


@final
class ConditionVertices:
    """Adds the vertices of terms to a graph; ``numbers`` has those that no table can hold."""

    def __init__(
        self, terms: Terms, pruned: Pruned, forms: NormalForms, vertices: Vertices, literals: LiteralVertices
    ) -> None:
        self._terms = terms
        self._pruned = pruned
        self._values = pruned.values
        self._constant = sum(1 << c for c in pruned.constant)
        self._vertices = vertices
        self._literals = literals
        self._forms = forms
        self._conditions: dict[int, int | bool] = {}
        self._relations: dict[int, tuple[Relation, int | bool]] = {}
        self.numbers = NumberVertices(terms, self, vertices, literals)

    # ------------------------------------------------------------ truth values

    def condition(self, term: Term) -> int | bool:
        """A truth value; equal conditions are one vertex."""
        known = self._conditions.get(term.number)
        if known is None:
            known = self._conditions[term.number] = self._compute_condition(term)
        return known

    def _compute_condition(self, term: Term) -> int | bool:
        if term.is_constant:
            return bool(term.value)
        if self.is_small(term.support):
            return self._small(term)
        match term.operator:
            case "and":
                return self._vertices.conjunction(self._joined(term))
            case "or":
                return self._vertices.disjunction(self._joined(term))
            case "not":
                return self._vertices.negation(self.condition(term.args[0]))
            case "eq" | "le":
                return self._comparison(term)
            case "cell":  # a large cell is no truth value, so this is a large number used as one: cannot happen
                raise AssertionError("a truth value in a large cell")
            case _:
                return self.numbers.number(term)

    def is_small(self, support: int) -> bool:
        """Whether a table can hold these cells; constants take no room."""
        return self._values.is_small(support & ~self._constant)

    def _small(self, *conditions: Term) -> int | bool:
        support = 0
        for condition in conditions:
            support |= condition.support
        cells = bits(support)
        relation = self._pruned.without_constants.of(self._pruned.tables.tabulate(conditions, (), cells))
        return not relation.is_empty if not relation.columns else self.relation(relation)

    def _joined(self, term: Term) -> Iterable[int | bool]:
        """The operands of a wide AND or OR; those that share cells are judged together where a table can hold them."""
        if sum([a.support.bit_count() for a in term.args]) == term.support.bit_count():  # none of them do
            known = [self._conditions[a.number] for a in term.args if a.number in self._conditions]
            if len(known) == len(term.args):
                return known
        return self._judged_together(term)

    def _judged_together(self, term: Term) -> Iterator[int | bool]:
        small, wide = join([Piece(a, a.support) for a in term.args], self._values)
        combined = self._terms.conjunction if term.operator == "and" else self._terms.disjunction
        for group in small:
            yield self.condition(group[0].term if len(group) == 1 else combined(p.term for p in group))
        for piece in wide:
            yield self.condition(piece.term)

    def _comparison(self, term: Term) -> int | bool:
        """A wide comparison of a sum with a number, as a threshold over weighted conditions."""
        inner = term.args[0]
        summands = [(1, inner)] if inner.operator != "sum" else list(zip(inner.coefficients, inner.args, strict=True))
        bound = term.value - (inner.value if inner.operator == "sum" else 0)
        weights: dict[int, int] = {}
        numbers: dict[int, int] = {}  # coefficients, added up: two spellings of one number are one vertex
        for coefficient, summand in summands:
            if not self.is_small(summand.support) and summand.operator not in TRUTHS:
                number = self.numbers.number(summand)
                numbers[number] = numbers.get(number, 0) + coefficient
                continue
            for value, condition in self.cases(summand):
                if condition is True:
                    bound -= coefficient * value
                elif condition is not False:
                    weights[condition] = weights.get(condition, 0) + coefficient * value
        return self._threshold(term.operator, bound, weights, numbers)

    def cases(self, term: Term) -> Iterable[tuple[int, int | bool]]:
        """A number as values with the conditions under which it has them; the least value is the base."""
        if (term.low, term.high) == (0, 1):
            return [(1, self.condition(term))]
        cells = bits(term.support)
        rows = self._pruned.tables.tabulate((), ((-1, term),), cells).rows
        values = sorted({row[-1] for row in rows})
        cases: list[tuple[int, int | bool]] = [(values[0], True)]
        for value in values[1:]:
            having = tuple(row[:-1] for row in rows if row[-1] == value)
            relation = Relation(tuple(Column(c) for c in cells), having)
            restricted = self._pruned.without_constants.of(relation)
            condition = self.relation(restricted) if restricted.columns else True
            cases.append((value - values[0], condition))
        return cases

    def _threshold(
        self, operator: str, bound: int, weights: Mapping[int, int], numbers: Mapping[int, int]
    ) -> int | bool:
        by_weight: dict[int, set[int]] = {}
        for condition, weight in weights.items():
            if weight:
                by_weight.setdefault(weight, set()).add(condition)
        if not any(numbers.values()):
            low = sum(w * len(c) for w, c in by_weight.items() if w < 0)
            high = sum(w * len(c) for w, c in by_weight.items() if w > 0)
            if bound < low or (operator == "eq" and bound > high):
                return False
            if operator == "le" and bound >= high:
                return True
            if len(by_weight) == 1 and set(by_weight) == {1}:
                return self._count(operator, bound, by_weight[1])
        if operator == "eq":
            return self._equation(bound, by_weight, numbers)
        return self._vertices.node((operator, bound), self._weighted(1, by_weight, numbers))

    def _weighted(self, sign: int, by_weight: Mapping[int, set[int]], numbers: Mapping[int, int]) -> list[int]:
        """The weighted parts of a sum, all multiplied by a sign."""
        parts = [self._vertices.node(("weight", sign * w), conditions) for w, conditions in by_weight.items()]
        return [*parts, *self.numbers.multiples({n: sign * c for n, c in numbers.items()})]

    def _equation(self, bound: int, by_weight: Mapping[int, set[int]], numbers: Mapping[int, int]) -> int | bool:
        """An equation has two sides, in no order: ``x - y == 0`` and ``y - x == 0`` are one vertex."""
        sides = []
        for sign, offset in ((1, max(0, -bound)), (-1, max(0, bound))):
            weights = {w: c for w, c in by_weight.items() if w * sign > 0}
            parts = self._weighted(sign, weights, {n: c for n, c in numbers.items() if c * sign > 0})
            sides.append(self._vertices.node(("side", offset), parts))
        return True if sides[0] == sides[1] else self._vertices.node(("equation",), sides)

    def _count(self, operator: str, bound: int, conditions: set[int]) -> int | bool:
        """How many of some conditions hold: all and none have their usual names."""
        if bound == 0:
            return self._vertices.disjunction(conditions, negated=True)
        if operator == "le" and bound == len(conditions) - 1:
            return self._vertices.negation(self._vertices.conjunction(conditions))
        if operator == "eq" and bound == len(conditions):
            return self._vertices.conjunction(conditions)
        return self._vertices.node(("count", operator, bound), conditions)

    # ------------------------------------------------------------ tables

    def relation(self, relation: Relation) -> int | bool:
        """Rows of literals that go together; many transitions share them."""
        known = self._relations.get(id(relation))
        if known is None:
            tree = self._forms.of(relation)
            vertex = self._tree(tree, relation.columns)
            known = self._relations[id(relation)] = (relation, vertex)  # kept alive, so that ids stay unique
        return known[1]

    def _tree(self, tree: Tree, columns: tuple[Column, ...]) -> int | bool:
        if tree.kind == "lit":
            return self._literal(columns[tree.column], tree.value)
        if tree.kind in ("true", "false"):
            return tree.kind == "true"
        parts = [self._tree(p, columns) for p in tree.parts]
        if tree.kind == "and":
            return self._vertices.conjunction(parts)
        return self._vertices.disjunction(parts, negated=tree.kind == "nor")

    def _literal(self, column: Column, value: int) -> int:
        return (self._literals.next if column.is_next else self._literals.old)[column.cell, value]
