"""Relations between steps in the user's names: what ``--dump`` writes.

    steps
      step 3  take_left(1)
        when [4] [5]
        does not accord with 2 4
    conditions
      [4]  at[1] == 0
        may become true by 9

Aims are conjunctions of conditions, one of which holds where a goal is met.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from burnside.detect.terms import bits
from burnside.ir.cells import Cells
from burnside.reduce.partial_order.stubborn import Stubborn


def relations_text(sets: Stubborn, cells: Cells) -> str:
    """What stubborn sets are computed from; steps, conditions and goals have numbers."""
    names = {k: cell.name for k, cell in enumerate(cells.all)}
    lines = ["steps"]
    for number, step in enumerate(sets.steps):
        transition = step.transition
        lines.append(f"  step {number}  {transition.rule}({', '.join(map(str, transition.arguments))})")
        lines.append(f"    when {_conditions(sets, number)}")
        lines.append(f"    does not accord with {_numbers(_harmed(sets, number) & ~(1 << number))}")
    lines.append("conditions")
    for number, condition in enumerate(sets.conditions):
        lines.append(f"  [{number}]  {condition.text(names)}")
        lines.append(f"    may become true by {_numbers(sets.enabling[number])}")
    return "\n".join([*lines, *_goals(sets)]) + "\n"


def _goals(sets: Stubborn) -> Iterator[str]:
    first = len(sets.steps)
    yield "goals" if sets.goals else "no goals: deadlocks alone are sought"
    for number, goal in enumerate(sets.goals):
        said = f"property {_listed(goal.claims)}" if goal.claims else "a fault"
        yield f"  goal {number}  {said}"
        for aim in range(first, first + len(goal.aims)):
            yield f"    aim {_conditions(sets, aim)}"
        of_goal = ((1 << len(goal.aims)) - 1) << first
        visible = _with(sets.together, of_goal)
        yield f"    kept in sight with {_numbers(visible)}"
        if _with(sets.aiming, of_goal) != visible:
            yield "    and with every step where nothing new is reached"
        first += len(goal.aims)


def _with(together: tuple[int, ...], aims: int) -> int:
    """The steps with which a set has some aims."""
    return sum(1 << step for step, mask in enumerate(together) if mask & aims)


def _harmed(sets: Stubborn, step: int) -> int:
    return sets.together[step] & ((1 << len(sets.steps)) - 1)


def _conditions(sets: Stubborn, action: int) -> str:
    return " ".join(f"[{number}]" for number in sets.lacking[action]) or "always"


def _numbers(mask: int) -> str:
    return _listed(bits(mask)) or "nothing"


def _listed(numbers: Iterable[int]) -> str:
    return " ".join(map(str, numbers))
