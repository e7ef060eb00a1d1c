"""Relations between steps: which do each other no harm, and which may make a condition true.

Two steps *accord* if, wherever both can be taken, each can still be taken after the other, and both orders lead to the
same state. That is so if neither writes what the other reads or writes; else it is found out (``questions.py``). What
takes too long to find out is taken not to be so, which costs reduction and nothing else.

Most questions are one question about other cells. So they are asked once for every shape (``shapes.py``), and steps
whose shapes are those of another two, and which have cells in common in the same places, are not even looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import product
from math import prod
from typing import Final, TypeAlias, final

from burnside.detect.masks import Evaluation, by_value, places
from burnside.detect.terms import Term, Terms, bits
from burnside.groups.work import OutOfWork, Work
from burnside.reduce.partial_order.actions import Conditions, Step
from burnside.reduce.partial_order.questions import (
    Accord,
    Enable,
    Question,
    accord,
    by_cases,
    divides_by_zero,
    enable,
    guards_of,
    read_by_conditions,
    written_by,
)
from burnside.reduce.partial_order.shapes import Outline, Shape, Shapes

MOST_ASSIGNMENTS: Final = 200_000  # on which one question is decided
_MOST_CASES: Final = 500  # in which it is decided where there are more assignments
_LOOKING: Final = 2_000  # what it costs to find out which question it is
_LOOKING_AT: Final = 200  # and for each of the cells that it is about
_IN_VAIN: Final = 500  # pairs of steps that are looked at if none of them accords
_ASKING: Final = 2_000  # what a question costs beside its assignments
_TERM: Final = 200  # what each of its terms costs
_AT_ONCE: Final = 512  # assignments on which a term is found to have a value in the time of one
_MOST_BITS: Final = 1 << 28  # of all values of all terms of a question
_TRYING: Final = 20_000  # what a case costs

_Values: TypeAlias = tuple[int, ...]


@final
class Relations:
    """What is known about pairs of steps, and of steps and conditions."""

    def __init__(self, terms: Terms, steps: Sequence[Step], values: Sequence[Sequence[int] | None], work: Work) -> None:
        self._terms = terms
        self._steps = steps
        self._values = [None if taken is None else tuple(taken) for taken in values]
        self._work = work
        self._allowed: dict[tuple[int, Conditions], _Values] = {}
        self._shapes = Shapes(self._values)
        self._outlines = [self._shapes.outline((), (step,)) for step in steps]
        self._known: dict[int, bool] = {}
        self._enabling: dict[int, int] = {}
        self._enabled: dict[Shape, bool] = {}
        self._changes: dict[tuple[Conditions, int, Term], frozenset[tuple[int, int]] | None] = {}
        self._is_in_vain = False  # to look at further pairs of steps
        self.undecided = 0  # questions that were too large

    def harming(self, exclude: Callable[[Step, Step], bool] = lambda *_: False) -> list[int]:
        """By step: those that it does not accord with, as a bit mask; itself among them. Steps that ``exclude`` one
        another are never there together.
        """
        masks = [1 << k for k in range(len(self._steps))]
        known: dict[Shape, bool] = {}
        for i, one in enumerate(self._steps):
            for j, other in enumerate(self._steps[:i]):
                if _are_apart(one, other):
                    continue
                if not self._can_be_exchanged(i, j, known) and not exclude(one, other):
                    masks[i] |= 1 << j
                    masks[j] |= 1 << i
        return masks

    def _can_be_exchanged(self, i: int, j: int, known: dict[Shape, bool]) -> bool:
        """Whether two steps, by number, accord, by what is known of pairs like them."""
        alike = self._outlines[i].beside(self._outlines[j])
        if alike not in known:
            if self._is_in_vain:
                return False
            known[alike] = self.accord(self._steps[i], self._steps[j])
            self._is_in_vain = len(known) == _IN_VAIN and not any(known.values())
        return known[alike]

    def accord(self, one: Step, other: Step) -> bool:
        """Whether two steps can be taken in any order wherever both can be taken."""
        if _are_apart(one, other):
            return True
        if self._terms.conjunction((one.transition.guard, other.transition.guard)) is self._terms.false:
            return True
        cells = one.reads | one.writes | other.reads | other.writes
        return self._decided(lambda: accord(self._terms, one, other), cells, otherwise=Accord.otherwise)

    def enabling(self, condition: Term) -> int:
        """The steps that may make a condition true, as a bit mask."""
        if condition.number not in self._enabling:
            self._enabling[condition.number] = self._enabling_among(range(len(self._steps)), condition)
        return self._enabling[condition.number]

    def _enabling_among(self, steps: Iterable[int], condition: Term) -> int:
        writers = [k for k in steps if self._steps[k].writes & condition.support]
        if not divides_by_zero(condition):
            outline = self._shapes.outline((condition,), ())
            writers = [k for k in writers if self._work.left < 0 or self._may_enable(k, condition, outline)]
        return sum(1 << k for k in writers)

    def disabling(self, conditions: Conditions) -> int:
        """The steps that may make a conjunction false, as a bit mask: that make false one of its conditions, where all
        of them hold. What is put into a queue does not change its first message, if there is one.
        """
        single = self._any_enabling(map(self._terms.negation, conditions))
        return self._enabling_among(bits(single), self._terms.negation(self._terms.conjunction(conditions)))

    def fulfilling(self, conditions: Conditions) -> int:
        """The steps that may make a conjunction true, likewise."""
        return self._enabling_among(bits(self._any_enabling(conditions)), self._terms.conjunction(conditions))

    def _any_enabling(self, conditions: Iterable[Term]) -> int:
        mask = 0
        for condition in conditions:
            mask |= self.enabling(condition)
        return mask

    def changes(self, step: Step, cell: int) -> frozenset[tuple[int, int]] | None:
        """The values that a cell may have before and after a step that writes it; None if that is not known."""
        update = dict(step.transition.updates)[cell]
        asked = step.guards, cell, update
        if asked not in self._changes:
            self._changes[asked] = self._changed(cell, update, step.guards)
        return self._changes[asked]

    def _changed(self, cell: int, update: Term, guards: Conditions) -> frozenset[tuple[int, int]] | None:
        values = self._assignments(1 << cell | update.support, guards, (update,))
        if values is None:
            return None
        here = Evaluation.on_all(values)
        before, after = here.cells[cell].items(), here.value(update).items()
        return frozenset((old, new) for old, where in before for new, there in after if where & there)

    def _may_enable(self, step: int, condition: Term, outline: Outline) -> bool:
        alike = outline.beside(self._outlines[step])
        if alike not in self._enabled:
            asked = self._steps[step]
            cells = condition.support | asked.reads | asked.writes
            self._enabled[alike] = self._decided(
                lambda: enable(self._terms, asked, condition), cells, otherwise=Enable.otherwise
            )
        return self._enabled[alike]

    def _decided(self, ask: Callable[[], Question], cells: int, *, otherwise: bool) -> bool:
        """The answer to a question about some cells, by its shape; ``otherwise`` is that of questions that are not
        decided.
        """
        try:
            self._work.spend(_LOOKING + _LOOKING_AT * cells.bit_count())
        except OutOfWork:
            self.undecided += 1
            return otherwise
        question = ask()
        shape = self._shapes.outline(question.conditions, question.steps).shape
        if shape not in self._known:
            answer = self._answer(question)
            self.undecided += answer is None
            self._known[shape] = otherwise if answer is None else answer
        return self._known[shape]

    def _answer(self, question: Question) -> bool | None:
        """On values if they are not too many, else by cases; None if these are too many, too."""
        asked = [*question.conditions, *guards_of(question)]
        support = 0
        for cell, term in written_by(question):
            support |= 1 << cell
            asked.append(term)
        for term in asked:
            support |= term.support
        values = self._assignments(support, guards_of(question), asked)
        if values is not None:
            return question.on_values(Evaluation.on_all(values))
        cases = self._cases(question)
        return None if cases is None else by_cases(question, self._terms, cases)

    def _cases(self, question: Question) -> Iterable[dict[int, Term]] | None:
        """The values of cells that decide what is written; None if they are too many."""
        written = (term for _, term in written_by(question))
        values = self._assignments(read_by_conditions(written), guards_of(question), ())
        many = 0 if values is None else prod(map(len, values.values()))
        if values is None or many > _MOST_CASES:
            return None
        try:
            self._work.spend(_TRYING * many)
        except OutOfWork:
            return None
        constants = [[*map(self._terms.constant, taken)] for taken in values.values()]
        return (dict(zip(values, chosen, strict=True)) for chosen in product(*constants))

    def allowed(self, cell: int, guards: Conditions) -> _Values | None:
        """The values that a cell can have where guards that are about it alone hold; None if they are too many."""
        values = self._values[cell]
        about_it = tuple(guard for guard in guards if guard.support == 1 << cell)
        if values is None or not about_it:
            return values
        known = self._allowed.get((cell, about_it))
        if known is None:
            here = Evaluation({cell: by_value(values)}, len(values))
            held = here.truth(self._terms.conjunction(about_it))
            known = self._allowed[cell, about_it] = tuple([values[place] for place in places(held)])
        return known

    def _assignments(self, support: int, guards: Conditions, asked: Sequence[Term]) -> dict[int, _Values] | None:
        """The values of some cells that guards about one of them allow, all of which some terms can be asked on; None
        if they are too many.
        """
        found: dict[int, _Values] = {}
        for cell in bits(support):
            values = self.allowed(cell, guards)
            if values is None:
                return None
            found[cell] = values
        many = prod(map(len, found.values()))
        if many > MOST_ASSIGNMENTS:
            return None
        terms, width = _extent(asked, many)
        if width * many > _MOST_BITS:
            return None
        try:
            self._work.spend(_ASKING + _TERM * terms + many + width * many // _AT_ONCE)
        except OutOfWork:
            return None
        return found


def _are_apart(one: Step, other: Step) -> bool:
    """Whether neither writes what the other reads or writes."""
    return not (one.writes & (other.reads | other.writes) or other.writes & one.reads)


def _extent(asked: Iterable[Term], many: int) -> tuple[int, int]:
    """How many terms some are made of, and how many values these can have together on so many assignments."""
    width, seen, waiting = 0, set[int](), [*asked]
    while waiting:
        term = waiting.pop()
        if term.number not in seen:
            seen.add(term.number)
            waiting += term.args
            width += min(many, term.high - term.low + 1)
    return len(seen), width
