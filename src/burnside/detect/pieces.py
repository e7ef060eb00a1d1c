"""Cut a transition into pieces: small ones become relations, wide ones stay terms.

Conditions and updates that share cells are joined while their common table stays small, because only
together do they show what really happens (``x := 3`` under ``x == 3`` changes nothing). What is too wide
for a table stays a tree, so that ``forall j: level[j] < k`` costs as much as it is long.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import NamedTuple, final

from burnside.detect.constrain import Constraints, GroundTransition
from burnside.detect.narrow import narrow_ranges
from burnside.detect.relations import Numbers, Relation, Tables
from burnside.detect.terms import Term, bits
from burnside.values import dataclass, field

LARGE_DOMAIN = 512  # cells with more values get no literals: they move as a whole
_MANY = 4096  # values; cells with more are large in any case
MOST_ROWS = 256
MOST_ROWS_OF_TWO = 1 << 16
assert LARGE_DOMAIN <= MOST_ROWS_OF_TWO  # a single cell with literals always fits a table


class Piece(NamedTuple):
    """A condition (``target`` is None) or the update of a cell."""

    term: Term
    support: int
    target: int | None = None


@final
@dataclass(frozen=True)
class CutTransition:
    """A transition as small relations, wide conditions and wide updates; ``rule`` is one that it comes from."""

    event: str
    faults: bool
    relations: tuple[Relation, ...]
    rule: str
    conditions: tuple[Term, ...] = ()
    updates: tuple[tuple[int, Term], ...] = ()

    @property
    def is_small(self) -> bool:
        """Whether relations say everything."""
        return not self.conditions and not self.updates

    def scope(self) -> frozenset[int]:
        """The cells that the relations speak of."""
        return frozenset().union(*(r.scope() for r in self.relations))


@final
@dataclass
class Values:
    """The values that cells can take, sorted; large cells have none.

    Relations on these values are remembered: many transitions share a part.
    """

    of_cell: dict[int, Numbers]
    relations: dict[frozenset[Piece], Relation] = field(default_factory=dict)
    _small: dict[int, bool] = field(default_factory=dict)

    @cached_property
    def tables(self) -> Tables:
        """Tables on these values."""
        return Tables(self.of_cell)

    def is_small(self, support: int) -> bool:
        """Whether the table of these cells is small enough to be written out."""
        known = self._small.get(support)
        if known is None:
            known = self._small[support] = self._fits(support)
        return known

    def _fits(self, support: int) -> bool:
        most = MOST_ROWS_OF_TWO if support.bit_count() <= 2 else MOST_ROWS
        size = 1
        while support and size <= most:  # wide ones are not looked at to their end
            lowest = support & -support
            values = self.of_cell.get(lowest.bit_length() - 1)
            size *= most + 1 if values is None else len(values)
            support ^= lowest
        return size <= most


def all_values(constraints: Constraints) -> Values:
    """Every value of every cell that is not large, or that never holds more than a few of its many values."""
    domains = {k: c.domain for k, c in enumerate(constraints.cells.all)}
    ranges = {k: (d.low, d.high) for k, d in domains.items()}
    many = [k for k, d in domains.items() if LARGE_DOMAIN < d.size <= _MANY and k not in constraints.opaque_cells]
    if many:
        ranges |= narrow_ranges(constraints, many)
    return Values({k: tuple(range(low, high + 1)) for k, (low, high) in ranges.items() if high - low < LARGE_DOMAIN})


def cut(transition: GroundTransition, values: Values) -> CutTransition:
    """The pieces of a ground transition."""
    conditions = transition.guard.args if transition.guard.operator == "and" else (transition.guard,)
    pieces = [Piece(c, c.support) for c in conditions if not c.is_constant]
    pieces += [Piece(term, _update_support(cell, term, values), cell) for cell, term in transition.updates]
    small, wide = join(pieces, values)
    return CutTransition(
        event=transition.event,
        faults=transition.faults,
        relations=tuple(_table(group, values) for group in small),
        rule=transition.rule,
        conditions=tuple(p.term for p in wide if p.target is None),
        updates=tuple((p.target, p.term) for p in wide if p.target is not None),
    )


def _update_support(cell: int, term: Term, values: Values) -> int:
    """An update is judged together with the old value of its cell, if a table can hold both."""
    together = term.support | 1 << cell
    return together if values.is_small(together) else term.support


def join(pieces: Sequence[Piece], values: Values) -> tuple[list[list[Piece]], list[Piece]]:
    """Groups of pieces whose common table is small, and the pieces that are too wide by themselves.

    Pieces that share cells go together. If that is too large, pieces with the same support do, each with all
    conditions on fewer of its cells. Nothing here depends on an order, so symmetric pieces are treated alike.
    """
    small: list[Piece] = []
    wide: list[Piece] = []
    for piece in pieces:
        fits = values.is_small(piece.support) and (piece.target is None or piece.target in values.of_cell)
        (small if fits else wide).append(piece)
    groups: list[list[Piece]] = []
    for component in _components(small):
        if values.is_small(_support(component)):
            groups.append(component)
        else:
            groups += _by_support(component)
    return groups, wide


def _support(pieces: Iterable[Piece]) -> int:
    support = 0
    for piece in pieces:
        support |= piece.support
    return support


def _components(pieces: Sequence[Piece]) -> list[list[Piece]]:
    """Pieces connected by shared cells."""
    components: list[tuple[int, list[Piece]]] = []
    seen = 0
    for piece in pieces:
        support, merged = piece.support, [piece]
        if seen & support:
            touching = [c for c in components if c[0] & piece.support]
            components = [c for c in components if not c[0] & piece.support]
            for cells, others in touching:
                support |= cells
                merged += others
        components.append((support, merged))
        seen |= support
    return [c[1] for c in components]


def _by_support(pieces: Sequence[Piece]) -> list[list[Piece]]:
    groups: dict[int, list[Piece]] = {}
    for piece in pieces:
        groups.setdefault(piece.support, []).append(piece)
    return [
        group + [p for p in pieces if p.target is None and p.support != support and p.support & ~support == 0]
        for support, group in groups.items()
    ]


def _table(pieces: Sequence[Piece], values: Values) -> Relation:
    same = frozenset(pieces)
    table = values.relations.get(same)
    if table is None:
        conditions = [p.term for p in pieces if p.target is None]
        updates = [(p.target, p.term) for p in pieces if p.target is not None]
        table = values.relations[same] = values.tables.tabulate(conditions, updates, bits(_support(pieces)))
    return table
