"""What can be counted in a state, how much of it there is, and by how much a step can increase it.

The value of a cell; whether a cell has a value, as 0 or 1; and how many messages of a queue are of a kind, wherever
they stand: a queue that is served moves all of its messages, and has one less of one kind. Sequences that always have
the same length are one queue, whose messages have several parts: what is asked, by whom, and with which arguments.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import product
from math import prod
from typing import Final, Protocol, TypeAlias, final

from burnside.detect.constrain import Constraints, GroundTransition
from burnside.detect.equal_cells import EqualCells
from burnside.detect.terms import Term, Terms, TooLarge
from burnside.ir.cells import Element, empty_slot
from burnside.reduce.partial_order.actions import Conditions, Step
from burnside.reduce.partial_order.relations import Relations
from burnside.values import dataclass, replace

_MOST_VALUES: Final = 12  # of a cell that are counted
_MOST_KINDS: Final = 48  # of messages
_MOST_PARTS: Final = 64  # of a step, by what it moves, or of an aim

_Message: TypeAlias = tuple[Term, ...]
_Moved: TypeAlias = tuple[Counter[_Message], Counter[_Message]]  # what is added, and what is taken


class Count(Protocol):
    """A number in every state."""

    @property
    def cells(self) -> int:
        """The cells that it depends on, as a bit mask."""

    def at_first(self) -> int:
        """How much it is at most in an initial state."""

    def at_least(self, aim: Conditions) -> int:
        """How much it is at least where some conditions hold."""

    def increase(self, step: Step) -> int:
        """By how much a step can increase it at most; below 0 if it always decreases."""


def counts_of(constraints: Constraints, queues: Iterable[Queue], relations: Relations) -> Iterator[Count]:
    """All that is counted in a model."""
    for element in constraints.cells.elements:
        values = relations.allowed(element.start, ())
        if values is not None and 2 <= len(values) <= _MOST_VALUES:
            initial = constraints.initial_values[element.start]
            yield _Value(element.start, None, initial, relations)
            if not element.variable.is_sequence:
                yield from (_Value(element.start, v, initial, relations) for v in values)
    for queue in queues:
        yield from (_Messages(queue, kind) for kind in queue.kinds or ())


def by_moved_values(terms: Terms, step: Step, queues: Sequence[Queue], relations: Relations) -> Iterator[Step]:
    """A step, or several of which each moves known values, if these are not too many: what leaves one queue and comes
    to another is one message.
    """
    cells = sorted({term.value for queue in queues for term in queue.moved(step) if term.operator == "cell"})
    held = [relations.allowed(cell, step.guards) for cell in cells]
    known = [values for values in held if values is not None]
    if len(known) < len(cells) or prod(map(len, known)) > _MOST_PARTS:
        yield step
        return
    for chosen in product(*known):
        if not all(queue.may_hold(dict(zip(cells, chosen, strict=True))) for queue in queues):
            continue
        here = [terms.equal(terms.cell(cell), terms.constant(v)) for cell, v in zip(cells, chosen, strict=True)]
        guard = terms.conjunction((step.transition.guard, *here))
        yield Step(replace(step.transition, guard=guard), step.instance, (*step.guards, *here))


def by_kinds(aim: Conditions, queues: Iterable[Queue]) -> Iterable[Conditions]:
    """Aims, one of which holds where one does, that say of each message which one says something of what kind it is."""
    found = [aim]
    for queue in queues:
        for message in queue.messages:
            options = queue.ways(message, aim)
            if options is not None and len(found) * len(options) <= _MOST_PARTS:
                found = [(*known, *more) for known in found for more in options]
    return found


def queues_of(
    constraints: Constraints, equal: EqualCells, steps: Sequence[Step], relations: Relations
) -> Iterator[Queue]:
    """The sequences of a model, with those together that always have the same length."""
    together: dict[int, list[Element]] = {}
    for element in constraints.cells.elements:
        if element.variable.is_sequence:
            together.setdefault(equal.first.get(element.start, element.start), []).append(element)
    for length, elements in together.items():
        places = min(element.variable.capacity or 0 for element in elements)
        messages = [tuple(element.start + 1 + k for element in elements) for k in range(places)]
        # Of places that always hold the same, steps write the first alone.
        written = [tuple(equal.first.get(slot, slot) for slot in message) for message in messages]
        yield Queue(length, elements, written, constraints, steps, relations)


@final
@dataclass(frozen=True)
class _Value:
    """The value of a cell, or whether it has a value."""

    cell: int
    value: int | None
    initial: Sequence[int]
    relations: Relations

    @property
    def cells(self) -> int:
        """The cell."""
        return 1 << self.cell

    def _counted(self, held: int) -> int:
        return held if self.value is None else int(held == self.value)

    def at_first(self) -> int:
        """By the initial values."""
        return max(map(self._counted, self.initial))

    def at_least(self, aim: Conditions) -> int:
        """By conditions on the cell alone."""
        held = self.relations.allowed(self.cell, aim)
        return min(map(self._counted, () if held is None else held), default=0)

    def increase(self, step: Step) -> int:
        """By the values before and after the step."""
        if not step.writes >> self.cell & 1:
            return 0
        pairs = self.relations.changes(step, self.cell)
        if pairs is None:
            values = self.relations.allowed(self.cell, ())
            held = [] if values is None else [*map(self._counted, values)]
            return max(held, default=0) - min(held, default=0)
        return max((self._counted(after) - self._counted(before) for before, after in pairs), default=0)


@final
class Queue:
    """Sequences that always have the same length, and what steps add to them and take from them."""

    def __init__(
        self,
        length: int,
        elements: Sequence[Element],
        messages: Sequence[tuple[int, ...]],
        constraints: Constraints,
        steps: Sequence[Step],
        relations: Relations,
    ) -> None:
        self.messages = messages
        self._nothing = tuple(empty_slot(element.variable) for element in elements)
        self.cells = sum(1 << slot for slot in {slot for message in messages for slot in message})
        self._constraints = constraints
        self._steps = steps
        self._relations = relations
        self._length = length
        self._lengths = [length, *(element.start for element in elements)]
        self._known: dict[GroundTransition, list[_Moved] | None] = {}

    @cached_property
    def kinds(self) -> Sequence[tuple[int, ...]] | None:
        """Kinds of messages, among them all that there may be; None if they are too many."""
        initial = self._constraints.initial_values
        found = {kind for message in self.messages for kind in product(*(initial[slot] for slot in message))}
        for step in self._steps:
            added = self._added(step)
            if added is None:
                return None
            for message in added:
                values = [self._values(term, step) for term in message]
                if prod(map(len, values)) > _MOST_KINDS:
                    return None
                found.update(product(*values))
        kept = sorted(kind for kind in found if not any(v == e for v, e in zip(kind, self._nothing, strict=True)))
        return kept if len(kept) <= _MOST_KINDS else None

    def _added(self, step: Step) -> Iterable[_Message] | None:
        if not step.writes & self.cells:
            return ()
        moves = self.moves(step)
        return None if moves is None else dict.fromkeys(message for added, _ in moves for message in added)

    def may_hold(self, values: Mapping[int, int]) -> bool:
        """Whether places may have these values together: each message is of one of the kinds, or there is none."""
        if self.kinds is None:
            return True
        whole = (message for message in self.messages if all(slot in values for slot in message))
        held = (tuple(values[slot] for slot in message) for message in whole)
        return all(kind in self.kinds or kind == self._nothing for kind in held)

    def _values(self, term: Term, step: Step) -> Sequence[int]:
        """The values that a term may have where a step can be taken."""
        held = self._relations.allowed(term.value, step.guards) if term.operator == "cell" else None
        return range(term.low, term.high + 1) if held is None else held

    def ways(self, message: Sequence[int], aim: Conditions) -> list[Conditions] | None:
        """What a message may be, as conditions, if an aim says something of it, and there is one; None otherwise."""
        lengths = self._relations.allowed(self._length, aim)
        if self.kinds is None or lengths is None or min(lengths, default=0) <= self.messages.index(tuple(message)):
            return None
        if not any(condition.support == 1 << slot for condition in aim for slot in message):
            return None
        terms = self._constraints.terms
        held = [self._relations.allowed(slot, aim) for slot in message]
        fitting = [
            kind
            for kind in self.kinds
            if all(values is None or part in values for part, values in zip(kind, held, strict=True))
        ]
        cells = [*map(terms.cell, message)]
        return [
            tuple(terms.equal(cell, terms.constant(v)) for cell, v in zip(cells, kind, strict=True)) for kind in fitting
        ]

    def moves(self, step: Step) -> list[_Moved] | None:
        """What is added and what is taken by a step, as terms, for each length there may be before it; None if that is
        not known.
        """
        if step.transition not in self._known:
            lengths = self._relations.allowed(self._length, step.guards)
            try:
                found = None if lengths is None else [self._move(step, length) for length in lengths]
            except TooLarge:
                found = None
            self._known[step.transition] = found
        return self._known[step.transition]

    def _move(self, step: Step, length: int) -> _Moved:
        terms: Terms = self._constraints.terms
        known = dict.fromkeys(self._lengths, terms.constant(length))
        for message in self.messages[length:]:
            known |= {slot: terms.constant(e) for slot, e in zip(message, self._nothing, strict=True)}
        updates = dict(step.transition.updates)
        memory: dict[int, Term] = {}

        def shown(slot: int, *, after: bool) -> Term:
            term = terms.cell(slot)
            return terms.substituted(updates.get(slot, term) if after else term, known, memory)

        before = Counter(tuple([shown(slot, after=False) for slot in message]) for message in self.messages)
        after = Counter(tuple([shown(slot, after=True) for slot in message]) for message in self.messages)
        return after - before, before - after

    def moved(self, step: Step) -> Iterable[Term]:
        """What a step moves here from elsewhere, or away, as terms."""
        moves = self.moves(step) if step.writes & self.cells else None
        return (term for added, taken in moves or () for message in (*added, *taken) for term in message)

    def increase(self, step: Step, kind: tuple[int, ...]) -> int:
        """By how much a step can increase the messages of a kind: by those added, less those taken for certain."""
        if not step.writes & self.cells:
            return 0
        moves = self.moves(step)
        if moves is None:
            return len(self.messages)
        most = []
        for added, taken in moves:
            more = sum(n * self._is(message, kind, step)[0] for message, n in added.items())
            less = sum(n * self._is(message, kind, step)[1] for message, n in taken.items())
            most.append(more - less)
        return max(most, default=0)

    def _is(self, message: _Message, kind: tuple[int, ...], step: Step) -> tuple[bool, bool]:
        """Whether a message can be of a kind where a step can be taken, and whether it always is."""
        can, must = zip(*(self._has(term, v, step) for term, v in zip(message, kind, strict=True)), strict=True)
        return all(can), all(must)

    def _has(self, term: Term, value: int, step: Step) -> tuple[bool, bool]:
        if term.is_constant:
            return term.value == value, term.value == value
        held = self._relations.allowed(term.value, step.guards) if term.operator == "cell" else None
        if held is None:
            return term.low <= value <= term.high, False
        return value in held, all(v == value for v in held)

    def at_first(self, kind: tuple[int, ...]) -> int:
        """How many messages of a kind there are at most in an initial state."""
        initial = self._constraints.initial_values
        return sum(all(v in initial[slot] for slot, v in zip(message, kind, strict=True)) for message in self.messages)

    def at_least(self, aim: Conditions, kind: tuple[int, ...]) -> int:
        """How many messages are of a kind by conditions on single places."""
        return sum(
            all(self._must_be(slot, v, aim) for slot, v in zip(message, kind, strict=True)) for message in self.messages
        )

    def _must_be(self, slot: int, value: int, aim: Conditions) -> bool:
        held = self._relations.allowed(slot, aim)
        return held is not None and {*held} == {value}


@final
@dataclass(frozen=True)
class _Messages:
    """How many messages of a queue are of a kind."""

    queue: Queue
    kind: tuple[int, ...]

    @property
    def cells(self) -> int:
        """All places."""
        return self.queue.cells

    def at_first(self) -> int:
        """By the initial values of all places."""
        return self.queue.at_first(self.kind)

    def at_least(self, aim: Conditions) -> int:
        """By conditions on single places."""
        return self.queue.at_least(aim, self.kind)

    def increase(self, step: Step) -> int:
        """By what is added and taken."""
        return self.queue.increase(step, self.kind)
