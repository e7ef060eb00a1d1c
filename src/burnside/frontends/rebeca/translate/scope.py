"""Names inside a routine, fresh names, and the statements translated so far."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final, TypeAlias, final

from burnside.frontends.kit.names import declared_twice
from burnside.frontends.rebeca.names.types import Class, Type
from burnside.frontends.rebeca.translate.shape import Shape
from burnside.ir.nodes import BOOL, Assert, Assign, Binary, Bound, Const, Declare, Domain, Expr, Stmt, Value
from burnside.source import Diagnostics, Note, Span
from burnside.values import dataclass, field

MOST_ROUNDS_TOGETHER: Final = 100_000
_COUNTER: Final = Domain("", 0, MOST_ROUNDS_TOGETHER)


class Unusable(Exception):
    """Raised after something that cannot be translated has been reported."""


@final
@dataclass(frozen=True, slots=True)
class Typed:
    """An expression of the model with its type in the text."""

    type: Type
    expr: Expr


@final
@dataclass(frozen=True, slots=True)
class Local:
    """A local variable or parameter: one name in the model, or one for each element of an array."""

    type: Type
    places: tuple[Bound, ...]
    span: Span
    constant: Const | None = None  # in a loop that is written out, its counter


@final
@dataclass(frozen=True, slots=True)
class OwnVariable:
    """A state variable of the rebec that runs."""

    type: Type
    name: str


@final
@dataclass(frozen=True, slots=True)
class KnownRebec:
    """A known rebec of the rebec that runs."""

    type: Type
    name: str


@final
@dataclass(frozen=True, slots=True)
class EnvironmentVariable:
    """A constant of the text."""

    type: Type
    name: str
    value: Value


Meaning: TypeAlias = Local | OwnVariable | KnownRebec | EnvironmentVariable


@final
@dataclass(frozen=True, slots=True)
class Choice:
    """A choice that a step makes: the alternatives of ``?(…)``, or a rebec to be created."""

    name: str
    domain: Domain
    alternatives: tuple[Expr, ...]
    creates: str = ""

    @property
    def parameter(self) -> Bound:
        """The parameter of the rule that decides."""
        return Bound(self.name, self.domain)


@final
@dataclass(slots=True)
class Frame:
    """The routine being translated: of which class, for which rebec, who sent the message, and how to leave it."""

    kind: Class
    self: Expr
    sender: Expr
    returned: Bound | None = None
    result: Bound | None = None
    result_type: Type | None = None
    broken: Bound | None = None
    skipped: Bound | None = None
    scopes: list[dict[str, Local]] = field(default_factory=lambda: [{}])


@final
@dataclass(slots=True)
class Together:
    """Counts the rounds of all loops inside one: each has few, and all together could still have no end."""

    name: str
    is_used: bool = False

    @property
    def declared(self) -> Declare:
        """The counter, before the loop around all others."""
        return Declare(self.name, _COUNTER, Const(0))

    def counted(self) -> tuple[Stmt, ...]:
        """What stands at the beginning of a round."""
        self.is_used = True
        counter = Bound(self.name, _COUNTER)
        text = f"loops in a loop take more than {MOST_ROUNDS_TOGETHER:,} rounds"
        return Assert(Binary("<", counter, Const(_COUNTER.high)), text), Assign(counter, Binary("+", counter, Const(1)))


class Scope:
    """What all parts of the translation share."""

    def __init__(self, shape: Shape, routine: str, diagnostics: Diagnostics) -> None:
        self.shape = shape
        self.world = shape.world
        self.routine = routine
        self.diagnostics = diagnostics
        self.choices: list[Choice] = []
        self.frames: list[Frame] = []
        self.out: list[Stmt] = []
        self.calls: list[str] = []
        self.written = 0  # statements, as often as they are written out
        self.together: Together | None = None  # in a loop that is not written out
        self.rounds = 1  # how often the statement at hand is written out, by the loops around it
        self.never_given: set[str] = set()  # locals that no run gives a value: it does not come there, or faults
        self._numbers: dict[str, int] = {}  # the last number behind a name
        self._taken = {*self.world.words, "none", "self", "sender", "true", "false"}

    @property
    def frame(self) -> Frame:
        """The innermost routine."""
        return self.frames[-1]

    # ------------------------------------------------------------ errors

    def stop(
        self, code: str, message: str, span: Span | None, *, help: str = "", notes: Sequence[Note] = ()
    ) -> Unusable:
        """Report something; raise what this returns to give up the statement at hand."""
        self.diagnostics.error(code, message, span, help=help, notes=notes)
        return Unusable()

    # ------------------------------------------------------------ names

    def fresh(self, name: str) -> str:
        """A name that is not used in this routine, nor anywhere globally."""
        number = self._numbers.get(name, 1)
        found = name if number == 1 else f"{name}'{number}"
        while found in self._taken:
            number += 1
            found = f"{name}'{number}"
        self._taken.add(found)
        self._numbers[name] = number
        return found

    def local(self, name: str, kind: Type) -> Bound:
        """A new local of the model."""
        found = self.fresh(name)
        key = f"{self.routine}/{found}"
        if kind.is_number and not self.shape.is_given(key):
            self.never_given.add(found)
        return Bound(found, self.shape.domain(key, kind))

    def declare(self, name: str, kind: Type, value: Expr, span: Span | None) -> Bound:
        """A new local that starts with a value."""
        place = self.local(name, kind)
        self.out.append(Declare(place.name, place.domain, value, span))
        return place

    def flag(self, name: str) -> Bound:
        """A new truth value that starts as false."""
        place = Bound(self.fresh(name), BOOL)
        self.out.append(Declare(place.name, BOOL, Const(0, BOOL)))
        return place

    def bind(self, name: str, local: Local) -> None:
        """Bring a local into scope; it may hide no other local."""
        for scope in self.frame.scopes:
            if name in scope:
                self.diagnostics.add(declared_twice(name, local.span, scope[name].span))
        self.frame.scopes[-1][name] = local

    def find(self, name: str) -> Local | None:
        """A local by its name in the text."""
        for scope in reversed(self.frame.scopes):
            if name in scope:
                return scope[name]
        return None

    # ------------------------------------------------------------ statements

    @contextmanager
    def block(self) -> Iterator[list[Stmt]]:
        """Statements that are translated inside go to a list of their own; locals end with it."""
        outer, self.out = self.out, []
        self.frame.scopes.append({})
        depth = len(self.frame.scopes)
        frames = len(self.frames)
        try:
            yield self.out
        finally:
            self.out = outer
            del self.frames[frames:]
            del self.frame.scopes[depth - 1 :]

    def settle(self, value: Typed, mark: int) -> Typed:
        """A value that was computed before the statements behind ``mark``, kept in a local if these may change it."""
        if len(self.out) == mark or isinstance(value.expr, Const):
            return value
        place = self.local("kept", value.type)
        self.out.insert(mark, Declare(place.name, place.domain, value.expr))
        return Typed(value.type, place)
