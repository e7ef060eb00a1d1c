"""Relations between steps: which do each other no harm, and which may make a condition true.

Two steps *accord* if, wherever both can be taken, each can still be taken after the other, and both orders lead to the
same state. That is so if neither writes what the other reads or writes; else both orders are evaluated on all values
that the cells involved can have. What takes too long to find out is taken not to be so, which costs reduction and
nothing else.

Most questions are one question about other cells. So they are asked once for every *shape*: terms with their cells
numbered in the order in which they turn up, and the values that these can have.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, TypeAlias, final

import numpy as np

from burnside.detect.arrays import Evaluation, Numbers
from burnside.detect.terms import Term, Terms, bits
from burnside.groups.work import OutOfWork, Work
from burnside.reduce.partial_order.actions import Conditions, Step

_MOST_ASSIGNMENTS: Final = 200_000  # on which one question is decided
_ASKING: Final = 2_000  # what a question costs beside its assignments

_Shape: TypeAlias = tuple[object, ...]
_Cells: TypeAlias = Mapping[int, Numbers]
_Answer: TypeAlias = Callable[[_Cells], bool]


@final
class Relations:
    """What is known about pairs of steps, and of steps and conditions."""

    def __init__(self, terms: Terms, steps: Sequence[Step], values: Sequence[Numbers | None], work: Work) -> None:
        self._terms = terms
        self._steps = steps
        self._values = values
        self._work = work
        self._known: dict[_Shape, bool] = {}
        self._enabling: dict[int, int] = {}
        self.undecided = 0  # questions that were too large

    def harming(self) -> list[int]:
        """By step: those that it does not accord with, as a bit mask; itself among them."""
        masks = [1 << k for k in range(len(self._steps))]
        for i, one in enumerate(self._steps):
            for j, other in enumerate(self._steps[:i]):
                if not self.accord(one, other):
                    masks[i] |= 1 << j
                    masks[j] |= 1 << i
        return masks

    def accord(self, one: Step, other: Step) -> bool:
        """Whether two steps can be taken in any order wherever both can be taken."""
        if not (one.writes & (other.reads | other.writes) or other.writes & one.reads):
            return True
        together = (one.transition.guard, other.transition.guard)
        if self._terms.conjunction(together) is self._terms.false:
            return True
        asked = (*together, *_written(one), *_written(other))
        targets = [cell for step in (one, other) for cell, _ in step.transition.updates]
        return self._decided(
            "accord", asked, targets, (*one.guards, *other.guards), lambda cells: _accord(one, other, cells), False
        )

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
        cells = self._assignments(1 << cell | update.support, step.guards)
        if cells is None:
            return None
        before, after = np.broadcast_arrays(cells[cell], Evaluation(cells).value(update))
        return frozenset(zip(before.ravel().tolist(), after.ravel().tolist(), strict=True))

    def _may_enable(self, step: Step, condition: Term) -> bool:
        if not step.writes & condition.support:
            return False
        asked = (condition, step.transition.guard, *_written(step))
        targets = [cell for cell, _ in step.transition.updates]
        return self._decided(
            "enable", asked, targets, step.guards, lambda cells: _enables(step, condition, cells), True
        )

    def _decided(
        self,
        question: str,
        asked: Sequence[Term],
        targets: Sequence[int],
        guards: Conditions,
        answer: _Answer,
        otherwise: bool,
    ) -> bool:
        """The answer to a question about terms and the cells that they are written to, by its shape."""
        support = sum(1 << c for c in set(targets))
        for term in asked:
            support |= term.support
        shape = self._shape(question, asked, targets)
        if shape not in self._known:
            cells = self._assignments(support, guards)
            self.undecided += cells is None
            self._known[shape] = otherwise if cells is None else answer(cells)
        return self._known[shape]

    def _shape(self, question: str, asked: Iterable[Term], targets: Iterable[int]) -> _Shape:
        """What a question depends on."""
        numbers: dict[int, int] = {}
        nodes: dict[int, int] = {}
        text: list[object] = [question]
        for term in asked:
            text.append(_numbered(term, numbers, nodes, text))
        text += [numbers.setdefault(cell, len(numbers)) for cell in targets]
        for cell in numbers:
            values = self._values[cell]
            text.append(cell if values is None else values.tobytes())
        return tuple(text)

    def _assignments(self, support: int, guards: Conditions) -> _Cells | None:
        """All values of some cells that guards about one of them allow, an axis for each; None if they are too many."""
        columns = {}
        size = 1
        for cell in bits(support):
            values = self._values[cell]
            if values is None:
                return None
            for guard in guards:
                if guard.support == 1 << cell:
                    holds = Evaluation({cell: values}).truth(guard)
                    values = values[np.broadcast_to(holds, values.shape)]
            columns[cell] = values
            size *= len(values)
            if size > _MOST_ASSIGNMENTS:
                return None
        try:
            self._work.spend(_ASKING + size)
        except OutOfWork:
            return None
        count = len(columns)
        axes = ([-1 if k == axis else 1 for k in range(count)] for axis in range(count))
        return {cell: values.reshape(axis) for (cell, values), axis in zip(columns.items(), axes, strict=True)}


def _written(step: Step) -> Iterable[Term]:
    return (term for _, term in step.transition.updates)


def _accord(one: Step, other: Step, cells: _Cells) -> bool:
    """Both orders, where both steps can be taken."""
    here = Evaluation(cells)
    both = here.truth(one.transition.guard) & here.truth(other.transition.guard)
    if not both.any():
        return True
    after_one, after_other = _after(one, here, cells), _after(other, here, cells)
    there, elsewhere = Evaluation(after_one), Evaluation(after_other)
    still = there.truth(other.transition.guard) & elsewhere.truth(one.transition.guard)
    if (both & ~still).any():
        return False
    one_first, other_first = _after(other, there, after_one), _after(one, elsewhere, after_other)
    written = bits(one.writes | other.writes)
    return not any((both & (one_first[cell] != other_first[cell])).any() for cell in written)


def _enables(step: Step, condition: Term, cells: _Cells) -> bool:
    """Whether a condition can be false before a step and true after it."""
    here = Evaluation(cells)
    possible = here.truth(step.transition.guard) & ~here.truth(condition)
    return bool((possible & Evaluation(_after(step, here, cells)).truth(condition)).any())


def _after(step: Step, here: Evaluation, cells: _Cells) -> _Cells:
    return {**cells, **{cell: here.value(term) for cell, term in step.transition.updates}}


def _numbered(term: Term, cells: dict[int, int], nodes: dict[int, int], text: list[object]) -> int:
    """Write a term down, each of its parts once, with numbers for cells; its own number."""
    if term.number not in nodes:
        args = tuple([_numbered(argument, cells, nodes, text) for argument in term.args])
        value = cells.setdefault(term.value, len(cells)) if term.operator == "cell" else term.value
        nodes[term.number] = len(nodes)
        text.append((term.operator, value, term.coefficients, args))
    return nodes[term.number]
