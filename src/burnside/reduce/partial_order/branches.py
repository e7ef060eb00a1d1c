"""Ground transitions, split by the ways through their programs: the finer steps are, the more of them accord.

A program that forwards a message or drops it has one transition, whose terms say for each cell what becomes of it if
this or that holds. Split by a condition on which several cells depend, it becomes two, each of which writes less. What
a guard says is taken for granted in what stands beside it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from math import prod
from typing import Final

from burnside.detect.constrain import Constraints, GroundTransition
from burnside.detect.equal_cells import EqualCells
from burnside.detect.prune import Pruned
from burnside.detect.terms import Term, Terms, TooLarge, bits
from burnside.reduce.partial_order.actions import conjuncts
from burnside.values import replace

_MOST_PARTS: Final = 8  # of one transition, by conditions
_MOST_VALUES: Final = 16  # of cells that never change
_MOST_STEPS: Final = 512  # by such values
_ATOMS: Final = ("eq", "le")


def identified(constraints: Constraints, equal: EqualCells) -> Constraints:
    """Constraints about one of several cells that are always equal, such as lengths of queues served together."""
    try:
        return equal.identified(constraints)
    except TooLarge:
        return constraints


def parts_of(constraints: Constraints, pruned: Pruned) -> list[GroundTransition]:
    """The transitions of a model that are not faults, in parts."""
    terms, lengths = constraints.terms, lengths_in(constraints)
    fixed = _fixed(constraints, pruned)
    whole = [t for t in constraints.transitions if not t.faults]
    known = [part for t in whole for part in _by_fixed_values(terms, t, fixed)]
    return [part for t in (known if len(known) <= _MOST_STEPS else whole) for part in branches(terms, t, lengths)]


def _fixed(constraints: Constraints, pruned: Pruned) -> dict[int, list[int]]:
    """The cells that no transition writes, with their values."""
    written = {cell for t in constraints.transitions for cell, _ in t.updates}
    found = {}
    for cell in range(len(constraints.cells.all)):
        values = None if cell in written or cell in pruned.equal.first else pruned.taken(cell)
        if values is not None and len(values) <= _MOST_PARTS:
            found[cell] = list(values)
    return found


def _by_fixed_values(
    terms: Terms, transition: GroundTransition, fixed: Mapping[int, Sequence[int]]
) -> Iterator[GroundTransition]:
    """A transition for each value of the cells that it reads and that never change, if these are not too many."""
    support = transition.guard.support
    for _, term in transition.updates:
        support |= term.support
    cells = [cell for cell in bits(support) if cell in fixed]
    if not cells or prod(len(fixed[cell]) for cell in cells) > _MOST_VALUES:
        yield transition
        return
    for chosen in product(*(fixed[cell] for cell in cells)):
        yield _with_values(terms, transition, dict(zip(cells, chosen, strict=True)))


def _with_values(terms: Terms, transition: GroundTransition, values: Mapping[int, int]) -> GroundTransition:
    """A transition where cells have values."""
    here = [terms.equal(terms.cell(cell), terms.constant(value)) for cell, value in values.items()]
    guard = terms.conjunction((transition.guard, *here))
    try:
        known = {cell: terms.constant(value) for cell, value in values.items()}
        memory: dict[int, Term] = {}
        guard = terms.conjunction((terms.substituted(transition.guard, known, memory), *here))
        updates = tuple((cell, terms.substituted(term, known, memory)) for cell, term in transition.updates)
        return replace(transition, guard=guard, updates=updates)
    except TooLarge:
        return replace(transition, guard=guard)


def lengths_in(constraints: Constraints) -> int:
    """The cells that hold lengths of sequences, as a bit mask."""
    return sum(1 << element.start for element in constraints.cells.elements if element.variable.is_sequence)


def branches(terms: Terms, transition: GroundTransition, lengths: int = 0) -> list[GroundTransition]:
    """Transitions, one of which can be taken where the whole one can, and does the same.

    They are not split by ``lengths`` of queues, a bit mask: what is sent then goes together with what is received.
    """
    waiting, done = [simplified(terms, transition)], list[GroundTransition]()
    while waiting:
        part = waiting.pop()
        if part.guard is terms.false:
            continue
        condition = _deciding(part, lengths)
        if condition is None or len(waiting) + len(done) + 2 > _MOST_PARTS:
            done.append(part)
            continue
        for chosen in (condition, terms.negation(condition)):
            narrower = replace(part, guard=terms.conjunction((part.guard, chosen)))
            waiting.append(simplified(terms, narrower))
    return done


def simplified(terms: Terms, transition: GroundTransition) -> GroundTransition:
    """The same transition, with what each of its guards says taken for granted elsewhere."""
    try:
        guard = _simplified_guard(terms, transition.guard)
        known = _granted(terms, conjuncts(terms, guard))
        updates = ((cell, terms.substituted(term, {}, known)) for cell, term in transition.updates)
        kept = tuple((cell, term) for cell, term in updates if term is not terms.cell(cell))
        return replace(transition, guard=guard, updates=kept)
    except TooLarge:
        return transition


def _simplified_guard(terms: Terms, guard: Term) -> Term:
    """A conjunction in which no part decides another."""
    while True:
        parts = conjuncts(terms, guard)
        others = ((part, [p for p in parts if p is not part]) for part in parts)
        simpler = [terms.substituted(part, {}, _granted(terms, rest)) for part, rest in others if not _is_fact(part)]
        after = terms.conjunction((*filter(_is_fact, parts), *simpler))
        if after is guard:
            return guard
        guard = after


def _is_fact(condition: Term) -> bool:
    """Whether a condition is about an atom, or the value of a cell, alone."""
    inner = condition.args[0] if condition.operator == "not" else condition
    return inner.operator in (*_ATOMS, "cell")


def _granted(terms: Terms, conditions: Iterable[Term]) -> dict[int, Term]:
    """What is known if some conditions hold, by the numbers of terms."""
    known: dict[int, Term] = {}
    for condition in conditions:
        if condition.operator == "not":
            known[condition.args[0].number] = terms.false
        else:
            known[condition.number] = terms.true
    return known


def _deciding(transition: GroundTransition, lengths: int) -> Term | None:
    """The condition on which most cells depend, if these are several."""
    found: dict[int, Term] = {}
    dependent: Counter[int] = Counter()
    for _, term in transition.updates:
        atoms = {atom.number: atom for atom in _atoms(term) if atom.support & ~lengths}
        found |= atoms
        dependent.update(atoms.keys())
    number, cells = max(dependent.items(), key=lambda entry: (entry[1], -entry[0]), default=(0, 0))
    return found[number] if cells > 1 else None


def _atoms(term: Term) -> Iterator[Term]:
    """The comparisons in a term."""
    waiting, seen = [term], set[int]()
    while waiting:
        part = waiting.pop()
        if part.number not in seen:
            seen.add(part.number)
            waiting += part.args
            if part.operator in _ATOMS:
                yield part
