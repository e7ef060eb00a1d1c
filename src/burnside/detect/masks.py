"""Terms evaluated on many assignments at once, without numerical libraries.

Assignments are numbered; a set of them is a *mask*, a number with a bit for each. What a term is on all of them is said
value by value: ``{0: 0b0101, 1: 0b1010}`` is 1 on the assignments 1 and 3. Domains are small, so most operators take a
few operations on masks, however many assignments there are, and sums are added up bit by bit of their values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, compress, repeat, zip_longest
from math import prod
from operator import and_, mul, or_, xor
from typing import Final, TypeAlias, final

from burnside.detect.terms import Term

Mask: TypeAlias = int
ByValue: TypeAlias = dict[int, Mask]  # masks have no bit in common, and are all assignments together

_ONE: Final = ord("1")
_TRUTHS: Final = bytes.maketrans(b"01", b"\0\1")
_BYTE: Final = 256
_MANY_PAIRS: Final = 64  # of values; beyond, an operator may be quicker on one assignment after the other


def by_value(column: Sequence[int]) -> ByValue:
    """Where each value is in a column.

    >>> by_value([5, 7, 5])
    {5: 5, 7: 2}
    """
    last, marks = len(column) - 1, {value: bytearray(b"0" * len(column)) for value in dict.fromkeys(column)}
    for place, value in enumerate(column):
        marks[value][last - place] = _ONE
    return {value: int(digits, 2) for value, digits in marks.items()}


def digits(mask: Mask, many: int) -> bytes:
    """For each of many assignments, 1 if it belongs to a mask, and 0 if not.

    >>> list(digits(0b10110, 6))
    [0, 1, 1, 0, 1, 0]
    """
    return f"{mask:0{many}b}".encode()[::-1].translate(_TRUTHS)


def places(mask: Mask) -> list[int]:
    """The assignments of a mask.

    >>> places(0b10110)
    [1, 2, 4]
    """
    many = mask.bit_length()
    return [*compress(range(many), digits(mask, many))]


def column_of(found: ByValue, many: int) -> list[int]:
    """The value on each of many assignments.

    >>> column_of({5: 0b101, 7: 0b010}, 3)
    [5, 7, 5]
    """
    values = [*found]
    if len(values) > _BYTE:
        places_of = {value: places(mask) for value, mask in found.items()}
        return [value for _, value in sorted((p, value) for value, some in places_of.items() for p in some)]
    numbers = 0  # of values, a byte for each assignment
    for position, ones in enumerate(_binary(dict(enumerate(found.values())))):
        numbers |= int.from_bytes(digits(ones, many), "little") << position
    return [values[number] for number in numbers.to_bytes(many, "little")]


def runs(*sizes: int) -> list[list[Mask]]:
    """For every column of a product of so many values each, in which rows it has the first, the second, and so on.

    >>> runs(2, 2)
    [[3, 12], [5, 10]]
    """
    columns: list[list[Mask]] = []
    many = 1
    for size in reversed(sizes):  # the last one changes from row to row
        run = (1 << many) - 1
        again = [[_repeated(mask, many, size) for mask in column] for column in columns]
        columns = [[run << many * k for k in range(size)], *again]
        many *= size
    return columns


def _repeated(mask: Mask, width: int, times: int) -> Mask:
    """A mask of some width, so many times. Multiplying would take longer than linear time.

    >>> bin(_repeated(0b011, 3, 3))
    '0b11011011'
    """
    done = 1
    while done < times:
        more = min(done, times - done)
        mask |= (mask & (1 << more * width) - 1) << done * width
        done += more
    return mask


@final
class Evaluation:
    """The values of terms for given values of cells on ``many`` assignments, each computed once."""

    def __init__(self, cells: Mapping[int, ByValue], many: int) -> None:
        self.cells = cells
        self._many = many
        self._everywhere = (1 << many) - 1
        self._truths: dict[int, Mask] = {}
        self._values: dict[int, ByValue] = {}

    @staticmethod
    def on_all(values: Mapping[int, Sequence[int]]) -> Evaluation:
        """On all assignments of such values to cells.

        >>> Evaluation.on_all({4: [0, 1], 7: [5, 6]}).cells
        {4: {0: 3, 1: 12}, 7: {5: 5, 6: 10}}
        """
        sizes = [*map(len, values.values())]
        if not all(sizes):
            return Evaluation({cell: {} for cell in values}, 0)
        columns = zip(values.items(), runs(*sizes), strict=True)
        return Evaluation({cell: dict(zip(v, masks, strict=True)) for (cell, v), masks in columns}, prod(sizes))

    @staticmethod
    def at_state(state: Sequence[int]) -> Evaluation:
        """In one state."""
        return Evaluation({cell: {value: 1} for cell, value in enumerate(state)}, 1)

    def after(self, updates: Iterable[tuple[int, Term]]) -> Evaluation:
        """When cells have become what terms are here."""
        return Evaluation({**self.cells, **{cell: self.value(term) for cell, term in updates}}, self._many)

    def truth(self, term: Term) -> Mask:
        """Where a condition holds."""
        known = self._truths.get(term.number)
        if known is None:
            known = self._truths[term.number] = self._condition(term)
        return known

    def value(self, term: Term) -> ByValue:
        """The values of a term, and where it has each."""
        known = self._values.get(term.number)
        if known is None:
            known = self._values[term.number] = self._number(term)
        return known

    def at(self, place: int, term: Term) -> int:
        """The value of a term on one assignment."""
        return next(value for value, mask in self.value(term).items() if mask >> place & 1)

    def _condition(self, term: Term) -> Mask:
        match term.operator:
            case "and":
                mask = self._everywhere
                for argument in term.args:
                    mask &= self.truth(argument)
                return mask
            case "or":
                mask = 0
                for argument in term.args:
                    mask |= self.truth(argument)
                return mask
            case "not":
                return self._everywhere ^ self.truth(term.args[0])
            case "eq":
                return self.value(term.args[0]).get(term.value, 0)
            case "le":
                return _united(mask for value, mask in self.value(term.args[0]).items() if value <= term.value)
            case _:
                return _united(mask for value, mask in self.value(term).items() if value)

    def _number(self, term: Term) -> ByValue:
        match term.operator:
            case "cell":
                return self.cells[term.value]
            case "const":
                return self._only(term.value)
            case "and" | "or" | "not" | "eq" | "le":
                holds = self.truth(term)
                return _present(((0, self._everywhere ^ holds), (1, holds)))
            case "sum":
                parts = [(c, self.value(a)) for c, a in zip(term.coefficients, term.args, strict=True)]
                return self._sum(term.value, parts)
            case "ite":
                holds = self.truth(term.args[0])
                sides = zip((holds, self._everywhere ^ holds), term.args[1:], strict=True)
                return _present((v, m & side) for side, arg in sides for v, m in self.value(arg).items())
            case _:
                counts = term.coefficients or (1,) * len(term.args)
                first, *others = chain.from_iterable(map(repeat, map(self.value, term.args), counts))
                for other in others:
                    first = self._paired(_OPERATORS[term.operator], first, other)
                return first

    def _only(self, value: int) -> ByValue:
        return {value: self._everywhere} if self._many else {}

    def _paired(self, operate: Callable[[int, int], int], left: ByValue, right: ByValue) -> ByValue:
        """An operator on two numbers: pair by pair of values, or assignment by assignment if these are fewer."""
        if len(left) * len(right) > max(_MANY_PAIRS, self._many):
            return by_value([*map(operate, column_of(left, self._many), column_of(right, self._many))])
        return _present((operate(v, w), m & n) for v, m in left.items() for w, n in right.items())

    def _sum(self, constant: int, parts: Sequence[tuple[int, ByValue]]) -> ByValue:
        """A weighted sum. Each part is counted from the least that it adds, so that only natural numbers are added."""
        if len(parts) == 1 or not self._many:
            return {constant + c * value: mask for c, part in parts for value, mask in part.items()}
        total: list[Mask] = []
        for coefficient, part in parts:
            least = min(coefficient * value for value in part)
            constant += least
            total = _added(total, _binary({coefficient * value - least: mask for value, mask in part.items()}))
        found = [(constant, self._everywhere)]
        for position, ones in enumerate(total):
            found = [half for value, mask in found for half in _halves(value, mask, position, ones)]
        return dict(found)


def _binary(found: ByValue) -> list[Mask]:
    """Natural numbers by their binary digits: where each of them is one."""
    binary = [0] * max(found, default=0).bit_length()
    for number, mask in found.items():
        for position in range(number.bit_length()):
            if number >> position & 1:
                binary[position] |= mask
    return binary


def _added(one: list[Mask], other: list[Mask]) -> list[Mask]:
    """The sums of natural numbers, by binary digits."""
    total, carry = [], 0
    for left, right in zip_longest(one, other, fillvalue=0):
        differ = left ^ right
        total.append(differ ^ carry)
        carry = (left & right) | (differ & carry)
    return [*total, carry] if carry else total


def _halves(value: int, mask: Mask, position: int, ones: Mask) -> Iterator[tuple[int, Mask]]:
    """What becomes of a value where its next binary digit is zero, and where it is one."""
    larger = mask & ones
    if larger != mask:
        yield value, mask ^ larger
    if larger:
        yield value + (1 << position), larger


def unequal(one: ByValue, other: ByValue, among: Mask) -> Mask:
    """Where two values differ, among some assignments.

    >>> bin(unequal({0: 0b0011, 1: 0b1100}, {0: 0b0101, 2: 0b1010}, 0b0111))
    '0b110'
    """
    return among & ~_united(mask & other.get(value, 0) for value, mask in one.items())


def _united(masks: Iterable[Mask]) -> Mask:
    union = 0
    for mask in masks:
        union |= mask
    return union


def _present(found: Iterable[tuple[int, Mask]]) -> ByValue:
    """Values that occur, each once."""
    present: ByValue = {}
    for value, mask in found:
        if mask:
            present[value] = present.get(value, 0) | mask
    return present


# A zero divisor is a fault, which has its own transition: any value will do here.
_OPERATORS: Final[Mapping[str, Callable[[int, int], int]]] = {
    "*": mul,
    "/": lambda left, right: left // (right or 1),
    "%": lambda left, right: left % (right or 1),
    "&": and_,
    "|": or_,
    "^": xor,
    "min": min,
    "max": max,
}
