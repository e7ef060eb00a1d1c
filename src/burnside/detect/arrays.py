"""Terms evaluated on many assignments at once.

Each cell is given as an array; arrays need only be broadcastable. Columns of a matrix of states evaluate a
term on all of them; one axis per cell evaluates it on the whole product, where sub-terms span only the axes
they read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from typing import Any, TypeAlias, final

import numpy as np
import numpy.typing as npt

from burnside.detect.terms import Term

Numbers: TypeAlias = npt.NDArray[np.int64]
Truths: TypeAlias = npt.NDArray[np.bool_]
Found: TypeAlias = npt.NDArray[Any]  # numbers, or truths: those stay a byte wide until someone counts with them


@final
class Evaluation:
    """The values of terms for given arrays of cells, each computed once."""

    def __init__(self, cells: Mapping[int, Numbers]) -> None:
        self._cells = cells
        self._known: dict[int, Found] = {}

    def value(self, term: Term) -> Numbers:
        """The values of a term."""
        return np.asarray(self._found(term), dtype=np.int64)

    def truth(self, term: Term) -> Truths:
        """Where a condition holds."""
        return _truth(self._found(term))

    def _found(self, term: Term) -> Found:
        known = self._known.get(term.number)
        if known is None:
            known = self._known[term.number] = self._compute(term)
        return known

    def _compute(self, term: Term) -> Found:
        if term.operator == "cell":
            return self._cells[term.value]
        return _apply(term, [self._found(a) for a in term.args])


def _truth(found: Found) -> Truths:
    return found if found.dtype == np.bool_ else np.asarray(found != 0)


def _apply(term: Term, args: Sequence[Found]) -> Found:
    match term.operator:
        case "const":
            return np.asarray(term.value, dtype=np.int64)
        case "and" | "or":
            combine = np.logical_and if term.operator == "and" else np.logical_or
            result = np.asarray(combine(_truth(args[0]), _truth(args[1])))
            for argument in args[2:]:
                # In place, unless it reads more cells than those before: then it has more axes.
                place = result if result.shape == argument.shape else None
                result = np.asarray(combine(result, _truth(argument), out=place))
            return result
        case "not":
            return np.asarray(~_truth(args[0]))
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
            return np.where(_truth(args[0]), args[1], args[2])
        case _:
            counts = term.coefficients or (1,) * len(args)
            repeated = [np.asarray(a, dtype=np.int64) for a, n in zip(args, counts, strict=True) for _ in range(n)]
            return reduce(lambda left, right: _apply_binary(term.operator, left, right), repeated)


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
