"""Reports as text for a terminal: plain characters, one idea per line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from burnside.claims.kinds import Fairness
from burnside.ir.cells import Cells
from burnside.ir.instances import with_arguments
from burnside.ir.nodes import Model
from burnside.ir.semantics import Fault
from burnside.report.coverage import coverage_text
from burnside.report.states import state_by_variable, step_texts
from burnside.report.titles import (
    STOPPED,
    counted,
    fingerprint_title,
    is_one_of_many,
    likewise_text,
    orders_title,
    run_title,
    simplification_title,
    slicing_title,
)
from burnside.results.answers import CheckAnswer, CountAnswer, PatternAnswer, Written
from burnside.results.exploration import Exploration, Kept, Stop, Store
from burnside.results.findings import (
    CheckReport,
    CountReport,
    EventsFinding,
    ExtremeFinding,
    Finding,
    RunsFinding,
    StateFinding,
    Verdict,
)
from burnside.results.reasons import Part, Reasons
from burnside.results.reductions import SymmetryUsed
from burnside.results.trace import Trace, TraceStep
from burnside.source import printable

_ON_DISK = {Store.COMPACT: "levels", Store.DISK: "levels and states"}
_VERY_MANY = 1 << 20  # values: a variable that can hold more of them is worth a word


def count(answer: CountAnswer) -> str:
    """What ``burnside count`` prints."""
    covered = [line for coverage in answer.coverages or () for line in coverage_text(coverage)]
    return "\n".join([count_text(answer.report), *covered])


def count_text(report: CountReport) -> str:
    """The figures of a state space, and the way to a fault."""
    return "\n".join([*_figures(report), *_fault(report)])


def check(answer: CheckAnswer) -> str:
    """What ``burnside check`` prints."""
    covered = zip(answer.reports, answer.coverages or (), strict=False)
    texts = ("\n".join(coverage_text(coverage, report.process)) for report, coverage in covered)
    return "\n\n".join([check_text(answer.reports), *texts])


def check_text(reports: Sequence[CheckReport]) -> str:
    """Verdicts, figures and traces: the processes one after the other if there are several."""
    return "\n\n".join("\n".join(_process_lines(report)) for report in reports)


def pattern(answer: PatternAnswer) -> str:
    """What ``burnside pattern`` prints."""
    return "\n".join(answer.lines)


def written(answer: Written) -> str:
    """Where something was written, and what it is."""
    return f"{answer.file}: {answer.about}"


def _process_lines(report: CheckReport) -> Iterator[str]:
    """Verdicts first, then figures, then the traces."""
    if report.process:
        yield f"process {printable(report.process)}"
    width = max((len(printable(f.member.name)) for f in report.findings), default=0)
    for finding in report.findings:
        yield f"{printable(finding.member.name):<{width}}  {verdict_text(finding)}"
    yield ""
    if not any(isinstance(f, RunsFinding) and f.search is report.count for f in report.findings):
        yield from (*_figures(report.count), *_labelled(report), *_fault(report.count))
    yield from _searches(report)
    for finding in report.findings:
        if not likewise_text(finding):
            yield from finding_trace(finding, report.count.model)


def verdict_text(finding: Finding) -> str:
    """What is known of a claim, to stand behind its name."""
    match finding:
        case RunsFinding(verdict=verdict, fairness=fairness, decided_by=other):
            under = "" if fairness is Fairness.NONE else f" under {fairness}"
            by = f", by symmetry with {printable(other.name)}" if other else ""
            return verdict.value + under + by
        case ExtremeFinding():
            return _reached(finding.verdict, _extreme(finding), finding.reason)
        case StateFinding(likewise=likewise) if likewise is not None:
            is_reached = finding.member.claim.is_existential
            said = _reached(finding.verdict) if is_reached else finding.verdict.value
            return f"{said} likewise: {printable(likewise_text(finding))}"
        case StateFinding(member=member) if member.claim.is_existential:
            return _reached(finding.verdict)
        case EventsFinding(verdict=Verdict.UNKNOWN, reason=reason) if reason:
            return f"unknown: {printable(reason)}"
        case _:
            return finding.verdict.value


def _reached(verdict: Verdict, extreme: str = "", reason: str = "") -> str:
    match verdict:
        case Verdict.HOLDS | Verdict.UNLESS_COLLISION:
            return f"{verdict.value}: reached{extreme}"
        case Verdict.VIOLATED:
            return "violated: no state reaches it"
        case Verdict.UNKNOWN:
            return f"unknown: {reason}" if reason else "unknown"


def _extreme(finding: ExtremeFinding) -> str:
    if finding.value is None:
        return ""
    return f", {'least' if finding.member.claim.is_least else 'greatest'} value {finding.value:,}"


def finding_trace(finding: Finding, model: Model) -> Iterator[str]:
    """The run that decides a claim, after an empty line and a title; nothing if there is none."""
    if finding.trace is None:
        return
    match finding:
        case RunsFinding():
            if not finding.decided_by:  # else the same run up to symmetry
                often = "among others" if is_one_of_many(finding) else "for ever"
                yield from ("", _trace_title(finding), *trace_lines(model, finding.trace, finding.loop, often))
        case EventsFinding():
            yield from ("", _trace_title(finding, end=""), *trace_lines(model, finding.trace))  # it ends with a reason
            if finding.loop is not None:
                again = f"after step {finding.loop}" if finding.loop else "at the beginning"
                yield f"  then a tau leads back to the state {again}"
            if finding.contrast is not None:
                yield from ("the same visible events, and one more:", *trace_lines(model, finding.contrast))
        case _:
            yield from ("", _trace_title(finding), *trace_lines(model, finding.trace))
            if isinstance(finding, StateFinding) and finding.reasons is not None:
                yield from reason_lines(finding.reasons)


def reason_lines(reasons: Reasons) -> Iterator[str]:
    """Why the last state of a run decides a claim."""
    if reasons.waiting:
        yield "  there, rules wait:"
        width = min(40, max(len(printable(waiting.rule)) for waiting in reasons.waiting))
        for waiting in reasons.waiting:
            yield f"      {printable(waiting.rule):<{width}}  {'; '.join(map(part_text, waiting.parts))}"
        if reasons.others:
            yield f"      and {reasons.others:,} more"
    elif reasons.parts:
        where = ", ".join(f"{name} = {value}" for name, value in reasons.witness)
        yield f"  there, with {printable(where)}:" if where else "  there:"
        yield from (f"      {part_text(part)}" for part in reasons.parts)


def part_text(part: Part) -> str:
    """Whether a part of a condition is true, and what it looks at."""
    values = ", ".join(f"{name} = {value}" for name, value in part.values)
    return printable(f"{part.text} is {'true' if part.holds else 'false'}{f' ({values})' if values else ''}")


def _searches(report: CheckReport) -> Iterator[str]:
    """The searches for infinite runs: states are pairs of a state of the model and one of an automaton."""
    for finding in report.findings:
        if not isinstance(finding, RunsFinding) or finding.search is None or finding.decided_by:
            continue
        found, used = finding.search.exploration, finding.search.symmetry
        yield f"runs         {printable(finding.member.name)}"
        size = f"{counted(found.states, 'state')} of the product, {counted(found.transitions, 'transition')}"
        yield f"             {size}, {found.seconds:.3f} s"
        if used.is_used:
            yield f"             {used.order:,} symmetries, {used.strategy} ({used.reason})"
        elif used.reason:
            yield f"             symmetry not used: {used.reason}"
        if title := orders_title(finding.search.partial_order):
            yield f"             {title}"
        if title := slicing_title(finding.search.slicing):
            yield f"             slicing {title}"
        if finding.verdict is Verdict.VIOLATED and finding.trace is None:
            yield "             no run is shown: with what was left out, none was found that comes back soon"
        if used.lost > 1:
            yield f"             the formula keeps only one symmetry in {used.lost:,}"
        yield from _verification(found, "symmetry" if used.is_used else "partial order")
        yield from _partial(found)


def _labelled(report: CheckReport) -> Iterator[str]:
    """The search for claims about events, where it was one of its own."""
    found = report.labelled
    if found is not None:
        size = f"{found.states:,} states, {found.transitions:,} transitions, {found.seconds:.3f} s"
        yield f"events       {size}, without symmetry"
        yield from _partial(found)


def _trace_title(finding: Finding, end: str = ":") -> str:
    return f"'{printable(finding.member.name)}' is {run_title(finding)}{end}"


def _partial(found: Exploration) -> Iterator[str]:
    if found.stop in STOPPED:
        yield f"             {STOPPED[found.stop]}; the figures are partial"
    if found.stop is Stop.MEMORY and found.store is not Store.DISK:
        yield "             --store disk goes on with files where memory ends"
    if found.kept is not None:
        yield from _kept(found.kept, is_partial=found.stop.is_limit)


def _kept(kept: Kept, *, is_partial: bool) -> Iterator[str]:
    """Where a search is kept, how far, and how it goes on."""
    where = printable(kept.directory)
    begun = f", of which {kept.resumed:,} were there before" if kept.resumed else ""
    yield f"checkpoint   {counted(kept.levels, 'level')}, {counted(kept.states, 'state')}{begun}, in '{where}'"
    if kept.failure:
        yield f"             no more could be kept: {printable(kept.failure)}"
    if is_partial and (kept.levels or not kept.failure):
        yield f"             go on with: burnside resume {where}"


def _figures(report: CountReport) -> Iterator[str]:
    found = report.exploration
    yield f"states       {found.states:,}"
    yield f"transitions  {found.transitions:,}"
    yield f"deadlocks    {found.deadlocks:,}"
    if report.depth is not None:
        yield f"depth        {report.depth:,}"
    rate = f", {found.states / found.seconds:,.0f} states/s" if found.seconds else ""
    memory = f", {found.bytes / found.states:.0f} bytes/state" if found.states > 1000 else ""
    threads = f", {found.threads} threads" if found.threads > 1 else ""
    yield f"time         {found.seconds:.3f} s{rate}{memory}{threads}"
    if not found.store.has_indices:
        disk = f", {_ON_DISK[found.store]} on disk: {found.disk / (1 << 20):,.0f} MB" if found.disk else ""
        yield f"store        {found.store.value}{disk}"
    if not found.is_exact:
        yield f"             {fingerprint_title(found)}"
    yield from _symmetry(report)
    yield from _partial_order(report)
    yield from _slicing(report)
    if title := simplification_title(report.simplification):
        yield f"simplified   {title}"
    yield from _partial(found)
    if found.stop in STOPPED:
        yield from _wide_variables(report)
    if found.stop is Stop.DECIDED:
        yield "             every property is decided; the rest was not explored"


def _wide_variables(report: CountReport) -> Iterator[str]:
    """Why there may be so many states: variables that hold nearly any number, such as counters that nobody bounds."""
    left_out = report.slicing.variables if report.slicing is not None and report.slicing.is_used else ()
    wide = [v.name for v in report.model.variables if v.domain.size >= _VERY_MANY and v.name not in left_out]
    if wide:
        named = ", ".join(wide[:3]) + (" and others" if len(wide) > 3 else "")
        yield printable(f"             very many values are possible for {named}: give counters a bound")


def _symmetry(report: CountReport) -> Iterator[str]:
    used, found = report.symmetry, report.exploration
    if not used.is_used:
        if used.reason:
            yield f"symmetry     not used: {used.reason}"
        yield from _told_apart(used)
        return
    if used.mode == "adaptive":
        yield f"symmetry     adaptive: {used.reason}"
        yield from _verification(found)
        return
    yield f"symmetry     {used.order:,} symmetries, {used.strategy} ({used.reason})"
    if found.full_states:
        factor = found.full_states / found.states
        yield f"             stands for {found.full_states:,} states, {factor:,.1f} times as many"
    if used.lost > 1:
        yield f"             the properties keep only one symmetry in {used.lost:,}"
    yield from _told_apart(used)
    if found.canonicalised:
        cost = found.canonicalising_seconds / found.canonicalised * 1e6
        yield f"             {found.canonicalised:,} representatives, {cost:.3f} µs each"
    yield from _verification(found)


def _partial_order(report: CountReport) -> Iterator[str]:
    title = orders_title(report.partial_order)
    if title:
        yield f"orders       {title}"
    if report.partial_order is not None and not report.partial_order.keeps_distances:
        yield "             runs to deadlocks are shortest ones, others need not be"


def _slicing(report: CountReport) -> Iterator[str]:
    title = slicing_title(report.slicing)
    if title:
        yield f"slicing      {title}"
    if report.slicing is not None and report.slicing.confirmed is not None:
        yield f"             confirmed with all variables: {report.slicing.confirmed:,} states"


def _told_apart(used: SymmetryUsed) -> Iterator[str]:
    if used.told_apart:
        names = printable(" and ".join(used.told_apart))
        yield f"             not all processes of {names} can be exchanged: 'burnside detect --explain' says why"


def _verification(found: Exploration, without: str = "symmetry") -> Iterator[str]:
    if found.plain is not None and found.is_verified:
        yield f"             confirmed without {without}: {found.plain.states:,} states"
    elif found.plain is not None:
        yield f"             not verified: the search without {without} {STOPPED[found.plain.stop]}"


def _fault(report: CountReport) -> Iterator[str]:
    trace = report.fault
    if trace is None or trace.fault is None:
        return
    fault = trace.fault
    yield ""
    if len(trace.initial) < len(Cells(report.model)):  # no state was reached at all
        yield f"the model faults {fault_at_first(fault)}: {printable(fault.message)}"
        return
    yield f"the model faults {fault_place(fault)} after {counted(len(trace.steps), 'step')}: {printable(fault.message)}"
    yield from trace_lines(report.model, trace)


def fault_at_first(fault: Fault) -> str:
    """What faults before there is an initial state."""
    return "in a condition on its initial states" if fault.rule is None else fault_place(fault, "start rule")


def fault_place(fault: Fault, what: str = "rule") -> str:
    """Which rule instance faults, or that it is a property."""
    if fault.rule is None:
        return "in a property"
    return f"in {what} '{printable(with_arguments(fault.rule.name, fault.rule.parameters, fault.arguments))}'"


def trace_lines(model: Model, trace: Trace, loop: int | None = None, often: str = "for ever") -> Iterator[str]:
    """A trace: the initial state by variable, then numbered events with what they changed.

    With a ``loop`` the steps after the first so many repeat, ``often`` says how; if there are none, the run has ended.
    """
    yield "  initial state"
    for name, value in state_by_variable(model, trace.initial):
        yield f"      {printable(name)} = {printable(value)}"
    lines = [*numbered_steps(model, trace.steps)]
    for number, line in enumerate(lines):
        if number == loop:
            yield "  here begins the loop"
        yield line
    if loop is not None:
        is_over = loop == len(lines)
        yield "  no rule can fire: the run has ended" if is_over else f"  and again from step {loop + 1}, {often}"


def numbered_steps(model: Model, steps: Sequence[TraceStep]) -> Iterator[str]:
    """Steps one below the other, with numbers and what they change."""
    texts = step_texts(model, steps)
    width = min(40, max((len(printable(event)) for event, _ in texts), default=0))
    digits = len(str(len(steps)))
    for number, (event, changes) in enumerate(texts, 1):
        yield f"  {number:>{digits}}  {printable(event):<{width}}  {printable(changes)}"
