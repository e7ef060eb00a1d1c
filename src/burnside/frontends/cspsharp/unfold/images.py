"""The values that expressions over variables may have, as the declared ranges of the variables say.

An alphabet is a matter of what is written, not of what an analysis finds out: an event with a variable among its
arguments stands for the events with all values that the arguments have for values in the declared ranges.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import prod
from typing import Final

from burnside.frontends.cspsharp.names.scope import Scope
from burnside.ir.nodes import Binary, Const, Expr, Length, Logic, Lookup, Read, Unary
from burnside.ir.semantics import FaultRaised, apply_operator
from burnside.ir.walk import children

MOST_IMAGES: Final = 20_000


def images(arguments: Sequence[Expr], scope: Scope) -> frozenset[tuple[int, ...]] | None:
    """The rows of values that some expressions have together; None if a range is missing or there are too many."""
    unknowns = list(dict.fromkeys(u for a in arguments for u in _unknowns(a)))
    ranges = [_range_of(u, scope) for u in unknowns]
    known = [r for r in ranges if r is not None]
    if len(known) < len(ranges) or prod(map(len, known)) > MOST_IMAGES:
        return None
    found: set[tuple[int, ...]] = set()
    for choice in product(*known):
        values = dict(zip(unknowns, choice, strict=True))
        try:
            found.add(tuple(_value(a, values) for a in arguments))
        except FaultRaised:
            continue  # this is a fault when it happens, not an event
    return frozenset(found)


def _unknowns(expr: Expr) -> Iterator[Expr]:
    """What a state decides: elements of variables are taken as a whole, whatever their index."""
    if isinstance(expr, Read | Length | Lookup) or not isinstance(expr, Const | Unary | Binary | Logic):
        yield expr
        return
    for part in children(expr):
        yield from _unknowns(part)


def _range_of(unknown: Expr, scope: Scope) -> Sequence[int] | None:
    match unknown:
        case Read(variable=name):
            variable = scope.variables[name]
            if variable.is_truth:
                return range(2)
            if variable.low is not None and variable.high is not None:
                return range(variable.low, variable.high + 1)
        case Lookup(table=name):
            return sorted({v for v in scope.variables[name].initial if v is not None})
        case Length(variable=name):
            return range(scope.channels[name].capacity + 1)
    return None


def _value(expr: Expr, values: Mapping[Expr, int]) -> int:
    if expr in values:
        return values[expr]
    match expr:
        case Const(value=value):
            return value
        case Unary(operator=operator, operand=operand):
            inner = _value(operand, values)
            return -inner if operator == "-" else 1 - inner
        case Binary(operator=operator, left=left, right=right):
            return apply_operator(operator, _value(left, values), _value(right, values))
        case Logic(operator=operator, operands=operands):
            truths = (_value(o, values) for o in operands)
            return int(all(truths) if operator == "&&" else any(truths))
        case _:
            raise AssertionError("an unknown without a value")
