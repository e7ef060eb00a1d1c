"""Finite domains for variables without a range: interval analysis of all programs, and if that is not enough a walk.

A variable that has no bounds after the analysis gets those of the values that it is ever assigned, if the model has
few states.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final, TypeVar, final

from burnside.ir import nodes as n
from burnside.ir.cells import Cells, State
from burnside.ir.dispatch import Dispatch
from burnside.ir.initial import initial
from burnside.ir.intervals import Bounds, Interval, binary_interval
from burnside.ir.nodes import BOOL, Domain, Expr, Model, Stmt, Value
from burnside.ir.ranges import IntervalAnalysis, Narrowed, inside
from burnside.ir.rewrite import map_expr, map_stmt
from burnside.ir.semantics import FaultRaised, Step, fire

L = TypeVar("L", n.Bound, n.Declare)

INFINITE: Final = 1 << 31
# Bounds of a walk through all states.
MOST_STATES: Final = 3_000
MOST_RULES: Final = 5_000
MOST_WORK: Final = 200_000  # rules that are tried, and values that are assigned


@final
class Ranges(IntervalAnalysis):
    """Intervals of variables, channels and locals by name. ``fixed`` ones are declared and do not grow."""

    def __init__(
        self,
        known: Mapping[str, Interval],
        fixed: Iterable[str],
        tables: Mapping[str, Value],
        capacities: Mapping[str, int],
    ) -> None:
        super().__init__(known)
        self._capacities = capacities
        self._fixed = frozenset(fixed)
        self._tables = tables

    def bounds(self, expr: Expr, narrowed: Narrowed | None = None) -> Interval:
        """The interval of an expression."""
        places = narrowed or {}
        match expr:
            case n.Read(variable=name, indices=indices):
                return places.get((name, indices), self.known.get(name, (0, 0)))
            case n.Bound(name=name, domain=domain):
                return places.get((name, ()), self.known.get(name, (domain.low, domain.high)))
            case n.Item(variable=name):
                return self.known[name]
            case n.Length(variable=name):
                return 0, self._capacities[name]
            case n.Binary(operator=operator, left=left, right=right):
                # Never cut off: part of an expression may be larger than what any variable holds.
                return binary_interval(operator, self.bounds(left, places), self.bounds(right, places))
            case n.Unary(operator="-", operand=operand):
                low, high = self.bounds(operand, places)
                return -high, -low
            case _:
                # Constants, tables and truth values: no variable decides their bounds.
                return Bounds({}, self._tables).of(expr)

    def hold(self, name: str, domain: Domain, value: Interval) -> Interval | None:  # noqa: ARG002 (others need it)
        """Locals have no range of their own."""
        return self.store(name, value)

    def store(self, name: str, value: Interval) -> Interval | None:
        """To leave a declared range is a fault."""
        if name in self._fixed:
            return inside(value, self.known[name])
        self.grow(name, _clamp(value), (-INFINITE, INFINITE))
        return value


class _GivenUp(Exception):
    """A walk is too long, or leaves all bounds."""


def explored_ranges(model: Model, names: Iterable[str]) -> dict[str, Interval] | str:
    """Exact intervals of all values that variables are ever assigned, also those that last only within a program.

    A string says why they were not found. A fault ends what a walk can see, as it ends every search.
    """
    if len(model.rules) > MOST_RULES:
        return f"the process has {len(model.rules):,} transitions, too many to try them all"
    walk = _Walk(model, names)
    try:
        walk.run()
    except _GivenUp as reason:
        return str(reason)
    except FaultRaised as fault:
        return fault.message
    return walk.found


@final
class _Walk:
    """All states of a model, in the reference semantics. The work is bounded by numbers, not by time."""

    def __init__(self, model: Model, names: Iterable[str]) -> None:
        self._cells = Cells(model)
        self._wanted = frozenset(names)
        self._rules = Dispatch(self._cells, model.rules, lambda rule: rule.guard)
        self._work = 0
        self.found: dict[str, Interval] = {}

    def run(self) -> None:
        """Visit every state once."""
        pending: list[State] = []
        seen: set[State] = set()
        for variable in self._cells.model.variables:
            for value in variable.initial if variable.name in self._wanted else ():
                if isinstance(value, int):
                    self._assigned(variable.name, value)
        for state in initial(self._cells.model):
            self._enter(state, seen, pending)
        while pending:
            state = pending.pop()
            for rule in self._rules.candidates(state):
                self._charge()
                outcome = fire(self._cells, rule, (), state, self._assigned)
                if isinstance(outcome, Step):
                    self._enter(outcome.state, seen, pending)

    def _enter(self, state: State, seen: set[State], pending: list[State]) -> None:
        if state not in seen:
            seen.add(state)
            pending.append(state)
            if len(seen) > MOST_STATES:
                raise _GivenUp(f"the process has more than {MOST_STATES:,} states, too many to look at each")

    def _assigned(self, name: str, value: int) -> None:
        self._charge()
        if name in self._wanted:
            if is_unbounded((value, value)):
                raise _GivenUp(f"it gets values such as {value:,}")
            low, high = self.found.get(name, (value, value))
            self.found[name] = min(low, value), max(high, value)

    def _charge(self) -> None:
        self._work += 1
        if self._work > MOST_WORK:
            raise _GivenUp("its programs do too much to try them in every state")


def is_unbounded(interval: Interval) -> bool:
    """Whether an analysis gave up on an interval."""
    return interval[0] <= -INFINITE or interval[1] >= INFINITE


def _clamp(interval: Interval) -> Interval:
    return max(-INFINITE, min(INFINITE, interval[0])), max(-INFINITE, min(INFINITE, interval[1]))


@final
class LocalDomains:
    """Gives the locals of programs their domains; what several rules share is done once."""

    def __init__(self, domains: Mapping[str, Domain]) -> None:
        self._domains = domains
        self._done: dict[int, tuple[Stmt, Stmt]] = {}  # by identity; the node itself is kept, so that it stays one

    def of(self, body: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        """A program whose locals have their domains."""
        return tuple(map(self._statement, body))

    def _statement(self, statement: Stmt) -> Stmt:
        if id(statement) not in self._done:
            self._done[id(statement)] = statement, map_stmt(self._local(statement), self._expr, self.of)
        return self._done[id(statement)][1]

    def _local(self, statement: Stmt) -> Stmt:
        match statement:
            case n.Declare():
                return self._typed(statement)
            case n.Assign(target=n.Bound() as target):
                return replace(statement, target=self._typed(target))
            case _:
                return statement

    def _expr(self, expr: Expr) -> Expr:
        return self._typed(expr) if isinstance(expr, n.Bound) else map_expr(expr, self._expr)

    def _typed(self, node: L) -> L:
        if node.name not in self._domains or node.domain == BOOL:
            return node
        return replace(node, domain=self._domains[node.name])
