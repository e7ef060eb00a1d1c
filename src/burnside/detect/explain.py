"""What costs symmetry: leave a part of the model out, and ask again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import final

from burnside.detect.constrain import Constraints
from burnside.detect.encode import encode
from burnside.graph.automorphisms import automorphisms
from burnside.ir.cells import cells_per_element


@final
@dataclass(frozen=True, slots=True)
class Cost:
    """A part of the model, and the order the group would have without it."""

    part: str
    order: int


def explain(constraints: Constraints, order: int) -> tuple[Cost, ...]:
    """Parts without which the group would be larger, the most costly first.

    The larger groups are those of a different question, so they are counted but neither validated nor used.
    """
    found = [Cost(part, automorphisms(encode(without).graph).order) for part, without in _variants(constraints)]
    larger = [cost for cost in found if cost.order > order]
    return tuple(sorted(larger, key=lambda c: (-c.order, c.part)))


def _variants(constraints: Constraints) -> Iterator[tuple[str, Constraints]]:
    yield from _without_initial_values(constraints)
    if constraints.initial_conditions:
        yield "the conditions on initial states", replace(constraints, initial_conditions=())
    for family in sorted({r.family for r in constraints.requirements}):
        kept = tuple(r for r in constraints.requirements if r.family != family)
        yield f"property '{family}'", replace(constraints, requirements=kept)
    rules = list(dict.fromkeys(t.rule for t in constraints.transitions))
    for rule in rules if len(rules) > 1 else ():
        transitions = tuple(t for t in constraints.transitions if t.rule != rule)
        yield f"rule '{rule}'", replace(constraints, transitions=transitions)


def _without_initial_values(constraints: Constraints) -> Iterator[tuple[str, Constraints]]:
    """For every variable, the model in which it may start with any value."""
    cells = constraints.cells
    for variable in cells.model.variables:
        start = cells.starts[variable.name]
        span = range(start, start + variable.elements * cells_per_element(variable))
        given = {constraints.initial_values[c] for c in span}
        if any(len(values) == cells.all[c].domain.size > 1 for c, values in zip(span, given, strict=False)):
            continue
        free = list(constraints.initial_values)
        for cell in span:
            free[cell] = tuple(cells.all[cell].domain.values())
        values = ", ".join(sorted(variable.domain.text(v) for g in given for v in g)[:3])
        name = f"{variable.name} = {values}" if len(given) == 1 else f"of {variable.name}"
        yield (
            f"the initial value{'' if len(given) == 1 else 's'} {name}",
            replace(constraints, initial_values=tuple(free)),
        )
