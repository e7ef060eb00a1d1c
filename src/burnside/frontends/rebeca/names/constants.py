"""Values of expressions that no state decides: environment variables, sizes, arguments in ``main``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import final

from burnside.frontends.rebeca.names.types import BOOLEAN, INT, NULL, WIDTHS, Type, limits
from burnside.frontends.rebeca.read import syntax
from burnside.frontends.rebeca.read.syntax import Expression, Name
from burnside.ir.nodes import Value
from burnside.source import Diagnostics, Span, did_you_mean
from burnside.values import dataclass


@final
@dataclass(frozen=True, slots=True)
class Known:
    """A value with its type; a rebec is its id."""

    type: Type
    value: Value


class NotConstant(Exception):
    """Raised after it has been reported that an expression has no value before the model runs."""


def quotient(left: int, right: int) -> int:
    """Division as in Java: towards zero.

    >>> quotient(-7, 2)
    -3
    """
    size = abs(left) // abs(right)
    return size if (left < 0) == (right < 0) else -size


def wrapped(value: int, kind: Type) -> int:
    """What a cast to a narrower type leaves of a number.

    >>> wrapped(200, Type("byte"))
    -56
    """
    low, high = limits(kind)
    return (value - low) % (high - low + 1) + low


@final
class Constants:
    """Evaluates expressions over names with known values."""

    def __init__(self, names: Mapping[str, Known], diagnostics: Diagnostics) -> None:
        self.names = names
        self._diagnostics = diagnostics

    def number(self, expr: Expression) -> int:
        """The value of a number."""
        found = self.value(expr)
        if not found.type.is_number or not isinstance(found.value, int):
            raise self._stop("BUR203", f"expected a number, found a value of type '{found.type}'", expr.span)
        return found.value

    def array(self, initial: syntax.Initial, kind: Type) -> Value:
        """The first value of a variable of a type."""
        if isinstance(initial, syntax.ArrayValue):
            if not kind.sizes or len(initial.items) != kind.sizes[0]:
                message = f"{len(initial.items)} values in braces for a variable of type '{kind}'"
                raise self._stop("BUR206", message, initial.span)
            return tuple(self.array(item, kind.element) for item in initial.items)
        return self.fitting(initial, kind)

    def fitting(self, expr: Expression, kind: Type) -> Value:
        """The value of an expression that must have a type (rebecs are checked by the caller)."""
        found = self.value(expr)
        if kind.is_number and found.type.is_number and isinstance(found.value, int):
            low, high = limits(kind)
            if not low <= found.value <= high:
                raise self._stop("BUR206", f"{found.value} is no value of type '{kind}'", expr.span)
            return found.value
        if found.type != kind and not (found.type.is_reference and kind.is_reference):
            message = f"expected a value of type '{kind}', found one of type '{found.type}'"
            raise self._stop("BUR203", message, expr.span)
        return found.value

    def value(self, expr: Expression) -> Known:
        """The value of any constant expression."""
        match expr:
            case syntax.Number(value=value):
                return Known(INT, value)
            case syntax.Truth(value=truth):
                return Known(BOOLEAN, int(truth))
            case syntax.Null():
                return Known(NULL, -1)
            case Name(name=name) if name in self.names:
                return self.names[name]
            case Name(name=name):
                remedy = did_you_mean(name, self.names)
                raise self._stop("BUR201", f"'{name}' is not known here", expr.span, help=remedy)
            case syntax.Index(array=array, index=index):
                return self._element(self.value(array), self.number(index), expr.span)
            case syntax.Unary(operator="!", operand=operand):
                return Known(BOOLEAN, 1 - self._truth(operand))
            case syntax.Unary(operator=sign, operand=operand):
                number = self.number(operand)
                return Known(INT, {"-": -number, "+": number, "~": ~number}[sign])
            case syntax.Conditional(condition=condition, then=then, otherwise=otherwise):
                return self.value(then if self._truth(condition) else otherwise)
            case syntax.Cast(type=kind, operand=operand) if kind.name in WIDTHS and not kind.sizes:
                target = Type(kind.name)
                return Known(target, wrapped(self.number(operand), target))
            case syntax.Binary():
                return self._binary(expr)
            case _:
                remedy = "use numbers, truth values, environment variables and rebecs"
                raise self._stop("BUR207", "this value is not known before the model runs", expr.span, help=remedy)

    def _truth(self, expr: Expression) -> int:
        found = self.value(expr)
        if found.type != BOOLEAN or not isinstance(found.value, int):
            raise self._stop("BUR203", f"expected a truth value, found a value of type '{found.type}'", expr.span)
        return found.value

    def _element(self, array: Known, index: int, span: Span) -> Known:
        if not isinstance(array.value, tuple):
            raise self._stop("BUR203", f"a value of type '{array.type}' has no elements", span)
        if not 0 <= index < len(array.value):
            raise self._stop("BUR206", f"index {index} is outside 0..{len(array.value) - 1}", span)
        return Known(array.type.element, array.value[index])

    def _binary(self, expr: syntax.Binary) -> Known:
        if expr.operator in ("&&", "||"):
            left = self._truth(expr.left)
            if left == (expr.operator == "||"):
                return Known(BOOLEAN, left)
            return Known(BOOLEAN, self._truth(expr.right))
        if expr.operator in ("==", "!="):
            return self._equality(expr, self.value(expr.left), self.value(expr.right))
        return self._arithmetic(expr, self.number(expr.left), self.number(expr.right))

    def _equality(self, expr: syntax.Binary, left: Known, right: Known) -> Known:
        """Numbers, truth values and rebecs are never equal to one another, whatever stands for them."""
        are_numbers = left.type.is_number and right.type.is_number
        are_rebecs = left.type.is_reference and right.type.is_reference
        if not are_numbers and not are_rebecs and not left.type == right.type == BOOLEAN:
            message = f"values of type '{left.type}' and '{right.type}' do not go together"
            raise self._stop("BUR203", message, expr.span)
        return Known(BOOLEAN, int((left.value == right.value) == (expr.operator == "==")))

    def _arithmetic(self, expr: syntax.Binary, left: int, right: int) -> Known:
        if expr.operator in ("/", "%") and right == 0:
            raise self._stop("BUR207", "division by zero", expr.span)
        if expr.operator in ("<<", ">>") and not 0 <= right < 32:
            raise self._stop("BUR207", f"a shift by {right} bits", expr.span)
        match expr.operator:
            case "<" | "<=" | ">" | ">=":
                holds = {"<": left < right, "<=": left <= right, ">": left > right, ">=": left >= right}
                return Known(BOOLEAN, int(holds[expr.operator]))
            case "+":
                result = left + right
            case "-":
                result = left - right
            case "*":
                result = left * right
            case "/":
                result = quotient(left, right)
            case "%":
                result = left - right * quotient(left, right)
            case "&":
                result = left & right
            case "|":
                result = left | right
            case "^":
                result = left ^ right
            case "<<":
                result = left << right
            case ">>":
                result = left >> right
            case _:
                raise self._stop("BUR203", f"'{expr.operator}' has no meaning here", expr.span)
        return Known(INT, result)

    def _stop(self, code: str, message: str, span: Span, *, help: str = "") -> NotConstant:
        self._diagnostics.error(code, message, span, help=help)
        return NotConstant()
