"""The self-test of slicing: on random walks, the slice does what the whole model does, but for what is left out.

That a claim is violated is shown by its run, which is found again in the whole model. That nothing is lost is tested
here: rule by rule, on states of the whole model, reachable or not.
"""

from __future__ import annotations

from random import Random
from typing import Final

from burnside.ir.cells import Cells, State, initial_values
from burnside.ir.instances import valuations
from burnside.ir.semantics import Outcome, Step, fire
from burnside.reduce.reduction import require
from burnside.reduce.slicing.cut import Slice

FEW: Final = 300  # rule instances: a few milliseconds
MANY: Final = 100_000
_LENGTH: Final = 20  # steps of a walk
_FAILURE: Final = "a model without the variables that nothing depends on does something else"


def test_slice(cut: Slice, instances: int) -> int:
    """Try so many rule instances in both models; in how many states. Raises `SelfTestError`."""
    whole, part = Cells(cut.whole), Cells(cut.model)
    rules = [*zip(cut.whole.rules, cut.model.rules, strict=True)]
    random = Random(0)
    states = 0
    while instances > 0:
        state = _somewhere(cut, random)
        for _ in range(_LENGTH):
            states += 1
            found = cut.project(state)
            following: list[State] = []
            for rule, same in rules:
                for arguments in valuations(rule.parameters):
                    if (instances := instances - 1) < 0:
                        return states
                    outcome = fire(whole, rule, arguments, state)
                    require(_agree(cut, outcome, fire(part, same, arguments, found)), _FAILURE)
                    following += [outcome.state] if isinstance(outcome, Step) else []
            if not following:
                instances -= 1
                break
            state = random.choice(following)
    return states


def _somewhere(cut: Slice, random: Random) -> State:
    """A state with initial values; conditions on initial states do not matter here."""
    choices = (values for variable in cut.whole.variables for values in initial_values(variable))
    return tuple(values[random.randrange(len(values))] for values in choices)


def _agree(cut: Slice, one: Outcome | None, other: Outcome | None) -> bool:
    if isinstance(one, Step) and isinstance(other, Step):
        return cut.project(one.state) == other.state
    return type(one) is type(other)
