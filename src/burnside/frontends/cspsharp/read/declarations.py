"""Declarations of CSP# texts as trees: what is defined, declared and asserted, and formulas."""

from __future__ import annotations

from typing import TypeAlias, final

from burnside.frontends.cspsharp.read.syntax import EventSet, Expression, Process, Statement, _span
from burnside.source import Span
from burnside.values import dataclass

# ---------------------------------------------------------------- formulas of temporal logic


@final
@dataclass(frozen=True, slots=True)
class Atom:
    """An event with its arguments (``c!`` and ``c?`` are those of a channel), a condition by its name, or a truth.

    An event of an array of channels says by ``indices`` which one is meant.
    """

    name: str
    arguments: tuple[Expression, ...]
    span: Span = _span()
    indices: tuple[Expression, ...] = ()


@final
@dataclass(frozen=True, slots=True)
class FormulaOperation:
    """One of ``! [] <> X`` with one operand, or of ``U R && || xor -> <->`` with two."""

    operator: str
    operands: tuple[Formula, ...]
    span: Span = _span()


Formula: TypeAlias = Atom | FormulaOperation


# ---------------------------------------------------------------- declarations


@final
@dataclass(frozen=True, slots=True)
class Define:
    """``#define name value;`` and macros; ``body`` is an expression or a program."""

    name: str
    parameters: tuple[str, ...] | None
    body: Expression | tuple[Statement, ...]
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class ArrayItem:
    """An entry of an array literal: ``e``, ``e(count)`` or ``e..last``."""

    value: Expression
    count: Expression | None
    last: Expression | None
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class VariableDeclaration:
    """``var x[N]:{low..high} = …;``: ``initial`` is None for zeros, ``"*"`` for any value."""

    name: str
    dimensions: tuple[Expression, ...]
    low: Expression | None
    high: Expression | None
    initial: Expression | tuple[ArrayItem, ...] | str | None
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class ChannelDeclaration:
    """``channel c[n] capacity;``."""

    name: str
    size: Expression | None
    capacity: Expression
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class Definition:
    """``P(x, y) = …;``."""

    name: str
    parameters: tuple[str, ...]
    body: Process
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class Alphabet:
    """``#alphabet P {…};``."""

    name: str
    events: tuple[EventSet, ...]
    span: Span = _span()


@final
@dataclass(frozen=True, slots=True)
class Assertion:
    """``#assert P() claim …;``: the claim is ``deadlockfree``, …, ``reaches``, ``refines<F>`` or ``|=``.

    ``reaches`` has a condition, and ``value`` with the ``extreme`` that is asked for if it goes on ``with min(…)``;
    a refinement has another process, ``|=`` a formula.
    """

    process: Process
    claim: str
    span: Span = _span()
    condition: Expression | None = None
    extreme: str = ""
    value: Expression | None = None
    other: Process | None = None
    formula: Formula | None = None


@final
@dataclass(frozen=True, slots=True)
class Specification:
    """All declarations of a text."""

    defines: tuple[Define, ...]
    variables: tuple[VariableDeclaration, ...]
    channels: tuple[ChannelDeclaration, ...]
    definitions: tuple[Definition, ...]
    alphabets: tuple[Alphabet, ...]
    assertions: tuple[Assertion, ...]
