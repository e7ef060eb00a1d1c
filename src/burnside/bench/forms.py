"""What a representative costs beside sorting: processor time on the same kind of states, in turns.

Times of whole searches depend on what else the machine does, and on caches. Here the canonical form alone is called, on
successors of states that a search has stored. What it is compared with is sorting on a state of the same width: cells
of the same domains, packed in the same way, dealt out to so many blocks that can be arranged in any way. The states
are such that one block has changed since the state was sorted, as it is with successors. Both are measured in turns,
many times, and the medians count: a busy machine spoils some of them, and so does a clock that moves in steps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from random import Random
from statistics import median
from typing import Final, TypeVar, final

from burnside.explore.native import build
from burnside.explore.native.emit import emit
from burnside.explore.native.probe import Probe
from burnside.explore.native.run import Search, SearchOptions
from burnside.groups import PermGroup, with_order
from burnside.ir.cells import Cells, State
from burnside.ir.nodes import Model
from burnside.reduce.symmetry.action import Action
from burnside.reduce.symmetry.plan import plan_action
from burnside.reduce.symmetry.reduction import SymmetryReduction
from burnside.reduce.symmetry.sorting import Sorting
from burnside.values import dataclass, replace

T = TypeVar("T")

_FIRST_STATES: Final = 200_000  # that are stored; successors of some of them are measured
_EXPANDED: Final = 1_000
_MEASURED: Final = 4_000
_ROUNDS: Final = 100


@final
@dataclass(frozen=True, slots=True)
class Cost:
    """Microseconds that one representative takes, and that sorting takes."""

    microseconds: float
    sorting: float


def cost(model: Model, reduction: SymmetryReduction, blocks: int, options: SearchOptions) -> Cost:
    """What representatives of a model cost, and sorting as many blocks of a state of the same width."""
    options = replace(options, states=_FIRST_STATES)
    dealt = _dealt(model, reduction.action.positions, blocks)
    still, sorting = _still(model), plan_action(_arranging(model, dealt))
    assert sorting is not None
    assert [type(step) for step in sorting.steps] == [Sorting]

    def measure(probe: Probe) -> Cost:
        states = _successors(probe)

        def in_turns(sorter: Probe) -> Cost:
            one = probe.representing_seconds(states)
            other = sorter.representing_seconds([*_nearly_sorted(sorter, states, dealt)])
            times = [(one(), other()) for _ in range(_ROUNDS)]
            return Cost(*(1e6 * median(turns) / len(states) for turns in zip(*times, strict=True)))

        return _asked(still, sorting, options, in_turns)

    return _asked(model, reduction, options, measure)


def _asked(model: Model, reduction: SymmetryReduction, options: SearchOptions, ask: Callable[[Probe], T]) -> T:
    """What is asked of the compiled parts of a checker after a search."""
    emitted = emit(model, (), (reduction,))
    library = build.load(emitted.program, flags=options.flags or (emitted.optimisation,), cache=options.cache)
    search = Search(library, emitted.layout, (), options, (reduction,))
    probe = Probe(library, search.reference, emitted.layout)
    return search.run_entry(library.burnside_run, None, None, lambda: ask(probe))[1]


def _successors(probe: Probe) -> list[State]:
    """Some successors of some states, before representatives take their place."""
    found = [s for index in probe.everything(_EXPANDED) for s in probe.successors(probe.state(index)) or ()]
    return Random(len(found)).sample(found, min(len(found), _MEASURED))


# ---------------------------------------------------------------- sorting


def _dealt(model: Model, cells: Sequence[int], blocks: int) -> list[Sequence[int]]:
    """Cells of the same domains for each of some blocks; a few may be left over."""
    sizes = [cell.domain.size for cell in Cells(model).all]
    dealt: list[list[int]] = [[] for _ in range(blocks)]
    for size in sorted({sizes[cell] for cell in cells}):
        alike = [cell for cell in cells if sizes[cell] == size]
        each = len(alike) // blocks
        for b, block in enumerate(dealt):
            block += alike[b * each : (b + 1) * each]
    return [*dealt]


def _arranging(model: Model, dealt: Sequence[Sequence[int]]) -> Action:
    """All arrangements of blocks of cells."""
    domains = [cell.domain for cell in Cells(model).all]
    positions = sorted(cell for block in dealt for cell in block)
    first = [*accumulate((domains[cell].size for cell in positions), initial=0)]
    start = dict(zip(positions, first, strict=False))
    generators = []
    for turn in ([1, 0, *range(2, len(dealt))], [*range(1, len(dealt)), 0]):
        element = [*range(first[-1])]
        for block, after in zip(dealt, turn, strict=True):
            for cell, target in zip(block, dealt[after], strict=True):
                size = domains[cell].size
                element[start[cell] : start[cell] + size] = range(start[target], start[target] + size)
        generators.append(tuple(element))
    values = tuple(v for cell in positions for v in domains[cell].values())
    return Action(tuple(positions), tuple(first), values, with_order(PermGroup(first[-1], tuple(generators))))


def _still(model: Model) -> Model:
    """A model with the same cells, packed in the same way, in which nothing happens."""
    variables = [
        replace(v, initial=(() if v.is_sequence else v.domain.low,) * v.elements, initial_spans=())
        for v in model.variables
    ]
    return Model(model.name, (), (), tuple(variables), ())


def _nearly_sorted(sorter: Probe, states: Sequence[State], dealt: Sequence[Sequence[int]]) -> Iterator[State]:
    """The same states, sorted, then with one block as it is in another state."""
    random = Random(len(states))
    for state in states:
        found = sorter.represent(state)
        assert found is not None
        after, other = list(found[0]), random.choice(states)
        for cell in random.choice(dealt):
            after[cell] = other[cell]
        yield tuple(after)
