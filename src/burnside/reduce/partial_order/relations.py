"""Relations between steps: which do each other no harm, and which may make a condition true.

Two steps *accord* if, wherever both can be taken, each can still be taken after the other, and both orders lead to the
same state. That is so if neither writes what the other reads or writes; else it is found out (``questions.py``). What
takes too long to find out is taken not to be so, which costs reduction and nothing else.

Most questions are one question about other cells. So they are asked once for every *shape*: terms with their cells
numbered in the order in which they turn up, and the values that these can have.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import product
from math import prod
from typing import Final, TypeAlias, final

import numpy as np

from burnside.detect.arrays import Evaluation, Numbers
from burnside.detect.terms import Term, Terms, bits
from burnside.groups.work import OutOfWork, Work
from burnside.reduce.partial_order.actions import Conditions, Step
from burnside.reduce.partial_order.questions import (
    Question,
    accord,
    by_cases,
    divides_by_zero,
    enable,
    read_by_conditions,
)

MOST_ASSIGNMENTS: Final = 200_000  # on which one question is decided
_MOST_CASES: Final = 500  # in which it is decided where there are more assignments
_LOOKING: Final = 500  # what it costs to find out which question it is
_ASKING: Final = 2_000  # what a question costs beside its assignments
_AT_ONCE: Final = 64  # terms that are evaluated in the time of an assignment: most are about few of the cells
_TRYING: Final = 20_000  # what a case costs

_Shape: TypeAlias = tuple[object, ...]


@final
class Relations:
    """What is known about pairs of steps, and of steps and conditions."""

    def __init__(self, terms: Terms, steps: Sequence[Step], values: Sequence[Sequence[int] | None], work: Work) -> None:
        self._terms = terms
        self._steps = steps
        self._values = [None if taken is None else np.asarray(taken, dtype=np.int64) for taken in values]
        self._work = work
        self._known: dict[_Shape, bool] = {}
        self._enabling: dict[int, int] = {}
        self._changes: dict[tuple[Conditions, int, Term], frozenset[tuple[int, int]] | None] = {}
        self.undecided = 0  # questions that were too large

    def harming(self, exclude: Callable[[Step, Step], bool] = lambda *_: False) -> list[int]:
        """By step: those that it does not accord with, as a bit mask; itself among them. Steps that ``exclude`` one
        another are never there together.
        """
        masks = [1 << k for k in range(len(self._steps))]
        for i, one in enumerate(self._steps):
            for j, other in enumerate(self._steps[:i]):
                if not self.accord(one, other) and not exclude(one, other):
                    masks[i] |= 1 << j
                    masks[j] |= 1 << i
        return masks

    def accord(self, one: Step, other: Step) -> bool:
        """Whether two steps can be taken in any order wherever both can be taken."""
        if not (one.writes & (other.reads | other.writes) or other.writes & one.reads):
            return True
        if self._terms.conjunction((one.transition.guard, other.transition.guard)) is self._terms.false:
            return True
        return self._decided(accord(self._terms, one, other))

    def enabling(self, condition: Term) -> int:
        """The steps that may make a condition true, as a bit mask."""
        known = self._enabling.get(condition.number)
        if known is None:
            chosen = (k for k, step in enumerate(self._steps) if self._may_enable(step, condition))
            known = self._enabling[condition.number] = sum(1 << k for k in chosen)
        return known

    def disabling(self, conditions: Conditions) -> int:
        """The steps that may make a conjunction false, as a bit mask."""
        mask = 0
        for condition in conditions:
            mask |= self.enabling(self._terms.negation(condition))
        return mask

    def changes(self, step: Step, cell: int) -> frozenset[tuple[int, int]] | None:
        """The values that a cell may have before and after a step that writes it; None if that is not known."""
        update = dict(step.transition.updates)[cell]
        asked = step.guards, cell, update
        if asked not in self._changes:
            self._changes[asked] = self._changed(cell, update, step.guards)
        return self._changes[asked]

    def _changed(self, cell: int, update: Term, guards: Conditions) -> frozenset[tuple[int, int]] | None:
        cells = self._assignments(1 << cell | update.support, guards)
        if cells is None:
            return None
        before, after = np.broadcast_arrays(cells[cell], Evaluation(cells).value(update))
        return frozenset(zip(before.ravel().tolist(), after.ravel().tolist(), strict=True))

    def _may_enable(self, step: Step, condition: Term) -> bool:
        if not step.writes & condition.support:
            return False
        return divides_by_zero(condition) or self._decided(enable(self._terms, step, condition))

    def _decided(self, question: Question) -> bool:
        """The answer to a question, by its shape."""
        try:
            self._work.spend(_LOOKING)
        except OutOfWork:
            self.undecided += 1
            return question.otherwise
        shape = self._shape(question)
        if shape not in self._known:
            answer = self._answer(question, len(shape))
            self.undecided += answer is None
            self._known[shape] = question.otherwise if answer is None else answer
        return self._known[shape]

    def _answer(self, question: Question, size: int) -> bool | None:
        """On values if they are not too many, else by cases; None if these are too many, too. ``size`` is how much
        there is to be evaluated.
        """
        support = sum(1 << cell for cell in set(question.targets))
        for term in question.asked:
            support |= term.support
        cells = self._assignments(support, question.guards, size)
        if cells is not None:
            return question.on_values(cells)
        cases = self._cases(question)
        return None if cases is None else by_cases(question, self._terms, cases)

    def _cases(self, question: Question) -> Iterable[dict[int, Term]] | None:
        """The values of cells that decide what is written; None if they are too many."""
        cells = self._assignments(read_by_conditions(question.written), question.guards)
        if cells is None or prod(map(np.size, cells.values())) > _MOST_CASES:
            return None
        try:
            self._work.spend(_TRYING * prod(map(np.size, cells.values())))
        except OutOfWork:
            return None
        constants = [[*map(self._terms.constant, values.ravel().tolist())] for values in cells.values()]
        return (dict(zip(cells, chosen, strict=True)) for chosen in product(*constants))

    def _shape(self, question: Question) -> _Shape:
        """What a question depends on."""
        numbers: dict[int, int] = {}
        nodes: dict[int, int] = {}
        text: list[object] = [type(question), question.parts]
        for term in question.asked:
            text.append(_numbered(term, numbers, nodes, text))
        text += [numbers.setdefault(cell, len(numbers)) for cell in question.targets]
        for cell in numbers:
            values = self._values[cell]
            text.append(cell if values is None else values.tobytes())
        return tuple(text)

    def allowed(self, cell: int, guards: Conditions) -> Numbers | None:
        """The values that a cell can have where guards that are about it alone hold; None if they are too many."""
        values = self._values[cell]
        for guard in guards if values is not None else ():
            if guard.support == 1 << cell and values is not None:
                holds = Evaluation({cell: values}).truth(guard)
                values = values[np.broadcast_to(holds, values.shape)]
        return values

    def _assignments(self, support: int, guards: Conditions, terms: int = 0) -> dict[int, Numbers] | None:
        """All values of some cells that guards about one of them allow, an axis for each; None if they are too many."""
        columns: dict[int, Numbers] = {}
        for cell in bits(support):
            values = self.allowed(cell, guards)
            if values is None:
                return None
            columns[cell] = values
        if not all(map(len, columns.values())):  # no assignment: nor should there be any of the others alone
            columns = {cell: values[:0] for cell, values in columns.items()}
        size = prod(map(len, columns.values()))
        if size > MOST_ASSIGNMENTS:
            return None
        try:
            self._work.spend(_ASKING + size + size * terms // _AT_ONCE)
        except OutOfWork:
            return None
        count = len(columns)
        axes = ([-1 if k == axis else 1 for k in range(count)] for axis in range(count))
        return {cell: values.reshape(axis) for (cell, values), axis in zip(columns.items(), axes, strict=True)}


def _numbered(term: Term, cells: dict[int, int], nodes: dict[int, int], text: list[object]) -> int:
    """Write a term down, each of its parts once, with numbers for cells; its own number."""
    if term.number not in nodes:
        args = tuple([_numbered(argument, cells, nodes, text) for argument in term.args])
        value = cells.setdefault(term.value, len(cells)) if term.operator == "cell" else term.value
        nodes[term.number] = len(nodes)
        text.append((term.operator, value, term.coefficients, args))
    return nodes[term.number]
