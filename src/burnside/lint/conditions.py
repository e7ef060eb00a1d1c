"""Rules that can never fire, guards that are always true, and properties that ranges alone decide.

What a named constant is can be chosen anew for every run: it is a switch, or a size. A condition that depends on one is
not judged by its value, nor one about a domain that ends with it or a variable that begins with it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from burnside.claims.kinds import Claim, Invariant, Reachable
from burnside.claims.task import Task
from burnside.ir.build import conjuncts
from burnside.ir.nodes import TRUE, Const, Expr, Rule
from burnside.ir.uses import evaluated_in
from burnside.ir.walk import parts
from burnside.lint.ranges import Values
from burnside.lint.warn import warning
from burnside.source import Diagnostic, Severity, Span

# Nodes of all rules: beyond, to find out which values variables take would be felt.
_MOST_WORK: Final = 3_000


def about_conditions(task: Task) -> Iterator[Diagnostic]:
    """Rules and properties of a task that ranges decide."""
    model = task.model
    declared = Values(model)
    taken = Values(model)
    if sum(1 for rule in model.rules for expr in evaluated_in(rule) for _ in parts(expr)) <= _MOST_WORK:
        taken.spread(model.rules)
    for rule in model.rules:
        yield from _about_rule(rule, declared, taken)
    for claim in task.claims:
        yield from _about_claim(claim, declared)


def _about_rule(rule: Rule, declared: Values, taken: Values) -> Iterator[Diagnostic]:
    if taken.is_never(rule.guard):
        place = next((c.span for c in conjuncts(rule.guard) if c.span and taken.is_never(c)), None)
        message = f"rule '{rule.name}' can never fire: no values that variables take make its guard true"
        yield Diagnostic("BUR703", message, place or rule.span, (), Severity.WARNING)
        return
    for condition in conjuncts(rule.guard):
        if condition != TRUE and declared.is_always(condition):
            message = f"this part of the guard of rule '{rule.name}' is always true"
            yield warning("BUR704", message, _span(condition, rule), "leave it out, or compare with another value")


def _about_claim(claim: Claim, declared: Values) -> Iterator[Diagnostic]:
    match claim:
        case Invariant(condition=condition) if declared.is_always(condition):
            message = f"'{claim.name}' says nothing: the ranges of variables make it true in every state"
            yield warning("BUR705", message, claim.span, "compare with a value that must not be taken")
        case Reachable(condition=condition) if declared.is_never(condition):
            message = f"'{claim.name}' asks for nothing: the ranges of variables make it false in every state"
            yield warning("BUR705", message, claim.span, "compare with a value that can be taken")
        case _:
            pass


def _span(condition: Expr, rule: Rule) -> Span | None:
    return condition.span if not isinstance(condition, Const) and condition.span else rule.span
