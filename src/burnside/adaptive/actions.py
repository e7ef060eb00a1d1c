"""Rules and conditions as adaptive exploration sees them: one acting process, and questions about the others.

Most rules look at the other processes only by *questions* that concern one process each: ``forall j: …``,
``count j: …``. The answer to such a question is a sum over processes of a weight that depends on the process's local
state. With the answers, what the rule does depends on the shared part and the acting process's local state alone::

    when free && at[i] == T && (forall j: level[j] < level[i] => at[j] != T)
    when free && at[i] == T && ` 0`                                            with the answer as the name ` 0`

The rule with names for answers is an ordinary rule, and its meaning is that of ``ir/semantics.py``. Other rules
(``questions`` is None) are evaluated on whole states.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, final

from burnside.adaptive.effort import EVALUATION
from burnside.adaptive.joining import join_rules
from burnside.adaptive.names import with_own_names
from burnside.adaptive.relation_finder import Obstacle, RelationFinder
from burnside.adaptive.relations import Relation
from burnside.adaptive.view import Shared, View
from burnside.ir import nodes as n
from burnside.ir.instances import bind, valuation_count, valuations
from burnside.ir.nodes import FALSE, Expr, Parameter, Rule, Stmt
from burnside.ir.rewrite import map_expr, map_stmt
from burnside.ir.simplify import Simplifier
from burnside.ir.uses import elements_used, variables_read, variables_written
from burnside.ir.walk import children
from burnside.source import Diagnostic, ModelError, Note
from burnside.values import dataclass, field, replace

MOST_ACTIONS: Final = 10_000


@final
@dataclass(frozen=True)
class Question:
    """Something asked of every process; ``name`` ranges over them in ``body``."""

    quantifier: str
    name: str
    body: Expr
    processes: frozenset[int]
    is_required: bool  # whether the rule is certainly not enabled unless the answer is "yes, all"

    def weight(self, value: int) -> int:
        """What a process adds to the sum, given the value of the body: violations, for ``forall``."""
        return int(not value) if self.quantifier == "forall" else value

    def answer(self, total: int) -> int:
        """The answer, given the sum."""
        if self.quantifier == "forall":
            return int(total == 0)
        return int(total > 0) if self.quantifier == "exists" else total

    def saturated(self, total: int) -> int:
        """The sum as far as it matters."""
        return min(total, 1) if self.quantifier in ("forall", "exists") else total


@final
@dataclass(frozen=True)
class Action:
    """A rule without parameters but that for the acting process, or a condition (no actor, nothing done)."""

    rule: Rule
    origin: Rule | None
    arguments: tuple[int | None, ...]  # those of the origin; None for the acting process
    actor: str
    actors: tuple[int, ...]  # the processes that may act, as numbers from 0; empty if nobody acts
    relations: tuple[Relation, ...] | None
    questions: tuple[Question, ...] | None
    abstract: Rule  # with names for answers
    local_cells: tuple[int, ...]  # positions in the contents of local states that it names
    shared_cells: tuple[int, ...]  # shared cells and flags that it names
    can_fault: bool  # whether its guard can
    possible: dict[tuple[int | None, Shared, int | None], bool] = field(default_factory=dict, compare=False, repr=False)

    @property
    def name(self) -> str:
        """How messages call it."""
        return self.rule.name

    @property
    def answers(self) -> frozenset[str]:
        """The names of answers."""
        return frozenset(p.name for p in self.abstract.parameters[len(self.rule.parameters) :])


def actions_of(view: View) -> tuple[Action, ...]:
    """The rules of a model, one action for each choice of the parameters that are not processes."""
    found: list[Action] = []
    problems: list[Diagnostic] = []
    for rule, processes in join_rules(view, view.model.rules):
        try:
            if processes:
                found.append(replace(make_action(view, rule, rule, (None,)), actors=processes))
            else:
                found += _actions_of_rule(view, rule)
        except Obstacle as obstacle:
            remedy = "adaptive exploration needs rules that act for one process"
            message = f"rule '{rule.name}' stands in the way: {obstacle.message}"
            problems.append(Diagnostic("BUR302", message, obstacle.span or rule.span, (Note(remedy, "help"),)))
        if len(found) > MOST_ACTIONS:
            raise ModelError([Diagnostic("BUR502", f"there are more than {MOST_ACTIONS:,} rule instances")])
    if problems:
        raise ModelError(problems)
    return tuple(found)


def _actions_of_rule(view: View, rule: Rule) -> Iterator[Action]:
    acting = [p for p in rule.parameters if p.domain.index == view.domain.name]
    if len(acting) > 1:
        raise Obstacle(f"it acts for {len(acting)} processes at once", rule.span)
    rest = [p for p in rule.parameters if p not in acting]
    if valuation_count(rest) > MOST_ACTIONS:
        raise ModelError([Diagnostic("BUR502", f"rule '{rule.name}' has too many instances", rule.span)])
    simplifier = Simplifier(view.model, unroll=0)
    for values in valuations(rest):
        known = bind(rest, values)
        guard = simplifier.expr(rule.guard, known)
        if guard == FALSE:
            continue
        body = simplifier.block(rule.body, known) if known else rule.body
        seen = (simplifier.expr(argument, known) for argument in rule.event.arguments)
        event = n.Event(rule.name, tuple(filter(simplifier.faults.possible, seen)))
        ground = Rule(rule.name, tuple(acting), guard, event, body, rule.span)
        yield make_action(view, ground, rule, tuple(known.get(p.name) for p in rule.parameters))


def condition_action(view: View, name: str, condition: Expr, known: dict[str, int]) -> Action:
    """A condition on states, as a rule that nobody acts for and that does nothing."""
    guard = Simplifier(view.model, unroll=0).expr(condition, known)
    try:
        return make_action(view, Rule(name, (), guard, n.Event(name), (), condition.span), None, ())
    except Obstacle as obstacle:
        message = f"property '{name}' stands in the way: {obstacle.message}"
        raise ModelError([Diagnostic("BUR302", message, obstacle.span)]) from obstacle


def make_action(view: View, rule: Rule, origin: Rule | None, arguments: tuple[int | None, ...]) -> Action:
    """An action with its relations and questions; raises `Obstacle`."""
    view.effort.pass_time(20 * EVALUATION)
    rule = with_own_names(rule)
    finder = RelationFinder(view)
    for parameter in rule.parameters:
        finder.bind(parameter.name, parameter.domain, rule.span)
    finder.value(rule.guard)
    for argument in rule.event.arguments:
        finder.value(argument)
    finder.block(rule.body)
    actor = rule.parameters[0].name if rule.parameters else ""
    actors = tuple(view.ids.index(v) for v in rule.parameters[0].domain.values()) if rule.parameters else ()
    questions, abstract = _Abstraction(view, finder, actor, rule).result()
    local, shared = _cells_read(view, rule)
    relations = None if finder.relations is None else tuple(finder.relations)
    can_fault = finder.can_fault(rule.guard)
    return Action(rule, origin, arguments, actor, actors, relations, questions, abstract, local, shared, can_fault)


# ---------------------------------------------------------------- questions


class _NotSimple(Exception):
    """The rule looks at other processes in a way that no question covers."""


@final
class _Abstraction:
    """Finds the questions of a rule and puts names in their places."""

    def __init__(self, view: View, finder: RelationFinder, actor: str, rule: Rule) -> None:
        self._view = view
        self._finder = finder
        self._actor = actor
        self._rule = rule
        self._arrays = {v.name for v in view.arrays}
        self._holders = {view.cells.all[f].variable.name for f in view.flags}
        self._written: set[str] = set()  # what the program changes, while it is being read
        self._questions: list[Question] = []

    def result(self) -> tuple[tuple[Question, ...] | None, Rule]:
        """The questions and the rule with their answers as further parameters, or None if there are others."""
        rule = self._rule
        try:
            guard = self._guard(rule.guard)
            event = replace(rule.event, arguments=tuple(map(self._expr, rule.event.arguments)))
            self._written = variables_written(rule.body)
            body = self._block(rule.body)
        except _NotSimple:
            return None, rule
        answers = tuple(Parameter(f" {k}", self._view.domain) for k in range(len(self._questions)))
        asking = replace(rule, guard=guard, event=event, body=body, parameters=(*rule.parameters, *answers))
        return tuple(self._questions), asking

    def _guard(self, guard: Expr) -> Expr:
        """The guard; a ``forall`` among its conjuncts is required if nothing before it can fault."""
        if not (isinstance(guard, n.Logic) and guard.operator == "&&"):
            return self._expr(guard, is_required=True)
        operands: list[Expr] = []
        is_safe = True
        for operand in guard.operands:
            operands.append(self._expr(operand, is_required=is_safe))
            is_safe = is_safe and not self._finder.can_fault(operand)
        return replace(guard, operands=tuple(operands))

    def _expr(self, expr: Expr, *, is_required: bool = False) -> Expr:
        match expr:
            case n.Quantified(domain=domain) if domain.index == self._view.domain.name:
                return self._question(expr, is_required=is_required)
            case n.Binary(operator="==" | "!=") if self._is_flag_test(expr, (self._actor,)):
                return expr
            case n.Read(variable=name, indices=indices) | n.Length(variable=name, indices=indices):
                self._check_element(name, indices, (self._actor,))
            case n.Item(variable=name, indices=indices):
                self._check_element(name, indices, (self._actor,))
            case _:
                pass
        return map_expr(expr, self._expr)

    def _question(self, expr: n.Quantified, *, is_required: bool) -> Expr:
        self._check_body(expr.body, (self._actor, expr.name), {expr.name, self._actor})
        if self._written & variables_read(expr.body):
            raise _NotSimple
        processes = frozenset(self._view.ids.index(v) for v in expr.domain.values())
        is_ban = is_required and expr.quantifier == "forall"
        question = Question(expr.quantifier, expr.name, expr.body, processes, is_ban)
        if question not in self._questions:
            self._questions.append(question)
        return n.Bound(f" {self._questions.index(question)}", expr.domain, expr.span)

    def _check_body(self, expr: Expr, processes: tuple[str, ...], names: set[str]) -> None:
        """That a body looks at the state of one process, and perhaps of the actor."""
        match expr:
            case n.Bound(name=name):
                if name not in names:
                    raise _NotSimple
            case n.Binary(operator="==" | "!=") if self._is_flag_test(expr, processes):
                return
            case n.Quantified(name=name, domain=domain, body=body):
                if domain.index == self._view.domain.name:
                    raise _NotSimple
                self._check_body(body, processes, names | {name})
            case _:
                if isinstance(expr, n.Read | n.Length | n.Item):
                    self._check_element(expr.variable, expr.indices, processes)
                for child in children(expr):
                    self._check_body(child, processes, names)

    def _check_element(self, variable: str, indices: Sequence[Expr], processes: tuple[str, ...]) -> None:
        if variable in self._holders:
            raise _NotSimple
        if variable not in self._arrays:
            return
        dimensions = self._view.cells.variables[variable].dimensions
        for dimension, index in zip(dimensions, indices, strict=True):
            is_named = isinstance(index, n.Bound) and index.name in processes
            if dimension.index == self._view.domain.name and not is_named:
                raise _NotSimple

    def _is_flag_test(self, expr: n.Binary, processes: tuple[str, ...]) -> bool:
        sides = (expr.left, expr.right)
        flags = [e for e in sides if isinstance(e, n.Read) and e.variable in self._holders]
        others = [e for e in sides if e not in flags]
        if len(flags) != 1 or not all(isinstance(i, n.Const) for i in flags[0].indices):
            return False
        match others[0]:
            case n.Bound(name=name):
                return name in processes
            case n.Const(value=value):
                return value not in self._view.ids
            case _:
                return False

    # ------------------------------------------------------------ programs

    def _statement(self, statement: Stmt) -> Stmt:
        match statement:
            case n.Assign(target=n.Read() | n.Item() as target, value=value) if target.variable in self._holders:
                self._check_flag(target, value)
                return statement
            case n.Assign(target=n.Read(variable=name, indices=indices) | n.Item(variable=name, indices=indices)):
                self._check_element(name, indices, (self._actor,))
            case n.Push(variable=name, indices=indices) | n.Pop(variable=name, indices=indices):
                self._check_element(name, indices, (self._actor,))
            case n.Clear(variable=name, indices=indices):
                self._check_element(name, indices, (self._actor,))
            case n.For(domain=domain) if domain.index == self._view.domain.name:
                raise _NotSimple
            case _:
                pass
        return map_stmt(statement, self._expr, self._block)

    def _block(self, body: Iterable[Stmt]) -> tuple[Stmt, ...]:
        return tuple(map(self._statement, body))

    def _check_flag(self, target: n.Read | n.Item, value: Expr) -> None:
        is_actor = isinstance(value, n.Bound) and value.name == self._actor
        is_label = isinstance(value, n.Const) and value.value not in self._view.ids
        if not (is_actor or is_label) or not all(isinstance(i, n.Const) for i in target.indices):
            raise _NotSimple


def _cells_read(view: View, rule: Rule) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The cells that a rule names: positions among those of one process, and shared cells."""
    names = {name for name, _ in elements_used(rule)}
    entries = view.cells.all
    contents = (*view.own[0], *view.flags)
    local = tuple(k for k, c in enumerate(contents) if entries[c].variable.name in names)
    return local, tuple(c for c in (*view.shared, *view.flags) if entries[c].variable.name in names)
