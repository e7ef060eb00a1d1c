"""What reports mean to a script."""

from __future__ import annotations

from collections.abc import Sequence

from burnside.cli.exits import Exit
from burnside.results.findings import CheckReport, CountReport, Verdict
from burnside.results.remarks import specification_faults


def exit_of_count(report: CountReport) -> Exit:
    """The exit code for figures of a state space."""
    fault = report.fault.fault if report.fault else None
    if fault is not None:
        return Exit.LIMIT if fault.is_limit else Exit.MODEL
    is_partial = report.exploration.stop.is_limit or report.exploration.is_verified is False
    if is_partial:
        return Exit.LIMIT
    return Exit.DONE if report.exploration.is_exact else Exit.UNLESS_COLLISION


def exit_of_check(reports: Sequence[CheckReport]) -> Exit:
    """The exit code for verdicts."""
    codes = [exit_of_count(report.count) for report in reports]
    if Exit.MODEL in codes or any(map(specification_faults, reports)):
        return Exit.MODEL
    verdicts = {finding.verdict for report in reports for finding in report.findings}
    if Verdict.VIOLATED in verdicts:
        return Exit.VIOLATED
    if Exit.LIMIT in codes or Verdict.UNKNOWN in verdicts:
        return Exit.LIMIT
    return Exit.UNLESS_COLLISION if Verdict.UNLESS_COLLISION in verdicts else Exit.DONE
