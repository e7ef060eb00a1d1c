"""Whether stubborn sets can be used for a model and what is asked about it, and what they are computed from."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final, final

from burnside.detect.constrain import Constraints
from burnside.detect.prune import Pruned
from burnside.groups.work import Work
from burnside.ir.instances import instances_of
from burnside.limits import phase
from burnside.reduce.partial_order.actions import Goal, Step, aims_of, conjuncts
from burnside.reduce.partial_order.branches import identified, parts_of, simplified
from burnside.reduce.partial_order.impossible import Possible
from burnside.reduce.partial_order.reduction import PartialOrderReduction
from burnside.reduce.partial_order.relations import Relations
from burnside.reduce.partial_order.runs import Watched, stubborn_for_runs
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
    """The reduction for claims about states of a model, by its constraints; `Unsuited` if there is none.

    ``goals`` are the requirements, by number, that hold where a claim of that number is decided. On a quotient,
    ``orbits`` has for every claim the first one that symmetries exchange it with. ``checkpoint`` may end the work.
    """
    planning = _Planning(constraints, pruned, checkpoint)
    constraints = planning.constraints
    sought = planning.reduced([*_claimed(constraints, goals, orbits), *_faults(constraints)])
    sets = stubborn(planning.steps, sought, planning.relations, planning.possible, by_kind=orbits is not None)
    if sets is None:
        raise Unsuited("no two steps can be exchanged")
    conditions = (constraints.requirements[claim].fault for claim in goals)
    may_fault = any(not goal.claims for goal in sought) or any(c is not constraints.terms.false for c in conditions)
    return PartialOrderReduction(constraints.cells.model, sets, may_fault)


@phase("relating steps to one another")
def plan_runs(
    constraints: Constraints, pruned: Pruned, atoms: Sequence[int], *, by_kind: bool
) -> PartialOrderReduction:
    """The reduction for a claim about infinite runs, without next, events and fairness; `Unsuited` if there is none.

    ``atoms`` are the requirements, by number, that its formula is about; ``by_kind`` is asked for on a quotient.
    """
    planning = _Planning(constraints, pruned, None)
    constraints = planning.constraints
    asked = [constraints.requirements[atom] for atom in atoms]
    of_atoms = [aim for r in asked for aim in aims_of(constraints.terms, r.fault)]
    faults = planning.reduced([*_faults(constraints), *([Goal(tuple(of_atoms))] if of_atoms else [])])
    watched = Watched(tuple(r.condition for r in asked), tuple(aim for goal in faults for aim in goal.aims))
    sets = stubborn_for_runs(planning.steps, watched, planning.relations, constraints.terms, by_kind=by_kind)
    if sets is None:
        raise Unsuited("there is no step but those that formula or cycles depend on")
    return PartialOrderReduction(constraints.cells.model, sets, may_fault=bool(faults))


@final
class _Planning:
    """The steps of a model, what they have to do with each other, and what can be reached."""

    def __init__(self, constraints: Constraints, pruned: Pruned, checkpoint: Callable[[], None] | None) -> None:
        if constraints.opaque:
            raise Unsuited(f"{constraints.opaque[0].text} is too large to be written out")
        numbers = {(i.rule.name, i.arguments): i.number for i in instances_of(constraints.cells.model)}
        self.constraints = constraints = identified(constraints, pruned.equal)
        terms = constraints.terms
        parts = parts_of(constraints, pruned)
        self.steps = [Step(t, numbers[t.rule, t.arguments], conjuncts(terms, t.guard)) for t in parts]
        if len(self.steps) < 2:
            raise Unsuited("there are no two steps that could be exchanged")
        self._refuse_many(0)
        values = [pruned.taken(cell) for cell in range(len(constraints.cells.all))]
        work = Work(_MOST_WORK, checkpoint, _BETWEEN)
        self.relations = Relations(terms, self.steps, values, work)
        self.possible = Possible(constraints, self.steps, self.relations, work, pruned.equal)

    def _refuse_many(self, aims: int) -> None:
        if len(self.steps) + aims > _MOST_ACTIONS:
            raise Unsuited(f"there are more than {_MOST_ACTIONS:,} steps and ways to decide claims")

    def reduced(self, goals: Sequence[Goal]) -> list[Goal]:
        """The goals without the aims that cannot be met."""
        self._refuse_many(sum(len(goal.aims) for goal in goals))
        return [goal for goal in map(self.possible.reduced, goals) if goal.aims]


def _claimed(constraints: Constraints, goals: Sequence[int], orbits: Sequence[int] | None) -> Iterator[Goal]:
    """What claims seek; for those that symmetries exchange, any of them."""
    terms = constraints.terms
    together: dict[int, list[int]] = {}
    for claim in goals:
        together.setdefault(claim if orbits is None else orbits[claim], []).append(claim)
    for claims in together.values():
        asked = [constraints.requirements[claim] for claim in claims]
        aims = [aim for r in asked for condition in (r.condition, r.fault) for aim in aims_of(terms, condition)]
        if aims:
            yield Goal(tuple(dict.fromkeys(aims)), tuple(claims))


def _faults(constraints: Constraints) -> Iterator[Goal]:
    """Any fault of a rule."""
    faulty = (simplified(constraints.terms, t).guard for t in constraints.transitions if t.faults)
    faults = [aim for guard in faulty for aim in aims_of(constraints.terms, guard)]
    if faults:
        yield Goal(tuple(dict.fromkeys(faults)))
