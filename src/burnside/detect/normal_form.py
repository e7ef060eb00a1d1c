"""The normal form of a relation, in which spelling no longer matters.

It is a tree of AND / OR / NOR over literals, computed from the rows alone, so two ways of writing one condition give
one tree, and renaming columns or values renames the tree. Tables are small: a set of tuples is quicker than an array.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations, product
from math import prod
from operator import itemgetter
from typing import Any, TypeAlias, final

from burnside.detect.relations import Numbers, Relation, Rows
from burnside.values import dataclass

_LARGEST_COMPLEMENT = 1 << 14
_MOST_BLOCKS = 6

_Row: TypeAlias = tuple[int, ...]
_Domain: TypeAlias = Sequence[int]
_Size: TypeAlias = Callable[[Sequence[int]], int]  # of the projection to some columns


@final
@dataclass(frozen=True, slots=True)
class Tree:
    """A normal form: ``lit`` (column, value), ``and``, ``or``, ``nor`` of parts, ``true`` or ``false``."""

    kind: str
    parts: tuple[Tree, ...] = ()
    column: int = -1
    value: int = 0


TRUE_TREE = Tree("true")
FALSE_TREE = Tree("false")


@final
class NormalForms:
    """Computes normal forms and remembers them: many transitions differ only in which cells they touch."""

    def __init__(self, values: Mapping[int, Numbers]) -> None:
        numbers: dict[Numbers, int] = {}
        self._values = values
        self._kinds = {cell: numbers.setdefault(some, len(numbers)) for cell, some in values.items()}
        self._of_rows: dict[tuple[object, ...], Tree] = {}
        self._known: dict[tuple[object, ...], tuple[Rows, Tree]] = {}

    def of(self, relation: Relation) -> Tree:
        """The tree of a relation; literals refer to its columns by number."""
        rows, columns = relation.rows, relation.columns
        kinds = [(self._kinds[cell], is_next) for cell, is_next in columns]
        known = self._known.get((id(rows), *kinds))  # rows have no hash that they remember
        if known is None:
            tree = self._of_rows.get((rows, *kinds))
            if tree is None:
                domains = [self._values[c.cell] for c in columns]
                tree = _Table(set(rows), domains, range(len(columns)), [c.is_next for c in columns]).form()
                self._of_rows[rows, *kinds] = tree
            known = self._known[id(rows), *kinds] = rows, tree  # kept alive, so that ids stay unique
        return known[1]


@final
@dataclass(frozen=True, slots=True)
class _Table:
    """Rows, with the domains of their columns, the numbers by which literals refer to columns, and which are next."""

    rows: set[_Row]
    domains: Sequence[_Domain]
    columns: Sequence[int]
    is_next: Sequence[bool]

    def select(self, kept: Sequence[int], rows: set[_Row] | None = None) -> _Table:
        """Some columns, with the projection of the rows, or with other rows."""
        return _Table(
            projection(self.rows, kept) if rows is None else rows,
            [self.domains[k] for k in kept],
            [self.columns[k] for k in kept],
            [self.is_next[k] for k in kept],
        )

    def form(self) -> Tree:
        """The normal form."""
        if not self.rows:
            return FALSE_TREE
        table = self._relevant()
        if not table.columns:
            return TRUE_TREE
        if len(table.columns) == 1:
            return table._value_set(0, {value for (value,) in table.rows})
        blocks = independent_blocks(table.rows, len(table.columns))
        if len(blocks) > 1:
            return Tree("and", tuple(table.select(block).form() for block in blocks))
        return table._split_complement() or table._rows_form()

    def _relevant(self) -> _Table:
        """Columns whose value matters. A next value always does: "may become anything" is not "stays as it is"."""
        kept, rows = list(range(len(self.columns))), self.rows
        for column in range(len(self.columns)):
            # Cheap test first: a column that does not matter repeats everything else for each of its values.
            size = len(self.domains[column])
            if self.is_next[column] or len(rows) % size:
                continue
            others = [k for k in range(len(kept)) if kept[k] != column]
            projected = projection(rows, others)
            if len(projected) * size == len(rows):
                kept, rows = [kept[k] for k in others], projected
        return self if len(kept) == len(self.columns) else self.select(kept, rows)

    def _value_set(self, column: int, values: set[int]) -> Tree:
        """A set of values of one column: listed, or by what is missing, whichever is shorter."""
        number, everything = self.columns[column], set(self.domains[column])
        if values == everything and not self.is_next[column]:
            return TRUE_TREE
        if len(values) == 1:
            return Tree("lit", column=number, value=next(iter(values)))
        is_listed = 2 * len(values) <= len(everything) or values == everything
        few = values if is_listed else everything - values
        return Tree("or" if is_listed else "nor", tuple(Tree("lit", column=number, value=v) for v in sorted(few)))

    def _split_complement(self) -> Tree | None:
        """A relation whose complement is a product is a disjunction of independent parts."""
        everything = prod(map(len, self.domains))
        if everything > _LARGEST_COMPLEMENT or everything == len(self.rows):
            return None
        blocks = _blocks(self._complement_size, len(self.columns))
        if len(blocks) < 2:
            return None
        complement = set(product(*self.domains)) - self.rows
        parts = []
        for block in blocks:
            allowed = set(product(*(self.domains[k] for k in block))) - projection(complement, block)
            parts.append(self.select(block, allowed).form())
        return Tree("or", tuple(parts))

    def _complement_size(self, columns: Sequence[int]) -> int:
        """How many rows the projection of the complement has: all but those that go with everything in the table."""
        inside = prod(len(self.domains[k]) for k in columns)
        others = prod(map(len, self.domains)) // inside
        counts = Counter(map(itemgetter(*columns), self.rows))
        return inside - sum(count == others for count in counts.values())

    def _rows_form(self) -> Tree:
        """Rows one by one, after values that behave alike have been merged; or the missing rows, if they are fewer."""
        classes = [self._value_classes(k) for k in range(len(self.columns))]
        number_of = [{value: n for n, members in enumerate(c) for value in members} for c in classes]
        merged = {tuple([numbers[v] for numbers, v in zip(number_of, row, strict=True)]) for row in self.rows}
        total = prod(map(len, classes))
        is_negated = total - len(merged) < len(merged) and total <= _LARGEST_COMPLEMENT * 4
        if is_negated:
            merged = set(product(*(range(len(c)) for c in classes))) - merged
        sets = [[self._value_set(k, set(members)) for members in c] for k, c in enumerate(classes)]
        parts = [Tree("and", tuple([trees[n] for trees, n in zip(sets, row, strict=True)])) for row in sorted(merged)]
        return Tree("nor" if is_negated else "or", tuple(parts))

    def _value_classes(self, column: int) -> list[list[int]]:
        """Values of a column that occur with exactly the same rest of the row."""
        rests: dict[int, set[_Row]] = {value: set() for value in self.domains[column]}
        for row in self.rows:
            rests[row[column]].add(row[:column] + row[column + 1 :])
        classes: dict[frozenset[_Row], list[int]] = {}
        for value, rest in rests.items():
            classes.setdefault(frozenset(rest), []).append(value)
        return list(classes.values())


def projection(rows: Iterable[_Row], columns: Sequence[int]) -> set[_Row]:
    """The rows with some of their columns only."""
    match columns:
        case []:
            return {() for _ in rows}
        case [column]:
            return {(row[column],) for row in rows}
        case _:
            picked: Callable[[_Row], Any] = itemgetter(*columns)
            return set(map(picked, rows))


def independent_blocks(rows: set[_Row], width: int) -> list[list[int]]:
    """The finest way to write a relation as a product of relations over disjoint columns."""
    return _blocks(lambda columns: len(projection(rows, columns)), width)


def _blocks(size: _Size, width: int) -> list[list[int]]:
    """The same, given how many rows the projections of the relation have."""
    singles = [size([k]) for k in range(width)]
    group = list(range(width))
    for i, j in combinations(range(width), 2):
        if group[i] == group[j] or 1 in (singles[i], singles[j]):
            continue
        if size([i, j]) != singles[i] * singles[j]:
            group = [group[i] if g == group[j] else g for g in group]
    blocks = sorted([k for k in range(width) if group[k] == g] for g in set(group))
    if len(blocks) == 1 or prod(map(size, blocks)) == size(range(width)):
        return blocks
    if len(blocks) > _MOST_BLOCKS:  # dependence that no pair shows, among many: too costly to take apart
        return [list(range(width))]
    return _exact_blocks(size, blocks)


def _exact_blocks(size: _Size, blocks: list[list[int]]) -> list[list[int]]:
    """Pairwise independence was not enough: split off the smallest unions of blocks that are independent."""
    found: list[list[int]] = []
    while blocks:
        first, rest = blocks[0], blocks[1:]
        total = size([k for b in blocks for k in b])
        for chosen in (c for n in range(len(rest) + 1) for c in combinations(range(len(rest)), n)):
            inside = first + [k for c in chosen for k in rest[c]]
            outside = [k for c, b in enumerate(rest) if c not in chosen for k in b]
            if size(inside) * (size(outside) if outside else 1) == total:
                found.append(sorted(inside))
                blocks = [b for c, b in enumerate(rest) if c not in chosen]
                break
    return sorted(found)
