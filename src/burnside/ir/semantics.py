"""The meaning of a sequential model: ``successors`` in plain Python; ``ir/initial.py`` has where it begins.

This module is the reference. Native code must agree with it, never the reverse. It favours being read
over being fast: one function per idea, no caching, no cleverness.

A *fault* (an index outside its domain, a value leaving the domain of its variable, a division by zero,
a full or empty sequence, a failed assertion, a loop over its limit) is an outcome like a step: it is
never a transition that silently disappears.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TypeAlias, assert_never, final

from burnside.ir.cells import Cells, State, empty_slot, index_outside, item_text, unextended
from burnside.ir.instances import bind, valuations
from burnside.ir.nodes import (
    Assert,
    Assign,
    Binary,
    Bound,
    Checked,
    Choice,
    Clear,
    Const,
    Constant,
    Declare,
    Domain,
    Event,
    Expr,
    For,
    If,
    Item,
    Length,
    Logic,
    Lookup,
    Model,
    Pop,
    Push,
    Quantified,
    Read,
    Rule,
    Stmt,
    Unary,
    Value,
    Variable,
    While,
)
from burnside.ir.operators import FUNCTIONS
from burnside.ir.shown import shown_domain, shown_value
from burnside.ir.spelling import Spelling, argument_texts
from burnside.ir.wholes import Subject
from burnside.source import Span
from burnside.values import dataclass, field

Names: TypeAlias = Mapping[str, int]
ValueOf: TypeAlias = Callable[[Expr], int]
Assigned: TypeAlias = Callable[[str, int], None]


@final
@dataclass(frozen=True, slots=True)
class Step:
    """A transition: the rule that fired, for which parameters, what an observer saw, and the next state."""

    rule: Rule
    arguments: tuple[int, ...]
    event: tuple[str, ...]
    state: State


@final
@dataclass(frozen=True, slots=True)
class Fault:
    """A rule instance (or a property, if ``rule`` is None) that cannot be evaluated, and why."""

    kind: str
    message: str
    span: Span | None = field(compare=False)
    rule: Rule | None = None
    arguments: tuple[int, ...] = ()
    is_limit: bool = False


Outcome: TypeAlias = Step | Fault


class FaultRaised(Exception):
    """Unwinds an evaluation that met a fault; becomes a `Fault` value at the boundary of a rule."""

    def __init__(self, kind: str, message: str, span: Span | None, *, is_limit: bool = False) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.span = span
        self.is_limit = is_limit
        self.start: Fault | None = None  # of a start rule


# ---------------------------------------------------------------- boundary


def successors(model: Model, state: State) -> Iterator[Outcome]:
    """What can happen in a state: one outcome per enabled rule instance, in order of rules and parameters."""
    cells = Cells(model)
    for rule in model.rules:
        for arguments in valuations(rule.parameters):
            outcome = fire(cells, rule, arguments, state)
            if outcome is not None:
                yield outcome


def fire(
    cells: Cells, rule: Rule, arguments: tuple[int, ...], state: State, assigned: Assigned | None = None
) -> Outcome | None:
    """The outcome of one rule instance, or None if its guard is false.

    ``assigned`` is told every value that the program assigns, before it is known to fit.
    """
    names = bind(rule.parameters, arguments)
    try:
        if not evaluate(cells, rule.guard, state, names):
            return None
        event = event_text(cells, rule.event, state, names)
        execution = _Execution(cells, list(state), assigned)
        execution.run(rule.body, names)
        return Step(rule, arguments, event, tuple(execution.state))
    except FaultRaised as fault:
        return Fault(fault.kind, fault.message, fault.span, rule, arguments, fault.is_limit)


def event_text(cells: Cells, event: Event, state: State, names: Names) -> tuple[str, ...]:
    """An event's name and its arguments in the user's words."""
    spelled = [_spelled(cells, a, evaluate(cells, a, state, names)) for a in event.arguments]
    return (event.name, *argument_texts(spelled, event.written))


def is_still(state: State, outcomes: Iterable[Outcome]) -> bool:
    """Whether all that can happen in a state leads back to it; also if nothing can."""
    return all(isinstance(outcome, Step) and outcome.state == state for outcome in outcomes)


def is_terminal(model: Model, state: State) -> bool:
    """Whether having no successor is allowed in this state."""
    return bool(evaluate(Cells(model), model.terminal, state))


def _spelled(cells: Cells, argument: Expr, value: int) -> Spelling:
    return shown_domain(cells.variables, argument) or Domain("", value, value), value


# ---------------------------------------------------------------- expressions


def evaluate(cells: Cells, expr: Expr, state: Sequence[int], names: Names = {}) -> int:  # noqa: B006 (never written)
    """The value of an expression in a state; truth values are 0 and 1."""

    def value(e: Expr) -> int:
        return evaluate(cells, e, state, names)

    match expr:
        case Const(value=constant):
            return constant
        case Bound(name=name):
            return names[name]
        case Read(variable=variable, indices=indices) | Length(variable=variable, indices=indices):
            return state[locate(cells, variable, indices, value, expr.span)]
        case Item(variable=variable, indices=indices, position=position):
            start = locate(cells, variable, indices, value, expr.span)
            return state[locate_item(cells, start, value(position), state, expr)]
        case Lookup(table=table, indices=indices):
            return _look_up(cells.model.constants, table, [value(i) for i in indices], expr.span)
        case Unary(operator=operator, operand=operand):
            return -value(operand) if operator == "-" else int(not value(operand))
        case Binary(operator="=>", left=left, right=right):
            return int(not value(left) or bool(value(right)))
        case Binary(operator="/", right=Const(value=0, lack=lack)) if lack:
            raise FaultRaised("division", lack, expr.span)
        case Binary(operator=operator, left=left, right=right):
            return apply_operator(operator, value(left), value(right), expr.span)
        case Logic(operator="&&", operands=operands):
            return int(all(value(o) for o in operands))
        case Logic(operands=operands):
            return int(any(value(o) for o in operands))
        case Choice(condition=condition, then=then, otherwise=otherwise):
            return value(then) if value(condition) else value(otherwise)
        case Quantified():
            return _quantify(cells, expr, state, names)
        case Checked(operand=operand, domain=domain):
            found = value(operand)
            if found not in domain:
                raise FaultRaised("domain", _not_in(cells, expr, found, value), expr.span)
            return found
        case _:
            assert_never(expr)


def apply_operator(operator: str, left: int, right: int, span: Span | None = None) -> int:
    """A strict binary operator on numbers. Division and remainder round towards minus infinity.

    >>> [apply_operator(o, -7, 2) for o in ("/", "%")]
    [-4, 1]
    """
    if operator in ("/", "%") and right == 0:
        raise FaultRaised("division", "division by zero", span)
    return int(FUNCTIONS[operator](left, right))


def locate(cells: Cells, name: str, indices: Sequence[Expr], value: ValueOf, span: Span | None) -> int:
    """The first cell of an array element; an index outside its dimension is a fault."""
    variable, numbers = cells.variables[name], [value(index) for index in indices]
    position = cells.position(variable, numbers)
    if position is None:
        raise FaultRaised("index", index_outside(cells, variable, indices, numbers), span)
    return position


def locate_item(cells: Cells, start: int, position: int, state: Sequence[int], item: Item) -> int:
    """The cell of a sequence's item; a position outside the sequence is a fault."""
    if not 0 <= position < state[start]:
        name = cells.all[start].sequence_name
        held = f"holds {state[start]} item{'s' if state[start] != 1 else ''}"
        raise FaultRaised("index", f"position {position} of '{name}', which {held}", item.span)
    return start + 1 + position


def _not_in(cells: Cells, expr: Checked, found: int, value: ValueOf) -> str:
    """What is wrong with a value that is checked: a label that the domain does not have, or a number outside."""
    shown, name = shown_domain(cells.variables, expr.operand), _name_of_place(cells, expr.operand, value)
    if name and shown is not None and found in shown and found not in unextended(shown):
        return f"'{name}' is read while it is {shown.text(found)}"
    text, whose = shown_value(cells.variables, expr.operand, found), f" of '{name}'" if name else ""
    return f"value {text}{whose} is outside {expr.domain.low}..{expr.domain.high}"


def _name_of_place(cells: Cells, expr: Expr, value: ValueOf) -> str:
    """The user's name for what an expression reads; nothing if it computes."""
    match expr:
        case Bound(name=name):
            return name
        case Read(variable=variable, indices=indices):
            return cells.all[locate(cells, variable, indices, value, None)].name
        case Choice(condition=condition, then=then, otherwise=otherwise):
            return _name_of_place(cells, then if value(condition) else otherwise, value)
        case Item(variable=variable, indices=indices, position=position):
            start = locate(cells, variable, indices, value, None)
            return cells.all[start + 1 + value(position)].name
        case _:
            return ""


def _look_up(constants: Sequence[Constant], table: str, indices: Sequence[int], span: Span | None) -> int:
    value: Value = next(c.value for c in constants if c.name == table)
    for index in indices:
        assert isinstance(value, tuple)
        if not 0 <= index < len(value):
            raise FaultRaised("index", f"index {index} of '{table}' is outside 0..{len(value) - 1}", span)
        value = value[index]
    assert isinstance(value, int)
    return value


def _quantify(cells: Cells, expr: Quantified, state: Sequence[int], names: Names) -> int:
    values = (evaluate(cells, expr.body, state, {**names, expr.name: v}) for v in expr.domain.values())
    match expr.quantifier:
        case "forall":
            return int(all(values))
        case "exists":
            return int(any(values))
        case "count" | "sum":
            return sum(values)
        case _:
            raise ValueError(f"no quantifier {expr.quantifier}")


# ---------------------------------------------------------------- programs


@final
@dataclass(slots=True)
class _Execution:
    """One run of an atomic program: a copy of the state that statements change in place."""

    cells: Cells
    state: list[int]
    assigned: Assigned | None = None

    def run(self, body: Sequence[Stmt], names: dict[str, int]) -> None:
        """Run a block. Locals declared in it end with it; writes to outer locals stay."""
        outer = set(names)
        inner = dict(names)
        for statement in body:
            self._step(statement, inner)
        names.update({name: inner[name] for name in outer})

    def _value(self, expr: Expr, names: Names) -> int:
        return evaluate(self.cells, expr, self.state, names)

    def _step(self, statement: Stmt, names: dict[str, int]) -> None:
        match statement:
            case Assign(target=target, value=value):
                self._assign(target, value, names)
            case Declare(name=name, domain=domain, value=value):
                names[name] = self._fit(domain, name, value, self._value(value, names), statement.span)
            case If(condition=condition, then=then, otherwise=otherwise):
                self.run(then if self._value(condition, names) else otherwise, names)
            case For(name=name, domain=domain, body=body):
                for each in domain.values():
                    inner = {**names, name: each}
                    self.run(body, inner)
                    names.update({n: inner[n] for n in names if n != name})
            case While():
                self._loop(statement, names)
            case Assert(condition=condition, text=text, is_limit=is_limit, about=about):
                if not self._value(condition, names):
                    message = self._words(about, names) or text or "the assertion does not hold"
                    raise FaultRaised("assertion", message, statement.span, is_limit=is_limit)
            case Push() | Pop() | Clear():
                self._change_sequence(statement, names)
            case _:
                assert_never(statement)

    def _assign(self, target: Read | Item | Bound, expr: Expr, names: dict[str, int]) -> None:
        # The target is located before the value is computed: the order matters when both can fault.
        if isinstance(target, Bound):
            value = self._value(expr, names)
            names[target.name] = self._fit(target.domain, target.name, expr, value, target.span)
            return
        name = target.variable
        position = locate(self.cells, name, target.indices, partial(self._value, names=names), target.span)
        if isinstance(target, Item):
            position = locate_item(self.cells, position, self._value(target.position, names), self.state, target)
        value = self._value(expr, names)
        self.state[position] = self._fit(self.cells.variables[name].domain, name, expr, value, target.span)

    def _loop(self, loop: While, names: dict[str, int]) -> None:
        for _ in range(loop.limit):
            if not self._value(loop.condition, names):
                return
            self.run(loop.body, names)
        if self._value(loop.condition, names):
            raise FaultRaised("loop", f"the loop needs more than {loop.limit} rounds", loop.span)

    def _change_sequence(self, statement: Push | Pop | Clear, names: Names) -> None:
        variable = self.cells.variables[statement.variable]
        start = locate(self.cells, variable.name, statement.indices, partial(self._value, names=names), statement.span)
        name, items = self.cells.all[start].sequence_name, self._items(start)
        match statement:
            case Push(value=expr, about=about):
                value = self._value(expr, names)
                if len(items) == variable.capacity:
                    item = self._words(about, names) or item_text(self.cells, variable, expr, value)
                    full = f"'{name}' is full: it holds {len(items)}, {item} does not fit"
                    raise FaultRaised("overflow", full, statement.span)
                items.append(self._fit(variable.domain, variable.name, expr, value, statement.span))
            case Pop():
                if not items:
                    raise FaultRaised("underflow", f"'{name}' is empty", statement.span)
                items.pop(0)
            case Clear():
                items.clear()
            case _:
                assert_never(statement)
        self._store(variable, start, items)

    def _words(self, subject: Subject | None, names: Names) -> str:
        """What there is to say of a fault by what it is about; nothing where something in that has no value."""
        if subject is None:
            return ""
        try:
            spelled = [_spelled(self.cells, expr, self._value(expr, names)) for expr in subject.values]
        except FaultRaised:
            return ""
        return subject.words(argument_texts(spelled, subject.written))

    def _items(self, start: int) -> list[int]:
        return self.state[start + 1 : start + 1 + self.state[start]]

    def _store(self, variable: Variable, start: int, items: list[int]) -> None:
        capacity = variable.capacity or 0
        padding = [empty_slot(variable)] * (capacity - len(items))
        self.state[start : start + 1 + capacity] = [len(items), *items, *padding]

    def _fit(self, domain: Domain, name: str, expr: Expr, value: int, span: Span | None) -> int:
        if self.assigned is not None:
            self.assigned(name, value)
        if value not in domain:
            shown = shown_value(self.cells.variables, expr, value)
            raise FaultRaised("domain", f"value {shown} of '{name}' is outside {domain.low}..{domain.high}", span)
        return value
