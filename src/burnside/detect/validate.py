"""Validation: no generator is used before it has been tested against the model itself.

Independent of the graph: the generator is applied to states, and everything that can happen in a state
must happen in its image, renamed. Tested on thousands of states through the constraints (every transition
is enabled in some of them), and on some states through ``ir/semantics.py``. The initial states and the
requirements must be fixed as sets. Only this module makes `Symmetry` values.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import final

import numpy as np

from burnside.detect.arrays import Numbers
from burnside.detect.constrain import Constraints
from burnside.detect.lift import Literals, Perm
from burnside.detect.prune import Pruned
from burnside.detect.sample import Renaming, Weights, condition_vector, image_signatures, sample_states
from burnside.ir.cells import State
from burnside.ir.semantics import Fault, Step, initial, successors

_MOST_SAMPLES = 512
_SAMPLING_WORK = 400_000  # pairs of a state and a transition per generator
_SEED = 20130911
_REFERENCE_WORK = 4_000  # rule instances evaluated by the reference semantics per generator


@final
@dataclass(frozen=True)
class Symmetry:
    """A validated group of permutations of literals."""

    literals: Literals
    generators: tuple[Perm, ...]
    order: int
    _token: object = field(repr=False, compare=False, default=None)

    def __post_init__(self) -> None:
        if self._token is not _VALIDATED:
            raise TypeError("symmetries come from detect.validate only")


_VALIDATED = object()


@final
@dataclass(frozen=True)
class Rejected:
    """A generator that failed, and which test it failed: a bug in Burnside."""

    generator: Perm
    reason: str


def validate(
    constraints: Constraints, pruned: Pruned, literals: Literals, generators: Sequence[Perm], order: int
) -> tuple[Symmetry, tuple[Rejected, ...]]:
    """The group of the generators that pass all tests; its order is recomputed if any fails."""
    tests = _Tests(constraints, pruned, literals)
    rejected = tuple(Rejected(g, reason) for g in generators if (reason := tests.failure(g)))
    bad = {r.generator for r in rejected}
    kept = tuple(g for g in generators if g not in bad)
    if rejected:
        order = _order(kept, len(literals.points))
    return Symmetry(literals, kept, order, _VALIDATED), rejected


def _order(generators: Sequence[Perm], degree: int) -> int:
    from burnside.groups.chain import order_of

    return order_of(degree, generators)


@final
class _Tests:
    def __init__(self, constraints: Constraints, pruned: Pruned, literals: Literals) -> None:
        self._constraints = constraints
        self._literals = literals
        self._values = [self._values_of(cell, pruned) for cell in range(len(constraints.cells.all))]
        generator = np.random.default_rng(_SEED)
        count = max(24, min(_MOST_SAMPLES, _SAMPLING_WORK // (2 * max(1, len(constraints.transitions)))))
        self._states = sample_states(constraints, self._values, pruned.transitions, generator, count)
        self._weights = Weights(constraints, generator)
        names = sorted({t.event for t in constraints.transitions})
        keys = [*names, *(f"fault {n}" for n in names)]
        numbers = generator.integers(1, 1 << 63, size=len(keys), dtype=np.uint64)
        self._events = dict(zip(keys, numbers, strict=True))
        self._reference_states = list(islice(self._walk(generator), self._reference_count()))

    def _values_of(self, cell: int, pruned: Pruned) -> Numbers:
        if cell in pruned.values.arrays:
            return pruned.values.arrays[cell]
        if cell in pruned.fixed_values:
            return pruned.fixed_values[cell]
        domain = self._constraints.cells.all[cell].domain
        return np.asarray([domain.low, domain.high, *self._constraints.initial_values[cell][:1]], dtype=np.int64)

    def failure(self, perm: Perm) -> str:
        """Why a generator is no symmetry, or an empty string."""
        rename = self._renaming(perm)
        if rename is None:
            return "it does not map the literals of a cell to those of a cell"
        images = rename.apply(self._states)
        here = image_signatures(self._constraints, self._states, rename, self._weights, self._events)
        there = image_signatures(self._constraints, images, None, self._weights, self._events)
        if not (here == there).all():
            return "it does not map transitions to transitions"
        if not self._initial_fixed(images, rename):
            return "it does not fix the initial states"
        if not self._requirements_fixed(images):
            return "it does not fix the properties"
        return "" if self._agrees_with_reference(perm) else "the reference semantics disagrees"

    def _renaming(self, perm: Perm) -> Renaming | None:
        """The permutation as maps of cells and values, if it has that form."""
        literals = self._literals
        places = self._constraints.cells.all
        cells = list(range(len(places)))
        values = [np.arange(c.domain.low, c.domain.high + 1) if c.domain.size <= 4096 else _NOTHING for c in places]
        for cell, points in literals.of_cell.items():
            images = [literals.points[perm[p]] for p in points]
            targets = {target for target, _ in images}
            if len(targets) != 1:
                return None
            cells[cell] = targets.pop()
            if literals.points[points[0]][1] is None:
                continue
            values[cell] = values[cell].copy()
            for point, (_, value) in zip(points, images, strict=True):
                old = literals.points[point][1]
                if old is None or value is None:
                    return None
                values[cell][old - places[cell].domain.low] = value
        if sorted(cells) != list(range(len(places))):
            return None
        return Renaming(cells, values, [c.domain.low for c in places])

    def _initial_fixed(self, images: Numbers, rename: Renaming) -> bool:
        constraints = self._constraints
        for cell, target in enumerate(rename.cells):
            kept = np.asarray(constraints.initial_values[cell], dtype=np.int64)
            if set(rename.value(cell, kept).tolist()) != set(constraints.initial_values[target]):
                return False
        together = constraints.terms.conjunction(constraints.initial_conditions)
        return bool((condition_vector(self._states, together) == condition_vector(images, together)).all())

    def _requirements_fixed(self, images: Numbers) -> bool:
        """Members of a family may be exchanged: their truth values are compared as multisets of vectors."""

        def vectors(states: Numbers) -> Counter[tuple[str, bytes]]:
            found = ((r.family, condition_vector(states, r.condition)) for r in self._constraints.requirements)
            return Counter((family, vector.tobytes()) for family, vector in found)

        return vectors(self._states) == vectors(images)

    # ------------------------------------------------------------ reference semantics

    def _reference_count(self) -> int:
        instances = sum(1 for t in self._constraints.transitions if not t.faults)
        return max(2, min(40, _REFERENCE_WORK // max(1, instances)))

    def _walk(self, generator: np.random.Generator) -> Iterator[State]:
        """States met on random walks from initial states."""
        model = self._constraints.cells.model
        starts = list(islice(initial(model), 16))
        while starts:
            state = starts[int(generator.integers(0, len(starts)))]
            for _ in range(12):
                yield state
                steps = [o for o in successors(model, state) if isinstance(o, Step)]
                if not steps:
                    break
                state = steps[int(generator.integers(0, len(steps)))].state

    def _agrees_with_reference(self, perm: Perm) -> bool:
        return all(self._commutes(perm, state) for state in self._reference_states)

    def _commutes(self, perm: Perm, state: State) -> bool:
        model, literals = self._constraints.cells.model, self._literals
        expected: Counter[tuple[str, State | None]] = Counter()
        for outcome in successors(model, state):
            after = None if isinstance(outcome, Fault) else literals.apply(perm, outcome.state)
            expected[_event_name(outcome), after] += 1
        found = Counter(
            (_event_name(o), None if isinstance(o, Fault) else o.state)
            for o in successors(model, literals.apply(perm, state))
        )
        # Rule instances may be united (two rules with one effect), so outcomes are compared as sets.
        return set(expected) == set(found)


def _event_name(outcome: Step | Fault) -> str:
    assert outcome.rule is not None
    return outcome.rule.event.name


_NOTHING: Numbers = np.zeros(0, dtype=np.int64)
