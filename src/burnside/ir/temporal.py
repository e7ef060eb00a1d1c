"""Claims about infinite runs: temporal logic over what holds in a state and what happens in a step.

A run that ends stays in its last state for ever, with no event.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import TypeAlias, final

from burnside.ir.cells import State
from burnside.ir.nodes import TRUE, Binary, Const, Expr, Logic, Parameter, Rule, member_name
from burnside.ir.semantics import instances
from burnside.ltl.formula import Formula
from burnside.source import Span


class Fairness(Enum):
    """What is assumed of an infinite run.

    Weak: who could act from some time on without a break acts again and again. Strong: who can act again and again
    does so. Of processes, or of events as if each were a process of its own. Global: every step that is possible in a
    state that is visited again and again is taken from there again and again.
    """

    NONE = "none"
    WEAK = "weak"
    STRONG = "strong"
    WEAK_EVENTS = "weak-events"
    STRONG_EVENTS = "strong-events"
    GLOBAL = "global"

    @property
    def is_strong(self) -> bool:
        """Whether being able to act again and again is enough to act."""
        return self in (Fairness.STRONG, Fairness.STRONG_EVENTS)

    @property
    def has_units(self) -> bool:
        """Whether it is about processes or events, rather than about steps or nothing."""
        return self not in (Fairness.NONE, Fairness.GLOBAL)

    def __str__(self) -> str:
        strength, *of = self.value.split("-")
        return f"{strength} fairness{' of events' if of else ''}" if self is not Fairness.NONE else "no fairness"

    @property
    def is_of_events(self) -> bool:
        """Whether it is about events instead of processes."""
        return self in (Fairness.WEAK_EVENTS, Fairness.STRONG_EVENTS)


class TemporalKind(Enum):
    """What kind of claim it is, for reports."""

    LTL = "ltl"


@final
@dataclass(frozen=True, slots=True)
class EventTest:
    """Whether the step that is taken has a certain event.

    Arguments are compared with values, which may depend on the parameters of the claim; None stands for any value.
    Without ``arguments`` all of them may be anything.
    """

    name: str
    arguments: tuple[Expr | None, ...] | None = None


Atom: TypeAlias = Expr | EventTest


@final
@dataclass(frozen=True, slots=True)
class Temporal:
    """The claim that all (fair) runs satisfy a formula; with parameters a family of claims.

    ``atoms`` says what the atoms of the formula stand for. ``text`` is the formula as its author wrote it.
    """

    name: str
    formula: Formula
    atoms: tuple[tuple[str, Atom], ...]
    parameters: tuple[Parameter, ...] = ()
    fairness: Fairness = Fairness.NONE
    text: str = field(default="", compare=False)
    span: Span | None = field(default=None, compare=False, repr=False)


@final
@dataclass(frozen=True, slots=True)
class TemporalClaim:
    """One member of the family of a temporal claim."""

    family: Temporal
    arguments: tuple[int, ...] = ()

    @property
    def name(self) -> str:
        """The claim's name with the values of its parameters: ``served(2)``."""
        return member_name(self.family.name, self.family.parameters, self.arguments)


def temporal_claims(families: Iterable[Temporal]) -> Iterator[TemporalClaim]:
    """Every member of every family, in order."""
    for family in families:
        for arguments in instances(family.parameters):
            yield TemporalClaim(family, arguments)


def event_condition(test: EventTest, rule: Rule, event: Sequence[Expr]) -> Expr | None:
    """When a rule instance has the event that is asked for, given its event's arguments; None if never."""
    if test.name != rule.event.name or (test.arguments is not None and len(test.arguments) != len(event)):
        return None
    conditions: list[Expr] = []
    for wanted, found in zip(test.arguments or (), event, strict=False):
        if wanted is None:
            continue
        if isinstance(wanted, Const) and isinstance(found, Const):
            if wanted.value != found.value:
                return None
        else:
            conditions.append(Binary("==", found, wanted))
    if len(conditions) > 1:
        return Logic("&&", tuple(conditions))
    return conditions[0] if conditions else TRUE


@final
@dataclass(frozen=True, slots=True)
class Moment:
    """A state of a run, and the number of the rule instance that leaves it; None if the run stays there for ever."""

    state: State
    instance: int | None
