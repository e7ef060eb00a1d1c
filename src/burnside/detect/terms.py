"""Terms over the cells of a state, in a normal form, shared by identity.

A term is a number or a truth value (0 or 1) computed from *old* cells with constant indices; there are no
quantifiers, names or faults left in it. Equal terms are one object, conjunctions and sums do not
remember the order they were written in, and comparisons have one spelling:

    ``a > b`` → ``not (a - b <= 0)``      ``1 + x == y`` → ``x - y == -1``      ``if c then x + 1 else x`` → ``x + c``

Operators without order (``max``, products) are in `folds`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import final

from burnside.detect import folds
from burnside.ir.intervals import binary_interval
from burnside.ir.nodes import Domain
from burnside.ir.semantics import apply_operator
from burnside.source import Span

DEEPEST_TERM = 120  # later stages recurse over terms
LARGEST_NUMBER = (1 << 63) - 1  # later stages compute with 64 bits
_DEEPEST_TEXT = 10
_OF_EXTREMES = ("sum", *folds.EXTREMES)


class TooLarge(Exception):
    """Something has too many parts, too deep ones, or too large numbers, to be written out.

    It may be smaller if the values of the cells in ``support``, a bit mask, are known; ``span`` is where it stands.
    """

    def __init__(self, support: int = 0, span: Span | None = None) -> None:
        super().__init__()
        self.support = support
        self.span = span


@final
class Term:
    """One node. ``support`` is the set of cells it reads as a bit mask; ``low`` and ``high`` bound its value, which is
    known if it ``is_constant``.

    Operators: ``const`` (value), ``cell`` (value = its number), ``and``, ``or``, ``not``; ``eq`` and ``le`` compare
    their argument with ``value``; ``sum`` has coefficients and adds ``value``; ``ite``; ``max min & | ^ *`` have any
    number of arguments, their coefficients say how often each occurs; and ``/ %`` two.
    """

    __slots__ = "args", "coefficients", "depth", "high", "is_constant", "low", "number", "operator", "support", "value"

    def __init__(
        self,
        operator: str,
        args: tuple[Term, ...],
        value: int,
        coefficients: tuple[int, ...],
        bounds: tuple[int, int],
        number: int,
    ) -> None:
        self.operator = operator
        self.args = args
        self.value = value
        self.coefficients = coefficients
        self.low, self.high = bounds
        self.number = number
        self.is_constant = operator == "const"
        self.support = 1 << value if operator == "cell" else 0
        self.depth = 0
        for argument in args:
            self.support |= argument.support
            self.depth = max(self.depth, argument.depth + 1)
        if self.depth > DEEPEST_TERM:
            raise TooLarge(self.support)

    def cells(self) -> list[int]:
        """The cells the term reads, in order."""
        return bits(self.support)

    def text(self, names: Mapping[int, str], depth: int = _DEEPEST_TEXT) -> str:
        """The term in the user's names, for dumps; what is nested too deeply is left out."""
        if depth == 0 and self.args:
            return "…"
        inner = [a.text(names, depth - 1) for a in self.args]
        match self.operator:
            case "const":
                return str(self.value)
            case "cell":
                return names[self.value]
            case "and" | "or":
                return "(" + {"and": " && ", "or": " || "}[self.operator].join(inner) + ")"
            case "not":
                return f"!{inner[0]}"
            case "eq" | "le":
                return f"({inner[0]} {'==' if self.operator == 'eq' else '<='} {self.value})"
            case "sum":
                parts = [t if c == 1 else f"{c}*{t}" for c, t in zip(self.coefficients, inner, strict=True)]
                return "(" + " + ".join([*parts, *([str(self.value)] if self.value else [])]) + ")"
            case "ite":
                return f"(if {inner[0]} then {inner[1]} else {inner[2]})"
            case "max" | "min":
                return f"{self.operator}({', '.join(inner)})"
            case _:
                counts = self.coefficients or (1,) * len(inner)
                written = [text for text, count in zip(inner, counts, strict=True) for _ in range(count)]
                return "(" + f" {self.operator} ".join(written) + ")"


def bits(mask: int) -> list[int]:
    """The positions of the ones in a mask.

    >>> bits(0b10110)
    [1, 2, 4]
    """
    positions = []
    while mask:
        lowest = mask & -mask
        positions.append(lowest.bit_length() - 1)
        mask ^= lowest
    return positions


@final
class Terms:
    """The factory: makes terms in normal form and keeps one object per term.

    ``origins`` has a place in the text for terms that were asked for there: the first, if there are several.
    """

    def __init__(self, domains: Iterable[Domain]) -> None:
        self._domains = list(domains)
        self.origins: dict[int, Span] = {}
        self._known: dict[tuple[object, ...], Term] = {}
        self._constants: dict[int, Term] = {}
        self._cells: dict[int, Term] = {}
        self._results: dict[tuple[str | Term, Term, Term], Term] = {}  # of operators and choices
        self.false = self.constant(0)
        self.true = self.constant(1)

    def make(
        self,
        operator: str,
        args: tuple[Term, ...],
        bounds: tuple[int, int],
        value: int = 0,
        coefficients: tuple[int, ...] = (),
    ) -> Term:
        """The one term with these parts, which are in normal form."""
        if bounds[0] == bounds[1] and operator != "const":  # ``x % 1``: its coefficient says nothing, and has no bound
            return self.constant(bounds[0])
        key = (operator, value, coefficients, args)
        term = self._known.get(key)
        if term is None:
            term = Term(operator, args, value, coefficients, bounds, len(self._known))
            self._known[key] = term
        return term

    def at(self, term: Term, span: Span | None) -> Term:
        """The same term, which a place in the text asks for."""
        if span is not None:
            self.origins.setdefault(term.number, span)
        return term

    def constant(self, value: int) -> Term:
        """A known number."""
        known = self._constants.get(value)
        if known is None:
            known = self._constants[value] = self.make("const", (), (value, value), value)
        return known

    def cell(self, number: int) -> Term:
        """The old value of a cell."""
        known = self._cells.get(number)
        if known is None:
            domain = self._domains[number]
            known = self._cells[number] = self.make("cell", (), (domain.low, domain.high), number)
        return known

    # ------------------------------------------------------------ truth values

    def conjunction(self, terms: Iterable[Term]) -> Term:
        """All of them."""
        return self._junction("and", terms)

    def disjunction(self, terms: Iterable[Term]) -> Term:
        """Any of them."""
        return self._junction("or", terms)

    def _junction(self, operator: str, terms: Iterable[Term]) -> Term:
        neutral, deciding = (self.true, self.false) if operator == "and" else (self.false, self.true)
        kept: dict[int, Term] = {}  # by what they affirm or deny
        for term in terms:
            for part in term.args if term.operator == operator else (term,):
                if part is neutral:
                    continue
                subject = part.args[0].number if part.operator == "not" else part.number
                if part is deciding or kept.setdefault(subject, part) is not part:
                    return deciding
        if not kept:
            return neutral
        if len(kept) == 1:
            return kept.popitem()[1]
        return self.make(operator, tuple([kept[n] for n in sorted(kept)]), (0, 1))

    def negation(self, term: Term) -> Term:
        """Not that."""
        if term.is_constant:
            return self.false if term.value else self.true
        return term.args[0] if term.operator == "not" else self.make("not", (term,), (0, 1))

    # ------------------------------------------------------------ numbers

    def linear(self, constant: int, parts: Iterable[tuple[int, Term]]) -> Term:
        """``constant + Σ coefficient · term``, like terms collected."""
        collected: dict[int, tuple[int, Term]] = {}
        for coefficient, term in parts:
            inner: Iterable[tuple[int, Term]] = ((1, term),)
            if term.operator == "sum":
                constant += coefficient * term.value
                inner = zip(term.coefficients, term.args, strict=True)
            elif term.is_constant:
                constant += coefficient * term.value
                continue
            for factor, part in inner:
                before = collected.get(part.number, (0, part))[0]
                collected[part.number] = (before + coefficient * factor, part)
        kept = [collected[n] for n in sorted(collected) if collected[n][0]]
        if not kept:
            return self.constant(constant)
        if len(kept) == 1 and constant == 0 and kept[0][0] == 1:
            return kept[0][1]
        low = high = constant
        largest = abs(constant)
        for c, t in kept:
            bounds = (c * t.low, c * t.high) if c > 0 else (c * t.high, c * t.low)
            low, high = low + bounds[0], high + bounds[1]
            largest += max(abs(bounds[0]), abs(bounds[1]))
        if largest > LARGEST_NUMBER:
            raise TooLarge
        return self.make("sum", tuple([t for _, t in kept]), (low, high), constant, tuple([c for c, _ in kept]))

    def add(self, left: Term, right: Term) -> Term:
        """Their sum."""
        return self.linear(0, ((1, left), (1, right)))

    def difference(self, left: Term, right: Term) -> Term:
        """Left minus right."""
        return self.linear(0, ((1, left), (-1, right)))

    def binary(self, operator: str, left: Term, right: Term) -> Term:
        """An operator of the sequential model; a zero divisor is the caller's concern and gives some value."""
        known = self._results.get((operator, left, right))
        if known is None:
            known = self._results[operator, left, right] = self._binary(operator, left, right)
        return known

    def _binary(self, operator: str, left: Term, right: Term) -> Term:
        match operator:
            case "+":
                return self.add(left, right)
            case "-":
                return self.difference(left, right)
            case "==" | "<=>":
                return self.equal(left, right)
            case "!=":
                return self.negation(self.equal(left, right))
            case "<=":
                return self.at_most(left, right)
            case ">=":
                return self.at_most(right, left)
            case "<":
                return self.negation(self.at_most(right, left))
            case ">":
                return self.negation(self.at_most(left, right))
        if operator in ("/", "%") and right is self.false:
            right = self.true  # as where terms are evaluated: some value
        if left.is_constant and right.is_constant:
            return self.constant(apply_operator(operator, left.value, right.value))
        if operator in folds.UNORDERED:
            return folds.unordered(self, operator, (left, right))
        if operator == "%" and right.is_constant and right.value > 0:
            with suppress(TooLarge):  # what was opened may leave 64 bits where remainders did not
                left = folds.remainder(self, left, right.value)
        bounds = binary_interval(operator, (left.low, left.high), (right.low, right.high))
        return self.make(operator, (left, right), bounds)

    def substituted(self, term: Term, cells: Mapping[int, Term], known: dict[int, Term]) -> Term:
        """A term with others in place of cells; ``known`` has results for the same map, or others in place of terms."""
        result = known.get(term.number)
        if result is None:
            result = term
            if not (cells and cells.keys().isdisjoint(term.cells())):
                args = [self.substituted(a, cells, known) for a in term.args]
                result = self.at(self._rebuilt(term, args, cells), self.origins.get(term.number))
            known[term.number] = result
        return result

    def _rebuilt(self, term: Term, args: list[Term], cells: Mapping[int, Term]) -> Term:
        match term.operator:
            case "const":
                return term
            case "cell":
                return cells.get(term.value, term)
            case "and" | "or":
                return self._junction(term.operator, args)
            case "not":
                return self.negation(args[0])
            case "eq" | "le":
                return self.compare(term.operator, self.linear(-term.value, ((1, args[0]),)))
            case "sum":
                return self.linear(term.value, zip(term.coefficients, args, strict=True))
            case "ite":
                return self.choose(*args)
            case "/" | "%":
                return self.binary(term.operator, *args)
            case _:
                repeated = (a for a, count in zip(args, term.coefficients, strict=True) for _ in range(count))
                return folds.unordered(self, term.operator, repeated)

    # ------------------------------------------------------------ comparisons

    def equal(self, left: Term, right: Term) -> Term:
        """Whether both have the same value."""
        if right.is_constant and left.operator != "sum":  # by far the most frequent, and already in normal form
            return self._compare_with("eq", left, right.value)
        return self.compare("eq", self.difference(left, right))

    def at_most(self, left: Term, right: Term) -> Term:
        """Whether left is not greater than right."""
        if right.is_constant and left.operator != "sum":
            return self._compare_with("le", left, right.value)
        if left.is_constant and right.operator != "sum":
            return self.negation(self._compare_with("le", right, left.value - 1))
        return self.compare("le", self.difference(left, right))

    def compare(self, operator: str, difference: Term) -> Term:
        """A comparison of a term with zero: the constant part moves to the other side."""
        bound = 0
        if difference.operator == "sum":
            bound = -difference.value
            difference = self.linear(0, zip(difference.coefficients, difference.args, strict=True))
        if difference.operator == "sum" and all(c < 0 for c in difference.coefficients):
            negated = self.linear(0, zip((-c for c in difference.coefficients), difference.args, strict=True))
            if operator == "eq":
                return self._compare_with(operator, negated, -bound)
            return self.negation(self._compare_with("le", negated, -bound - 1))
        return self._compare_with(operator, difference, bound)

    def _compare_with(self, operator: str, term: Term, bound: int) -> Term:
        if term.is_constant:
            holds = term.value == bound if operator == "eq" else term.value <= bound
            return self.true if holds else self.false
        if operator == "le":
            if term.high <= bound:
                return self.true
            if term.low > bound:
                return self.false
        elif not term.low <= bound <= term.high:
            return self.false
        of_operands = folds.compare_extreme(self, operator, term, bound) if term.operator in _OF_EXTREMES else None
        if of_operands is not None:
            return of_operands
        if operator == "le" and bound == term.low:
            return self._compare_with("eq", term, bound)
        if operator == "le" and bound == term.high - 1:
            return self.negation(self._compare_with("eq", term, term.high))
        if operator == "eq" and (term.low, term.high) == (0, 1):
            return term if bound == 1 else self.negation(term)
        if term.operator == "ite":  # compare the sides: they are narrower than the choice
            condition, then, otherwise = term.args
            sides = (self.compare(operator, self.linear(-bound, ((1, side),))) for side in (then, otherwise))
            return self.choose(condition, *sides)
        return self.make(operator, (term,), (0, 1), bound)

    def choose(self, condition: Term, then: Term, otherwise: Term) -> Term:
        """``if condition then … else …``."""
        if condition.is_constant or then is otherwise:
            return then if condition.value or then is otherwise else otherwise
        if condition.operator == "not":
            return self.choose(condition.args[0], otherwise, then)
        known = self._results.get((condition, then, otherwise))
        if known is None:
            known = self._results[condition, then, otherwise] = self._choose(condition, then, otherwise)
        return known

    def _choose(self, condition: Term, then: Term, otherwise: Term) -> Term:
        difference = self.difference(then, otherwise)
        if difference.is_constant:  # an accumulating step: x + c has no order, nested choices would have one
            return self.linear(0, ((1, otherwise), (difference.value, condition)))
        bounds = (min(then.low, otherwise.low), max(then.high, otherwise.high))
        if bounds == (0, 1):
            first = self.conjunction((condition, then))
            return self.disjunction((first, self.conjunction((self.negation(condition), otherwise))))
        found = folds.choose_extreme(self, condition, then, otherwise)
        found = found or folds.share_summands(self, condition, then, otherwise)
        if found is not None:
            return found
        return self.make("ite", (condition, then, otherwise), bounds)
