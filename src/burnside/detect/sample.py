"""Hashes of what can happen in many states at once: the basis of validation.

A state's *signature* is a hash of the multiset of its outcomes (event, next state). Literals have random
weights and a state weighs as much as its literals, so renaming literals is renaming weights.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias, final

import numpy as np
import numpy.typing as npt

from burnside.detect.arrays import Evaluation, Numbers
from burnside.detect.constrain import Constraints, GroundTransition
from burnside.detect.pieces import CutTransition
from burnside.detect.terms import Term

Hashes: TypeAlias = npt.NDArray[np.uint64]

_MULTIPLIERS = (np.uint64(0xD6E8FEB86659FD93), np.uint64(0x9E3779B97F4A7C15))


def mix(hashes: Hashes) -> Hashes:
    """Spread bits, so that sums of hashes do not collide by structure."""
    for multiplier in _MULTIPLIERS:
        hashes = (hashes ^ (hashes >> np.uint64(32))) * multiplier
    return hashes ^ (hashes >> np.uint64(29))


@final
class Weights:
    """A random number per cell and value; values of one cell are consecutive."""

    def __init__(self, constraints: Constraints, generator: np.random.Generator) -> None:
        self._lows = [c.domain.low for c in constraints.cells.all]
        sizes = [c.domain.size for c in constraints.cells.all]
        # Cells with very many values have an affine weight instead of a table.
        self._tables = [generator.integers(1, 1 << 63, size=min(s, 4096), dtype=np.uint64) for s in sizes]
        self._is_table = [s <= 4096 for s in sizes]

    def of(self, cell: int, values: Numbers) -> Hashes:
        """The weights of values of a cell; values outside its domain have some weight, too."""
        offsets = values - self._lows[cell]
        table = self._tables[cell]
        if self._is_table[cell]:
            return table[np.clip(offsets, 0, len(table) - 1)]
        return mix(offsets.astype(np.uint64) * np.uint64(2) + table[0])

    def of_states(self, states: Numbers) -> Hashes:
        """The weights of whole states."""
        total = np.zeros(len(states), dtype=np.uint64)
        for cell in range(states.shape[1]):
            total += self.of(cell, states[:, cell])
        return total


def image_signatures(
    constraints: Constraints, states: Numbers, rename: Renaming | None, weights: Weights, events: dict[str, np.uint64]
) -> Hashes:
    """The signature of every state, its successors renamed if a renaming is given.

    Outcomes count as a set: two rules with the same event and the same effect are one transition.
    """
    evaluation = Evaluation({cell: states[:, cell] for cell in range(states.shape[1])})
    renamed = _Renamed(weights, rename)
    base = renamed.of_states(states)
    owners: list[npt.NDArray[np.intp]] = []
    outcomes: list[Hashes] = []
    for transition in constraints.transitions:
        enabled = np.nonzero(np.broadcast_to(evaluation.truth(transition.guard), (len(states),)))[0]
        if len(enabled):
            owners.append(enabled)
            outcomes.append(_outcomes(transition, evaluation, states, enabled, renamed, base, events))
    total = np.zeros(len(states), dtype=np.uint64)
    if owners:
        owner, outcome = np.concatenate(owners), np.concatenate(outcomes)
        _, first = np.unique(mix(outcome + owner.astype(np.uint64) * _MULTIPLIERS[1]), return_index=True)
        np.add.at(total, owner[first], outcome[first])
    return total


def _outcomes(
    transition: GroundTransition,
    evaluation: Evaluation,
    states: Numbers,
    enabled: npt.NDArray[np.intp],
    renamed: _Renamed,
    base: Hashes,
    events: dict[str, np.uint64],
) -> Hashes:
    """A hash per state in which the transition is enabled: of its event and the state it leads to."""
    after = base[enabled]
    if transition.faults:
        return mix(after + events[f"fault {transition.event}"])
    for cell, term in transition.updates:
        new = np.broadcast_to(evaluation.value(term), (len(states),))[enabled]
        after = after - renamed.of(cell, states[enabled, cell]) + renamed.of(cell, new)
    return mix(after + events[transition.event])


@final
class Renaming:
    """A permutation of literals as arrays: cell and value of the image of every literal."""

    def __init__(self, cells: Sequence[int], values: Sequence[Numbers], lows: Sequence[int]) -> None:
        self.cells = cells
        self._values = values
        self._lows = lows

    def value(self, cell: int, values: Numbers) -> Numbers:
        """The images of values of a cell."""
        table = self._values[cell]
        if len(table) == 0:  # a large cell: its values stay as they are
            return values
        return table[np.clip(values - self._lows[cell], 0, len(table) - 1)]

    def apply(self, states: Numbers) -> Numbers:
        """The images of states."""
        images = np.empty_like(states)
        for cell, target in enumerate(self.cells):
            images[:, target] = self.value(cell, states[:, cell])
        return images


@final
class _Renamed:
    """Weights of the images of literals."""

    def __init__(self, weights: Weights, rename: Renaming | None) -> None:
        self._weights = weights
        self._rename = rename

    def of(self, cell: int, values: Numbers) -> Hashes:
        if self._rename is None:
            return self._weights.of(cell, values)
        return self._weights.of(self._rename.cells[cell], self._rename.value(cell, values))

    def of_states(self, states: Numbers) -> Hashes:
        total = np.zeros(len(states), dtype=np.uint64)
        for cell in range(states.shape[1]):
            total += self.of(cell, states[:, cell])
        return total


# ---------------------------------------------------------------- states to test


def sample_states(
    constraints: Constraints,
    values: Sequence[Numbers],
    cuts: Sequence[CutTransition],
    generator: np.random.Generator,
    count: int,
) -> Numbers:
    """Random states over the values that can occur: some at will, some that the small guards of a transition
    allow (of every transition, or of as many as ``count`` admits), some initial."""
    chosen = [cuts[k] for k in generator.permutation(len(cuts))[:count].tolist()]
    states = np.stack([v[generator.integers(0, len(v), size=count + len(chosen))] for v in values], axis=1)
    for k, transition in enumerate(chosen):
        for relation in transition.relations:
            row = relation.rows[generator.integers(0, len(relation.rows))]
            for column, value in zip(relation.columns, row.tolist(), strict=True):
                if not column.is_next:
                    states[count + k, column.cell] = value
    return np.concatenate([states, _initial_states(constraints, generator, max(4, count // 4))])


def _initial_states(constraints: Constraints, generator: np.random.Generator, count: int) -> Numbers:
    arrays = [np.asarray(v, dtype=np.int64) for v in constraints.initial_values]
    return np.stack([a[generator.integers(0, len(a), size=count)] for a in arrays], axis=1)


def condition_vector(states: Numbers, term: Term) -> npt.NDArray[np.bool_]:
    """Where a condition holds among some states."""
    evaluation = Evaluation({cell: states[:, cell] for cell in range(states.shape[1])})
    return np.broadcast_to(evaluation.truth(term), (len(states),))
