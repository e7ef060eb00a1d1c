"""Variables and channels: their shapes, ranges and first values."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from math import prod
from typing import Final

from burnside.frontends.cspsharp.names.scope import Channel, GlobalVariable, Ground, Scope, Unusable, constant
from burnside.frontends.cspsharp.read.declarations import (
    ArrayItem,
    ChannelDeclaration,
    Specification,
    VariableDeclaration,
)
from burnside.frontends.cspsharp.read.syntax import Expression
from burnside.frontends.cspsharp.unfold.ground import MOST_INSTANCES
from burnside.frontends.cspsharp.unfold.programs import Grounder
from burnside.ir.nodes import BOOL

# Each is an initial state by itself.
MOST_STARTS: Final = 1 << 20


def declare_all(specification: Specification, scope: Scope, ground: Grounder, written: Collection[str]) -> None:
    """Enter the variables and channels of a text in their order; each error on its own."""
    for variable in specification.variables:
        try:
            scope.variables[variable.name] = _variable(variable, scope, ground, variable.name in written)
        except Unusable:
            continue
    for channel in specification.channels:
        try:
            scope.channels[channel.name] = _channel(channel, scope, ground)
        except Unusable:
            continue


def _variable(declared: VariableDeclaration, scope: Scope, ground: Grounder, is_written: bool) -> GlobalVariable:
    name = declared.name
    dimensions = tuple(ground.number(d, {}, f"the size of '{name}'") for d in declared.dimensions)
    low = None if declared.low is None else ground.number(declared.low, {}, f"the range of '{name}'")
    high = None if declared.high is None else ground.number(declared.high, {}, f"the range of '{name}'")
    values: list[Ground | None]
    match declared.initial:
        case None:
            # A range without zero begins at its bound.
            least = 0 if low is None or low <= 0 else low
            values = [constant(least if high is None or least <= high else high)]
        case "*":
            values = [None]
        case str():
            raise AssertionError("no such initial value")
        case tuple():
            values = [*_literal(declared.initial, ground)]
            dimensions = dimensions or (len(values),)
            if len(values) != prod(dimensions):
                message = f"'{name}' has {prod(dimensions)} elements, but {len(values)} initial values"
                raise scope.stop("BUR206", message, declared.span)
        case expression:
            values = [ground.value(expression, {}, f"the first value of '{name}'")]
    if not isinstance(declared.initial, tuple):
        if any(d < 1 for d in dimensions) or prod(dimensions) > MOST_INSTANCES:
            raise scope.stop("BUR205", f"'{name}' has {prod(dimensions):,} elements", declared.span)
        values *= prod(dimensions)
    if None in values and None in (low, high):
        raise scope.stop("BUR206", f"'{name}' can start with any value only if it has a range", declared.span)
    if None in values and low is not None and high is not None and high - low >= MOST_STARTS:
        message = f"'{name}' can start with any of {high - low + 1:,} values"
        raise scope.stop("BUR206", message, declared.span, help="give it a smaller range, or a first value")
    if not values:
        raise scope.stop("BUR205", f"'{name}' has no elements", declared.span)
    truths = {v is not None and v.domain == BOOL for v in values}
    if len(truths) > 1 or (True in truths and (low, high) != (None, None)):
        raise scope.stop("BUR203", f"'{name}' mixes numbers and truth values", declared.span)
    initial = tuple(None if v is None else v.value for v in values)
    _check_range(declared, low, high, initial, scope)
    spans = tuple(v.span for v in values if v is not None and v.span is not None)
    spans = spans if len(spans) == len(values) else ()
    return GlobalVariable(name, dimensions, low, high, initial, True in truths, is_written, declared.span, spans)


def _check_range(
    declared: VariableDeclaration, low: int | None, high: int | None, values: tuple[int | None, ...], scope: Scope
) -> None:
    if low is not None and high is not None and low > high:
        raise scope.stop("BUR205", f"the range of '{declared.name}' is empty", declared.span)
    for value in values:
        if value is not None and ((low is not None and value < low) or (high is not None and value > high)):
            shown = f"{'' if low is None else low}..{'' if high is None else high}"
            message = f"initial value {value} of '{declared.name}' is outside {shown}"
            raise scope.stop("BUR206", message, declared.span)


def _literal(items: tuple[ArrayItem, ...], ground: Grounder) -> Iterator[Ground]:
    """``[1(2), 3..6, 12..10]``: repeats and runs, up or down."""
    for item in items:
        if item.last is not None:
            first = ground.number(item.value, {}, "a run")
            last = ground.number(item.last, {}, "a run")
            _check_count(abs(last - first) + 1, item.last, ground)
            yield from map(constant, range(first, last + 1) if first <= last else range(first, last - 1, -1))
        else:
            count = 1 if item.count is None else ground.number(item.count, {}, "a repeat count")
            _check_count(count, item.value, ground)
            yield from [ground.value(item.value, {}, "an element")] * count


def _check_count(count: int, at: Expression, ground: Grounder) -> None:
    if not 0 <= count <= MOST_INSTANCES:
        raise ground.scope.stop("BUR205", f"this stands for {count:,} elements", at.span)


def _channel(declared: ChannelDeclaration, scope: Scope, ground: Grounder) -> Channel:
    size = None if declared.size is None else ground.number(declared.size, {}, "the size of a channel array")
    capacity = ground.number(declared.capacity, {}, "the capacity of a channel")
    if not 0 <= capacity <= 1_000 or (size is not None and not 1 <= size <= MOST_INSTANCES):
        raise scope.stop("BUR205", f"channel '{declared.name}' cannot have this size", declared.span)
    return Channel(declared.name, size, capacity, declared.span)
