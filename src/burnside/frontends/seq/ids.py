"""Ids of processes are not numbers in ``.seq``: what mixes them up is reported, and ``ord`` is gone afterwards."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from burnside.claims.conditions import expressions_in
from burnside.claims.kinds import Claim, EventTest, InfiniteRuns, Invariant, Reachable
from burnside.claims.task import Task
from burnside.ir import nodes as n
from burnside.ir.ids import Declared, Kind, is_misused, kind_of, misuses, without_ordinals, written_kinds
from burnside.ir.nodes import Expr, Model, Rule, Stmt
from burnside.ir.rewrite import Block, map_stmt
from burnside.ir.walk import statements
from burnside.source import Diagnostics, Span
from burnside.values import replace

CODE: Final = "BUR221"


def check_ids(task: Task, diagnostics: Diagnostics) -> None:
    """Report ids that stand where a number, or an id of another process, is expected.

    What stands for definitions and procedures is the first of the rules: what is wrong in one is not said of its calls.
    """
    known = Declared.of(task.model)
    seen: set[Span] = set()
    for expr in expressions_in(task):
        for part, wrong in misuses(expr, known):
            if part.span not in seen:
                _report_all(diagnostics, part, wrong, known)
            if part.span is not None:
                seen.add(part.span)
    for value, wanted in _used(task.model, known):
        if is_misused(kind_of(value, known), wanted):
            report(diagnostics.error, value, kind_of(value, known), wanted)


def report(error: Callable[..., None], expr: Expr, kind: Kind, wanted: Kind) -> None:
    """Say that an id is not what is expected, and how its number is written."""
    expected = f"an id of '{wanted}'" if wanted else "a number"
    remedy = f"if its number is meant, write {numbered(expr)}"
    error(CODE, f"expected {expected}, found an id of '{kind}'", expr.span and expr.span.balanced(), help=remedy)


def _report_all(diagnostics: Diagnostics, part: Expr, wrong: list[tuple[Expr, Kind]], known: Declared) -> None:
    if len(wrong) == 2 and isinstance(part, n.Binary):
        _report_both(diagnostics, part, known)
        return
    for child, wanted in wrong:
        report(diagnostics.error, child, kind_of(child, known), wanted)


def _report_both(diagnostics: Diagnostics, expr: n.Binary, known: Declared) -> None:
    """Two ids are compared by order, or computed with: one mistake."""
    left, right = (numbered(side) for side in (expr.left, expr.right))
    is_function = expr.operator in ("min", "max")
    shown = f"{expr.operator}({left}, {right})" if is_function else f"{left} {expr.operator} {right}"
    kinds = dict.fromkeys(f"'{kind_of(side, known)}'" for side in (expr.left, expr.right))
    message = f"expected numbers, found ids of {' and '.join(kinds)}"
    diagnostics.error(
        CODE, message, expr.span and expr.span.balanced(), help=f"if their numbers are meant, write {shown}"
    )


def numbered(expr: Expr) -> str:
    """How the number of an id is written."""
    text = "" if expr.span is None else expr.span.balanced().text
    return f"ord({text})" if text and "\n" not in text else "ord(…)"


def _used(model: n.Model, known: Declared) -> Iterator[tuple[Expr, Kind]]:
    """What rules write, and who acts, each with what is expected of it."""
    processes = {domain.name for domain in model.domains if domain.index == domain.name}
    for rule in model.programs:
        for statement in statements(rule.body):
            yield from written_kinds(statement, known)
        for actor in rule.actors or ():
            if actor.id is not None and actor.kind in processes:
                yield actor.id, actor.kind


# ---------------------------------------------------------------- ord


def plain_task(task: Task) -> Task:
    """A task without ``ord``, as the model has it."""
    return Task(plain_model(task.model), tuple(map(_plain_claim, task.claims)))


def plain_model(model: Model) -> Model:
    """A model without ``ord``."""
    return replace(
        model,
        rules=tuple(map(_plain_rule, model.rules)),
        starts=tuple(map(_plain_rule, model.starts)),
        initially=tuple(map(without_ordinals, model.initially)),
        terminal=without_ordinals(model.terminal),
    )


def _plain_rule(rule: Rule) -> Rule:
    event = replace(rule.event, arguments=tuple(map(without_ordinals, rule.event.arguments)))
    actors = rule.actors and tuple(replace(a, id=a.id and without_ordinals(a.id)) for a in rule.actors)
    guard, body = without_ordinals(rule.guard), _plain_block(rule.body)
    return replace(rule, guard=guard, event=event, body=body, actors=actors)


def _plain_block(body: Block) -> Block:
    return tuple(map(_plain_statement, body))


def _plain_statement(statement: Stmt) -> Stmt:
    return map_stmt(statement, without_ordinals, _plain_block)


def _plain_claim(claim: Claim) -> Claim:
    match claim:
        case Invariant(condition=condition) | Reachable(condition=condition):
            return replace(claim, condition=without_ordinals(condition))
        case InfiniteRuns(atoms=atoms):
            return replace(claim, atoms=tuple((name, _plain_atom(atom)) for name, atom in atoms))
        case _:
            return claim


def _plain_atom(atom: Expr | EventTest) -> Expr | EventTest:
    if not isinstance(atom, EventTest):
        return without_ordinals(atom)
    given = atom.arguments and tuple(None if a is None else without_ordinals(a) for a in atom.arguments)
    return EventTest(atom.name, given)
