"""Specialise expressions and programs: substitute known names, fold constants, unroll what is small.

``at[i] == thinking && i < 5`` with ``i = 3`` becomes ``at[3] == thinking``.

Keeps: the value in every state, *and the faults*: nothing that could fault is folded away unless
evaluation would have stopped before it. Needs: a checked model (no shadowing, so no capture).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TypeVar, assert_never, final

from burnside.ir.cells import Cells
from burnside.ir.intervals import Bounds
from burnside.ir.nodes import (
    BOOL,
    CONNECTIVES,
    EQUALITIES,
    FALSE,
    ORDERINGS,
    TRUE,
    Assert,
    Assign,
    Binary,
    Bound,
    Choice,
    Clear,
    Const,
    Declare,
    Domain,
    Expr,
    For,
    If,
    Item,
    Length,
    Logic,
    Lookup,
    Model,
    Parameter,
    Pop,
    Push,
    Quantified,
    Read,
    Rule,
    Stmt,
    Unary,
    While,
)
from burnside.ir.semantics import FaultRaised, apply_operator, evaluate, instances
from burnside.ir.walk import children, expanded_block_size, expanded_size

Known = Mapping[str, int]


@final
@dataclass(frozen=True, slots=True)
class GroundRule:
    """One instance of a rule, specialised to its arguments."""

    rule: Rule
    arguments: tuple[int, ...]
    guard: Expr
    event: tuple[Expr, ...]
    body: tuple[Stmt, ...]


class Simplifier:
    """Specialises parts of one model. Quantifiers and loops are unrolled up to ``unroll`` nodes each."""

    def __init__(self, model: Model, *, unroll: int = 2_000) -> None:
        self._cells = Cells(model)
        self._bounds = Bounds(self._cells.variables, {c.name: c.value for c in model.constants})
        self._unroll = unroll

    def ground(self, rule: Rule) -> Iterator[GroundRule]:
        """Every instance of a rule whose guard is not plainly false, in the order of `semantics.successors`."""
        for arguments in instances(rule.parameters):
            known = bind(rule.parameters, arguments)
            guard = self.expr(rule.guard, known)
            if guard != FALSE:
                event = tuple(self.expr(a, known) for a in rule.event.arguments)
                yield GroundRule(rule, arguments, guard, event, self.block(rule.body, known))

    # ------------------------------------------------------------ faults

    def can_fault(self, expr: Expr) -> bool:
        """Whether evaluating ``expr`` might fault, judged by intervals alone."""
        if any(self.can_fault(e) for e in children(expr)):
            return True
        match expr:
            case Read(variable=name, indices=indices) | Length(variable=name, indices=indices):
                dimensions = self._cells.variables[name].dimensions
                return any(not self._within(i, d) for i, d in zip(indices, dimensions, strict=True))
            case Item() | Lookup():
                return True
            case Binary(operator="/" | "%", right=right):
                low, high = self._bounds.of(right)
                return low <= 0 <= high
            case _:
                return False

    def _within(self, expr: Expr, domain: Domain) -> bool:
        low, high = self._bounds.of(expr)
        return domain.low <= low and high <= domain.high

    # ------------------------------------------------------------ expressions

    def expr(self, expr: Expr, known: Known = {}) -> Expr:  # noqa: B006 (never written)
        """``expr`` with known names replaced and constants folded."""
        match expr:
            case Const():
                return expr
            case Bound(name=name, domain=domain):
                return typed_constant(known[name], domain) if name in known else expr
            case Read(indices=indices):
                return _with(expr, indices=self._all(indices, known))
            case Length(indices=indices):
                return _with(expr, indices=self._all(indices, known))
            case Item(indices=indices, position=position):
                return _with(expr, indices=self._all(indices, known), position=self.expr(position, known))
            case Lookup(indices=indices):
                return self._fold(_with(expr, indices=self._all(indices, known)))
            case Unary(operand=operand):
                return self._unary(_with(expr, operand=self.expr(operand, known)))
            case Binary(left=left, right=right):
                return self._binary(_with(expr, left=self.expr(left, known), right=self.expr(right, known)))
            case Logic(operator=operator, operands=operands):
                new = self._all(operands, known)
                simplified = self._logic(operator, new)
                return expr if simplified == expr else simplified
            case Choice():
                return self._choice(expr, known)
            case Quantified():
                return self._quantified(expr, known)
            case _:
                assert_never(expr)

    def _all(self, exprs: tuple[Expr, ...], known: Known) -> tuple[Expr, ...]:
        new = tuple(self.expr(e, known) for e in exprs)
        return exprs if all(a is b for a, b in zip(new, exprs, strict=True)) else new

    def _fold(self, expr: Expr) -> Expr:
        """The value of an expression whose operands are constants, unless it faults."""
        if not all(isinstance(c, Const) for c in children(expr)):
            return expr
        try:
            value = evaluate(self._cells, expr, ())
        except FaultRaised:
            return expr
        return typed_constant(value, BOOL if _is_truth(expr) else None)

    def _unary(self, expr: Unary) -> Expr:
        operand = expr.operand
        if expr.operator == "!":
            match operand:
                case Unary(operator="!", operand=inner):
                    return inner
                case Binary(operator="==" | "!=" as operator):
                    return replace(operand, operator="!=" if operator == "==" else "==")
                case _:
                    pass
        return self._fold(expr)

    def _binary(self, expr: Binary) -> Expr:
        if expr.operator == "=>":
            return self._logic("||", (self._unary(Unary("!", expr.left)), expr.right))
        if expr.operator in ORDERINGS + EQUALITIES and not self.can_fault(expr):
            decided = self._compare(expr)
            if decided is not None:
                return decided
        return self._fold(expr)

    def _compare(self, expr: Binary) -> Expr | None:
        """A comparison that the bounds of its sides decide."""
        (a, b), (c, d) = self._bounds.of(expr.left), self._bounds.of(expr.right)
        outcomes = {bool(apply_operator(expr.operator, x, y)) for x in (a, b) for y in (c, d)}
        if len(outcomes) > 1:
            return None
        outcome = outcomes.pop()
        # Equal corners do not decide (in)equality unless the intervals are apart or both single points.
        if expr.operator in EQUALITIES and not (b < c or d < a or a == b == c == d):
            return None
        return TRUE if outcome else FALSE

    def _logic(self, operator: str, operands: Iterable[Expr]) -> Expr:
        neutral, deciding = (TRUE, FALSE) if operator == "&&" else (FALSE, TRUE)
        kept: list[Expr] = []
        for operand in operands:
            if operand == neutral:
                continue
            if operand == deciding:
                while kept and not self.can_fault(kept[-1]):
                    kept.pop()
                kept.append(deciding)
                break
            kept += operand.operands if isinstance(operand, Logic) and operand.operator == operator else [operand]
        if not kept:
            return neutral
        return kept[0] if len(kept) == 1 else Logic(operator, tuple(kept))

    def _choice(self, expr: Choice, known: Known) -> Expr:
        condition = self.expr(expr.condition, known)
        if isinstance(condition, Const):
            return self.expr(expr.then if condition.value else expr.otherwise, known)
        then, otherwise = self.expr(expr.then, known), self.expr(expr.otherwise, known)
        if then == otherwise and not self.can_fault(condition):
            return then
        return _with(expr, condition=condition, then=then, otherwise=otherwise)

    def _quantified(self, expr: Quantified, known: Known) -> Expr:
        if expanded_size(expr) > self._unroll:
            return _with(expr, body=self.expr(expr.body, known))
        bodies = (self.expr(expr.body, {**known, expr.name: v}) for v in expr.domain.values())
        match expr.quantifier:
            case "forall":
                return self._logic("&&", bodies)
            case "exists":
                return self._logic("||", bodies)
            case _:
                return self._add(list(bodies))

    def _add(self, terms: list[Expr]) -> Expr:
        """The sum of terms as a balanced tree, so that no later stage recurses deeply; evaluation order is kept."""
        if len(terms) == 1:
            return replace(terms[0], domain=None) if isinstance(terms[0], Const) else terms[0]
        middle = len(terms) // 2
        left, right = self._add(terms[:middle]), self._add(terms[middle:])
        if Const(0) in (left, right):
            return right if left == Const(0) else left
        return self._fold(Binary("+", left, right))

    # ------------------------------------------------------------ programs

    def block(self, body: Iterable[Stmt], known: Known) -> tuple[Stmt, ...]:
        """A block with known names replaced, decided branches taken and short loops unrolled."""
        result: list[Stmt] = []
        statements = list(body)
        for position, statement in enumerate(statements):
            if isinstance(statement, Declare):
                value = self.expr(statement.value, known)
                rest = statements[position + 1 :]
                fits = isinstance(value, Const) and value.value in statement.domain
                if isinstance(value, Const) and fits and statement.name not in set(_assigned(rest)):
                    known = {**known, statement.name: value.value}
                    continue
                result.append(replace(statement, value=value))
            else:
                result += self._statement(statement, known)
        return tuple(result)

    def _statement(self, statement: Stmt, known: Known) -> Iterable[Stmt]:
        match statement:
            case Assign(target=target, value=value):
                place = target if isinstance(target, Bound) else self.expr(target, known)
                assert isinstance(place, Read | Item | Bound)
                return [replace(statement, target=place, value=self.expr(value, known))]
            case Push(indices=indices, value=value):
                return [replace(statement, indices=self._all(indices, known), value=self.expr(value, known))]
            case Pop(indices=indices) | Clear(indices=indices):
                return [replace(statement, indices=self._all(indices, known))]
            case If():
                return self._branch(statement, known)
            case For(name=name, domain=domain, body=body):
                if expanded_block_size((statement,)) > self._unroll:
                    return [replace(statement, body=self.block(body, known))]
                return [s for v in domain.values() for s in self._round(self.block(body, {**known, name: v}))]
            case While(condition=condition, body=body):
                return [replace(statement, condition=self.expr(condition, known), body=self.block(body, known))]
            case Assert(condition=condition):
                simplified = self.expr(condition, known)
                return [] if simplified == TRUE else [replace(statement, condition=simplified)]
            case Declare():
                raise AssertionError("declarations are handled by their block")
            case _:
                assert_never(statement)

    def _branch(self, statement: If, known: Known) -> Iterable[Stmt]:
        condition = self.expr(statement.condition, known)
        if isinstance(condition, Const):
            return self._round(self.block(statement.then if condition.value else statement.otherwise, known))
        then, otherwise = self.block(statement.then, known), self.block(statement.otherwise, known)
        return [replace(statement, condition=condition, then=then, otherwise=otherwise)]

    @staticmethod
    def _round(block: tuple[Stmt, ...]) -> Iterable[Stmt]:
        """A block spliced into another one; its declarations must not leak, so they keep a block of their own."""
        if any(isinstance(s, Declare) for s in block):
            return [If(TRUE, block)]
        return block


E = TypeVar("E", Read, Length, Item, Lookup, Unary, Binary, Choice, Quantified)


def _with(expr: E, **parts: object) -> E:
    """A node with other parts; the node itself if they are the parts it has, so that equal results stay one object."""
    if all(getattr(expr, name) is part for name, part in parts.items()):
        return expr
    return replace(expr, **parts)  # type: ignore[arg-type]


def bind(parameters: Iterable[Parameter], arguments: Iterable[int]) -> dict[str, int]:
    """Parameters by name with their values."""
    return {p.name: a for p, a in zip(parameters, arguments, strict=True)}


def typed_constant(value: int, domain: Domain | None) -> Const:
    """A constant that keeps its domain only where the domain decides its type."""
    return Const(value, domain if domain is not None and (domain == BOOL or domain.is_enumeration) else None)


def _assigned(body: Iterable[Stmt]) -> Iterator[str]:
    """Names of locals that a block assigns."""
    for statement in body:
        match statement:
            case Assign(target=Bound(name=name)):
                yield name
            case If(then=then, otherwise=otherwise):
                yield from _assigned((*then, *otherwise))
            case For(body=inner) | While(body=inner):
                yield from _assigned(inner)
            case _:
                pass


def _is_truth(expr: Expr) -> bool:
    match expr:
        case Unary(operator="!") | Logic():
            return True
        case Binary(operator=operator):
            return operator in ORDERINGS + EQUALITIES + CONNECTIVES
        case _:
            return False
