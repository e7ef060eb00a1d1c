"""Reports as JSON objects: the keys are a contract (see docs/reference/json.md)."""

from __future__ import annotations

from typing import Any

from burnside.explore.result import Exploration
from burnside.explore.trace import Trace
from burnside.ir.cells import Cells
from burnside.ir.nodes import Model
from burnside.report.values import CheckReport, ClaimReport, CountReport


def count_object(report: CountReport) -> dict[str, Any]:
    """The object that ``burnside count --json`` prints."""
    found = report.exploration
    return {
        "states": found.states,
        "transitions": found.transitions,
        "deadlocks": found.deadlocks,
        "depth": found.depth,
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
        "fault": _fault_object(report),
    }


def check_object(report: CheckReport) -> dict[str, Any]:
    """The object that ``burnside check --json`` prints."""
    states = report.count.exploration.states
    model = report.count.model
    return {
        "properties": [_claim_object(model, claim, states) for claim in report.claims],
        **count_object(report.count),
    }


def _microseconds(found: Exploration) -> float | None:
    return round(found.canonicalising_seconds / found.canonicalised * 1e6, 4) if found.canonicalised else None


def trace_object(model: Model, trace: Trace) -> dict[str, Any]:
    """A trace: the initial state, then per step the event and what changed (old value, new value)."""
    return {
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


def _claim_object(model: Model, claim: ClaimReport, states: int) -> dict[str, Any]:
    return {
        "name": claim.name,
        "kind": claim.kind.value,
        "verdict": claim.verdict.value,
        "states": states,
        "trace": trace_object(model, claim.trace) if claim.trace else None,
    }


def _fault_object(report: CountReport) -> dict[str, Any] | None:
    trace = report.fault
    if trace is None or trace.fault is None:
        return None
    return {
        "kind": trace.fault.kind,
        "message": trace.fault.message,
        "rule": trace.fault.rule.name if trace.fault.rule else None,
        "at": str(trace.fault.span) if trace.fault.span else None,
        "trace": trace_object(report.model, trace) if trace.initial else None,
    }
