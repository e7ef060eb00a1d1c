"""Conditions in C: every part of a term once, as a number of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import final

from burnside.ctext import c_mask, c_number
from burnside.detect.terms import Term
from burnside.ir.packing import Field

_FUNCTIONS = {"min": "lesser", "max": "greater"}


@final
class TermText:
    """The C of terms about a packed state ``s``, in lines that build on one another."""

    def __init__(self, fields: Sequence[Field]) -> None:
        self._fields = fields
        self._names: dict[int, str] = {}
        self.lines: list[str] = []

    def name(self, term: Term) -> str:
        """The name of a term's value; it is computed before, if it has not been."""
        if term.is_constant:
            return c_number(term.value)
        if term.number not in self._names:
            value = self._value(term, [self.name(argument) for argument in term.args])
            self._names[term.number] = f"v{len(self._names)}"
            self.lines.append(f"const number {self._names[term.number]} = {value};")
        return self._names[term.number]

    def _value(self, term: Term, args: Sequence[str]) -> str:
        match term.operator:
            case "cell":
                field = self._fields[term.value]
                raw = f"(number)(s[{field.word}] >> {field.shift} & {c_mask(field.mask >> field.shift)})"
                return f"{raw} + {c_number(field.low)}"
            case "and":
                return " & ".join(f"({a} != 0)" for a in args)
            case "or":
                return " | ".join(f"({a} != 0)" for a in args)
            case "not":
                return f"{args[0]} == 0"
            case "eq":
                return f"{args[0]} == {c_number(term.value)}"
            case "le":
                return f"{args[0]} <= {c_number(term.value)}"
            case "sum":
                parts = (f"{c_number(c)} * {a}" for c, a in zip(term.coefficients, args, strict=True))
                return " + ".join([c_number(term.value), *parts])
            case "ite":
                return f"{args[0]} ? {args[1]} : {args[2]}"
            case _:
                return self._folded(term, args)

    def _folded(self, term: Term, args: Sequence[str]) -> str:
        """An operator for two, applied to all; a zero divisor counts as 1, as in `detect.masks`."""
        first, *others = self._repeated(term, args)
        for other in others:
            match term.operator:
                case "/":
                    first = f"floor_quotient({first}, {other} ? {other} : 1, &nobody)"
                case "%":
                    first = f"floor_remainder({first}, {other} ? {other} : 1, &nobody)"
                case "min" | "max":
                    first = f"{_FUNCTIONS[term.operator]}({first}, {other})"
                case "*" | "&" | "|" | "^":
                    first = f"({first} {term.operator} {other})"
                case _:
                    raise ValueError(f"no operator {term.operator}")
        return first

    def _repeated(self, term: Term, args: Sequence[str]) -> Iterator[str]:
        counts = term.coefficients or (1,) * len(args)
        return (a for a, count in zip(args, counts, strict=True) for _ in range(count))
