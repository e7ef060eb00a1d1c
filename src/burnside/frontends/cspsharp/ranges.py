"""Finite domains for variables without a range: interval analysis of all programs, and if that is not enough a walk.

The analysis runs every rule on intervals until nothing grows. What guards say of single variables is used. Bounds
that keep growing jump to the next constant of the model, and at last to infinity. A variable that then has no bounds
gets exact ones if the model has few states.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final, TypeAlias, assert_never, final

from burnside.ir.intervals import Bounds, Interval, binary_interval
from burnside.ir.nodes import (
    Assert,
    Assign,
    Binary,
    Bound,
    Clear,
    Const,
    Declare,
    Domain,
    Expr,
    For,
    If,
    Item,
    Length,
    Logic,
    Model,
    Pop,
    Push,
    Read,
    Rule,
    Stmt,
    Unary,
    Value,
    While,
)
from burnside.ir.semantics import Fault, FaultRaised, initial, successors
from burnside.ir.walk import children

INFINITE: Final = 1 << 31
PATIENT_ROUNDS: Final = 24
MOST_STATES: Final = 3_000

Place: TypeAlias = tuple[str, tuple[int, ...]]
Narrowed: TypeAlias = dict[Place, Interval]

_MIRROR: Final = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
_NEGATED: Final = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}


@final
class Ranges:
    """Intervals of variables, channels and locals by name. ``fixed`` ones are declared and do not grow."""

    def __init__(
        self,
        known: Mapping[str, Interval],
        fixed: Iterable[str],
        tables: Mapping[str, Value],
        capacities: Mapping[str, int],
    ) -> None:
        self.known: dict[str, Interval] = dict(known)
        self._capacities = capacities
        self._fixed = frozenset(fixed)
        self._tables = tables
        self._round = 0
        self._thresholds: list[int] = []

    def infer(self, rules: Sequence[Rule]) -> None:
        """Grow the intervals until every rule keeps them."""
        self._thresholds = sorted({c + d for rule in rules for c in _constants(rule) for d in (-1, 0, 1)})
        before: dict[str, Interval] = {}
        self._round = 0
        while before != self.known:
            before = dict(self.known)
            for rule in rules:
                narrowed: Narrowed = {}
                if self._assume(rule.guard, narrowed):
                    self._run(rule.body, narrowed)
            self._round += 1

    def bounds(self, expr: Expr, narrowed: Narrowed | None = None) -> Interval:
        """The interval of an expression."""
        places = narrowed or {}
        widest = self.known
        match expr:
            case Read(variable=name, indices=indices):
                place = _place(name, indices)
                return places.get(place, widest.get(name, (0, 0))) if place else widest.get(name, (0, 0))
            case Bound(name=name, domain=domain):
                return places.get((name, ()), widest.get(name, (domain.low, domain.high)))
            case Item(variable=name):
                return widest[name]
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

    # ------------------------------------------------------------ programs

    def _run(self, body: Iterable[Stmt], narrowed: Narrowed) -> None:
        for statement in body:
            match statement:
                case Assign(target=target, value=value):
                    self._assign(target, self.bounds(value, narrowed), narrowed)
                case Declare(name=name, value=value):
                    narrowed[name, ()] = self.bounds(value, narrowed)
                    self._grow(name, narrowed[name, ()])
                case If(condition=condition, then=then, otherwise=otherwise):
                    self._branch(condition, then, otherwise, narrowed)
                case While(condition=condition, body=inner):
                    narrowed.clear()
                    inside: Narrowed = {}
                    if self._assume(condition, inside):
                        self._run(inner, inside)
                case For(body=inner):
                    narrowed.clear()
                    self._run(inner, {})
                case Push(variable=name, value=value):
                    self._grow(name, self.bounds(value, narrowed))
                case Pop() | Clear() | Assert():
                    pass
                case _:
                    assert_never(statement)

    def _branch(self, condition: Expr, then: Iterable[Stmt], otherwise: Iterable[Stmt], narrowed: Narrowed) -> None:
        first, second = dict(narrowed), dict(narrowed)
        goes, stays = self._assume(condition, first), self._assume(Unary("!", condition), second)
        if goes:
            self._run(then, first)
        if stays:
            self._run(otherwise, second)
        narrowed.clear()
        if goes and stays:
            for place in first.keys() & second.keys():
                (a, b), (c, d) = first[place], second[place]
                narrowed[place] = min(a, c), max(b, d)
        else:
            narrowed.update(first if goes else second)

    def _assign(self, target: Read | Item | Bound, value: Interval, narrowed: Narrowed) -> None:
        if isinstance(target, Bound):
            narrowed[target.name, ()] = value
            self._grow(target.name, value)
            return
        name = target.variable
        if isinstance(target, Item):
            self._grow(name, value)
            return
        place = _place(name, target.indices)
        low, high = self.known[name]
        # Leaving a declared range is a fault, so what goes on is inside.
        kept = (max(low, value[0]), min(high, value[1])) if name in self._fixed else value
        if place is None:
            for other in [p for p in narrowed if p[0] == name]:
                del narrowed[other]
        elif kept[0] <= kept[1]:
            narrowed[place] = kept
        self._grow(name, value)

    def _grow(self, name: str, value: Interval) -> None:
        if name in self._fixed:
            return
        if name not in self.known:
            self.known[name] = _clamp(value)
            return
        low, high = self.known[name]
        new_low, new_high = min(low, value[0]), max(high, value[1])
        if self._round > PATIENT_ROUNDS:
            new_low = low if new_low == low else self._next_below(new_low)
            new_high = high if new_high == high else self._next_above(new_high)
        self.known[name] = _clamp((new_low, new_high))

    def _next_above(self, value: int) -> int:
        k = bisect_left(self._thresholds, value)
        return self._thresholds[k] if k < len(self._thresholds) else INFINITE

    def _next_below(self, value: int) -> int:
        k = bisect_right(self._thresholds, value)
        return self._thresholds[k - 1] if k else -INFINITE

    # ------------------------------------------------------------ conditions

    def _assume(self, condition: Expr, narrowed: Narrowed) -> bool:
        """Use what a condition says of single variables; False if it cannot hold."""
        match condition:
            case Const(value=value):
                return bool(value)
            case Logic(operator="&&", operands=operands):
                return all(self._assume(o, narrowed) for o in operands)
            case Unary(operator="!", operand=Unary(operator="!", operand=inner)):
                return self._assume(inner, narrowed)
            case Unary(operator="!", operand=Logic(operator="||", operands=operands)):
                return all(self._assume(Unary("!", o), narrowed) for o in operands)
            case Unary(operator="!", operand=Binary(operator=operator, left=left, right=right)) if operator in _NEGATED:
                return self._compare(_NEGATED[operator], left, right, narrowed)
            case Binary(operator=operator, left=left, right=right) if operator in _MIRROR:
                return self._compare(operator, left, right, narrowed)
            case _:
                return True

    def _compare(self, operator: str, left: Expr, right: Expr, narrowed: Narrowed) -> bool:
        holds = True
        for one, other, how in ((left, right, operator), (right, left, _MIRROR[operator])):
            place = _place(one.variable, one.indices) if isinstance(one, Read) else None
            place = (one.name, ()) if isinstance(one, Bound) else place
            low, high = self.bounds(one, narrowed)
            a, b = self.bounds(other, narrowed)
            match how:
                case "<":
                    high = min(high, b - 1)
                case "<=":
                    high = min(high, b)
                case ">":
                    low = max(low, a + 1)
                case ">=":
                    low = max(low, a)
                case "==":
                    low, high = max(low, a), min(high, b)
                case _ if a == b:
                    low, high = low + (low == a), high - (high == a)
            holds = holds and low <= high
            if place is not None and low <= high:
                narrowed[place] = low, high
        return holds


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


def _place(name: str, indices: Sequence[Expr]) -> Place | None:
    values = tuple(i.value for i in indices if isinstance(i, Const))
    return (name, values) if len(values) == len(indices) else None


def _walk(expr: Expr) -> Iterator[Expr]:
    yield expr
    for child in children(expr):
        yield from _walk(child)


def _constants(rule: Rule) -> Iterator[int]:
    for expr in (rule.guard, *_expressions(rule.body)):
        yield from (e.value for e in _walk(expr) if isinstance(e, Const))


def _expressions(body: Iterable[Stmt]) -> Iterator[Expr]:
    for statement in body:
        match statement:
            case Assign(value=value) | Declare(value=value) | Push(value=value):
                yield value
            case If(condition=condition, then=then, otherwise=otherwise):
                yield condition
                yield from _expressions((*then, *otherwise))
            case While(condition=condition, body=inner):
                yield condition
                yield from _expressions(inner)
            case For(body=inner):
                yield from _expressions(inner)


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
    if isinstance(node, Bound | Declare) and node.name in domains and node.domain.size > 2:
        node = replace(node, domain=domains[node.name])
    fields = getattr(node, "__dataclass_fields__", None)
    if fields is None or isinstance(node, Domain | Bound):
        return node
    new = {f: _replace(getattr(node, f), domains) for f in fields if f not in ("span", "domain")}
    return replace(node, **new)  # type: ignore[type-var]
