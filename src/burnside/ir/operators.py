"""The operators of two numbers or truth values, by what they give. `semantics.apply_operator` is what they mean."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Final

ARITHMETIC = ("+", "-", "*", "/", "%", "&", "|", "^", "min", "max")
ORDERINGS = ("<", "<=", ">", ">=")
EQUALITIES = ("==", "!=")
CONNECTIVES = ("=>", "<=>")

# What strict operators make of numbers.
FUNCTIONS: Final[Mapping[str, Callable[[int, int], int]]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.floordiv,
    "%": operator.mod,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
    "min": min,
    "max": max,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "<=>": operator.eq,
    "!=": operator.ne,
}
