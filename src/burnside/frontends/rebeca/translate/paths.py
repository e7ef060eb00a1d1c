"""A program as its paths: for each way through its branches a condition on the state before, and what is done then.

    if (c) { a } else { b }  d        becomes        c: a d        and        !c: b d

Each path is a rule of its own, so that what a rule writes does not depend on what it reads more than necessary. This
keeps detection exact: it sees which values a cell can get. A branch that depends on what cannot be expressed in terms
of the state before stays as it is, and so do branches behind too many others.

Creation is a branch, too: there is a place for the rebec, or the program ends.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Final, final

from burnside.frontends.rebeca.translate.reach import Followed, creation, earlier_creations, mentions
from burnside.frontends.rebeca.translate.scope import Choice as StepChoice
from burnside.ir.nodes import FALSE, Assert, Binary, Bound, Choice, Const, Declare, Expr, If, Item, Stmt, Unary
from burnside.ir.uses import names_mentioned
from burnside.ir.walk import children
from burnside.values import dataclass, replace

MOST_PATHS: Final = 32


@final
@dataclass(frozen=True, slots=True)
class ProgramPath:
    """Conditions on the state before the program, and what it does where they hold.

    ``created`` are the rebecs to be created of which the conditions say that they have got a place.
    """

    conditions: tuple[Expr, ...]
    body: tuple[Stmt, ...]
    created: tuple[StepChoice, ...] = ()


def paths_of(body: Sequence[Stmt], choices: Sequence[StepChoice], never_given: Collection[str]) -> list[ProgramPath]:
    """The paths of a program; their conditions exclude one another, and one of them always holds.

    A path ends where a local is declared that is never given a value. Ranges of what follows are not known, and loops
    there might not end.
    """
    return list(_Splitter(choices, never_given).split(Followed(choices), tuple(body), ProgramPath((), ())))


@final
class _Splitter:
    def __init__(self, choices: Sequence[StepChoice], never_given: Collection[str]) -> None:
        self._choices = choices
        self._never_given = never_given
        self._left = MOST_PATHS - 1

    def split(self, followed: Followed, rest: tuple[Stmt, ...], way: ProgramPath) -> Iterator[ProgramPath]:
        """The paths of what is left of a program, after some of it has been done."""
        while rest:
            statement, rest = rest[0], rest[1:]
            if isinstance(statement, Declare) and statement.name in self._never_given:
                way = replace(way, body=(*way.body, statement, Assert(FALSE, "no run comes here", statement.span)))
                break
            if not isinstance(statement, If):
                followed.run((statement,), way.conditions)
                way = replace(way, body=(*way.body, statement))
                for choice in self._created_by(statement):
                    no_place, way = self._creation(choice, way)
                    yield no_place
                continue
            test = followed.before(statement.condition)
            decided = None if test is None else _decided(test, way.conditions)
            if decided is not None:
                rest = (*(statement.then if decided else statement.otherwise), *rest)
            elif test is None or not self._left:
                followed.run((statement,), way.conditions)
                way = replace(way, body=(*way.body, statement))
            else:
                self._left -= 1
                holds = replace(way, conditions=(*way.conditions, test))
                yield from self.split(followed.copy(), (*statement.then, *rest), holds)
                way = replace(way, conditions=(*way.conditions, Unary("!", test)))
                rest = (*statement.otherwise, *rest)
        yield replace(way, conditions=tuple(_without_implied(way.conditions)))

    def _created_by(self, statement: Stmt) -> Iterator[StepChoice]:
        """The rebec of which a statement makes sure that it has got a place."""
        if isinstance(statement, Assert) and statement.is_limit:
            yield from (c for c in self._choices if mentions((statement,), c.name))

    def _creation(self, choice: StepChoice, way: ProgramPath) -> tuple[ProgramPath, ProgramPath]:
        """Ends for want of a place, and goes on with one: conditions behind speak of the rebec that is there."""
        there = [c for c in self._choices if c == choice or mentions(way.body, c.name)]
        has_place, has_room = creation(choice, earlier_creations(choice, there))
        is_none = Binary("==", choice.parameter, Const(choice.domain.high))
        conditions = (*_without_implied(way.conditions), is_none, Unary("!", has_room))
        created = (*way.created, choice)
        return (
            ProgramPath(conditions, way.body, created),
            ProgramPath((*way.conditions, has_place), way.body, created),
        )


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
    """Conditions without those that say what a value is not, where another one says what it is.

    That one moves to the place of the first: conditions behind it may rely on what the value is not.
    """
    equalities = (c for c in conditions if isinstance(c, Binary) and c.operator == "==")
    known = {c.left: c for c in equalities if isinstance(c.right, Const)}
    said: set[Expr] = set()
    for condition in conditions:
        match condition:
            case Unary(operator="!", operand=Binary(operator="==", left=left, right=Const())) if left in known:
                condition = known[left]
        if condition not in said:
            said.add(condition)
            yield condition


def without_unused(body: Sequence[Stmt]) -> tuple[Stmt, ...]:
    """A program without the locals that nothing reads, as far as to give them their values cannot fault."""
    kept: list[Stmt] = []
    used: set[str] = set()
    for statement in reversed(body):
        if isinstance(statement, Declare) and statement.name not in used and _is_harmless(statement):
            continue
        used |= names_mentioned((statement,))
        kept.append(statement)
    return tuple(reversed(kept))


def _is_harmless(local: Declare) -> bool:
    """Whether the value of a local is there for sure, and fits."""
    match local.value:
        case Const(value=value):
            return value in local.domain
        case Bound(domain=domain):
            return domain.low in local.domain and domain.high in local.domain
        case value:
            return _is_of_message(value)


def _is_of_message(value: Expr) -> bool:
    """Whether a value comes with the message: its sender and its arguments have been checked when it was sent."""
    match value:
        case Const() | Bound() | Item(position=Const(value=0)):
            return True
        case Choice() | Binary(operator="=="):
            return all(map(_is_of_message, children(value)))
        case _:
            return False
