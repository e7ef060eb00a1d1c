"""Questions about steps, each decided on values or by cases.

*On values*: on all values that the cells involved can have. *By cases*: what steps do depends on conditions, which read
some of these cells; for each of their values the others are only moved about, and what becomes of them is compared as
terms. A queue of eight messages has millions of contents, but nine lengths.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from typing import ClassVar, Protocol, TypeAlias, final

from burnside.detect.masks import Evaluation, unequal
from burnside.detect.terms import Term, Terms, TooLarge, bits
from burnside.reduce.partial_order.actions import Conditions, Step, conjuncts
from burnside.values import dataclass, replace

Known: TypeAlias = Mapping[int, Term]  # what cells hold
Granted: TypeAlias = Set[Term]  # conditions that hold
Updates: TypeAlias = tuple[tuple[int, Term], ...]

_CONDITIONS = ("and", "or", "not", "eq", "le")


class Question(Protocol):
    """A question whose answer depends on some conditions and steps."""

    otherwise: ClassVar[bool]  # the answer where none is found

    @property
    def conditions(self) -> Conditions:
        """The conditions."""

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps; all of them can be taken wherever the answer matters."""

    def on_values(self, here: Evaluation) -> bool:
        """The answer, by what terms are on all assignments to the cells involved."""

    def in_case(self, terms: Terms, known: Known, granted: Granted) -> bool:
        """Whether the answer is the safe one if some cells have known values and some conditions are granted; so is
        that of all cases, if any is.
        """


@final
@dataclass(frozen=True)
class Accord:
    """Can two steps be taken in any order, wherever both can be taken, and lead to the same state?"""

    otherwise: ClassVar[bool] = False

    one: Step
    other: Step
    conditions: ClassVar[Conditions] = ()

    @property
    def steps(self) -> tuple[Step, ...]:
        """Both."""
        return self.one, self.other

    def on_values(self, here: Evaluation) -> bool:
        """Both orders, where both steps can be taken."""
        one, other = self.one.transition, self.other.transition
        both = here.truth(one.guard) & here.truth(other.guard)
        if not both:
            return True
        after_one, after_other = here.after(one.updates), here.after(other.updates)
        if both & ~(after_one.truth(other.guard) & after_other.truth(one.guard)):
            return False
        one_first, other_first = after_one.after(other.updates).cells, after_other.after(one.updates).cells
        written = bits(self.one.writes | self.other.writes)
        return not any(unequal(one_first[cell], other_first[cell], both) for cell in written)

    def in_case(self, terms: Terms, known: Known, granted: Granted) -> bool:
        """One of them could not be taken any more, or the orders could differ."""
        after_one, after_other = _become(terms, self.one, known), _become(terms, self.other, known)
        for step, before in ((self.other, after_one), (self.one, after_other)):
            later = (terms.substituted(guard, before, {}) for guard in step.guards)
            if any(part not in granted for guard in later for part in conjuncts(terms, guard)):
                return True
        one_first, other_first = _become(terms, self.other, after_one), _become(terms, self.one, after_other)
        cells = one_first.keys() | other_first.keys()
        return any(one_first.get(c, terms.cell(c)) is not other_first.get(c, terms.cell(c)) for c in cells)


@final
@dataclass(frozen=True)
class Enable:
    """Can a step make a condition true?"""

    otherwise: ClassVar[bool] = True

    step: Step
    condition: Term

    @property
    def conditions(self) -> Conditions:
        """The one."""
        return (self.condition,)

    @property
    def steps(self) -> tuple[Step, ...]:
        """The one."""
        return (self.step,)

    def on_values(self, here: Evaluation) -> bool:
        """Whether the condition is false before the step and true after it anywhere."""
        possible = here.truth(self.step.transition.guard) & ~here.truth(self.condition)
        return bool(possible and possible & here.after(self.step.transition.updates).truth(self.condition))

    def in_case(self, terms: Terms, known: Known, granted: Granted) -> bool:
        """It may be false before the step and true after it."""
        before = terms.substituted(self.condition, known, {})
        after = terms.substituted(self.condition, _become(terms, self.step, known), {})
        return before not in granted and after is not before and after is not terms.false


def accord(terms: Terms, one: Step, other: Step) -> Accord:
    """The question whether two steps accord, about nothing but what they have to do with one another.

    What one writes, and the other has nothing to do with, comes out the same in any order. Guards are left out that the
    other cannot make false, unless they are about cells that matter anyway: the question is then about more states.
    """
    changes = [_concerning(step, by.writes, by.reads | by.writes) for step, by in ((one, other), (other, one))]
    touched = [[g for g in step.guards if g.support & by.writes] for step, by in ((one, other), (other, one))]
    cells = 0
    for updates, guards in zip(changes, touched, strict=True):
        cells |= _involved(updates, guards)
    narrowed = (_narrowed(terms, step, u, g, cells) for step, u, g in zip((one, other), changes, touched, strict=True))
    return Accord(*narrowed)


def enable(terms: Terms, step: Step, condition: Term) -> Enable:
    """The question whether a step can make a condition true, likewise."""
    updates = tuple((cell, term) for cell, term in step.transition.updates if condition.support >> cell & 1)
    cells = _involved(updates, (condition,))
    return Enable(_narrowed(terms, step, updates, (), cells), condition)


def _concerning(step: Step, written: int, used: int) -> Updates:
    """What a step does to cells that another uses, or by means of cells that it writes."""
    return tuple((c, term) for c, term in step.transition.updates if used >> c & 1 or term.support & written)


def _involved(updates: Updates, guards: Iterable[Term]) -> int:
    mask = 0
    for cell, term in updates:
        mask |= 1 << cell | term.support
    for guard in guards:
        mask |= guard.support
    return mask


def _narrowed(terms: Terms, step: Step, updates: Updates, needed: Iterable[Term], cells: int) -> Step:
    """A step with some of its updates, and those of its guards that are needed, or about some cells alone."""
    kept = {*needed}
    guards = tuple(g for g in step.guards if g in kept or not g.support & ~cells)
    transition = replace(step.transition, guard=terms.conjunction(guards), updates=updates)
    return Step(transition, step.instance, guards)


def by_cases(question: Question, terms: Terms, cases: Iterable[Known]) -> bool:
    """The answer: the safe one if it is that of any case."""
    try:
        is_safe = any(_is_safe(question, terms, known) for known in cases)
    except TooLarge:
        is_safe = True
    return question.otherwise if is_safe else not question.otherwise


def _is_safe(question: Question, terms: Terms, known: Known) -> bool:
    guards = guards_of(question)
    if known:
        guards = tuple(terms.substituted(guard, known, {}) for guard in guards)
    granted = {terms.true, *(part for guard in guards for part in conjuncts(terms, guard))}
    return terms.false not in granted and question.in_case(terms, known, granted)


def divides_by_zero(condition: Term) -> bool:
    """Whether a divisor in a condition may be 0.

    Another condition beside it says that it is not, so that what a quotient by 0 is taken for matters to nobody, unless
    conditions are asked for one by one: then it must not matter either, and a step may have made true what it wrote to.
    """
    waiting, seen = [condition], set[int]()
    while waiting:
        term = waiting.pop()
        if term.number not in seen:
            seen.add(term.number)
            waiting += term.args
            if term.operator in ("/", "%") and term.args[1].low <= 0 <= term.args[1].high:
                return True
    return False


def read_by_conditions(asked: Iterable[Term]) -> int:
    """The cells that conditions inside some terms read, as a bit mask."""
    mask = 0
    seen: set[int] = set()
    waiting = [*asked]
    while waiting:
        term = waiting.pop()
        if term.number in seen:
            continue
        seen.add(term.number)
        if term.operator in _CONDITIONS:
            mask |= term.support
        else:
            if term.operator == "ite":
                mask |= term.args[0].support
            waiting += term.args
    return mask


def guards_of(question: Question) -> Conditions:
    """What holds wherever the answer matters."""
    return tuple(guard for step in question.steps for guard in step.guards)


def written_by(question: Question) -> tuple[tuple[int, Term], ...]:
    """The cells that are written, and what is written to them."""
    return tuple(update for step in question.steps for update in step.transition.updates)


def _become(terms: Terms, step: Step, known: Known) -> dict[int, Term]:
    """What cells hold after a step; what is not named holds what it held at first."""
    memory: dict[int, Term] = {}
    changed = {cell: terms.substituted(term, known, memory) for cell, term in step.transition.updates}
    return {**known, **changed}
