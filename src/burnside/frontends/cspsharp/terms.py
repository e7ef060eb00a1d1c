"""Process terms without free names, and their steps.

A term is what is left of a process to be done. Names of processes are replaced by what they stand for as soon as
they could act, so that a name equals its expansion; parameters are values. Conditions, programs and messages may
still speak of variables, and a step says under which condition on them it is possible.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias, assert_never, final

from burnside.frontends.cspsharp.scope import Ground
from burnside.frontends.cspsharp.syntax import Expression, Process, Statement
from burnside.ir.nodes import TRUE, Const, Expr, Stmt
from burnside.source import Span

EventKey: TypeAlias = tuple[str, tuple[int, ...]]
Closure: TypeAlias = tuple[tuple[str, Ground], ...]


@final
@dataclass(frozen=True, slots=True)
class Stop:
    """Does nothing."""


@final
@dataclass(frozen=True, slots=True)
class Skip:
    """Terminates."""


@final
@dataclass(frozen=True, slots=True)
class Done:
    """What is left after termination: does nothing, and is no deadlock."""


@final
@dataclass(frozen=True, slots=True)
class Prefix:
    """An event, then the rest. Only events without a program synchronise."""

    name: str
    arguments: tuple[Expr, ...]
    body: tuple[Stmt, ...] | None
    next: Term
    span: Span = field(compare=False, repr=False)


@final
@dataclass(frozen=True, slots=True)
class Output:
    """Sends a message, then the rest."""

    channel: str
    indices: tuple[Expr, ...]
    values: tuple[Expr, ...]
    body: tuple[Stmt, ...]
    next: Term
    span: Span = field(compare=False, repr=False)


@final
@dataclass(frozen=True, slots=True)
class Input:
    """Receives a message. What follows depends on it: syntax, with the values of its free names in ``closure``.

    A pattern is an expression that the message must equal or the name that it binds.
    """

    channel: str
    indices: tuple[Expr, ...]
    patterns: tuple[Expr | str, ...]
    condition: Expression | None
    program: tuple[Statement, ...]
    next: Process
    closure: Closure
    span: Span = field(compare=False, repr=False)


@final
@dataclass(frozen=True, slots=True)
class Sequence:
    """``P;Q``."""

    first: Term
    second: Term


@final
@dataclass(frozen=True, slots=True)
class Choice:
    """``[]``, ``[*]`` or ``<>`` of some branches."""

    operator: str
    branches: tuple[Term, ...]


@final
@dataclass(frozen=True, slots=True)
class Guard:
    """``[c] P``: the condition is tested together with the first step."""

    condition: Expr
    body: Term


@final
@dataclass(frozen=True, slots=True)
class Test:
    """``if``, ``ifb`` and ``case``: conditions tested in order by a tau step; ``ifa`` without one.

    A branch with the condition true is an ``else``.
    """

    branches: tuple[tuple[Expr, Term], ...]
    costs_step: bool


@final
@dataclass(frozen=True, slots=True)
class Interleave:
    """``P ||| Q``."""

    parts: tuple[Term, ...]


@final
@dataclass(frozen=True, slots=True)
class Parallel:
    """``P || Q`` with the alphabet of each part, fixed when the composition begins."""

    parts: tuple[Term, ...]
    alphabets: tuple[frozenset[EventKey], ...]


@final
@dataclass(frozen=True, slots=True)
class Interrupt:
    """``P interrupt Q``."""

    body: Term
    by: Term


@final
@dataclass(frozen=True, slots=True)
class Hide:
    """``P`` with some events turned into tau."""

    body: Term
    events: frozenset[EventKey]


@final
@dataclass(frozen=True, slots=True)
class Atomic:
    """``atomic{P}``: once it has begun, its steps come before all others."""

    body: Term
    has_begun: bool


@final
@dataclass(frozen=True, slots=True)
class Call:
    """A process by name. ``parallel`` parts are kept as calls until they act, to name components after them."""

    name: str
    arguments: tuple[Ground, ...]
    span: Span = field(compare=False, repr=False)


Term: TypeAlias = (
    Stop
    | Skip
    | Done
    | Prefix
    | Output
    | Input
    | Sequence
    | Choice
    | Guard
    | Test
    | Interleave
    | Parallel
    | Interrupt
    | Hide
    | Atomic
    | Call
)


# ---------------------------------------------------------------- steps

TAU = "tau"
TICK = "terminate"

# Kinds of actions: 'event' synchronises; 'operation' is visible and does not; 'send' and 'receive' are the halves
# of a rendezvous and need each other.
EVENT, OPERATION, SILENT, TERMINATION, SEND, RECEIVE = "event", "operation", "tau", "tick", "send", "receive"


@final
@dataclass(frozen=True, slots=True)
class Action:
    """What happens in a step: an event with arguments, and the program that runs with it.

    For a half of a rendezvous the name is that of the channel, the arguments are its indices and the message.
    """

    kind: str
    name: str
    arguments: tuple[Expr, ...] = ()
    body: tuple[Stmt, ...] = ()
    span: Span | None = field(default=None, compare=False, repr=False)

    @property
    def is_visible(self) -> bool:
        """Whether it resolves a choice ``[*]`` and lets an interrupt through."""
        return self.kind != SILENT


@final
@dataclass(frozen=True, slots=True)
class Step:
    """A possible step of a term: where ``guard`` holds, ``action`` happens and ``next`` is left."""

    action: Action
    next: Term
    guard: Expr = TRUE
    is_urgent: bool = False


def key_of(action: Action) -> EventKey | None:
    """The identity of an event, if its arguments are known."""
    values = tuple(a.value for a in action.arguments if isinstance(a, Const))
    return (action.name, values) if len(values) == len(action.arguments) else None


def show(term: Term, depth: int = 6) -> str:
    """A term in a few words, its inner parts left out."""
    if depth == 0:
        return "…"

    def inside(part: Term) -> str:
        return show(part, depth - 1)

    match term:
        case Stop() | Skip() | Done():
            return type(term).__name__
        case Prefix(name=name, next=next):
            return f"{name} -> {inside(next)}"
        case Output(channel=channel, next=next):
            return f"{channel}!… -> {inside(next)}"
        case Input(channel=channel):
            return f"{channel}?… -> …"
        case Sequence(first=first, second=second):
            return f"({inside(first)}; {inside(second)})"
        case Choice(operator=operator, branches=parts):
            return "(" + f" {operator} ".join(map(inside, parts)) + ")"
        case Interleave(parts=parts) | Parallel(parts=parts):
            operator = "|||" if isinstance(term, Interleave) else "||"
            return "(" + f" {operator} ".join(map(inside, parts)) + ")"
        case Guard(body=body):
            return f"[…] {inside(body)}"
        case Test(branches=branches):
            return "if (…) { " + " } else { ".join(inside(p) for _, p in branches) + " }"
        case Interrupt(body=body, by=by):
            return f"({inside(body)} interrupt {inside(by)})"
        case Hide(body=body):
            return f"({inside(body)} \\ …)"
        case Atomic(body=body):
            return f"atomic{{ {inside(body)} }}"
        case Call(name=name, arguments=arguments):
            return f"{name}({', '.join(str(a).lower() for a in arguments)})"
        case _:
            assert_never(term)
