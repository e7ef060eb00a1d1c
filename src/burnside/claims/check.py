"""The checker of tasks: that of models, and the types and sizes of what is claimed."""

from __future__ import annotations

from typing import assert_never

from burnside.claims import kinds
from burnside.claims.kinds import Claim, EventTest, InfiniteRuns
from burnside.claims.task import Task
from burnside.ir.check import INT, MOST_WORK, TRUTH, Checker
from burnside.ir.instances import valuation_count
from burnside.ir.nodes import Expr
from burnside.ir.walk import expanded_size
from burnside.source import Diagnostics

MOST_MEMBERS = 10_000


def check_task(task: Task, diagnostics: Diagnostics) -> None:
    """Report everything that is wrong with a model and the claims about it; specifications have been checked before."""
    checker = Checker(task.model, diagnostics)
    checker.check_declarations()
    checker.check_unique(("property", claim.name, claim.span) for claim in task.claims)
    for claim in task.claims:
        if valuation_count(claim.parameters) > MOST_MEMBERS:
            message = f"property '{claim.name}' has more than {MOST_MEMBERS:,} members"
            diagnostics.error("BUR502", message, claim.span, help="quantify inside the property instead")
    if diagnostics.has_errors:
        return  # types below would only repeat what is wrong above
    checker.check_contents()
    for claim in task.claims:
        _check_claim(claim, checker, diagnostics)


def _check_claim(claim: Claim, checker: Checker, diagnostics: Diagnostics) -> None:
    match claim:
        case kinds.Invariant(condition=condition) | kinds.Reachable(condition=condition):
            if _is_small(condition, f"property '{claim.name}'", claim, diagnostics):
                checker.expect(condition, TRUTH, checker.scope(claim.parameters, claim.span))
        case kinds.Extreme(condition=condition, value=value):
            if all(_is_small(part, f"property '{claim.name}'", claim, diagnostics) for part in (condition, value)):
                checker.expect(condition, TRUTH, {})
                checker.expect(value, INT, {})
        case InfiniteRuns():
            _check_atoms(claim, checker, diagnostics)
        case kinds.DeadlockFree() | kinds.DivergenceFree() | kinds.Deterministic() | kinds.Refinement():
            pass  # nothing is evaluated
        case _:
            assert_never(claim)


def _check_atoms(claim: InfiniteRuns, checker: Checker, diagnostics: Diagnostics) -> None:
    scope = checker.scope(claim.parameters, claim.span)
    for name, atom in claim.atoms:
        if isinstance(atom, EventTest):
            for argument in atom.arguments or ():
                if argument is not None:
                    checker.type_of(argument, scope)
        elif _is_small(atom, f"'{name}' of '{claim.name}'", claim, diagnostics):
            checker.expect(atom, TRUTH, scope)


def _is_small(expr: Expr, what: str, claim: Claim, diagnostics: Diagnostics) -> bool:
    if expanded_size(expr) <= MOST_WORK:
        return True
    diagnostics.error("BUR502", f"evaluating {what} could take more than {MOST_WORK:,} operations", claim.span)
    return False
