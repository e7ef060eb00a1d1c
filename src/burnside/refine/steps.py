"""Rule instances that remember what they do.

What a rule does depends only on the cells that it reads or writes, its *support*. Asked again for the same values of
these, it need not be evaluated again; what it does is found by the reference semantics, once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, TypeAlias, final

from burnside.ir.cells import Cells, State, cells_per_element
from burnside.ir.nodes import (
    Clear,
    Const,
    Expr,
    Item,
    Length,
    Pop,
    Push,
    Read,
    Rule,
)
from burnside.ir.semantics import Fault, evaluate, fire, instances
from burnside.ir.simplify import bind

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
class Instance:
    """A rule for some values of its parameters."""

    rule: Rule
    arguments: tuple[int, ...]
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
        outcome = fire(cells, self.rule, self.arguments, state)
        if outcome is None or isinstance(outcome, Fault):
            return outcome
        names = bind(self.rule.parameters, self.arguments)
        event = self.rule.event
        label = (event.name, tuple(evaluate(cells, a, state, names) for a in event.arguments))
        return Effect(label, tuple(outcome.state[cell] for cell in self.support))


def rule_instances(cells: Cells) -> Iterator[Instance]:
    """Every instance of every rule, in order."""
    for rule in cells.model.rules:
        support = tuple(sorted({*_cells_in((rule.guard, rule.event, rule.body), cells)}))
        for arguments in instances(rule.parameters):
            yield Instance(rule, arguments, support)


def _cells_in(node: object, cells: Cells) -> Iterator[int]:
    """The cells that a piece of a rule may read or write: all of a variable where the index is not known."""
    if isinstance(node, tuple):
        for part in node:
            yield from _cells_in(part, cells)
        return
    if isinstance(node, Read | Item | Length | Push | Pop | Clear):
        yield from _element(node.variable, node.indices, cells)
    for name in getattr(node, "__dataclass_fields__", ()):
        if name not in ("span", "domain"):
            yield from _cells_in(getattr(node, name), cells)


def _element(name: str, indices: tuple[Expr, ...], cells: Cells) -> range:
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
