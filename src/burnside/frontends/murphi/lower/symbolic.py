"""Programs as expressions: what a guard may ask of a function, and whether a step is one that an assumption allows.

Statements are executed on unknown values. What they assign becomes an expression over the state before, with a choice
for every condition; what can fail stays in the expression, so that it fails there, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, final

from burnside.ir import nodes as n
from burnside.ir.build import conjunction, negation
from burnside.ir.nodes import FALSE, TRUE, Binary, Choice, Const, Expr, Stmt
from burnside.ir.rewrite import map_expr
from burnside.ir.walk import children, expanded_size, statements

_LARGEST: Final = 50_000  # operations that are written out


class Unforeseeable(Exception):
    """Raised for what cannot be written as an expression; the text says what."""


@final
class Execution:
    """Executes statements on unknown values. Of assertions among ``noted`` it is said when they hold, and
    behind those that are ``assumed`` nothing happens unless they do.
    """

    def __init__(self, noted: Iterable[n.Assert] = (), assumed: Iterable[n.Assert] = ()) -> None:
        self._noted = set(noted)
        self._assumed = set(assumed)
        self._locals: dict[str, Expr] = {}
        self._writes: dict[str, list[tuple[Expr, tuple[Expr, ...], Expr]]] = {}
        self._size = 0
        self.needed: list[Expr] = []  # true, unless something fails
        self.noted: list[tuple[n.Assert, Expr]] = []  # with whether they are reached and hold
        self.alive: Expr = TRUE  # whether what is assumed holds so far: nothing happens behind what does not

    # ------------------------------------------------------------ statements

    def run(self, body: Iterable[Stmt], path: Expr = TRUE) -> None:
        """Execute statements if ``path`` is true."""
        for statement in body:
            self._step(statement, path)

    def _step(self, statement: Stmt, path: Expr) -> None:
        match statement:
            case n.Declare(name=name, value=value):
                self._locals[name] = self._strict(self.value(value), path)
            case n.Assign(target=n.Bound(name=name), value=value):
                new, old = self._strict(self.value(value), path), self._locals[name]
                self._locals[name] = _chosen(path, new, old)
            case n.Assign(target=n.Read(variable=name, indices=indices), value=value):
                at = tuple(self._strict(self.value(index), path) for index in indices)
                self._writes.setdefault(name, []).append((path, at, self._strict(self.value(value), path)))
            case n.If(condition=condition, then=then, otherwise=otherwise):
                asked = self._strict(self.value(condition), path)
                self.run(then, conjunction((path, asked)))
                self.run(otherwise, conjunction((path, negation(asked))))
            case n.For(name=name, domain=domain, body=body):
                for number in domain.values():
                    self._locals[name] = Const(number)
                    self.run(body, path)
            case n.Assert(condition=condition) if statement in self._noted:
                self.noted.append((statement, conjunction((self.alive, path, self.value(condition)))))
            case n.Assert(condition=condition) if statement in self._assumed:
                holds = self.value(condition)
                self.alive = conjunction((self.alive, holds if path == TRUE else Choice(path, holds, TRUE)))
            case n.Assert(condition=condition, text=text):
                failure = Binary("==", Binary("/", Const(0), Const(0, lack=text), statement.span), Const(0))
                self._need(path, Choice(self.value(condition), TRUE, failure))
            case _:
                raise Unforeseeable("a loop")

    def _strict(self, value: Expr, path: Expr) -> Expr:
        """A value that is evaluated where it stands, even if nobody asks for it."""
        self._size += expanded_size(value)  # it is read, and read again wherever what it is assigned to is read
        if _can_fault(value):
            self._need(path, Binary("==", value, value))
        return value

    def _need(self, path: Expr, condition: Expr) -> None:
        path = conjunction((self.alive, path))
        self.needed.append(condition if path == TRUE else Choice(path, condition, TRUE))

    # ------------------------------------------------------------ expressions

    def value(self, expr: Expr) -> Expr:
        """An expression over the state before."""
        self._size += 1
        if self._size > _LARGEST:
            raise Unforeseeable("a program of this size")
        match expr:
            case n.Bound(name=name):
                return self._locals.get(name, expr)
            case n.Read(variable=name, indices=indices):
                at = tuple(self.value(index) for index in indices)
                found: Expr = n.Read(name, at, expr.span)
                for path, where, value in self._writes.get(name, ()):
                    is_here = conjunction((path, *(Binary("==", a, b) for a, b in zip(at, where, strict=True))))
                    found = _chosen(is_here, value, found)
                return found
            case n.Quantified(name=name) if name in self._locals:
                raise Unforeseeable("a name that is bound twice")
            case _:
                return map_expr(expr, self.value)

    def unless_failed(self, known: Expr) -> Expr:
        """An expression over the state before, or a fault if there was one."""
        if not self.needed:
            return known
        return Choice(conjunction(self.needed), known, known)


def as_expression(body: Sequence[Stmt], value: Expr) -> Expr:
    """An expression after some statements that assign locals only."""
    execution = Execution()
    execution.run(body)
    return execution.unless_failed(execution.value(value))


def writes_state(body: Iterable[Stmt]) -> bool:
    """Whether statements assign variables of the state."""
    return any(isinstance(s, n.Assign) and isinstance(s.target, n.Read) for s in statements(body))


def without(body: Iterable[Stmt], left_out: set[n.Assert]) -> tuple[Stmt, ...]:
    """Statements without some assertions."""
    return tuple(_without_inside(s, left_out) for s in body if not (isinstance(s, n.Assert) and s in left_out))


def _without_inside(statement: Stmt, left_out: set[n.Assert]) -> Stmt:
    match statement:
        case n.If(condition=condition, then=then, otherwise=otherwise, span=span):
            return n.If(condition, without(then, left_out), without(otherwise, left_out), span)
        case n.For(name=name, domain=domain, body=body, span=span):
            return n.For(name, domain, without(body, left_out), span)
        case n.While(condition=condition, limit=limit, body=body, span=span):
            return n.While(condition, limit, without(body, left_out), span)
        case _:
            return statement


def _chosen(path: Expr, new: Expr, old: Expr) -> Expr:
    if path == TRUE or new == old:
        return new
    return old if path == FALSE else Choice(path, new, old)


def _can_fault(expr: Expr) -> bool:
    match expr:
        case n.Checked() | n.Item() | n.Lookup():
            return True
        case n.Binary(operator="/" | "%", right=right) if not (isinstance(right, Const) and right.value):
            return True
        case n.Read(indices=indices) if any(not isinstance(index, Const) for index in indices):
            return True
        case _:
            return any(map(_can_fault, children(expr)))
