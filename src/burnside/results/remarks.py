"""What there is to say about the model of a report besides the answer: notes of the search, and faults."""

from __future__ import annotations

from collections.abc import Iterator

from burnside.ir.semantics import Fault
from burnside.results.findings import CheckReport, CountReport, EventsFinding
from burnside.source import Diagnostic, is_allowed


def fault_diagnostic(fault: Fault) -> Diagnostic:
    """A fault is an error in the model; it is shown where it happened, like every other one."""
    return Diagnostic("BUR501", fault.message, fault.span)


def remarks_on(*reports: CheckReport | CountReport) -> Iterator[Diagnostic]:
    """What there is to say about models, and their faults."""
    for report in reports:
        yield from _remarks(report.count if isinstance(report, CheckReport) else report)
    for report in reports:
        for fault in specification_faults(report) if isinstance(report, CheckReport) else ():
            yield fault_diagnostic(fault)


def _remarks(report: CountReport) -> Iterator[Diagnostic]:
    yield from (note for note in report.symmetry.notes if not is_allowed(note))
    if report.fault is not None and report.fault.fault is not None:
        yield fault_diagnostic(report.fault.fault)


def specification_faults(report: CheckReport) -> list[Fault]:
    """Faults of processes that others are compared with."""
    return [f.fault for f in report.findings if isinstance(f, EventsFinding) and f.fault]
