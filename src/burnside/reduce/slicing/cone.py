"""The cone of influence: which variables, and which locals of programs, something that is asked depends on.

What decides whether a rule fires, which states are initial or terminal, and whether anything faults is always asked. An
assignment to a variable outside the cone is not executed; if it might fault, what its fault depends on is in the cone
(`cut` leaves a check in its place).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never, final

from burnside.ir import nodes as n
from burnside.ir.nodes import Expr, Model, Rule, Stmt
from burnside.ir.uses import free_names, variables_read
from burnside.ir.walk import blocks, children, operands
from burnside.reduce.slicing.faults import FaultFinder
from burnside.values import dataclass


@final
@dataclass(frozen=True, slots=True)
class Needs:
    """What a search looks at besides what every search does: conditions on states, and perhaps arguments of events."""

    conditions: tuple[Expr, ...] = ()
    has_events: bool = False


@final
class Cone:
    """The variables that matter, and the locals that do for each of `Model.programs`, by its number."""

    def __init__(self, model: Model, needs: Needs, *, has_faults: bool = True) -> None:
        """``has_faults`` says whether it matters what could fault."""
        self._model = model
        self._has_events = needs.has_events
        self._locals: list[set[str]] = [set() for _ in model.programs]
        self.faults: FaultFinder | None = None
        self._event_faults: list[bool] = [False] * len(model.programs)
        always = (*model.initially, model.terminal, *(rule.guard for rule in model.programs))
        self.variables = _read_by((*needs.conditions, *always), len(model.variables))
        if self.left_out:
            self._close()
        if self.left_out and has_faults:  # most models end before faults are looked for
            self.faults = FaultFinder(model)
            self._event_faults = [self.faults.judge_rule(rule) for rule in model.programs]
            self._close()
        if has_faults and len(self.left_out) == len(model.variables):  # a state has something in it
            self.variables.add(model.variables[0].name)
            self._close()

    @property
    def left_out(self) -> tuple[str, ...]:
        """The variables that nothing depends on, in order of declaration."""
        return tuple(v.name for v in self._model.variables if v.name not in self.variables)

    # ------------------------------------------------------------ what is kept of a rule

    def keeps_argument(self, number: int, argument: Expr) -> bool:
        """Whether the event of a rule keeps an argument."""
        return self._has_events or self._event_faults[number] or variables_read(argument) <= self.variables

    def keeps(self, number: int, statement: Stmt) -> bool:
        """Whether a statement of a rule is executed, or what it evaluates is checked."""
        return self.executes(number, statement) or self._might_fault(statement)

    def executes(self, number: int, statement: Stmt) -> bool:
        """Whether a statement of a rule does something that matters."""
        match statement:
            case n.Assign(target=target):
                return (
                    target.name in self._locals[number] if isinstance(target, n.Bound) else self._has(target.variable)
                )
            case n.Declare(name=name):
                return name in self._locals[number]
            case n.Push(variable=name) | n.Pop(variable=name) | n.Clear(variable=name):
                return self._has(name)
            case n.If() | n.For():
                return any(self.keeps(number, inner) for block in blocks(statement) for inner in block)
            case n.While() | n.Assert():
                return True
            case _:
                assert_never(statement)

    def _has(self, variable: str) -> bool:
        return variable in self.variables

    def _might_fault(self, statement: Stmt) -> bool:
        return self.faults is not None and self.faults.might_fault(statement)

    # ------------------------------------------------------------ growing

    def _close(self) -> None:
        """Take in what that which matters depends on, until nothing more does."""
        size = -1
        while size != self._size:
            size = self._size
            for number, rule in enumerate(self._model.programs):
                self._look_at(number, rule)

    @property
    def _size(self) -> int:
        return len(self.variables) + sum(map(len, self._locals))

    def _look_at(self, number: int, rule: Rule) -> None:
        if self._has_events or self._event_faults[number]:
            self._need(number, rule.event.arguments)
        self._look_into(number, rule.body)

    def _look_into(self, number: int, body: Iterable[Stmt]) -> None:
        for statement in body:
            for block in blocks(statement):
                self._look_into(number, block)
            if not self.keeps(number, statement):
                continue
            self._need(number, operands(statement))
            if self._might_fault(statement):
                self._need_target(number, statement)

    def _need(self, number: int, exprs: Iterable[Expr]) -> None:
        for expr in exprs:
            self.variables |= variables_read(expr)
            self._locals[number] |= free_names(expr)

    def _need_target(self, number: int, statement: Stmt) -> None:
        """What cannot be checked without being done: a full sequence depends on itself; locals cost nothing."""
        match statement:
            case n.Push(variable=name) | n.Pop(variable=name) | n.Assign(target=n.Item(variable=name)):
                self.variables.add(name)
            case n.Declare(name=name) | n.Assign(target=n.Bound(name=name)):
                self._locals[number].add(name)
            case _:
                pass


def _read_by(exprs: Iterable[Expr], most: int) -> set[str]:
    """The variables that expressions read, at most so many; what is shared by several is looked at once."""
    found: set[str] = set()
    seen: set[int] = set()
    pending = [*exprs]
    while pending and len(found) < most:
        expr = pending.pop()
        if id(expr) not in seen:
            seen.add(id(expr))
            pending.extend(children(expr))
            if isinstance(expr, n.Read | n.Length | n.Item):
                found.add(expr.variable)
    return found
