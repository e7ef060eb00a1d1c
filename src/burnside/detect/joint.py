"""Whether relations on common cells can all hold at once, as far as single cells show it (arc consistency).

Parts of a wide condition are relations of their own: ``x == 2`` and ``x == y`` can hold, and ``y == 3`` can, but all
three cannot.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence, Set

from burnside.detect.relations import Relation

_MOST_ROWS = 256  # of a relation; one with more is taken to allow everything


def can_hold_together(relations: Sequence[Relation], values: Mapping[int, Set[int]]) -> bool:
    """False only if no assignment of these values satisfies all of them: cells without values can have any."""
    reads = [[(k, c.cell) for k, c in enumerate(r.columns) if not c.is_next] for r in relations]
    readers = Counter(cell for columns in reads for _, cell in columns)
    waiting = [
        (columns, relation.rows)
        for columns, relation in zip(reads, relations, strict=True)
        if len(relation.rows) <= _MOST_ROWS and any(readers[cell] > 1 for _, cell in columns)
    ]
    left = {cell: values[cell] for columns, _ in waiting for _, cell in columns if cell in values}
    is_steady = not waiting
    while not is_steady:
        is_steady = True
        for number, (columns, rows) in enumerate(waiting):
            limits = [(k, left[cell]) for k, cell in columns if cell in left]
            rows = tuple(row for row in rows if all(row[k] in limit for k, limit in limits))
            if not rows:
                return False
            waiting[number] = columns, rows
            for k, cell in columns:
                found = {row[k] for row in rows}
                if cell not in left or len(found) < len(left[cell]):
                    left[cell], is_steady = found, False
    return True
