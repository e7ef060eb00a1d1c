"""What reports mean to a script, and what is said of them on standard error."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from burnside.cli.exits import Exit
from burnside.cli.loading import warn
from burnside.ir.semantics import Fault
from burnside.results.findings import CheckReport, CountReport, EventsFinding, Verdict
from burnside.source import Diagnostic


def fault_diagnostic(fault: Fault) -> Diagnostic:
    """A fault is an error in the model; it is shown where it happened, like every other one."""
    return Diagnostic("BUR501", fault.message, fault.span)


def show_remarks(*reports: CheckReport | CountReport) -> None:
    """Print what there is to say about models, and their faults."""
    for report in reports:
        for diagnostic in _remarks(report.count if isinstance(report, CheckReport) else report):
            warn(diagnostic)
    for report in reports:
        for fault in _specification_faults(report) if isinstance(report, CheckReport) else ():
            warn(fault_diagnostic(fault))


def _remarks(report: CountReport) -> Iterator[Diagnostic]:
    yield from report.symmetry.notes
    if report.fault is not None and report.fault.fault is not None:
        yield fault_diagnostic(report.fault.fault)


def _specification_faults(report: CheckReport) -> list[Fault]:
    return [f.fault for f in report.findings if isinstance(f, EventsFinding) and f.fault]


def exit_of_count(report: CountReport) -> Exit:
    """The exit code for figures of a state space."""
    fault = report.fault.fault if report.fault else None
    if fault is not None:
        return Exit.LIMIT if fault.is_limit else Exit.MODEL
    is_partial = report.exploration.stop.is_limit or report.exploration.is_verified is False
    return Exit.LIMIT if is_partial else Exit.DONE


def exit_of_check(reports: Sequence[CheckReport]) -> Exit:
    """The exit code for verdicts."""
    codes = [exit_of_count(report.count) for report in reports]
    if Exit.MODEL in codes or any(map(_specification_faults, reports)):
        return Exit.MODEL
    verdicts = {finding.verdict for report in reports for finding in report.findings}
    if Verdict.VIOLATED in verdicts:
        return Exit.VIOLATED
    return Exit.LIMIT if Exit.LIMIT in codes or Verdict.UNKNOWN in verdicts else Exit.DONE
