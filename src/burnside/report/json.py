"""Reports as JSON objects: the keys are a contract (see docs/reference/json.md)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from burnside.ir.cells import Cells
from burnside.ir.nodes import Model
from burnside.results.exploration import Exploration
from burnside.results.findings import CheckReport, CountReport, EventsFinding, ExtremeFinding, Finding, RunsFinding
from burnside.results.trace import Trace


def count_object(report: CountReport) -> dict[str, Any]:
    """The object that ``burnside count --json`` prints."""
    found = report.exploration
    return {
        "states": found.states,
        "transitions": found.transitions,
        "deadlocks": found.deadlocks,
        "depth": report.depth,
        "initial_states": found.initial,
        "seconds": round(found.seconds, 6),
        "cpu_seconds": round(found.cpu_seconds, 6),
        "states_per_second": round(found.states / found.seconds) if found.seconds else None,
        "bytes_per_state": round(found.bytes / found.states, 2) if found.states else None,
        "threads": found.threads,
        "stopped": found.stop.value,
        "symmetry": {
            "mode": report.symmetry.mode,
            "order": report.symmetry.order,
            "strategy": report.symmetry.strategy,
            "reason": report.symmetry.reason,
            "lost_to_properties": report.symmetry.lost,
            "full_states": found.full_states,
            "canonicalised": found.canonicalised,
            "microseconds_per_canonicalisation": _microseconds(found),
        },
        "reductions": [{"kind": r.kind, "reason": r.reason, **r.figures} for r in report.reductions],
        "self_test": _self_test(found),
        "verified": found.is_verified,
        "fault": fault_object(report.model, report.fault),
    }


def _self_test(found: Exploration) -> dict[str, int] | None:
    tested = found.self_test
    return None if tested is None else {"checked": tested.checked, "failed": tested.failed}


def check_object(reports: Sequence[CheckReport]) -> dict[str, Any]:
    """The object that ``burnside check --json`` prints; the figures are those of the first process."""
    result: dict[str, Any] = {
        "properties": [_finding_object(report, finding) for report in reports for finding in report.findings],
        **count_object(reports[0].count),
    }
    if len(reports) > 1:
        result["processes"] = [{"process": r.process, **count_object(r.count)} for r in reports]
    return result


def _microseconds(found: Exploration) -> float | None:
    return round(found.canonicalising_seconds / found.canonicalised * 1e6, 4) if found.canonicalised else None


def trace_object(model: Model, trace: Trace, loop: int | None = None) -> dict[str, Any]:
    """A trace: the initial state, then per step the event and what changed (old value, new value).

    With a ``loop`` the steps after the first so many repeat for ever.
    """
    result: dict[str, Any] = {
        "initial": Cells(model).describe(trace.initial),
        "steps": [
            {
                "event": step.event,
                "rule": step.rule,
                "changes": {change.name: [change.before, change.after] for change in step.changes},
            }
            for step in trace.steps
        ],
    }
    return result if loop is None else result | {"loop": loop}


def _finding_object(report: CheckReport, finding: Finding) -> dict[str, Any]:
    loop = finding.loop if isinstance(finding, RunsFinding | EventsFinding) else None
    model, trace = report.count.model, finding.trace
    result = {
        "name": report.full_name(finding),
        "kind": finding.member.claim.word,
        "verdict": finding.verdict.value,
        "states": _searched(report, finding).states,
        "trace": trace_object(model, trace, loop) if trace else None,
    }
    if report.process:
        result["process"] = report.process
    match finding:
        case ExtremeFinding(value=value) if value is not None:
            result["value"] = value
        case EventsFinding(contrast=contrast):
            shown = trace_object(model, contrast) if contrast else None
            result |= {"reason": finding.reason, "loop": loop, "contrast": shown}
        case RunsFinding(search=search) if search is not None:
            result |= _search_object(finding, search)
        case _:
            pass
    return result


def _searched(report: CheckReport, finding: Finding) -> Exploration:
    """The exploration that decided a claim."""
    if isinstance(finding, RunsFinding) and finding.search is not None:
        return finding.search.exploration
    if isinstance(finding, EventsFinding) and report.labelled:
        return report.labelled
    return report.count.exploration


def _search_object(finding: RunsFinding, search: CountReport) -> dict[str, Any]:
    """What only claims about infinite runs have."""
    used = search.symmetry
    return {
        "fairness": finding.fairness.value,
        "loop": finding.loop,
        "decided_by": finding.decided_by.name if finding.decided_by else None,
        "transitions": search.exploration.transitions,
        "seconds": round(search.exploration.seconds, 6),
        "symmetry": {"mode": used.mode, "order": used.order, "strategy": used.strategy, "reason": used.reason},
    }


def fault_object(model: Model, trace: Trace | None) -> dict[str, Any] | None:
    """What goes wrong at the end of a trace, if anything."""
    if trace is None or trace.fault is None:
        return None
    return {
        "kind": trace.fault.kind,
        "message": trace.fault.message,
        "rule": trace.fault.rule.name if trace.fault.rule else None,
        "at": str(trace.fault.span) if trace.fault.span else None,
        "trace": trace_object(model, trace) if trace.initial else None,
    }
