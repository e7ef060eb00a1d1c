"""A program as its paths: for each way through its branches a condition on the state before, and what is done then.

    if (c) { a } else { b }  d        becomes        c: a d        and        !c: b d

Each path is a rule of its own, so that what a rule writes does not depend on what it reads more than necessary. This
keeps detection exact: it sees which values a cell can get. A branch that depends on what cannot be expressed in terms
of the state before stays as it is, and so do branches behind too many others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import Final, final

from burnside.frontends.rebeca.reach import Followed
from burnside.frontends.rebeca.scope import Choice as StepChoice
from burnside.ir.nodes import Binary, Bound, Choice, Const, Declare, Domain, Expr, If, Item, Stmt, Unary
from burnside.ir.walk import children
from burnside.source import Span

MOST_PATHS: Final = 32


@final
@dataclass(frozen=True, slots=True)
class WayThrough:
    """Conditions on the state before the program, and what it does where they hold."""

    conditions: tuple[Expr, ...]
    body: tuple[Stmt, ...]


def ways_through(body: Sequence[Stmt], choices: Sequence[StepChoice]) -> list[WayThrough]:
    """The paths of a program; their conditions exclude one another, and one of them always holds."""
    return list(_Splitter().split(Followed(choices), tuple(body), (), ()))


@final
class _Splitter:
    def __init__(self) -> None:
        self._left = MOST_PATHS - 1

    def split(
        self, followed: Followed, rest: tuple[Stmt, ...], conditions: tuple[Expr, ...], done: tuple[Stmt, ...]
    ) -> Iterator[WayThrough]:
        """The paths of what is left of a program, after some of it has been done."""
        while rest:
            statement, rest = rest[0], rest[1:]
            if not isinstance(statement, If):
                followed.run((statement,), conditions)
                done = (*done, statement)
                continue
            test = followed.before(statement.condition)
            decided = None if test is None else _decided(test, conditions)
            if decided is not None:
                rest = (*(statement.then if decided else statement.otherwise), *rest)
            elif test is None or not self._left:
                followed.run((statement,), conditions)
                done = (*done, statement)
            else:
                self._left -= 1
                yield from self.split(followed.copy(), (*statement.then, *rest), (*conditions, test), done)
                conditions, rest = (*conditions, Unary("!", test)), (*statement.otherwise, *rest)
        yield WayThrough(tuple(_without_implied(conditions)), done)


def _decided(test: Expr, conditions: Sequence[Expr]) -> bool | None:
    """Whether a test is known to hold or to fail."""
    if isinstance(test, Const):
        return bool(test.value)
    if test in conditions:
        return True
    if Unary("!", test) in conditions or (isinstance(test, Unary) and test.operand in conditions):
        return False
    match test:
        case Binary(operator="==", left=left, right=Const(value=value)):
            for known in conditions:
                match known:
                    case Binary(operator="==", left=same, right=Const(value=other)) if same == left:
                        return value == other
    return None


def _without_implied(conditions: Sequence[Expr]) -> Iterator[Expr]:
    """Conditions without those that say what a value is not, where another one says what it is."""
    known = {c.left for c in conditions if isinstance(c, Binary) and c.operator == "==" and isinstance(c.right, Const)}
    for condition in conditions:
        match condition:
            case Unary(operator="!", operand=Binary(operator="==", left=left, right=Const())) if left in known:
                continue
            case _:
                yield condition


def without_unused(body: Sequence[Stmt]) -> tuple[Stmt, ...]:
    """A program without the locals that nothing reads, as far as their values cannot fault."""
    kept: list[Stmt] = []
    used: set[str] = set()
    for statement in reversed(body):
        if isinstance(statement, Declare) and statement.name not in used and _is_harmless(statement.value):
            continue
        used |= {part.name for part in _parts(statement) if isinstance(part, Bound)}
        kept.append(statement)
    return tuple(reversed(kept))


def _is_harmless(value: Expr) -> bool:
    """Whether a value is there for sure: the message at the front of a queue has a sender and parameters."""
    match value:
        case Const() | Bound() | Item(position=Const(value=0)):
            return True
        case Choice() | Binary(operator="=="):
            return all(map(_is_harmless, children(value)))
        case _:
            return False


def _parts(statement: Stmt) -> Iterator[object]:
    """All nodes of a statement."""
    nodes: list[object] = [statement]
    while nodes:
        node = nodes.pop()
        yield node
        if isinstance(node, tuple):
            nodes += node
        elif is_dataclass(node) and not isinstance(node, Domain | Span | type):
            nodes += [getattr(node, f.name) for f in fields(node) if f.name != "span"]
