"""Stubborn sets [Valmari91]: which of the steps that can be taken in a state are enough.

A set of actions is *stubborn* in a state if

* with a step that can be taken it has all steps that do not accord with it,
* with an action that cannot be taken, or an aim that is not met, it has all steps that may make true one of the
  conditions which it lacks,
* with a step that can be taken and may undo a goal, or is one of a few without which nothing goes on for ever, it has
  all aims of that goal,
* it has a step that can be taken, if there is one.

It is *aiming* if it has, with any step that can be taken, all aims of the goals for which these would be more than a
few. Only the steps of a stubborn set need be taken if one of them leads to a state that is expanded later, or if the
set is aiming (``docs/theory/partial-order.md`` has the proofs): deadlocks and goals are reached, whichever states stand
for others by symmetry.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import final

from burnside.detect.terms import Term, bits
from burnside.reduce.partial_order.actions import Conditions, Goal, Step
from burnside.reduce.partial_order.cycles import Cycles
from burnside.reduce.partial_order.impossible import Possible
from burnside.reduce.partial_order.relations import Relations
from burnside.values import dataclass

FEW = 1 / 3  # of all steps


@final
@dataclass(frozen=True)
class Stubborn:
    """What stubborn sets are computed from. Actions are numbered: first steps, then aims.

    ``together[s]`` are the actions that a set has with step ``s``, where that can be taken, ``aiming[s]`` those that an
    aiming one has; ``enabling[g]`` the steps that may make condition ``g`` true; ``lacking[a]`` the conditions of
    action ``a``. Sets are bit masks.
    """

    steps: tuple[Step, ...]
    goals: tuple[Goal, ...]
    conditions: tuple[Term, ...]
    lacking: tuple[tuple[int, ...], ...]
    together: tuple[int, ...]
    aiming: tuple[int, ...]
    enabling: tuple[int, ...]

    @property
    def ranks(self) -> list[int]:
        """The steps by how many others they ask for, those first that ask for the fewest: if a small set is found soon,
        large ones need not be grown. An aim asks for the steps that make true one of its conditions, the fewest.
        """
        many = len(self.steps)
        aimed = [min((self.enabling[g] for g in lacking), key=int.bit_count, default=0) for lacking in self.lacking]
        ranks: dict[int, int] = {}
        for step in range(many):
            asked = self.together[step] & ~(-1 << many)
            for aim in bits(self.together[step] >> many):
                asked |= aimed[many + aim]
            ranks[asked.bit_count()] = ranks.get(asked.bit_count(), 0) | 1 << step
        return [ranks[asked] for asked in sorted(ranks)]

    def flaw(self, chosen: int, holding: int, wanted: int, *, is_aiming: bool) -> str:
        """What keeps a set of actions from being stubborn in a state, or aiming; empty if nothing does.

        ``holding`` are the conditions that hold there, ``wanted`` the actions that count: all steps, and the aims of
        goals that are still sought.
        """
        together = self.aiming if is_aiming else self.together
        can = [all(holding >> g & 1 for g in lacking) for lacking in self.lacking]
        for action in bits(chosen & wanted):
            if can[action] and action < len(self.steps):
                if together[action] & wanted & ~chosen:
                    return "a step that does not accord with one of a stubborn set is not in it"
            elif all(holding >> g & 1 or self.enabling[g] & ~chosen for g in self.lacking[action]):
                return "a step that enables an action of a stubborn set is not in it"
        enabled = sum(1 << s for s in range(len(self.steps)) if can[s])
        return "" if chosen & enabled or not enabled else "a stubborn set has no step that can be taken"


def stubborn(
    steps: Sequence[Step], goals: Sequence[Goal], relations: Relations, possible: Possible, *, by_kind: bool
) -> Stubborn | None:
    """All that is needed for stubborn sets; None if no two steps accord. ``by_kind`` closes what may undo a goal under
    symmetries, which take steps to steps of the same kind.
    """
    everything = (1 << len(steps)) - 1
    cycles = Cycles(steps, relations.changes)
    together = relations.harming(possible.exclude)
    if all(mask == everything for mask in together):
        return None
    aiming = [*together]
    first = len(steps)
    for goal in goals:
        aims = ((1 << len(goal.aims)) - 1) << first
        first += len(goal.aims)
        undoing = 0
        for aim in goal.aims:
            for step in bits(relations.disabling(aim) & ~undoing):
                undoing |= (not possible.never_meets(steps[step], aim)) << step
        if by_kind:
            undoing = whole_kinds(steps, undoing)
        breakers = cycles.breakers(everything & ~undoing)
        has_few = breakers.bit_count() < FEW * len(steps)
        for step in bits(undoing | breakers if has_few else undoing):
            together[step] |= aims
        for step in bits(undoing | breakers if has_few else everything):
            aiming[step] |= aims
    wanted: list[Conditions] = [*(step.guards for step in steps), *(aim for goal in goals for aim in goal.aims)]
    numbers: dict[Term, int] = {}
    lacking = tuple(tuple(numbers.setdefault(g, len(numbers)) for g in conditions) for conditions in wanted)
    enabling = tuple(relations.enabling(g) for g in numbers)
    return Stubborn(tuple(steps), tuple(goals), tuple(numbers), lacking, tuple(together), tuple(aiming), enabling)


def whole_kinds(steps: Sequence[Step], chosen: int) -> int:
    """All steps of the kinds of some: what symmetries may take them to, and more."""
    kinds = {steps[k].transition.event for k in bits(chosen)}
    return sum(1 << k for k, step in enumerate(steps) if step.transition.event in kinds)
