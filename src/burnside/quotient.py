"""Exploring with or without symmetry, as the user asks or as it pays.

``auto`` explores a few states without symmetry first: most models end there. Where they do not, the search goes on
without symmetry in the background while symmetries are sought, and with a quotient at hand both searches run until one
of them has the answer. So ``auto`` takes about as long as the better of the two, whichever that is.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, final

from burnside.explore.claims import Claim
from burnside.explore.native import run as native
from burnside.explore.result import Exploration, SelfTest, Stop
from burnside.ir.nodes import Const, Model, PropertyKind
from burnside.ir.requirements import Family, Required, Subject
from burnside.ir.simplify import bind
from burnside.limits import LimitReached, has_room
from burnside.reduce.reduction import SelfTestError
from burnside.report.values import Symmetry

if TYPE_CHECKING:  # exploring a model should not wait for the libraries that detection needs
    from burnside.adaptive.search import Search
    from burnside.detect.run import Detection
    from burnside.reduce.symmetry.reduction import SymmetryReduction


def explore(
    model: Model,
    claims: Sequence[Claim],
    symmetry: str,
    options: native.SearchOptions,
    watch: native.Watcher | None,
) -> tuple[Exploration, Symmetry]:
    """Explore as the mode says; with nothing to show for it if a limit is reached before the search begins."""
    try:
        return _explore(model, claims, symmetry, options, watch)
    except LimitReached as limit:
        nothing = Exploration(Stop(limit.limit), 0, 0, 0, 0, 0, witnesses=(None,) * len(claims))
        return nothing, Symmetry(reason=str(limit))


def _explore(
    model: Model,
    claims: Sequence[Claim],
    symmetry: str,
    options: native.SearchOptions,
    watch: native.Watcher | None,
) -> tuple[Exploration, Symmetry]:
    if symmetry == "none":
        return native.explore(model, claims, options=options, watch=watch), Symmetry()
    if symmetry == "auto":
        return _explore_as_it_pays(model, claims, options, watch)
    if symmetry == "adaptive":
        return _explore_adaptively(model, claims, options, watch)
    reduced = Reduced(model, claims, multi=symmetry == "multi")
    if reduced.reduction is None:
        return native.explore(model, claims, options=options, watch=watch), reduced.symmetry
    return reduced.explore(options, watch), reduced.symmetry


def requirements_of(model: Model, claims: Sequence[Claim]) -> list[Required]:
    """What symmetries must keep so that claims can be decided, and deadlocks counted, on the quotient: first what the
    claims ask for, one by one.
    """
    terminal = Required(Family(Subject.TERMINAL), model.terminal, {})
    kept = [
        terminal
        if claim.family.kind is PropertyKind.DEADLOCK_FREE
        else Required(
            Family(Subject.PROPERTY, (claim.family.name,)),
            claim.sought,
            bind(claim.family.parameters, claim.arguments),
        )
        for claim in claims
    ]
    return kept if terminal in kept or isinstance(model.terminal, Const) else [*kept, terminal]


# With so many symmetries the quotient wins unless the plain search is nearly done: that one is given up when it has
# had twice the time it took to get the quotient ready.
_SURE_TO_PAY = 4


@final
class Reduced:
    """The symmetries of a model that keep its claims, and the reduction they give, if any."""

    def __init__(
        self,
        model: Model,
        claims: Sequence[Claim] = (),
        *,
        multi: bool = False,
        checkpoint: Callable[[], None] | None = None,
    ) -> None:
        from burnside.detect.run import detect
        from burnside.reduce.symmetry.plan import TooComplex, plan

        self._model = model
        self._claims = claims
        self.detection: Detection = detect(model, requirements_of(model, claims), checkpoint=checkpoint)
        self.reduction: SymmetryReduction | None = None
        self._obstacle = "the symmetries move variables with very many values"
        try:
            self.reduction = plan(self.detection.symmetry, multi=multi, checkpoint=checkpoint)
        except TooComplex as error:
            self._obstacle = f"no reduction was found: {error}"

    @property
    def is_exact(self) -> bool:
        """Whether there is a reduction with one representative for every orbit."""
        return self.reduction is not None and self.reduction.is_exact

    @property
    def symmetry(self) -> Symmetry:
        """What the report says about it."""
        from burnside.detect.run import order_without_requirements

        order = self.detection.symmetry.order
        full_order = order_without_requirements(self.detection.constraints) if self._claims else order
        if self.reduction is None and order > 1:
            return Symmetry(reason=self._obstacle)
        if self.reduction is None:
            kept = f"the properties keep none of {full_order:,} symmetries"
            return Symmetry(reason="no symmetry was found" if full_order == 1 else kept)
        return Symmetry(
            mode="unique" if self.reduction.is_exact else "multi",
            order=self.reduction.action.order,
            strategy=self.reduction.name,
            reason=self.reduction.reason,
            lost=full_order // order,
        )

    def explore(
        self,
        options: native.SearchOptions,
        watch: native.Watcher | None,
        overtaken: native.Judge | None = None,
    ) -> Exploration:
        """Explore representatives; what was found is lifted to runs of the model."""
        from burnside.explore.lift import lift_path
        from burnside.reduce.symmetry.carry import carry_over, orbits_of

        model, reduction, symmetry = self._model, self.reduction, self.detection.symmetry
        assert reduction is not None
        found = native.explore(
            model,
            self._claims,
            reductions=(reduction,),
            orbits=orbits_of(len(self._claims), symmetry.exchanges),
            options=options,
            watch=watch,
            overtaken=overtaken,
        )
        lifted = [None if w is None else lift_path(model, reduction, w) for w in found.witnesses]
        if self._claims:
            lifted = [*carry_over(lifted, symmetry.exchanges, symmetry.literals)]
        fault = lift_path(model, reduction, found.fault_path) if found.fault_path else found.fault_path
        found = replace(found, witnesses=tuple(lifted), fault_path=fault)
        if found.plain is not None:
            compare_with_plain(found, found.plain, has_lengths=not options.depth_first)
            if found.depth is None and found.plain.stop is Stop.COMPLETE:
                found = replace(found, depth=found.plain.depth)
        return found


def compare_with_plain(found: Exploration, plain: Exploration, *, has_lengths: bool) -> None:
    """Raise unless the search without the reduction says the same; ``has_lengths`` if both give shortest runs."""
    if plain.stop.is_limit:
        return
    pairs = [*zip(found.witnesses, plain.witnesses, strict=True)]
    same = plain.stop is not Stop.FAULT and all((one is None) == (other is None) for one, other in pairs)
    if has_lengths:
        same &= all(len(one or ()) == len(other or ()) for one, other in pairs)
    if plain.stop is Stop.COMPLETE:
        same &= (found.deadlocks > 0) == (plain.deadlocks > 0)
        same &= found.full_states in (None, plain.states)
        same &= not has_lengths or found.depth in (None, plain.depth)
    if not same:
        raise SelfTestError("the search without symmetries finds something else")


# ---------------------------------------------------------------- adaptively


def _explore_adaptively(
    model: Model, claims: Sequence[Claim], options: native.SearchOptions, watch: native.Watcher | None
) -> tuple[Exploration, Symmetry]:
    """Explore annotated states: processes are told apart only where the model does."""
    from burnside.adaptive import run as adaptive

    began = time.perf_counter()
    memory = options.memory or native.available_memory()

    def is_over() -> bool:
        return options.seconds is not None and time.perf_counter() - began > options.seconds

    def stop(search: Search) -> str | None:
        states, size = len(search.cover), adaptive.bytes_of(search)
        if watch is not None:
            depth, seconds = search.cover.depth[-1] if states else 0, time.perf_counter() - began
            watch(native.Progress(states, search.transitions, depth, states - search.expanded, size, seconds))
        if options.states is not None and states > options.states:
            return Stop.STATES.value
        if is_over():
            return Stop.TIME.value
        return Stop.MEMORY.value if size > memory else None

    goals = [
        adaptive.Goal(c.name, None if c.family.kind is PropertyKind.DEADLOCK_FREE else c.sought, known)
        for c, known in ((c, bind(c.family.parameters, c.arguments)) for c in claims)
    ]
    try:
        diagram = adaptive.diagram_of(model, is_over)
        found = adaptive.explore(diagram, goals, stop, thorough=options.self_test)
    except adaptive.OutOfTime:
        nothing = Exploration(Stop.TIME, 0, 0, 0, None, 0, (None,) * len(claims), engine="adaptive")
        reason = "the time was over before partitions were found"
        return replace(nothing, seconds=time.perf_counter() - began), Symmetry(
            "adaptive", strategy="adaptive", reason=reason
        )
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
        self_test=SelfTest(found.tested),
    )
    if options.verify and exploration.stop in (Stop.COMPLETE, Stop.DECIDED):
        plain = native.explore(model, claims, options=options, watch=watch)
        compare_with_plain(exploration, plain, has_lengths=True)
        exploration = replace(exploration, plain=plain)
    reason = f"{len(diagram.edges)} edges, {diagram.kinds} partitions of {diagram.view.size} processes"
    notes = (*diagram.notes, *found.notes)
    return exploration, Symmetry(mode="adaptive", strategy="adaptive", reason=reason, notes=notes)


# ---------------------------------------------------------------- as it pays


def _explore_as_it_pays(
    model: Model, claims: Sequence[Claim], options: native.SearchOptions, watch: native.Watcher | None
) -> tuple[Exploration, Symmetry]:
    plain = _PlainSearch(model, claims, options, watch)
    try:
        if not plain.has_many_states():
            return plain.wait(), Symmetry(reason=f"fewer than {native.FEW_STATES:,} states: it would not pay")
        return _race(model, claims, plain, options, watch)
    except _Overtaken:
        found = plain.wait()
        ended = "the search ended" if found.stop.is_limit else "the answer was found"
        return found, Symmetry(reason=f"{ended} before symmetries were of use")
    except KeyboardInterrupt:
        return replace(plain.cancel(), stop=Stop.INTERRUPT), Symmetry(reason="interrupted")
    except (MemoryError, ImportError) as error:
        if isinstance(error, ImportError) and has_room():
            raise
        return plain.wait(), Symmetry(reason="there is not enough memory to find symmetries")
    except LimitReached as limit:
        found = plain.cancel()
        stop = Stop(limit.limit) if found.stop is Stop.OVERTAKEN else found.stop
        return replace(found, stop=stop), Symmetry(reason=str(limit))
    finally:
        plain.cancel()


def _race(
    model: Model,
    claims: Sequence[Claim],
    plain: _PlainSearch,
    options: native.SearchOptions,
    watch: native.Watcher | None,
) -> tuple[Exploration, Symmetry]:
    """Seek symmetries while the plain search goes on, then search the quotient, too."""
    reduced = Reduced(model, claims, checkpoint=plain.checkpoint)
    if reduced.reduction is None:
        return plain.wait(), reduced.symmetry
    plain.checkpoint()
    if options.threads > 1 or (os.cpu_count() or 1) == 1:
        plain.cancel()  # no processor is left for two
    head_start = time.perf_counter() - plain.started
    if options.seconds is not None:
        options = replace(options, seconds=max(0.001, options.seconds - head_start))
    memory = options.memory or native.available_memory()
    shared = replace(options, memory=memory if plain.is_done else memory // 2)
    plain.race(memory // 2)
    pays = reduced.reduction.action.order >= _SURE_TO_PAY

    def overtaken(progress: native.Progress) -> bool:
        if pays and progress.seconds > head_start:
            plain.give_up()
        return plain.is_decisive()

    found = reduced.explore(shared, watch, overtaken)
    if found.stop is Stop.MEMORY and not plain.is_decisive():
        plain.cancel()
        found = reduced.explore(options, watch)
    if found.stop is Stop.OVERTAKEN or (found.stop is Stop.MEMORY and plain.is_decisive()):
        raise _Overtaken
    return found, reduced.symmetry


class _Overtaken(Exception):
    """The plain search has the answer."""


@final
class _PlainSearch:
    """The search without symmetry, in the background."""

    def __init__(
        self, model: Model, claims: Sequence[Claim], options: native.SearchOptions, watch: native.Watcher | None
    ) -> None:
        self.started = time.perf_counter()
        self._watch = watch
        self._cancelled = threading.Event()
        self._is_done = False
        self._is_large = False
        self._news = threading.Event()  # it is done, or large
        self._most_bytes: int | None = None
        self._found: Exploration | None = None
        self._error: BaseException | None = None
        threading.Thread(target=self._search, args=(model, claims, options), daemon=True).start()

    def _search(self, model: Model, claims: Sequence[Claim], options: native.SearchOptions) -> None:
        try:
            self._found = native.explore(
                model, claims, options=options, watch=self._progress, overtaken=self._is_beaten
            )
        except BaseException as error:  # raised again where the result is asked for
            self._error = error
        finally:
            self._is_done = True
            self._news.set()

    def _progress(self, progress: native.Progress) -> None:
        if self._watch is not None and self._most_bytes is None:
            self._watch(progress)

    def _is_beaten(self, progress: native.Progress) -> bool:
        if progress.states >= native.FEW_STATES and not self._is_large:
            self._is_large = True
            self._news.set()
        too_large = self._most_bytes is not None and progress.bytes > self._most_bytes
        return self._cancelled.is_set() or too_large

    def has_many_states(self) -> bool:
        """Wait until that is known."""
        while not self._news.wait(0.1):
            pass
        self._news.clear()
        return not self._is_done

    @property
    def is_done(self) -> bool:
        """Whether it has ended, for whatever reason."""
        return self._is_done

    def is_decisive(self) -> bool:
        """Whether it has ended with the answer, or with a limit that ends everything."""
        return self._is_done and (self._found is None or self._found.stop not in (Stop.MEMORY, Stop.OVERTAKEN))

    def checkpoint(self) -> None:
        """Called while symmetries are sought: stops that if it is no longer needed."""
        if self.is_decisive():
            raise _Overtaken

    def race(self, most_bytes: int) -> None:
        """From now on another search runs: progress is its business, and memory is shared with it."""
        self._most_bytes = most_bytes

    def wait(self) -> Exploration:
        """The result; a search that nobody cancels ends by itself."""
        while not self._is_done:
            self._news.wait(0.1)
        if self._error is not None:
            raise self._error
        assert self._found is not None
        return self._found

    def give_up(self) -> None:
        """Stop soon."""
        self._cancelled.set()

    def cancel(self) -> Exploration:
        """Stop, if that is still necessary; the result so far."""
        self.give_up()
        return self.wait()
