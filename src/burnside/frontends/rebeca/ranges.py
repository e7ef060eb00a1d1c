"""Which numbers variables can hold: interval analysis of all programs of a draft.

Every program runs on intervals until nothing grows. What conditions say of single variables is used. Bounds that keep
growing jump to the next constant of the text, and at last to the limits of the type: to leave these is a fault.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias, assert_never, final

from burnside.frontends.rebeca.arithmetic import CAST
from burnside.frontends.rebeca.types import Type, limits
from burnside.ir.intervals import Bounds, Interval, binary_interval
from burnside.ir.nodes import (
    BOOL,
    Assert,
    Assign,
    Binary,
    Bound,
    Choice,
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
    Lookup,
    Pop,
    Push,
    Read,
    Rule,
    Stmt,
    Unary,
    Value,
    Variable,
    While,
)
from burnside.ir.walk import children

PATIENT_ROUNDS: Final = 24
_MIRROR: Final = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
_NEGATED: Final = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}
_LIMITS: Final = limits(Type("int"))

Place: TypeAlias = tuple[str, tuple[Expr, ...]]
Narrowed: TypeAlias = dict[Place, Interval]


class _Impossible(Exception):
    """A program reads from a column that no message has filled: it never runs."""


@final
class RangeAnalysis:
    """Intervals of variables and columns by name, of locals by routine and name."""

    def __init__(
        self, variables: Iterable[Variable], tables: Mapping[str, Value], known: Mapping[str, Interval]
    ) -> None:
        self.known: dict[str, Interval] = dict(known)
        self._variables = {v.name: v for v in variables}
        self._tables = tables
        self._constant = Bounds(self._variables, tables)
        self._round = 0
        self._routine = ""
        self._thresholds: list[int] = []

    def infer(self, rules: Sequence[Rule]) -> dict[str, Interval]:
        """Grow the intervals until every program keeps them."""
        constants = {e.value for r in rules for e in _expressions((*r.body, Assert(r.guard))) if isinstance(e, Const)}
        self._thresholds = sorted({c + d for c in constants for d in (-1, 0, 1)})
        before: dict[str, Interval] | None = None
        while before != self.known:
            before = dict(self.known)
            for rule in rules:
                self._routine = rule.name
                try:
                    self._run(rule.body, {})
                except _Impossible:
                    continue
            self._round += 1
        return self.known

    # ------------------------------------------------------------ expressions

    def bounds(self, expr: Expr, narrowed: Narrowed) -> Interval:
        """The interval of an expression."""
        match expr:
            case Read(variable=name, indices=indices):
                if not _is_number(self._variables[name]):
                    return self._constant.of(expr)
                return narrowed.get((name, indices), self._held(name))
            case Bound(name=name, domain=domain):
                widest = self.known.get(f"{self._routine}/{name}", (domain.low, domain.high))
                return narrowed.get((name, ()), widest)
            case Item(variable=name):
                variable = self._variables[name]
                return self._held(name) if _is_number(variable) else self._constant.of(expr)
            case Lookup(table=table, indices=(value,)) if table.startswith(CAST):
                low, high = limits(Type(table.removeprefix(CAST)))
                least, most = self.bounds(value, narrowed)
                return (least, most) if low <= least and most <= high else (low, high)
            case Binary(operator="/" | "%" as operator, left=left, right=right):
                return _division(operator, self.bounds(left, narrowed), self.bounds(right, narrowed))
            case Binary(operator=operator, left=left, right=right):
                return binary_interval(operator, self.bounds(left, narrowed), self.bounds(right, narrowed))
            case Unary(operator="-", operand=operand):
                low, high = self.bounds(operand, narrowed)
                return -high, -low
            case Choice(condition=condition, then=then, otherwise=otherwise):
                return self._choice(condition, then, otherwise, narrowed)
            case Length() | Lookup() | Const() | Logic() | Unary():
                return self._constant.of(expr)
            case _:
                return 0, 1

    def _choice(self, condition: Expr, then: Expr, otherwise: Expr, narrowed: Narrowed) -> Interval:
        first, second = dict(narrowed), dict(narrowed)
        found = [
            self.bounds(side, world)
            for side, world, test in ((then, first, condition), (otherwise, second, Unary("!", condition)))
            if self._assume(test, world)
        ]
        found = found or [self.bounds(then, narrowed)]
        return min(low for low, _ in found), max(high for _, high in found)

    def _held(self, name: str) -> Interval:
        found = self.known.get(name)
        if found is None:
            raise _Impossible
        return found

    # ------------------------------------------------------------ programs

    def _run(self, body: Iterable[Stmt], narrowed: Narrowed) -> None:
        for statement in body:
            match statement:
                case Assign(target=target, value=value):
                    self._assign(target, self.bounds(value, narrowed), narrowed)
                case Declare(name=name, domain=domain, value=value):
                    self._hold(name, domain, self.bounds(value, narrowed), narrowed)
                case If(condition=condition, then=then, otherwise=otherwise):
                    self._branch(condition, then, otherwise, narrowed)
                case While(condition=condition, body=inner):
                    narrowed.clear()
                    inside: Narrowed = {}
                    if self._assume(condition, inside):
                        self._run(inner, inside)
                    self._assume(Unary("!", condition), narrowed)
                case For(body=inner):
                    narrowed.clear()
                    self._run(inner, {})
                case Push(variable=name, value=value):
                    if _is_number(self._variables[name]) and not _is_filler(value):
                        self._store(name, self.bounds(value, narrowed))
                case Assert(condition=condition):
                    self._assume(condition, narrowed)
                case Pop() | Clear():
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
            self._hold(target.name, target.domain, value, narrowed)
            return
        _forget(target.variable, narrowed)
        if not _is_number(self._variables[target.variable]):
            return
        stored = self._store(target.variable, value)
        if stored is not None and isinstance(target, Read):
            narrowed[target.variable, target.indices] = stored

    def _hold(self, name: str, domain: Domain, value: Interval, narrowed: Narrowed) -> None:
        """A local gets a value."""
        _forget(name, narrowed)
        limit = domain.low, domain.high
        found = _inside(value, limit)
        if found is not None:
            narrowed[name, ()] = found
            self._grow(f"{self._routine}/{name}", found, limit)

    def _store(self, name: str, value: Interval) -> Interval | None:
        """A variable or column gets a value."""
        domain = self._variables[name].domain
        limit = max(_LIMITS[0], domain.low), min(_LIMITS[1], domain.high)
        found = _inside(value, limit)
        if found is not None:
            self._grow(name, found, limit)
        return found

    def _grow(self, name: str, value: Interval, limit: Interval) -> None:
        if name not in self.known:
            self.known[name] = value
            return
        low, high = self.known[name]
        new_low, new_high = min(low, value[0]), max(high, value[1])
        if self._round > PATIENT_ROUNDS:
            new_low = low if new_low == low else self._next_below(new_low, limit[0])
            new_high = high if new_high == high else self._next_above(new_high, limit[1])
        self.known[name] = new_low, new_high

    def _next_above(self, value: int, top: int) -> int:
        k = bisect_left(self._thresholds, value)
        return min(top, self._thresholds[k]) if k < len(self._thresholds) else top

    def _next_below(self, value: int, bottom: int) -> int:
        k = bisect_right(self._thresholds, value)
        return max(bottom, self._thresholds[k - 1]) if k else bottom

    # ------------------------------------------------------------ conditions

    def _assume(self, condition: Expr, narrowed: Narrowed) -> bool:
        """Use what a condition says of single variables; False if it cannot hold."""
        match condition:
            case Const(value=value):
                return bool(value)
            case Unary(operator="!", operand=Const(value=value)):
                return not value
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
            if low <= high:
                match one:
                    case Read(variable=name, indices=indices):
                        narrowed[name, indices] = low, high
                    case Bound(name=name):
                        narrowed[name, ()] = low, high
        return holds


def _division(operator: str, left: Interval, right: Interval) -> Interval:
    """Towards zero: the result is never larger than the operand."""
    low, high = binary_interval(operator, left, right)
    if left[0] >= 0 and right[0] >= 0:
        return low, high
    if operator == "/":
        return low, high + 1
    most = max(abs(right[0]), abs(right[1])) - 1
    return (-min(most, -left[0]) if left[0] < 0 else 0), (min(most, left[1]) if left[1] > 0 else 0)


def _forget(name: str, narrowed: Narrowed) -> None:
    """Leave out what was known of a variable or local that changes, and of elements whose indices depend on it."""
    for place in [p for p in narrowed if p[0] == name or any(_speaks_of(i, name) for i in p[1])]:
        del narrowed[place]


def _speaks_of(expr: Expr, name: str) -> bool:
    names = (e.variable if isinstance(e, Read) else e.name for e in _walk(expr) if isinstance(e, Read | Bound))
    return name in names


def _inside(value: Interval, limit: Interval) -> Interval | None:
    """What is left of an interval: values outside are faults."""
    low, high = max(value[0], limit[0]), min(value[1], limit[1])
    return (low, high) if low <= high else None


def _is_number(variable: Variable) -> bool:
    return variable.domain != BOOL and not variable.domain.index and not variable.domain.is_enumeration


def _is_filler(value: Expr) -> bool:
    return isinstance(value, Const) and value.domain is not None and "none" in value.domain.labels


def _expressions(body: Iterable[Stmt]) -> Iterator[Expr]:
    for statement in body:
        match statement:
            case Assign(value=value) | Declare(value=value) | Push(value=value) | Assert(condition=value):
                yield from _walk(value)
            case If(condition=condition, then=then, otherwise=otherwise):
                yield from _walk(condition)
                yield from _expressions((*then, *otherwise))
            case While(condition=condition, body=inner):
                yield from _walk(condition)
                yield from _expressions(inner)
            case For(body=inner):
                yield from _expressions(inner)
            case _:
                pass


def _walk(expr: Expr) -> Iterator[Expr]:
    yield expr
    for child in children(expr):
        yield from _walk(child)
