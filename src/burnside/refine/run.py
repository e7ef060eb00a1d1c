"""Decide the claims about the events of one process."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, assert_never, final

from burnside.explore.result import Exploration, Stop
from burnside.explore.trace import Trace
from burnside.ir.nodes import Model
from burnside.ir.semantics import Fault
from burnside.ir.task import Behaviour, BehaviourKind
from burnside.refine.normal import NormalForm
from burnside.refine.replay import replay_fault, replay_run
from burnside.refine.search import Violation, find_difference, find_divergence, find_nondeterminism
from burnside.refine.system import Budget, FaultFound, InitialFault, LabelledSystem, LimitReached

ENGINE: Final = "labelled"


@final
@dataclass(frozen=True, slots=True)
class Finding:
    """What is known of a claim: ``is_kept`` is None if a limit or a fault came first.

    A violation has a trace. From its last state a tau leads back to the state after ``loop`` steps, if that is not
    None. ``contrast`` has the same visible events and goes on differently. ``fault`` is one of the specification.
    """

    behaviour: Behaviour
    is_kept: bool | None
    reason: str = ""
    trace: Trace | None = None
    loop: int | None = None
    contrast: Trace | None = None
    fault: Fault | None = None


@final
@dataclass(frozen=True, slots=True)
class Findings:
    """What is known of all claims, the figures of the search, and the way to a fault of the model if it has one."""

    findings: tuple[Finding, ...]
    exploration: Exploration
    fault: Trace | None = None


def decide(model: Model, behaviours: Sequence[Behaviour], budget: Budget) -> Findings:
    """Decide claims about the events of a model, on one labelled system that grows as far as they need it."""
    start, cpu = time.perf_counter(), time.process_time()
    search = _Search(model, budget)
    findings = [search.decide(b) for b in behaviours]
    figures = search.figures(time.perf_counter() - start, time.process_time() - cpu)
    return Findings(tuple(findings), figures, search.fault)


def undecided(behaviours: Sequence[Behaviour], exploration: Exploration) -> Findings:
    """Nothing is known of some claims, since an exploration has found that the model faults."""
    return Findings(tuple(Finding(b, None) for b in behaviours), exploration)


@final
class _Search:
    def __init__(self, model: Model, budget: Budget) -> None:
        self._model = model
        self._budget = budget
        self._system: LabelledSystem | None = None
        self._specifications: dict[int, NormalForm] = {}
        self._stop: Stop | None = None
        self.fault: Trace | None = None

    def decide(self, behaviour: Behaviour) -> Finding:
        """One claim; after a limit or a fault nothing more is looked at."""
        if self._stop is not None:
            return Finding(behaviour, None)
        try:
            return self._decided(behaviour)
        except LimitReached as limit:
            self._stop = limit.stop
        except KeyboardInterrupt:
            self._stop = Stop.INTERRUPT
        except MemoryError:
            self._stop = Stop.MEMORY
        except FaultFound as found:
            if found.system is not self._system:
                return _faulty_specification(behaviour, replay_fault(found.system, found.state))
            self._stop, self.fault = Stop.FAULT, replay_fault(found.system, found.state)
        except InitialFault as found:
            if found.model is not self._model:
                return _faulty_specification(behaviour, found.trace)
            self._stop, self.fault = Stop.FAULT, found.trace
        return Finding(behaviour, None)

    def _decided(self, behaviour: Behaviour) -> Finding:
        if self._system is None:
            self._system = LabelledSystem(self._model, self._budget)
        violation = self._find(behaviour, self._system)
        if violation is None:
            return Finding(behaviour, is_kept=True)
        contrast = None if violation.contrast is None else replay_run(self._system, violation.contrast)
        trace = replay_run(self._system, violation.run)
        return Finding(behaviour, False, violation.reason, trace, violation.run.loop, contrast)

    def _find(self, behaviour: Behaviour, system: LabelledSystem) -> Violation | None:
        match behaviour.kind:
            case BehaviourKind.DIVERGENCE_FREE:
                return find_divergence(system, self._budget)
            case BehaviourKind.DETERMINISTIC:
                return find_nondeterminism(system, self._budget)
            case (
                BehaviourKind.REFINES_TRACES
                | BehaviourKind.REFINES_FAILURES
                | BehaviourKind.REFINES_DIVERGENCES as kind
            ):
                assert behaviour.specification is not None
                normal = self._normal_form(behaviour.specification.model)
                return find_difference(system, normal, kind, behaviour.specification.name, self._budget)
            case _:
                assert_never(behaviour.kind)

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


def _faulty_specification(behaviour: Behaviour, trace: Trace) -> Finding:
    assert behaviour.specification is not None
    assert trace.fault is not None
    events = ", ".join(step.event for step in trace.steps)
    where = f"after {events}" if events else "at once"
    reason = f"'{behaviour.specification.name}' faults {where}: {trace.fault.message}"
    return Finding(behaviour, None, reason, fault=trace.fault)
