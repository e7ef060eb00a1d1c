"""The order of the stages: the only module that knows all of it."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, final

from burnside import quotient
from burnside.explore.claims import Claim
from burnside.explore.native import run as native
from burnside.explore.native.emit import emit
from burnside.explore.optimum import find_best
from burnside.explore.questions import Questions
from burnside.explore.result import Exploration, Stop
from burnside.explore.trace import Trace, replay, replay_fault, replay_witness
from burnside.frontends import FrontEnd, front_end_for
from burnside.frontends.front_end import LoadOptions
from burnside.frontends.given import refuse_truths
from burnside.ir.nodes import Model, PropertyKind, Value
from burnside.ir.printer import print_model
from burnside.ir.requirements import Family, Required, Subject
from burnside.ir.semantics import Fault, FaultRaised, initial
from burnside.ir.simplify import bind
from burnside.ir.task import Behaviour, Optimum, Task
from burnside.ir.temporal import EventTest, Fairness, Temporal, TemporalClaim, TemporalKind
from burnside.limits import phase
from burnside.report.values import CheckReport, ClaimReport, CountReport, Symmetry, Verdict
from burnside.source import Diagnostic, ModelError, Note, Source, Span, did_you_mean

if TYPE_CHECKING:
    from burnside.liveness import Answer
    from burnside.refine.run import Finding, Findings
    from burnside.report.actors import ActorReport
    from burnside.report.detection import DetectReport

_LARGEST_FILE = 64 << 20


def read_source(path: Path) -> Source:
    """The text of a file, or a diagnostic that says why it cannot be read."""
    try:
        return Source(str(path), _content(path).decode())
    except OSError as error:
        raise _unreadable(path, error.strerror or "unknown error") from error
    except UnicodeDecodeError as error:
        raise _unreadable(path, f"byte {error.start} is not UTF-8") from error


def _content(path: Path) -> bytes:
    """The bytes of a file; a device may have no size, and no end."""
    content = bytearray()
    with path.open("rb") as file:
        while piece := file.read(1 << 20):
            content += piece
            if len(content) > _LARGEST_FILE:
                raise _unreadable(path, f"it is larger than {_LARGEST_FILE >> 20} MB")
    return bytes(content)


def _unreadable(path: Path, reason: str) -> ModelError:
    return ModelError([Diagnostic("BUR106", f"cannot read '{path}': {reason}")])


@final
@dataclass(frozen=True, slots=True)
class Reading:
    """How a text is read: the file of its properties (None: the one beside it), and options of actor models (None:
    not given).
    """

    properties: Path | None = None
    queue_semantics: str | None = None
    max_rebecs: int | None = None


@phase("reading the model")
def load(
    path: Path,
    constants: Mapping[str, Value] | None = None,
    *,
    warned: Callable[[Diagnostic], None] | None = None,
    reading: Reading | None = None,
) -> Model:
    """Read a model in the language its suffix names; raise `ModelError` with every diagnostic if it is wrong.

    What there is to say about a model that can be used goes to ``warned``.
    """
    front_end = front_end_for(path)
    refuse_truths(constants or {}, front_end)
    options = load_options(path, front_end, reading or Reading())
    if front_end.load_with is not None:
        model, diagnostics = front_end.load_with(read_source(path), constants or {}, options)
    else:
        model, diagnostics = front_end.load(read_source(path), constants or {})
    if model is None:
        raise ModelError(diagnostics.sorted())
    if warned is not None:
        for diagnostic in diagnostics.sorted():
            warned(diagnostic)
    return model


def load_options(path: Path, front_end: FrontEnd, reading: Reading) -> LoadOptions:
    """What a front end is told about a text; properties are looked for beside it if no file is named."""
    properties = reading.properties
    given = {
        "--properties": properties,
        "--queue-semantics": reading.queue_semantics,
        "--max-rebecs": reading.max_rebecs,
    }
    if front_end.load_with is None:
        for option, value in given.items():
            if value is not None:
                raise ModelError([Diagnostic("BUR902", f"{option} is not for {front_end.name} models")])
    beside = path.with_suffix(front_end.properties) if front_end.properties else None
    if properties is None and beside is not None and beside.is_file():
        properties = beside
    source = None if properties is None else read_source(properties)
    defaults = LoadOptions()
    return LoadOptions(
        source,
        reading.queue_semantics or defaults.queue_semantics,
        reading.max_rebecs or defaults.max_rebecs,
    )


@phase("reading the model")
def load_tasks(
    path: Path,
    constants: Mapping[str, Value] | None = None,
    *,
    warned: Callable[[Diagnostic], None] | None = None,
    reading: Reading | None = None,
) -> tuple[Task, ...]:
    """All that a text asks, a task for each process it asks about; like `load` otherwise."""
    front_end = front_end_for(path)
    refuse_truths(constants or {}, front_end)
    if front_end.load_tasks is None:
        return (Task(load(path, constants, warned=warned, reading=reading)),)
    tasks, diagnostics = front_end.load_tasks(read_source(path), constants or {})
    if not tasks:
        raise ModelError(diagnostics.sorted())
    if warned is not None:
        for diagnostic in diagnostics.sorted():
            warned(diagnostic)
    return tasks


def select_claims(model: Model, names: Sequence[str]) -> tuple[Claim, ...]:
    """The claims of a model that the names select: whole families or single members; all if there are no names."""
    return tuple(claim for asked in select_questions([Task(model)], names) for claim in asked.claims)


def select_questions(tasks: Sequence[Task], names: Sequence[str]) -> tuple[Questions, ...]:
    """What the names select of some tasks; all if there are no names.

    With several processes ``deadlockfree`` selects the claims of that name about all, ``P.deadlockfree`` that about P.
    """
    every = Questions.of_all(tasks)
    if not names:
        return every
    known = sorted({name for asked in every for name in asked.names()})
    for name in names:
        if name not in known:
            remedy = did_you_mean(name, known) or f"the model has: {', '.join(known[:20])}"
            raise ModelError([Diagnostic("BUR212", f"there is no property '{name}'", notes=(Note(remedy, "help"),))])
    return tuple(asked for asked in (a.chosen(names) for a in every) if asked)


def count(
    model: Model,
    *,
    symmetry: str = "none",
    options: native.SearchOptions | None = None,
    watch: native.Watcher | None = None,
) -> CountReport:
    """Explore the whole state space, or one state of every orbit."""
    return _count_report(model, (), *quotient.explore(model, (), symmetry, options or native.SearchOptions(), watch))


def check(
    model: Model,
    *,
    properties: Sequence[str] = (),
    symmetry: str = "auto",
    options: native.SearchOptions | None = None,
    watch: native.Watcher | None = None,
) -> CheckReport:
    """Decide the properties of a model."""
    return check_tasks([Task(model)], properties=properties, symmetry=symmetry, options=options, watch=watch)[0]


def _check_claims(
    model: Model,
    claims: Sequence[Claim],
    symmetry: str,
    options: native.SearchOptions,
    watch: native.Watcher | None,
) -> CheckReport:
    found, used = quotient.explore(model, claims, symmetry, options, watch)
    reports = (_claim_report(model, c, w, found) for c, w in zip(claims, found.witnesses, strict=True))
    return CheckReport(_count_report(model, claims, found, used), tuple(reports))


# ---------------------------------------------------------------- tasks


def check_tasks(
    tasks: Sequence[Task],
    *,
    properties: Sequence[str] = (),
    symmetry: str = "auto",
    fairness: Fairness | None = None,
    options: native.SearchOptions | None = None,
    watch: native.Watcher | None = None,
) -> tuple[CheckReport, ...]:
    """Decide what is asked about several processes, one after the other; the time is for all of them.

    ``fairness`` is assumed in claims about infinite runs instead of what the text says.
    """
    questions = select_questions(tasks, properties)
    if fairness is not None and not any(asked.temporal for asked in questions):
        raise ModelError([Diagnostic("BUR902", "fairness is about infinite runs, and no claim that is asked for is")])
    checker = _TaskChecker(symmetry, fairness, options or native.SearchOptions(), watch)
    return tuple(checker.check(asked) for asked in questions)


@final
class _TaskChecker:
    """Properties of states share one exploration, claims about events another; an extreme value and a claim about
    infinite runs have their own.
    """

    def __init__(
        self,
        symmetry: str,
        fairness: Fairness | None,
        options: native.SearchOptions,
        watch: native.Watcher | None,
    ) -> None:
        self._symmetry = symmetry
        self._fairness = fairness
        self._options = options
        self._watch = watch
        self._end = None if options.seconds is None else time.perf_counter() + options.seconds

    def check(self, asked: Questions) -> CheckReport:
        """Decide what is asked about one process."""
        model = asked.task.model
        counts: list[CountReport] = []
        claims: list[tuple[Span | None, ClaimReport]] = []
        labelled: Exploration | None = None
        if asked.claims:
            report = _check_claims(model, asked.claims, self._symmetry, self._left(), self._watch)
            counts.append(report.count)
            claims += [(c.family.span, r) for c, r in zip(asked.claims, report.claims, strict=True)]
        for optimum in asked.optima:
            claims.append((optimum.span, self._check_optimum(model, optimum, counts)))
        if asked.behaviours:
            found = self._check_behaviours(model, asked.behaviours, counts)
            claims += [(b.span, _behaviour_report(f)) for b, f in zip(asked.behaviours, found.findings, strict=True)]
            labelled = found.exploration
            if not counts:
                used = Symmetry(reason="claims about events are checked without it")
                counts.append(CountReport(model, found.exploration, used, found.fault))
        for family in dict.fromkeys(claim.family for claim in asked.temporal):
            members = [claim for claim in asked.temporal if claim.family is family]
            claims += [(family.span, r) for r in self._check_temporal(model, family, members, counts)]
        count = next((c for c in counts if c.fault is not None), counts[0])
        if labelled is count.exploration:
            labelled = None
        claims.sort(key=lambda entry: entry[0].start if entry[0] else -1)  # in the order of the text
        return CheckReport(count, tuple(r for _, r in claims), asked.task.process, labelled)

    def _left(self) -> native.SearchOptions:
        """The options, with the time that is left."""
        if self._end is None:
            return self._options
        return replace(self._options, seconds=max(0.001, self._end - time.perf_counter()))

    def _check_optimum(self, model: Model, optimum: Optimum, counts: list[CountReport]) -> ClaimReport:
        def explore(claims: Sequence[Claim]) -> Exploration:
            found, used = quotient.explore(model, claims, self._symmetry, self._left(), self._watch)
            counts.append(_count_report(model, claims, found, used))
            return found

        if _has_fault(counts):
            return ClaimReport(optimum.name, PropertyKind.REACHABLE, Verdict.UNKNOWN)
        best = find_best(model, optimum, explore)
        trace = None if best.path is None else replay(model, best.path)
        if not best.is_complete:
            reason = f"reached with {best.value}, perhaps not the best value" if trace else ""
            return ClaimReport(optimum.name, PropertyKind.REACHABLE, Verdict.UNKNOWN, trace, reason=reason)
        verdict = Verdict.VIOLATED if trace is None else Verdict.HOLDS
        return ClaimReport(optimum.name, PropertyKind.REACHABLE, verdict, trace, best.value, optimum.is_least)

    def _check_temporal(
        self, model: Model, family: Temporal, claims: Sequence[TemporalClaim], counts: list[CountReport]
    ) -> list[ClaimReport]:
        from burnside.liveness import decide

        if _has_fault(counts):
            return [ClaimReport(c.name, TemporalKind.LTL, Verdict.UNKNOWN) for c in claims]
        asked = family if self._fairness is None else replace(family, fairness=self._fairness)
        answers = decide(model, asked, claims, self._symmetry, self._left(), self._watch)
        if any(a.exploration.stop is Stop.FAULT for a in answers):
            counts.append(self._fault_of(model, claims))
            return [ClaimReport(c.name, TemporalKind.LTL, Verdict.UNKNOWN) for c in claims]
        reports = [_temporal_report(model, answer) for answer in answers]
        counts += [r.search for r in reports if r.search is not None]
        return reports

    def _fault_of(self, model: Model, claims: Sequence[TemporalClaim]) -> CountReport:
        """A shortest way to a fault, of the model or of a condition of a formula."""
        from burnside.liveness import fault_conditions

        conditions = fault_conditions(model, claims)
        found, used = quotient.explore(model, conditions, "none", self._left(), self._watch)
        return _count_report(model, conditions, found, used)

    def _check_behaviours(self, model: Model, behaviours: Sequence[Behaviour], counts: list[CountReport]) -> Findings:
        from burnside.refine.run import decide, undecided
        from burnside.refine.system import Budget

        if _has_fault(counts):
            return undecided(behaviours, counts[0].exploration)
        options = self._left()
        memory = options.memory or native.available_memory()
        return decide(model, behaviours, Budget(seconds=options.seconds, memory=memory, states=options.states))


def _has_fault(counts: Sequence[CountReport]) -> bool:
    return any(count.fault is not None for count in counts)


def _behaviour_report(found: Finding) -> ClaimReport:
    verdict = {True: Verdict.HOLDS, False: Verdict.VIOLATED, None: Verdict.UNKNOWN}[found.is_kept]
    return ClaimReport(
        found.behaviour.name,
        found.behaviour.kind,
        verdict,
        found.trace,
        reason=found.reason,
        loop=found.loop,
        contrast=found.contrast,
        fault=found.fault,
    )


def _temporal_report(model: Model, answer: Answer) -> ClaimReport:
    from burnside.liveness import trace_of

    verdict = {True: Verdict.HOLDS, False: Verdict.VIOLATED, None: Verdict.UNKNOWN}[answer.holds]
    trace, loop = (None, None) if answer.run is None else trace_of(answer.model, answer.run)
    return ClaimReport(
        answer.claim.name,
        TemporalKind.LTL,
        verdict,
        trace,
        loop=loop,
        search=CountReport(model, answer.exploration, answer.symmetry),
        fairness=answer.fairness,
        decided_by=answer.decided_by.name if answer.decided_by else "",
    )


# ---------------------------------------------------------------- symmetries


def detect(model: Model, *, properties: Sequence[str] = (), explained: bool = False) -> DetectReport:
    """The symmetries of a model, or of a model with the named properties, and on wish what costs symmetry."""
    # Imported here: exploring a model should not wait for the libraries that detection needs.
    from burnside.detect.explain import explain
    from burnside.detect.run import detect as find
    from burnside.groups.structure import describe
    from burnside.report.detection import DetectReport

    found = find(model, _requirements(model, properties) if properties else ())
    explanation = explain(found.constraints, found.symmetry) if explained else None
    return DetectReport(model, found, describe(found.symmetry.group), explanation)


def _requirements(model: Model, names: Sequence[str]) -> list[Required]:
    """What symmetries must keep so that named properties can be decided on the quotient."""
    kept: list[Required] = []
    for asked in select_questions([Task(model)], names):
        kept += quotient.requirements_of(model, asked.claims)
        for claim in asked.temporal:
            family, known = claim.family, bind(claim.family.parameters, claim.arguments)
            for name, atom in family.atoms:
                if isinstance(atom, EventTest):
                    message = (
                        f"'{family.name}' speaks of events, and symmetries that keep those are found by 'check' only"
                    )
                    raise ModelError([Diagnostic("BUR901", message, family.span)])
                kept.append(Required(Family(Subject.ATOM, (family.name, name)), atom, known))
    return kept


def actor_symmetries(
    path: Path, constants: Mapping[str, Value], reading: Reading, report: DetectReport
) -> ActorReport | None:
    """The symmetries of a model of actors by Definition 4, beside those that were detected; None in other languages."""
    front_end = front_end_for(path)
    if front_end.load_topology is None:
        return None
    from burnside.actors.symmetry import find_symmetries
    from burnside.groups.structure import describe
    from burnside.report.actors import compare

    topology = front_end.load_topology(read_source(path), constants, load_options(path, front_end, reading))
    if topology is None:
        return None
    start = time.perf_counter()
    found = find_symmetries(topology)
    seconds = time.perf_counter() - start
    return compare(report.detection, found, describe(found.group), seconds)


def dump_detection(report: DetectReport) -> dict[str, str]:
    """Every value between the stages of detection as a readable text, by the name of its file."""
    from burnside.graph.coloured import dimacs_text, dot_text
    from burnside.report.detection import gap_text

    found = report.detection
    names = tuple(map(found.symmetry.literals.text, range(len(found.symmetry.literals.points))))
    return {
        "model.seq": print_model(report.model),
        "constraints.txt": found.constraints.text(),
        "graph.dimacs": dimacs_text(found.encoding.graph),
        "graph.dot": dot_text(found.encoding.graph),
        "group.g": gap_text(found.symmetry.group, names),
    }


def dump(model: Model, claims: Sequence[Claim] = (), temporal: Sequence[Temporal] = ()) -> dict[str, str]:
    """Every value between the stages as a readable text, by the name of its file."""
    texts = {"model.seq": print_model(model), "model.c": emit(model, claims).text}
    for number, family in enumerate(temporal, 1):
        texts[f"violations_{number}.hoa"] = _automaton_text(family)
    return texts


def _automaton_text(family: Temporal) -> str:
    """The automaton of what violates a formula; its atoms are named by what they stand for."""
    from burnside.liveness import violations
    from burnside.ltl.hoa import hoa_text

    return hoa_text(violations(family), f"violations of {family.name}: {family.text}")


def _claim_report(
    model: Model, claim: Claim, witness: Sequence[tuple[int, ...]] | None, found: Exploration
) -> ClaimReport:
    is_reachability = claim.family.kind is PropertyKind.REACHABLE
    trace = replay_witness(model, witness, claim) if witness is not None else None
    if trace is not None:
        verdict = Verdict.HOLDS if is_reachability else Verdict.VIOLATED
    elif found.stop is Stop.COMPLETE:
        verdict = Verdict.VIOLATED if is_reachability else Verdict.HOLDS
    else:
        verdict = Verdict.UNKNOWN
    return ClaimReport(claim.name, claim.family.kind, verdict, trace)


def _count_report(model: Model, claims: Sequence[Claim], exploration: Exploration, used: Symmetry) -> CountReport:
    fault = None
    if exploration.fault_path is not None:
        fault = replay_fault(model, exploration.fault_path, claims) if exploration.fault_path else _initial_fault(model)
    return CountReport(model, exploration, used, fault)


def _initial_fault(model: Model) -> Trace:
    """The fault of an initial condition: there is no state to show."""
    try:
        for _ in initial(model):
            pass
    except FaultRaised as fault:
        return Trace((), (), Fault(fault.kind, fault.message, fault.span))
    raise AssertionError("no fault among the initial states")
