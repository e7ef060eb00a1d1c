"""Exploring annotated states: processes are told apart only where the model does."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace

from burnside.adaptive import run as adaptive
from burnside.adaptive.search import Search
from burnside.claims.kinds import StateClaim, is_about_stuttering
from burnside.claims.members import Member
from burnside.decide.modes import unsuitable
from burnside.decide.quotient import compare_with_plain
from burnside.decide.workbench import Workbench
from burnside.explore.native import run as native
from burnside.limits import available_memory
from burnside.results.exploration import Exploration, SelfTest, Stop
from burnside.results.reductions import SymmetryUsed


def explore_adaptively(bench: Workbench, members: Sequence[Member[StateClaim]]) -> tuple[Exploration, SymmetryUsed]:
    """Explore until all claims are decided; the figures count annotated states."""
    for member in members:
        if is_about_stuttering(member.claim):
            message = "freedom from deadlock up to stuttering is not checked adaptively"
            raise unsuitable(message, "use --symmetry auto")
    model, options = bench.model, bench.options
    began = time.perf_counter()
    goals = [adaptive.Goal(m.name, None if m.claim.is_about_deadlock else m.claim.sought, m.values) for m in members]
    try:
        diagram = adaptive.diagram_of(model, options.deadline.is_over)
        found = adaptive.explore(diagram, goals, _stopping(bench, began), thorough=options.self_test)
    except adaptive.OutOfTime:
        nothing = Exploration(Stop.TIME, 0, 0, 0, None, 0, (None,) * len(members), engine="adaptive")
        reason = "the time was over before partitions were found"
        used = SymmetryUsed("adaptive", strategy="adaptive", reason=reason)
        return replace(nothing, seconds=time.perf_counter() - began), used
    exploration = Exploration(
        stop=Stop(found.stop),
        states=found.states,
        transitions=found.transitions,
        deadlocks=found.deadlocks,
        depth=found.depth,
        initial=found.initial,
        witnesses=found.runs,
        fault_path=found.fault,
        seconds=time.perf_counter() - began,
        bytes=found.bytes,
        engine="adaptive",
        self_test=SelfTest(found.tested.states, seconds=found.tested.seconds),
    )
    if options.verify and exploration.stop in (Stop.COMPLETE, Stop.DECIDED):
        plain = native.explore(model, members, options=options, watch=bench.watch)
        compare_with_plain(exploration, plain, has_lengths=[True] * len(members))
        exploration = replace(exploration, plain=plain)
    reason = f"{len(diagram.edges)} edges, {diagram.kinds} partitions of {diagram.view.size} processes"
    notes = (*diagram.notes, *found.notes)
    return exploration, SymmetryUsed(mode="adaptive", strategy="adaptive", reason=reason, notes=notes)


def _stopping(bench: Workbench, began: float) -> Callable[[Search], str | None]:
    """Shows progress, and says which limit is reached, if one is."""
    options = bench.options
    memory = options.memory or available_memory()

    def stop(search: Search) -> str | None:
        states, size = len(search.cover), adaptive.bytes_of(search)
        if bench.watch is not None:
            depth, seconds = search.cover.depth[-1] if states else 0, time.perf_counter() - began
            bench.watch(native.Progress(states, search.transitions, depth, states - search.expanded, size, seconds))
        if options.states is not None and states > options.states:
            return Stop.STATES.value
        if options.deadline.is_over():
            return Stop.TIME.value
        return Stop.MEMORY.value if size > memory else None

    return stop
