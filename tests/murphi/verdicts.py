"""What a task comes to, by brute force over the states of its model."""

from __future__ import annotations

from itertools import product

from burnside.claims.kinds import DeadlockFree, InfiniteRuns, Invariant, Reachable
from burnside.ir.cells import Cells
from burnside.ir.initial import initial
from burnside.ir.instances import bind
from burnside.ir.semantics import Fault, FaultRaised, evaluate, successors


def explored(model, most=20_000):
    """The states with what happens in each: goals of steps, and whether something fails."""
    found = dict.fromkeys(initial(model))
    waiting, steps, failed = [*found], {}, False
    while waiting:
        state = waiting.pop()
        assert len(found) <= most
        outcomes = [*successors(model, state)]
        failed |= any(isinstance(outcome, Fault) for outcome in outcomes)
        steps[state] = [outcome.state for outcome in outcomes if not isinstance(outcome, Fault)]
        for goal in steps[state]:
            if goal not in found:
                found[goal] = None
                waiting.append(goal)
    return steps, failed


def comes_to(task):
    """``error`` if something fails or a claim is violated, otherwise ``fine``; how many states and steps there are."""
    try:
        steps, failed = explored(task.model)
        fine = not failed and all(holds(claim, task.model, steps) for claim in task.claims)
    except FaultRaised:
        return "error", 0, 0
    return "fine" if fine else "error", len(steps), sum(map(len, steps.values()))


def holds(claim, model, steps):
    """Whether a claim holds of the states and steps."""
    cells = Cells(model)
    match claim:
        case Invariant():
            return all(evaluate(cells, claim.condition, state) for state in steps)
        case Reachable():
            return any(evaluate(cells, claim.condition, state) for state in steps)
        case DeadlockFree(up_to_stuttering=up_to_stuttering):
            return all(set(goals) - ({state} if up_to_stuttering else set()) for state, goals in steps.items())
        case InfiniteRuns():
            return all(_can_always_be_reached(claim, names, cells, steps) for names in _members(claim))
    raise AssertionError(claim)


def _members(claim):
    for values in product(*(parameter.domain.values() for parameter in claim.parameters)):
        yield bind(claim.parameters, values)


def _can_always_be_reached(claim, names, cells, steps):
    """Whether from every state one is reached in which the atom holds."""
    ((_, atom),) = claim.atoms
    good = {state for state in steps if evaluate(cells, atom, state, names)}
    while True:
        more = {state for state, goals in steps.items() if state not in good and good & set(goals)}
        if not more:
            return good == set(steps)
        good |= more
