"""What holds in a state, and when a step has an event that a claim speaks of."""

from __future__ import annotations

from collections.abc import Sequence

from burnside.claims.kinds import Atom, EventTest
from burnside.ir.build import conjunction
from burnside.ir.cells import Cells, State
from burnside.ir.instances import Instance
from burnside.ir.nodes import Binary, Const, Expr, Rule
from burnside.ir.semantics import evaluate


def atom_holds(cells: Cells, atom: Atom, state: State, taken: Instance | None) -> bool:
    """Whether an atom holds in a state from which a rule instance is taken, or which is not left any more."""
    if not isinstance(atom, EventTest):
        return bool(evaluate(cells, atom, state))
    if taken is None:
        return False
    event = taken.rule.event
    if event.name != atom.name or (atom.arguments is not None and len(atom.arguments) != len(event.arguments)):
        return False
    return all(
        wanted is None or evaluate(cells, wanted, state) == evaluate(cells, argument, state, taken.values)
        for wanted, argument in zip(atom.arguments or (), event.arguments, strict=False)
    )


def event_condition(test: EventTest, rule: Rule, event: Sequence[Expr]) -> Expr | None:
    """When a rule instance has the event that is asked for, given its event's arguments; None if never."""
    if test.name != rule.event.name or (test.arguments is not None and len(test.arguments) != len(event)):
        return None
    conditions: list[Expr] = []
    for wanted, found in zip(test.arguments or (), event, strict=False):
        if wanted is None:
            continue
        if isinstance(wanted, Const) and isinstance(found, Const):
            if wanted.value != found.value:
                return None
        else:
            conditions.append(Binary("==", found, wanted))
    return conjunction(conditions)
