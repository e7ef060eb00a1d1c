"""Traces: runs of the original model, and how their events are written."""

from __future__ import annotations

from typing import final

from burnside.ir.cells import Cells, State
from burnside.ir.semantics import Fault
from burnside.values import dataclass


@final
@dataclass(frozen=True, slots=True)
class Change:
    """One element of the state (a cell, or a whole sequence) that a step changed, in the user's words."""

    name: str
    before: str
    after: str


@final
@dataclass(frozen=True, slots=True)
class TraceStep:
    """One step: what an observer saw, which rule it was, what changed, and the state after it.

    ``before`` and ``arguments`` are the state before it and the parameters of the rule; a step of no rule has none.
    """

    event: str
    rule: str
    changes: tuple[Change, ...]
    state: State
    before: State = ()
    arguments: tuple[int, ...] = ()


@final
@dataclass(frozen=True, slots=True)
class Trace:
    """A run: an initial state and steps. ``fault`` says what goes wrong in the last state, if anything."""

    initial: State
    steps: tuple[TraceStep, ...]
    fault: Fault | None = None


def spell_event(event: tuple[str, ...]) -> str:
    """An event with its arguments, as traces show it."""
    name, *arguments = event
    return f"{name}({', '.join(arguments)})" if arguments else name


def changes_between(cells: Cells, old: State, new: State) -> tuple[Change, ...]:
    """What is different in two states."""
    changed = (element for element in cells.elements if element.cells(old) != element.cells(new))
    return tuple(Change(element.name, element.text(old), element.text(new)) for element in changed)
