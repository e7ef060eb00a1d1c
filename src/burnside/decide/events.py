"""Claims about events: freedom from divergence, determinism, refinement; decided without symmetry."""

from __future__ import annotations

from collections.abc import Sequence

from burnside.claims.kinds import EventClaim
from burnside.claims.members import Member
from burnside.decide.modes import orders_unused
from burnside.decide.workbench import Workbench
from burnside.limits import available_memory
from burnside.refine.run import decide as find_violations
from burnside.refine.system import Budget
from burnside.results.findings import CountReport, EventsFinding
from burnside.results.reductions import SymmetryUsed


def decide(bench: Workbench, members: Sequence[Member[EventClaim]]) -> tuple[CountReport, tuple[EventsFinding, ...]]:
    """Decide claims about the events of a model, on one labelled system that grows as far as they need it."""
    options = bench.options
    budget = Budget(options.deadline, memory=options.memory or available_memory(), states=options.states)
    found = find_violations(bench.model, members, budget)
    used = SymmetryUsed(reason="claims about events are checked without it")
    orders = orders_unused(options.partial_order, "claims about events take all steps")
    report = CountReport(bench.model, found.exploration, used, found.fault, orders, simplification=bench.simplification)
    return report, found.findings
