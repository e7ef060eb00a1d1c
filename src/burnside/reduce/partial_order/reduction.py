"""Partial-order reduction as a search takes it: in C, as tables, and in words."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import accumulate
from typing import ClassVar, final

from burnside.ctext import c_array, c_mask, indented
from burnside.ir.nodes import Model
from burnside.ir.packing import WORD, Layout
from burnside.reduce.partial_order.self_test import StubbornTest
from burnside.reduce.partial_order.stubborn import Stubborn
from burnside.reduce.partial_order.text import TermText
from burnside.reduce.reduction import Probe, StateTest
from burnside.reduce.tables import Table
from burnside.values import dataclass


@final
@dataclass(frozen=True)
class PartialOrderReduction:
    """Of the steps that can be taken in a state, those of a stubborn set are taken.

    Where something ``may_fault``, a rule or a condition of what is asked, what is decided before depends on distances.
    """

    kind: ClassVar[str] = "partial-order"
    is_exact: ClassVar[bool] = True  # states are stored as they are
    takes_all: ClassVar[bool] = False

    model: Model
    sets: Stubborn
    may_fault: bool = False

    @property
    def keeps_distances(self) -> bool:
        """Whether what is found is found by a shortest run: deadlocks are, goals need not be."""
        return not self.sets.goals

    @property
    def reason(self) -> str:
        """How far steps are independent of one another."""
        steps = len(self.sets.steps)
        return f"{steps} steps, of which each accords with {self._according} others on average"

    @property
    def _according(self) -> int:
        steps = len(self.sets.steps)
        every = (1 << steps) - 1
        harmed = sum((mask & every).bit_count() for mask in self.sets.together)
        return (steps * steps - harmed) // max(1, steps)

    # ------------------------------------------------------------ C

    @property
    def settings(self) -> Mapping[str, object]:
        """What ``runtime/config.h`` lists for partial order: which step leads to a successor is asked all the time."""
        return {"PARTIAL_ORDER": 1, "LABELS": "LABELS_ALWAYS"}

    def code(self, layout: Layout) -> str:
        """What ``runtime/stubborn.h`` asks for."""
        return "\n".join([*self._numbers(), *self._conditions(layout), '#include "stubborn.h"'])

    def _numbers(self) -> Iterator[str]:
        sets = self.sets
        actions, conditions = len(sets.lacking), len(sets.conditions)
        yield f"enum {{ STEPS = {len(sets.steps)}, ACTIONS = {actions}, CONDITIONS = {conditions} }};"
        yield f"enum {{ GOALS = {len(sets.goals)}, AIMING = {int(sets.aiming != sets.together)} }};"
        needed = (sum(1 << condition for condition in lacking) for lacking in sets.lacking)
        yield from self._masks("needs", "ACTIONS", needed, conditions)
        yield c_array("uint32_t", "instance_of", (step.instance for step in sets.steps))
        yield f"enum {{ RANKS = {len(sets.ranks)} }};"
        yield from self._masks("ranked", "RANKS", sets.ranks, actions)
        aims = accumulate((len(goal.aims) for goal in sets.goals), initial=len(sets.steps))
        yield c_array("int", "goal_start", aims)
        yield from _nested("claim_start", "claim_of", [goal.claims for goal in sets.goals])

    def _masks(self, name: str, count: str, masks: Iterable[int], bits: int) -> Iterator[str]:
        """Sets of numbers below ``bits``, each word by word."""
        words = self._words(bits)
        yield f"static const word {name}[{count}][{words}] = {{"
        yield indented([f"{{{', '.join(map(c_mask, _words_of(mask, words)))}}}," for mask in masks], 1)
        yield "};"

    @staticmethod
    def _words(bits: int) -> int:
        return max(1, -(-bits // WORD))

    def _conditions(self, layout: Layout) -> Iterator[str]:
        text = TermText(layout.fields)
        names = [text.name(condition) for condition in self.sets.conditions]
        truths = [f"const word c{k} = {name} != 0;" for k, name in enumerate(names)]
        holding = (f"holding[{k // WORD}] |= c{k} << {k % WORD};" for k in range(len(names)))
        needed = (" & ".join(f"c{k}" for k in self.sets.lacking[step]) or "1" for step in range(len(self.sets.steps)))
        enabled = (f"enabled[{k // WORD}] |= (word)({all_hold}) << {k % WORD};" for k, all_hold in enumerate(needed))
        yield "static inline void evaluate_conditions(const word *s, word *holding, word *enabled) {"
        yield indented(["int nobody = NO_FAULT;", "(void)s, (void)holding, (void)nobody;"], 1)
        yield indented([*text.lines, *truths, *holding, *enabled], 1)
        yield "}"

    @cached_property
    def tables(self) -> tuple[Table, ...]:
        """Sets of actions, word by word."""
        sets = {"together": self.sets.together, "aiming": self.sets.aiming, "enabling": self.sets.enabling}
        return tuple(Table(name, self._rows(rows)) for name, rows in sets.items())

    def _rows(self, sets: Iterable[int]) -> array[int]:
        width = self._words(len(self.sets.lacking))
        return array("Q", (word for mask in sets for word in _words_of(mask, width)))

    # ------------------------------------------------------------ tests

    def self_test(self, probe: Probe) -> StateTest:
        """Sets are tested by what steps do."""
        return StubbornTest(self, probe)


def _words_of(mask: int, words: int) -> Iterator[int]:
    """A set of numbers, word by word."""
    return (mask >> WORD * w & (1 << WORD) - 1 for w in range(words))


def _nested(start: str, entries: str, rows: Sequence[Sequence[int]]) -> Iterator[str]:
    """Rows of different lengths, one behind the other, and where each begins."""
    yield c_array("uint32_t", start, accumulate(map(len, rows), initial=0))
    yield c_array("uint32_t", entries, [*(entry for row in rows for entry in row), 0])
