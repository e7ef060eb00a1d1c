"""Load a compiled checker and run it in process.

The search runs in a thread of its own while the calling thread watches: it reports progress, asks for a
stop when the time is up, and turns Ctrl-C into a polite end with a partial result.
"""

from __future__ import annotations

import ctypes
import os
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any, TypeVar, final

from burnside.claims.kinds import StateClaim
from burnside.claims.members import Member
from burnside.explore.checkpoints import Checkpoint
from burnside.explore.native import build
from burnside.explore.native.abi import NONE, STOPS, STORES, Run, StopReason, kind_of_store
from burnside.explore.native.condition_tests import ClaimTest
from burnside.explore.native.emit import Emitted, emit, tables_of
from burnside.explore.native.keeping import Keeper, key_of
from burnside.explore.native.keys import Fingerprints
from burnside.explore.native.options import Overtaken, Progress, SearchOptions, Watcher, Within
from burnside.explore.native.probe import ConditionTest, Probe, Tester
from burnside.explore.native.progress import final_progress, progress_of
from burnside.ir.cells import State
from burnside.ir.nodes import Model
from burnside.ir.packing import Layout
from burnside.limits import (
    LimitReached,
    available_disk,
    memory_to_reserve,
    scratch_folder,
    start_thread,
)
from burnside.reduce.reduction import Reduction, SelfTestError
from burnside.results.exploration import Exploration, Kept, SelfTest, Stop, Store
from burnside.values import replace

T = TypeVar("T")

# Optimising takes longer than exploring so few states without it: most models never need more.
FEW_STATES = 100_000
_QUICKLY_BUILT = ("-O0",)

_OFTEN, _SELDOM = 0.004, 0.1  # seconds between two looks at a search: who looks takes turns with who seeks symmetries

FEW_REPRESENTATIVES = 10_000  # what holds on so small a quotient is confirmed
SOON_CONFIRMED = 50_000  # if there are no more states


__all__ = [
    "FEW_STATES",
    "Overtaken",
    "Progress",
    "Search",
    "SearchOptions",
    "Watcher",
    "Within",
    "explore",
    "run_compiled",
]


def explore(
    model: Model,
    claims: Sequence[Member[StateClaim]] = (),
    *,
    reductions: Sequence[Reduction] = (),
    orbits: Sequence[int] | None = None,
    options: SearchOptions | None = None,
    watch: Watcher | None = None,
    overtaken: Overtaken | None = None,
    has_many_states: bool = False,
) -> Exploration:
    """Explore all states of a checked model, or those that reductions leave, or until every claim is decided.

    On the quotient, paths of witnesses are paths of representatives, to be lifted by `explore.lift`. ``orbits`` has for
    every claim the first one that symmetries exchange it with: a witness of one decides them all. The search ends as
    soon as ``overtaken`` says so. If it is known that there are many states without the reductions, what they leave is
    not confirmed by all states, unless that is asked for.
    """
    options = asked = options or SearchOptions()
    emitted = emit(model, claims, reductions, options.fingerprint)
    keeper: Keeper | None = None
    if options.checkpoint is not None:
        try:
            key = key_of(emitted, claims, reductions, orbits)
            keeper = Keeper(options.checkpoint, key, len(claims), emitted.layout.words)
        except OSError as error:
            return _unkept(options.checkpoint, error, len(claims))

    def search(library: ctypes.CDLL, options: SearchOptions) -> Exploration:
        first = Search(
            library, emitted.layout, claims, options, reductions, orbits, keeper, fingerprints=emitted.fingerprints
        )
        found = first.run(watch, overtaken)
        if not reductions or found.stop is not Stop.COMPLETE:
            return found
        again = _confirming(found, asked)
        if again is None or (has_many_states and not asked.verify):
            return found
        second = Search(
            library, emitted.layout, claims, again, reductions, is_plain=True, fingerprints=emitted.fingerprints
        )
        plain = second.run(watch, overtaken)
        return found if plain.stop.is_limit and not asked.verify else replace(found, plain=plain)

    is_beaten = False

    def is_overtaken(found: Exploration) -> bool:
        nonlocal is_beaten
        is_beaten = overtaken is not None and overtaken(final_progress(found))
        return is_beaten

    found = run_compiled(emitted, options, search, lambda found: found, is_overtaken)
    return replace(found, stop=Stop.OVERTAKEN) if is_beaten else found


def _unkept(checkpoint: Checkpoint, error: OSError, claims: int) -> Exploration:
    """Nothing is found if nothing can be kept."""
    kept = Kept(str(checkpoint.directory), 0, 0, failure=error.strerror or "unknown error")
    return Exploration(Stop.DISK, 0, 0, 0, 0, 0, witnesses=(None,) * claims, kept=kept)


def _confirming(found: Exploration, options: SearchOptions) -> SearchOptions | None:
    """How to confirm what was found on a quotient by the same code without its reduction: if that is asked for, or if
    there are so few states that nobody will notice.
    """
    if options.verify:
        return options
    if found.states > FEW_REPRESENTATIVES or (found.full_states or 0) > SOON_CONFIRMED:
        return None
    return replace(options, states=SOON_CONFIRMED)


def run_compiled(
    emitted: Emitted,
    options: SearchOptions,
    search: Callable[[ctypes.CDLL, SearchOptions], T],
    exploration: Callable[[T], Exploration],
    is_overtaken: Callable[[Exploration], bool] | None = None,
) -> T:
    """Compile and search: first without optimising and for few states only, then, if that was not enough, again.

    ``is_overtaken`` may end it in between.
    """
    flags = options.flags or (emitted.optimisation,)

    def compiled(flags: tuple[str, ...]) -> ctypes.CDLL:
        return build.load(emitted.program, flags=flags, cache=options.cache, deadline=options.deadline)

    if options.flags or options.checkpoint or build.is_soon_built(emitted.program, flags=flags, cache=options.cache):
        return search(compiled(flags), options)
    few = min(FEW_STATES, options.states or FEW_STATES)
    found = search(compiled(_QUICKLY_BUILT), replace(options, states=few))
    if exploration(found).stop is not Stop.STATES or few == options.states:
        return found
    if is_overtaken is not None and is_overtaken(exploration(found)):
        return found
    return search(compiled(flags), options)


@final
class Search:
    """One run of one loaded checker."""

    def __init__(
        self,
        library: ctypes.CDLL,
        layout: Layout,
        claims: Sequence[Member[StateClaim]],
        options: SearchOptions,
        reductions: Sequence[Reduction],
        orbits: Sequence[int] | None = None,
        keeper: Keeper | None = None,
        *,
        is_plain: bool = False,
        conditions: Sequence[ConditionTest] = (),
        fingerprints: Fingerprints | None = None,
    ) -> None:
        self._library = library
        self._layout = layout
        self._options = options
        self._witness = (ctypes.c_uint32 * max(1, len(claims)))(*([NONE] * max(1, len(claims))))
        self._claims = claims
        self._orbits_of_claims = orbits or range(len(claims))
        self._conditions = conditions
        memory, scratch = memory_to_reserve(options.memory), options.scratch or scratch_folder()
        self._run = Run(threads=options.threads, depth_first=options.depth_first, memory_limit=memory)
        self._run.fault_state = NONE
        self._run.is_plain = is_plain
        self._run.state_limit = options.states or 0
        is_kept = keeper is not None and options.store is Store.AUTO
        self._run.store = kind_of_store(Store.COMPACT if is_kept else options.store)
        self._run.scratch = os.fsencode(scratch)
        kept = keeper.bytes if keeper is not None else 0
        self._run.disk_limit = options.disk if options.disk is not None else available_disk(scratch) + kept
        self._keeper = keeper
        if keeper is not None:
            self._run.checkpoint = ctypes.pointer(keeper.record)
            keeper.attach(library, self.reference)
        self._reductions = reductions
        addresses = [table.entries.buffer_info()[0] for table in tables_of(reductions)]
        self._tables = (ctypes.c_void_p * len(addresses))(*addresses)
        self._run.tables = ctypes.cast(self._tables, ctypes.POINTER(ctypes.c_void_p))
        self._fingerprints = fingerprints
        if fingerprints is not None:
            self._coefficients = fingerprints.coefficients(layout.words)
            address = self._coefficients.buffer_info()[0]
            self._run.coefficients = ctypes.cast(address, ctypes.POINTER(ctypes.c_uint64))
        if orbits:
            self._orbits = (ctypes.c_uint32 * len(orbits))(*orbits)
            self._run.orbits = ctypes.cast(self._orbits, ctypes.POINTER(ctypes.c_uint32))
        self._run.witness = ctypes.cast(self._witness, ctypes.POINTER(ctypes.c_uint32))
        library.burnside_path_length.restype = ctypes.c_uint32

    def run(self, watch: Watcher | None, overtaken: Overtaken | None) -> Exploration:
        """Search to the end and collect the result."""
        return self.run_entry(self._library.burnside_run, watch, overtaken, lambda: None)[0]

    def self_test(self, found: Exploration) -> SelfTest | None:
        """Test the compiled form by the reference semantics; None if nobody waits for the answer."""
        if self._run.is_plain or found.stop in (Stop.OVERTAKEN, Stop.INTERRUPT, Stop.STATES):
            return None
        start, thorough = time.thread_time(), self._options.self_test
        probe = Probe(self._library, self.reference, self._layout)
        # Where a condition on initial states faults, nothing that they decide counts.
        asked = () if found.fault_path == () else self._claims
        claims = ClaimTest(self._layout.cells, asked, self._nearest, found.deadlocks)
        has_levels = self._knows_depth and not self._options.depth_first
        claims.test_all(probe, has_levels=has_levels, thorough=thorough)
        conditions = (claims, *self._conditions)
        is_steady = not any(steps is not None for steps in self._nearest)
        model, is_product = self._layout.cells.model, self._layout.extra.width > 0
        tester = Tester(model, self._reductions, probe, conditions, is_steady=is_steady, is_product=is_product)
        is_complete = found.stop is Stop.COMPLETE and not is_product
        seconds = min(found.seconds, found.cpu_seconds)  # others may have used the machine; so may other threads
        checked = tester.test(seconds, is_complete=is_complete, has_levels=has_levels, thorough=thorough)
        return SelfTest(checked, seconds=time.thread_time() - start)

    @property
    def _nearest(self) -> list[int | None]:
        """By claim: the number of steps to its witness, or to that of a claim that symmetries exchange it with."""
        steps: dict[int, int] = {}
        for orbit, witness in zip(self._orbits_of_claims, self._witness, strict=False):
            if witness != NONE:
                length = self._library.burnside_path_length(self.reference, ctypes.c_uint32(witness)) - 1
                steps[orbit] = min(length, steps.get(orbit, length))
        return [steps.get(orbit) for orbit in self._orbits_of_claims]

    @property
    def reference(self) -> Any:
        """The run, as C functions take it."""
        return ctypes.byref(self._run)

    @property
    def complete(self) -> tuple[int, int, int] | None:
        """The numbers of states, initial states and transitions of a search that is complete."""
        run = self._run
        return None if run.stop else (run.states, run.initial_states, run.transitions)

    def run_entry(
        self,
        entry: Callable[[Any], object],
        watch: Watcher | None,
        overtaken: Overtaken | None,
        collect: Callable[[], T],
    ) -> tuple[Exploration, T]:
        """Call a function of the checker, and collect what it leaves; its memory is released in any case."""
        start, cpu = time.perf_counter(), time.process_time()
        # Not Thread.join: interrupted by Ctrl-C, it takes a running thread for a finished one (Python 3.11).
        done = threading.Event()

        def search() -> None:
            try:
                entry(self.reference)
            finally:
                done.set()

        try:
            try:
                start_thread(search)
            except MemoryError:
                done.set()  # there is nobody else who ever would
                raise
            asked = self._watch(done, start, watch, overtaken)
        except BaseException:  # of a watcher, or between two lines: the search must not outlive its memory
            self._ask_to_stop()
            done.wait()
            self._library.burnside_close(self.reference)
            raise
        seconds, cpu = time.perf_counter() - start, time.process_time() - cpu
        try:
            found = self._result(asked, seconds, cpu)
            return replace(found, self_test=self.self_test(found)), collect()
        finally:
            self._library.burnside_close(self.reference)

    def _watch(
        self, done: threading.Event, start: float, watch: Watcher | None, overtaken: Overtaken | None
    ) -> Stop | None:
        """Wait for the search; the reason if it was asked to stop."""
        asked: Stop | None = None
        pause = 0.001
        while not done.is_set():
            try:
                done.wait(pause)
                elapsed = time.perf_counter() - start
                pause = min(_SELDOM if overtaken is None else max(_OFTEN, elapsed / 16), _SELDOM, pause * 2)
                if self._options.deadline.is_over() and asked is None:
                    asked = Stop.TIME
                    self._ask_to_stop()
                if overtaken is not None and asked is None and overtaken(progress_of(self._run, elapsed)):
                    asked = Stop.OVERTAKEN
                    self._ask_to_stop()
                if watch is not None and elapsed > 0.2:
                    watch(progress_of(self._run, elapsed))
            except (KeyboardInterrupt, LimitReached) as reason:
                asked = Stop(reason.limit) if isinstance(reason, LimitReached) else Stop.INTERRUPT
                self._ask_to_stop()
        return asked

    def _ask_to_stop(self) -> None:
        self._run.stop = self._run.stop or StopReason.STOP_ASKED
        self._run.gives_up = 1

    def _result(self, asked: Stop | None, seconds: float, cpu: float) -> Exploration:
        run = self._run
        if run.stop == StopReason.STOP_BUG:
            raise SelfTestError("a value or a step occurs that a reduction or the store does not know")
        if run.stop == StopReason.STOP_DAMAGED and self._keeper is not None:
            raise self._keeper.damaged()
        # A stop requested just as the limit of states is reached counts as a request.
        is_asked = asked is not None and run.stop in (StopReason.STOP_ASKED, StopReason.STOP_STATES)
        stop = asked if is_asked and asked is not None else STOPS[run.stop]
        witnesses = tuple(self._path(self._witness[k]) for k in range(len(self._claims)))
        return Exploration(
            stop=stop,
            states=run.states,
            transitions=run.transitions,
            deadlocks=run.deadlocks,
            depth=run.depth if self._knows_depth else None,
            initial=run.initial_states,
            witnesses=witnesses,
            fault_path=(self._path(run.fault_state) or ()) if stop is Stop.FAULT else None,
            seconds=seconds,
            cpu_seconds=cpu,
            bytes=run.bytes,
            disk=run.disk,
            store=STORES[run.store],
            fingerprint=self._fingerprint,
            threads=run.threads,
            full_states=self._full_states,
            canonicalised=run.canonicalised,
            canonicalising_seconds=run.canonicalising_nanoseconds / 1e9,
            kept=self._keeper.result if self._keeper is not None else None,
        )

    @property
    def _knows_depth(self) -> bool:
        """Whether levels are distances: of several representatives of an orbit, some may be found late, and so may a
        state if some steps are left out.
        """
        is_unique = all(reduction.is_exact and reduction.takes_all for reduction in self._reductions)
        return bool(self._run.is_plain or is_unique or self._run.depth_first)

    @property
    def _fingerprint(self) -> int | None:
        """How many bits of each state were kept, if not all: a search that ends among indices is exact."""
        if self._fingerprints is None or STORES[self._run.store].has_indices:
            return None
        return sum(self._fingerprints.bits)

    @property
    def _full_states(self) -> int | None:
        """How many states there are without symmetry, if that is known."""
        run = self._run
        if not run.knows_full_states or not all(reduction.takes_all for reduction in self._reductions):
            return None
        return int(run.full_states_high << 64 | run.full_states_low)

    def _path(self, index: int) -> tuple[State, ...] | None:
        """The states from an initial one to ``index``."""
        if index == NONE:
            return None
        reference = ctypes.byref(self._run)
        length = self._library.burnside_path_length(reference, ctypes.c_uint32(index))
        width = self._layout.words
        words = (ctypes.c_uint64 * (length * width))()
        self._library.burnside_path(reference, ctypes.c_uint32(index), words)
        return tuple(self._layout.unpack(words[k * width : (k + 1) * width]) for k in range(length))
