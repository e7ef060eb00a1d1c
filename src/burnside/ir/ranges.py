"""Which numbers variables can hold: programs run on intervals until nothing grows.

What conditions say of single places is used as long as it is true. Bounds that keep growing jump to the next constant
of the programs, and at last to a limit. Where values are kept, and which of them are faults, differs between languages:
that is left to them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias, assert_never

from burnside.ir import nodes as n
from burnside.ir.intervals import Bounds, Interval
from burnside.ir.nodes import Domain, Expr, Rule, Stmt, Value, Variable
from burnside.ir.uses import variables_read
from burnside.ir.walk import parts

PATIENT_ROUNDS: Final = 24
HASTY_ROUNDS: Final = 200  # after so many, bounds that still grow jump to their limit at once

Place: TypeAlias = tuple[str, tuple[Expr, ...]]
Narrowed: TypeAlias = dict[Place, Interval]  # what is known of single places, for now

_MIRROR: Final = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
_NEGATED: Final = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}


class NarrowedBounds(Bounds):
    """Bounds of expressions where more is known of some places than their domains: for now, or by name for ever."""

    def __init__(
        self,
        variables: Mapping[str, Variable],
        tables: Mapping[str, Value],
        known: Mapping[str, Interval] | None = None,
    ) -> None:
        super().__init__(variables, tables)
        self.narrowed: Narrowed = {}
        self._known = known or {}

    def within(self, expr: Expr, narrowed: Narrowed) -> Interval:
        """The same where this is known of single places."""
        self.narrowed = narrowed
        return self.of(expr)

    def of(self, expr: Expr) -> Interval:
        """The least and greatest value ``expr`` might have."""
        match expr:
            case n.Read(variable=name, indices=indices):
                return self.narrowed.get((name, indices)) or self._known.get(name) or super().of(expr)
            case n.Length(variable=name, indices=indices):
                return self.narrowed.get((name, indices)) or super().of(expr)
            case n.Bound(name=name):
                return self.narrowed.get((name, ())) or super().of(expr)
            case n.Item(variable=name):
                return self._known.get(name) or super().of(expr)
            case _:
                return super().of(expr)


class IntervalAnalysis(ABC):
    """Intervals of what programs hold, by name."""

    def __init__(self, known: Mapping[str, Interval]) -> None:
        self.known: dict[str, Interval] = dict(known)
        self._round = 0
        self._thresholds: list[int] = []

    def infer(self, rules: Sequence[Rule]) -> dict[str, Interval]:
        """Grow the intervals until every rule keeps them."""
        self._thresholds = sorted({c + d for rule in rules for c in _constants(rule) for d in (-1, 0, 1)})
        self._round = 0
        before: dict[str, Interval] | None = None
        while before != self.known:
            before = dict(self.known)
            for rule in rules:
                self.run_rule(rule)
            self._round += 1
        return self.known

    # ------------------------------------------------------------ what languages say

    @abstractmethod
    def bounds(self, expr: Expr, narrowed: Narrowed) -> Interval:
        """The interval of an expression."""

    @abstractmethod
    def hold(self, name: str, domain: Domain, value: Interval) -> Interval | None:
        """A local gets a value; what it can be if that is no fault."""

    @abstractmethod
    def store(self, name: str, value: Interval) -> Interval | None:
        """A variable, or one of its elements, gets a value; what it can be if that is no fault."""

    def push(self, name: str, value: Expr, narrowed: Narrowed) -> None:
        """A sequence gets one more item."""
        self.store(name, self.bounds(value, narrowed))

    def run_rule(self, rule: Rule) -> None:
        """Let a rule fire where it can."""
        narrowed: Narrowed = {}
        if self.assume(rule.guard, narrowed):
            self.run(rule.body, narrowed)

    # ------------------------------------------------------------ programs

    def run(self, body: Iterable[Stmt], narrowed: Narrowed) -> None:
        """Run a program; afterwards ``narrowed`` is true of its end."""
        for statement in body:
            match statement:
                case (
                    n.Assign(target=n.Bound(name=name, domain=domain), value=value)
                    | n.Declare(name=name, domain=domain, value=value)
                ):
                    found = self.hold(name, domain, self.bounds(value, narrowed))
                    _forget(name, narrowed)
                    if found is not None:
                        narrowed[name, ()] = found
                case n.Assign(target=target, value=value):
                    self._assign(target, value, narrowed)
                case n.If(condition=condition, then=then, otherwise=otherwise):
                    self._branch(condition, then, otherwise, narrowed)
                case n.While(condition=condition, body=inner):
                    narrowed.clear()
                    inside: Narrowed = {}
                    if self.assume(condition, inside):
                        self.run(inner, inside)
                    self.assume(n.Unary("!", condition), narrowed)
                case n.For(body=inner):
                    narrowed.clear()
                    self.run(inner, {})
                case n.Push(variable=name, value=value):
                    self.push(name, value, narrowed)
                    _forget(name, narrowed)
                case n.Pop(variable=name) | n.Clear(variable=name):
                    _forget(name, narrowed)
                case n.Assert(condition=condition):
                    self.assume(condition, narrowed)
                case _:
                    assert_never(statement)

    def _assign(self, target: n.Read | n.Item | n.Bound, value: Expr, narrowed: Narrowed) -> None:
        assert not isinstance(target, n.Bound)
        found = self.store(target.variable, self.bounds(value, narrowed))
        if isinstance(target, n.Item):
            _forget(target.variable, narrowed)
            return
        _forget(target.variable, narrowed, besides=target.indices)
        # An index that reads the variable means another element from now on.
        if found is not None and not any(_speaks_of(i, target.variable) for i in target.indices):
            narrowed[target.variable, target.indices] = found

    def _branch(self, condition: Expr, then: Iterable[Stmt], otherwise: Iterable[Stmt], narrowed: Narrowed) -> None:
        first, second = dict(narrowed), dict(narrowed)
        goes, stays = self.assume(condition, first), self.assume(n.Unary("!", condition), second)
        if goes:
            self.run(then, first)
        if stays:
            self.run(otherwise, second)
        narrowed.clear()
        if goes and stays:
            for place in first.keys() & second.keys():
                (a, b), (c, d) = first[place], second[place]
                narrowed[place] = min(a, c), max(b, d)
        else:
            narrowed.update(first if goes else second)

    def grow(self, name: str, value: Interval, limit: Interval) -> None:
        """Something holds these values too; bounds that still grow after many rounds jump, up to the limit."""
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
        k = bisect_left(self._thresholds, value) if self._round < HASTY_ROUNDS else len(self._thresholds)
        return min(top, self._thresholds[k]) if k < len(self._thresholds) else top

    def _next_below(self, value: int, bottom: int) -> int:
        k = bisect_right(self._thresholds, value) if self._round < HASTY_ROUNDS else 0
        return max(bottom, self._thresholds[k - 1]) if k else bottom

    # ------------------------------------------------------------ conditions

    def assume(self, condition: Expr, narrowed: Narrowed) -> bool:
        """Use what a condition says of single places; False if it cannot hold."""
        match condition:
            case n.Const(value=value):
                return bool(value)
            case n.Unary(operator="!", operand=n.Const(value=value)):
                return not value
            case n.Logic(operator="&&", operands=operands):
                return all(self.assume(o, narrowed) for o in operands)
            case n.Unary(operator="!", operand=n.Unary(operator="!", operand=inner)):
                return self.assume(inner, narrowed)
            case n.Unary(operator="!", operand=n.Logic(operator="||", operands=operands)):
                return all(self.assume(n.Unary("!", o), narrowed) for o in operands)
            case n.Unary(operator="!", operand=n.Binary() as test) if test.operator in _NEGATED:
                return self._compare(_NEGATED[test.operator], test.left, test.right, narrowed)
            case n.Binary(operator=operator, left=left, right=right) if operator in _MIRROR:
                return self._compare(operator, left, right, narrowed)
            case _:
                return True

    def _compare(self, operator: str, left: Expr, right: Expr, narrowed: Narrowed) -> bool:
        holds = True
        for one, other, how in ((left, right, operator), (right, left, _MIRROR[operator])):
            low, high = _narrowed_by(how, self.bounds(one, narrowed), self.bounds(other, narrowed))
            if low > high:
                holds = False
                continue
            match one:
                case n.Read(variable=name, indices=indices) | n.Length(variable=name, indices=indices):
                    narrowed[name, indices] = low, high
                case n.Bound(name=name):
                    narrowed[name, ()] = low, high
        return holds


def inside(value: Interval, limit: Interval) -> Interval | None:
    """What is left of an interval within a limit."""
    low, high = max(value[0], limit[0]), min(value[1], limit[1])
    return (low, high) if low <= high else None


def _narrowed_by(operator: str, interval: Interval, other: Interval) -> Interval:
    """The values that compare so with some value of the other interval."""
    (low, high), (a, b) = interval, other
    match operator:
        case "<":
            return low, min(high, b - 1)
        case "<=":
            return low, min(high, b)
        case ">":
            return max(low, a + 1), high
        case ">=":
            return max(low, a), high
        case "==":
            return max(low, a), min(high, b)
        case _:
            return (low + (low == a), high - (high == a)) if a == b else (low, high)


def _forget(name: str, narrowed: Narrowed, *, besides: tuple[Expr, ...] | None = None) -> None:
    """Leave out what was known of something that changes, and of elements whose indices depend on it.

    If only one element changes, at given indices, others are kept where numbers tell that they are others.
    """
    narrowed.pop((name, ()), None)
    for place in [place for place in narrowed if place[1]]:
        variable, indices = place
        is_other = besides is not None and _are_different_numbers(indices, besides)
        if (variable == name and not is_other) or any(_speaks_of(i, name) for i in indices):
            del narrowed[place]


def _are_different_numbers(first: tuple[Expr, ...], second: tuple[Expr, ...]) -> bool:
    return any(
        isinstance(i, n.Const) and isinstance(j, n.Const) and i.value != j.value
        for i, j in zip(first, second, strict=False)
    )


def _speaks_of(expr: Expr, name: str) -> bool:
    return name in variables_read(expr) or any(isinstance(e, n.Bound) and e.name == name for e in parts(expr))


def _constants(rule: Rule) -> Iterator[int]:
    for expr in (rule.guard, *_values(rule.body)):
        yield from (e.value for e in parts(expr) if isinstance(e, n.Const))


def _values(body: Iterable[Stmt]) -> Iterator[Expr]:
    """What is computed in a program, but for indices."""
    for statement in body:
        match statement:
            case n.Assign(value=value) | n.Declare(value=value) | n.Push(value=value) | n.Assert(condition=value):
                yield value
            case n.If(condition=condition, then=then, otherwise=otherwise):
                yield condition
                yield from _values((*then, *otherwise))
            case n.While(condition=condition, body=inner):
                yield condition
                yield from _values(inner)
            case n.For(body=inner):
                yield from _values(inner)
            case n.Pop() | n.Clear():
                pass
            case _:
                assert_never(statement)
