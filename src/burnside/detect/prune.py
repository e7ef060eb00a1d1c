"""Leave out what only inflates a group: constants, and values no transition can produce.

`reachable_values` finds a set of values per cell that contains every reachable one. (Dropping the values that no guard
and no initial state *mentions*, as the paper suggests, would be wrong: an update can produce one of them.)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import final

from burnside.detect.constrain import Constraints
from burnside.detect.pieces import Allowed, CutTransition, Values, all_values, cut, restrict
from burnside.detect.reachable_values import reachable_values
from burnside.detect.relations import Relation, Rows


@final
@dataclass(frozen=True)
class Pruned:
    """The transitions that can fire, on the values that can occur.

    ``values`` has an entry for every cell that keeps literals, ``fixed_values`` one for every ``constant`` cell;
    ``dropped`` counts the values left out.
    """

    transitions: tuple[CutTransition, ...]
    values: Values
    constant: frozenset[int]
    large: frozenset[int]
    dropped: int
    fixed_values: Mapping[int, Rows]

    def constant_value(self, cell: int) -> Rows:
        """The one value of a constant cell."""
        return self.fixed_values[cell]


def prune(constraints: Constraints) -> Pruned:
    """Restrict the constraints to what can happen."""
    full = all_values(constraints)
    cuts = [cut(t, full) for t in constraints.transitions]
    reached = reachable_values(constraints, cuts, full)
    constant = frozenset(c for c, values in reached.items() if len(values) == 1)
    allowed = {c: Allowed(full.arrays[c], values) for c, values in reached.items()}
    live = _restrict_all(cuts, allowed, constant)
    large = frozenset(range(len(constraints.cells.all))) - full.arrays.keys()
    kept = {c: v for c, v in reached.items() if c not in constant}
    dropped = sum(len(full.arrays[c]) - len(v) for c, v in reached.items())
    fixed = {c: v for c, v in reached.items() if c in constant}
    return Pruned(tuple(live), Values(kept), constant, large, dropped, fixed)


def _restrict_all(
    cuts: Sequence[CutTransition], allowed: Mapping[int, Allowed], constant: frozenset[int]
) -> list[CutTransition]:
    live = []
    known: dict[int, Relation] = {}  # by identity: transitions share their parts
    for transition in cuts:
        for r in transition.relations:
            if id(r) not in known:
                known[id(r)] = restrict(r, allowed, constant)
        relations = [known[id(r)] for r in transition.relations]
        if any(r.is_empty for r in relations):
            continue
        updates = tuple((c, t) for c, t in transition.updates if c not in constant)
        kept = tuple(r for r in relations if r.columns)
        live.append(replace(transition, relations=kept, updates=updates))
    return live
