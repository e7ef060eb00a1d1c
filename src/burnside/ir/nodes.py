"""The sequential model: what every front end produces and every later stage reads.

A model is a finite set of variables, a set of initial states and rules (the *summands* of the literature); ``claims/``
says what is claimed of it. All values are integers; enumerations and booleans have labels. Nodes are frozen and compare
by meaning (``ir/semantics.py``), not by where they came from. None is subclassed, so ``match`` is exhaustive.
"""

from __future__ import annotations

from math import prod
from typing import TypeAlias, final

from burnside.ir.domains import BOOL as BOOL
from burnside.ir.domains import Domain as Domain
from burnside.ir.topology import ActorClass
from burnside.ir.wholes import Argument, Subject, Whole
from burnside.source import Span
from burnside.values import dataclass, field


def _span() -> Span | None:
    return field(default=None, compare=False, repr=False)


@final
@dataclass(frozen=True, slots=True)
class Const:
    """A number, plain or of a ``domain``; ``lack`` is said if it is divided by: a zero for what does not exist."""

    value: int
    domain: Domain | None = None
    span: Span | None = _span()
    lack: str = field(default="", compare=False, repr=False)


@final
@dataclass(frozen=True, slots=True)
class Bound:
    """A parameter, local variable or quantified name."""

    name: str
    domain: Domain
    span: Span | None = _span()


@final
@dataclass(frozen=True, slots=True)
class Read:
    """The value of a variable or of one cell of an array; an index outside its domain is a fault."""

    variable: str
    indices: tuple[Expr, ...] = ()
    span: Span | None = _span()


@final
@dataclass(frozen=True, slots=True)
class Length:
    """The number of items in a sequence."""

    variable: str
    indices: tuple[Expr, ...] = ()
    span: Span | None = _span()


@final
@dataclass(frozen=True, slots=True)
class Item:
    """The item at a position of a sequence, counted from 0 at the front; outside the length is a fault."""

    variable: str
    indices: tuple[Expr, ...]
    position: Expr
    span: Span | None = _span()


@final
@dataclass(frozen=True, slots=True)
class Lookup:
    """An entry of a constant list (or rectangular list of lists), counted from 0; outside is a fault."""

    table: str
    indices: tuple[Expr, ...]
    span: Span | None = _span()


@final
@dataclass(frozen=True, slots=True)
class Unary:
    """``-`` of an integer or ``!`` of a truth value."""

    operator: str
    operand: Expr
    span: Span | None = _span()


@final
@dataclass(frozen=True, slots=True)
class Binary:
    """An operator from ``operators``; both sides are evaluated, left first, except for ``=>``."""

    operator: str
    left: Expr
    right: Expr
    span: Span | None = _span()


@final
@dataclass(frozen=True, slots=True)
class Logic:
    """``&&`` or ``||`` of two or more operands, evaluated from the left until one decides."""

    operator: str
    operands: tuple[Expr, ...]
    span: Span | None = _span()


@final
@dataclass(frozen=True, slots=True)
class Choice:
    """``if condition then … else …``: only the chosen side is evaluated."""

    condition: Expr
    then: Expr
    otherwise: Expr
    span: Span | None = _span()


@final
@dataclass(frozen=True, slots=True)
class Quantified:
    """``forall``, ``exists`` (both stop when decided), ``count`` or ``sum`` of a body over a domain in order."""

    quantifier: str
    name: str
    domain: Domain
    body: Expr
    span: Span | None = _span()


@final
@dataclass(frozen=True, slots=True)
class Checked:
    """The value of an expression as one of a domain; a value outside is a fault: ``none`` is no process."""

    operand: Expr
    domain: Domain
    span: Span | None = _span()


Expr: TypeAlias = Const | Bound | Read | Length | Item | Lookup | Unary | Binary | Logic | Choice | Quantified | Checked

TRUE = Const(1, BOOL)
FALSE = Const(0, BOOL)


@final
@dataclass(frozen=True, slots=True)
class Assign:
    """Write a variable, an array cell, an item of a sequence or a local; leaving the target's domain is a fault."""

    target: Read | Item | Bound
    value: Expr
    span: Span | None = _span()


@final
@dataclass(frozen=True, slots=True)
class Push:
    """Append a value at the back of a sequence; a full sequence is a fault."""

    variable: str
    indices: tuple[Expr, ...]
    value: Expr
    span: Span | None = _span()
    about: Subject | None = field(default=None, compare=False, repr=False)


@final
@dataclass(frozen=True, slots=True)
class Pop:
    """Remove the front item of a sequence; an empty sequence is a fault."""

    variable: str
    indices: tuple[Expr, ...]
    span: Span | None = _span()


@final
@dataclass(frozen=True, slots=True)
class Clear:
    """Make a sequence empty."""

    variable: str
    indices: tuple[Expr, ...]
    span: Span | None = _span()


@final
@dataclass(frozen=True, slots=True)
class If:
    """Run one of two blocks."""

    condition: Expr
    then: tuple[Stmt, ...]
    otherwise: tuple[Stmt, ...] = ()
    span: Span | None = _span()


@final
@dataclass(frozen=True, slots=True)
class For:
    """Run a block once for every value of a domain, in order."""

    name: str
    domain: Domain
    body: tuple[Stmt, ...]
    span: Span | None = _span()


@final
@dataclass(frozen=True, slots=True)
class While:
    """Run a block while a condition holds; needing more than ``limit`` rounds is a fault."""

    condition: Expr
    limit: int
    body: tuple[Stmt, ...]
    span: Span | None = _span()


@final
@dataclass(frozen=True, slots=True)
class Declare:
    """A local variable, visible to the end of its block; its first value must fit its domain."""

    name: str
    domain: Domain
    value: Expr
    span: Span | None = _span()


@final
@dataclass(frozen=True, slots=True)
class Assert:
    """A fault unless the condition holds; ``is_limit`` marks a bound beyond which a model may still be right."""

    condition: Expr
    text: str = ""
    span: Span | None = _span()
    is_limit: bool = False
    about: Subject | None = field(default=None, compare=False, repr=False)


Stmt: TypeAlias = Assign | Push | Pop | Clear | If | For | While | Declare | Assert
Value: TypeAlias = "int | tuple[Value, ...]"


@final
@dataclass(frozen=True, slots=True)
class Constant:
    """A named constant: a number, or a list of numbers or of equally long lists of them."""

    name: str
    value: Value
    span: Span | None = _span()


@final
@dataclass(frozen=True, slots=True)
class Variable:
    """A variable, or an array of them over ``dimensions``; with a ``capacity`` each element is a bounded sequence.

    ``initial`` has one entry per element: a value, None for any, or the items of a sequence; ``initial_spans`` is where
    they are written, one for all or each. ``shown`` spells parts of a whole: text, numbers of dimensions, -1 for slots.
    """

    name: str
    dimensions: tuple[Domain, ...]
    domain: Domain
    capacity: int | None
    initial: tuple[int | tuple[int, ...] | None, ...]
    span: Span | None = _span()
    initial_spans: tuple[Span, ...] = field(default=(), compare=False, repr=False)
    shown: tuple[str | int, ...] = field(default=(), compare=False, repr=False)

    @property
    def elements(self) -> int:
        """How many elements the array has (1 without dimensions)."""
        return prod(dimension.size for dimension in self.dimensions)

    @property
    def is_sequence(self) -> bool:
        """Whether elements are bounded sequences rather than single values."""
        return self.capacity is not None


@final
@dataclass(frozen=True, slots=True)
class Parameter:
    """A name that ranges over a domain, written at ``span``; of what has several parts, the first ``begins`` it."""

    name: str
    domain: Domain
    span: Span | None = _span()
    begins: Argument | None = field(default=None, compare=False, repr=False)


@final
@dataclass(frozen=True, slots=True)
class Event:
    """What is seen of a step: a name, and arguments (``written``: what begins with each); traces show ``shown``."""

    name: str
    arguments: tuple[Expr, ...] = ()
    written: tuple[Argument | None, ...] = field(default=(), compare=False, repr=False)
    shown: str = field(default="", compare=False, repr=False)


@final
@dataclass(frozen=True, slots=True)
class Actor:
    """A process in the steps of a rule: its kind, perhaps a process domain, and its id among several, by parameters."""

    kind: str
    id: Expr | None = None


@final
@dataclass(frozen=True, slots=True)
class Rule:
    """A summand: for every value of the parameters with a true guard, one atomic step.

    ``actors`` are the processes that act, for fairness only; None leaves it to ``ir/processes.py``. ``partition`` has
    cells of process ids that the rule does not tell apart, as its author says; the adaptive search verifies it.
    """

    name: str
    parameters: tuple[Parameter, ...]
    guard: Expr
    event: Event
    body: tuple[Stmt, ...]
    span: Span | None = _span()
    actors: tuple[Actor, ...] | None = None
    partition: tuple[tuple[int, ...], ...] | None = field(default=None, compare=False, repr=False)


@final
@dataclass(frozen=True, slots=True)
class Model:
    """A sequential model; ``terminal`` states need no successor, ``actors`` and ``wholes`` say what variables hold.

    With ``starts``, rules whose events are their own, the initial states are those that they lead to from states that
    the variables and ``initially`` allow; their steps are no transitions.
    """

    name: str = field(compare=False)
    constants: tuple[Constant, ...]
    domains: tuple[Domain, ...]
    variables: tuple[Variable, ...]
    rules: tuple[Rule, ...]
    initially: tuple[Expr, ...] = ()
    terminal: Expr = FALSE
    actors: tuple[ActorClass, ...] = field(default=(), compare=False, repr=False)
    wholes: tuple[Whole, ...] = field(default=(), compare=False, repr=False)
    starts: tuple[Rule, ...] = ()

    @property
    def programs(self) -> tuple[Rule, ...]:
        """Start rules and rules."""
        return (*self.starts, *self.rules)
