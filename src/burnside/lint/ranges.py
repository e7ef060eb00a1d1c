"""What the ranges of variables say about conditions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, final

from burnside.ir import nodes as n
from burnside.ir.build import negation
from burnside.ir.intervals import Interval
from burnside.ir.nodes import Domain, Expr, Model, Rule, Variable
from burnside.ir.ranges import IntervalAnalysis, Narrowed, NarrowedBounds, inside

_ANY: Final = (-(1 << 62), 1 << 62)


@final
class _Bounds(NarrowedBounds):
    """Bounds in which a named constant may be anything."""

    def of(self, expr: Expr) -> Interval:
        """The least and greatest value ``expr`` might have."""
        return _ANY if isinstance(expr, n.Const) and is_named(expr) else super().of(expr)


@final
class Values(IntervalAnalysis):
    """Conditions judged by the ranges of variables: those declared, or those they take from their initial values on."""

    def __init__(self, model: Model) -> None:
        super().__init__({v.name: (v.domain.low, v.domain.high) for v in model.variables})
        self._variables = {v.name: v for v in model.variables}
        tables = {c.name: c.value for c in model.constants if isinstance(c.value, tuple)}
        self._bounds = _Bounds(self._variables, tables, self.known)

    def spread(self, rules: Sequence[Rule]) -> None:
        """Find out which values variables take."""
        self.known.update({name: _initially(variable) for name, variable in self._variables.items()})
        self.infer(rules)

    # ------------------------------------------------------------ conditions

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
        return inside(value, (domain.low, domain.high))

    def store(self, name: str, value: Interval) -> Interval | None:
        """To leave the domain of a variable is a fault."""
        domain = self._variables[name].domain
        found = inside(value, (domain.low, domain.high))
        if found is not None:
            self.grow(name, found, (domain.low, domain.high))
        return found


def is_named(constant: n.Const) -> bool:
    """Whether a constant stands in the text under a name of its own, and not as a number or label."""
    if constant.span is None:
        return False
    text = constant.span.text.replace("`", "").strip()
    shown = str(constant.value) if constant.domain is None else constant.domain.text(constant.value)
    return text.rpartition(".")[2].lstrip("-") != shown.lstrip("-")


def _initially(variable: Variable) -> Interval:
    """The values that elements of a variable have at first; of a sequence, its items. Nothing is an interval of one."""
    domain = variable.domain
    values: list[int] = []
    for value in variable.initial:
        if value is None:
            return domain.low, domain.high
        values += value if isinstance(value, tuple) else (value,)
    return (min(values), max(values)) if values else (domain.low, domain.low)
