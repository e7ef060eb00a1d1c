"""Rule instances by number, and the events of their steps in the user's words."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import final

from burnside.ir.cells import Cells, State
from burnside.ir.instances import Instance, instances_of
from burnside.ir.nodes import Model
from burnside.ir.semantics import event_text
from burnside.ir.uses import variables_read
from burnside.results.trace import spell_event


@final
class Events:
    """What is seen of each rule instance."""

    def __init__(self, model: Model) -> None:
        self._cells = Cells(model)
        self._fixed: dict[int, str] = {}

    @cached_property
    def instances(self) -> tuple[Instance, ...]:
        """All rule instances, by number."""
        return tuple(instances_of(self._cells.model))

    @cached_property
    def _is_fixed(self) -> dict[str, bool]:
        """By rule: whether its events are the same in all states."""
        return {r.name: not any(map(variables_read, r.event.arguments)) for r in self._cells.model.rules}

    def text(self, instance: int, state: Callable[[], State]) -> str:
        """The event of a step from a state, which is asked for only where the event depends on it."""
        known = self._fixed.get(instance)
        if known is not None:
            return known
        rule, names = self.instances[instance].rule, self.instances[instance].values
        text = rule.event.shown or spell_event(event_text(self._cells, rule.event, state(), names))
        if self._is_fixed[rule.name]:
            self._fixed[instance] = text
        return text
