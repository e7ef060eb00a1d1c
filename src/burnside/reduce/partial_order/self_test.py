"""The self-test of stubborn sets: what compiled code chooses is looked at by what steps do.

The set that compiled code gives for a state is stubborn by the relations that it was made from; and by the reference
semantics, its steps can be taken at any later time: after any of the others, and with the same result.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from random import Random
from typing import TYPE_CHECKING, Final, final

from burnside.detect.masks import Evaluation
from burnside.ir.cells import Cells, State
from burnside.ir.semantics import Fault, Step, fire, successors
from burnside.reduce.reduction import Probe, SelfTestError, require

if TYPE_CHECKING:
    from burnside.reduce.partial_order.reduction import PartialOrderReduction

_LONGEST_WALK: Final = 4
_WALKS: Final = 16  # where every state is tested
_HARM: Final = "a step of a stubborn set does not go together with one that is not in it"


@final
class StubbornTest:
    """Tests the stubborn sets that compiled code chooses."""

    def __init__(self, reduction: PartialOrderReduction, probe: Probe) -> None:
        self._sets = reduction.sets
        self._probe = probe
        self._model = reduction.model
        self._random = Random(len(self._sets.steps))

    def stored_as(self, state: State, *, thorough: bool) -> State:
        """States are stored as they are."""
        del thorough
        return state

    def test_stored(self, seconds: float) -> None:
        """There is nothing about stored states that steps do not show."""

    def taken(self, state: State, steps: Sequence[Step], *, thorough: bool) -> Sequence[Step]:
        """The steps of the set that compiled code chooses in a state, if it passes all tests."""
        self._tested(state, steps, is_aiming=True, walks=_WALKS if thorough else 0)
        # What leads to nothing new leads to what is stored, whichever set was taken instead.
        return self._tested(state, steps, is_aiming=False, walks=_WALKS if thorough else 1)

    def _tested(self, state: State, steps: Sequence[Step], *, is_aiming: bool, walks: int) -> Sequence[Step]:
        chosen, wanted = self._probe.chosen(state, len(self._sets.lacking), is_aiming=is_aiming)
        flaw = self._sets.flaw(chosen, self._holding(state), wanted, is_aiming=is_aiming)
        require(not flaw, flaw)
        taken = [step for step in steps if self._is_chosen(chosen, state, step)]
        for _ in range(walks):
            self._test_walk(state, chosen, taken)
        return taken

    def _holding(self, state: State) -> int:
        """The conditions that hold in a state."""
        evaluation = Evaluation.at_state(state)
        return sum(1 << k for k, condition in enumerate(self._sets.conditions) if evaluation.truth(condition))

    def _is_chosen(self, chosen: int, state: State, step: Step) -> bool:
        holding = self._holding(state)
        for number in self._by_instance[step.rule.name, step.arguments]:
            if all(holding >> condition & 1 for condition in self._sets.lacking[number]):
                return bool(chosen >> number & 1)
        raise SelfTestError("a step occurs that partial order does not know")

    @cached_property
    def _by_instance(self) -> dict[tuple[str, tuple[int, ...]], list[int]]:
        found: dict[tuple[str, tuple[int, ...]], list[int]] = {}
        for number, step in enumerate(self._sets.steps):
            found.setdefault((step.transition.rule, step.transition.arguments), []).append(number)
        return found

    def _test_walk(self, state: State, chosen: int, taken: Sequence[Step]) -> None:
        """Steps of the set can be taken before or after those of a walk without them."""
        after = [step.state for step in taken]
        for _ in range(_LONGEST_WALK):
            others = [*self._others(state, chosen)]
            if not others:
                return
            other = self._random.choice(others)
            after = [self._fired(other, s) for s in after]
            state = other.state
            require(after == [self._fired(step, state) for step in taken], _HARM)

    def _others(self, state: State, chosen: int) -> Iterator[Step]:
        """What can happen that is not in the set; nothing after a fault, which is an answer."""
        found = [*successors(self._model, state)]
        if any(isinstance(outcome, Fault) for outcome in found):
            return
        yield from (o for o in found if isinstance(o, Step) and not self._is_chosen(chosen, state, o))

    def _fired(self, step: Step, state: State) -> State:
        outcome = fire(self._cells, step.rule, step.arguments, state)
        if not isinstance(outcome, Step):
            raise SelfTestError(_HARM)
        return outcome.state

    @cached_property
    def _cells(self) -> Cells:
        return Cells(self._model)
