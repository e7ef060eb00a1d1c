"""When a step has an event that a claim speaks of."""

from __future__ import annotations

from collections.abc import Sequence

from burnside.claims.kinds import EventTest
from burnside.ir.build import conjunction
from burnside.ir.nodes import Binary, Const, Expr, Rule


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
