"""What the ranges of variables say about conditions, whatever the named constants of the model are."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, final

from burnside.ir import nodes as n
from burnside.ir.build import negation
from burnside.ir.intervals import Interval
from burnside.ir.nodes import Domain, Expr, Model, Rule, Variable
from burnside.ir.ranges import IntervalAnalysis, Narrowed, NarrowedBounds, inside
from burnside.ir.uses import is_named, variables_written

_WORD: Final = re.compile(r"\w+")
_LARGE: Final = 1 << 62
_ANY: Final = (-_LARGE, _LARGE)


@final
class _Bounds(NarrowedBounds):
    """Bounds in which a named constant may be anything, and so may what it is the size of."""

    def of(self, expr: Expr) -> Interval:
        """The least and greatest value ``expr`` might have."""
        match expr:
            case n.Const() if is_named(expr):
                return _ANY
            case n.Lookup():
                return _ANY
            case n.Checked(domain=domain) if domain.sized:
                return _ANY
            case n.Bound(name=name, domain=domain):
                return self.narrowed.get((name, ())) or _declared(domain)
            case n.Length(variable=name, indices=indices):  # capacities are often given by constants
                return self.narrowed.get((name, indices)) or (0, _LARGE)
            case n.Quantified(quantifier="count" | "sum", domain=domain) if domain.sized:
                return _ANY
            case _:
                return super().of(expr)


@final
class Values(IntervalAnalysis):
    """Conditions judged by the ranges of variables: those declared, or those they take from their initial values on."""

    def __init__(self, model: Model) -> None:
        super().__init__({v.name: _declared(v.domain) for v in model.variables})
        self._variables = {v.name: v for v in model.variables}
        tables = {c.name: c.value for c in model.constants if isinstance(c.value, tuple)}
        self._started = set[str]().union(*(variables_written(start.body) for start in model.starts))
        self._constants = {c.name for c in model.constants}
        self._bounds = _Bounds(self._variables, tables, self.known)

    def spread(self, rules: Sequence[Rule]) -> None:
        """Find out which values variables take."""
        self.known.update({name: self._initially(variable) for name, variable in self._variables.items()})
        self.infer(rules)

    def _initially(self, variable: Variable) -> Interval:
        """What elements of a variable hold at first; of a sequence, its items. Nothing is an interval of one."""
        values = [v for value in variable.initial for v in (value if isinstance(value, tuple) else (value,))]
        known = [v for v in values if v is not None]
        if variable.name in self._started:
            return _declared(variable.domain)
        words = {word for span in variable.initial_spans for word in _WORD.findall(span.text)}
        if not known or len(known) < len(values) or words & self._constants:
            return _declared(variable.domain)
        return min(known), max(known)

    # ------------------------------------------------------------ conditions

    def assume(self, condition: Expr, narrowed: Narrowed) -> bool:
        """Use what a condition says of single places; False if it cannot hold."""
        match condition:
            case (n.Const() as constant) | n.Unary(operator="!", operand=n.Const() as constant) if is_named(constant):
                return True
            case _:
                return super().assume(condition, narrowed)

    def is_always(self, condition: Expr) -> bool:
        """Whether a condition is certain to be true, wherever it has a value."""
        match condition:
            case n.Const(value=value):
                return bool(value) and not is_named(condition)
            case n.Logic(operator="&&", operands=operands):
                return all(map(self.is_always, operands))
            case n.Logic(operands=operands):
                return any(map(self.is_always, operands))
            case n.Quantified(quantifier="forall" | "exists", body=body):
                return self.is_always(body)
            case n.Binary(operator="=>", left=left, right=right):
                return self.is_never(left) or self.is_always(right)
            case _:
                return not self.assume(negation(condition), {})

    def is_never(self, condition: Expr) -> bool:
        """Whether a condition is certain to be false, wherever it has a value."""
        match condition:
            case n.Const(value=value):
                return not value and not is_named(condition)
            case n.Logic(operator="&&", operands=operands):
                return any(map(self.is_never, operands)) or not self.assume(condition, {})
            case n.Logic(operands=operands):
                return all(map(self.is_never, operands))
            case n.Quantified(quantifier="forall" | "exists", body=body):
                return self.is_never(body)
            case _:
                return not self.assume(condition, {})

    # ------------------------------------------------------------ the analysis

    def bounds(self, expr: Expr, narrowed: Narrowed) -> Interval:
        """The interval of an expression."""
        return self._bounds.within(expr, narrowed)

    def hold(self, name: str, domain: Domain, value: Interval) -> Interval | None:  # noqa: ARG002 (others need it)
        """To leave the domain of a local is a fault."""
        return inside(value, _declared(domain))

    def store(self, name: str, value: Interval) -> Interval | None:
        """To leave the domain of a variable is a fault."""
        limit = _declared(self._variables[name].domain)
        found = inside(value, limit)
        if found is not None:
            self.grow(name, found, limit)
        return found


def _declared(domain: Domain) -> Interval:
    return _ANY if domain.sized else (domain.low, domain.high)
