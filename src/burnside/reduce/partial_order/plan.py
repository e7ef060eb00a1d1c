"""Whether stubborn sets can be used for a model and some claims, and what they are computed from."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from burnside.detect.constrain import Constraints
from burnside.detect.prune import Pruned
from burnside.groups.work import Work
from burnside.ir.instances import instances_of
from burnside.limits import phase
from burnside.reduce.partial_order.actions import Goal, Step, aims_of, conjuncts
from burnside.reduce.partial_order.branches import branches, simplified
from burnside.reduce.partial_order.impossible import Possible
from burnside.reduce.partial_order.reduction import PartialOrderReduction
from burnside.reduce.partial_order.relations import Relations
from burnside.reduce.partial_order.stubborn import stubborn

_MOST_ACTIONS: Final = 4_096
_MOST_WORK: Final = 20_000_000  # assignments: a second or two
_BETWEEN: Final = 50_000  # from one checkpoint to the next


class Unsuited(Exception):
    """Stubborn sets cannot be used; the message says why."""


@phase("relating steps to one another")
def plan_steps(
    constraints: Constraints,
    pruned: Pruned,
    goals: Sequence[int],
    orbits: Sequence[int] | None = None,
    *,
    checkpoint: Callable[[], None] | None = None,
) -> PartialOrderReduction:
    """The reduction for a model, by its constraints; `Unsuited` if there is none.

    ``goals`` are the requirements, by number, that hold where a claim of that number is decided. On a quotient,
    ``orbits`` has for every claim the first one that symmetries exchange it with. ``checkpoint`` may end the work.
    """
    if constraints.opaque:
        raise Unsuited(f"{constraints.opaque[0].text} is too large to be written out")
    numbers = {(i.rule.name, i.arguments): i.number for i in instances_of(constraints.cells.model)}
    terms = constraints.terms
    parts = [part for t in constraints.transitions if not t.faults for part in branches(terms, t)]
    steps = [Step(t, numbers[t.rule, t.arguments], conjuncts(terms, t.guard)) for t in parts]
    if len(steps) < 2:
        raise Unsuited("there are no two steps that could be exchanged")
    sought = [*_goals(constraints, goals, orbits)]
    if len(steps) + sum(len(goal.aims) for goal in sought) > _MOST_ACTIONS:
        raise Unsuited(f"there are more than {_MOST_ACTIONS:,} steps and ways to decide claims")
    values = [pruned.taken(cell) for cell in range(len(constraints.cells.all))]
    work = Work(_MOST_WORK, checkpoint, _BETWEEN)
    relations = Relations(terms, steps, values, work)
    possible = Possible(constraints, steps, relations, work)
    sought = [goal for goal in map(possible.reduced, sought) if goal.aims]
    sets = stubborn(steps, sought, relations, by_kind=orbits is not None)
    return PartialOrderReduction(constraints.cells.model, sets)


def _goals(constraints: Constraints, goals: Sequence[int], orbits: Sequence[int] | None) -> Iterator[Goal]:
    """What is sought: for claims that symmetries exchange, any of them; and any fault."""
    terms = constraints.terms
    together: dict[int, list[int]] = {}
    for claim in goals:
        together.setdefault(claim if orbits is None else orbits[claim], []).append(claim)
    for claims in together.values():
        asked = [constraints.requirements[claim] for claim in claims]
        aims = [aim for r in asked for condition in (r.condition, r.fault) for aim in aims_of(terms, condition)]
        if aims:
            yield Goal(tuple(dict.fromkeys(aims)), tuple(claims))
    faulty = (simplified(terms, t).guard for t in constraints.transitions if t.faults)
    faults = [aim for guard in faulty for aim in aims_of(terms, guard)]
    if faults:
        yield Goal(tuple(dict.fromkeys(faults)))
