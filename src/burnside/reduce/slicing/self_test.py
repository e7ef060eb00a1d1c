"""The self-test of slicing: on random walks, the slice does what the whole model does, but for what is left out.

That a claim is violated is shown by its run, which is found again in the whole model. That nothing is lost is tested
here: rule by rule, on states of the whole model, reachable or not.
"""

from __future__ import annotations

import time
from random import Random
from typing import Final, final

from burnside.ir.cells import Cells, State
from burnside.ir.initial import given_values
from burnside.ir.instances import valuations
from burnside.ir.semantics import Outcome, Step, fire
from burnside.reduce.reduction import require
from burnside.reduce.slicing.cut import Slice

SHORT: Final = 0.01  # seconds
LONG: Final = 2.0
_LENGTH: Final = 20  # steps of a walk
_MOST_WALKS: Final = 50
_FAILURE: Final = "a model without the variables that nothing depends on does something else"


def confirm_slice(cut: Slice, seconds: float) -> None:
    """Walk through the whole model for so long, with a look at both in every state. Raises `SelfTestError`."""
    both = _Both(cut, time.perf_counter() + seconds)
    random = Random(0)
    for _ in range(_MOST_WALKS):
        state = _somewhere(cut, random)
        for _ in range(_LENGTH):
            following = both.successors(state)
            if not following:
                break
            state = random.choice(following)


@final
class _Both:
    """Both models, as long as there is time."""

    def __init__(self, cut: Slice, end: float) -> None:
        self._cut = cut
        self._end = end
        self._whole, self._part = Cells(cut.whole), Cells(cut.model)
        self._rules = [*zip(cut.whole.programs, cut.model.programs, strict=True)]

    def successors(self, state: State) -> list[State]:
        """What comes next in the whole model, if the slice agrees; as far as it was seen."""
        found: list[State] = []
        projected = self._cut.project(state)
        for rule, same in self._rules:
            for arguments in valuations(rule.parameters):
                if time.perf_counter() > self._end:
                    return []
                one = fire(self._whole, rule, arguments, state)
                require(self._agree(one, fire(self._part, same, arguments, projected)), _FAILURE)
                if isinstance(one, Step):
                    found.append(one.state)
        return found

    def _agree(self, one: Outcome | None, other: Outcome | None) -> bool:
        if isinstance(one, Step) and isinstance(other, Step):
            return self._cut.project(one.state) == other.state
        return type(one) is type(other)


def _somewhere(cut: Slice, random: Random) -> State:
    """A state with initial values; conditions on initial states do not matter here."""
    return tuple(values[random.randrange(len(values))] for values in given_values(cut.whole))
