"""Terms evaluated on many assignments at once.

Each cell is given as an array; arrays need only be broadcastable. Columns of a matrix of states evaluate a
term on all of them; one axis per cell evaluates it on the whole product, where sub-terms span only the axes
they read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias, final

import numpy as np
import numpy.typing as npt

from burnside.detect.terms import Term

Numbers: TypeAlias = npt.NDArray[np.int64]


@final
class Evaluation:
    """The values of terms for given arrays of cells, each computed once."""

    def __init__(self, cells: Mapping[int, Numbers]) -> None:
        self._cells = cells
        self._known: dict[int, Numbers] = {}

    def value(self, term: Term) -> Numbers:
        """The values of a term."""
        known = self._known.get(term.number)
        if known is None:
            known = self._known[term.number] = self._compute(term)
        return known

    def truth(self, term: Term) -> npt.NDArray[np.bool_]:
        """Where a condition holds."""
        return np.asarray(self.value(term) != 0)

    def _compute(self, term: Term) -> Numbers:
        if term.operator == "cell":
            return self._cells[term.value]
        return np.asarray(_apply(term, [self.value(a) for a in term.args]), dtype=np.int64)


def _apply(term: Term, args: Sequence[Numbers]) -> npt.NDArray[np.generic]:
    match term.operator:
        case "const":
            return np.asarray(term.value, dtype=np.int64)
        case "and" | "or":
            combine = np.logical_and if term.operator == "and" else np.logical_or
            result = args[0] != 0
            for argument in args[1:]:
                result = combine(result, argument != 0)
            return np.asarray(result)
        case "not":
            return np.asarray(args[0] == 0)
        case "eq":
            return np.asarray(args[0] == term.value)
        case "le":
            return np.asarray(args[0] <= term.value)
        case "sum":
            total = np.asarray(term.value, dtype=np.int64)
            for coefficient, argument in zip(term.coefficients, args, strict=True):
                total = total + coefficient * argument
            return total
        case "ite":
            return np.where(args[0] != 0, args[1], args[2])
        case _:
            return _apply_binary(term.operator, args[0], args[1])


def _apply_binary(operator: str, left: Numbers, right: Numbers) -> Numbers:
    match operator:
        case "*":
            return left * right
        case "/" | "%":
            # A zero divisor is a fault, which has its own transition: any value will do here.
            divisor = np.where(right == 0, 1, right)
            return left // divisor if operator == "/" else left % divisor
        case "&":
            return left & right
        case "|":
            return left | right
        case "^":
            return left ^ right
        case "min":
            return np.minimum(left, right)
        case "max":
            return np.maximum(left, right)
        case _:
            raise ValueError(f"no operator {operator}")
