"""Sampled states, and what can happen in them: the basis of validation.

States are kept by columns: for every cell, where it has which value. A renaming then takes a few steps for each cell,
however many states there are. What can happen is a set of changes, each with the states in which it is possible.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from random import Random
from typing import Final, TypeAlias, final

from burnside.detect.constrain import Constraints, GroundTransition
from burnside.detect.masks import ByValue, Evaluation, Mask, by_value, column_of, places
from burnside.detect.pieces import CutTransition
from burnside.ir.cells import State
from burnside.values import dataclass

Change: TypeAlias = frozenset[tuple[int, int]]  # cells whose value becomes another one, and which
Outcomes: TypeAlias = dict[tuple[str, bool, Change], Mask]  # event, whether it is a fault, change: in which states

_MANY_CHANGES: Final = 32  # of one transition


@final
@dataclass(frozen=True)
class States:
    """Many states: for every cell, where it has which value."""

    columns: Sequence[ByValue]
    many: int

    @cached_property
    def evaluation(self) -> Evaluation:
        """Terms evaluated on these states."""
        return Evaluation(dict(enumerate(self.columns)), self.many)


def states_of(rows: Sequence[State]) -> States:
    """States, given one by one; there is at least one."""
    return States([*map(by_value, zip(*rows, strict=True))], len(rows))


@final
class Renaming:
    """A permutation of literals: where each cell goes, and what those of its values become that are renamed."""

    def __init__(self, cells: Sequence[int], values: Mapping[int, Mapping[int, int]]) -> None:
        self.cells = cells
        self._values = values

    def moves(self, cell: int) -> bool:
        """Whether a cell goes to another one, or its values are renamed."""
        return self.cells[cell] != cell or cell in self._values

    def value(self, cell: int, value: int) -> int:
        """What a value of a cell becomes."""
        images = self._values.get(cell)
        return value if images is None else images.get(value, value)

    def change(self, change: Change) -> Change:
        """The image of a change."""
        return frozenset([(self.cells[cell], self.value(cell, value)) for cell, value in change])


def images_of(states: States, renamings: Sequence[Renaming]) -> States:
    """The images of states under one renaming after the other, all in one: evaluating a term on many states takes
    hardly longer than on few.
    """
    columns: list[ByValue] = [{} for _ in states.columns]
    for k, renaming in enumerate(renamings):
        for cell, column in enumerate(states.columns):
            target = columns[renaming.cells[cell]]
            for value, mask in column.items():
                image = renaming.value(cell, value)
                target[image] = target.get(image, 0) | mask << k * states.many
    return States(columns, states.many * len(renamings))


def outcomes(constraints: Constraints, states: States) -> Outcomes:
    """Everything that can happen in some states. Rules with the same event and effect are one transition."""
    found: Outcomes = {}
    for transition in constraints.transitions:
        for change, mask in _changes(transition, states):
            key = (transition.event, transition.faults, change)
            found[key] = found.get(key, 0) | mask
    return found


def _changes(transition: GroundTransition, states: States) -> Iterable[tuple[Change, Mask]]:
    """What a transition changes, and where; a cell that keeps its value is not changed."""
    enabled = states.evaluation.truth(transition.guard)
    parts: list[tuple[tuple[tuple[int, int], ...], Mask]] = [((), enabled)] if enabled else []
    for cell, term in transition.updates if enabled else ():
        before, after = states.columns[cell], states.evaluation.value(term)
        kept = 0
        for value, mask in after.items():
            kept |= mask & before.get(value, 0)
        split = [(change, mask & kept) for change, mask in parts if mask & kept]
        for change, mask in parts:
            moved = mask & ~kept
            if moved:
                split += [((*change, (cell, v)), moved & m) for v, m in after.items() if moved & m]
        if len(split) > _MANY_CHANGES:
            return _changes_one_by_one(transition, states, enabled)
        parts = split
    return ((frozenset(change), mask) for change, mask in parts)


def _changes_one_by_one(transition: GroundTransition, states: States, enabled: Mask) -> Iterable[tuple[Change, Mask]]:
    """The same, state by state: quicker where hardly two states are changed alike."""
    columns = [
        (cell, column_of(states.columns[cell], states.many), column_of(states.evaluation.value(term), states.many))
        for cell, term in transition.updates
    ]
    found: dict[Change, Mask] = {}
    for place in places(enabled):
        change = frozenset([(cell, new[place]) for cell, old, new in columns if new[place] != old[place]])
        found[change] = found.get(change, 0) | 1 << place
    return found.items()


def renamed(found: Outcomes, renamings: Sequence[Renaming], many: int) -> Outcomes:
    """What can happen in the images of ``many`` states if renamings are symmetries."""
    expected: Outcomes = {}
    for k, renaming in enumerate(renamings):
        for (event, faults, change), mask in found.items():
            key = (event, faults, renaming.change(change))
            expected[key] = expected.get(key, 0) | mask << k * many
    return expected


def differing(one: Outcomes, other: Outcomes) -> Mask:
    """The states in which not the same can happen."""
    mask = 0
    for key in one.keys() | other.keys():
        mask |= one.get(key, 0) ^ other.get(key, 0)
    return mask


# ---------------------------------------------------------------- states to test


def sample_states(
    constraints: Constraints,
    values: Sequence[Sequence[int]],
    cuts: Sequence[CutTransition],
    random: Random,
    count: int,
) -> list[State]:
    """Random states over the values that can occur.

    Some at will, some that the small guards of a transition allow (of every transition, or of as many as
    ``count`` admits), some initial.
    """
    chosen = random.sample(cuts, min(count, len(cuts)))
    states = [*map(list, zip(*(_drawn(random, v, count + len(chosen)) for v in values), strict=True))]
    for state, transition in zip(states[count:], chosen, strict=True):
        for relation in transition.relations:
            row = random.choice(relation.rows)
            for column, value in zip(relation.columns, row, strict=True):
                if not column.is_next:
                    state[column.cell] = value
    initial = _initial_states(constraints, random, max(64, count // 2))
    return [*dict.fromkeys([*map(tuple, states), *initial])]


def _initial_states(constraints: Constraints, random: Random, count: int) -> list[State]:
    """States with initial values; those that satisfy the conditions first, if any of many tries does."""
    if constraints.starts:
        return random.sample(constraints.starts, min(count, len(constraints.starts)))
    tries = 16 * count if constraints.initial_conditions else count
    rows = [*zip(*(_drawn(random, values, tries) for values in constraints.initial_values), strict=True)]
    if not constraints.initial_conditions:
        return rows
    together = constraints.terms.conjunction(constraints.initial_conditions)
    holds = places(states_of(rows).evaluation.truth(together))
    others = sorted({*range(tries)}.difference(holds))
    return [rows[k] for k in (*holds, *others)[:count]]


def _drawn(random: Random, values: Sequence[int], count: int) -> Sequence[int]:
    """Some of the values, at random."""
    return [values[0]] * count if len(values) == 1 else random.choices(values, k=count)
