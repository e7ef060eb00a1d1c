"""Which numbers variables of actors can hold. Bounds grow up to the limits of the type: to leave these is a fault."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Final, final

from burnside.frontends.rebeca.names.types import Type, limits
from burnside.frontends.rebeca.translate.arithmetic import CASTS
from burnside.frontends.rebeca.translate.shape import Shape
from burnside.ir import nodes as n
from burnside.ir.intervals import Bounds, Interval, binary_interval
from burnside.ir.nodes import BOOL, Domain, Expr, Rule, Variable
from burnside.ir.ranges import IntervalAnalysis, Narrowed, inside
from burnside.ir.uses import elements_used, names_mentioned
from burnside.ir.walk import statements

_LIMITS: Final = limits(Type("int"))


class _Impossible(Exception):
    """A program reads from a column that no message has filled: it never runs."""


@final
class RangeAnalysis(IntervalAnalysis):
    """Intervals of variables and columns by name, of locals by routine and name."""

    def __init__(self, variables: Iterable[Variable], shape: Shape, known: Mapping[str, Interval]) -> None:
        super().__init__(known)
        self._variables = {v.name: v for v in variables}
        self._constant = Bounds(self._variables, shape.tables)
        self._fillers = shape.fillers
        self._routine = ""
        self._reads: dict[str, list[str]] = {}
        self._found: dict[str, list[Interval | None]] = {}

    def run_rule(self, rule: Rule) -> None:
        """Programs of a draft have no guards yet."""
        self._routine = rule.name
        if rule.name not in self._reads:
            declared = {s.name for s in statements(rule.body) if isinstance(s, n.Declare)}
            names = sorted({*(name for name, _ in elements_used(rule)), *names_mentioned(rule.body), *declared})
            self._reads[rule.name] = [*names, *(f"{rule.name}/{name}" for name in names)]
        found = [self.known.get(name) for name in self._reads[rule.name]]
        if self._found.get(rule.name) == found:
            return  # nothing would come of it that has not come of it before
        self._found[rule.name] = found
        with suppress(_Impossible):
            self.run(rule.body, {})

    def hold(self, name: str, domain: Domain, value: Interval) -> Interval | None:
        """To leave the range of a type is a fault."""
        return self._kept(f"{self._routine}/{name}", value, (domain.low, domain.high))

    def store(self, name: str, value: Interval) -> Interval | None:
        """Only numbers have intervals."""
        variable = self._variables[name]
        if not _is_number(variable):
            return None
        domain = variable.domain
        return self._kept(name, value, (max(_LIMITS[0], domain.low), min(_LIMITS[1], domain.high)))

    def push(self, name: str, value: Expr, narrowed: Narrowed) -> None:
        """What fills columns that a message does not use is not a value of theirs."""
        if _is_number(self._variables[name]) and value != self._fillers.get(name):
            super().push(name, value, narrowed)

    def _kept(self, name: str, value: Interval, limit: Interval) -> Interval | None:
        found = inside(value, limit)
        if found is not None:
            self.grow(name, found, limit)
        return found

    # ------------------------------------------------------------ expressions

    def bounds(self, expr: Expr, narrowed: Narrowed) -> Interval:
        """The interval of an expression."""
        match expr:
            case n.Read(variable=name, indices=indices):
                if not _is_number(self._variables[name]):
                    return self._constant.of(expr)
                return narrowed.get((name, indices), self._held(name))
            case n.Bound(name=name, domain=domain):
                widest = self.known.get(f"{self._routine}/{name}", (domain.low, domain.high))
                return narrowed.get((name, ()), widest)
            case n.Item(variable=name):
                variable = self._variables[name]
                return self._held(name) if _is_number(variable) else self._constant.of(expr)
            case n.Lookup(table=table, indices=(value,)) if table in CASTS:
                low, high = limits(CASTS[table])
                least, most = self.bounds(value, narrowed)
                return (least, most) if low <= least and most <= high else (low, high)
            case n.Binary(operator="/" | "%" as operator, left=left, right=right):
                return _division(operator, self.bounds(left, narrowed), self.bounds(right, narrowed))
            case n.Binary(operator=operator, left=left, right=right):
                return binary_interval(operator, self.bounds(left, narrowed), self.bounds(right, narrowed))
            case n.Unary(operator="-", operand=operand):
                low, high = self.bounds(operand, narrowed)
                return -high, -low
            case n.Choice(condition=condition, then=then, otherwise=otherwise):
                return self._choice(condition, then, otherwise, narrowed)
            case n.Length() | n.Lookup() | n.Const() | n.Logic() | n.Unary():
                return self._constant.of(expr)
            case _:
                return 0, 1

    def _choice(self, condition: Expr, then: Expr, otherwise: Expr, narrowed: Narrowed) -> Interval:
        first, second = dict(narrowed), dict(narrowed)
        found = [
            self.bounds(side, world)
            for side, world, test in ((then, first, condition), (otherwise, second, n.Unary("!", condition)))
            if self.assume(test, world)
        ]
        found = found or [self.bounds(then, narrowed)]
        return min(low for low, _ in found), max(high for _, high in found)

    def _held(self, name: str) -> Interval:
        found = self.known.get(name)
        if found is None:
            raise _Impossible
        return found


def _division(operator: str, left: Interval, right: Interval) -> Interval:
    """Towards zero: the result is never larger than the operand."""
    low, high = binary_interval(operator, left, right)
    if left[0] >= 0 and right[0] >= 0:
        return low, high
    if operator == "/":
        return low, high + 1
    most = max(abs(right[0]), abs(right[1])) - 1
    return (-min(most, -left[0]) if left[0] < 0 else 0), (min(most, left[1]) if left[1] > 0 else 0)


def _is_number(variable: Variable) -> bool:
    return variable.domain != BOOL and not variable.domain.index and not variable.domain.is_enumeration
