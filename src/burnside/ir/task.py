"""What is asked about one process of a text: a model, and claims that are no properties of single states.

A text may ask about several processes; each is a model of its own, and a task. Properties of the model are decided
state by state. What is here needs more: the order of events, or the values of an expression over all states.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import final

from burnside.ir.nodes import Expr, Model
from burnside.source import Span


class BehaviourKind(Enum):
    """What is claimed of the events of a process; the last three compare it with another one."""

    DIVERGENCE_FREE = "divergencefree"
    DETERMINISTIC = "deterministic"
    REFINES_TRACES = "refines"
    REFINES_FAILURES = "refines<F>"
    REFINES_DIVERGENCES = "refines<FD>"


@final
@dataclass(frozen=True, slots=True)
class Specification:
    """The process that another one should refine."""

    name: str
    model: Model


@final
@dataclass(frozen=True, slots=True)
class Behaviour:
    """A claim about the events of a process; a refinement has a specification."""

    name: str
    kind: BehaviourKind
    specification: Specification | None = None
    span: Span | None = field(default=None, compare=False, repr=False)


@final
@dataclass(frozen=True, slots=True)
class Optimum:
    """The claim that a condition is reachable, and the question for the least or greatest value it is reached with.

    The value is within ``low..high`` in every state.
    """

    name: str
    condition: Expr
    value: Expr
    low: int
    high: int
    is_least: bool
    span: Span | None = field(default=None, compare=False, repr=False)


@final
@dataclass(frozen=True, slots=True)
class Task:
    """One process to be checked. ``process`` names it where a text asks about several."""

    model: Model
    behaviours: tuple[Behaviour, ...] = ()
    optima: tuple[Optimum, ...] = ()
    process: str = ""
