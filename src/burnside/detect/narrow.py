"""Variables with many values that only ever hold few: the range of every such cell, by interval arithmetic.

An id that is kept in a variable with a thousand values is an id all the same. Ranges grow from the initial values until
every transition keeps them; what guards say of cells is used. What keeps growing jumps to the whole domain, and is made
narrower again by what the transitions can really produce from there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from burnside.detect.constrain import Constraints, GroundTransition
from burnside.detect.terms import Term

Interval: TypeAlias = tuple[int, int]
Ranges: TypeAlias = Mapping[int, Interval]

_PATIENT_ROUNDS = 4
_NARROWING_ROUNDS = 3


def narrow_ranges(constraints: Constraints, cells: Sequence[int]) -> dict[int, Interval]:
    """For each of some cells, an interval that contains every value it can take."""
    start = {c: (min(constraints.initial_values[c]), max(constraints.initial_values[c])) for c in cells}
    writers = [t for t in constraints.transitions if not t.faults and any(c in start for c, _ in t.updates)]
    found, rounds = start, 0
    while True:
        grown = {c: _hull(found[c], i) for c, i in _after(constraints, writers, start, found).items()}
        if grown == found:
            break
        rounds += 1
        found = grown if rounds <= _PATIENT_ROUNDS else {c: _widened(constraints, c, found[c], grown[c]) for c in cells}
    for _ in range(_NARROWING_ROUNDS):  # what one step can give from a range that is kept, is kept too
        found = _after(constraints, writers, start, found)
    return found


def _widened(constraints: Constraints, cell: int, before: Interval, after: Interval) -> Interval:
    domain = constraints.cells.all[cell].domain
    low = domain.low if after[0] < before[0] else after[0]
    return low, domain.high if after[1] > before[1] else after[1]


def _after(
    constraints: Constraints, writers: Sequence[GroundTransition], start: Ranges, found: Ranges
) -> dict[int, Interval]:
    """The initial values, and what the transitions can write if cells are in the ranges found so far."""
    after = dict(start)
    for transition in writers:
        known = _refined(transition.guard, found)
        if known is None:
            continue
        for cell, term in transition.updates:
            if cell in after:
                domain = constraints.cells.all[cell].domain
                low, high = _interval(term, known)
                after[cell] = _hull(after[cell], (max(low, domain.low), min(high, domain.high)))
    return after


def _hull(one: Interval, other: Interval) -> Interval:
    return (min(one[0], other[0]), max(one[1], other[1])) if other[0] <= other[1] else one


def _interval(term: Term, known: Ranges) -> Interval:
    """Bounds of a term, if cells are in known ranges; those that it has anyway hold, too."""
    match term.operator:
        case "cell":
            low, high = known.get(term.value, (term.low, term.high))
        case "sum":
            sides = [_scaled(c, _interval(a, known)) for c, a in zip(term.coefficients, term.args, strict=True)]
            low, high = term.value + sum(s[0] for s in sides), term.value + sum(s[1] for s in sides)
        case "ite":
            low, high = _hull(_interval(term.args[1], known), _interval(term.args[2], known))
        case "max" | "min":
            inner = [_interval(a, known) for a in term.args]
            choose = max if term.operator == "max" else min
            low, high = choose(i[0] for i in inner), choose(i[1] for i in inner)
        case _:
            return term.low, term.high
    return max(low, term.low), min(high, term.high)


def _scaled(factor: int, interval: Interval) -> Interval:
    low, high = factor * interval[0], factor * interval[1]
    return (low, high) if factor > 0 else (high, low)


# ---------------------------------------------------------------- what guards say


def _refined(guard: Term, ranges: Ranges) -> Ranges | None:
    """The ranges where a guard holds; None if it cannot hold."""
    known = dict(ranges)
    for condition in guard.args if guard.operator == "and" else (guard,):
        for left, bound in _upper_bounds(condition):
            if not _bounded(left, bound, known):
                return None
    return known


def _upper_bounds(condition: Term) -> Iterator[tuple[list[tuple[int, Term]], int]]:
    """A comparison as sums that are not greater than a number."""
    is_denied = condition.operator == "not"
    inner = condition.args[0] if is_denied else condition
    if inner.operator not in ("le", "eq") or (is_denied and inner.operator == "eq"):
        return
    term = inner.args[0]
    parts = [*zip(term.coefficients, term.args, strict=True)] if term.operator == "sum" else [(1, term)]
    bound = inner.value - (term.value if term.operator == "sum" else 0)
    negated = [(-factor, part) for factor, part in parts]
    if not is_denied:
        yield parts, bound
    if is_denied:
        yield negated, -bound - 1
    elif inner.operator == "eq":
        yield negated, -bound


def _bounded(parts: Sequence[tuple[int, Term]], bound: int, known: dict[int, Interval]) -> bool:
    """Make the ranges of cells narrower that occur in a sum with an upper bound; whether it can be kept at all."""
    least = [_scaled(factor, _interval(part, known))[0] for factor, part in parts]
    room = bound - sum(least)
    if room < 0:
        return False
    for (factor, part), own in zip(parts, least, strict=True):
        if part.operator == "cell" and part.value in known:
            low, high = known[part.value]
            most = room + own  # of this summand
            known[part.value] = (low, min(high, most // factor)) if factor > 0 else (max(low, -(most // -factor)), high)
    return True
