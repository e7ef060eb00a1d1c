"""Decide the claims about the events of one process."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Final, assert_never, final

from burnside.claims.kinds import Deterministic, DivergenceFree, EventClaim, Refinement
from burnside.claims.members import Member
from burnside.ir.nodes import Model
from burnside.refine.normal import NormalForm
from burnside.refine.replay import replay_fault, replay_run
from burnside.refine.search import Violation, find_difference, find_divergence, find_nondeterminism
from burnside.refine.system import Budget, FaultFound, InitialFault, LabelledSystem, LimitReached
from burnside.results.exploration import Exploration, Stop
from burnside.results.findings import EventsFinding, Verdict
from burnside.results.trace import Trace
from burnside.values import dataclass

ENGINE: Final = "labelled"


@final
@dataclass(frozen=True, slots=True)
class Findings:
    """What is known of all claims, the figures of the search, and the way to a fault of the model if it has one."""

    findings: tuple[EventsFinding, ...]
    exploration: Exploration
    fault: Trace | None = None


def decide(model: Model, members: Sequence[Member[EventClaim]], budget: Budget) -> Findings:
    """Decide claims about the events of a model, on one labelled system that grows as far as they need it."""
    start, cpu = time.perf_counter(), time.process_time()
    search = _Search(model, budget)
    findings = [search.decide(m) for m in members]
    figures = search.figures(time.perf_counter() - start, time.process_time() - cpu)
    return Findings(tuple(findings), figures, search.fault)


@final
class _Search:
    def __init__(self, model: Model, budget: Budget) -> None:
        self._model = model
        self._budget = budget
        self._system: LabelledSystem | None = None
        self._specifications: dict[int, NormalForm] = {}
        self._stop: Stop | None = None
        self.fault: Trace | None = None

    def decide(self, member: Member[EventClaim]) -> EventsFinding:
        """One claim; after a limit or a fault nothing more is looked at."""
        if self._stop is not None:
            return EventsFinding(member, Verdict.UNKNOWN)
        try:
            return self._decided(member)
        except LimitReached as limit:
            self._stop = limit.stop
        except KeyboardInterrupt:
            self._stop = Stop.INTERRUPT
        except MemoryError:
            self._stop = Stop.MEMORY
        except FaultFound as found:
            if found.system is not self._system:
                return _faulty_specification(member, replay_fault(found.system, found.state))
            self._stop, self.fault = Stop.FAULT, replay_fault(found.system, found.state)
        except InitialFault as found:
            if found.model is not self._model:
                return _faulty_specification(member, found.trace)
            self._stop, self.fault = Stop.FAULT, found.trace
        return EventsFinding(member, Verdict.UNKNOWN)

    def _decided(self, member: Member[EventClaim]) -> EventsFinding:
        if self._system is None:
            self._system = LabelledSystem(self._model, self._budget)
        violation = self._find(member.claim, self._system)
        if violation is None:
            return EventsFinding(member, Verdict.HOLDS)
        contrast = None if violation.contrast is None else replay_run(self._system, violation.contrast)
        trace = replay_run(self._system, violation.run)
        return EventsFinding(member, Verdict.VIOLATED, violation.reason, trace, violation.run.loop, contrast)

    def _find(self, claim: EventClaim, system: LabelledSystem) -> Violation | None:
        match claim:
            case DivergenceFree():
                return find_divergence(system, self._budget)
            case Deterministic():
                return find_nondeterminism(system, self._budget)
            case Refinement(semantics=semantics, specification=specification):
                normal = self._normal_form(specification.model)
                return find_difference(system, normal, semantics, specification.name, self._budget)
            case _:
                assert_never(claim)

    def _normal_form(self, model: Model) -> NormalForm:
        """The normal form of a specification; several claims may have the same one."""
        if id(model) not in self._specifications:
            self._specifications[id(model)] = NormalForm(LabelledSystem(model, self._budget), self._budget)
        return self._specifications[id(model)]

    def figures(self, seconds: float, cpu_seconds: float) -> Exploration:
        """What was explored of the model."""
        system = self._system
        known = 0 if system is None else len(system.states)
        complete = system is not None and system.expanded == known
        return Exploration(
            stop=self._stop or (Stop.COMPLETE if complete else Stop.DECIDED),
            states=known,
            transitions=0 if system is None else system.transitions,
            deadlocks=0 if system is None else system.dead_ends,
            depth=0 if system is None else system.depth,
            initial=0 if system is None else len(system.initial),
            seconds=seconds,
            cpu_seconds=cpu_seconds,
            bytes=self._budget.bytes,
            engine=ENGINE,
        )


def _faulty_specification(member: Member[EventClaim], trace: Trace) -> EventsFinding:
    assert isinstance(member.claim, Refinement)
    assert trace.fault is not None
    events = ", ".join(step.event for step in trace.steps)
    where = f"after {events}" if events else "at once"
    reason = f"'{member.claim.specification.name}' faults {where}: {trace.fault.message}"
    return EventsFinding(member, Verdict.UNKNOWN, reason, fault=trace.fault)
