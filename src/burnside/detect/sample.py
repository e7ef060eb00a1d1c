"""What can happen in many states at once, and hashes of it: the basis of validation.

A state's *signature* is a hash of the set of its outcomes (event, next state). A state weighs as much as its
literals do, and a literal's weight is a hash of its cell and value, so the signature under a renaming needs
no new evaluation: only other weights.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from random import Random
from typing import TypeAlias, TypeVar, final

import numpy as np
import numpy.typing as npt

from burnside.detect.arrays import Evaluation, Numbers
from burnside.detect.constrain import Constraints
from burnside.detect.pieces import CutTransition
from burnside.detect.terms import Term
from burnside.values import dataclass

Hashes: TypeAlias = npt.NDArray[np.uint64]

_MULTIPLIERS = (np.uint64(0xD6E8FEB86659FD93), np.uint64(0x9E3779B97F4A7C15))


def mix(hashes: Hashes) -> Hashes:
    """Spread bits, so that sums of hashes do not collide by structure."""
    for multiplier in _MULTIPLIERS:
        hashes = (hashes ^ (hashes >> np.uint64(32))) * multiplier
    return hashes ^ (hashes >> np.uint64(29))


def weight(cells: Numbers, values: Numbers, salt: int = 0) -> Hashes:
    """The weight of literals."""
    return mix(mix(cells.astype(np.uint64) + np.uint64(salt)) + values.astype(np.uint64))


@final
class Renaming:
    """A permutation of literals: where each cell goes, and what its values become (nothing for large cells)."""

    def __init__(self, cells: Sequence[int], values: Sequence[Numbers], lows: Sequence[int]) -> None:
        self.cells = np.asarray(cells, dtype=np.int64)
        self._is_small = np.asarray([len(v) > 0 for v in values])
        self._lows = np.asarray(lows, dtype=np.int64)
        self._last = np.asarray([max(0, len(v) - 1) for v in values], dtype=np.int64)
        sizes = [len(v) for v in values]
        self._offsets = np.concatenate([[0], np.cumsum(sizes)[:-1]]).astype(np.int64)
        self._images = np.concatenate([*values, np.zeros(1, dtype=np.int64)])

    def values(self, cells: Numbers, values: Numbers) -> Numbers:
        """The images of values, each of its own cell. Values outside a domain occur only in faults."""
        offsets = np.clip(values - self._lows[cells], 0, self._last[cells])
        small = self._is_small[cells]
        images = self._images[np.where(small, self._offsets[cells] + offsets, 0)]
        return np.where(small, images, values)

    def apply(self, states: Numbers) -> Numbers:
        """The images of states."""
        images = np.empty_like(states)
        all_cells = np.broadcast_to(np.arange(states.shape[1]), states.shape)
        images[:, self.cells] = self.values(all_cells, states)
        return images


@final
@dataclass(frozen=True)
class Outcomes:
    """Everything that can happen in some states, as flat arrays.

    Outcome ``k`` happens in state ``owner[k]`` with event ``event[k]``; change ``j`` of outcome ``changed[j]`` takes
    ``cell[j]`` from ``old[j]`` to ``new[j]``.
    """

    states: Numbers
    owner: Numbers
    event: Numbers
    changed: Numbers
    cell: Numbers
    old: Numbers
    new: Numbers

    def signatures(self, rename: Renaming | None) -> Hashes:
        """The signature of every state, all of it renamed if a renaming is given."""
        base, outcome = self._hashes(rename)
        total = np.zeros(len(self.states), dtype=np.uint64)
        np.add.at(total, self.owner[self._distinct], outcome[self._distinct])
        return mix(total + base)

    def _hashes(self, rename: Renaming | None) -> tuple[Hashes, Hashes]:
        """Of states and of outcomes."""
        every = np.broadcast_to(np.arange(self.states.shape[1]), self.states.shape)
        base = _weights(every, self.states, rename).sum(axis=1, dtype=np.uint64)
        after = base[self.owner]
        difference = _weights(self.cell, self.new, rename) - _weights(self.cell, self.old, rename)
        np.add.at(after, self.changed, difference)
        return base, mix(after + weight(self.event, np.zeros_like(self.event), salt=1 << 40))

    @cached_property
    def _distinct(self) -> Numbers:
        """One outcome of all that are equal, whatever they are renamed to.

        They are sets, not multisets: two rules with the same event and the same effect are one transition.
        """
        _, outcome = self._hashes(None)
        return np.unique(mix(outcome + self.owner.astype(np.uint64) * _MULTIPLIERS[1]), return_index=True)[1]


def _weights(cells: Numbers, values: Numbers, rename: Renaming | None) -> Hashes:
    if rename is None:
        return weight(cells, values)
    return weight(rename.cells[cells], rename.values(cells, values))


def outcomes(constraints: Constraints, states: Numbers, events: dict[tuple[str, bool], int]) -> Outcomes:
    """Evaluate every ground transition in every state."""
    evaluation, many = evaluation_on(states), len(states)
    columns = np.ascontiguousarray(states.T)
    owner: list[Numbers] = []
    event: list[int] = []
    changed: list[Numbers] = []
    cells: list[int] = []
    old: list[Numbers] = []
    new: list[Numbers] = []
    count = 0
    for transition in constraints.transitions:
        enabled = spread(evaluation.truth(transition.guard), many).nonzero()[0]
        if len(enabled) == 0:
            continue
        owner.append(enabled)
        event.append(events[transition.event, transition.faults])
        numbers = np.arange(count, count + len(enabled))
        count += len(enabled)
        for cell, term in transition.updates:
            changed.append(numbers)
            cells.append(cell)
            old.append(columns[cell][enabled])
            new.append(spread(evaluation.value(term), many)[enabled])
    return Outcomes(
        states,
        _joined(owner),
        np.repeat(np.asarray(event, dtype=np.int64), [*map(len, owner)]),
        _joined(changed),
        np.repeat(np.asarray(cells, dtype=np.int64), [*map(len, changed)]),
        _joined(old),
        _joined(new),
    )


def _joined(arrays: Sequence[Numbers]) -> Numbers:
    return np.concatenate(arrays) if arrays else np.zeros(0, dtype=np.int64)


_Any = TypeVar("_Any", bound=np.generic)


def spread(found: npt.NDArray[_Any], many: int) -> npt.NDArray[_Any]:
    """What was found for some states, one entry for each also if it is the same for all."""
    return found if found.ndim else np.broadcast_to(found, (many,))


def evaluation_on(states: Numbers) -> Evaluation:
    """Terms evaluated on the rows of a matrix of states."""
    return Evaluation(dict(enumerate(np.ascontiguousarray(states.T))))  # a cell at a time is read, not a state


def condition_vector(states: Numbers, term: Term) -> npt.NDArray[np.bool_]:
    """Where a condition holds among some states."""
    return spread(evaluation_on(states).truth(term), len(states))


# ---------------------------------------------------------------- states to test


def sample_states(
    constraints: Constraints,
    values: Sequence[Numbers],
    cuts: Sequence[CutTransition],
    random: Random,
    count: int,
) -> Numbers:
    """Random states over the values that can occur.

    Some at will, some that the small guards of a transition allow (of every transition, or of as many as
    ``count`` admits), some initial.
    """
    chosen = random.sample(cuts, min(count, len(cuts)))
    states = np.stack([v[_drawn(random, len(v), count + len(chosen))] for v in values], axis=1)
    for k, transition in enumerate(chosen):
        for relation in transition.relations:
            row = random.choice(relation.rows)
            for column, value in zip(relation.columns, row.tolist(), strict=True):
                if not column.is_next:
                    states[count + k, column.cell] = value
    initial = _initial_states(constraints, random, max(64, count // 2))
    every = np.concatenate([states, initial])
    return every[np.sort(np.unique(every, axis=0, return_index=True)[1])]


def _initial_states(constraints: Constraints, random: Random, count: int) -> Numbers:
    """States with initial values; those that satisfy the conditions first, if any of many tries does."""
    columns = []
    for values in constraints.initial_values:
        picked = _drawn(random, len(values), 16 * count)
        columns.append(values[0] + picked if isinstance(values, range) else np.asarray(values)[picked])
    states = np.stack(columns, axis=1)
    together = constraints.terms.conjunction(constraints.initial_conditions)
    holds = condition_vector(states, together)
    return np.concatenate([states[holds], states[~holds]])[:count]


def _drawn(random: Random, bound: int, count: int) -> Numbers:
    """Random numbers below a bound; ``numpy.random`` would take longer to load than most models to be sampled."""
    if bound == 1:
        return np.zeros(count, dtype=np.int64)
    return (np.frombuffer(random.randbytes(8 * count), dtype=np.uint64) % np.uint64(bound)).astype(np.int64)
