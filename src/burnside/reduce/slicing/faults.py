"""Which statements of a program might fault, judged by domains and by what guards and conditions say on the way.

``if x < 5 { x := x + 1; }`` cannot leave ``0..5``: the condition is still true where the assignment is reached. What is
known of a place is forgotten as soon as it is written (`burnside.ir.ranges`). Bounds may be too wide, never too narrow,
so a statement that is not found here does not fault in any state whose values fit their domains.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never, final

from burnside.ir import nodes as n
from burnside.ir.intervals import Interval
from burnside.ir.nodes import Domain, Expr, Model, Rule, Stmt
from burnside.ir.ranges import IntervalAnalysis, Narrowed, NarrowedBounds, inside
from burnside.ir.uses import Faults
from burnside.ir.walk import operands


@final
class FaultFinder(IntervalAnalysis):
    """Finds the statements and events of rules that might fault, rule by rule."""

    def __init__(self, model: Model) -> None:
        self._variables = {v.name: v for v in model.variables}
        self._tables = {c.name: c.value for c in model.constants if isinstance(c.value, tuple)}
        super().__init__({v.name: (v.domain.low, v.domain.high) for v in model.variables})
        self._bounds = NarrowedBounds(self._variables, self._tables)
        self._found: dict[int, Stmt] = {}  # by identity; the node itself is kept, so that it stays one

    def might_fault(self, statement: Stmt) -> bool:
        """Whether a statement of a rule that was looked at might fault, apart from those in its blocks."""
        return id(statement) in self._found

    def judge_rule(self, rule: Rule) -> bool:
        """Look at the statements of a rule; whether its event might fault."""
        narrowed: Narrowed = {}
        if not self.assume(rule.guard, narrowed):
            return False  # it never fires
        faults = self._faults(narrowed)
        event = any(map(faults.possible, rule.event.arguments))
        self.run(rule.body, narrowed)
        return event

    # ------------------------------------------------------------ the analysis

    def bounds(self, expr: Expr, narrowed: Narrowed) -> Interval:
        """The interval of an expression."""
        return self._bounds.within(expr, narrowed)

    def hold(self, name: str, domain: Domain, value: Interval) -> Interval | None:  # noqa: ARG002 (others need it)
        """To leave the domain of a local is a fault."""
        return inside(value, (domain.low, domain.high))

    def store(self, name: str, value: Interval) -> Interval | None:
        """To leave the domain of a variable is a fault."""
        return inside(value, self.known[name])

    def run(self, body: Iterable[Stmt], narrowed: Narrowed) -> None:
        """Run a program, and judge each statement where it is reached."""
        for statement in body:
            if self._might_fault(statement, narrowed):
                self._found[id(statement)] = statement
            super().run((statement,), narrowed)

    # ------------------------------------------------------------ single statements

    def _faults(self, narrowed: Narrowed) -> Faults:
        self._bounds.narrowed = narrowed
        return Faults(self._variables, self._tables, self._bounds)

    def _might_fault(self, statement: Stmt, narrowed: Narrowed) -> bool:
        faults = self._faults(narrowed)
        return any(map(faults.possible, operands(statement))) or self._might_fail(statement, faults)

    def _might_fail(self, statement: Stmt, faults: Faults) -> bool:
        """Whether a statement might fault although what it evaluates has values."""
        match statement:
            case n.Assign(target=n.Bound(domain=domain), value=value) | n.Declare(domain=domain, value=value):
                return not faults.is_within(value, domain)
            case n.Assign(target=n.Read(variable=name, indices=indices), value=value):
                return self._is_outside(name, indices, faults) or self._is_unfit(name, value, faults)
            case n.Push(variable=name, indices=indices, value=value):
                _, longest = faults.bounds.of(n.Length(name, indices))
                might_fill = longest >= (self._variables[name].capacity or 0)
                return might_fill or self._is_outside(name, indices, faults) or self._is_unfit(name, value, faults)
            case n.Pop(variable=name, indices=indices):
                shortest, _ = faults.bounds.of(n.Length(name, indices))
                return shortest < 1 or self._is_outside(name, indices, faults)
            case n.Clear(variable=name, indices=indices):
                return self._is_outside(name, indices, faults)
            case n.If() | n.For():
                return False
            case n.While() | n.Assert() | n.Assign():  # what is left of assignments is to items
                return True
            case _:
                assert_never(statement)

    def _is_outside(self, name: str, indices: tuple[Expr, ...], faults: Faults) -> bool:
        return not faults.are_within(indices, self._variables[name].dimensions)

    def _is_unfit(self, name: str, value: Expr, faults: Faults) -> bool:
        return not faults.is_within(value, self._variables[name].domain)
