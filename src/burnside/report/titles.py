"""Sentences about verdicts that terminal and page share: why a search stopped, and what a run shows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from burnside.explore.result import Stop
from burnside.ir.nodes import Model, PropertyKind
from burnside.ir.temporal import Fairness, TemporalKind
from burnside.report.values import CheckReport, ClaimReport, Verdict
from burnside.source import printable

STOPPED: Final = {
    Stop.MEMORY: "stopped at the memory limit",
    Stop.TIME: "stopped at the time limit",
    Stop.INTERRUPT: "interrupted",
    Stop.STATES: "stopped at the limit of states",
}


def counted(count: int, what: str) -> str:
    """A number with a noun.

    >>> counted(1, "state"), counted(2000, "symmetry")
    ('1 state', '2,000 symmetries')
    """
    if count == 1:
        return f"1 {what}"
    return f"{count:,} {what[:-1] + 'ies' if what.endswith('ry') else what + 's'}"


def verdicts_title(reports: Sequence[CheckReport]) -> str:
    """All verdicts in one phrase: '1 of 3 properties is violated; 2 hold'."""
    if any(report.count.fault for report in reports):
        return "the model faults: nothing is decided beyond that"
    verdicts = Counter(claim.verdict for report in reports for claim in report.claims)
    holding, violated, unknown = (verdicts[v] for v in (Verdict.HOLDS, Verdict.VIOLATED, Verdict.UNKNOWN))
    total = verdicts.total()
    if total == 1:
        return {holding: "the property holds", violated: "the property is violated"}.get(1, "the property is undecided")
    if holding == total:
        return f"all {total} properties hold"
    main, word = (violated, "violated") if violated else (unknown, "undecided")
    others = [f"{holding} hold{'s' if holding == 1 else ''}"] if holding else []
    others += [f"{unknown} undecided"] if violated and unknown else []
    return "; ".join([f"{main} of {total} properties {'is' if main == 1 else 'are'} {word}", *others])


def has_sizes(model: Model) -> bool:
    """Whether ``-D`` can make a model smaller; the constants of actors say who knows whom."""
    return bool(model.constants) and not model.actors


def run_title(claim: ClaimReport) -> str:
    """What the run of a claim shows, to stand behind its name: 'violated after 3 steps'."""
    assert claim.trace is not None
    steps = len(claim.trace.steps)
    after = f"after {counted(steps, 'step')}" if steps else "in an initial state"
    match claim.kind:
        case TemporalKind.LTL:
            return _infinite(claim, steps)
        case PropertyKind.REACHABLE:
            return f"reached {after}"
        case PropertyKind.DEADLOCK_FREE:
            return f"violated: no rule can fire {after}"
        case PropertyKind.INVARIANT:
            return f"violated {after}"
        case _:
            return f"violated {after}: {printable(claim.reason)}"


def is_one_of_many(claim: ClaimReport) -> bool:
    """Whether the loop of a run is only one that it takes: global fairness asks for all steps of its states."""
    has_loop = claim.trace is not None and claim.loop is not None and claim.loop < len(claim.trace.steps)
    return claim.fairness is Fairness.GLOBAL and has_loop


def _infinite(claim: ClaimReport, steps: int) -> str:
    assert claim.loop is not None
    stem, fair = claim.loop, "" if claim.fairness is Fairness.NONE else "fair "
    if is_one_of_many(claim):
        begins = f" that begins with {counted(stem, 'step')} and" if stem else " that"
        return f"violated by a globally fair run{begins} takes this loop again and again, among others"
    if stem == steps:
        return f"violated by a {fair}run that ends after {counted(stem, 'step')}"
    first = f"{counted(stem, 'step')} and then " if stem else ""
    return f"violated by a {fair}run of {first}a loop of {counted(steps - stem, 'step')}"
