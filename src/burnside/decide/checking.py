"""The claims of one task, each decided in its way, and what was found put together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import final

from burnside.claims.kinds import Claim, EventClaim, Extreme, Fairness, InfiniteRuns, StateClaim
from burnside.claims.members import Member, by_way
from burnside.decide import states
from burnside.decide.modes import Mode
from burnside.decide.slices import Sliced, sliced
from burnside.decide.workbench import Workbench
from burnside.reduce.reduction import require
from burnside.results.exploration import Exploration
from burnside.results.findings import (
    CheckReport,
    CountReport,
    EventsFinding,
    ExtremeFinding,
    Finding,
    RunsFinding,
    Verdict,
)
from burnside.values import replace


@final
class Checking:
    """Decides the claims of one task. Claims about states share one exploration, claims about events another; an
    extreme value and a claim about infinite runs have their own. Each is without the variables that it does not need.
    """

    def __init__(self, bench: Workbench, mode: Mode, fairness: Fairness | None) -> None:
        self._bench = bench
        self._mode = mode
        self._fairness = fairness
        self._counts: list[CountReport] = []
        self._findings: list[Finding] = []

    def check(self, members: Sequence[Member[Claim]], process: str) -> CheckReport:
        """Decide claims, and put together what was found in the order of the text."""
        asked = by_way(members)
        if asked.states:
            self._states(asked.states)
        for member in asked.extremes:
            self._findings.append(self._extreme(member))
        labelled = self._events(asked.events)
        for claim in dict.fromkeys(member.claim for member in asked.runs):
            self._findings += self._runs(claim, [member for member in asked.runs if member.claim is claim])
        count = next((c for c in self._counts if c.fault is not None), self._counts[0])
        if labelled is count.exploration:
            labelled = None
        self._findings.sort(key=lambda f: f.member.claim.span.start if f.member.claim.span else -1)
        return CheckReport(count, tuple(self._findings), process, labelled)

    @property
    def _has_fault(self) -> bool:
        """After a fault nothing more is decided."""
        return any(count.fault is not None for count in self._counts)

    def _sliced(self, members: Sequence[Member[Claim]]) -> Sliced:
        return sliced(self._bench, members, self._mode, self._fairness)

    # ------------------------------------------------------------ by the way of deciding

    def _states(self, members: Sequence[Member[StateClaim]]) -> None:
        cut = self._sliced(members)
        report, found = states.decide(cut.bench, members, self._mode)
        self._counts.append(cut.confirmed(cut.report(report, members), members))
        self._findings += map(cut.finding, found)

    def _extreme(self, member: Member[Extreme]) -> ExtremeFinding:
        from burnside.decide import extremes

        if self._has_fault:
            return ExtremeFinding(member, Verdict.UNKNOWN)
        cut = self._sliced([member])
        counts, finding = extremes.decide(cut.bench, member, self._mode)
        self._counts += [cut.report(count, (extremes.as_reachable(member.claim),)) for count in counts]
        return cut.finding(finding)

    def _events(self, members: Sequence[Member[EventClaim]]) -> Exploration | None:
        """Decide the claims about events; the exploration that this takes."""
        if not members:
            return None
        if self._has_fault:
            self._findings += [EventsFinding(member, Verdict.UNKNOWN) for member in members]
            return None
        from burnside.decide import events

        cut = self._sliced(members)
        report, found = events.decide(cut.bench, members)
        self._findings += found
        if not self._counts:
            self._counts.append(cut.report(report))
        return report.exploration

    def _runs(self, claim: InfiniteRuns, members: Sequence[Member[InfiniteRuns]]) -> Sequence[RunsFinding]:
        from burnside.decide import runs

        unknown = [RunsFinding(member, Verdict.UNKNOWN) for member in members]
        if self._has_fault:
            return unknown
        assumed = claim if self._fairness is None else replace(claim, fairness=self._fairness)
        cut = self._sliced(members)
        found = runs.decide(cut.bench, assumed, members, self._mode)
        if found is None:  # a shortest way to the fault, of the model or of a condition of the formula
            conditions = runs.fault_conditions(self._bench.model, members)
            self._counts.append(cut.report(states.count(cut.bench, conditions, Mode.NONE), conditions))
            return unknown
        if self._bench.options.verify and not cut.is_whole:
            self._confirm(runs.decide(self._bench, assumed, members, Mode.NONE), found)
        told = [self._told(cut, assumed, finding) for finding in found]
        self._counts += [finding.search for finding in told if finding.search is not None]
        return told

    @staticmethod
    def _confirm(whole: Sequence[RunsFinding] | None, found: Sequence[RunsFinding]) -> None:
        """Raise unless the search with all variables says the same, as far as it came."""
        require(whole is not None, "a search with all variables finds a fault")
        for one, other in zip(whole or (), found, strict=True):
            verdicts = {one.verdict, other.verdict} - {Verdict.UNKNOWN}
            require(len(verdicts) < 2, "a search with all variables says something else")

    def _told(self, cut: Sliced, assumed: InfiniteRuns, finding: RunsFinding) -> RunsFinding:
        """What was found, of the whole model. A run that comes back very late, because of what was left out, is sought
        in the whole model instead; that it violates the claim is known.
        """
        told = cut.run_finding(finding)
        if told is not None:
            return told
        from burnside.decide import runs

        sought = runs.decide(self._bench, assumed, [finding.member], self._mode)
        if sought is not None and sought[0].verdict is finding.verdict:
            return sought[0]
        search = None if finding.search is None else cut.report(finding.search)
        return replace(finding, trace=None, loop=None, search=search)
