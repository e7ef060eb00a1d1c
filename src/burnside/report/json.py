"""Answers as JSON objects, typed by `burnside.report.shapes`: the keys are a contract (see docs/reference/json.md)."""

from __future__ import annotations

from collections.abc import Sequence
from json import dumps
from typing import Final, cast

from burnside.ir.cells import Cells
from burnside.ir.nodes import Model
from burnside.report.coverage import coverage_value
from burnside.report.places import remarks_object
from burnside.report.shapes import (
    CheckObject,
    CountObject,
    FailureObject,
    FaultObject,
    FiguresObject,
    FingerprintObject,
    KeptObject,
    OrdersObject,
    PartObject,
    Processes,
    ProcessObject,
    PropertyObject,
    ReasonsObject,
    ReductionObject,
    Remarks,
    SelfTestObject,
    SlicingObject,
    StoppedObject,
    TablesObject,
    TraceObject,
    WrittenObject,
)
from burnside.results.answers import (
    CheckAnswer,
    CountAnswer,
    Failure,
    PatternAnswer,
    Stopped,
    TablesAnswer,
    Written,
)
from burnside.results.exploration import Exploration, Kept
from burnside.results.findings import (
    CheckReport,
    CountReport,
    EventsFinding,
    ExtremeFinding,
    Finding,
    RunsFinding,
    StateFinding,
)
from burnside.results.reasons import Part, Reasons
from burnside.results.reductions import PartialOrderUsed, ReductionUsed, SlicingUsed
from burnside.results.trace import Trace

_NO_REMARKS: Final[Remarks] = {}

# ---------------------------------------------------------------- answers


def check(answer: CheckAnswer) -> str:
    """What ``burnside check --json`` prints."""
    result = check_object(answer.reports, remarks_object(answer))
    covered = answer.coverages or ()
    for figures, coverage in zip(result.get("processes", [result]), covered, strict=False):
        figures["coverage"] = coverage_value(coverage)
    return dumps(result)


def count(answer: CountAnswer) -> str:
    """What ``burnside count --json`` prints."""
    result: CountObject = {**count_object(answer.report), **remarks_object(answer)}
    for coverage in answer.coverages or ():
        result["coverage"] = coverage_value(coverage)
    return dumps(result)


def pattern(answer: PatternAnswer) -> str:
    """What ``burnside pattern --json`` prints."""
    return dumps({**answer.content, **remarks_object(answer)})


def written(answer: Written) -> str:
    """What was written, and remarks."""
    result: WrittenObject = {"file": answer.file, "about": answer.about, **remarks_object(answer)}
    return dumps(result)


def tables(answer: TablesAnswer) -> str:
    """What ``burnside bench --json`` prints."""
    result: TablesObject = {
        "version": answer.version,
        "machine": dict(answer.machine),
        "tables": {name: [dict(row) for row in rows] for name, rows in answer.tables.items()},
        "left_out": {name: [*rows] for name, rows in answer.left_out.items()},
    }
    if answer.stopped is not None:
        result["stopped"] = answer.stopped
    return dumps(result)


def failure(answer: Failure) -> str:
    """A model that cannot be used: the diagnostics are all there is."""
    result: FailureObject = {"diagnostics": remarks_object(answer)["diagnostics"]}
    return dumps(result)


def stopped(answer: Stopped) -> str:
    """Which limit was reached, and what was being done."""
    result: StoppedObject = {"stopped": answer.limit, "phase": answer.phase, **remarks_object(answer)}
    return dumps(result)


# ---------------------------------------------------------------- figures and verdicts


def _fingerprint(found: Exploration) -> FingerprintObject | None:
    if found.fingerprint is None:
        return None
    return {"bits": found.fingerprint, "probability": found.collision}


def count_object(report: CountReport) -> FiguresObject:
    """The figures of a state space."""
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
        "store": found.store.value,
        "disk_bytes": found.disk,
        "fingerprint": _fingerprint(found),
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
        "partial_order": orders_object(report.partial_order),
        "slicing": slicing_object(report.slicing),
        "reductions": [*map(_reduction_object, report.reductions)],
        "self_test": _self_test(found),
        "verified": found.is_verified,
        "fault": fault_object(report.model, report.fault),
        "checkpoint": _kept_object(found.kept),
    }


def _kept_object(kept: Kept | None) -> KeptObject | None:
    """Where a search is kept, and how far."""
    if kept is None:
        return None
    return {
        "directory": kept.directory,
        "levels": kept.levels,
        "states": kept.states,
        "resumed_states": kept.resumed,
        "failure": kept.failure or None,
    }


def orders_object(used: PartialOrderUsed | None) -> OrdersObject | None:
    """Whether partial order was used, if that was a question."""
    return None if used is None else {"used": used.is_used, "reason": used.reason}


def slicing_object(used: SlicingUsed | None) -> SlicingObject | None:
    """Which variables nothing depends on, if there are any, and whether they were left out."""
    if used is None:
        return None
    return {"used": used.is_used, "reason": used.reason, "variables": [*used.variables], "confirmed": used.confirmed}


def _reduction_object(used: ReductionUsed) -> ReductionObject:
    """Each kind of reduction has figures of its own, which are values without names until here."""
    return cast(ReductionObject, {"kind": used.kind, "reason": used.reason, **used.figures})


def _self_test(found: Exploration) -> SelfTestObject | None:
    tested = found.self_test
    if tested is None:
        return None
    return {"checked": tested.checked, "failed": tested.failed, "seconds": round(tested.seconds, 6)}


def check_object(reports: Sequence[CheckReport], remarks: Remarks | None = None) -> CheckObject:
    """Verdicts and figures; those outside are of the first process."""
    return {
        "properties": [_finding_object(report, finding) for report in reports for finding in report.findings],
        **count_object(reports[0].count),
        **_processes(reports),
        **(remarks or _NO_REMARKS),
    }


def _processes(reports: Sequence[CheckReport]) -> Processes:
    return {"processes": [*map(_process_object, reports)]} if len(reports) > 1 else {}


def _process_object(report: CheckReport) -> ProcessObject:
    return {"process": report.process, **count_object(report.count)}


def _microseconds(found: Exploration) -> float | None:
    return round(found.canonicalising_seconds / found.canonicalised * 1e6, 4) if found.canonicalised else None


def trace_object(model: Model, trace: Trace, loop: int | None = None) -> TraceObject:
    """A trace: the initial state, then per step the event and what changed (old value, new value).

    With a ``loop`` the steps after the first so many repeat for ever.
    """
    result: TraceObject = {
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
    if loop is not None:
        result["loop"] = loop
    return result


def traces_object(reports: Sequence[CheckReport]) -> dict[str, TraceObject | None]:
    """The traces of all properties that have one, and of a fault, by name."""
    shown = check_object(reports)
    traces = {found["name"]: found["trace"] for found in shown["properties"] if found["trace"]}
    fault = shown["fault"]
    return {**traces, "fault": fault["trace"]} if fault else {**traces}


def _finding_object(report: CheckReport, finding: Finding) -> PropertyObject:
    loop = finding.loop if isinstance(finding, RunsFinding | EventsFinding) else None
    model, trace = report.count.model, finding.trace
    result: PropertyObject = {
        "name": report.full_name(finding),
        "kind": finding.member.claim.word,
        "verdict": finding.verdict.value,
        "states": _searched(report, finding).states,
        "trace": trace_object(model, trace, loop) if trace else None,
    }
    if report.process:
        result["process"] = report.process
    if isinstance(finding, StateFinding) and finding.reasons is not None:
        result["reasons"] = reasons_object(finding.reasons)
    match finding:
        case StateFinding(likewise=likewise) if likewise is not None:
            result["likewise"] = {"run_of": likewise.member.name, "renaming": likewise.renaming}
        case ExtremeFinding(value=value) if value is not None:
            result["value"] = value
        case EventsFinding(contrast=contrast):
            shown = trace_object(model, contrast) if contrast else None
            return {**result, "reason": finding.reason, "loop": loop, "contrast": shown}
        case RunsFinding(search=search) if search is not None:
            _add_search(result, finding, search)
        case _:
            pass
    return result


def reasons_object(reasons: Reasons) -> ReasonsObject:
    """Why a state decides a claim."""
    return {
        "witness": dict(reasons.witness),
        "parts": [*map(_part, reasons.parts)],
        "waiting": [{"rule": waiting.rule, "parts": [*map(_part, waiting.parts)]} for waiting in reasons.waiting],
        "others": reasons.others,
    }


def _part(part: Part) -> PartObject:
    return {"text": part.text, "holds": part.holds, "values": dict(part.values)}


def _searched(report: CheckReport, finding: Finding) -> Exploration:
    """The exploration that decided a claim."""
    if isinstance(finding, RunsFinding) and finding.search is not None:
        return finding.search.exploration
    if isinstance(finding, EventsFinding) and report.labelled:
        return report.labelled
    return report.count.exploration


def _add_search(result: PropertyObject, finding: RunsFinding, search: CountReport) -> None:
    """What only claims about infinite runs have."""
    used = search.symmetry
    result["fairness"] = finding.fairness.value
    result["loop"] = finding.loop
    result["decided_by"] = finding.decided_by.name if finding.decided_by else None
    result["transitions"] = search.exploration.transitions
    result["seconds"] = round(search.exploration.seconds, 6)
    result["symmetry"] = {
        "mode": used.mode,
        "order": used.order,
        "strategy": used.strategy,
        "reason": used.reason,
    }
    result["partial_order"] = orders_object(search.partial_order)
    result["slicing"] = slicing_object(search.slicing)


def fault_object(model: Model, trace: Trace | None) -> FaultObject | None:
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
