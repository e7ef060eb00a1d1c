"""Process terms without free names, and their steps.

A term is what is left of a process to be done. Names of processes are replaced by what they stand for as soon as
they could act, so that a name equals its expansion; parameters are values. Conditions, programs and messages may
still speak of variables, and a step says under which condition on them it is possible.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import Field, field
from typing import ClassVar, TypeAlias, assert_never, final

from burnside.frontends.cspsharp.names.scope import Ground, text_of
from burnside.frontends.cspsharp.read.syntax import Expression, Process, Statement
from burnside.ir.nodes import TRUE, Const, Expr, Stmt
from burnside.source import Span
from burnside.values import dataclass

EventKey: TypeAlias = tuple[str, tuple[Ground, ...]]
Path: TypeAlias = tuple[int, ...]
Closure: TypeAlias = tuple[tuple[str, Expr], ...]


class _Hashed:
    """Finds its hash and its depth once, from those of its parts: terms are nested deeply and looked up often."""

    __slots__ = ("_hash", "depth")

    __dataclass_fields__: ClassVar[dict[str, Field[object]]]
    _hash: int
    depth: int

    def __post_init__(self) -> None:
        compared = [getattr(self, f.name) for f in self.__dataclass_fields__.values() if f.compare]
        object.__setattr__(self, "_hash", hash((type(self).__name__, *compared)))
        deepest = max((part.depth for part in self._acting() if isinstance(part, _Hashed)), default=0)
        object.__setattr__(self, "depth", 1 + deepest)

    def __hash__(self) -> int:
        return self._hash

    def _acting(self) -> Iterable[object]:
        """The parts that can act before this term has."""
        return ()


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
    """What is left after termination: does nothing, and is not a deadlock."""


@final
@dataclass(frozen=True, slots=True)
class Prefix(_Hashed):
    """An event, then the rest. Only events without a program synchronise."""

    name: str
    arguments: tuple[Expr, ...]
    body: tuple[Stmt, ...] | None
    next: Term
    span: Span = field(compare=False, repr=False)

    __hash__ = _Hashed.__hash__


@final
@dataclass(frozen=True, slots=True)
class Output(_Hashed):
    """Sends a message, then the rest."""

    channel: str
    indices: tuple[Expr, ...]
    values: tuple[Expr, ...]
    body: tuple[Stmt, ...]
    next: Term
    span: Span = field(compare=False, repr=False)

    __hash__ = _Hashed.__hash__


@final
@dataclass(frozen=True, slots=True)
class Input(_Hashed):
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

    __hash__ = _Hashed.__hash__


@final
@dataclass(frozen=True, slots=True)
class Sequence(_Hashed):
    """``P;Q``."""

    first: Term
    second: Term

    __hash__ = _Hashed.__hash__

    def _acting(self) -> Iterable[object]:
        return (self.first,)


@final
@dataclass(frozen=True, slots=True)
class Choice(_Hashed):
    """``[]``, ``[*]`` or ``<>`` of some branches."""

    operator: str
    branches: tuple[Term, ...]

    __hash__ = _Hashed.__hash__

    def _acting(self) -> Iterable[object]:
        return self.branches


@final
@dataclass(frozen=True, slots=True)
class Guard(_Hashed):
    """``[c] P``: the condition is tested together with the first step."""

    condition: Expr
    body: Term

    __hash__ = _Hashed.__hash__

    def _acting(self) -> Iterable[object]:
        return (self.body,)


@final
@dataclass(frozen=True, slots=True)
class Test(_Hashed):
    """``if``, ``ifb`` and ``case``: conditions tested in order by a tau step; ``ifa`` without one.

    A branch with the condition true is an ``else``.
    """

    branches: tuple[tuple[Expr, Term], ...]
    costs_step: bool

    __hash__ = _Hashed.__hash__

    def _acting(self) -> Iterable[object]:
        return (branch for _, branch in self.branches)


@final
@dataclass(frozen=True, slots=True)
class Interleave(_Hashed):
    """``P ||| Q``."""

    parts: tuple[Term, ...]

    __hash__ = _Hashed.__hash__

    def _acting(self) -> Iterable[object]:
        return self.parts


@final
@dataclass(frozen=True, slots=True)
class Parallel(_Hashed):
    """``P || Q`` with the alphabet of each part, fixed when the composition begins."""

    parts: tuple[Term, ...]
    alphabets: tuple[frozenset[EventKey], ...]

    __hash__ = _Hashed.__hash__

    def _acting(self) -> Iterable[object]:
        return self.parts


@final
@dataclass(frozen=True, slots=True)
class Interrupt(_Hashed):
    """``P interrupt Q``."""

    body: Term
    by: Term

    __hash__ = _Hashed.__hash__

    def _acting(self) -> Iterable[object]:
        return (self.body, self.by)


@final
@dataclass(frozen=True, slots=True)
class Hide(_Hashed):
    """``P`` with some events turned into tau."""

    body: Term
    events: frozenset[EventKey]

    __hash__ = _Hashed.__hash__

    def _acting(self) -> Iterable[object]:
        return (self.body,)


@final
@dataclass(frozen=True, slots=True)
class Atomic(_Hashed):
    """``atomic{P}``: once it has begun, its steps come before all others."""

    body: Term
    has_begun: bool

    __hash__ = _Hashed.__hash__

    def _acting(self) -> Iterable[object]:
        return (self.body,)


@final
@dataclass(frozen=True, slots=True)
class Call:
    """A process by name. ``parallel`` parts are kept as calls until they act, to name components after them."""

    name: str
    arguments: tuple[Ground, ...]
    span: Span = field(compare=False, repr=False)


@final
@dataclass(frozen=True, slots=True)
class LateCall:
    """A process by name with arguments that read variables: which one it is, is known when it acts."""

    name: str
    arguments: tuple[Expr, ...]
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
    | LateCall
)


# ---------------------------------------------------------------- steps

TAU = "tau"

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
    """A possible step of a term: where ``guard`` holds, ``action`` happens and ``next`` is left.

    ``movers`` are the parts that take part, by their positions in compositions that are nested in each other; the
    empty path is the term itself. They matter to fairness only, so steps that differ in nothing else are one.
    """

    action: Action
    next: Term
    guard: Expr = TRUE
    is_urgent: bool = False
    movers: frozenset[Path] = field(default=frozenset({()}), compare=False)


def atomic(body: Term, *, has_begun: bool) -> Term:
    """``atomic{P}``. Atomic twice is atomic once: a process that ends in an atomic call of itself stays finite."""
    if isinstance(body, Atomic):
        return Atomic(body.body, has_begun or body.has_begun)
    return Atomic(body, has_begun)


def depth_of(term: Term) -> int:
    """How deeply the parts of a term that can act are nested."""
    return term.depth if isinstance(term, _Hashed) else 1


def key_of(action: Action) -> EventKey | None:
    """The identity of an event, if its arguments are known."""
    values = tuple(a for a in action.arguments if isinstance(a, Const))
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
            return f"{name}({', '.join(map(text_of, arguments))})"
        case LateCall(name=name):
            return f"{name}(…)"
        case _:
            assert_never(term)


def span_of(term: Term) -> Span | None:
    """Where a term comes from, as far as it is known."""
    if isinstance(term, Prefix | Output | Input | Call | LateCall):
        return term.span
    for name in ("parts", "branches", "body", "first"):
        inner = getattr(term, name, ())
        for part in inner if isinstance(inner, tuple) else (inner,):
            found = span_of(part[1] if isinstance(part, tuple) else part)
            if found is not None:
                return found
    return None
