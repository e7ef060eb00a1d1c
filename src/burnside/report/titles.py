"""Sentences about verdicts that terminal and page share: why a search stopped, and what a run shows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from decimal import ROUND_UP, Context
from typing import Final, assert_never

from burnside.claims.kinds import Claim, Fairness, is_about_stuttering
from burnside.claims.task import Simplification
from burnside.ir.cells import shown_name
from burnside.ir.nodes import Model
from burnside.results.exploration import Exploration, Stop
from burnside.results.findings import (
    CheckReport,
    EventsFinding,
    ExtremeFinding,
    Finding,
    RunsFinding,
    StateFinding,
    Verdict,
)
from burnside.results.reductions import PartialOrderUsed, SlicingUsed
from burnside.source import printable

STOPPED: Final = {
    Stop.MEMORY: "stopped at the memory limit",
    Stop.TIME: "stopped at the time limit",
    Stop.INTERRUPT: "interrupted",
    Stop.STATES: "stopped at the limit of states",
    Stop.DISK: "stopped because there is no more room on the disk",
}

UNLESS_COLLISION: Final = "unless two states share a fingerprint"

_MOST_NAMED: Final = 5  # variables


def ending_of(claim: Claim) -> str:
    """What is wrong where a model may not end."""
    return "no rule can change anything" if is_about_stuttering(claim) else "no rule can fire"


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
    verdicts = Counter(finding.verdict for report in reports for finding in report.findings)
    violated, unknown, total = verdicts[Verdict.VIOLATED], verdicts[Verdict.UNKNOWN], verdicts.total()
    holding = total - violated - unknown
    unless = f", {UNLESS_COLLISION}" if verdicts[Verdict.UNLESS_COLLISION] else ""
    if total == 1 and not holding:
        return "the property is violated" if violated else "the property is undecided"
    if holding == total:
        return ("the property holds" if total == 1 else f"all {total} properties hold") + unless
    main, word = (violated, "violated") if violated else (unknown, "undecided")
    others = [f"{holding} hold{'s' if holding == 1 else ''}{unless}"] if holding else []
    others += [f"{unknown} undecided"] if violated and unknown else []
    return "; ".join([f"{main} of {total} properties {'is' if main == 1 else 'are'} {word}", *others])


def fingerprint_title(found: Exploration) -> str:
    """What there is to say about states that are told apart by fingerprints."""
    if found.fingerprint is None:
        return ""
    bound = Context(prec=2, rounding=ROUND_UP).create_decimal_from_float(found.collision)
    shared = f"two of {counted(found.states, 'state')} share a fingerprint of {found.fingerprint} bits"
    return f"exact unless {shared}: probability below {bound}"


def has_sizes(model: Model) -> bool:
    """Whether ``-D`` can make a model smaller; the constants of actors say who knows whom."""
    return bool(model.constants) and not model.actors


def run_title(finding: Finding) -> str:
    """What the run of a finding shows, to stand behind the name of its claim: 'violated after 3 steps'."""
    assert finding.trace is not None
    steps = len(finding.trace.steps)
    after = f"after {counted(steps, 'step')}" if steps else "in an initial state"
    match finding:
        case RunsFinding():
            return _infinite(finding, steps)
        case EventsFinding():
            return f"violated {after}: {printable(finding.reason)}"
        case ExtremeFinding():
            return f"reached {after}"
        case StateFinding(member=member):
            deadlock = f": {ending_of(member.claim)}" if member.claim.is_about_deadlock else ""
            return f"reached {after}" if member.claim.is_existential else f"violated{deadlock} {after}"
        case _:
            assert_never(finding)


def likewise_text(finding: Finding) -> str:
    """Which run shows this, renamed, if it is that of another claim: 'exchange P 0 and 1 in the run of low(0)'."""
    if not isinstance(finding, StateFinding) or finding.likewise is None:
        return ""
    return f"{finding.likewise.renaming} in the run of {finding.likewise.member.name}"


def is_one_of_many(finding: RunsFinding) -> bool:
    """Whether the loop of a run is only one that it takes: global fairness asks for all steps of its states."""
    has_loop = finding.trace is not None and finding.loop is not None and finding.loop < len(finding.trace.steps)
    return finding.fairness is Fairness.GLOBAL and has_loop


def _infinite(finding: RunsFinding, steps: int) -> str:
    assert finding.loop is not None
    stem, fair = finding.loop, "" if finding.fairness is Fairness.NONE else "fair "
    if is_one_of_many(finding):
        begins = f" that begins with {counted(stem, 'step')} and" if stem else " that"
        return f"violated by a globally fair run{begins} takes this loop again and again, among others"
    if stem == steps:
        return f"violated by a {fair}run that ends after {counted(stem, 'step')}"
    first = f"{counted(stem, 'step')} and then " if stem else ""
    return f"violated by a {fair}run of {first}a loop of {counted(steps - stem, 'step')}"


def slicing_title(used: SlicingUsed | None) -> str:
    """What there is to say about variables that nothing depends on."""
    if used is None:
        return ""
    first = ", ".join(printable(shown_name(name)) for name in used.variables[:_MOST_NAMED])
    more = len(used.variables) - _MOST_NAMED
    names = f"{first} and {counted(more, 'variable')} more" if more > 0 else first
    return f"without {names}: {used.reason}" if used.is_used else f"not used for {names}: {used.reason}"


def simplification_title(used: Simplification | None) -> str:
    """What there is to say about parts of a net that nothing depends on."""
    if used is None:
        return ""
    sizes = (used.places, used.of_places, "place"), (used.transitions, used.of_transitions, "transition")
    parts = " and ".join(f"{few:,} of {counted(many, what)}" for few, many, what in sizes if few)
    joined = f"; {counted(used.joined, 'step')} of several transitions" if used.joined else ""
    return f"without {parts}: {used.reason}{joined}"


def orders_title(used: PartialOrderUsed | None) -> str:
    """What there is to say about partial order."""
    if used is None or not used.is_told:
        return ""
    return f"partial order: {used.reason}" if used.is_used else f"partial order not used: {used.reason}"
