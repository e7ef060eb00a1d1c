"""What can be counted in a state, how much of it there is, and by how much a step can increase it.

The value of a cell; whether a cell has a value, as 0 or 1; and how many items of a sequence have a value, wherever they
stand: a queue that is served moves all of its messages, and has one less of one kind.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from math import prod
from typing import Final, Protocol, final

from burnside.detect.constrain import Constraints, GroundTransition
from burnside.detect.terms import Term, Terms
from burnside.ir.cells import Element, empty_slot
from burnside.reduce.partial_order.actions import Conditions, Step
from burnside.reduce.partial_order.relations import Relations
from burnside.values import dataclass, replace

_MOST_VALUES: Final = 12  # of a cell, or of items, that are counted
_MOST_PARTS: Final = 64  # of a step, by what it moves


class Count(Protocol):
    """A natural number in every state, or nearly: what is subtracted from it is the same everywhere."""

    def at_first(self) -> int:
        """How much it is at most in an initial state."""

    def at_least(self, aim: Conditions) -> int:
        """How much it is at least where some conditions hold."""

    def increase(self, step: Step) -> int:
        """By how much a step can increase it at most; below 0 if it always decreases."""

    def moved(self, step: Step) -> Iterable[Term]:
        """What a step moves here from elsewhere, or away, as terms."""


def by_moved_values(terms: Terms, step: Step, counts: Iterable[Count], relations: Relations) -> Iterator[Step]:
    """A step, or several of which each moves known values, if these are not too many: what leaves one queue and comes
    to another is one message.
    """
    cells = sorted({term.value for count in counts for term in count.moved(step) if term.operator == "cell"})
    held = [relations.allowed(cell, step.guards) for cell in cells]
    known = [values.tolist() for values in held if values is not None]
    if len(known) < len(cells) or prod(map(len, known)) > _MOST_PARTS:
        yield step
        return
    for chosen in product(*known):
        here = [terms.equal(terms.cell(cell), terms.constant(v)) for cell, v in zip(cells, chosen, strict=True)]
        guard = terms.conjunction((step.transition.guard, *here))
        yield Step(replace(step.transition, guard=guard), step.instance, (*step.guards, *here))


def counts_of(constraints: Constraints, relations: Relations) -> Iterator[Count]:
    """All that is counted in a model."""
    for element in constraints.cells.elements:
        values = relations.allowed(element.start, ())
        if values is not None and 2 <= len(values) <= _MOST_VALUES:
            initial = constraints.initial_values[element.start]
            yield _Value(element.start, None, initial, relations)
            if not element.variable.is_sequence:
                yield from (_Value(element.start, v, initial, relations) for v in values.tolist())
        if element.variable.is_sequence and element.variable.domain.size <= _MOST_VALUES:
            sequence = _Sequence(element, constraints, relations)
            yield from (_Items(sequence, value) for value in element.variable.domain.values())


@final
@dataclass(frozen=True)
class _Value:
    """The value of a cell, or whether it has a value."""

    cell: int
    value: int | None
    initial: Sequence[int]
    relations: Relations

    def _counted(self, held: int) -> int:
        return held if self.value is None else int(held == self.value)

    def at_first(self) -> int:
        """By the initial values."""
        return max(map(self._counted, self.initial))

    def at_least(self, aim: Conditions) -> int:
        """By conditions on the cell alone."""
        held = self.relations.allowed(self.cell, aim)
        return min(map(self._counted, [] if held is None else held.tolist()), default=0)

    def increase(self, step: Step) -> int:
        """By the values before and after the step."""
        if not step.writes >> self.cell & 1:
            return 0
        pairs = self.relations.changes(step, self.cell)
        if pairs is None:
            values = self.relations.allowed(self.cell, ())
            held = [] if values is None else [*map(self._counted, values.tolist())]
            return max(held, default=0) - min(held, default=0)
        return max((self._counted(after) - self._counted(before) for before, after in pairs), default=0)

    def moved(self, step: Step) -> Iterable[Term]:
        """Nothing: a value is changed."""
        del step
        return ()


@final
class _Sequence:
    """A sequence, and what steps add to it and take from it."""

    def __init__(self, element: Element, constraints: Constraints, relations: Relations) -> None:
        self.slots = range(element.start + 1, element.start + 1 + (element.variable.capacity or 0))
        self.empty = empty_slot(element.variable)
        self.constraints = constraints
        self.relations = relations
        self._length = element.start
        self._known: dict[GroundTransition, list[tuple[Counter[Term], Counter[Term]]] | None] = {}

    def moves(self, step: Step) -> list[tuple[Counter[Term], Counter[Term]]] | None:
        """What is added and what is taken by a step, as terms, for each length there may be before it; None if that is
        not known.
        """
        if step.transition not in self._known:
            lengths = self.relations.allowed(self._length, step.guards)
            found = None if lengths is None else [self._move(step, length) for length in lengths.tolist()]
            self._known[step.transition] = found
        return self._known[step.transition]

    def _move(self, step: Step, length: int) -> tuple[Counter[Term], Counter[Term]]:
        terms: Terms = self.constraints.terms
        known = {self._length: terms.constant(length)}
        known |= dict.fromkeys(self.slots[length:], terms.constant(self.empty))
        updates = dict(step.transition.updates)
        memory: dict[int, Term] = {}
        before = Counter(terms.substituted(terms.cell(slot), known, memory) for slot in self.slots)
        after = Counter(terms.substituted(updates.get(slot, terms.cell(slot)), known, memory) for slot in self.slots)
        return after - before, before - after

    def may_be(self, term: Term, value: int, step: Step) -> tuple[bool, bool]:
        """Whether a term can have a value where a step can be taken, and whether it always has."""
        if term.is_constant:
            return term.value == value, term.value == value
        held = self.relations.allowed(term.value, step.guards) if term.operator == "cell" else None
        if held is None:
            return term.low <= value <= term.high, False
        return bool((held == value).any()), bool((held == value).all())


@final
@dataclass(frozen=True)
class _Items:
    """How many items of a sequence have a value."""

    sequence: _Sequence
    value: int

    def at_first(self) -> int:
        """By the initial values of all places."""
        initial = self.sequence.constraints.initial_values
        return sum(any(v == self.value for v in initial[slot]) for slot in self.sequence.slots)

    def at_least(self, aim: Conditions) -> int:
        """By conditions on single places."""
        held = (self.sequence.relations.allowed(slot, aim) for slot in self.sequence.slots)
        return sum(values is not None and len(values) > 0 and bool((values == self.value).all()) for values in held)

    def increase(self, step: Step) -> int:
        """By what is added, less what is taken for certain."""
        if not any(step.writes >> slot & 1 for slot in self.sequence.slots):
            return 0
        moves = self.sequence.moves(step)
        if moves is None:
            return len(self.sequence.slots)
        most = []
        for added, taken in moves:
            more = sum(n * self.sequence.may_be(term, self.value, step)[0] for term, n in added.items())
            less = sum(n * self.sequence.may_be(term, self.value, step)[1] for term, n in taken.items())
            most.append(more - less)
        return max(most, default=0)

    def moved(self, step: Step) -> Iterable[Term]:
        """What is added and what is taken."""
        moves = self.sequence.moves(step) if any(step.writes >> slot & 1 for slot in self.sequence.slots) else None
        return (term for added, taken in moves or () for term in (*added, *taken))
