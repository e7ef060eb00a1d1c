"""Specialise expressions and programs: substitute known names, fold constants, unroll what is small.

``at[i] == thinking && i < 5`` with ``i = 3`` becomes ``at[3] == thinking``.

Keeps: the value in every state, *and the faults*: nothing that could fault is folded away unless
evaluation would have stopped before it. Needs: a checked model (no shadowing, so no capture).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeVar, assert_never, final

from burnside.ir import nodes as n
from burnside.ir.build import connect
from burnside.ir.cells import Cells
from burnside.ir.instances import Instance
from burnside.ir.nodes import BOOL, FALSE, TRUE, Domain, Expr, Model, Rule, Stmt
from burnside.ir.operators import CONNECTIVES, EQUALITIES, ORDERINGS
from burnside.ir.rewrite import map_expr, map_stmt, with_children
from burnside.ir.semantics import FaultRaised, apply_operator, evaluate
from burnside.ir.uses import Faults, free_names, locals_assigned
from burnside.ir.walk import children, expanded_block_size, expanded_size
from burnside.values import dataclass, replace

Known = Mapping[str, int]
E = TypeVar("E", bound=Expr)


@final
@dataclass(frozen=True, slots=True)
class GroundRule:
    """One instance of a rule, specialised to its arguments."""

    instance: Instance
    guard: Expr
    event: tuple[Expr, ...]
    body: tuple[Stmt, ...]

    @property
    def rule(self) -> Rule:
        """The rule it is an instance of."""
        return self.instance.rule

    @property
    def arguments(self) -> tuple[int, ...]:
        """The values of the rule's parameters."""
        return self.instance.arguments


class Simplifier:
    """Specialises parts of one model. Quantifiers and loops are unrolled up to ``unroll`` nodes each."""

    def __init__(self, model: Model, *, unroll: int = 2_000) -> None:
        self._cells = Cells(model)
        self.faults = Faults(self._cells.variables, {c.name: c.value for c in model.constants})
        self._unroll = unroll
        self._names: dict[int, tuple[Expr, tuple[str, ...]]] = {}  # kept alive, so that ids stay unique
        self._simplified: dict[tuple[int | None, ...], Expr] = {}

    def ground(self, instances: Iterable[Instance]) -> Iterator[GroundRule]:
        """Those of some instances whose guard is not plainly false."""
        for instance in instances:
            rule, known = instance.rule, instance.values
            guard = self.expr(rule.guard, known)
            if guard != FALSE:
                event = tuple(self.expr(a, known) for a in rule.event.arguments)
                yield GroundRule(instance, guard, event, self.block(rule.body, known))

    # ------------------------------------------------------------ expressions

    def expr(self, expr: Expr, known: Known = {}) -> Expr:  # noqa: B006 (never written)
        """``expr`` with known names replaced and constants folded: one object for all that it is the same in."""
        if isinstance(expr, n.Const):
            return expr
        if isinstance(expr, n.Bound):
            return typed_constant(known[expr.name], expr.domain) if expr.name in known else expr
        key = (id(expr), *[known.get(name) for name in self._free_names(expr)])
        found = self._simplified.get(key)
        if found is None:
            found = self._simplified[key] = self._expr(expr, known)
        return found

    def _free_names(self, expr: Expr) -> tuple[str, ...]:
        found = self._names.get(id(expr))
        if found is None:
            found = self._names[id(expr)] = expr, tuple(sorted(free_names(expr)))
        return found[1]

    def _expr(self, expr: Expr, known: Known) -> Expr:
        match expr:
            case n.Const() | n.Bound():
                return expr
            case n.Read() | n.Length() | n.Item():
                return self._inside(expr, known)
            case n.Lookup():
                return self._fold(self._inside(expr, known))
            case n.Unary():
                return self._unary(self._inside(expr, known))
            case n.Binary():
                return self._binary(self._inside(expr, known))
            case n.Logic(operator=operator, operands=operands):
                simplified = self._logic(operator, [self.expr(o, known) for o in operands])
                return expr if simplified == expr else simplified
            case n.Choice():
                return self._choice(expr, known)
            case n.Quantified():
                return self._quantified(expr, known)
            case n.Checked(domain=domain):
                operand = self.expr(expr.operand, known)
                fits = self.faults.is_within(operand, domain)
                return operand if fits else with_children(expr, (operand,))
            case _:
                assert_never(expr)

    def _inside(self, expr: E, known: Known) -> E:
        return map_expr(expr, lambda part: self.expr(part, known))

    def _fold(self, expr: Expr) -> Expr:
        """The value of an expression whose operands are constants, unless it faults."""
        if not all(isinstance(c, n.Const) for c in children(expr)):
            return expr
        try:
            value = evaluate(self._cells, expr, ())
        except FaultRaised:
            return expr
        return typed_constant(value, BOOL if _is_truth(expr) else None)

    def _unary(self, expr: n.Unary) -> Expr:
        match expr.operand:
            case n.Binary(operator="==" | "!=" as operator) as equality if expr.operator == "!":
                return replace(equality, operator="!=" if operator == "==" else "==")
            case n.Unary(operator="!", operand=inner) if expr.operator == "!":
                return inner
            case _:
                return self._fold(expr)

    def _binary(self, expr: n.Binary) -> Expr:
        if expr.operator == "=>":
            return self._logic("||", (self._unary(n.Unary("!", expr.left)), expr.right))
        if expr.operator in ORDERINGS + EQUALITIES and not self.faults.possible(expr):
            decided = self._compare(expr)
            if decided is not None:
                return decided
        return self._fold(expr)

    def _compare(self, expr: n.Binary) -> Expr | None:
        """A comparison that the bounds of its sides decide."""
        (a, b), (c, d) = self.faults.bounds.of(expr.left), self.faults.bounds.of(expr.right)
        outcomes = {bool(apply_operator(expr.operator, x, y)) for x in (a, b) for y in (c, d)}
        if len(outcomes) > 1:
            return None
        outcome = outcomes.pop()
        # Equal corners do not decide (in)equality unless the intervals are apart or both single points.
        if expr.operator in EQUALITIES and not (b < c or d < a or a == b == c == d):
            return None
        return TRUE if outcome else FALSE

    def _logic(self, operator: str, operands: Iterable[Expr]) -> Expr:
        return connect(operator, operands, can_fault=self.faults.possible)

    def _choice(self, expr: n.Choice, known: Known) -> Expr:
        condition = self.expr(expr.condition, known)
        if isinstance(condition, n.Const):
            return self.expr(expr.then if condition.value else expr.otherwise, known)
        then, otherwise = self.expr(expr.then, known), self.expr(expr.otherwise, known)
        if then == otherwise and not self.faults.possible(condition):
            return then
        return with_children(expr, (condition, then, otherwise))

    def _quantified(self, expr: n.Quantified, known: Known) -> Expr:
        if expanded_size(expr) > self._unroll:
            return self._inside(expr, known)
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
            return replace(terms[0], domain=None) if isinstance(terms[0], n.Const) else terms[0]
        middle = len(terms) // 2
        left, right = self._add(terms[:middle]), self._add(terms[middle:])
        if n.Const(0) in (left, right):
            return right if left == n.Const(0) else left
        return self._fold(n.Binary("+", left, right))

    # ------------------------------------------------------------ programs

    def block(self, body: Iterable[Stmt], known: Known) -> tuple[Stmt, ...]:
        """A block with known names replaced, decided branches taken and short loops unrolled."""
        result: list[Stmt] = []
        statements = list(body)
        for position, statement in enumerate(statements):
            if isinstance(statement, n.Declare):
                value = self.expr(statement.value, known)
                rest = statements[position + 1 :]
                fits = isinstance(value, n.Const) and value.value in statement.domain
                if isinstance(value, n.Const) and fits and statement.name not in locals_assigned(rest):
                    known = {**known, statement.name: value.value}
                    continue
                result.append(replace(statement, value=value))
            else:
                result += self._statement(statement, known)
        return tuple(result)

    def _statement(self, statement: Stmt, known: Known) -> Iterable[Stmt]:
        match statement:
            case n.If(condition=condition, then=then, otherwise=otherwise):
                decided = self.expr(condition, known)
                if isinstance(decided, n.Const):
                    return self._round(self.block(then if decided.value else otherwise, known))
            case n.For(name=name, domain=domain, body=body) if expanded_block_size((statement,)) <= self._unroll:
                return [s for v in domain.values() for s in self._round(self.block(body, {**known, name: v}))]
            case n.Assert(condition=condition) if self.expr(condition, known) == TRUE:
                return []
            case _:
                pass
        return [map_stmt(statement, lambda e: self.expr(e, known), lambda block: self.block(block, known))]

    @staticmethod
    def _round(block: tuple[Stmt, ...]) -> Iterable[Stmt]:
        """A block spliced into another one; its declarations must not leak, so they keep a block of their own."""
        if any(isinstance(s, n.Declare) for s in block):
            return [n.If(TRUE, block)]
        return block


def typed_constant(value: int, domain: Domain | None) -> n.Const:
    """A constant that keeps its domain only where the domain decides its type."""
    return n.Const(value, domain if domain is not None and (domain == BOOL or domain.is_enumeration) else None)


def _is_truth(expr: Expr) -> bool:
    match expr:
        case n.Unary(operator="!") | n.Logic():
            return True
        case n.Binary(operator=operator):
            return operator in ORDERINGS + EQUALITIES + CONNECTIVES
        case _:
            return False
