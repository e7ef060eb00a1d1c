"""The syntax tree of CSP#: what the parser gives, before any name is looked up.

Nodes are frozen and compare by what they say; where they stand (``span``) is not part of that.
"""

from __future__ import annotations

from typing import TypeAlias, final

from burnside.source import Span
from burnside.values import dataclass, field


def _span() -> Span:
    found: Span = field(compare=False, repr=False)
    return found


# ---------------------------------------------------------------- expressions


@final
@dataclass(frozen=True, slots=True)
class Number:
    """A number."""

    value: int
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class Truth:
    """``true`` or ``false``: a class of its own, since in Python ``True`` equals 1."""

    value: bool
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class Name:
    """A variable or element of an array, a constant, a condition, or a parameter."""

    name: str
    indices: tuple[Expression, ...]
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class Operation:
    """An operator with its operands: one for ``!`` and ``-``, two or more for ``&&`` and ``||``, else two."""

    operator: str
    operands: tuple[Expression, ...]
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class Indexed:
    """``&& i:{0..2}@(…)`` and ``|| i:{0..2}@(…)``."""

    operator: str
    ranges: tuple[Range, ...]
    body: Expression
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class CallMacro:
    """``call(f, …)``: a macro, or a question about a channel."""

    name: str
    arguments: tuple[Expression, ...]
    span: Span = _span()


Expression: TypeAlias = Number | Truth | Name | Operation | Indexed | CallMacro


@final
@dataclass(frozen=True, slots=True)
class Range:
    """``x:{0..2}`` or ``x:{0,2,5}``; ``items`` are pairs of bounds. A counted form ``{N}`` has no name."""

    name: str
    items: tuple[tuple[Expression, Expression], ...]
    span: Span = _span()


# ---------------------------------------------------------------- programs


@final
@dataclass(frozen=True, slots=True)
class Assignment:
    """``target operator value``: the operator is empty for a plain ``=``."""

    target: Name
    operator: str
    value: Expression
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class Local:
    """``var x = e;`` inside a program."""

    name: str
    value: Expression
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class Branch:
    """``if (c) {…} else {…}`` inside a program."""

    condition: Expression
    then: tuple[Statement, ...]
    otherwise: tuple[Statement, ...]
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class Loop:
    """``while (c) {…}``."""

    condition: Expression
    body: tuple[Statement, ...]
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class Block:
    """Statements in braces."""

    body: tuple[Statement, ...]
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class Perform:
    """``call(f, …);``: run a macro."""

    call: CallMacro
    span: Span = _span()


Statement: TypeAlias = Assignment | Local | Branch | Loop | Block | Perform


# ---------------------------------------------------------------- processes


@final
@dataclass(frozen=True, slots=True)
class EventName:
    """An event in a prefix or a set: a name and arguments."""

    name: str
    arguments: tuple[Expression, ...]
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class EventSet:
    """One entry of an alphabet or of hidden events: an event, for all values of the ranges."""

    ranges: tuple[Range, ...]
    event: EventName
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class StopProcess:
    """``Stop``."""

    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class SkipProcess:
    """``Skip``."""

    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class PrefixProcess:
    """``e.i -> P``, or with a program (perhaps empty) ``e.i{…} -> P``; the name ``tau`` is not an event."""

    event: EventName
    program: tuple[Statement, ...] | None
    next: Process
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class OutputProcess:
    """``c[i]!e1.e2{…} -> P``."""

    channel: Name
    values: tuple[Expression, ...]
    program: tuple[Statement, ...]
    next: Process
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class InputProcess:
    """``c[i]?[condition]x.3.y{…} -> P``: a pattern that is an unknown name binds it."""

    channel: Name
    condition: Expression | None
    patterns: tuple[Expression, ...]
    program: tuple[Statement, ...]
    next: Process
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class CallProcess:
    """``P(e1, e2)``."""

    name: str
    arguments: tuple[Expression, ...]
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class Composition:
    """Two or more processes joined by one of ``||| || <> [*] [] interrupt ;``."""

    operator: str
    parts: tuple[Process, ...]
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class IndexedProcess:
    """``|||x:{0..2}@P(x)`` and its kin."""

    operator: str
    ranges: tuple[Range, ...]
    body: Process
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class GuardProcess:
    """``[c] P``."""

    condition: Expression
    body: Process
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class IfProcess:
    """``if``, ``ifa`` or ``ifb``; a missing branch is Skip (``ifb`` has only one)."""

    kind: str
    condition: Expression
    then: Process
    otherwise: Process
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class CaseProcess:
    """``case {c1: P1 … default: P}``; without a default it is Skip."""

    branches: tuple[tuple[Expression, Process], ...]
    default: Process
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class HideProcess:
    r"""``P \ {e, x:{0..2}@f.x}``."""

    body: Process
    events: tuple[EventSet, ...]
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class AtomicProcess:
    """``atomic{P}``."""

    body: Process
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class AssertProcess:
    """``assert(c)``."""

    condition: Expression
    span: Span = _span()


Process: TypeAlias = (
    StopProcess
    | SkipProcess
    | PrefixProcess
    | OutputProcess
    | InputProcess
    | CallProcess
    | Composition
    | IndexedProcess
    | GuardProcess
    | IfProcess
    | CaseProcess
    | HideProcess
    | AtomicProcess
    | AssertProcess
)
