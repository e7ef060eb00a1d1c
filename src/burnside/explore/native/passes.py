"""The explored graph, and what explored states cover: passes over the states in C (``runtime/passes.h``)."""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Sequence
from itertools import accumulate
from typing import Any, final

from burnside.claims.kinds import Reachable, StateClaim
from burnside.claims.members import Member
from burnside.explore.native import build
from burnside.explore.native.abi import Coverage, CoveredCell, Graph
from burnside.explore.native.emit import Emission, Emitted
from burnside.explore.native.run import Search, SearchOptions, Watcher
from burnside.ir.instances import instance_count
from burnside.ir.nodes import FALSE, Model
from burnside.ir.packing import Field, Layout
from burnside.reduce.reduction import Reduction, SelfTestError
from burnside.results.exploration import Exploration, Store
from burnside.results.graph import StateGraph
from burnside.values import dataclass, replace

# Cells with more values are left out: nobody reads the list of those that do not occur.
MOST_VALUES = 4096
# A claim that no state decides, so that claims beside it do not end the exploration.
_NEVER = Member(Reachable("never", FALSE))


# ---------------------------------------------------------------- the graph


def explore_graph(
    model: Model,
    claims: Sequence[Member[StateClaim]] = (),
    *,
    reductions: Sequence[Reduction] = (),
    options: SearchOptions | None = None,
    watch: Watcher | None = None,
) -> tuple[Exploration, StateGraph | None]:
    """The graph of a model or of its quotient; None if the exploration was not complete."""
    # What reads the graph is slower than code that was compiled quickly.
    options = replace(options or SearchOptions(), threads=1, depth_first=False)
    asked = (*claims, _NEVER)
    emitted = _emit(model, asked, reductions)
    search, library = _load(emitted, replace(options, flags=options.flags or ("-O0",)), asked, reductions)

    def collect() -> StateGraph | None:
        return _collect_graph(search, library, emitted.layout, len(claims))

    return search.run_entry(library.burnside_run, watch, None, collect)


def _collect_graph(search: Search, library: ctypes.CDLL, layout: Layout, claims: int) -> StateGraph | None:
    if search.complete is None:
        return None
    states, initial, transitions = search.complete
    words = (ctypes.c_uint64 * max(1, states * layout.words))()
    degrees = (ctypes.c_uint32 * max(1, states))()
    labels = (ctypes.c_uint32 * (transitions + 1))()  # one more is written, and not meant
    targets = (ctypes.c_uint32 * max(1, transitions))()
    orbits = (ctypes.c_uint64 * max(1, states))()
    sought = (ctypes.c_uint8 * max(1, states * (claims + 1)))()
    record = Graph(*(ctypes.addressof(part) for part in (words, degrees, labels, targets, orbits, sought)))
    library.burnside_graph.restype = ctypes.c_uint64
    if library.burnside_graph(search.reference, ctypes.byref(record)) != transitions:
        raise SelfTestError("a pass over the explored states found other steps than the exploration")
    first = array("Q", [0])
    for degree in degrees[:states]:
        first.append(first[-1] + degree)
    return StateGraph(
        initial,
        claims,
        array("Q", orbits[:states]),
        layout.unpack,
        layout.words,
        array("Q", bytes(words)),
        first,
        array("I", labels[:transitions]),
        array("I", targets[:transitions]),
        bytes(sought),
    )


# ---------------------------------------------------------------- coverage


@final
@dataclass(frozen=True, slots=True)
class Covered:
    """How often each rule instance fires in the explored states, and the values that each cell takes there.

    Cells with very many values are not recorded: None.
    """

    fired: tuple[int, ...]
    taken: tuple[frozenset[int] | None, ...]


def explore_covering(
    model: Model,
    *,
    reductions: Sequence[Reduction] = (),
    options: SearchOptions | None = None,
    watch: Watcher | None = None,
) -> tuple[Exploration, Covered | None]:
    """Explore everything, or one state of every orbit, and see what that covers; None if it was not complete."""
    options = options or SearchOptions()
    emitted = _emit(model, (), reductions)
    search, library = _load(emitted, options, (), reductions)

    def collect() -> Covered | None:
        return _collect_coverage(search, library, emitted.layout, model)

    return search.run_entry(library.burnside_run, watch, None, collect)


def _collect_coverage(search: Search, library: ctypes.CDLL, layout: Layout, model: Model) -> Covered | None:
    if search.complete is None:
        return None
    sizes = [c.domain.size if c.domain.size <= MOST_VALUES else 0 for c in layout.cells.all]
    starts = [0, *accumulate(sizes)][:-1]
    recorded = [k for k, size in enumerate(sizes) if size]
    cells = (CoveredCell * max(1, len(recorded)))(*(_covered_cell(layout.fields[k], starts[k]) for k in recorded))
    fired = (ctypes.c_uint64 * max(1, instance_count(model)))()
    taken = (ctypes.c_uint8 * max(1, sum(sizes)))()
    record = Coverage(cells, len(recorded), fired, taken)
    library.burnside_coverage.restype = ctypes.c_bool
    if not library.burnside_coverage(search.reference, ctypes.byref(record)):
        raise MemoryError
    values = [
        frozenset(f.low + v for v in range(size) if taken[start + v]) if size else None
        for f, size, start in zip(layout.fields, sizes, starts, strict=True)
    ]
    return Covered(tuple(fired), tuple(values))


def _covered_cell(field: Field, start: int) -> CoveredCell:
    return CoveredCell(field.word, field.shift, field.mask, start)


# ---------------------------------------------------------------- both


def _emit(model: Model, claims: Sequence[Member[StateClaim]], reductions: Sequence[Reduction]) -> Emitted:
    return Emission(model, claims, reductions).emit({"LABELS": "LABELS_ON_REQUEST"}, "passes.h")


def _load(
    emitted: Emitted, options: SearchOptions, claims: Sequence[Member[StateClaim]], reductions: Sequence[Reduction]
) -> tuple[Search, Any]:
    flags = options.flags or (emitted.optimisation,)
    library = build.load(emitted.program, flags=flags, cache=options.cache, deadline=options.deadline)
    return Search(library, emitted.layout, claims, replace(options, store=Store.INDEX), reductions), library
