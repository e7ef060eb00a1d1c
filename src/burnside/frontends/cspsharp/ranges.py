"""Finite domains for variables without a range: interval analysis of all programs, and if that is not enough a walk.

A variable that has no bounds after the analysis gets exact ones if the model has few states.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final, final

from burnside.ir.intervals import Bounds, Interval, binary_interval
from burnside.ir.nodes import BOOL, Binary, Bound, Declare, Domain, Expr, Item, Length, Model, Read, Stmt, Unary, Value
from burnside.ir.ranges import IntervalAnalysis, Narrowed, inside
from burnside.ir.semantics import Fault, FaultRaised, initial, successors

INFINITE: Final = 1 << 31
MOST_STATES: Final = 3_000


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
            case Read(variable=name, indices=indices):
                return places.get((name, indices), self.known.get(name, (0, 0)))
            case Bound(name=name, domain=domain):
                return places.get((name, ()), self.known.get(name, (domain.low, domain.high)))
            case Item(variable=name):
                return self.known[name]
            case Length(variable=name):
                return 0, self._capacities[name]
            case Binary(operator=operator, left=left, right=right):
                return _clamp(binary_interval(operator, self.bounds(left, places), self.bounds(right, places)))
            case Unary(operator="-", operand=operand):
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


def explored_ranges(model: Model, names: Iterable[str]) -> dict[str, Interval] | None:
    """Exact intervals of variables, or None if the model has too many states or faults."""
    wanted = set(names)
    found: dict[str, Interval] = {}
    seen: set[tuple[int, ...]] = set()
    try:
        level = []
        for state in initial(model):
            level.append(state)
            if len(level) > MOST_STATES:
                return None
        while level:
            state = level.pop()
            if state in seen:
                continue
            seen.add(state)
            if len(seen) > MOST_STATES:
                return None
            _note(model, state, wanted, found)
            for outcome in successors(model, state):
                if isinstance(outcome, Fault):
                    return None
                level.append(outcome.state)
    except FaultRaised:
        return None
    return found


def _note(model: Model, state: Sequence[int], wanted: set[str], found: dict[str, Interval]) -> None:
    position = 0
    for variable in model.variables:
        width = variable.elements * (1 + (variable.capacity or 0))
        if variable.name in wanted and not variable.is_sequence:
            low, high = min(state[position : position + width]), max(state[position : position + width])
            a, b = found.get(variable.name, (low, high))
            found[variable.name] = min(a, low), max(b, high)
        position += width


def is_unbounded(interval: Interval) -> bool:
    """Whether an analysis gave up on an interval."""
    return interval[0] <= -INFINITE or interval[1] >= INFINITE


def _clamp(interval: Interval) -> Interval:
    return max(-INFINITE, min(INFINITE, interval[0])), max(-INFINITE, min(INFINITE, interval[1]))


def with_locals(body: tuple[Stmt, ...], domains: Mapping[str, Domain]) -> tuple[Stmt, ...]:
    """A program whose locals have the given domains."""
    return tuple(_rebuilt(s, domains) for s in body)


def _rebuilt(node: Stmt, domains: Mapping[str, Domain]) -> Stmt:
    changed = _replace(node, domains)
    assert isinstance(changed, Stmt)
    return changed


def _replace(node: object, domains: Mapping[str, Domain]) -> object:
    if isinstance(node, tuple):
        return tuple(_replace(n, domains) for n in node)
    if isinstance(node, Bound | Declare) and node.name in domains and node.domain != BOOL:
        node = replace(node, domain=domains[node.name])
    fields = getattr(node, "__dataclass_fields__", None)
    if fields is None or isinstance(node, Domain | Bound):
        return node
    new = {f: _replace(getattr(node, f), domains) for f in fields if f not in ("span", "domain")}
    return replace(node, **new)  # type: ignore[type-var]
