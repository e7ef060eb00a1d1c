"""Tasks as ``.seq`` text, which reads back as an equal task if it asks only what that language can.

Extreme values and claims about events have no words there: they are left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from burnside.claims import kinds
from burnside.claims.kinds import Claim, EventTest, Fairness, InfiniteRuns
from burnside.claims.task import Task
from burnside.ir.ids import ordinal
from burnside.ir.printer import ANYTHING, Printer, print_name, text_of
from burnside.ltl import formula as ltl


def print_task(task: Task) -> str:
    """The model and the claims about it; those about infinite runs come last."""
    printer = Printer.of(task.model)
    *before, terminal = printer.groups(task.model)
    claims = [(claim, line) for claim in task.claims for line in _claim(claim, printer)]
    runs = [line for claim, line in claims if isinstance(claim, InfiniteRuns)]
    states = [line for claim, line in claims if not isinstance(claim, InfiniteRuns)]
    return text_of([*before, states, runs, terminal])


def print_event_test(test: EventTest) -> str:
    """What is asked of a step: ``event get(0, _)``."""
    return _event_test(test, Printer(frozenset(), frozenset()))


def _claim(claim: Claim, printer: Printer) -> Iterator[str]:
    match claim:
        case kinds.Invariant(condition=condition) | kinds.Reachable(condition=condition):
            head = f"{claim.word} {print_name(claim.name)}{printer.parameters(claim.parameters)}"
            yield f"{head}: {printer.expr(condition)};"
        case kinds.DeadlockFree():
            yield f"{claim.word} {print_name(claim.name)}{' up to stuttering' if claim.up_to_stuttering else ''};"
        case InfiniteRuns():
            under = "" if claim.fairness is Fairness.NONE else f" under {claim.fairness}"
            head = f"{claim.word} {print_name(claim.name)}{printer.parameters(claim.parameters)}{under}"
            yield f"{head}: {_formula(claim.formula, claim, printer)};"
        case kinds.Extreme() | kinds.DivergenceFree() | kinds.Deterministic() | kinds.Refinement():
            pass
        case _:
            assert_never(claim)


def _formula(formula: ltl.Formula, claim: InfiniteRuns, printer: Printer) -> str:
    """A formula with every operator in parentheses of its own."""
    parts = [_formula(part, claim, printer) for part in formula.args]
    match formula.operator:
        case "true" | "false":
            return formula.operator
        case "atom" | "not":
            atom = dict(claim.atoms)[formula.atom]
            text = _event_test(atom, printer) if isinstance(atom, EventTest) else f"({printer.expr(atom)})"
            return text if formula.operator == "atom" else f"!{text}"
        case "next":
            return f"X {parts[0]}"
        case "and" | "or":
            return "(" + {"and": " && ", "or": " || "}[formula.operator].join(parts) + ")"
        case "until":
            return f"<>{parts[1]}" if formula.args[0] == ltl.TRUE else f"({parts[0]} U {parts[1]})"
        case _:
            return f"[]{parts[1]}" if formula.args[0] == ltl.FALSE else f"({parts[0]} R {parts[1]})"


def _event_test(test: EventTest, printer: Printer) -> str:
    if test.arguments is None:
        return f"event {print_name(test.name)}"
    numbers = printer.numbers_in(test.name, test.arguments)
    given = [a if a is None or k not in numbers else ordinal(a) for k, a in enumerate(test.arguments)]
    arguments = ", ".join(ANYTHING if a is None else printer.expr(a) for a in given)
    return f"event {print_name(test.name)}({arguments})"
