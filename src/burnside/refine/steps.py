"""Rule instances that remember what they do.

What a rule does depends only on the cells that it reads or writes, its *support*. Asked again for the same values of
these, it need not be evaluated again; what it does is found by the reference semantics, once.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, TypeAlias, final

from burnside.ir.cells import Cells, State, cells_per_element
from burnside.ir.instances import Instance, instances_of_rule
from burnside.ir.nodes import Const, Expr
from burnside.ir.semantics import Fault, evaluate, fire
from burnside.ir.uses import elements_used
from burnside.values import dataclass, field

Label: TypeAlias = tuple[str, tuple[int, ...]]

TAU: Final[Label] = ("tau", ())
# A successful end. It has no name, since a model may have an event of any name.
TICK: Final[Label] = ("", ())

# What an instance remembers at most.
MOST_KNOWN: Final = 4_096


@final
@dataclass(frozen=True, slots=True)
class Effect:
    """What a rule does to its support, and the label of that."""

    label: Label
    values: tuple[int, ...]


@final
@dataclass(slots=True)
class RememberingInstance:
    """A rule instance that remembers what it does for the values of its support."""

    instance: Instance
    support: tuple[int, ...]
    _known: dict[tuple[int, ...], Effect | Fault | None] = field(default_factory=dict)

    def outcome(self, cells: Cells, state: State) -> tuple[Label, State] | Fault | None:
        """The label and the next state; None if the rule is not enabled."""
        key = tuple([state[cell] for cell in self.support])
        if key not in self._known:
            if len(self._known) >= MOST_KNOWN:
                self._known.clear()
            self._known[key] = self._effect(cells, state)
        effect = self._known[key]
        if not isinstance(effect, Effect):
            return effect
        after = list(state)
        for cell, value in zip(self.support, effect.values, strict=True):
            after[cell] = value
        return effect.label, tuple(after)

    def _effect(self, cells: Cells, state: State) -> Effect | Fault | None:
        outcome = fire(cells, self.instance.rule, self.instance.arguments, state)
        if outcome is None or isinstance(outcome, Fault):
            return outcome
        names, event = self.instance.values, self.instance.rule.event
        label = (event.name, tuple(evaluate(cells, a, state, names) for a in event.arguments))
        return Effect(label, tuple(outcome.state[cell] for cell in self.support))


def remembering_instances(cells: Cells) -> Iterator[RememberingInstance]:
    """Every instance of every rule, in order."""
    for rule in cells.model.rules:
        used = {cell for name, indices in elements_used(rule) for cell in _element(name, indices, cells)}
        for instance in instances_of_rule(rule):
            yield RememberingInstance(instance, tuple(sorted(used)))


def _element(name: str, indices: tuple[Expr, ...], cells: Cells) -> range:
    """The cells of an element, of all elements where an index is not known."""
    variable = cells.variables[name]
    width = cells_per_element(variable)
    known = [i.value for i in indices if isinstance(i, Const)]
    position = cells.position(variable, known) if len(known) == len(indices) else None
    if position is None:
        return range(cells.starts[name], cells.starts[name] + variable.elements * width)
    return range(position, position + width)


def is_end(cells: Cells, after: State) -> bool:
    """Whether a step is a successful end: nothing else leads to a terminal state."""
    return bool(evaluate(cells, cells.model.terminal, after))
