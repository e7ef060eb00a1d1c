"""Small relations between literals: tables, and a normal form in which spelling no longer matters.

A *column* is a cell, old or next. A relation is a set of rows, one value per column. Its normal form is a
tree of AND / OR / NOR over literals, computed from the rows alone, so two ways of writing one condition
give one tree, and renaming columns or values renames the tree.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias, final

import numpy as np
import numpy.typing as npt

from burnside.detect.arrays import Evaluation
from burnside.detect.terms import Term

Rows: TypeAlias = npt.NDArray[np.int64]

_LARGEST_COMPLEMENT = 1 << 14
_MOST_BLOCKS = 6


@final
@dataclass(frozen=True, slots=True)
class Column:
    """A cell's old value, or its next one."""

    cell: int
    is_next: bool = False


@final
@dataclass(frozen=True)
class Relation:
    """Rows over columns; every row is there once."""

    columns: tuple[Column, ...]
    rows: Rows

    @property
    def is_empty(self) -> bool:
        """Whether nothing satisfies it."""
        return len(self.rows) == 0

    def scope(self) -> frozenset[int]:
        """The cells it speaks of."""
        return frozenset(c.cell for c in self.columns)

    def select(self, kept: Sequence[int]) -> Relation:
        """The projection to some columns."""
        return Relation(tuple(self.columns[k] for k in kept), distinct(self.rows[:, list(kept)]))


# ---------------------------------------------------------------- tables


def tabulate(
    conditions: Sequence[Term], updates: Sequence[tuple[int, Term]], cells: Sequence[int], values: Mapping[int, Rows]
) -> Relation:
    """All assignments of ``cells`` that satisfy the conditions, with the next values of the updated cells."""
    names = (*(Column(c) for c in cells), *(Column(c, True) for c, _ in updates))
    if not cells:
        return Relation(names, _single_row(conditions, updates))
    shape = tuple(len(values[c]) for c in cells)
    grid = Evaluation({c: _axis(values[c], k, len(cells)) for k, c in enumerate(cells)})
    holds = np.ones(shape, dtype=bool)
    for condition in conditions:
        holds &= grid.truth(condition)
    found = np.nonzero(holds)
    columns = [values[c][found[k]] for k, c in enumerate(cells)]
    columns += [np.broadcast_to(grid.value(term), shape)[found] for _, term in updates]
    return Relation(names, np.stack(columns, axis=1))


def _single_row(conditions: Sequence[Term], updates: Sequence[tuple[int, Term]]) -> Rows:
    """The table of terms that read nothing: one row, or none."""
    nothing = Evaluation({})
    row = np.asarray([[int(nothing.value(term)) for _, term in updates]], dtype=np.int64).reshape(1, len(updates))
    return row if all(bool(nothing.truth(c)) for c in conditions) else row[:0]


def _axis(values: Rows, axis: int, axes: int) -> Rows:
    shape = [1] * axes
    shape[axis] = len(values)
    return values.reshape(shape)


def distinct(rows: Rows) -> Rows:
    """Rows without repetition, sorted."""
    if rows.shape[1] == 0:
        return rows[:1]
    order = np.lexsort(rows.T[::-1])
    rows = rows[order]
    new = np.ones(len(rows), dtype=bool)
    new[1:] = (rows[1:] != rows[:-1]).any(axis=1)
    return rows[new]


# ---------------------------------------------------------------- normal form


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

    def __init__(self) -> None:
        self._known: dict[tuple[object, ...], Tree] = {}

    def of(self, relation: Relation, values: Mapping[int, Rows]) -> Tree:
        """The tree of a relation; literals refer to its columns by number."""
        domains = tuple(values[c.cell] for c in relation.columns)
        rows = distinct(relation.rows)
        key = (rows.tobytes(), len(rows), *(d.tobytes() for d in domains), *(c.is_next for c in relation.columns))
        tree = self._known.get(key)
        if tree is None:
            tree = _normal_form(rows, domains, tuple(range(len(domains))), [c.is_next for c in relation.columns])
            self._known[key] = tree
        return tree


def _normal_form(rows: Rows, domains: Sequence[Rows], columns: Sequence[int], is_next: Sequence[bool]) -> Tree:
    """``columns`` are the numbers that literals refer to; ``is_next`` is indexed by those numbers."""
    if len(rows) == 0:
        return FALSE_TREE
    kept = _relevant_columns(rows, domains, [is_next[c] for c in columns])
    if len(kept) < len(columns):
        rows = distinct(rows[:, kept])
        domains, columns = [domains[k] for k in kept], [columns[k] for k in kept]
    if not columns:
        return TRUE_TREE
    if len(columns) == 1:
        return _value_set(columns[0], rows[:, 0], domains[0], is_next=is_next[columns[0]])
    blocks = independent_blocks(rows)
    if len(blocks) > 1:
        return Tree("and", tuple(_block_form(rows, domains, columns, is_next, b) for b in blocks))
    split = _split_complement(rows, domains, columns, is_next)
    return split or _rows_form(rows, domains, columns, is_next)


def _block_form(
    rows: Rows, domains: Sequence[Rows], columns: Sequence[int], is_next: Sequence[bool], block: Sequence[int]
) -> Tree:
    inner = distinct(rows[:, list(block)])
    return _normal_form(inner, [domains[k] for k in block], [columns[k] for k in block], is_next)


def _relevant_columns(rows: Rows, domains: Sequence[Rows], is_next: Sequence[bool]) -> list[int]:
    """Columns whose value matters. A next value always does: "may become anything" is not "stays as it is"."""
    kept = list(range(rows.shape[1]))
    for column in range(rows.shape[1]):
        if is_next[column]:
            continue
        others = [k for k in kept if k != column]
        # Cheap test first: a column that does not matter repeats everything else for each of its values.
        if len(rows) % len(domains[column]):
            continue
        projected = distinct(rows[:, others])
        if len(projected) * len(domains[column]) == len(distinct(rows[:, kept])):
            kept = others
    return kept


def _value_set(column: int, found: Rows, domain: Rows, *, is_next: bool) -> Tree:
    """A set of values of one column: listed, or by what is missing, whichever is shorter."""
    values = set(found.tolist())
    everything = set(domain.tolist())
    if values == everything and not is_next:
        return TRUE_TREE
    if len(values) == 1:
        return Tree("lit", column=column, value=values.pop())
    few = values if 2 * len(values) <= len(everything) or values == everything else everything - values
    literals = tuple(Tree("lit", column=column, value=v) for v in sorted(few))
    return Tree("or" if few is values else "nor", literals)


def independent_blocks(rows: Rows) -> list[list[int]]:
    """The finest way to write a relation as a product of relations over disjoint columns."""
    width = rows.shape[1]
    singles = [len(np.unique(rows[:, k])) for k in range(width)]
    groups = [{k} for k in range(width)]
    for i in range(width):
        for j in range(i + 1, width):
            first, second = (next(g for g in groups if k in g) for k in (i, j))
            if first is second or 1 in (singles[i], singles[j]):
                continue
            if len(distinct(rows[:, [i, j]])) != singles[i] * singles[j]:
                groups = [g for g in groups if g is not first and g is not second] + [first | second]
    blocks = sorted(sorted(g) for g in groups)
    if _product_size(rows, blocks) == len(rows):
        return blocks
    if len(blocks) > _MOST_BLOCKS:  # dependence that no pair shows, among many: too costly to take apart
        return [list(range(width))]
    return _exact_blocks(rows, blocks)


def _product_size(rows: Rows, blocks: Iterable[Sequence[int]]) -> int:
    size = 1
    for block in blocks:
        size *= len(distinct(rows[:, list(block)]))
    return size


def _exact_blocks(rows: Rows, blocks: list[list[int]]) -> list[list[int]]:
    """Pairwise independence was not enough: split off the smallest unions of blocks that are independent."""
    from itertools import combinations

    found: list[list[int]] = []
    while blocks:
        first, rest = blocks[0], blocks[1:]
        current = [k for b in blocks for k in b]
        total = len(distinct(rows[:, current]))
        for chosen in (c for n in range(len(rest) + 1) for c in combinations(range(len(rest)), n)):
            inside = first + [k for c in chosen for k in rest[c]]
            outside = [k for c, b in enumerate(rest) if c not in chosen for k in b]
            if _product_size(rows, [inside, *([outside] if outside else [])]) == total:
                found.append(sorted(inside))
                blocks = [b for c, b in enumerate(rest) if c not in chosen]
                break
    return sorted(found)


def _split_complement(
    rows: Rows, domains: Sequence[Rows], columns: Sequence[int], is_next: Sequence[bool]
) -> Tree | None:
    """A relation whose complement is a product is a disjunction of independent parts."""
    size = int(np.prod([len(d) for d in domains], dtype=np.int64))
    if size > _LARGEST_COMPLEMENT:
        return None
    complement = _complement(rows, domains)
    if len(complement) == 0:
        return None
    blocks = independent_blocks(complement)
    if len(blocks) == 1:
        return None
    parts = []
    for block in blocks:
        missing = distinct(complement[:, block])
        inner = [domains[k] for k in block]
        parts.append(_normal_form(_complement(missing, inner), inner, [columns[k] for k in block], is_next))
    return Tree("or", tuple(parts))


def _complement(rows: Rows, domains: Sequence[Rows]) -> Rows:
    shape = tuple(len(d) for d in domains)
    absent = np.ones(shape, dtype=bool)
    absent[tuple(np.searchsorted(d, rows[:, k]) for k, d in enumerate(domains))] = False
    found = np.nonzero(absent)
    return np.stack([d[found[k]] for k, d in enumerate(domains)], axis=1)


def _rows_form(rows: Rows, domains: Sequence[Rows], columns: Sequence[int], is_next: Sequence[bool]) -> Tree:
    """Rows one by one, after values that behave alike have been merged; or the missing rows, if they are fewer."""
    classes = [_value_classes(rows, k, domain) for k, domain in enumerate(domains)]
    merged = np.stack([_class_numbers(rows[:, k], c) for k, c in enumerate(classes)], axis=1)
    merged = distinct(merged)
    numbers = [np.arange(len(c)) for c in classes]
    total = int(np.prod([len(n) for n in numbers], dtype=np.int64))
    negated = total - len(merged) < len(merged) and total <= _LARGEST_COMPLEMENT * 4
    if negated:
        merged = _complement(merged, numbers)
    parts = []
    for row in merged.tolist():
        literals = (
            _value_set(columns[k], np.asarray(classes[k][number]), domains[k], is_next=is_next[columns[k]])
            for k, number in enumerate(row)
        )
        parts.append(Tree("and", tuple(literals)))
    return Tree("nor" if negated else "or", tuple(parts))


def _value_classes(rows: Rows, column: int, domain: Rows) -> list[list[int]]:
    """Values of a column that occur with exactly the same rest of the row."""
    others = [k for k in range(rows.shape[1]) if k != column]
    order = np.lexsort((*rows[:, others].T[::-1], rows[:, column]))
    ordered = rows[order]
    starts = np.searchsorted(ordered[:, column], domain, side="left")
    ends = np.searchsorted(ordered[:, column], domain, side="right")
    classes: dict[bytes, list[int]] = {}
    for value, start, end in zip(domain.tolist(), starts, ends, strict=True):
        classes.setdefault(ordered[start:end][:, others].tobytes(), []).append(value)
    return list(classes.values())


def _class_numbers(values: Rows, classes: list[list[int]]) -> Rows:
    table = {value: number for number, members in enumerate(classes) for value in members}
    known = np.asarray(sorted(table), dtype=np.int64)
    numbers = np.asarray([table[v] for v in known.tolist()], dtype=np.int64)
    return numbers[np.searchsorted(known, values)]
