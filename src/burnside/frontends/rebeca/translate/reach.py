"""Which choices a step makes: conditions, in terms of the state before the step, under which a choice is reached.

A choice is a parameter of a rule. Where a step does not make it, only its first value may count, or one transition
would be counted several times. So the program is executed on unknown values up to the places where choices are made.
What is too complicated to be followed has no condition: counts of transitions may then be too large, nothing else,
and a warning says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, TypeAlias, assert_never, final

from burnside.frontends.rebeca.translate.arithmetic import can_fault
from burnside.frontends.rebeca.translate.scope import Choice
from burnside.ir import nodes as n
from burnside.ir.build import comparison, conjunction, connect, negation
from burnside.ir.nodes import BOOL, FALSE, TRUE, Domain, Expr, Stmt
from burnside.ir.nodes import Choice as IfExpr
from burnside.ir.operators import ARITHMETIC
from burnside.ir.rewrite import with_children
from burnside.ir.semantics import apply_operator
from burnside.ir.walk import children, expanded_size, parts

LARGEST: Final = 400
MOST_ROUNDS: Final = 64
MOST_FOLLOWED: Final = 20_000  # statements in loops

# A condition, indices, and what is written there; None is a value nobody knows.
Write: TypeAlias = "tuple[Expr, tuple[Expr, ...], Expr | None]"
Path: TypeAlias = "tuple[Expr, ...] | None"


def choice_guards(body: Sequence[Stmt], choices: Sequence[Choice]) -> list[Expr | None]:
    """For every choice the condition on its parameter; None for one that cannot be followed."""
    reached = Followed(choices)
    reached.run(body, ())
    found: list[Expr | None] = []
    for choice in choices:
        path, alternatives = reached.found.get(choice.name, (None, None))
        if choice.name not in reached.found:  # no run comes there
            unused = choice.domain.high if choice.creates else choice.domain.low
            found.append(n.Binary("==", choice.parameter, n.Const(unused)))
        elif choice.creates:
            found.append(None if path is None else _creation_guard(choice, path, earlier_creations(choice, choices)))
        else:
            found.append(_pick_guard(choice, path, alternatives))
    return found


def earlier_creations(choice: Choice, choices: Sequence[Choice]) -> list[Choice]:
    """Rebecs of the same class that a step creates before."""
    before = choices[: choices.index(choice)]
    return [other for other in before if other.creates == choice.creates]


def _pick_guard(choice: Choice, path: Path, alternatives: Sequence[Expr] | None) -> Expr | None:
    if path is None or alternatives is None:
        return None
    parameter = choice.parameter
    conditions = list(path)
    for number, one in enumerate(alternatives):
        is_old = _logic("||", tuple(_same(earlier, one) for earlier in alternatives[:number]))
        if is_old != FALSE:
            conditions.append(n.Logic("||", (n.Binary("!=", parameter, n.Const(number)), n.Unary("!", is_old))))
    if not conditions:
        return TRUE
    return n.Logic("||", (n.Binary("==", parameter, n.Const(0)), conjunction(conditions)))


def _creation_guard(choice: Choice, path: tuple[Expr, ...], earlier: Sequence[Choice]) -> Expr:
    """Any free place if the rebec is created, no place otherwise or if there is none."""
    has_place, has_room = creation(choice, earlier)
    is_created = conjunction((has_place, *path))
    is_not = conjunction((_has_none(choice), negation(conjunction((*path, has_room)))))
    return n.Logic("||", (is_created, is_not))


def creation(choice: Choice, earlier: Sequence[Choice]) -> tuple[Expr, Expr]:
    """Conditions that a rebec gets a free place, and that there is one; ``earlier`` ones of the step have theirs."""
    exists = f"{choice.creates}:exists"
    places = Domain("", choice.domain.low, choice.domain.high - 1, index=choice.domain.index)

    def free(place: Expr) -> Expr:
        others = [n.Binary("!=", place, other.parameter) for other in earlier]
        return conjunction((n.Unary("!", n.Read(exists, (place,))), *others))

    some = f"{choice.name} place"
    has_place = conjunction((n.Unary("!", _has_none(choice)), free(choice.parameter)))
    return has_place, n.Quantified("exists", some, places, free(n.Bound(some, places)))


def _has_none(choice: Choice) -> Expr:
    return n.Binary("==", choice.parameter, n.Const(choice.domain.high))


@final
class Followed:
    """Executes a program on values that are expressions over the state before it; None is a value nobody knows."""

    def __init__(self, choices: Sequence[Choice]) -> None:
        self._choices = {choice.name: choice for choice in choices}
        self._locals: dict[str, Expr | None] = {}
        self._writes: dict[str, tuple[Write, ...] | None] = {}  # by variable, in order; None if nobody knows them
        self._moved: set[str] = set()  # sequences that have changed
        self._left = MOST_FOLLOWED
        self.found: dict[str, tuple[Path, Sequence[Expr] | None]] = {}

    def copy(self) -> Followed:
        """An execution that goes on by itself."""
        other = Followed(tuple(self._choices.values()))
        other._locals, other._writes = dict(self._locals), dict(self._writes)
        other._moved, other.found, other._left = set(self._moved), dict(self.found), self._left
        return other

    def run(self, body: Iterable[Stmt], path: Path) -> None:
        """Execute statements under conditions."""
        for statement in body:
            self._note(statement, path)
            match statement:
                case n.Declare(name=name, value=value):
                    self._locals[name] = self.before(value)
                case n.Assign(target=target, value=value):
                    self._assign(target, self.before(value))
                case n.If(condition=condition, then=then, otherwise=otherwise):
                    self._branch(condition, then, otherwise, path)
                case n.While():
                    self._rounds(statement, path)
                case n.For(body=inner):
                    self._forget(inner)
                case n.Push(variable=name) | n.Pop(variable=name) | n.Clear(variable=name):
                    self._moved.add(name)
                case n.Assert():
                    pass
                case _:
                    assert_never(statement)

    def _rounds(self, loop: n.While, path: Path) -> None:
        """Round by round, as long as it is known whether there is another one."""
        for _ in range(MOST_ROUNDS):
            test = self.before(loop.condition)
            self._left -= 1 + len(loop.body)
            if not isinstance(test, n.Const) or self._left < 0:
                break
            if not test.value:
                return
            self.run(loop.body, path)
        self._forget(loop.body)

    def _assign(self, target: n.Read | n.Item | n.Bound, value: Expr | None) -> None:
        match target:
            case n.Bound(name=name):
                self._locals[name] = value
            case n.Read():
                self._write(target, value)
            case n.Item(variable=name):
                self._moved.add(name)
            case _:
                assert_never(target)

    def _note(self, statement: Stmt, path: Path) -> None:
        for name in _choices_in(statement):
            if name in self._choices and name not in self.found:
                values = [self.before(a) for a in self._choices[name].alternatives]
                known = [v for v in values if v is not None]
                self.found[name] = path, known if len(known) == len(values) else None

    def _write(self, target: n.Read, value: Expr | None) -> None:
        indices = [self.before(i) for i in target.indices]
        known = tuple(i for i in indices if i is not None)
        earlier = self._writes.get(target.variable, ())
        if earlier is None or len(known) < len(indices):
            self._writes[target.variable] = None
        else:
            self._writes[target.variable] = (*earlier, (TRUE, known, value))

    def _branch(self, condition: Expr, then: Iterable[Stmt], otherwise: Iterable[Stmt], path: Path) -> None:
        test = self.before(condition)
        if isinstance(test, n.Const):
            self.run(then if test.value else otherwise, path)
            return
        first = None if path is None or test is None else (*path, test)
        second = None if path is None or test is None else (*path, n.Unary("!", test))
        locals_before, writes_before, moved_before = dict(self._locals), dict(self._writes), set(self._moved)
        self.run(then, first)
        locals_then, writes_then, moved_then = self._locals, self._writes, self._moved
        self._locals, self._writes, self._moved = locals_before, dict(writes_before), moved_before
        self.run(otherwise, second)
        for name in self._locals.keys() | locals_then.keys():
            self._locals[name] = _joined(test, locals_then.get(name), self._locals.get(name))
        for name in self._writes.keys() | writes_then.keys():
            before = writes_before.get(name, ())
            self._writes[name] = _all_writes(test, before, writes_then.get(name, ()), self._writes.get(name, ()))
        self._moved |= moved_then

    def _read(self, place: n.Read, indices: tuple[Expr, ...]) -> Expr | None:
        writes = self._writes.get(place.variable, ())
        if writes is None:
            return None
        found: Expr | None = n.Read(place.variable, indices)
        for condition, written, value in writes:
            is_here = _logic("&&", (condition, *(_same(i, j) for i, j in zip(indices, written, strict=True))))
            if is_here == TRUE:
                found = value
            elif is_here != FALSE:
                found = None if found is None or value is None else IfExpr(is_here, value, found)
            if found is not None and expanded_size(found) > LARGEST:
                found = None
        return found

    def _forget(self, body: Iterable[Stmt]) -> None:
        for statement in body:
            match statement:
                case n.Declare(name=name):
                    self._locals[name] = None
                case n.Assign(target=n.Read(variable=name)):
                    self._writes[name] = None
                case n.Assign(target=target):
                    self._assign(target, None)
                case n.Push(variable=name) | n.Pop(variable=name) | n.Clear(variable=name):
                    self._moved.add(name)
                case n.If(then=then, otherwise=otherwise):
                    self._forget((*then, *otherwise))
                case n.While(body=inner) | n.For(body=inner):
                    self._forget(inner)
                case n.Assert():
                    pass
                case _:
                    assert_never(statement)

    def before(self, expr: Expr) -> Expr | None:
        """An expression in terms of the state before the program."""
        found = self._translate(expr)
        return None if found is None or expanded_size(found) > LARGEST else found

    def _translate(self, expr: Expr) -> Expr | None:
        match expr:
            case n.Const():
                return expr
            case n.Bound(name=name):
                return self._locals.get(name, expr)
            case n.Quantified():
                return None
            case n.Item(variable=name) | n.Length(variable=name) if name in self._moved:
                return None
            case _:
                pass
        parts = [self.before(child) for child in children(expr)]
        known = tuple(part for part in parts if part is not None)
        if len(known) < len(parts):
            return None
        if isinstance(expr, n.Read):
            return self._read(expr, known)
        return _rebuilt(expr, known)


def _rebuilt(expr: Expr, parts: tuple[Expr, ...]) -> Expr:
    match expr:
        case n.Unary(operator="!"):
            return negation(parts[0])
        case n.Binary(operator=operator):
            return _computed(operator, parts[0], parts[1])
        case n.Logic(operator=operator):
            return _logic(operator, parts)
        case IfExpr() if isinstance(parts[0], n.Const):
            return parts[1] if parts[0].value else parts[2]
        case _:
            return with_children(expr, parts)


def _computed(operator: str, left: Expr, right: Expr) -> Expr:
    """An operator on two values; on numbers, its result."""
    if isinstance(left, n.Const) and isinstance(right, n.Const) and (right.value or operator not in ("/", "%")):
        return n.Const(apply_operator(operator, left.value, right.value), None if operator in ARITHMETIC else BOOL)
    return n.Binary(operator, left, right)


def _logic(operator: str, parts: Iterable[Expr]) -> Expr:
    return connect(operator, parts, can_fault=can_fault)


def _same(one: Expr, other: Expr) -> Expr:
    """Whether two values are equal."""
    return TRUE if one == other else comparison("==", one, other)


def _all_writes(
    test: Expr | None,
    before: tuple[Write, ...] | None,
    then: tuple[Write, ...] | None,
    otherwise: tuple[Write, ...] | None,
) -> tuple[Write, ...] | None:
    """The writes of two branches, each under its condition."""
    if before is None or then is None or otherwise is None:
        return None
    if test is None:
        return before if len(then) == len(otherwise) == len(before) else None
    first = tuple((_logic("&&", (test, c)), i, v) for c, i, v in then[len(before) :])
    second = tuple((_logic("&&", (n.Unary("!", test), c)), i, v) for c, i, v in otherwise[len(before) :])
    return (*before, *first, *second)


def _joined(test: Expr | None, one: Expr | None, other: Expr | None) -> Expr | None:
    if one == other:
        return one
    if test is None or one is None or other is None:
        return None
    joined = IfExpr(test, one, other)
    return joined if expanded_size(joined) <= LARGEST else None


def mentions(body: Iterable[Stmt], name: str) -> bool:
    """Whether a choice is made in a program, or in part of it."""
    for statement in body:
        if name in _choices_in(statement):
            return True
        if isinstance(statement, n.If) and mentions((*statement.then, *statement.otherwise), name):
            return True
    return False


def _choices_in(statement: Stmt) -> list[str]:
    match statement:
        case n.Declare(value=value) | n.Assert(condition=value):
            return [e.name for e in parts(value) if isinstance(e, n.Bound)]
        case _:
            return []
