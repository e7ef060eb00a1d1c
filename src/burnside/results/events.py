"""Rule instances by number, and the events of their steps in the user's words."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import final

from burnside.ir.cells import Cells, State
from burnside.ir.nodes import Expr, Item, Length, Model, Read, Rule
from burnside.ir.semantics import event_text, instances
from burnside.ir.walk import children
from burnside.results.trace import spell_event


@final
class Events:
    """What is seen of each rule instance; the numbers are those of ``LABEL`` in ``runtime/model.h``."""

    def __init__(self, model: Model) -> None:
        self._cells = Cells(model)
        self._fixed: dict[int, str] = {}

    @cached_property
    def instances(self) -> tuple[tuple[Rule, tuple[int, ...]], ...]:
        """Rules with the values of their parameters, in the order of ``ir/semantics.py``."""
        return tuple((rule, arguments) for rule in self._cells.model.rules for arguments in instances(rule.parameters))

    @cached_property
    def _is_fixed(self) -> dict[str, bool]:
        """By rule: whether its events are the same in all states."""
        return {r.name: not any(map(_reads_state, r.event.arguments)) for r in self._cells.model.rules}

    def text(self, instance: int, state: Callable[[], State]) -> str:
        """The event of a step from a state, which is asked for only where the event depends on it."""
        known = self._fixed.get(instance)
        if known is not None:
            return known
        rule, arguments = self.instances[instance]
        names = {p.name: value for p, value in zip(rule.parameters, arguments, strict=True)}
        text = spell_event(event_text(self._cells, rule.event, state(), names))
        if self._is_fixed[rule.name]:
            self._fixed[instance] = text
        return text


def _reads_state(expr: Expr) -> bool:
    return isinstance(expr, Read | Item | Length) or any(map(_reads_state, children(expr)))
