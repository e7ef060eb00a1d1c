"""The kinds of claims, one closed union.

Every claim has a name, parameters (with which it is a family, one claim for each of their values), the place it comes
from, the ``word`` that reports have for its kind, and a phrase that says what it ``means``. Claims are frozen and
compare by meaning, as nodes do; concrete ones are never subclassed, so ``match`` on their classes is exhaustive.
"""

from __future__ import annotations

from enum import Enum
from typing import ClassVar, Final, TypeAlias, final, get_args

from burnside.ir.build import negation
from burnside.ir.nodes import FALSE, Expr, Model, Parameter
from burnside.ltl.formula import Formula
from burnside.source import Span
from burnside.values import dataclass, field


def _span() -> Span | None:
    return field(default=None, compare=False, repr=False)


# ---------------------------------------------------------------- about single states


@final
@dataclass(frozen=True, slots=True)
class Invariant:
    """A condition is true in every reachable state."""

    word: ClassVar = "invariant"
    means: ClassVar = "true in every state"
    is_existential: ClassVar = False
    is_about_deadlock: ClassVar = False

    name: str
    condition: Expr
    parameters: tuple[Parameter, ...] = ()
    span: Span | None = _span()

    @property
    def sought(self) -> Expr:
        """True in the states that decide the claim: violations."""
        return negation(self.condition)


@final
@dataclass(frozen=True, slots=True)
class Reachable:
    """A condition is true in some reachable state."""

    word: ClassVar = "reachable"
    means: ClassVar = "true in some state"
    is_existential: ClassVar = True
    is_about_deadlock: ClassVar = False

    name: str
    condition: Expr
    parameters: tuple[Parameter, ...] = ()
    span: Span | None = _span()

    @property
    def sought(self) -> Expr:
        """True in the states that decide the claim."""
        return self.condition


@final
@dataclass(frozen=True, slots=True)
class DeadlockFree:
    """Every reachable state has a successor, ``up_to_stuttering`` another one than itself, or is one in which the model
    may end.
    """

    word: ClassVar = "deadlockfree"
    is_existential: ClassVar = False
    is_about_deadlock: ClassVar = True  # decided by states without successors, not by what they hold
    parameters: ClassVar[tuple[Parameter, ...]] = ()
    sought: ClassVar = FALSE

    name: str
    span: Span | None = _span()
    up_to_stuttering: bool = False

    @property
    def means(self) -> str:
        """What holds if it does."""
        return "something can always change" if self.up_to_stuttering else "something can always happen"


StateClaim: TypeAlias = Invariant | Reachable | DeadlockFree


def is_about_stuttering(claim: object) -> bool:
    """Whether a claim looks at steps that change nothing."""
    return isinstance(claim, DeadlockFree) and claim.up_to_stuttering


@final
@dataclass(frozen=True, slots=True)
class Extreme:
    """A condition is reachable, and the least or greatest value with which it is reached is asked for.

    The value is within ``low..high`` in every state.
    """

    word: ClassVar = "reachable"
    means: ClassVar = "true in some state"
    is_existential: ClassVar = True
    parameters: ClassVar[tuple[Parameter, ...]] = ()

    name: str
    condition: Expr
    value: Expr
    low: int
    high: int
    is_least: bool
    span: Span | None = _span()


# ---------------------------------------------------------------- about infinite runs


class Fairness(Enum):
    """What is assumed of an infinite run.

    Weak: a unit that is enabled continuously from some point on acts infinitely often. Strong: a unit that is enabled
    infinitely often acts infinitely often. Units are processes, or events as if each were a process of its own. Global:
    every step that is possible in a state that is visited infinitely often is taken from there infinitely often.
    """

    NONE = "none"
    WEAK = "weak"
    STRONG = "strong"
    WEAK_EVENTS = "weak-events"
    STRONG_EVENTS = "strong-events"
    GLOBAL = "global"

    @property
    def has_units(self) -> bool:
        """Whether it is about processes or events, rather than about steps or nothing."""
        return self not in (Fairness.NONE, Fairness.GLOBAL)

    @property
    def is_of_events(self) -> bool:
        """Whether it is about events instead of processes."""
        return self in (Fairness.WEAK_EVENTS, Fairness.STRONG_EVENTS)

    def __str__(self) -> str:
        strength, *of = self.value.split("-")
        return f"{strength} fairness{' of events' if of else ''}" if self is not Fairness.NONE else "no fairness"


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
class InfiniteRuns:
    """All (fair) runs satisfy a formula of linear temporal logic.

    A run that ends stays in its last state, with no event. ``atoms`` says what the atoms of the formula stand for.
    ``text`` is the formula as its author wrote it.
    """

    word: ClassVar = "ltl"
    means: ClassVar = "true of every infinite run"
    is_existential: ClassVar = False

    name: str
    formula: Formula
    atoms: tuple[tuple[str, Atom], ...]
    parameters: tuple[Parameter, ...] = ()
    fairness: Fairness = Fairness.NONE
    text: str = field(default="", compare=False)
    span: Span | None = _span()


# ---------------------------------------------------------------- about events


@final
@dataclass(frozen=True, slots=True)
class DivergenceFree:
    """No run goes on for ever without a visible event."""

    word: ClassVar = "divergencefree"
    means: ClassVar = "no endless silence"
    is_existential: ClassVar = False
    parameters: ClassVar[tuple[Parameter, ...]] = ()

    name: str
    span: Span | None = _span()


@final
@dataclass(frozen=True, slots=True)
class Deterministic:
    """After the same visible events the same events are certain to be possible."""

    word: ClassVar = "deterministic"
    means: ClassVar = "deterministic"
    is_existential: ClassVar = False
    parameters: ClassVar[tuple[Parameter, ...]] = ()

    name: str
    span: Span | None = _span()


class Semantics(Enum):
    """What of the behaviour of two processes a refinement compares."""

    TRACES = "refines"
    FAILURES = "refines<F>"
    DIVERGENCES = "refines<FD>"


@final
@dataclass(frozen=True, slots=True)
class Specification:
    """The process that another one should refine."""

    name: str
    model: Model


@final
@dataclass(frozen=True, slots=True)
class Refinement:
    """A process does nothing that its specification does not."""

    is_existential: ClassVar = False
    parameters: ClassVar[tuple[Parameter, ...]] = ()

    name: str
    semantics: Semantics
    specification: Specification
    span: Span | None = _span()

    @property
    def word(self) -> str:
        """The word of reports."""
        return self.semantics.value

    @property
    def means(self) -> str:
        """What is compared."""
        compared = {Semantics.TRACES: "traces", Semantics.FAILURES: "failures"}
        return f"refinement of {compared.get(self.semantics, 'failures and divergences')}"


EventClaim: TypeAlias = DivergenceFree | Deterministic | Refinement

Claim: TypeAlias = StateClaim | Extreme | InfiniteRuns | EventClaim

# Every word that reports have for a kind, once.
KIND_WORDS: Final[tuple[str, ...]] = tuple(
    dict.fromkeys(
        word
        for kind in get_args(Claim)
        for word in ((semantics.value for semantics in Semantics) if kind is Refinement else (kind.word,))
    )
)
