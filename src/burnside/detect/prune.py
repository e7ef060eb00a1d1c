"""Leave out what only inflates a group: constants, and values no transition can produce.

`reachable_values` finds a set of values per cell that contains every reachable one. (Dropping the values that no guard
and no initial state *mentions*, as the paper suggests, would be wrong: an update can produce one of them.)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import final

from burnside.detect.constrain import Constraints
from burnside.detect.equal_cells import EqualCells
from burnside.detect.pieces import CutTransition, Values, all_values, cut
from burnside.detect.reachable_values import reachable_values
from burnside.detect.relations import Numbers, Relation, Tables
from burnside.detect.restriction import Allowed, Restriction
from burnside.values import dataclass, replace


@final
@dataclass(frozen=True)
class Pruned:
    """The transitions that can fire, on the values that can occur.

    ``values`` has an entry for every cell that keeps literals, ``fixed_values`` one for every ``constant`` cell;
    ``dropped`` counts the values left out. Of ``equal`` cells only the first has literals.
    """

    transitions: tuple[CutTransition, ...]
    values: Values
    constant: frozenset[int]
    large: frozenset[int]
    dropped: int
    fixed_values: Mapping[int, Numbers]
    equal: EqualCells

    @cached_property
    def tables(self) -> Tables:
        """Tables on the values that can occur, those of constant cells included."""
        return Tables({**self.values.of_cell, **self.fixed_values})

    @cached_property
    def without_constants(self) -> Restriction:
        """What relations are without the columns of constants."""
        return Restriction(self.constant)

    def taken(self, cell: int) -> Numbers | None:
        """The values that a cell can have; None for a large one."""
        first = self.equal.first.get(cell, cell)
        return self.values.of_cell.get(first, self.fixed_values.get(first))


def prune(constraints: Constraints, equal: EqualCells) -> Pruned:
    """Restrict the constraints, in which equal cells are identified, to what can happen."""
    full = all_values(constraints)
    cuts = [cut(t, full) for t in constraints.transitions]
    reached, can_fire = reachable_values(constraints, cuts, full)
    for cell in equal.first:  # nothing writes it any more
        reached.pop(cell, None)
    constant = frozenset(c for c, values in reached.items() if len(values) == 1)
    allowed = {c: Allowed(frozenset(v), len(v) == len(full.of_cell[c])) for c, v in reached.items()}
    live = _restrict_all(can_fire, Restriction(constant, allowed), constant)
    large = frozenset(range(len(constraints.cells.all))) - full.of_cell.keys() - equal.first.keys()
    kept = {c: v for c, v in reached.items() if c not in constant}
    dropped = sum((len(full.of_cell[c]) - len(v)) * len(equal.members(c)) for c, v in reached.items())
    fixed = {m: v for c, v in reached.items() if c in constant for m in equal.members(c)}
    return Pruned(tuple(live), Values(kept), frozenset(fixed), large, dropped, fixed, equal)


def _restrict_all(
    cuts: Sequence[CutTransition], restriction: Restriction, constant: frozenset[int]
) -> list[CutTransition]:
    live = []
    known: dict[int, Relation] = {}  # by identity: transitions share their parts
    for transition in cuts:
        for r in transition.relations:
            if id(r) not in known:
                known[id(r)] = restriction.of(r)
        relations = [known[id(r)] for r in transition.relations]
        if any(r.is_empty for r in relations):
            continue
        updates = tuple((c, t) for c, t in transition.updates if c not in constant)
        kept = tuple(r for r in relations if r.columns)
        live.append(replace(transition, relations=kept, updates=updates))
    return live
