"""Terms with any number of operands in no order: ``max``, ``min``, products, bitwise operators, sums of remainders.

However a maximum was written, nested, spelled as a choice or collected in a loop, it becomes one term:

    ``max(a, max(b, a))`` → ``max(a, b)``            ``if a > m then a else m`` → ``max(a, m)``
    ``max(a + 1, b + 1)`` → ``max(a, b) + 1``        ``if c then max(a, m) else m`` → ``max(m, if c then a else …)``
    ``max(a, b) <= c``    → ``a <= c && b <= c``     ``((a + b) % 7 + c) % 7`` → ``(a + b + c) % 7``

Each line is an identity of integers. What stands for *…* is the least value that ``m`` can have: it never counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from math import prod
from typing import TYPE_CHECKING

from burnside.ir.intervals import binary_interval
from burnside.ir.semantics import apply_operator

if TYPE_CHECKING:
    from burnside.detect.terms import Term, Terms

EXTREMES = ("max", "min")
IDEMPOTENT = (*EXTREMES, "&", "|")
UNORDERED = (*IDEMPOTENT, "*", "^")
_MOST_OPERANDS = 256  # of one term after nested ones have been opened
_MOST_COMPARISONS = 256  # that one comparison of extremes is taken apart into


def unordered(terms: Terms, operator: str, operands: Iterable[Term]) -> Term:
    """One term for any nesting of a commutative and associative operator."""
    operands = [*operands]
    if operator in EXTREMES:
        return _extreme(terms, operator, operands)
    counts: dict[int, tuple[int, Term]] = {}
    for operand in operands:
        is_same = operand.operator == operator
        for factor, part in zip(operand.coefficients, operand.args, strict=True) if is_same else ((1, operand),):
            counts[part.number] = (counts.get(part.number, (0, part))[0] + factor, part)
    if operator in IDEMPOTENT:
        counts = {number: (1, part) for number, (_, part) in counts.items()}
    elif operator == "^":
        counts = {number: (1, part) for number, (count, part) in counts.items() if count % 2}
    return _made(terms, operator, [counts[number] for number in sorted(counts)])


def _made(terms: Terms, operator: str, parts: Sequence[tuple[int, Term]]) -> Term:
    """The constants among the operands are computed; the others keep how often they occur."""
    constants = [part.value for count, part in parts if part.is_constant for _ in range(count)]
    others = [(count, part) for count, part in parts if not part.is_constant]
    if not parts:  # pairs cancel in ``^``
        return terms.false
    if constants:
        constant = reduce(lambda a, b: apply_operator(operator, a, b), constants)
        if not others:
            return terms.constant(constant)
        if operator == "*":
            return terms.linear(0, ((constant, _made(terms, operator, others)),))
        others.append((1, terms.constant(constant)))
    if len(others) == 1 and others[0][0] == 1:
        return others[0][1]
    intervals = [(part.low, part.high) for count, part in others for _ in range(count)]
    bounds = reduce(lambda a, b: binary_interval(operator, a, b), intervals)
    return terms.make(operator, tuple(p for _, p in others), bounds, coefficients=tuple(c for c, _ in others))


# ---------------------------------------------------------------- extremes


def operands_of(terms: Terms, operator: str, term: Term) -> list[Term]:
    """What a term is the extreme of: itself, or the operands of an extreme inside, with what is added to it."""
    if term.operator == operator:
        return [*term.args]
    if term.operator != "sum":
        return [term]
    inner = [k for k, a in enumerate(term.args) if a.operator in EXTREMES]
    if len(inner) != 1 or len(term.args[inner[0]].args) > _MOST_OPERANDS:
        return [term]
    at = inner[0]
    factor, extreme = term.coefficients[at], term.args[at]
    if (extreme.operator == operator) != (factor > 0):
        return [term]
    rest = [(c, a) for k, (c, a) in enumerate(zip(term.coefficients, term.args, strict=True)) if k != at]
    return [terms.linear(term.value, ((factor, a), *rest)) for a in extreme.args]


def _extreme(terms: Terms, operator: str, operands: Sequence[Term]) -> Term:
    opened = {part.number: part for o in operands for part in operands_of(terms, operator, o)}
    if len(opened) > _MOST_OPERANDS:
        opened = {o.number: o for o in operands}
    kept = _undominated(operator, [opened[number] for number in sorted(opened)])
    if len(kept) == 1:
        return kept[0]
    if all(o.low >= 0 and o.high <= 1 for o in kept):
        return (terms.disjunction if operator == "max" else terms.conjunction)(kept)
    offsets = {o.value if o.operator == "sum" else 0 for o in kept if not o.is_constant}
    offset = offsets.pop() if len(offsets) == 1 else 0
    if offset:
        kept = [terms.linear(-offset, ((1, o),)) for o in kept]
        return terms.linear(offset, ((1, _extreme(terms, operator, kept)),))
    choose = max if operator == "max" else min
    bounds = (choose(o.low for o in kept), choose(o.high for o in kept))
    return terms.make(operator, tuple(kept), bounds, coefficients=(1,) * len(kept))


def _undominated(operator: str, operands: Sequence[Term]) -> list[Term]:
    """The operands that can decide: not those that another is always beyond."""
    if operator == "max":
        least = max(o.low for o in operands)
        kept = [o for o in operands if o.high > least]
        is_reached = any(o.low == least for o in kept)
    else:
        least = min(o.high for o in operands)
        kept = [o for o in operands if o.low < least]
        is_reached = any(o.high == least for o in kept)
    return kept if is_reached else [*kept, next(o for o in operands if o.is_constant and o.value == least)]


def compare_extreme(terms: Terms, operator: str, term: Term, bound: int) -> Term | None:
    """A comparison of an extreme, or of a sum that has some, as comparisons of their operands; None if it has none."""
    parts = [*zip(term.coefficients, term.args, strict=True)] if term.operator == "sum" else [(1, term)]
    bound -= term.value if term.operator == "sum" else 0
    extremes = [k for k, (_, part) in enumerate(parts) if part.operator in EXTREMES]
    if not extremes or prod(len(parts[k][1].args) for k in extremes) > _MOST_COMPARISONS:
        return None
    if any(_has_extreme(operand) for k in extremes for operand in parts[k][1].args):
        return None  # what it is taken apart into would depend on which extreme is opened first
    if operator == "eq":
        below = terms.negation(terms.compare("le", terms.linear(1 - bound, parts)))
        return terms.conjunction((terms.compare("le", terms.linear(-bound, parts)), below))
    is_every = [(parts[k][1].operator == "max") == (parts[k][0] > 0) for k in extremes]
    # Those first of which every operand counts, whichever cells they are about: else alike comparisons would look
    # different, once a conjunction of disjunctions and once the other way round.
    at = extremes[is_every.index(True) if any(is_every) else 0]
    factor, extreme = parts[at]
    rest = [*parts[:at], *parts[at + 1 :]]
    each = [terms.compare("le", terms.linear(-bound, ((factor, o), *rest))) for o in extreme.args]
    return terms.conjunction(each) if any(is_every) else terms.disjunction(each)


def _has_extreme(term: Term) -> bool:
    return term.operator in EXTREMES or (term.operator == "sum" and any(map(_has_extreme, term.args)))


# ---------------------------------------------------------------- choices


def choose_extreme(terms: Terms, condition: Term, then: Term, otherwise: Term) -> Term | None:
    """A choice that is an extreme of its sides; None if it is none."""
    for test, first, second in _spellings(terms, condition, then, otherwise):
        found = _compared_choice(terms, test, first, second)
        if found is not None:
            return found
    for operator in EXTREMES:
        for test, first, second in ((condition, then, otherwise), (terms.negation(condition), otherwise, then)):
            found = _extended_choice(terms, operator, test, first, second)
            if found is not None:
                return found
    return None


def _spellings(terms: Terms, condition: Term, then: Term, otherwise: Term) -> Iterator[tuple[Term, Term, Term]]:
    """The choice as it is; and a disjunction as the conjunction that it denies."""
    yield condition, then, otherwise
    if condition.operator == "or":
        yield terms.conjunction(map(terms.negation, condition.args)), otherwise, then


def _compared_choice(terms: Terms, condition: Term, then: Term, otherwise: Term) -> Term | None:
    """``if then > otherwise && gate then … else …`` is the maximum, as far as the gate is open."""
    asked = {t.number: t for t in _conjuncts(condition)}
    difference = terms.difference(then, otherwise)
    if all(t.support & ~difference.support for t in asked.values()):
        return None  # none is about the sides alone
    for operator, comparison in _comparisons(terms, difference):
        needed = {t.number for t in _conjuncts(comparison)}
        if not comparison.is_constant and needed <= asked.keys():
            gate = terms.conjunction(t for number, t in asked.items() if number not in needed)
            return _gated(terms, operator, gate, then, otherwise)
    return None


def _comparisons(terms: Terms, difference: Term) -> Iterator[tuple[str, Term]]:
    """Every spelling of a comparison of two terms, and the extreme that the first is where it holds."""
    for operator, sign in (("min", 1), ("max", -1)):
        signed = terms.linear(0, ((sign, difference),))
        for bound in (0, 1):  # not greater, less
            yield operator, terms.compare("le", terms.linear(bound, ((1, signed),)))
            yield operator, terms.negation(terms.compare("le", terms.linear(1 - bound, ((-1, signed),))))


def _conjuncts(condition: Term) -> tuple[Term, ...]:
    return condition.args if condition.operator == "and" else (condition,)


def _extended_choice(terms: Terms, operator: str, condition: Term, then: Term, otherwise: Term) -> Term | None:
    """``if c then max(a, m) else m``: the maximum of m and of what only counts where c holds."""
    more, fewer = (operands_of(terms, operator, side) for side in (then, otherwise))
    base = {o.number for o in fewer}
    added = [o for o in more if o.number not in base]
    if not added or not base <= {o.number for o in more}:
        return None
    return _gated(terms, operator, condition, unordered(terms, operator, added), otherwise)


def _gated(terms: Terms, operator: str, gate: Term, extra: Term, base: Term) -> Term:
    """The extreme of a term and of another that counts only where a gate is open."""
    neutral = terms.constant(base.low if operator == "max" else base.high)
    return unordered(terms, operator, (base, terms.choose(gate, extra, neutral)))


# ---------------------------------------------------------------- remainders


def remainder(terms: Terms, left: Term, modulus: int) -> Term:
    """What is left of a sum: summands that are remainders themselves, by a multiple of the modulus, are opened."""
    parts = zip(left.coefficients, left.args, strict=True) if left.operator == "sum" else ((1, left),)
    constant = left.value if left.operator == "sum" else 0
    opened: list[tuple[int, Term]] = []
    for factor, part in parts:
        divisor = part.args[1] if part.operator == "%" else None
        if divisor is not None and divisor.is_constant and divisor.value and divisor.value % modulus == 0:
            opened.append((factor, part.args[0]))
        else:
            opened.append((factor, part))
    return terms.linear(constant % modulus, ((factor % modulus, part) for factor, part in opened))


def share_summands(terms: Terms, condition: Term, then: Term, otherwise: Term) -> Term | None:
    """``if c then m + a else m`` as ``m + (if c then a else 0)``: what both sides have does not depend on c."""
    sides = [dict(_summands(side)) for side in (then, otherwise)]
    shared = [(sides[0][part], part) for part in sides[0] if sides[1].get(part) == sides[0][part]]
    if not shared:
        return None
    rests = (terms.linear(0, ((1, side), *((-factor, part) for factor, part in shared))) for side in (then, otherwise))
    return terms.linear(0, ((1, terms.choose(condition, *rests)), *shared))


def _summands(term: Term) -> Iterator[tuple[Term, int]]:
    if term.operator == "sum":
        yield from zip(term.args, term.coefficients, strict=True)
    elif not term.is_constant:
        yield term, 1
